"""A table as it is kept: which camera sees it, where it lies in the picture, where the zones lie on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np

from referee.calibrate.lens import Lens, straightened, view_of
from referee.errors import UserError
from referee.table import TableLayout
from referee.vision.rectify import TableView

Corners: TypeAlias = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Image points of a table rectangle: top left, top right, bottom right, bottom left, as seat A sees the table."""

WAYS: Final = ("markers", "deal", "hand")
"""How a table can have been found: from printed markers, from the dealt cards, by hand."""

SAME_SHAPE: Final = 0.005
"""Pictures whose proportions differ by less than this share are of one camera at two sizes."""


@dataclass(frozen=True, slots=True)
class SavedTable:
    """A calibrated table.

    Attributes:
        camera: what the user named as the source of the picture, secrets left out; empty where nobody said.
        picture: width and height of the camera's picture, px.
        corners: where those of the table rectangle appear in that picture.
        layout: size of the table rectangle and the zones on it, mm.
        way: how it was found, one of ``WAYS``.
        lens: what bends the camera's picture; None where it was not measured.
    """

    camera: str
    picture: tuple[int, int]
    corners: Corners
    layout: TableLayout
    way: str = "hand"
    lens: Lens | None = None

    @property
    def view(self) -> TableView:
        """How the camera sees the table, through its lens where that was measured."""
        width, height = self.layout.width, self.layout.height
        area = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        return view_of(self.lens, self.straight, area)

    @property
    def straight(self) -> TableView:
        """The same in the picture that the camera would take if its lens did not bend."""
        corners = np.asarray(self.corners, np.float64)
        if self.lens is not None:
            corners = straightened(self.lens, corners)
        return TableView.from_corners(corners, self.layout.width, self.layout.height)

    def for_picture(self, size: tuple[int, int]) -> SavedTable:
        """The same table for pictures of ``size`` (width, height).

        Raises:
            UserError: the picture has other proportions, so it is not the one that was calibrated.
        """
        if size == self.picture:
            return self
        x, y = size[0] / self.picture[0], size[1] / self.picture[1]
        if abs(x / y - 1) > SAME_SHAPE:
            old = f"{self.picture[0]}x{self.picture[1]}"
            raise UserError(
                f"the table was calibrated in a picture of {old} and this one is {size[0]}x{size[1]}: ask the camera "
                f"for the old size, as --camera 0@{old} does, or calibrate again"
            )
        # Pixels are counted from their centres, so it is their edges that scale.
        corners = (np.asarray(self.corners, np.float64) + 0.5) * (x, y) - 0.5
        lens = self.lens.scaled(x, y) if self.lens else None
        return replace(self, picture=size, corners=as_corners(corners), lens=lens)


def as_corners(points: object) -> Corners:
    """Four image points, array (4, 2) or a sequence of pairs, as plain numbers."""
    pairs = [(float(x), float(y)) for x, y in np.asarray(points, np.float64).reshape(4, 2)]
    return (pairs[0], pairs[1], pairs[2], pairs[3])
