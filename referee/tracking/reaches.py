"""Hands over zones: from which frame to which a hand covered a place, and whose."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Final

import numpy as np

from referee.readings import Look, Reach
from referee.table import Seat, Zone
from referee.tracking.touch import CONTRAST, Picture, Pictures

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

MEETS: Final = 0.1
"""For so long before one arm is taken for the other the other was seen there, s."""

BARE: Final = 0.1
"""Share below which no arm is over a place, and its picture shows what lies there."""

CHANGED: Final = 0.3
"""Share of its picture by which a place looks otherwise once something was put there, or taken away."""

BROUGHT: Final = 0.7
"""How certain it is at the most that a hand was there for the cards, where that may have been a thing."""


@dataclass(slots=True)
class _Open:
    """A hand that is over a zone."""

    reach: Reach
    last: float
    most: float
    free: float
    """How certain it is that this is no part of the arm of the player whose cards lie there, 0..1."""
    before: Picture | None
    """What the other player's place looked like before, where that is known."""
    told: bool = False


class Reaches:
    """Tells when hands come over zones and when they leave.

    A hand that stays is told twice: with its ``t_end`` at infinity once it is certain, and again when it has left;
    seat, zone and ``t_from`` say that it is the same. One that only passes is told when it has left, as half certain.

    Over the other player's cards a hand is the less certain the more of the card lay under that player's own arm as it
    came: where two arms meet nothing tells for sure which is which. Nor is it certain that it was there for the cards
    where the place looks otherwise afterwards, as when a cup was put there or taken away.
    """

    def __init__(self, zones: Sequence[Zone]) -> None:
        """Watch ``zones``, in the order of the arrays of every look."""
        self._zones = tuple(zones)
        self._open: dict[tuple[Seat, int], _Open] = {}
        self._before = 0.0
        self._lately: deque[Look] = deque()
        self._bare: Pictures | None = None
        self._known = np.zeros(len(self._zones), np.bool_)

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
                    self._open[key] = _Open(reach, look.t, share, *self._there(reach, number, look))
        for key, one in list(self._open.items()):
            lasted = one.last - one.reach.t_to + 5e-4
            if look.t - one.last > GONE_AFTER:
                del self._open[key]
                if lasted >= NOTICED:
                    told.append(_ended(one, look.frame, _left_changed(one, key[1], look)))
            elif lasted >= STAYS and not one.told:
                one.told = True
                told.append(replace(one.reach, frames=(one.reach.frames[0], look.frame), certainty=_certainty(one)))
        self._remember(look)
        return told

    def _there(self, reach: Reach, number: int, look: Look) -> tuple[float, Picture | None]:
        """How certain it is that a hand over another's cards is no part of that player's arm, and what lay there."""
        owner = reach.zone.seat
        if owner is None or owner is reach.seat:
            return 1.0, None
        free = 1.0 - max(float(one.covered[owner, number]) for one in (*self._lately, look))
        before = self._bare[number].copy() if self._bare is not None and self._known[number] else None
        return free, before

    def _remember(self, look: Look) -> None:
        """Keep what the next frame is compared with."""
        if self._bare is None:
            self._bare = np.zeros_like(look.pictures)
        bare = look.covered.max(axis=0) < BARE
        self._bare[bare] = look.pictures[bare]
        self._known |= bare
        self._before = look.t
        self._lately.append(look)
        while look.t - self._lately[0].t > MEETS:
            self._lately.popleft()

    def finish(self) -> list[Reach]:
        """The hands that are still there when no frame follows, as if they left now."""
        left = [_ended(one, one.reach.frames[1]) for one in self._open.values() if one.told]
        self._open.clear()
        return left


def _ended(one: _Open, frame: int, changed: bool = False) -> Reach:
    frames = (one.reach.frames[0], max(frame, one.reach.frames[1]))
    certainty = _certainty(one) * (BROUGHT if changed else 1.0)
    return replace(one.reach, t_end=one.last, frames=frames, certainty=certainty)


def _left_changed(one: _Open, number: int, look: Look) -> bool:
    """Whether the other player's place, which is to be seen again, looks otherwise than before the hand came."""
    if one.before is None or look.covered[:, number].max() >= BARE:
        return False
    return float((np.abs(look.pictures[number].astype(np.int16) - one.before) > CONTRAST).mean()) >= CHANGED


def _certainty(one: _Open) -> float:
    lasted = one.last - one.reach.t_to + 5e-4
    return min(one.most / SURE, 1.0) * (1.0 if lasted >= STAYS else 0.5) * one.free
