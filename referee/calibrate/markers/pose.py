"""The camera that sees markers where they are seen.

A free homography has eight unknowns, and from two markers side by side it swings at the far end of the table. A camera
with square pixels over a plane has seven, and all but the lens are well known beforehand, so far ends hold still.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from referee.calibrate.least_squares import Floats, least_squares
from referee.calibrate.lens import Lens, bent, radial_lens, straightened, view_through
from referee.vision.rectify import Matrix, Points, TableView, project

USUAL_BEND: Final = 0.03
"""How much webcams bend (k1), about."""

MOST_BEND: Final = 0.4
"""A lens bends less than this (k1), or it is none that a table can be watched through."""

CORNER_PX: Final = 0.15
"""How exactly a corner is found, px, about; what else is known beforehand is weighed against it."""

USUAL_FOCAL: Final = 1.0
"""Focal length of webcams and telephones, in widths of the picture, about."""

FOCAL_SPREAD: Final = 0.35
"""Spread of its logarithm."""

BLOOM_PX: Final = 0.5
"""White spreads into black in the camera: by so much, about, squares look smaller on each side."""

SQUARES_THAT_BEND: Final = 3
"""Squares that can tell a bent picture from tiles laid a little wrong."""

STARTS: Final = (0.7, 1.3)
"""Focal lengths from which the search starts, in widths of the picture."""


@dataclass(frozen=True, slots=True, eq=False)
class CameraFit:
    """A camera fitted to squares.

    Attributes:
        straight: the view without the lens's bend.
        lens: the lens as given or found.
        off: how far off the corners lie on the table, mm, (N,).
    """

    straight: TableView
    lens: Lens | None
    off: Floats

    @property
    def error_mm(self) -> float:
        """Root mean square of what is off."""
        return float(np.sqrt(np.mean(self.off * self.off)))


def fit_camera(table: Points, image: Points, size: tuple[int, int], lens: Lens | None) -> CameraFit:
    """The camera, and the lens if it may bend and does.

    Args:
        table: corners (4 N, 2) of N squares on the table, mm.
        image: where they are seen, px.
        size: width and height of the picture, px.
        lens: the lens if it is known; else a bend is looked for.
    """
    if lens is not None:
        return _fit(table, image, size, lens, False)
    bent_fit = _fit(table, image, size, None, True)
    if len(table) < SQUARES_THAT_BEND * 4:
        # Two squares hardly tell a bend, but what is usual of lenses is better than none for certain.
        return bent_fit
    plain = _fit(table, image, size, None, False)
    # Tiles laid a little wrong bend nothing: a lens explains most of what is off, or it is not the lens.
    sound = bent_fit.lens is not None and abs(bent_fit.lens.distortion[0]) <= MOST_BEND
    return bent_fit if sound and bent_fit.error_mm < 0.6 * plain.error_mm else plain


def _fit(table: Points, image: Points, size: tuple[int, int], lens: Lens | None, bends: bool) -> CameraFit:
    flat = image if lens is None else straightened(lens, image)
    middle = (np.array(size, np.float64) - 1) / 2
    inward = np.repeat(table.reshape(-1, 4, 2).mean(axis=1), 4, axis=0) - table
    # A pixel's worth of each square, inwards.
    inward /= np.repeat(_sides(image) / 2, 4)[:, None]

    def show(values: Floats, points: Points) -> Points:
        flat_ones = project(_homography(values, size[0], middle), points)
        return bent(radial_lens(size, float(values[8])), flat_ones) if bends else flat_ones

    def missing(values: Floats) -> Floats:
        shown = show(values, table + values[7] * inward)
        known = np.array([np.log(np.exp(values[0]) / USUAL_FOCAL) / FOCAL_SPREAD, values[7] / BLOOM_PX])
        if bends:
            known = np.append(known, values[8] / USUAL_BEND)
        return np.concatenate([(shown - flat).reshape(-1), CORNER_PX * known])

    rough = view_through(table, flat).table_to_image
    count = 9 if bends else 8
    fits = []
    for focal in STARTS:
        start = np.zeros(count)
        start[:7] = _pose(rough, focal, size[0], middle)
        scale = np.concatenate([[0.2], np.full(3, 0.1), np.full(3, 0.1 * start[6]), [0.3], [0.02]])[:count]
        values = least_squares(missing, start, scale)
        fits.append((float(np.square(missing(values)).sum()), values))
    _, values = min(fits, key=lambda fit: fit[0])
    if bends:
        lens = radial_lens(size, float(values[8]))
        flat = straightened(lens, image)
    forward = _homography(values, size[0], middle)
    straight = TableView(np.asarray(np.linalg.inv(forward), np.float64), forward)
    off = np.linalg.norm(straight.to_table(flat) - (table + values[7] * inward), axis=1)
    return CameraFit(straight, lens, np.asarray(off, np.float64))


def _sides(squares: Points) -> Floats:
    """Mean length of the sides of each square (N,), from their corners (4 N, 2)."""
    corners = squares.reshape(-1, 4, 2)
    return np.asarray(np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2).mean(axis=1), np.float64)


def _homography(values: Floats, width: int, middle: Points) -> Matrix:
    """From table millimetres to the picture: logarithm of the focal length in widths, turn (3), place (3)."""
    focal = width * np.exp(values[0])
    turn, _ = cv2.Rodrigues(values[1:4])
    camera = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
    return np.asarray(camera @ np.column_stack([turn[:, 0], turn[:, 1], values[4:7]]), np.float64)


def _pose(homography: Matrix, focal: float, width: int, middle: Points) -> Floats:
    """The camera's seven values that come near to a homography, if its focal length were so many widths."""
    length = focal * width
    axes = np.linalg.inv(np.array([[length, 0, middle[0]], [0, length, middle[1]], [0, 0, 1]])) @ homography
    axes = axes / np.sqrt(np.linalg.norm(axes[:, 0]) * np.linalg.norm(axes[:, 1]))
    if axes[2, 2] < 0:
        axes = -axes
    turn, _, other = np.linalg.svd(np.column_stack([axes[:, 0], axes[:, 1], np.cross(axes[:, 0], axes[:, 1])]))
    vector, _ = cv2.Rodrigues(turn @ other)
    return np.concatenate([[np.log(focal)], vector.reshape(3), axes[:, 2]])
