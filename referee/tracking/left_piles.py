"""Hands that left a centre pile: what they did is known once the pile is seen again, or something lies over it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from math import inf
from typing import Final

import numpy as np

from referee.readings import Look, Reach
from referee.table import Zone, ZoneKind
from referee.tracking.looks import LookBack
from referee.tracking.touch import CONTRAST, Picture

SEEN_AGAIN: Final = 0.6
"""A pile that no longer looks as it did and cannot be read so long after a hand has left has something over it, s."""

ALIKE: Final = 0.12
"""Share of a pile's picture that may differ while it still looks as it did."""

QUIET: Final = 0.02
"""Share of a pile's picture that moves at rest, at most."""

PASSED: Final = 0.1
"""Of a hand that put something there no more is certain than that it came: it is told as if it stayed so long, s."""


class LeftPiles:
    """Holds back that a hand has left a centre pile until it is known what it left there."""

    def __init__(self, zones: Collection[Zone]) -> None:
        """Watch the centre piles among ``zones``, in the order of the arrays of every look."""
        self._numbers = {zone: number for number, zone in enumerate(zones) if zone.kind is ZoneKind.CENTRE}
        self._held: list[tuple[Reach, Picture]] = []
        self._under: set[Zone] = set()
        self._freed: dict[Zone, float] = {}

    def push(
        self,
        look: Look,
        reaches: list[Reach],
        read: Collection[Zone],
        rests: Mapping[Zone, Picture | None],
        past: LookBack,
    ) -> list[Reach]:
        """The hands that may be told of with this frame.

        Args:
            look: what the frame shows.
            reaches: hands that were told of with it.
            read: zones in which something was read in this frame.
            rests: what each zone looked like at rest, before.
            past: the last looks, this one among them.
        """
        told = [one for one in reaches if one.t_end == inf or one.zone not in self._numbers]
        for zone in self._under.intersection(read):
            self._under.remove(zone)
            self._freed[zone] = look.t
        for one in reaches:
            if one.t_end < inf and one.t_from < self._freed.get(one.zone, -inf):
                # This hand took away what lay over the pile.
                told.append(_passed(one))
            elif one.t_end < inf and one.zone in self._numbers:
                # A pile at rest may have been seen under fingers, so what it was before the hand came counts too.
                self._held.append((one, past.since(one.t_from, self._numbers[one.zone]).pictures[0]))
        held = []
        for one, before in self._held:
            number, rest = self._numbers[one.zone], rests[one.zone]
            now, moves = look.pictures[number], bool(look.moved[number] > QUIET)
            alike = rest is None or min(_differs(now, rest), _differs(now, before)) < ALIKE
            if one.zone in read or (alike and not moves):
                told.append(one)
            elif look.t - one.t_end > SEEN_AGAIN:
                self._under.add(one.zone)
                told.append(_passed(one))
            else:
                held.append((one, before))
        self._held = held
        return told

    def finish(self) -> list[Reach]:
        """The hands that are still held back when no frame follows."""
        held, self._held = self._held, []
        return [one for one, _ in held]


def _passed(reach: Reach) -> Reach:
    return replace(reach, t_end=min(reach.t_end, reach.t_to + PASSED))


def _differs(picture: Picture, rest: Picture) -> float:
    return float((np.abs(picture.astype(np.int16) - rest) > CONTRAST).mean())
