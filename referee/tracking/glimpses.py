"""What must have been in a zone before the change that is told, or was glimpsed there: changes of their own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee.cards import Card
from referee.readings import BACK, OUTCOMES, Reading, Sight, ZoneReading
from referee.rules.actions import Action, Kind
from referee.table import ZoneKind
from referee.tracking import costs
from referee.tracking.hands import Hands
from referee.tracking.hypothesis import Hypothesis, done, span_of
from referee.tracking.proposals import whereabouts
from referee.tracking.sightings import FACE, Sighting, card_of, top, weigh

_LYING = 0.1
"""What is glimpsed has come there no longer ago than this, s."""


def glimpses(sighting: Sighting) -> list[Sighting]:
    """The glimpses of a change, each as a change to what was glimpsed."""
    return [_as_change(sighting, glimpse) for glimpse in sighting.change.glimpses]


def _as_change(sighting: Sighting, glimpse: ZoneReading) -> Sighting:
    change = sighting.change
    t_from = max(0.0, min(glimpse.t - _LYING, change.t_from))
    seen = replace(change, after=glimpse.reading, glimpses=(), t_from=t_from, t_to=max(glimpse.t, t_from))
    fit, outcomes = weigh(glimpse.reading)
    return Sighting(sighting.number, seen, fit, outcomes, (seen.t_from + seen.t_to) / 2)


def turned_after_all(hypothesis: Hypothesis, glimpse: Sighting) -> Hypothesis | None:
    """The hypothesis in which a card was turned up that has been played, as far as was known, from face down.

    That it was turned up unseen may have been thought already; then it was not unseen.
    """
    zone, card = glimpse.zone, card_of(glimpse.best)
    place = None if card is None else whereabouts(hypothesis.position, card)
    if card is None or place is None or place[0] is zone or zone.kind is not ZoneKind.STOCK:
        return None
    for index, deed in enumerate(hypothesis.deeds):
        if deed.action.kind is Kind.TURN_UP and deed.name[2:5] == (card, None, zone) and not deed.span.evidence:
            return _seen(hypothesis, index, glimpse, card)
        if deed.action.card is card and deed.action.source is zone and top(deed.before, zone) == BACK:
            turned = Action(Kind.TURN_UP, zone.seat, card, None, zone)
            cost = glimpse.fit[card.code] - costs.FROM_FACE_DOWN
            after = done(hypothesis, turned, span_of(glimpse), cost, under=index)
            return None if after is None else replace(after, expected=hypothesis.expected)
    return None


def _seen(hypothesis: Hypothesis, index: int, glimpse: Sighting, card: Card) -> Hypothesis:
    """With a card that was thought to have been turned up unseen glimpsed as it lay there."""
    deed = hypothesis.deeds[index]
    gain = glimpse.fit[card.code] - deed.extra
    span = span_of(glimpse)
    action = deed.action if deed.said is not None else replace(deed.action, t=span.t)
    span = replace(deed.span if deed.said is not None else replace(span, told=deed.span.told), evidence=span.evidence)
    seen = replace(deed, action=action, span=span, cost=deed.cost + gain, extra=glimpse.fit[card.code])
    deeds = (*hypothesis.deeds[:index], seen, *hypothesis.deeds[index + 1 :])
    return replace(hypothesis, deeds=deeds, score=hypothesis.score + gain)


def left_before(hypothesis: Hypothesis, sighting: Sighting, hands: Hands) -> Sighting | None:
    """The loss of the card on top of a stock pile that must have come before another was turned up there.

    A card is taken and the next one turned up by the same hand, so that often nobody sees the back in between.
    """
    zone, seat, change = sighting.zone, sighting.zone.seat, sighting.change
    if zone.kind is not ZoneKind.STOCK or seat is None or (sighting.best >= BACK and sighting.best != FACE):
        return None
    stock = hypothesis.position.sides[seat].stock
    pile = stock[zone.index] if zone.index < len(stock) else ()
    if len(pile) < 2 or not pile[-1].up or pile[-2].up or hypothesis.pending_at(zone) or hypothesis.expected_at(zone):
        return None
    card = card_of(sighting.best)
    if card is not None and whereabouts(hypothesis.position, card) is not None:
        return None
    last = max((deed.span.t for deed in hypothesis.deeds if deed.touches(zone)), default=0.0)
    hand = hands.idle(seat, zone, last, change.t_from - _TURNING, hypothesis)
    t_to = max(0.0, change.t_from - _TURNING if hand is None else min(hand.t_to, change.t_from))
    t_from = max(0.0, min(t_to, t_to - _TAKING if hand is None else hand.t_from))
    back = replace(change, after=_BARE_BACK, glimpses=(), t_from=t_from, t_to=t_to, moved=False)
    return Sighting(-sighting.number, back, *weigh(_BARE_BACK), (t_from + t_to) / 2)


def _certain(outcome: int) -> Reading:
    chances = np.full(OUTCOMES, 1e-6)
    chances[outcome] = 1.0
    return Reading(Sight.BACK, np.asarray(np.log(chances / chances.sum()), np.float32), 0.0, None, None)


_BARE_BACK = _certain(BACK)

_TURNING = 0.15
"""A card is turned up so long after the one above it has gone at the least, s."""

_TAKING = 0.7
"""A card whose going nobody saw has gone within so long, s."""
