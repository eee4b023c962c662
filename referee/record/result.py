"""The result file of a game, from its journal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from referee.errors import UserError
from referee.record.entries import Header
from referee.record.journal import Journal
from referee.rules.settings import parse_overrides, parse_ruleset

RESULT: Final = "game.result.jsonl"
"""Name of the result file in a game's folder."""


def result_header(header: Header) -> dict[str, Any]:
    """The first line of the result file of a game with this journal header.

    Raises:
        ValueError: its ruleset is none.
    """
    preset, *settings = str(parse_ruleset(header.rules)).split(",")
    a, b = header.names
    return {
        "kind": "header",
        "version": 1,
        "program": header.program,
        "model": header.model,
        "ruleset": preset,
        "overrides": parse_overrides(settings),
        "names": {"A": a, "B": b},
        "size": list(header.size),
        "table": header.table,
    }


def result_lines(journal: Journal, where: str) -> list[str]:
    """The lines of the result file.

    Args:
        journal: of the game; its events are enough.
        where: names the journal in errors.

    Raises:
        UserError: the journal names a ruleset that there is not.
    """
    try:
        header = result_header(journal.header)
    except ValueError as error:
        raise UserError(f"{where}: {error}") from None
    return [_line(header), *(_line(ruled.event) for ruled in journal.events())]


def write_result(folder: Path, journal: Journal) -> None:
    """Write the result file into a game's folder, whole or not at all.

    Raises:
        UserError: it cannot be written.
    """
    path = folder / RESULT
    part = path.with_name(f".{path.name}.part")
    text = "".join(f"{line}\n" for line in result_lines(journal, str(folder)))
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UserError(f"cannot write {path}: {error.strerror}") from None


def _line(values: Mapping[str, Any]) -> str:
    return json.dumps(dict(values), ensure_ascii=False)
