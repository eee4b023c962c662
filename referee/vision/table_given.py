"""The table as somebody describes it by hand: its corners in the picture, its size, and where the zones lie."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from referee.arguments import parse_corners, parse_size
from referee.errors import UserError
from referee.rules.ruleset import RuleSet
from referee.table import CARD_MM, MAX_STOCK_PILES, Box, TableLayout, Zone, standard_layout
from referee.vision.rectify import TableView

USUAL_MM: Final = (900.0, 600.0)
"""Size of the table rectangle where nobody says another."""

MAX_BYTES: Final = 20_000_000
"""A zones file may be a whole truth file, but no larger than this."""


MOST: Final = 1e9
"""No place or size is as large as this, px or mm."""


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
        zones: a file with zones: a truth or result file, or JSON or TOML with the names that its header uses.

    Raises:
        UserError: something is missing or wrong; the sentence says what to give.
    """
    given = {} if zones is None else read_zones_file(zones)
    if corners is not None:
        given["corners_px"] = parse_corners(corners)
    if size is not None:
        given["table_mm"] = parse_size(size)
    if "corners_px" not in given:
        raise UserError(
            "the referee has to know where the table lies in the picture: give --corners with its four corners"
            + ("" if zones is None else f", because {zones} has no corners_px")
        )
    width, height = given.get("table_mm", USUAL_MM)
    if "zones" in given:
        layout = TableLayout(width, height, given["zones"])
    else:
        try:
            reserves = rules.reserve_place == "table"
            layout = standard_layout(MAX_STOCK_PILES, reserves=reserves, width=width, height=height, card=CARD_MM)
        except ValueError as error:
            raise UserError(f"{error}: describe the zones in a file and give it with --zones") from None
    table = GivenTable(layout, tuple(given["corners_px"]))
    table.view()
    return table


def read_zones_file(path: Path) -> dict[str, Any]:
    """What a zones file says: ``zones`` as boxes, and ``corners_px`` and ``table_mm`` if it has them."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UserError(f"{path} is too big for a file of zones")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{path} is no file of zones: it is not text") from None
    said = _parsed(path, text)
    found: dict[str, Any] = {}
    try:
        if "corners_px" in said:
            found["corners_px"] = tuple(_numbers(corner, 2) for corner in said["corners_px"])
            if len(found["corners_px"]) != 4:
                raise ValueError("corners_px has to be four points")
        if "table_mm" in said:
            found["table_mm"] = _numbers(said["table_mm"], 2)
        zones = said["zones"]
        if not isinstance(zones, Mapping) or not zones:
            raise ValueError("zones has to name at least one zone")
        found["zones"] = {Zone(name): Box(*_numbers(box, 5)) for name, box in zones.items()}
    except KeyError:
        raise UserError(f"{path} is no file of zones: it says nothing of zones") from None
    except (TypeError, ValueError) as error:
        raise UserError(f"{path}: {error}") from None
    return found


def _parsed(path: Path, text: str) -> Mapping[str, Any]:
    try:
        if path.suffix == ".toml":
            return tomllib.loads(text)
        # Of a truth or result file only the header counts, its first line.
        said = json.loads(text.split("\n", 1)[0] if path.suffix == ".jsonl" else text)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path} is neither JSON nor TOML with zones: {error}") from None
    if not isinstance(said, Mapping):
        raise UserError(f"{path} is no file of zones: it has to be an object with zones")
    return said


def _numbers(value: object, count: int) -> tuple[float, ...]:
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == count:
        numbers = tuple(one for one in value if isinstance(one, int | float) and not isinstance(one, bool))
        if len(numbers) == count and all(abs(one) < MOST for one in numbers):
            return tuple(map(float, numbers))
    raise ValueError(f"{str(value)[:60]} has to be {count} numbers")
