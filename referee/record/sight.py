"""Where the zones lie in the picture, by what a result file says of its table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from referee.calibrate.saved_table import Corners, as_corners
from referee.calibrate.table_file import boxes_from, parse_table
from referee.errors import UserError
from referee.record.entries import Moved
from referee.record.journal import Journal
from referee.table import Box, TableLayout, Zone
from referee.vision.frames import Image
from referee.vision.rectify import Points, TableView, rectify

WIDE: Final = 1.5
"""A zone is looked at in a square this many times as wide as a crop for reading, to see the hands come."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """How the camera saw the table.

    Attributes:
        view: the homographies.
        boxes: the zones, mm.
    """

    view: TableView
    boxes: Mapping[Zone, Box]

    def outline(self, zone: Zone) -> Points:
        """Corners (4, 2) of a zone in the picture, px."""
        return self.view.to_image(np.array(self.boxes[zone].corners()))

    def closeup(self, image: Image, zone: Zone, side: int) -> Image:
        """A zone and its surroundings from above, uint8 (side, side, 3) BGR, its reading direction up."""
        box = self.boxes[zone]
        # Seen through a view in which the table is that much smaller about the zone, a crop shows as much more of it.
        to_wide = np.array(
            [[1 / WIDE, 0, box.x * (1 - 1 / WIDE)], [0, 1 / WIDE, box.y * (1 - 1 / WIDE)], [0, 0, 1]], np.float64
        )
        from_wide = np.linalg.inv(to_wide)
        view = self.view.at(box)
        wide = TableView(to_wide @ view.image_to_table, view.table_to_image @ from_wide)
        return rectify(image, wide, box, side)


def sights_of(journal: Journal, where: str) -> list[tuple[float, Sight]]:
    """How the camera saw the table of a recorded game: a sight for each place it lay in, with the time from which on.

    Args:
        journal: of the game; its events are enough.
        where: names the journal in errors.

    Raises:
        UserError: its table is none.
    """
    header = journal.header
    table = parse_table(header.table, f"the table of {where}").for_picture(header.size)
    layout = table.layout
    found = [(0.0, Sight(table.view, layout.boxes))]
    for entry in journal.entries:
        if isinstance(entry, Moved):
            found.append((entry.t, Sight(replace(table, corners=entry.corners).view, layout.boxes)))
    return found


def corners_in(view: TableView, layout: TableLayout) -> Corners:
    """Where the corners of the table lie in the picture; ``TableView.from_corners`` makes the view of them again."""
    return as_corners(view.to_image([[0, 0], [layout.width, 0], [layout.width, layout.height], [0, layout.height]]))


def sight_of(header: Mapping[str, Any], where: str) -> Sight | None:
    """The sight that the header of a result file tells; None where it tells none.

    Args:
        header: with ``table_mm``, ``corners_px`` and ``zones``.
        where: names the file in errors.

    Raises:
        UserError: what it tells cannot be.
    """
    if not all(name in header for name in ("table_mm", "corners_px", "zones")):
        return None
    try:
        width, height = header["table_mm"]
        view = TableView.from_corners(header["corners_px"], float(width), float(height))
        return Sight(view, boxes_from(header["zones"], where))
    except (TypeError, ValueError) as error:
        raise UserError(f"the header of {where} does not say where the table lies: {error}") from None
