"""What was said of a game, with the position before and after: from a result file or from a journal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from referee.errors import UserError
from referee.record.journal import Journal
from referee.record.result import result_lines
from referee.rules.actions import Action, Kind
from referee.rules.contract import read_events
from referee.rules.moving import Impossible
from referee.rules.position import Position, parse_position
from referee.rules.record import GameRecord, RecordError, replay
from referee.rules.ruling import Ruling
from referee.rules.step import Happening, happenings, step

Event: TypeAlias = Mapping[str, Any]

MAX_BYTES: Final = 20_000_000


@dataclass(frozen=True, slots=True)
class Said:
    """A ruling as it was given.

    Attributes:
        event: as in the result file.
        action: what was ruled upon.
        t: first touch as told, s.
        t_from, t_to: the interval that holds it, s; both ``t`` where no interval was told.
        first: what was said before it was corrected; None where nothing was.
    """

    event: Event
    action: Action
    t: float
    t_from: float
    t_to: float
    first: Event | None

    @property
    def exact(self) -> bool:
        """Whether the instant was told without an interval, as truth files tell it."""
        return self.t_from == self.t_to


@dataclass(frozen=True, slots=True)
class Followed:
    """An action with the positions before and after it, the law's own ruling, and what came about."""

    before: Position
    ruling: Ruling
    after: Position
    happenings: tuple[Happening, ...]


@dataclass(frozen=True, slots=True)
class Refereed:
    """A game as it was refereed.

    Attributes:
        header: of the result file.
        names: what seats A and B are called.
        said: every ruling, in the order in which they were given.
        followed: the same actions as the law judges them, in the position that was told with the ruling, or else in
            the one that follows from all that was said before; None for those that neither gives.
        lost: why the law could not follow all that was said, as a sentence; empty where it could.
    """

    header: Event
    names: tuple[str, str]
    said: tuple[Said, ...]
    followed: tuple[Followed | None, ...]
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
    return _refereed(result_lines(journal, where), where)


def _refereed(rows: Iterable[str], where: str) -> Refereed:
    kept, first = _corrected(list(rows))
    try:
        record = read_events("\n".join(kept))
    except RecordError as error:
        raise UserError(f"{where}: {error}") from None
    replayed, lost = _followed(record)
    said: list[Said] = []
    followed: list[Followed | None] = []
    for place, line in enumerate(record.lines):
        event = json.loads(kept[line.number - 1])
        if line.action.kind is Kind.DEAL or line.action.t is None or "verdict" not in event:
            continue
        said.append(_said(event, line.action, line.action.t, first.get(line.number - 1)))
        known = _in_position(event, line.action)
        followed.append(known or (replayed[place] if place < len(replayed) else None))
    header = next(json.loads(row) for row in kept if row.strip())
    return Refereed(header, record.names, tuple(said), tuple(followed), lost)


def _corrected(rows: list[str]) -> tuple[list[str], dict[int, Event]]:
    """The rows with every correction in the place of what it corrects, and what stood there first.

    A row that is moved or taken back leaves an empty one, so that errors name the right line.
    """
    places: dict[int, int] = {}
    first: dict[int, Event] = {}
    for place, row in enumerate(rows):
        try:
            event = json.loads(row)
        except json.JSONDecodeError:
            continue
        if not isinstance(event, dict) or event.get("kind") != "event":
            continue
        corrected = places.get(event.get("corrects", -1))
        if corrected is not None:
            first[corrected] = json.loads(rows[corrected])
            rows[place] = ""
            rows[corrected] = "" if event.get("action") == "disturbed" else row
            place = corrected
        if isinstance(event.get("number"), int):
            places[event["number"]] = place
    return rows, first


def _followed(record: GameRecord) -> tuple[list[Followed], str]:
    followed: list[Followed] = []
    try:
        # One by one, for what came before the impossible counts.
        for done in replay(record):
            followed.append(Followed(done.before, done.ruling, done.after, done.happenings))
    except RecordError as error:
        return followed, str(error)
    return followed, ""


def _in_position(event: Event, action: Action) -> Followed | None:
    """The action in the position that the referee took it to be in, if the event tells that."""
    told = event.get("position")
    if not isinstance(told, str):
        return None
    try:
        before = parse_position(told)
        done = step(before, action)
    except (ValueError, Impossible):
        return None
    return Followed(before, done.ruling, done.position, happenings(before, done.position))


def _said(event: Event, action: Action, t: float, first: Event | None) -> Said:
    t_from, t_to = event.get("t_from"), event.get("t_to")
    if not (isinstance(t_from, int | float) and isinstance(t_to, int | float)):
        t_from = t_to = t
    return Said(event, action, t, float(t_from), float(t_to), first)


def _distance(said: Said, t: float) -> float:
    return max(said.t_from - t, t - said.t_to, 0.0) if not said.exact else abs(said.t - t)
