"""Cards that lay somewhere for a moment, unseen, on their way to a centre pile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from referee.cards import Card
from referee.rules.actions import Action, Kind
from referee.table import STOCKS, Zone, ZoneKind
from referee.tracking import costs
from referee.tracking.hands import Hands
from referee.tracking.hypothesis import Hypothesis, span_of
from referee.tracking.proposals import Proposal, by_arms, reserve_kind
from referee.tracking.sightings import Sighting, card_of
from referee.tracking.whereabouts import whereabouts

_MOMENT: Final = 0.8
"""A card lay in a gap, unseen, no longer than this before it was played, s."""

_COMINGS: Final = 2
"""A hand comes twice where it puts a card down and takes it up again."""


def stopovers(hypothesis: Hypothesis, sighting: Sighting, hands: Hands) -> Iterator[Sequence[Proposal]]:
    """What may have been done where a card that came to a centre pile did not come straight from where it lay."""
    if sighting.zone.kind is not ZoneKind.CENTRE:
        return
    for outcome in sighting.outcomes:
        card = card_of(outcome)
        place = None if card is None else whereabouts(hypothesis.position, card)
        if card is None or place is None or place[0] is sighting.zone:
            continue
        if place[0].kind is ZoneKind.CENTRE:
            yield from _back_first(hypothesis, sighting, card, place[0])
        elif place[0].kind is ZoneKind.STOCK and place[1] == 0:
            yield from _through_a_gap(hypothesis, sighting, card, place[0], hands)


def _back_first(hypothesis: Hypothesis, sighting: Sighting, card: Card, at: Zone) -> Iterator[Sequence[Proposal]]:
    """A card that was owed went back, and came down on another pile."""
    position, span = hypothesis.position, span_of(sighting)
    debt = position.debt_of(card, at)
    if debt is None:
        return
    before = replace(span, t_from=span.t_from - 0.5, t_to=span.t_to - 0.3, evidence=())
    back = Proposal(Action(Kind.TAKE_BACK, debt.seat, card, at, debt.back_to), before, costs.COVERED)
    kind = Kind.PLAY
    if debt.back_to.kind is ZoneKind.RESERVE:
        kind = reserve_kind(position, debt.seat, card, sighting.zone)
    again = Action(kind, debt.seat, card, debt.back_to, sighting.zone)
    yield (back, Proposal(again, span, by_arms(sighting, debt.seat)))


def _through_a_gap(
    hypothesis: Hypothesis, sighting: Sighting, card: Card, source: Zone, hands: Hands
) -> Iterator[Sequence[Proposal]]:
    """A card was put into a gap, where nobody saw it, and played from there: a hand was seen over the gap."""
    seat, span = source.seat, span_of(sighting)
    assert seat is not None
    side = hypothesis.position.sides[seat]
    waiting = hypothesis.pending_at(source)
    since = max(sighting.t - _MOMENT, waiting[0].change.t_from if waiting else 0.0)
    for gap, pile in zip(STOCKS[seat][: side.slots], side.stock, strict=False):
        if pile:
            continue
        emptied = max((deed.span.t for deed in hypothesis.deeds if deed.touches(gap)), default=since)
        comings = hands.comings(seat, gap, max(since, emptied), sighting.t)
        if not comings:
            continue
        t = comings[0]
        lay = replace(span, t_from=t, t_to=t + 0.1, evidence=())
        cost = costs.COVERED + costs.TWO_HANDS_THERE * min(len(comings), _COMINGS)
        went = bool(waiting) or hands.were(seat, source, sighting.t)
        filled = Proposal(Action(Kind.FILL, seat, card, source, gap), lay, cost, unreached=not went)
        yield (filled, Proposal(Action(Kind.PLAY, seat, card, gap, sighting.zone), span, by_arms(sighting, seat)))
