"""The table from corners that somebody gives."""

from __future__ import annotations

import math
import re
from typing import Final

import numpy as np

from referee.calibrate.saved_table import Corners, SavedTable, as_corners
from referee.errors import UserError
from referee.table import TableLayout
from referee.vision.rectify import TableView

ORDER: Final = "top left, top right, bottom right, bottom left as seat A sees the table"

_SMALLEST: Final = 0.01
"""Least share of the picture that a table covers."""


def parse_corners(text: str) -> Corners:
    """Corners from ``x,y x,y x,y x,y`` in pixels.

    Raises:
        UserError: these are not four pairs of numbers.
    """
    pairs = [part for part in re.split(r"[\s;]+", text.strip()) if part]
    try:
        points = [(float(x), float(y)) for x, y in (pair.split(",") for pair in pairs)]
    except ValueError:
        points = []
    if len(points) != 4 or not all(math.isfinite(value) for point in points for value in point):
        raise UserError(f'{text!r} are not four corners: write "x,y x,y x,y x,y" in pixels, {ORDER}')
    return as_corners(points)


def parse_size(text: str) -> tuple[float, float]:
    """A table's size from ``900x600``, mm.

    Raises:
        UserError: it is none, or one that no table has.
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*[xX×]\s*(\d+(?:\.\d+)?)\s*", text)
    size = (float(match[1]), float(match[2])) if match else (0.0, 0.0)
    if not all(200 <= side <= 3000 for side in size):
        raise UserError(f"{text!r} is no size of a table: write width x height in mm, for example 900x600")
    return size


def table_by_hand(corners: Corners, layout: TableLayout, picture: tuple[int, int], camera: str = "") -> SavedTable:
    """The table whose corners lie at ``corners`` in a picture of ``picture`` (width, height) px.

    Raises:
        UserError: no table can look like that: mirrored, crossed, folded or tiny.
    """
    try:
        TableView.from_corners(corners, layout.width, layout.height)
    except np.linalg.LinAlgError:
        raise UserError(f"three of the four corners lie on one line: give {ORDER}") from None
    points = np.asarray(corners)
    following = np.roll(points, -1, axis=0)
    area = abs(float((points[:, 0] * following[:, 1] - points[:, 1] * following[:, 0]).sum())) / 2
    if area < _SMALLEST * picture[0] * picture[1]:
        raise UserError(
            f"the four corners enclose only {area:.0f} px of the picture's {picture[0]}x{picture[1]}: give them in "
            "pixels of the picture, and move the camera closer"
        )
    if outside := layout.outside():
        raise UserError(
            f"zone {outside[0]} reaches over the edge of a table of {layout.width:g} x {layout.height:g} mm: give the "
            "size of the rectangle between the corners with --size"
        )
    return SavedTable(camera, picture, corners, layout, "hand")
