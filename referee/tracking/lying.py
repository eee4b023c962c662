"""Readings in a row that show one place's top lying still, put together."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from referee.readings import BACK, EMPTY, LogProbs, Pose, Reading, Sight, ZoneReading

STILL_MM: Final = 4.0
"""A card that lies still is read within this of one place, mm."""

STILL_DEGREES: Final = 8.0
"""The same for its turn."""

SURE: Final = 0.8
"""What lies still is told at once if it is at least so probable."""

RECENT: Final = 8
"""So many readings, the last ones, are put together."""

INDEPENDENCE: Final = 0.4
"""What a further reading of the same still card is worth beside the first: mistakes repeat themselves."""

MOST: Final = 2.5
"""No number of such readings is worth more than so many independent ones."""

CONTRADICTED: Final = 0.1
"""A reading that gives this or less to what was read before a disturbance shows something else."""


@dataclass(slots=True)
class Lying:
    """Readings in a row that show one place's top lying still, the last ones with how clear of arms the place was."""

    first: ZoneReading
    readings: deque[tuple[ZoneReading, float]]
    told: bool = False
    known: bool = False
    """Whether what lies there has been told before, from these readings or others of it."""

    @classmethod
    def begin(cls, reading: ZoneReading, clear: float) -> Self:
        return cls(reading, deque([(reading, clear)], RECENT))

    @property
    def last(self) -> ZoneReading:
        return self.readings[-1][0]

    @property
    def begun(self) -> float:
        return self.first.t

    def add(self, reading: ZoneReading, clear: float) -> None:
        self.readings.append((reading, clear))
        self.told = False

    def combined(self) -> Reading:
        """The last readings taken together."""
        weights = np.array([max(free * (1.0 - one.reading.hidden), 0.05) for one, free in self.readings])
        logs = np.stack([one.reading.log_probs for one, _ in self.readings]).astype(np.float64)
        worth = min(1.0 + INDEPENDENCE * (len(weights) - 1), MOST)
        summed = worth * (weights @ logs) / weights.sum()
        summed -= summed.max()
        probs: LogProbs = np.asarray(summed - np.log(np.exp(summed).sum()), np.float32)
        best = int(probs.argmax())
        state = Sight.EMPTY if best == EMPTY else Sight.BACK if best == BACK else Sight.CARD
        clearest = self.readings[int(weights.argmax())][0].reading
        return Reading(state, probs, clearest.hidden, clearest.box, clearest.pose)

    def goes_on_with(self, reading: ZoneReading, disturbed: bool) -> bool:
        """Whether ``reading`` shows the same thing in the same place, ``disturbed`` or not since the last one."""
        if not _same_place(self.last.pose, reading.pose):
            return False
        before, now = self.combined(), np.exp(reading.reading.log_probs)
        kinds = {_kind(np.exp(before.log_probs)), _kind(now)} - {None}
        return len(kinds) < 2 and not (disturbed and now[before.best] <= CONTRADICTED)


def _kind(probs: npt.NDArray[np.float32]) -> Sight | None:
    """Whether a face, a back or nothing shows, if that is fairly sure."""
    kinds = {Sight.CARD: probs[:BACK].sum(), Sight.BACK: probs[BACK], Sight.EMPTY: probs[EMPTY]}
    best = max(kinds, key=lambda kind: float(kinds[kind]))
    return best if kinds[best] > SURE else None


def _same_place(one: Pose | None, other: Pose | None) -> bool:
    if one is None or other is None:
        return one is other
    return bool(np.hypot(one.x - other.x, one.y - other.y) <= STILL_MM and turn(one, other) <= STILL_DEGREES)


def turn(one: Pose, other: Pose) -> float:
    """By how much two cards are turned against each other, degrees."""
    return abs((one.angle - other.angle + 90) % 180 - 90)
