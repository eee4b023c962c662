"""Pictures of a table with the printed markers on it, as a camera over it would take them."""

from __future__ import annotations

import cv2
import numpy as np

from referee.calibrate.lens import Lens, bent, straightened
from referee.calibrate.markers.seen import DICTIONARY, MARKER_MM, TILE_MM, marker_places
from referee.vision.rectify import Image, TableView, project

PX_MM = 4.0
"""Pixels a mm of the drawn table."""


def drawn_table(width: float = 900, height: float = 600, *, lacking: tuple[int, ...] = ()) -> Image:
    """The table straight from above, grey, ``PX_MM`` to the mm, with the tiles in its corners."""
    rng = np.random.default_rng(5)
    rows, columns = round(height * PX_MM), round(width * PX_MM)
    grain = rng.normal(90, 14, (rows // 24 + 1, columns // 24 + 1)).astype(np.float32)
    table = np.clip(cv2.resize(grain, (columns, rows), interpolation=cv2.INTER_CUBIC), 0, 255).astype(np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    for number, quad in marker_places(width, height).items():
        if number in lacking:
            continue
        edge = (TILE_MM - MARKER_MM) / 2
        left, top = (round((value - edge) * PX_MM) for value in quad[0])
        tile, side = round(TILE_MM * PX_MM), round(MARKER_MM * PX_MM)
        table[top : top + tile, left : left + tile] = 225
        inner = round(edge * PX_MM)
        marker = cv2.aruco.generateImageMarker(dictionary, number, side)
        table[top + inner : top + inner + side, left + inner : left + inner + side] = np.clip(marker, 25, 225)
    return table


def seen_from(view: TableView, table: Image, size: tuple[int, int], lens: Lens | None = None) -> Image:
    """A drawn table as the camera sees it: uint8 (H, W, 3) BGR, with a little blur and noise."""
    width, height = size
    points = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2).astype(np.float64)
    flat = points if lens is None else straightened(lens, points)
    # The drawing's pixels lie about their centres.
    spots = (view.to_table(flat) * PX_MM - 0.5).reshape(height, width, 2).astype(np.float32)
    finer = cv2.GaussianBlur(table, (0, 0), 1.2)
    grey = cv2.remap(
        finer, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=40
    )
    noise = np.random.default_rng(9).normal(0, 2, grey.shape)
    grey = np.clip(cv2.GaussianBlur(grey, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(np.repeat(grey[..., None], 3, axis=2))


def camera_view(
    size: tuple[int, int], *, tilt: float = 0.0, roll: float = 0.0, table: tuple[float, float] = (900, 600)
) -> TableView:
    """The view of a camera over the middle of a table, tilted and turned by degrees, that sees all of it."""
    lean, turn = np.radians(tilt), np.radians(roll)
    focal = size[0] * 1.0
    around = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    forward = np.array([[1, 0, 0], [0, np.cos(lean), -np.sin(lean)], [0, np.sin(lean), np.cos(lean)]])
    axes = around @ forward
    across = abs(np.cos(turn)) * table[0] + abs(np.sin(turn)) * table[1]
    down = abs(np.sin(turn)) * table[0] + abs(np.cos(turn)) * table[1]
    reach = 1.25 * max(across, down * size[0] / size[1])
    middle = -axes[:, 0] * table[0] / 2 - axes[:, 1] * table[1] / 2 + (0, 0, reach)
    camera = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]])
    to_image = camera @ np.column_stack([axes[:, 0], axes[:, 1], middle])
    to_image /= to_image[2, 2]
    return TableView(np.linalg.inv(to_image), to_image)


def corners_seen(view: TableView, width: float = 900, height: float = 600, lens: Lens | None = None) -> np.ndarray:
    """Where the table's corners appear, px."""
    flat = project(view.table_to_image, [[0, 0], [width, 0], [width, height], [0, height]])
    return flat if lens is None else bent(lens, flat)
