"""Finding out how a lens bends lines: from pictures of the printed board, or from edges that are straight in truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from referee.calibrate.least_squares import Floats, least_squares
from referee.calibrate.lens import Lens, radial_lens, straightened
from referee.calibrate.markers.print_sheet import lens_board
from referee.errors import UserError
from referee.vision.rectify import Image, Points

FEWEST_BOARDS: Final = 4
FEWEST_CORNERS: Final = 12
"""Corners of the board that a picture must show to be of use."""

MOST_ERROR_PX: Final = 1.5
"""Boards that fit worse than this were moved while they were taken, or are bent themselves."""

LONG: Final = 0.3
"""Share of the picture's width that an edge must run to tell anything of the bend."""

BOWED: Final = 0.06
"""An edge that bows by more than this share of its length is no straight one."""

FEWEST_EDGES: Final = 2

MOST_BEND: Final = 0.5

JOIN: Final = np.radians(9)
"""An outline is followed as one edge as long as it turns by less than this within a stretch."""

STRETCH: Final = 12
"""Points of an outline over which its turn is taken."""

CLEAR: Final = ((60, 150), (20, 50))
"""Contrast of the edges that are followed: clear ones that no grain of the table top breaks up, then fainter ones."""

SAME_PX: Final = 6.0
"""Edges nearer to each other are one."""

ROUGH_PX: Final = 0.6
"""Edges that cannot be made straighter than this tell nothing."""


@dataclass(frozen=True, slots=True)
class LensFit:
    """A lens, and how well it was measured.

    Attributes:
        lens: the lens.
        error_px: root mean square of what it leaves unexplained, px.
        used: how many pictures or edges it rests on.
    """

    lens: Lens
    error_px: float
    used: int


def lens_from_boards(images: Sequence[Image]) -> LensFit:
    """The lens from pictures of the printed lens board.

    Args:
        images: uint8 arrays (H, W, 3), BGR, all of one size, the board tilted differently in each.

    Raises:
        UserError: too few of them show enough of the board, or they contradict each other.
    """
    shapes = {image.shape[:2] for image in images}
    if len(shapes) != 1:
        raise UserError("the pictures of the lens board must all be of one size, from the one camera")
    height, width = shapes.pop()
    board = lens_board()
    detector = cv2.aruco.CharucoDetector(board)
    places = np.asarray(board.getChessboardCorners(), np.float32)
    objects, seen = [], []
    for image in images:
        corners, ids, _, _ = detector.detectBoard(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
        if ids is not None and len(np.ravel(ids)) >= FEWEST_CORNERS:
            # OpenCV 5 gives (N,) and (N, 2) where 4 gives (N, 1) and (N, 1, 2).
            objects.append(places[np.ravel(ids)].reshape(-1, 1, 3))
            seen.append(np.asarray(corners, np.float32).reshape(-1, 1, 2))
    if len(seen) < FEWEST_BOARDS:
        raise UserError(
            f"{len(seen)} of {len(images)} pictures show the lens board well enough, and it takes {FEWEST_BOARDS}: "
            "hold the printed board flat, sharp and large in the picture, tilted differently each time"
        )
    start = np.array([[width, 0, (width - 1) / 2], [0, width, (height - 1) / 2], [0, 0, 1]], np.float64)
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K3
    error, camera, distortion, _, _ = cv2.calibrateCamera(
        objects, seen, (width, height), start, np.zeros(5), flags=flags
    )
    if error > MOST_ERROR_PX:
        raise UserError(
            f"the pictures of the lens board contradict each other by {error:.1f} px: glue the board flat onto card "
            "and hold it still while a picture is taken"
        )
    k1, k2, p1, p2, k3 = (float(value) for value in np.ravel(distortion)[:5])
    lens = Lens(
        (float(camera[0, 0]), float(camera[1, 1])), (float(camera[0, 2]), float(camera[1, 2])), (k1, k2, p1, p2, k3)
    )
    return LensFit(lens, float(error), len(seen))


def lens_from_edges(image: Image) -> LensFit:
    """The lens from long edges in one picture: of the table, of a mat, of planks or tiles.

    Args:
        image: uint8 array (H, W, 3), BGR.

    Raises:
        UserError: there are no two long edges in it, or they are not straight in truth.
    """
    height, width = image.shape[:2]
    edges = _apart([edge for edge in _outlines(image) if _spans(edge, width)])
    if len(edges) < FEWEST_EDGES:
        raise UserError(
            "there are no two long edges in the picture: let the table's edges show on both sides, clear of hands and "
            "cards, or use the printed lens board"
        )
    bend, used = 0.0, np.ones(len(edges), bool)
    for _ in range(3):
        chosen = [edge for edge, keep in zip(edges, used, strict=True) if keep]
        bend = _straightest(chosen, (width, height))
        left = np.array([_bow(straightened(radial_lens((width, height), bend), edge)) for edge in edges])
        used = left <= max(ROUGH_PX, 2.5 * float(np.median(left)))
    error = float(np.sqrt(np.mean(left[used] ** 2)))
    if used.sum() < FEWEST_EDGES or error > 2 * ROUGH_PX or abs(bend) > MOST_BEND:
        raise UserError(
            "the long edges in the picture are not straight in truth, so they tell nothing of the lens: use the "
            "printed lens board"
        )
    return LensFit(radial_lens((width, height), bend), error, int(used.sum()))


def _straightest(edges: Sequence[Points], size: tuple[int, int]) -> float:
    """The bend (k1) without which edges are straightest."""

    def missing(values: Floats) -> Floats:
        lens = radial_lens(size, float(values[0]))
        return np.concatenate([_off_line(straightened(lens, edge)) / np.sqrt(len(edge)) for edge in edges])

    return float(least_squares(missing, np.zeros(1), np.array([0.05]))[0])


def _off_line(points: Points) -> Floats:
    """Distance of each point (N, 2) from the line through them all."""
    offset = points - points.mean(axis=0)
    _, _, axes = np.linalg.svd(offset, full_matrices=False)
    return np.asarray(offset @ axes[1], np.float64)


def _bow(points: Points) -> float:
    return float(np.sqrt(np.mean(_off_line(points) ** 2)))


def _spans(edge: Points, width: int) -> bool:
    length = float(np.linalg.norm(edge[-1] - edge[0]))
    return length >= LONG * width and float(np.abs(_off_line(edge)).max()) <= BOWED * length


def _apart(edges: Sequence[Points]) -> list[Points]:
    """The edges, longest first, each once: an outline runs along both sides of an edge."""
    kept: list[Points] = []
    for edge in sorted(edges, key=len, reverse=True):
        middle = edge[len(edge) // 2]
        if all(np.linalg.norm(other - middle, axis=1).min() > SAME_PX for other in kept):
            kept.append(edge)
    return kept


def _outlines(image: Image) -> list[Points]:
    """Edges of the picture, followed as long as they turn only little, to a fraction of a pixel."""
    grey = np.asarray(cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 1.5), np.uint8)
    contours: list[npt.NDArray[np.int32]] = []
    for low, high in CLEAR:
        edges = cv2.Canny(grey, low, high)
        contours += [np.asarray(one) for one in cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)[0]]
    found = []
    for contour in contours:
        points = contour.reshape(-1, 2).astype(np.float64)
        if len(points) < 4 * STRETCH:
            continue
        smooth = np.stack(
            [np.convolve(points[:, axis], np.full(STRETCH, 1 / STRETCH), "valid") for axis in (0, 1)], axis=1
        )
        heading = smooth[STRETCH:] - smooth[:-STRETCH]
        angle = np.unwrap(np.arctan2(heading[:, 1], heading[:, 0]))
        sharp = np.abs(angle[STRETCH:] - angle[:-STRETCH]) > JOIN
        start = 0
        for stop in [*np.flatnonzero(sharp), len(sharp)]:
            if stop - start > 2 * STRETCH:
                found.append(_refined(grey, smooth[start + STRETCH : stop + STRETCH]))
            start = int(stop) + 1
    return [edge for edge in found if len(edge) >= STRETCH]


def _refined(grey: Image, points: Points) -> Points:
    """The places along an outline (N, 2) at which the picture changes most, across it."""
    every = points[::4]
    along = np.gradient(points, axis=0)[::4]
    length = np.linalg.norm(along, axis=1, keepdims=True)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.maximum(length, 1e-9)
    steps = np.linspace(-3, 3, 25)
    maps = (every[:, None] + steps[None, :, None] * across[:, None]).astype(np.float32)
    profile = cv2.remap(grey, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    slope = np.abs(np.diff(profile.astype(np.float64), axis=1))
    slope = np.where(slope > 0.4 * slope.max(axis=1, keepdims=True), slope, 0)
    weight = slope.sum(axis=1)
    middles = (steps[:-1] + steps[1:]) / 2
    offset = (slope * middles).sum(axis=1) / np.maximum(weight, 1e-9)
    return np.asarray((every + offset[:, None] * across)[weight > 4], np.float64)
