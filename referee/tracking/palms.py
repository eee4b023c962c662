"""Hands that lie flat on a centre pile: the fingers reach past it, as in a slap, and hold no card over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Final

import numpy as np

from referee.readings import Look, Reach
from referee.table import Seat, Zone, ZoneKind
from referee.tracking.reaches import GONE_AFTER, LEFT
from referee.tracking.touch import CONTRAST, Picture

UNDER: Final = 0.8
"""Share of the pile that lies under the arm whose hand is on it."""

CLEAR: Final = 0.1
"""Share below which no arm is over a pile, and its picture shows what lies there."""

HIDDEN: Final = 0.5
"""Share of the picture that a hand changes: one that lies there and changes less is none."""

LIES: Final = 0.3
"""A hand that lies there for so long has not only gone across, s."""


@dataclass(slots=True)
class _Open:
    """A hand that lies on a pile."""

    reach: Reach
    last: float
    told: bool = False


class Palms:
    """Tells of hands that lie flat on centre piles, twice: with ``t_end`` at infinity when certain, and when they left.

    The far end of such an arm is over no zone at all, so that `Reaches` does not tell of it.
    """

    def __init__(self, zones: Sequence[Zone]) -> None:
        """Watch the centre piles among ``zones``, in the order of the arrays of every look."""
        self._zones = tuple(zones)
        self._piles = np.array([zone.kind is ZoneKind.CENTRE for zone in zones], np.bool_)
        self._bare: dict[int, Picture] = {}
        self._open: dict[tuple[Seat, int], _Open] = {}
        self._before = 0.0

    def push(self, look: Look) -> list[Reach]:
        """What became certain with one frame."""
        for number in (self._piles & (look.covered.max(axis=0) < CLEAR)).nonzero()[0].tolist():
            self._bare[number] = look.pictures[number]
        for seat in Seat:
            under = (self._piles & (look.covered[seat] >= UNDER)).nonzero()[0].tolist()
            # An arm that goes across both piles has its hand beyond them.
            if len(under) == 1 and np.delete(look.hands[seat], under).max(initial=0.0) <= LEFT:
                self._lies(seat, under[0], look)
        told: list[Reach] = []
        for key, one in list(self._open.items()):
            if look.t - one.last > GONE_AFTER:
                del self._open[key]
                told += [replace(one.reach, t_end=one.last)] if one.told else []
            elif not one.told and one.last - one.reach.t_to + 5e-4 >= LIES:
                one.told = True
                told.append(replace(one.reach, frames=(one.reach.frames[0], look.frame)))
        self._before = look.t
        return told

    def finish(self) -> list[Reach]:
        """The hands that are still there when no frame follows, as if they left now."""
        left = [replace(one.reach, t_end=one.last) for one in self._open.values() if one.told]
        self._open.clear()
        return left

    def _lies(self, seat: Seat, number: int, look: Look) -> None:
        bare = self._bare.get(number)
        if bare is None:
            return
        other = np.abs(look.pictures[number].astype(np.int16) - bare) > CONTRAST
        if other.mean() < HIDDEN:
            return
        key = (seat, number)
        if key in self._open:
            self._open[key].last = look.t
        else:
            frames = (look.frame, look.frame)
            reach = Reach(seat, self._zones[number], self._before, look.t, inf, frames, 1.0, flat=True)
            self._open[key] = _Open(reach, look.t)
