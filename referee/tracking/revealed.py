"""What is revealed when a card is taken back from a centre pile: one that had come down under it, unseen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from referee.cards import UNKNOWN, Card
from referee.readings import BACK
from referee.rules.actions import Action, Kind
from referee.rules.stuck import spitters, stalemate
from referee.table import RESERVES, STOCKS, Seat, Zone, ZoneKind
from referee.tracking import costs
from referee.tracking.covered import LANDING
from referee.tracking.doing import done_together, replayed
from referee.tracking.hands import Hands
from referee.tracking.hypothesis import Deed, Hypothesis, Span
from referee.tracking.sightings import Sighting, card_of, top
from referee.tracking.whereabouts import strangers, whereabouts

_BUSY: Final = 1.2
"""A card that nobody saw was turned up, and covered, within so long, s."""


def revealed(hypothesis: Hypothesis, sighting: Sighting, hands: Hands) -> Iterator[tuple[Hypothesis, Zone | None]]:
    """The hypothesis with the card that a centre pile shows lying under the one that was thought to lie on top.

    With the stock pile that it came from, if what was seen there still waits to be explained by that.
    """
    card, zone = card_of(sighting.best), sighting.zone
    if card is None or zone.kind is not ZoneKind.CENTRE or hypothesis.position.claims is not None:
        return
    laid = [index for index, deed in enumerate(hypothesis.deeds) if deed.action.target is zone and _lays(deed)]
    if not laid or hypothesis.position.top(zone.index) is not hypothesis.deeds[laid[-1]].action.card:
        return
    place = whereabouts(hypothesis.position, card)
    if place is None:
        if len(laid) > 1 and hypothesis.deeds[laid[-2]].action.card is UNKNOWN:
            yield from ((one, None) for one in _learnt(hypothesis, laid[-2], card))
        yield from ((one, None) for one in _unseen(hypothesis, sighting, laid[-1], card, hands))
    elif place[0].kind is ZoneKind.STOCK and place[1] == 0 and hypothesis.pending_at(place[0]):
        loss = hypothesis.pending_at(place[0])[0]
        played = Action(Kind.PLAY, place[0].seat, card, place[0], zone)
        span = _under(hypothesis.deeds[laid[-1]], sighting)
        if loss.change.t_from < span.t_to:
            after = done_together(hypothesis, [(played, span, costs.COVERED)], laid[-1])
            if after is not None:
                yield after, place[0]


def _lays(deed: Deed) -> bool:
    return deed.action.kind in (Kind.PLAY, Kind.SPIT)


def _under(deed: Deed, sighting: Sighting) -> Span:
    """When a card came down that lies under that of ``deed``."""
    frames = (deed.span.frames[0], sighting.change.frames[1])
    return Span(max(0.0, deed.span.t - LANDING), deed.span.t, sighting.change.t_seen, frames)


def _learnt(hypothesis: Hypothesis, index: int, card: Card) -> Iterator[Hypothesis]:
    """The card of the deed at ``index``, which nobody could read, was ``card``."""
    deed = hypothesis.deeds[index]
    seat, source = deed.action.seat, deed.action.source
    if seat is None or not hypothesis.position.could_hold(seat) & card.bit:
        return
    deeds, disputes, first = list(hypothesis.deeds), hypothesis.disputes, index
    for number in range(index, -1, -1):
        one = deeds[number]
        own = number == index or (one.action.kind is Kind.TURN_UP and one.action.target is source)
        if own and one.action.card is UNKNOWN:
            deeds[number] = replace(one, action=replace(one.action, card=card))
            first = number
            if one.said is not None:
                disputes = (*(other for other in disputes if other[0] != one.said), (one.said, deeds[number]))
    again = replayed(tuple(deeds[:first]), deeds[first:], disputes, hypothesis.base)
    if again is not None:
        made, change, disputes = again
        score = hypothesis.score + change + strangers(hypothesis.position)
        yield replace(hypothesis, deeds=made, score=score, disputes=disputes)


def _unseen(hypothesis: Hypothesis, sighting: Sighting, index: int, card: Card, hands: Hands) -> Iterator[Hypothesis]:
    """A card that nobody has seen before came down before the deed at ``index``."""
    above, zone = hypothesis.deeds[index], sighting.zone
    before, span = above.before, _under(above, sighting)
    turning = replace(span, t_from=max(0.0, span.t_from - 0.4), t_to=span.t_from)
    for seat in Seat:
        side = before.sides[seat]
        if not before.could_hold(seat) & card.bit:
            continue
        cost = strangers(before) + costs.COVERED
        there = costs.TWO_HANDS_THERE if hands.comings(seat, zone, span.t_from - 0.2, above.span.t_to) else 0.0
        ways: list[list[tuple[Action, Span, float]]] = []
        spits = before.due or (spitters(before) if stalemate(before) else ())
        if seat in spits and before.home[seat] == zone.index and side.reserve and side.reserve[-1] is UNKNOWN:
            ways.append([(Action(Kind.SPIT, seat, card, RESERVES[seat], zone), span, cost)])
        for source in STOCKS[seat]:
            if top(before, source) == BACK and hands.comings(seat, source, span.t_from - _BUSY, above.span.t_to):
                turned = Action(Kind.TURN_UP, seat, card, None, source)
                played = Action(Kind.PLAY, seat, card, source, zone)
                ways.append([(turned, turning, costs.TURNED_UNSEEN), (played, span, cost + there)])
        for steps in ways:
            after = done_together(hypothesis, steps, index)
            if after is not None:
                yield after
