"""Layouts of the zones where no picture shows them: by ruleset, for right- and left-handed players, or from a file."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from referee.calibrate.deal.rows import Expected
from referee.calibrate.table_file import boxes_from
from referee.calibrate.toml_lines import key_lines
from referee.errors import UserError
from referee.rules.ruleset import RuleSet
from referee.table import CARD_MM, RESERVES, STOCKS, Box, Seat, TableLayout, Zone, standard_layout

HANDS: Final = ("right", "left")
"""Sides of a player at which the reserve can lie."""


def expected_by(rules: RuleSet) -> Expected:
    """What a law lays out on the table."""
    return Expected(len(rules.plan.piles), rules.reserve_place == "table", rules.plan.piles)


def layout_for(
    expected: Expected,
    size: tuple[float, float],
    card_width: float = CARD_MM[0],
    reserves: tuple[str, str] = ("right", "right"),
) -> TableLayout:
    """The standard layout of a table of ``size`` (width, height, mm), with each reserve at that hand of its player.

    Raises:
        UserError: it does not fit the table.
    """
    try:
        layout = standard_layout(
            expected.stock,
            reserves=expected.reserve,
            width=size[0],
            height=size[1],
            card=(card_width, CARD_MM[1]),
        )
    except ValueError as error:
        raise UserError(f"{error}: give a larger --size, or the places of the zones with --zones") from None
    boxes = dict(layout.boxes)
    for seat, side in zip(Seat, reserves, strict=True):
        if side == "left" and expected.reserve:
            boxes |= _left_handed(layout, seat, expected.stock)
    return TableLayout(layout.width, layout.height, boxes)


def _left_handed(layout: TableLayout, seat: Seat, stock: int) -> dict[Zone, Box]:
    """One seat's row with the reserve at the other end; stock piles are still counted from the player's left."""
    row = [*STOCKS[seat][:stock], RESERVES[seat]]
    places = [layout.boxes[zone] for zone in row]
    mirrored = [Box(layout.width - box.x, box.y, box.width, box.height, box.angle) for box in reversed(places)]
    return dict(zip([row[-1], *row[:-1]], mirrored, strict=True))


def read_zones(path: Path) -> tuple[dict[Zone, Box], tuple[float, float] | None]:
    """The zones in a file, and the size of its table where it says one.

    Args:
        path: a truth or result file of footage (its first line is the header), a table file, or any TOML or JSON
            file with ``zones``: centre x, centre y, width, height in mm and degrees clockwise, by zone name.

    Raises:
        UserError: the file has no zones, or they cannot be.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise UserError(f"cannot read the zones in {path}: {why}") from None
    values, lines = _parsed(path, text)
    zones = values.get("zones")
    if not isinstance(zones, dict):
        raise UserError(f"{path} has no zones: it needs a section zones, as the header of a truth file has it")
    size = values.get("table_mm", values.get("table"))
    boxes = boxes_from(zones, str(path), lines)
    fits = isinstance(size, list) and len(size) == 2 and all(isinstance(one, int | float) for one in size)
    return boxes, (float(size[0]), float(size[1])) if fits and size is not None else None


def _parsed(path: Path, text: str) -> tuple[Mapping[str, Any], Mapping[str, int]]:
    try:
        if path.suffix == ".toml":
            return tomllib.loads(text), key_lines(text)
        first = text.lstrip().partition("\n")[0]
        values = json.loads(first if path.suffix == ".jsonl" else text)
    except (json.JSONDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise UserError(f"{path} is neither a truth file nor TOML nor JSON with zones: {error}") from None
    return (values, {}) if isinstance(values, dict) else ({}, {})
