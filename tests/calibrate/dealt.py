"""Pictures of a deal drawn in place: flat cards on a table, seen by a pinhole camera, with the truth."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

import cv2
import numpy as np

from referee.calibrate.deal.rows import Expected
from referee.calibrate.saved_table import SavedTable
from referee.table import Box, Zone, ZoneKind, standard_layout
from referee.vision.rectify import Image, Matrix, project

DENSE = 1.6
"""Pixels a mm of the table as it is drawn."""

HOUSE = Expected(5, True)

MARGIN = 160.0
"""The table reaches so far beyond the layout, mm."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """A picture and how it sees the table: a homography (3, 3) from mm to pixels."""

    image: Image
    to_image: Matrix


def draw(
    boxes: Mapping[Zone, Box],
    *,
    tilt: float = 0.0,
    aside: float = 0.0,
    roll: float = 0.0,
    focal: float = 0.8,
    size: tuple[int, int] = (1280, 720),
    table: tuple[int, int, int] = (60, 110, 50),
    paper: tuple[int, int, int] = (235, 238, 240),
    seed: int = 0,
    reach: float = 950.0,
    centres: bool = False,
    piles: bool = False,
    frame: float | None = None,
    tiles: tuple[float, float] | None = None,
) -> Drawn:
    """A deal on a table of 900 x 600 mm.

    Args:
        boxes: where the cards lie; centre piles only with ``centres``.
        tilt, aside, roll: lean of the view from the vertical, the side it leans to, turn of the picture, degrees.
        focal: focal length, widths of the picture.
        size: of the picture, px.
        table, paper: their colours, BGR.
        seed: for grain and noise.
        reach: how many mm of the table fill the width of the picture at its middle.
        centres: whether cards lie on the centre piles.
        piles: whether there lie as many cards in each stock pile as its number says, loosely, not one alone.
        frame: how far within the edge of each card a frame is printed, mm, by which it shows better than by the edge.
        tiles: width and height of tiles that the table has, mm.
    """
    rng = np.random.default_rng(seed)
    width, height = round((900 + 2 * MARGIN) * DENSE), round((600 + 2 * MARGIN) * DENSE)
    flat = np.empty((height, width, 3), np.float32)
    flat[:] = table
    flat += cv2.GaussianBlur(rng.normal(0, 9, flat.shape).astype(np.float32), (0, 0), 2)
    if tiles is not None:
        for x in np.arange(0, width, tiles[0] * DENSE):
            for y in np.arange(0, height, tiles[1] * DENSE):
                end = (round(x + (tiles[0] - 3) * DENSE), round(y + (tiles[1] - 3) * DENSE))
                cv2.rectangle(flat, (round(x), round(y)), end, tuple(c + 60.0 for c in table), -1)
    for zone, box in boxes.items():
        if zone.kind is not ZoneKind.CENTRE or centres:
            below = int(zone.name[1]) - 1 if piles and zone.kind is ZoneKind.STOCK else 0
            for _ in range(below):
                dx, dy, turn = rng.normal(0, 0.9, 3)
                _card(flat, zone, replace(box, x=box.x + dx, y=box.y + dy, angle=box.angle + turn), paper, rng, frame)
            _card(flat, zone, box, paper, rng, frame)
    to_flat = np.array([[DENSE, 0, MARGIN * DENSE], [0, DENSE, MARGIN * DENSE], [0, 0, 1]])
    to_image = camera(tilt, aside, roll, focal, size, reach)
    seen = cv2.warpPerspective(
        cv2.GaussianBlur(flat, (0, 0), 0.9 * DENSE * reach / size[0] / 2),
        to_image @ np.linalg.inv(to_flat),
        size,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(30, 30, 30),
    )
    noisy = seen + rng.normal(0, 1.5, seen.shape)
    return Drawn(np.clip(noisy, 0, 255).astype(np.uint8), to_image)


def camera(tilt: float, aside: float, roll: float, focal: float, size: tuple[int, int], reach: float) -> Matrix:
    """The homography from table mm to pixels of a camera that looks at the middle of the table."""
    lean, around, turn = math.radians(tilt), math.radians(aside), math.radians(roll)
    width = size[0]
    distance = focal * reach
    spin = np.array([[math.cos(around), -math.sin(around), 0], [math.sin(around), math.cos(around), 0], [0, 0, 1]])
    pitch = np.array([[1, 0, 0], [0, math.cos(lean), -math.sin(lean)], [0, math.sin(lean), math.cos(lean)]])
    rolled = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1]])
    rotation = rolled @ spin.T @ pitch @ spin
    plane = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, distance]])
    inner = np.array([[focal * width, 0, (size[0] - 1) / 2], [0, focal * width, (size[1] - 1) / 2], [0, 0, 1]])
    return np.asarray(inner @ plane @ np.array([[1, 0, -450], [0, 1, -300], [0, 0, 1]]), np.float64)


def _card(
    flat: np.ndarray,
    zone: Zone,
    box: Box,
    paper: tuple[int, int, int],
    rng: np.random.Generator,
    frame: float | None,
) -> None:
    def polygon(half_w: float, half_h: float) -> np.ndarray:
        corners = np.array(Box(box.x, box.y, 2 * half_w, 2 * half_h, box.angle).corners())
        return np.round((corners + MARGIN) * DENSE * 16).astype(np.int32)

    rim = 0.5 if frame is None else 0.93
    cv2.fillPoly(flat, [polygon(box.width / 2 + 0.3, box.height / 2 + 0.3)], tuple(rim * c for c in paper), shift=4)
    cv2.fillPoly(flat, [polygon(box.width / 2, box.height / 2)], paper, shift=4)
    if frame is not None:
        cv2.polylines(flat, [polygon(box.width / 2 - frame, box.height / 2 - frame)], True, (60, 40, 40), 2, shift=4)
    if zone.kind is ZoneKind.RESERVE:
        cv2.fillPoly(flat, [polygon(box.width / 2 - 4, box.height / 2 - 4)], (140, 60, 40), shift=4)
        return
    for _ in range(int(rng.integers(2, 9))):
        x, y = rng.uniform(-15, 15), rng.uniform(-28, 28)
        turn = math.radians(box.angle)
        spot = (
            box.x + x * math.cos(turn) - y * math.sin(turn) + MARGIN,
            box.y + x * math.sin(turn) + y * math.cos(turn) + MARGIN,
        )
        ink = (30, 30, 190) if rng.random() < 0.5 else (25, 25, 25)
        cv2.circle(flat, (round(spot[0] * DENSE), round(spot[1] * DENSE)), round(4.5 * DENSE), ink, -1)


def places(drawn: Drawn, boxes: Mapping[Zone, Box]) -> dict[Zone, tuple[float, float]]:
    """Where the middles of the zones are in the picture."""
    return {
        zone: (float(x), float(y)) for zone, box in boxes.items() for x, y in project(drawn.to_image, [[box.x, box.y]])
    }


def loose(boxes: Mapping[Zone, Box], seed: int, mm: float = 2.5, degrees: float = 1.8) -> dict[Zone, Box]:
    """The layout as people would lay it, by eye."""
    rng = Random(seed)
    return {
        zone: replace(
            box,
            x=box.x + rng.gauss(0, mm),
            y=box.y + rng.gauss(0, mm),
            angle=box.angle + rng.gauss(0, degrees),
        )
        for zone, box in boxes.items()
    }


def without(boxes: Mapping[Zone, Box], *names: str) -> dict[Zone, Box]:
    return {zone: box for zone, box in boxes.items() if zone.name not in names}


def even_row() -> dict[Zone, Box]:
    """A row in which the reserve lies as near as the stock piles to each other."""
    boxes = dict(standard_layout().boxes)
    for name, step in (("AR", -28), ("BR", 28)):
        boxes[Zone(name)] = replace(boxes[Zone(name)], x=boxes[Zone(name)].x + step)
    return boxes


def off_mm(table: SavedTable, drawn: Drawn, boxes: Mapping[Zone, Box]) -> dict[str, float]:
    """How far from where it lies each zone was put, mm on the table; centre piles left out."""
    found = table.layout.boxes
    assert set(found) == set(boxes)
    to_table = np.linalg.inv(drawn.to_image)
    off = {}
    for zone, box in boxes.items():
        if zone.name.startswith("C"):
            continue
        ((x, y),) = table.view.to_image([[found[zone].x, found[zone].y]])
        seen = to_table @ (x, y, 1)
        off[zone.name] = math.dist(seen[:2] / seen[2], (box.x, box.y))
    return off
