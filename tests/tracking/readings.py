"""Readings, changes and hands made by hand."""

from __future__ import annotations

import numpy as np

from referee.cards import Card
from referee.readings import BACK, EMPTY, OUTCOMES, Reach, Reading, Sight, ZoneChange
from referee.table import Seat, Zone


def reading(shows: str, sure: float = 0.99, instead: str = "") -> Reading:
    """A reading of a card, ``back``, ``empty``, ``unknown`` or ``hidden``, with what it may be instead."""
    if shows in ("hidden", "unknown"):
        chances = np.full(OUTCOMES, 1 / OUTCOMES)
        hidden = shows == "hidden"
        return Reading(Sight.HIDDEN if hidden else Sight.UNKNOWN, _logs(chances), 0.99 if hidden else 0.0, None, None)
    chances = np.full(OUTCOMES, (1 - sure) / 10 / OUTCOMES)
    place = _place(shows)
    chances[place] = sure
    if instead:
        chances[_place(instead)] = 1 - sure
    state = Sight.CARD if place < BACK else Sight.BACK if place == BACK else Sight.EMPTY
    return Reading(state, _logs(chances), 0.0, None, None)


def _logs(chances: np.ndarray) -> np.ndarray:
    return np.asarray(np.log(chances / chances.sum()), np.float32)


def _place(shows: str) -> int:
    return {"back": BACK, "empty": EMPTY}.get(shows, -1) if shows in ("back", "empty") else Card(shows).code


def change(
    zone: str, shows: str | Reading, t: float, *, told: float | None = None, arms: str = "", moved: bool = False
) -> ZoneChange:
    """A zone shows something from ``t`` on; ``arms`` names the seats whose arms were there."""
    after = reading(shows) if isinstance(shows, str) else shows
    there = (0.9 * ("A" in arms), 0.9 * ("B" in arms))
    seen = t + 0.12 if told is None else told
    return ZoneChange(Zone(zone), None, after, (), t - 0.017, t + 0.017, seen, (0, 1), moved, there, True)


def reach(seat: str, zone: str, t: float, until: float, *, flat: bool = False) -> Reach:
    """A hand over a zone, or lying ``flat`` on a centre pile."""
    return Reach(Seat[seat], Zone(zone), t - 0.017, t + 0.017, until, (0, 1), 0.95, flat)
