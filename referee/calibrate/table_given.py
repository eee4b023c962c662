"""The table that somebody gives: kept under a name, or by its corners in the picture, its size and its zones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from referee.arguments import parse_corners, parse_size
from referee.calibrate.tables import load_table
from referee.calibrate.zones_file import read_zones_file
from referee.errors import UserError
from referee.rules.ruleset import RuleSet
from referee.table import CARD_MM, MAX_STOCK_PILES, Box, TableLayout, Zone, standard_layout
from referee.vision.rectify import TableView

USUAL_MM: Final = (900.0, 600.0)
"""Size of the table rectangle where nobody says another."""


@dataclass(frozen=True, slots=True)
class GivenTable:
    """A table and where it lies in the picture.

    Attributes:
        layout: its size and zones, mm.
        corners: image points of the rectangle's top left, top right, bottom right and bottom left corner, px.
        seen: how the camera sees it, where that is known better than from the corners alone.
    """

    layout: TableLayout
    corners: tuple[tuple[float, float], ...]
    seen: TableView | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        # The read-only mapping of a layout cannot be sent to another process.
        layout = self.layout
        return _sent, (layout.width, layout.height, dict(layout.boxes), self.corners, self.seen)

    def view(self) -> TableView:
        """How the camera sees it; a UserError where the corners cannot be those of a table."""
        return self.seen or TableView.from_corners(self.corners, self.layout.width, self.layout.height)

    def described(self) -> dict[str, Any]:
        """The table as the headers of truth and result files write it."""
        boxes = self.layout.boxes.items()
        return {
            "table_mm": [self.layout.width, self.layout.height],
            "corners_px": [list(corner) for corner in self.corners],
            "zones": {zone.name: [box.x, box.y, box.width, box.height, box.angle] for zone, box in boxes},
        }


def _sent(
    width: float,
    height: float,
    boxes: dict[Zone, Box],
    corners: tuple[tuple[float, float], ...],
    seen: TableView | None,
) -> GivenTable:
    return GivenTable(TableLayout(width, height, boxes), corners, seen)


def given_table(
    rules: RuleSet, corners: str | None = None, size: str | None = None, zones: Path | None = None
) -> GivenTable:
    """The table that the command line describes.

    Args:
        rules: the law, which says whether the reserves lie on the table.
        corners: as `referee.arguments.parse_corners` reads them; they go before those of the zones file.
        size: as `referee.arguments.parse_size` reads it; likewise.
        zones: a file with zones, as `read_zones_file` reads it.

    Raises:
        UserError: something is missing or wrong; the sentence says what to give.
    """
    given = None if zones is None else read_zones_file(zones)
    said = None if given is None else given.corners
    there = said if corners is None else parse_corners(corners)
    if there is None:
        raise UserError(
            "the referee has to know where the table lies in the picture: give --corners with its four corners"
            + ("" if zones is None else f", because {zones} has no corners_px")
        )
    usual = USUAL_MM if given is None or given.size is None else given.size
    width, height = usual if size is None else parse_size(size)
    if given is not None:
        layout = TableLayout(width, height, given.boxes)
    else:
        try:
            reserves = rules.reserve_place == "table"
            layout = standard_layout(MAX_STOCK_PILES, reserves=reserves, width=width, height=height, card=CARD_MM)
        except ValueError as error:
            raise UserError(f"{error}: describe the zones in a file and give it with --zones") from None
    table = GivenTable(layout, there)
    table.view()
    return table


def kept_table(name: str, size: tuple[int, int] | None = None) -> GivenTable:
    """The table kept under a name, or in a file, for pictures of ``size`` or those it was calibrated in.

    Raises:
        UserError: there is none, or not for such pictures.
    """
    saved = load_table(name)
    if size is not None:
        saved = saved.for_picture(size)
    return GivenTable(saved.layout, saved.corners, saved.view)
