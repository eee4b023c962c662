"""How long a hand takes: for each part of a move the least time a quick player needs and the time an easy one takes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from referee.rules.actions import Action, Kind, Manner
from referee.simulate.motion import Point
from referee.simulate.placement import Place
from referee.table import Zone, ZoneKind


@dataclass(frozen=True, slots=True)
class Span:
    """A duration between hurry and ease, s."""

    least: float
    easy: float

    def at(self, share: float) -> float:
        """``least`` at 0, ``easy`` at 1."""
        return self.least + (self.easy - self.least) * share

    def __add__(self, other: Span) -> Span:
        return Span(self.least + other.least, self.easy + other.easy)


RELEASE = Span(0.025, 0.11)
"""From first touch until the fingers have left the card."""

PINCH = Span(0.02, 0.09)
"""Fingers closing on an edge."""

SWEEP = Span(0.45, 0.75)
"""A pile drawn off the table."""

_UP_TO_A_FAN = 70.0
"""The corner by which a card is drawn out of a fan is so much further away than the fan's foot, mm."""

FROM_ITS_CORNER = 55.0
"""A hand that put down a card from a fan is so much further out on the table than one that held the near edge, mm."""

REST_ON = Span(0.12, 0.5)
"""A hand that covers or claims cards stays so long."""


def reach(distance: float) -> Span:
    """An empty hand going that far, mm; a hurried one peaks below 4.5 m/s.

    Letting go, coming back to the same card and pinching it takes longer than the card needs to lie still.
    """
    return Span(max(0.04 + distance / 4400, distance / 2250), 0.20 + distance / 1000)


def carry(distance: float, *, turned: bool, upright: bool = False) -> Span:
    """A card carried that far, mm.

    Args:
        distance: how far.
        turned: it is turned over on the way, which takes its time.
        upright: it comes from a fan or goes to one, which takes still more.
    """
    span = Span(max(0.045 + distance / 3600, distance / 2100), 0.22 + distance / 900)
    if upright:
        return Span(max(distance / 1500, 0.2), max(span.easy, 0.42))
    return Span(max(span.least, 0.15), max(span.easy, 0.42)) if turned else span


def distance(a: Place, b: Place) -> float:
    """Between two zones, mm."""
    higher = (a.zone.kind is ZoneKind.HAND) != (b.zone.kind is ZoneKind.HAND)
    return math.hypot(a.box.x - b.box.x, a.box.y - b.box.y) + (_UP_TO_A_FAN if higher else 0.0)


def distance_to(point: Point, place: Place) -> float:
    """From a point to a zone, mm across the table."""
    return math.hypot(point[0] - place.box.x, point[1] - place.box.y)


def total(spans: Sequence[Span]) -> Span:
    """All of them, one after the other."""
    return Span(sum(span.least for span in spans), sum(span.easy for span in spans))


def shortest_time(before: Action, after: Action, places: dict[Zone, Place]) -> float:
    """The least time between the touches of two actions made by one hand, s.

    Args:
        before, after: actions of one seat; a call takes no time.
        places: where the zones lie.
    """
    if Kind.CALL in (before.kind, after.kind) or Manner.TWO_HANDS in (before.manner, after.manner):
        return 0.0
    if before.manner is after.manner is Manner.TWO_CARDS and before.target is after.target:
        return 0.0
    if before.target is None or after.target is None:
        return 0.0
    source = after.source or after.target
    gap = distance(places[before.target], places[source])
    if before.source is not None and before.source.kind is ZoneKind.HAND:
        gap += FROM_ITS_CORNER
    spans = [_after(before), reach(gap)]
    if after.kind in (Kind.SLAP, Kind.TOUCH):
        return total(spans).least
    spans.append(PINCH)
    if after.kind is not Kind.CLAIM:
        reserve = ZoneKind.RESERVE in (source.kind, after.target.kind)
        turned = reserve or after.kind is Kind.TURN_UP
        upright = ZoneKind.HAND in (source.kind, after.target.kind)
        spans.append(carry(distance(places[source], places[after.target]), turned=turned, upright=upright))
    return total(spans).least


def _after(action: Action) -> Span:
    if action.kind is Kind.CLAIM:
        return SWEEP
    return REST_ON if action.kind in (Kind.SLAP, Kind.TOUCH) else RELEASE


def redeal_time(packets: int) -> float:
    """The time from the claims to the new layout on the table, s, for players who lay out so many packets each."""
    return SWEEP.easy + 0.75 * packets + 1.6 + 0.62 * packets
