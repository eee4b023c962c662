"""Readings that were wrong: hypotheses in which a card is another than it was taken for, and what is then seen."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from referee.cards import DECK, FULL_DECK, UNKNOWN, Card
from referee.readings import BACK
from referee.table import Zone, ZoneKind
from referee.tracking import costs
from referee.tracking.covered import leaving
from referee.tracking.hands import Hands
from referee.tracking.hypothesis import Hypothesis
from referee.tracking.learning import renamed
from referee.tracking.sightings import FACE, Sighting, alike, card_of
from referee.tracking.whereabouts import whereabouts

_CLEAR: Final = 0.5
"""A card that was misread is named anew if one is so likely among all it may be."""

Account = tuple[Hypothesis, Sighting]
"""A hypothesis with a card put right, and the change as it is then to be explained."""


def misread(hypothesis: Hypothesis, sighting: Sighting, hands: Hands) -> Iterator[Account]:
    """A card went somewhere and was read otherwise there: one of the readings was wrong."""
    if sighting.best < BACK:
        for loss in hypothesis.pending:
            yield from _other_on_the_way(hypothesis, loss, sighting, hands)
    elif sighting.zone.kind is ZoneKind.STOCK:
        for gain in hypothesis.pending:
            if gain.best < BACK:
                yield from _other_on_the_way(hypothesis, sighting, gain, hands)


def _other_on_the_way(hypothesis: Hypothesis, loss: Sighting, gain: Sighting, hands: Hands) -> Iterator[Account]:
    left, seat = leaving(hypothesis.position, loss), loss.zone.seat
    card = DECK[gain.best]
    if left is None or not left.known or seat is None or loss.zone is gain.zone or left is card:
        return
    if whereabouts(hypothesis.position, card) is None and hypothesis.position.could_hold(seat) & card.bit:
        one = renamed(hypothesis, left, card, _cost(hands, left, card, _been(hypothesis, left, loss.zone), gain))
        if one is not None:
            yield one, gain
    if left.code not in gain.outcomes:
        # Or it is still the same card.
        yield hypothesis, replace(gain, outcomes=(left.code,))


def taken_for_another(hypothesis: Hypothesis, sighting: Sighting, hands: Hands) -> Iterator[Account]:
    """What is seen lies elsewhere by the ledger: it was misread there, or is now."""
    card = card_of(sighting.best)
    place = None if card is None else whereabouts(hypothesis.position, card)
    if card is None or place is None or place[0] is sighting.zone or place[0].kind is ZoneKind.RESERVE:
        return
    better, cost = _better(hypothesis, card, place[0], hands, sighting)
    one = renamed(hypothesis, card, better, cost)
    if one is not None:
        yield one, sighting
    if sighting.zone.kind is ZoneKind.STOCK:
        yield hypothesis.plus(math.log(costs.FLOOR)), replace(sighting, outcomes=(FACE,))


def misread_twice(hypothesis: Hypothesis, sighting: Sighting) -> Iterator[Account]:
    """A card that does not fit where it was put may have been misread both times, alike: as what would fit there."""
    card, position = card_of(sighting.best), hypothesis.position
    under = position.top(sighting.zone.index) if sighting.zone.kind is ZoneKind.CENTRE else None
    place = None if card is None else whereabouts(position, card)
    if card is None or under is None or place is None or place[0].kind is not ZoneKind.STOCK or place[1] > 0:
        return
    fit = position.rules.fit[under.code]
    assert place[0].seat is not None
    if not under.known or fit & card.bit:
        return
    for other in alike(card):
        if other.bit & fit & position.could_hold(place[0].seat):
            one = renamed(hypothesis, card, other, sighting.fit[other.code])
            if one is not None:
                # That the second reading is as wrong as the first is no wonder: it is the same card.
                as_well = tuple(
                    sighting.fit[card.code] if code == other.code else own for code, own in enumerate(sighting.fit)
                )
                yield one, replace(sighting, fit=as_well, outcomes=(other.code,))


def _been(hypothesis: Hypothesis, card: Card, at: Zone) -> frozenset[Zone]:
    """Where a card has been, as far as that is kept in mind, that lay ``at`` a zone last."""
    moves = [deed.action for deed in hypothesis.deeds if deed.action.card is card]
    zones = (zone for move in moves for zone in (move.source, move.target) if zone is not None)
    return frozenset((at, *zones))


def _readings(hands: Hands, card: Card, been: Collection[Zone], now: Sighting) -> list[Sighting]:
    """How the card that has ``been`` in some zones was read there when taken for ``card``; elsewhere that was it."""
    return [one for one in hands.read.get(card.code, ()) if one.zone in been and abs(one.number) != abs(now.number)]


def _cost(hands: Hands, wrong: Card, card: Card, at: Collection[Zone], now: Sighting) -> float:
    """What it costs that what was read as one card, ``at`` some zones, is another."""
    readings = _readings(hands, wrong, at, now)
    return sum(one.fit[card.code] - one.fit[wrong.code] for one in readings) if readings else costs.MISREAD


def _better(hypothesis: Hypothesis, wrong: Card, at: Zone, hands: Hands, now: Sighting) -> tuple[Card, float]:
    """What a card that was taken for ``wrong`` may really be, unknown if that is open, and what it costs."""
    position = hypothesis.position
    free = FULL_DECK & ~position.placed() if at.seat is None else position.could_hold(at.seat)
    been = _been(hypothesis, wrong, at)
    chances = {card: math.exp(max(_cost(hands, wrong, card, been, now), -20.0)) for card in DECK if card.bit & free}
    readings = _readings(hands, wrong, been, now)
    if not chances or not readings:
        return UNKNOWN, costs.MISREAD
    best = max(chances, key=lambda card: (chances[card], card.code))
    total = sum(chances.values())
    return (best, math.log(chances[best])) if chances[best] >= _CLEAR * total else (UNKNOWN, math.log(total))
