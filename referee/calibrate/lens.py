"""What a lens that bends straight lines does to points, and the view of one place through it.

A place as small as a zone's crop is bent so evenly that a homography of its own describes it: points are straightened,
never whole pictures, and the one crop geometry stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from referee.table import Box
from referee.vision.rectify import Matrix, Points, TableView, crop_to_table, project

ROUNDS: Final = 25
"""Turns of the iteration that undoes a bend; each gains a digit or more with lenses of table cameras."""

GRID: Final = np.stack(np.meshgrid(np.linspace(0, 1, 5), np.linspace(0, 1, 5)), axis=-1).reshape(-1, 2)
"""Points over a square, the first row along its upper side."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A lens that bends straight lines, in the model that OpenCV calls a distorted pinhole.

    Attributes:
        focal: focal lengths along x and y, px.
        centre: where the optical axis meets the picture, px.
        distortion: k1, k2, p1, p2, k3.
    """

    focal: tuple[float, float]
    centre: tuple[float, float]
    distortion: tuple[float, float, float, float, float]

    def scaled(self, x: float, y: float) -> Lens:
        """The same lens in a picture ``x`` times as wide and ``y`` times as high."""
        centre = ((self.centre[0] + 0.5) * x - 0.5, (self.centre[1] + 0.5) * y - 0.5)
        return replace(self, focal=(self.focal[0] * x, self.focal[1] * y), centre=centre)


def radial_lens(size: tuple[int, int], k1: float, k2: float = 0.0) -> Lens:
    """A lens that bends about the middle of a picture of ``size`` (width, height).

    A point at a distance r from it, in halves of the picture's width, appears at ``r (1 + k1 r^2 + k2 r^4)``; k1 is
    about -0.3 for a very wide lens and -0.03 for an ordinary webcam.
    """
    half = size[0] / 2
    # OpenCV counts pixels from their centres.
    return Lens((half, half), ((size[0] - 1) / 2, (size[1] - 1) / 2), (k1, k2, 0.0, 0.0, 0.0))


def bent(lens: Lens, points: Points) -> Points:
    """Where points (N, 2) of the straightened picture appear in the camera's, px."""
    flat = (points - lens.centre) / lens.focal
    radial, tangential = _bend(lens, flat)
    return np.asarray((flat * radial + tangential) * lens.focal + lens.centre, np.float64)


def straightened(lens: Lens, points: Points) -> Points:
    """Where points (N, 2) of the camera's picture lie in the straightened one, px; the inverse of ``bent``."""
    seen = (points - lens.centre) / lens.focal
    flat = seen
    for _ in range(ROUNDS):
        radial, tangential = _bend(lens, flat)
        flat = (seen - tangential) / radial
    return np.asarray(flat * lens.focal + lens.centre, np.float64)


def _bend(lens: Lens, flat: Points) -> tuple[Points, Points]:
    """The factor (N, 1) and the shift (N, 2) of OpenCV's model, for points in focal lengths from the axis."""
    k1, k2, p1, p2, k3 = lens.distortion
    squared = (flat * flat).sum(axis=1, keepdims=True)
    radial = 1 + squared * (k1 + squared * (k2 + squared * k3))
    across = flat[:, :1] * flat[:, 1:]
    tangential = 2 * across * (p1, p2) + (squared + 2 * flat * flat) * (p2, p1)
    return radial, tangential


def view_through(table: Points, image: Points) -> TableView:
    """The view that takes table points (N, 2) in mm to image points (N, 2) with the least error in the picture.

    Raises:
        ValueError: the points lie in one line, or nearly.
    """
    to_image, _ = cv2.findHomography(table, image, 0)
    if to_image is None or abs(np.linalg.det(to_image)) < 1e-12:
        raise ValueError("points in one line give no view of a table")
    forward: Matrix = np.asarray(to_image, np.float64)
    return TableView(np.asarray(np.linalg.inv(forward), np.float64), forward)


@dataclass(frozen=True, slots=True, eq=False)
class BentView(TableView):
    """A view through a lens that bends: exact for points and for each zone's crop.

    Its homographies are those that come nearest over the whole table, for whoever needs one for all.

    Attributes:
        lens: the lens.
        straight: the view in the straightened picture.
    """

    lens: Lens
    straight: TableView

    def to_table(self, points: Sequence[Sequence[float]] | Points) -> Points:
        """Table millimetres of image points."""
        return self.straight.to_table(straightened(self.lens, np.asarray(points, np.float64)))

    def to_image(self, points: Sequence[Sequence[float]] | Points) -> Points:
        """Image pixels of points of the table plane."""
        return bent(self.lens, self.straight.to_image(points))

    def at(self, box: Box) -> TableView:
        """The homographies that come nearest over a zone's crop."""
        return _nearest(self.lens, self.straight, project(crop_to_table(box, 1), GRID[[0, 4, 24, 20]]))


def view_of(lens: Lens | None, straight: TableView, area: Points) -> TableView:
    """The view through a lens.

    Args:
        lens: the lens; with None the view is what it was.
        straight: the view in the straightened picture.
        area: the corners (4, 2) of the table in mm, in order.
    """
    if lens is None:
        return straight
    nearest = _nearest(lens, straight, area)
    return BentView(nearest.image_to_table, nearest.table_to_image, lens, straight)


def moved_view(view: TableView, motion: Matrix, area: Points) -> TableView:
    """The view after all that is seen has moved in the picture by ``motion`` (3, 3), px to px.

    ``area`` is as in ``view_of``.
    """
    if not isinstance(view, BentView):
        back = np.asarray(np.linalg.inv(motion), np.float64)
        return TableView(view.image_to_table @ back, np.asarray(motion @ view.table_to_image, np.float64))
    table = _grid(area)
    there = straightened(view.lens, project(motion, view.to_image(table)))
    return view_of(view.lens, view_through(table, there), area)


def _grid(area: Points) -> Points:
    """Points all over a rectangle with these corners (4, 2)."""
    first, second, _, fourth = area
    return np.asarray(first + GRID[:, :1] * (second - first) + GRID[:, 1:] * (fourth - first), np.float64)


def _nearest(lens: Lens, straight: TableView, area: Points) -> TableView:
    """The homography that comes nearest to the bent view over a rectangle with these corners (4, 2), mm."""
    table = _grid(area)
    return view_through(table, bent(lens, straight.to_image(table)))
