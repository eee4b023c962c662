"""The result file of a game, from its journal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from referee.calibrate.table_file import parse_table
from referee.errors import UserError
from referee.files import write_whole
from referee.record.entries import Header
from referee.record.journal import Journal
from referee.rules.settings import parse_ruleset

RESULT: Final = "game.result.jsonl"
"""Name of the result file in a game's folder."""


def result_header(header: Header, where: str) -> dict[str, Any]:
    """The first line of the result file of a game with this journal header; ``where`` names the journal in errors.

    Raises:
        UserError: its ruleset or table is none.
    """
    try:
        rules = parse_ruleset(header.rules)
    except ValueError as error:
        raise UserError(f"{where}: {error}") from None
    table = parse_table(header.table, f"the table of {where}").for_picture(header.size)
    a, b = header.names
    boxes = table.layout.boxes.items()
    return {
        "kind": "header",
        "version": 1,
        "program": f"spit-referee {header.program}",
        "model": header.model,
        "video": header.source,
        "size": list(header.size),
        "ruleset": rules.preset,
        "overrides": rules.overrides(),
        "names": {"A": a, "B": b},
        "table_mm": [table.layout.width, table.layout.height],
        "corners_px": [list(corner) for corner in table.corners],
        "zones": {zone.name: [box.x, box.y, box.width, box.height, box.angle] for zone, box in boxes},
    }


def result_lines(journal: Journal, where: str) -> list[str]:
    """The lines of the result file.

    Args:
        journal: of the game; its events are enough.
        where: names the journal in errors.

    Raises:
        UserError: the journal's ruleset or table is none.
    """
    header = result_header(journal.header, where)
    return [write_line(header), *(write_line(ruled.event) for ruled in journal.events())]


def write_result(folder: Path, journal: Journal) -> None:
    """Write the result file into a game's folder, whole or not at all.

    Raises:
        UserError: it cannot be written.
    """
    write_whole(folder / RESULT, "".join(f"{line}\n" for line in result_lines(journal, str(folder))))


def write_line(values: Mapping[str, Any]) -> str:
    """A header or an event as a line of a result file, without its end."""
    return json.dumps(dict(values), ensure_ascii=False)
