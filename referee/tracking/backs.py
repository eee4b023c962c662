"""How the backs of the deck are read on this table: some look so much like it that they are taken for a bare place.

Reserves and stock piles of several cards are known to show a back; how often a bare place is read there tells what such
a reading is worth elsewhere.
"""

from __future__ import annotations

import math
from typing import Final

from referee.readings import BACK, EMPTY, ZoneChange
from referee.rules.position import Position
from referee.table import Zone, ZoneKind
from referee.tracking.sightings import LAID_OUT

_RESERVE: Final = 2
"""So many cards of a reserve do not go at once: the players spit one."""

_STOCK: Final = 3
"""Nor do so many of a stock pile, the one on top that may have gone among them."""

_DOUBT: Final = 1.0
"""What was seen counts against so much that was not."""


class Backs:
    """Counts how the backs are read that must lie there.

    Attributes:
        missed: share of the backs that are taken for a bare place, 0 until one was, always less than 1.
    """

    def __init__(self) -> None:
        self._read = self._missed = 0.0

    @property
    def missed(self) -> float:
        """See the class."""
        return self._missed / (self._read + self._missed + _DOUBT)

    def learn(self, position: Position, change: ZoneChange) -> None:
        """Take in a change of a place, which showed what ``position`` has there until then.

        Under an arm a place may look bare whatever lies there.
        """
        chance = [math.exp(float(change.after.log_probs[one])) for one in (BACK, EMPTY)]
        at_rest = change.settled and not change.moved and not any(change.arms)
        if at_rest and max(chance) >= 0.5 and _several(position, change.zone):
            self._read += chance[0]
            self._missed += chance[1]


def _several(position: Position, zone: Zone) -> bool:
    """Whether so many cards lie in a place that some do so face down, and go on doing so."""
    if zone.seat is None or position.sides[zone.seat].phase not in LAID_OUT:
        return False
    side = position.sides[zone.seat]
    if zone.kind is ZoneKind.RESERVE:
        return len(side.reserve) >= _RESERVE
    return zone.index < len(side.stock) and len(side.stock[zone.index]) >= _STOCK
