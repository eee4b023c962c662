"""What must have been in a zone before the change that is told, or was glimpsed there: changes of their own."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from referee.cards import Card
from referee.readings import BACK, EMPTY, OUTCOMES, Reading, Sight, ZoneReading
from referee.rules.actions import Action, Kind
from referee.table import ZoneKind
from referee.tracking import costs
from referee.tracking.doing import done
from referee.tracking.hands import Hands
from referee.tracking.hypothesis import Hypothesis, span_of
from referee.tracking.sightings import FACE, Sighting, card_of, top, weigh
from referee.tracking.whereabouts import whereabouts

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
    """The loss of the card on top of a stock pile that must have come before another was put or turned up there.

    A card is taken and the next one turned up by the same hand, or put into the gap, so that often nobody sees what
    lies there in between.
    """
    zone, seat, change = sighting.zone, sighting.zone.seat, sighting.change
    if zone.kind is not ZoneKind.STOCK or seat is None or (sighting.best >= BACK and sighting.best != FACE):
        return None
    stock = hypothesis.position.sides[seat].stock
    pile = stock[zone.index] if zone.index < len(stock) else ()
    if not pile or not pile[-1].up or hypothesis.pending_at(zone) or hypothesis.expected_at(zone):
        return None
    card = card_of(sighting.best)
    place = None if card is None else whereabouts(hypothesis.position, card)
    last = max((deed.span.t for deed in hypothesis.deeds if deed.touches(zone)), default=0.0)
    until = change.t_from - _TURNING
    if len(pile) == 1 and place is not None and place[0].kind is ZoneKind.STOCK and place[0].seat is seat:
        if place[0] is zone or place[1]:
            return None
        # The hand that left the gap came there first, before the one that fills it.
        came = hands.comings(seat, zone, last, until)[:1]
        bare, found = _bare(EMPTY), (came[0], came[0]) if came else None
    elif len(pile) > 1 and not pile[-2].up and place is None:
        hand = hands.idle(seat, zone, last, until, hypothesis)
        bare, found = _bare(BACK), None if hand is None else (hand.t_from, min(hand.t_to, change.t_from))
    else:
        return None
    t_to = max(0.0, until if found is None else found[1])
    t_from = max(0.0, min(t_to, t_to - _TAKING if found is None else found[0]))
    seen = replace(change, after=bare, glimpses=(), t_from=t_from, t_to=t_to, moved=False)
    return Sighting(-sighting.number, seen, *weigh(bare), (t_from + t_to) / 2)


@cache
def _bare(outcome: int) -> Reading:
    """A certain reading of a back, or of nothing."""
    chances = np.full(OUTCOMES, 1e-6)
    chances[outcome] = 1.0
    state = Sight.BACK if outcome == BACK else Sight.EMPTY
    return Reading(state, np.asarray(np.log(chances / chances.sum()), np.float32), 0.0, None, None)


_TURNING = 0.15
"""A card is turned up so long after the one above it has gone at the least, s."""

_TAKING = 0.7
"""A card whose going nobody saw has gone within so long, s."""
