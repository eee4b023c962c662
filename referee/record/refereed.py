"""What was said of a game, with the position before and after: from a result file or from a journal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from referee.errors import UserError
from referee.record.entries import Header
from referee.record.journal import Journal
from referee.rules.actions import Action, Kind
from referee.rules.contract import read_event, read_events
from referee.rules.record import GameRecord, RecordError, Replayed, replay
from referee.rules.settings import parse_overrides

Event: TypeAlias = Mapping[str, Any]

MAX_BYTES: Final = 20_000_000

_TOLD: Final = frozenset(
    {*(kind.value for kind in Kind), "stalemate", "round_over", "game_over", "disturbed"},
)
"""The events that a game's course follows from. Files may hold others, on the referee's own doings."""


@dataclass(frozen=True, slots=True)
class Said:
    """A ruling as it was given.

    Attributes:
        event: as in the result file.
        action: what was ruled upon.
        t: first touch as told, s.
        t_from, t_to: the interval that holds it, s; both ``t`` where no interval was told.
    """

    event: Event
    action: Action
    t: float
    t_from: float
    t_to: float

    @property
    def exact(self) -> bool:
        """Whether the instant was told without an interval, as truth files tell it."""
        return self.t_from == self.t_to


@dataclass(frozen=True, slots=True)
class Refereed:
    """A game as it was refereed.

    Attributes:
        header: of the result file.
        names: what seats A and B are called.
        said: every ruling, in the order in which they were given.
        replayed: the same actions with the positions before and after, as far as the law can follow them; None for
            those it cannot.
        lost: why the law could not follow any further, as a clause; empty where it could.
    """

    header: Event
    names: tuple[str, str]
    said: tuple[Said, ...]
    replayed: tuple[Replayed | None, ...]
    lost: str

    def nearest(self, t: float) -> int:
        """Number of the ruling whose first touch is nearest to ``t`` s.

        Raises:
            UserError: nothing was ruled upon.
        """
        if not self.said:
            raise UserError("there is no ruling in this game: nothing was played, or nothing of it was seen")
        return min(range(len(self.said)), key=lambda number: _distance(self.said[number], t))


def read_result(path: Path) -> Refereed:
    """Read a result or truth file.

    Raises:
        UserError: it cannot be read; says which line is wrong.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UserError(f"{path} is too big for the rulings of a game")
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UserError(f"{path} holds no rulings: it is not text") from None
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None
    return _refereed(text.splitlines(), str(path))


def read_game(journal: Journal, where: str) -> Refereed:
    """What a journal says of its game; ``where`` names it in errors.

    Raises:
        UserError: an event in it is wrong.
    """
    rows = [json.dumps(_contract_header(journal.header))]
    rows += [json.dumps(dict(ruled.event)) for ruled in journal.events()]
    return _refereed(rows, where)


def _contract_header(header: Header) -> dict[str, Any]:
    preset, *settings = header.rules.split(",")
    a, b = header.names
    return {
        "kind": "header",
        "version": 1,
        "ruleset": preset,
        "overrides": parse_overrides(settings),
        "names": {"A": a, "B": b},
        "table": header.table,
    }


def _refereed(rows: Iterable[str], where: str) -> Refereed:
    # What is left out leaves an empty line, so that errors name the right one.
    kept = [row if _is_told(row) else "" for row in rows]
    try:
        record = read_events("\n".join(kept))
    except RecordError as error:
        raise UserError(f"{where}: {error}") from None
    rulings = {line.number: json.loads(kept[line.number - 1]) for line in record.lines}
    replayed, lost = _followed(record)
    said: list[Said] = []
    followed: list[Replayed | None] = []
    for place, line in enumerate(record.lines):
        event = rulings[line.number]
        if line.action.kind is Kind.DEAL or line.action.t is None or "verdict" not in event:
            continue
        said.append(_said(event))
        followed.append(replayed[place] if place < len(replayed) else None)
    header = next(json.loads(row) for row in kept if row)
    return Refereed(header, record.names, tuple(said), tuple(followed), lost)


def _is_told(row: str) -> bool:
    try:
        line = json.loads(row)
    except json.JSONDecodeError:
        return True
    return not (isinstance(line, dict) and line.get("kind") == "event" and line.get("action") not in _TOLD)


def _followed(record: GameRecord) -> tuple[list[Replayed], str]:
    replayed: list[Replayed] = []
    try:
        # One by one, for what came before the impossible counts.
        for done in replay(record):
            replayed.append(done)
    except RecordError as error:
        return replayed, str(error)
    return replayed, ""


def _said(event: Event) -> Said:
    action = read_event(event)
    assert action is not None
    t = action.t
    assert t is not None
    t_from, t_to = event.get("t_from", t), event.get("t_to", t)
    if not (isinstance(t_from, int | float) and isinstance(t_to, int | float)):
        t_from = t_to = t
    return Said(event, action, t, float(t_from), float(t_to))


def _distance(said: Said, t: float) -> float:
    return max(said.t_from - t, t - said.t_to, 0.0) if not said.exact else abs(said.t - t)
