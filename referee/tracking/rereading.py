"""Cards that are read otherwise than before though no other came: one of the readings is wrong.

A card that lies untouched has not become another. One that was read as it came down, in a hand that moved, may have.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from referee.cards import DECK, FULL_DECK, Card
from referee.readings import BACK, ZoneChange
from referee.table import CENTRES, Zone, ZoneKind
from referee.tracking import costs
from referee.tracking.hands import Hands
from referee.tracking.hypothesis import Deed, Hypothesis
from referee.tracking.learning import renamed
from referee.tracking.sightings import Sighting, card_of

COMES_DOWN: Final = 0.35
"""A card that was read as it moved is read at rest within so long, s."""

MOVING: Final = -4.0
"""The most it costs that a card was taken for another as it moved, where it was not read surely."""

LEFT: Final = 0.1
"""A card is read in its place no longer than this after it has left, s."""

UNSURE: Final = math.log(0.93)
"""A reading that fits no better than this is not sure."""


def is_reread(sighting: Sighting) -> bool:
    """Whether a change tells only of the same card, put straight or read anew."""
    return sighting.change.moved and sighting.best < BACK


def is_still_there(change: ZoneChange) -> bool:
    """Whether a change tells only that a card of a stock pile lies where it lay."""
    before, after = change.before, change.after
    if before is None or not change.moved or after.best >= BACK:
        return False
    return np.array_equal(before.log_probs, after.log_probs)


def still_there(hypothesis: Hypothesis, sighting: Sighting) -> Hypothesis:
    """The hypothesis, less probable if the card is thought to have left that is read in its place."""
    queue = hypothesis.expected_at(sighting.zone)
    gone = bool(queue) and hypothesis.shown(sighting.zone) == sighting.best
    gone = gone and all(one.outcome >= BACK and one.t < sighting.change.t_seen - LEFT for one in queue)
    return hypothesis.plus(costs.STILL_THERE) if gone else hypothesis


def came_down(hypothesis: Hypothesis, sighting: Sighting) -> bool:
    """Whether what a centre pile shows may be the card that was read there just before, as it was still moving."""
    zone = sighting.zone
    if zone.kind is not ZoneKind.CENTRE or sighting.best >= BACK or hypothesis.expected_at(zone):
        return False
    waiting = hypothesis.pending_at(zone)
    if waiting:
        return waiting[-1].best < BACK and _moving(waiting[-1].change, sighting)
    last = _last_there(hypothesis, zone)
    return last is not None and _was_moving(last, zone, sighting)


def named_anew(hypothesis: Hypothesis, sighting: Sighting, hands: Hands) -> Iterator[Hypothesis]:
    """The hypotheses in which the card on top of a zone is another than it was taken for, as it is read now."""
    zone, position = sighting.zone, hypothesis.position
    wrong = card_of(hypothesis.shown(zone))
    if wrong is None:
        return
    free = FULL_DECK & ~position.placed() if zone.seat is None else position.could_hold(zone.seat)
    for outcome in sighting.outcomes:
        card = card_of(outcome)
        if card is None or card is wrong:
            continue
        cost = sighting.fit[outcome] + _before(hands, wrong, card, sighting)
        one = renamed(hypothesis, wrong, card, cost) if card.bit & free else None
        if zone.kind is ZoneKind.CENTRE and position.top(1 - zone.index) is card:
            one = _exchanged(hypothesis, wrong, card, sighting, cost)
        if one is not None:
            yield one


def _exchanged(hypothesis: Hypothesis, wrong: Card, card: Card, sighting: Sighting, cost: float) -> Hypothesis | None:
    """Two cards came down at once, and each was read over the other's pile: it is the other way round."""
    other = CENTRES[1 - sighting.zone.index]
    last = _last_there(hypothesis, other)
    free = FULL_DECK & ~hypothesis.position.placed()
    if last is None or last.action.card is not card or not _was_moving(last, other, sighting) or not free:
        return None
    meanwhile = next(one for one in DECK if one.bit & free)
    steps = ((card, meanwhile, cost + MOVING / 2), (wrong, card, 0.0), (meanwhile, wrong, 0.0))
    after: Hypothesis | None = hypothesis
    for old, new, extra in steps:
        after = None if after is None else renamed(after, old, new, extra)
    return after


def _last_there(hypothesis: Hypothesis, zone: Zone) -> Deed | None:
    last = next((deed for deed in reversed(hypothesis.deeds) if deed.touches(zone)), None)
    return last if last is not None and last.action.target is zone else None


def _was_moving(deed: Deed, zone: Zone, now: Sighting) -> bool:
    return any(isinstance(one, ZoneChange) and one.zone is zone and _moving(one, now) for one in deed.span.evidence)


def _moving(before: ZoneChange, now: Sighting) -> bool:
    """Whether what was told before may have been in a hand that moved."""
    return not before.settled and 0.0 < now.change.t_seen - before.t_seen <= COMES_DOWN


def put_in_place(hypothesis: Hypothesis, last: Sighting, sighting: Sighting) -> Hypothesis:
    """The hypothesis in which what waits to be explained in a zone is what is read there now, as it came then."""
    cost = _against(last, last.best, sighting.best, sighting)
    as_now = replace(sighting, number=last.number, t=last.t)
    pending = tuple(as_now if one is last else one for one in hypothesis.pending)
    return replace(hypothesis, pending=pending, score=hypothesis.score + cost)


def _before(hands: Hands, wrong: Card, card: Card, now: Sighting) -> float:
    """What it costs that what was read as ``wrong`` before ``now``, wherever it lay, is ``card``."""
    readings = [one for one in hands.read.get(wrong.code, ()) if abs(one.number) != abs(now.number)]
    return sum(_against(one, wrong.code, card.code, now) for one in readings)


def _against(before: Sighting, wrong: int, card: int, now: Sighting) -> float:
    """What one reading as ``wrong`` says against that having been ``card``; little if it was unsure and in motion."""
    cost = before.fit[card] - before.fit[wrong]
    return max(cost, MOVING) if _moving(before.change, now) and before.fit[wrong] < UNSURE else cost
