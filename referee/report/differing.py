"""How two refereeings of one game differ, ruling by ruling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

Event: TypeAlias = Mapping[str, Any]
"""A line of a result file."""

NEAR_S: Final = 1.0
"""The same action further apart in time is done twice."""

_STATES: Final = ("stalemate", "round_over", "game_over")

_DONE: Final = ("action", "seat", "card", "from", "to", "at", "word", "winner")
"""The fields that say what was done; the others say when, and what was thought of it."""

_RULED: Final = ("verdict", "reason", "correction")


@dataclass(frozen=True, slots=True)
class Difference:
    """A ruling that is not the same in both; ``before`` or ``after`` is None where only the other has it."""

    before: Event | None
    after: Event | None

    @property
    def t(self) -> float:
        """When it was, s."""
        told = self.before or self.after
        assert told is not None
        return float(told["t"])


def differences(first: Iterable[Event], second: Iterable[Event]) -> list[Difference]:
    """What of the events of two result files is not the same, in order of time."""
    waiting = standing(second)
    found: list[Difference] = []
    for one in standing(first):
        same = [other for other in waiting if _same(one, other, _DONE) and abs(other["t"] - one["t"]) <= NEAR_S]
        if not same:
            found.append(Difference(one, None))
            continue
        other = min(same, key=lambda other: (not _same(one, other, _RULED), abs(other["t"] - one["t"])))
        waiting.remove(other)
        if not _same(one, other, _RULED):
            found.append(Difference(one, other))
    found += [Difference(None, other) for other in waiting]
    return sorted(found, key=lambda difference: difference.t)


def standing(events: Iterable[Event]) -> list[Event]:
    """The rulings and states that hold in the end, each correction in the place of what it corrects."""
    said: dict[object, Event] = {}
    for event in events:
        corrected = event.get("corrects")
        if corrected is None:
            said[event.get("number", len(said))] = event
        elif event.get("action") == "disturbed":
            said.pop(corrected, None)
        else:
            said[corrected] = event
    return [event for event in said.values() if "verdict" in event or event.get("action") in _STATES]


def _same(one: Event, other: Event, fields: tuple[str, ...]) -> bool:
    return all(one.get(field) == other.get(field) for field in fields)
