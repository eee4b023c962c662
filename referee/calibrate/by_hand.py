"""The table from corners that somebody gives."""

from __future__ import annotations

from typing import Final

import numpy as np

from referee.calibrate.saved_table import Corners, SavedTable
from referee.errors import UserError
from referee.table import TableLayout
from referee.vision.rectify import TableView

ORDER: Final = "top left, top right, bottom right, bottom left as seat A sees the table"

_SMALLEST: Final = 0.01
"""Least share of the picture that a table covers."""


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
