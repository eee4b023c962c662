"""The one crop geometry: from a picture of the table to an upright square picture of a zone.

Training and play both come through here, so the reader sees in play what it saw in training.

Three planes of coordinates, all as float64 arrays (N, 2) of x, y:

- image: pixels of the camera's picture as OpenCV counts them, the centre of the first pixel is (0, 0);
- table: millimetres, origin at the top left corner of the calibrated rectangle, x right, y down;
- crop: pixels of the square crop counted from its top left corner, the centre of the first pixel is (0.5, 0.5), so
  that boxes scale with the crop.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.errors import UserError
from referee.table import Box

CROP_MM: Final = 124.0
"""Side of every crop on the table; a loose pile of 63 x 88 mm cards fits at any angle."""

CROP_PX: Final = 224
"""Default side of a crop in pixels; an index is then about 25 px high."""

MOST_MM: Final = 20_000.0
"""No table is longer: what is, was given in another unit."""

_FINE: Final = 32
"""Parts of a pixel to which OpenCV tells places apart when it interpolates."""

_FAR: Final = _FINE * (2**15 - 1)
"""Outside every picture."""

Image: TypeAlias = npt.NDArray[np.uint8]
Matrix: TypeAlias = npt.NDArray[np.float64]
Points: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class TableView:
    """How one camera sees the table plane.

    Attributes:
        image_to_table: float64 array (3, 3), the homography from image pixels to table millimetres.
        table_to_image: its inverse.
    """

    image_to_table: Matrix
    table_to_image: Matrix

    @classmethod
    def from_corners(cls, corners: Sequence[Sequence[float]] | Points, width: float, height: float) -> TableView:
        """The view in which the table rectangle's corners lie at ``corners``.

        Args:
            corners: four image points: top left, top right, bottom right, bottom left of the table rectangle.
            width, height: the rectangle, mm.

        Raises:
            UserError: the corners are not four finite points that go round the table clockwise.
        """
        image = np.asarray(corners, np.float64)
        if image.shape != (4, 2) or not np.isfinite(image).all():
            raise UserError("the table needs four corners, each a pair of finite pixel coordinates: calibrate it again")
        if not (0 < width <= MOST_MM and 0 < height <= MOST_MM):
            raise UserError(f"a table of {width:g} x {height:g} mm cannot be: give its size in millimetres")
        sides = np.roll(image, -1, axis=0) - image
        following = np.roll(sides, -1, axis=0)
        turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
        if (turns <= 0).any():
            raise UserError(
                "the four corners must go round the table clockwise in the picture, starting at the top left: "
                "a table seen in a mirror, or with two corners exchanged, cannot be read"
            )
        table = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        forward = _homography(table, image)
        return cls(np.asarray(np.linalg.inv(forward), np.float64), forward)

    def at(self, _box: Box) -> TableView:
        """The view to cut a zone's crop out by: this one, unless a lens bends it differently at every place."""
        return self

    def cut(self, left: int, top: int) -> TableView:
        """The same table in the part of the picture that starts at pixel (``left``, ``top``)."""
        there = np.array([[1, 0, left], [0, 1, top], [0, 0, 1]], np.float64)
        back = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], np.float64)
        return TableView(self.image_to_table @ there, back @ self.table_to_image)

    def shrunk(self, times: int) -> TableView:
        """The same table in a picture of which every pixel is the mean of ``times`` x ``times`` of this one's."""
        there = np.array([[times, 0, (times - 1) / 2], [0, times, (times - 1) / 2], [0, 0, 1]], np.float64)
        back = np.asarray(np.linalg.inv(there), np.float64)
        return TableView(self.image_to_table @ there, back @ self.table_to_image)

    def to_table(self, points: Sequence[Sequence[float]] | Points) -> Points:
        """Table millimetres of image points."""
        return project(self.image_to_table, points)

    def to_image(self, points: Sequence[Sequence[float]] | Points) -> Points:
        """Image pixels of points of the table plane."""
        return project(self.table_to_image, points)


def project(homography: Matrix, points: Sequence[Sequence[float]] | Points) -> Points:
    """``points`` (N, 2) through a homography (3, 3)."""
    flat = np.asarray(points, np.float64)
    mapped = flat @ homography[:, :2].T + homography[:, 2]
    return np.asarray(mapped[:, :2] / mapped[:, 2:], np.float64)


def crop_to_table(box: Box, size: int = CROP_PX) -> Matrix:
    """The matrix (3, 3) from crop pixels to table millimetres: ``CROP_MM`` about the zone, its reading direction up."""
    scale = CROP_MM / size
    turn = math.radians(box.angle)
    cos, sin = scale * math.cos(turn), scale * math.sin(turn)
    half = size / 2
    return np.array(
        [[cos, -sin, box.x - half * (cos - sin)], [sin, cos, box.y - half * (sin + cos)], [0, 0, 1]], np.float64
    )


def table_to_crop(box: Box, size: int = CROP_PX) -> Matrix:
    """The inverse of ``crop_to_table``."""
    scale = size / CROP_MM
    turn = math.radians(box.angle)
    cos, sin = scale * math.cos(turn), scale * math.sin(turn)
    half = size / 2
    return np.array(
        [[cos, sin, half - cos * box.x - sin * box.y], [-sin, cos, half + sin * box.x - cos * box.y], [0, 0, 1]],
        np.float64,
    )


def image_to_crop(view: TableView, box: Box, size: int = CROP_PX) -> Matrix:
    """The homography (3, 3) from image pixels to pixels of the zone's crop."""
    return np.asarray(table_to_crop(box, size) @ view.at(box).image_to_table, np.float64)


def crop_outline(view: TableView, box: Box) -> Points:
    """Image points (4, 2) of the crop's corners: top left, top right, bottom right, bottom left as it is read."""
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
    return view.to_image(project(crop_to_table(box, 1), corners))


def rectify(image: Image, view: TableView, box: Box, size: int = CROP_PX) -> Image:
    """The zone's crop.

    Args:
        image: uint8 array (H, W, 3), BGR.
        view: where the table lies in it.
        box: the zone; only its centre and angle count.
        size: side of the crop, pixels.

    Returns:
        uint8 array (size, size, 3), BGR, with the zone's reading direction up. What lies outside the picture repeats
        its edge. A picture finer than the crop is averaged, not skipped over.
    """
    to_image, dense = _from_pixels(view, box, size)
    crop = cv2.warpPerspective(
        image,
        to_image,
        (size * dense, size * dense),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return _thinned(crop, size)


class Cutter:
    """Cuts the crop of one zone out of picture after picture: the same as ``rectify``, in half the time."""

    def __init__(self, view: TableView, box: Box, size: int = CROP_PX) -> None:
        """Cut ``box`` out of pictures in which the table lies as ``view`` says; ``size`` as for ``rectify``."""
        to_image, dense = _from_pixels(view, box, size)
        self._size = size
        across = np.arange(size * dense, dtype=np.float64)
        x, y, depth = (row[0] * across + row[1] * across[:, None] + row[2] for row in to_image)
        # As warpPerspective does it: places to a 32nd of a pixel, in whole numbers and the rest.
        scale = np.divide(_FINE, depth, out=np.zeros_like(depth), where=depth != 0)
        places = np.clip(np.rint([x * scale, y * scale]), -_FAR, _FAR).astype(np.int32)
        whole, rest = np.divmod(places, _FINE)
        self._whole = np.ascontiguousarray(np.moveaxis(whole, 0, -1), np.int16)
        self._rest = (rest[1] * _FINE + rest[0]).astype(np.uint16)

    def cut(self, image: Image) -> Image:
        """The zone's crop, as of ``rectify``."""
        crop = cv2.remap(image, self._whole, self._rest, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return _thinned(crop, self._size)


def _from_pixels(view: TableView, box: Box, size: int) -> tuple[Matrix, int]:
    """The homography from pixels of a crop, counted from their centres, to image pixels, and how many times denser."""
    view = view.at(box)
    outline = crop_outline(view, box)
    longest = float(np.linalg.norm(np.roll(outline, -1, axis=0) - outline, axis=1).max())
    # A linear filter reads 2 x 2 pixels, so a denser picture is read at several points per crop pixel and averaged.
    dense = max(1, math.ceil(longest / size - 0.25))
    centres = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]], np.float64)
    return view.table_to_image @ crop_to_table(box, size * dense) @ centres, dense


def _thinned(crop: cv2.typing.MatLike, size: int) -> Image:
    if crop.shape[0] > size:
        crop = cv2.resize(crop, (size, size), interpolation=cv2.INTER_AREA)
    return np.asarray(crop, np.uint8)


def _homography(source: Points, target: Points) -> Matrix:
    """The homography that takes four points to four others, in double precision."""
    rows = []
    for (x, y), (u, v) in zip(source, target, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    solution = np.linalg.solve(np.array(rows), target.reshape(-1))
    return np.append(solution, 1.0).reshape(3, 3)
