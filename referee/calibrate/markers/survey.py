"""Measuring a table by its markers: their known size tells how far apart they lie.

The markers were laid by hand, so neither their distances nor their turns are exact. The size of the rectangle, the
view and the pose of each marker are fitted together to the corners seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from referee.calibrate.least_squares import least_squares
from referee.calibrate.lens import Lens, bent, radial_lens, straightened, view_through
from referee.calibrate.markers.pose import CORNER_PX, USUAL_BEND
from referee.calibrate.markers.seen import MARKER_MM, PLACES, QUIET_MM, Sighting
from referee.errors import UserError
from referee.vision.rectify import Points, project

LAID_MM: Final = 40.0
"""How far from a corner of a rectangle a tile may have been laid."""


def survey(
    seen: Sequence[Sighting], size: tuple[int, int], lens: Lens | None
) -> tuple[dict[int, Points], tuple[float, float], Lens]:
    """Where four hand-laid markers lie, in the frame of the rectangle that fits their tiles best.

    Args:
        seen: sightings of all four; of two of one id the larger is taken.
        size: width and height of the picture, px.
        lens: the lens if it is known; else its bend is found with the rest.

    Returns:
        The corners of each marker's black square, mm, float64 (4, 2) by id; the rectangle's width and height, mm; the
        lens as given or found.

    Raises:
        UserError: the four do not lie in the corners of a rectangle.
    """
    best = {number: max((s for s in seen if s.id == number), key=lambda s: s.side) for number in PLACES}
    image = np.vstack([best[number].corners for number in PLACES])
    flat = image if lens is None else straightened(lens, image)
    laid = _first_guess(flat)
    # The first marker stays where it is; the view, the other three and the bend are free.
    poses = _poses(laid)
    homography = view_through(laid, flat).table_to_image
    start = np.concatenate([(homography / homography[2, 2]).reshape(-1)[:8], poses[3:], [0.0]])
    scale = np.concatenate([np.abs(start[:8]) + 1e-6, np.tile([10.0, 10.0, 0.1], 3), [0.01]])

    def missing(values: Points) -> Points:
        table = _laid(np.concatenate([poses[:3], values[8:17]]))
        shown = project(np.append(values[:8], 1.0).reshape(3, 3), table)
        bend = radial_lens(size, float(values[17]))
        off = shown - flat if lens is not None else bent(bend, shown) - image
        return np.append(off.reshape(-1), values[17] / USUAL_BEND * CORNER_PX)

    values = least_squares(missing, start, scale)
    places, rectangle = _in_rectangle(_laid(np.concatenate([poses[:3], values[8:17]])))
    return places, rectangle, lens or radial_lens(size, float(values[17]))


def _first_guess(image: Points) -> Points:
    """The markers' corners (16, 2), mm, if they lay exactly, from the picture alone."""
    centres = image.reshape(4, 4, 2).mean(axis=1)
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
    flat = view_through(unit, centres).to_table(image).reshape(4, 4, 2)
    sides = (np.roll(flat, -1, axis=1) - flat).reshape(-1, 2)
    # Every side is as long as the next, which makes a linear system for the squared sizes.
    squares, *_ = np.linalg.lstsq(sides * sides, np.full(len(sides), MARKER_MM**2), rcond=None)
    if not (squares > 0).all():
        raise UserError(
            "the markers do not lie in the corners of a rectangle: put each tile into its own corner, "
            "and give the size of the playing area (--size) if it still cannot be measured"
        )
    return np.asarray(flat.reshape(-1, 2) * np.sqrt(squares), np.float64)


_SQUARE: Final = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) - 0.5) * MARKER_MM


def _poses(corners: Points) -> Points:
    """Centre and turn of each square, (12,): x, y in mm and radians, from its corners (16, 2)."""
    poses = []
    for square in corners.reshape(4, 4, 2):
        across = square[1] + square[2] - square[0] - square[3]
        poses.extend([*square.mean(axis=0), np.arctan2(across[1], across[0])])
    return np.array(poses, np.float64)


def _laid(poses: Points) -> Points:
    """The corners (16, 2) of squares with these poses."""
    x, y, turn = poses.reshape(4, 3).T
    cos, sin = np.cos(turn), np.sin(turn)
    turned = np.stack([np.stack([cos, sin], -1), np.stack([-sin, cos], -1)], axis=1)
    return np.asarray((_SQUARE @ turned + np.stack([x, y], -1)[:, None]).reshape(-1, 2), np.float64)


def _in_rectangle(corners: Points) -> tuple[dict[int, Points], tuple[float, float]]:
    """The markers' corners (16, 2) moved into the frame of the rectangle through the tiles' outer corners."""
    quads = corners.reshape(4, 4, 2)
    poses = _poses(corners).reshape(4, 3)
    outer = []
    for index, (x, y, turn) in enumerate(poses):
        # The tile's outer corner is the one that faces away from the middle: the first of marker 0, and so on round.
        away = _SQUARE[index] * (1 + 2 * QUIET_MM / MARKER_MM)
        cos, sin = np.cos(turn), np.sin(turn)
        outer.append((x + away[0] * cos - away[1] * sin, y + away[0] * sin + away[1] * cos))
    tl, tr, br, bl = np.array(outer)
    across = (tr - tl) + (br - bl)
    down = (bl - tl) + (br - tr)
    # The mean of the directions of all four sides, the upright ones turned by a quarter.
    heading = across / np.linalg.norm(across) + np.array([down[1], -down[0]]) / np.linalg.norm(down)
    cos, sin = heading / np.linalg.norm(heading)
    turn_back = np.array([[cos, -sin], [sin, cos]])
    middle = np.array(outer).mean(axis=0)
    straight = (np.array(outer) - middle) @ turn_back
    width = float((straight[1, 0] + straight[2, 0] - straight[0, 0] - straight[3, 0]) / 2)
    height = float((straight[2, 1] + straight[3, 1] - straight[0, 1] - straight[1, 1]) / 2)
    half = np.array([width, height]) / 2
    off = np.linalg.norm(straight - half * [[-1, -1], [1, -1], [1, 1], [-1, 1]], axis=1)
    if off.max() > LAID_MM:
        raise UserError(
            f"the markers do not lie in the corners of a rectangle: {PLACES[int(off.argmax())]} is "
            f"{off.max() / 10:.0f} cm off; move it, and put every tile with its outer corner outwards"
        )
    moved = {number: (quad - middle) @ turn_back + half for number, quad in zip(PLACES, quads, strict=True)}
    return moved, (width, height)
