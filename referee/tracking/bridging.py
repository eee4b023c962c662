"""A card that nobody saw is thought to lie between two that do not fit each other: what would put it there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from referee.cards import DECK, UNKNOWN
from referee.rules.actions import Action, Kind
from referee.table import STOCKS, Seat, Zone
from referee.tracking import costs
from referee.tracking.doing import done_together
from referee.tracking.hands import Hands
from referee.tracking.hypothesis import Hypothesis, Span
from referee.tracking.sightings import Sighting, card_of
from referee.tracking.whereabouts import whereabouts

BRIDGED: Final = 1.2
"""A card that nobody saw was turned up, and covered, within so long, s."""


def bridged(hypothesis: Hypothesis, sighting: Sighting, hands: Hands) -> Iterator[tuple[Hypothesis, Zone]]:
    """A card that nobody saw was turned up and put under one that does not fit without it; whence it came."""
    position = hypothesis.position
    under, card = position.top(sighting.zone.index), card_of(sighting.best)
    fit = position.rules.fit
    place = None if card is None else whereabouts(position, card)
    if under is None or card is None or not under.known or fit[under.code] & card.bit:
        return
    for seat in Seat:
        between = fit[under.code] & fit[card.code] & position.could_hold(seat)
        hand = hands.idle(seat, sighting.zone, sighting.t - BRIDGED, sighting.t, hypothesis)
        if not between or hand is None:
            continue
        if place is not None and place[0].seat is seat and hand.t_end >= sighting.t:
            # It is still there as this card comes down, and so is the one that puts it down.
            continue
        # Which it was is certain only if there is but one.
        unseen = next(one for one in DECK if one.bit & between) if between.bit_count() == 1 else UNKNOWN
        for zone, stock in zip(STOCKS[seat], position.sides[seat].stock, strict=False):
            index = _turned_since(hypothesis, zone, hand.t_from)
            if not stock or (stock[-1].up and index is None):
                continue
            taken = hands.idle(seat, zone, hand.t_from - BRIDGED, hand.t_from, hypothesis)
            if taken is None and not hypothesis.pending_at(zone):
                continue
            t = hand.t_from if taken is None else min(taken.t_to, hand.t_from)
            change = sighting.change
            turning = Span(t - 0.1, t, change.t_seen, change.frames, () if taken is None else (taken,))
            playing = Span(hand.t_from, hand.t_to, change.t_seen, change.frames, (hand,))
            turned = Action(Kind.TURN_UP, seat, unseen, None, zone)
            played = Action(Kind.PLAY, seat, unseen, zone, sighting.zone)
            steps = [
                (turned, turning, costs.IDLE_HAND * (taken is not None)),
                (played, playing, costs.COVERED + costs.TWO_HANDS_THERE),
            ]
            second = done_together(hypothesis, steps, len(hypothesis.deeds) if index is None else index)
            if second is None:
                continue
            waiting = tuple(one for one in second.expected if one.zone not in (zone, sighting.zone))
            yield replace(second, expected=waiting), zone


def _turned_since(hypothesis: Hypothesis, zone: Zone, t: float) -> int | None:
    """The deed by which the top of a stock pile was turned up after ``t``, s, if that is the last thing done there."""
    for index in range(len(hypothesis.deeds) - 1, -1, -1):
        deed = hypothesis.deeds[index]
        if deed.touches(zone):
            return index if deed.action.kind is Kind.TURN_UP and deed.span.t > t else None
    return None
