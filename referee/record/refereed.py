"""What was said of a game, with the position before and after: from a result file or from a journal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
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
        record: the game.
        places: for each ruling the number of its action in the record.
    """

    header: Event
    names: tuple[str, str]
    said: tuple[Said, ...]
    record: GameRecord
    places: tuple[int, ...]

    def followed(self, number: int) -> Followed | str:
        """What the law says of the action of a ruling.

        It is judged in the position that was told with the ruling, or else in the one that follows from all that was
        said before; a sentence where neither gives one.
        """
        said, place = self.said[number], self.places[number]
        known = _in_position(said.event, said.action)
        if known is not None:
            return known
        try:
            done = next(islice(replay(self.record), place, None))
        except RecordError as error:
            return str(error)
        return Followed(done.before, done.ruling, done.after, done.happenings)

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
    kept, events, first = _corrected(list(rows))
    try:
        record = read_events("\n".join(kept))
    except RecordError as error:
        raise UserError(f"{where}: {error}") from None
    said: list[Said] = []
    places: list[int] = []
    for place, line in enumerate(record.lines):
        event = events[line.number - 1]
        if line.action.kind is not Kind.DEAL and line.action.t is not None and "verdict" in event:
            said.append(_said(event, line.action, line.action.t, first.get(line.number - 1)))
            places.append(place)
    header = next(event for event in events.values() if event.get("kind") == "header")
    return Refereed(header, record.names, tuple(said), record, tuple(places))


def _corrected(rows: list[str]) -> tuple[list[str], dict[int, Event], dict[int, Event]]:
    """The rows with every correction in the place of what it corrects, them as objects, and what stood there first.

    A row that is moved or taken back leaves an empty one, so that errors name the right line.
    """
    events: dict[int, Event] = {}
    places: dict[int, int] = {}
    first: dict[int, Event] = {}
    for place, row in enumerate(rows):
        try:
            event = json.loads(row)
        except (json.JSONDecodeError, RecursionError):
            continue
        if not isinstance(event, dict):
            continue
        corrected = places.get(event.get("corrects", -1))
        if corrected is not None:
            first[corrected] = events[corrected]
            rows[place] = ""
            rows[corrected] = "" if event.get("action") == "disturbed" else row
            place = corrected
        events[place] = event
        if isinstance(event.get("number"), int):
            places[event["number"]] = place
    return rows, events, first


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
