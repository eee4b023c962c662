"""Hands over zones: from which frame to which a hand covered a place, and whose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Final

from referee.readings import Look, Reach
from referee.table import Seat, Zone

ENTERED: Final = 0.12
"""Share of a card's place that a hand must cover to be over it."""

LEFT: Final = 0.05
"""Share below which it has left."""

NOTICED: Final = 0.06
"""A hand that is there for less than this is told of nowhere, s: it may be a shadow."""

STAYS: Final = 0.12
"""A hand that is there so long has come to this place, s; a shorter one was on its way to another."""

GONE_AFTER: Final = 0.1
"""A hand is away once it was not seen for so long, s."""

SURE: Final = 0.35
"""Share of a card's place covered from which a hand is no chance resemblance."""


@dataclass(slots=True)
class _Open:
    """A hand that is over a zone."""

    reach: Reach
    last: float
    most: float
    told: bool = False


class Reaches:
    """Tells when hands come over zones and when they leave.

    A hand that stays is told twice: with its ``t_end`` at infinity once it is certain, and again when it has left;
    seat, zone and ``t_from`` say that it is the same. One that only passes is told when it has left, as half certain.
    """

    def __init__(self, zones: Sequence[Zone]) -> None:
        """Watch ``zones``, in the order of the arrays of every look."""
        self._zones = tuple(zones)
        self._open: dict[tuple[Seat, int], _Open] = {}
        self._before = 0.0

    def push(self, look: Look) -> list[Reach]:
        """What became certain with one frame."""
        told: list[Reach] = []
        for seat in Seat:
            for number in (look.hands[seat] > LEFT).nonzero()[0].tolist():
                share = float(look.hands[seat, number])
                key = (seat, number)
                if key in self._open:
                    self._open[key].last = look.t
                    self._open[key].most = max(self._open[key].most, share)
                elif share >= ENTERED:
                    zone = self._zones[number]
                    reach = Reach(seat, zone, self._before, look.t, inf, (look.frame, look.frame), 0.0)
                    self._open[key] = _Open(reach, look.t, share)
        for key, one in list(self._open.items()):
            lasted = one.last - one.reach.t_to + 5e-4
            if look.t - one.last > GONE_AFTER:
                del self._open[key]
                if lasted >= NOTICED:
                    told.append(_ended(one, look.frame))
            elif lasted >= STAYS and not one.told:
                one.told = True
                told.append(replace(one.reach, frames=(one.reach.frames[0], look.frame), certainty=_certainty(one)))
        self._before = look.t
        return told

    def finish(self) -> list[Reach]:
        """The hands that are still there when no frame follows, as if they left now."""
        left = [_ended(one, one.reach.frames[1]) for one in self._open.values() if one.told]
        self._open.clear()
        return left


def _ended(one: _Open, frame: int) -> Reach:
    frames = (one.reach.frames[0], max(frame, one.reach.frames[1]))
    return replace(one.reach, t_end=one.last, frames=frames, certainty=_certainty(one))


def _certainty(one: _Open) -> float:
    lasted = one.last - one.reach.t_to + 5e-4
    return min(one.most / SURE, 1.0) * (1.0 if lasted >= STAYS else 0.5)
