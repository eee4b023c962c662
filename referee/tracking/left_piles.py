"""Hands that left a centre pile: what they did is known once the pile is seen again, or something lies over it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from math import inf
from typing import Final

import numpy as np

from referee.readings import Reach
from referee.table import Zone, ZoneKind
from referee.tracking.looks import Look
from referee.tracking.touch import CONTRAST, Picture

SEEN_AGAIN: Final = 0.6
"""A pile that no longer looks as it did and cannot be read so long after a hand has left has something over it, s."""

ALIKE: Final = 0.12
"""Share of a pile's picture that may differ while it still looks as it did."""

QUIET: Final = 0.02
"""Share of a pile's picture that moves at rest, at most."""

DOUBTED: Final = 0.5
"""The certainty that is left of a hand that put a cup there: nobody's who slaps a pile."""


class LeftPiles:
    """Holds back that a hand has left a centre pile until it is known what it left there."""

    def __init__(self, zones: Collection[Zone]) -> None:
        """Watch the centre piles among ``zones``, in the order of the arrays of every look."""
        self._numbers = {zone: number for number, zone in enumerate(zones) if zone.kind is ZoneKind.CENTRE}
        self._held: list[Reach] = []

    def push(
        self, look: Look, reaches: list[Reach], read: Collection[Zone], rests: Mapping[Zone, Picture | None]
    ) -> list[Reach]:
        """The hands that may be told of with this frame.

        Args:
            look: what the frame shows.
            reaches: hands that were told of with it.
            read: zones in which something was read in this frame.
            rests: what each zone looked like at rest, before.
        """
        told = [one for one in reaches if one.t_end == inf or one.zone not in self._numbers]
        self._held += [one for one in reaches if one.t_end < inf and one.zone in self._numbers]
        held = []
        for one in self._held:
            number, rest = self._numbers[one.zone], rests[one.zone]
            moves = bool(look.moved[number] > QUIET)
            if one.zone in read or rest is None or (not moves and _differs(look.pictures[number], rest) < ALIKE):
                told.append(one)
            elif look.t - one.t_end > SEEN_AGAIN:
                told.append(replace(one, certainty=min(one.certainty, DOUBTED)))
            else:
                held.append(one)
        self._held = held
        return told

    def finish(self) -> list[Reach]:
        """The hands that are still held back when no frame follows."""
        held, self._held = self._held, []
        return held


def _differs(picture: Picture, rest: Picture) -> float:
    return float((np.abs(picture.astype(np.int16) - rest) > CONTRAST).mean())
