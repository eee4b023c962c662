"""Truth and result files as events that can be held against each other."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.errors import UserError


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a truth or result file.

    Attributes:
        action: its kind, ``play``, ``stalemate`` and so on.
        t: when, s.
        what: the other parts by which two events are the same: seat, card, from, to, at, pile, winner.
        verdict: ``legal``, ``illegal``, ``undecided``; empty where there is none.
        reason: why it is illegal.
        t_from, t_to: the interval in which first touch lies, s; both ``t`` where the file gives none.
        t_said: when the ruling was committed, s of the footage.
    """

    action: str
    t: float
    what: Mapping[str, str]
    verdict: str
    reason: str
    t_from: float
    t_to: float
    t_said: float | None

    @property
    def seat(self) -> str:
        """Who did it, ``A`` or ``B``; empty for nobody."""
        return self.what.get("seat", "")

    def key(self, *, card: bool = True) -> tuple[str, ...]:
        """What two events that are the same share, with or without the card."""
        return (self.action, *(f"{name}={value}" for name, value in self.what.items() if card or name != "card"))


@dataclass(frozen=True, slots=True)
class EventFile:
    """A truth or result file.

    Attributes:
        header: its first line.
        events: the others, in order of time.
    """

    header: Mapping[str, Any]
    events: tuple[Event, ...]

    @property
    def frame_period(self) -> float:
        """Seconds from one frame to the next; a thirtieth where the header does not say."""
        fps = self.header.get("fps")
        return 1 / fps if isinstance(fps, int | float) and not isinstance(fps, bool) and fps > 0 else 1 / 30


_IDENTITY = ("seat", "card", "from", "to", "at", "pile")


def read_event_file(path: Path) -> EventFile:
    """Read a truth or result file; a UserError names the line that is wrong."""
    try:
        rows = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{path} is no file of events: it is not text") from None
    header: Mapping[str, Any] | None = None
    events: list[Event] = []
    for number, row in enumerate(rows, start=1):
        if not row.strip():
            continue
        try:
            line = json.loads(row)
        except (json.JSONDecodeError, RecursionError):
            raise UserError(f"{path}, line {number}: this is not JSON; the file may be cut short") from None
        kind = line.get("kind") if isinstance(line, dict) else None
        if kind == "header":
            header = line
        elif kind == "event":
            events.append(_event(line, f"{path}, line {number}"))
    if header is None:
        raise UserError(f'{path} is no file of events: its first line is not a header, {{"kind":"header",…}}')
    return EventFile(header, tuple(sorted(events, key=lambda event: event.t)))


def _event(line: Mapping[str, Any], where: str) -> Event:
    action, t = line.get("action"), _seconds(line.get("t"))
    if not isinstance(action, str) or t is None:
        raise UserError(f"{where}: an event has an action and a time t in seconds")
    what = {name: str(line[name]) for name in _IDENTITY if name in line}
    if action in ("round_over", "game_over"):
        what["winner"] = str(line.get("winner") or "-")
    t_from, t_to = _seconds(line.get("t_from")), _seconds(line.get("t_to"))
    return Event(
        action,
        t,
        what,
        str(line.get("verdict", "")),
        str(line.get("reason", "")),
        t if t_from is None else t_from,
        t if t_to is None else t_to,
        _seconds(line.get("t_said")),
    )


def _seconds(value: object) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    return None
