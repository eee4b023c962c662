"""What may have been done, legal or not, that a change of a zone tells of.

Each proposal is physically possible; whether it was allowed is for the law to say, and what it costs for ``costs``. A
proposal made for one change often explains another that was waiting: a play is the loss of a stock pile and the gain
of a centre pile.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from referee.cards import UNKNOWN, Card
from referee.readings import BACK, EMPTY
from referee.rules.actions import Action, Kind
from referee.rules.position import Position
from referee.rules.state import Phase
from referee.rules.stuck import spitters, stalemate
from referee.table import HANDS, RESERVES, STOCKS, Seat, Zone, ZoneKind
from referee.tracking import costs
from referee.tracking.covered import CARRY, leaving, since_it_left, under_deed
from referee.tracking.hands import Hands
from referee.tracking.hypothesis import Hypothesis, Span, raced, span_of
from referee.tracking.sightings import FACE, Sighting, card_of
from referee.tracking.spitting import answers, unexpected
from referee.tracking.whereabouts import strangers, whereabouts

_DRAWN: Final = (0.5, 0.1)
"""A pile that is drawn away starts to move between so long before its zone is seen to be bare, s."""

_TAKEN: Final = (0.35, 0.2)
"""A card that is turned up and taken at once is turned up between so long before it comes down, s."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """An action with its time, its cost besides the verdict's, and the deed it was done before, if that is known."""

    action: Action
    span: Span
    extra: float = 0.0
    under: int | None = None
    unseen: bool = False
    unreached: bool = False
    named: bool = False
    """The card lies unnamed on top of its pile, and is known now."""


def proposals(hypothesis: Hypothesis, sighting: Sighting, hands: Hands) -> Iterator[Sequence[Proposal]]:
    zone = sighting.zone
    if zone.kind is ZoneKind.CENTRE:
        for outcome in sighting.outcomes:
            card = card_of(outcome)
            if outcome == FACE:
                yield from _unread(hypothesis, sighting, hands)
            elif outcome == EMPTY:
                yield from _claims(hypothesis, sighting)
                yield from _uncovered(hypothesis, sighting, None)
            elif card is not None:
                yield from _uncovered(hypothesis, sighting, card)
                if _elsewhere(hypothesis.position, card, zone):
                    yield from _unnamed_spit(hypothesis, sighting, hands, costs.MISREAD)
                yield from _landed(hypothesis, sighting, card, hands)
        return
    for outcome in sighting.outcomes:
        card = UNKNOWN if outcome == FACE else card_of(outcome)
        if card is not None and zone.kind is ZoneKind.STOCK:
            yield from _into_stock(hypothesis, sighting, card, hands)
        elif outcome == BACK and zone.kind is ZoneKind.RESERVE:
            yield from _into_reserve(hypothesis, sighting)
    if zone.kind is ZoneKind.STOCK:
        yield from _slipped_under(hypothesis, sighting)


def by_arms(sighting: Sighting, seat: Seat) -> float:
    """What the arms seen over a changing zone say for ``seat``."""
    own, other = ((sighting.change.arms[one] + 0.3) ** 2 for one in (seat, seat.other))
    return math.log(2 * own / (own + other))


def _landed(hypothesis: Hypothesis, sighting: Sighting, card: Card, hands: Hands) -> Iterator[Sequence[Proposal]]:
    """A card came to a centre pile."""
    position, target, span = hypothesis.position, sighting.zone, span_of(sighting)
    place = whereabouts(position, card)
    if place is None:
        yield from _from_the_unseen(hypothesis, sighting, card, hands)
        return
    zone, depth = place
    if zone is target:
        return
    if zone.seat is None:
        seat = Seat.A if sighting.change.arms[0] >= sighting.change.arms[1] else Seat.B
        if depth == 0:
            moved = Action(Kind.PLAY, seat, card, zone, target)
            yield (Proposal(moved, span, by_arms(sighting, seat), unreached=not hypothesis.pending_at(zone)),)
        return
    seats = [zone.seat]
    if sighting.change.arms[zone.seat.other] > sighting.change.arms[zone.seat] + 0.4:
        seats.append(zone.seat.other)
    for seat in seats:
        if zone.kind is ZoneKind.RESERVE:
            kind = reserve_kind(position, zone.seat, card, target)
            extra = by_arms(sighting, seat)
            if kind is Kind.SPIT:
                extra += unexpected(hypothesis, zone.seat, target, sighting.t)
            turned = Proposal(Action(kind, seat, card, zone, target), span, extra, unseen=True)
            yield (turned,)
            yield from _agreed(position, turned)
        else:
            gone = any(hands.were(one, zone, sighting.t) for one in Seat) or hypothesis.pending_at(zone)
            played = Action(Kind.PLAY, seat, card, zone, target)
            came = since_it_left(span, hypothesis, zone)
            yield (Proposal(played, came, by_arms(sighting, seat), unreached=not gone),)


def reserve_kind(position: Position, seat: Seat, card: Card, target: Zone) -> Kind:
    """Whether a reserve card is spat or played, which look the same.

    One who may not spit means to play what fits; what does not was turned blindly.
    """
    under = position.top(target.index)
    if seat in position.due or position.sides[seat].phase is not Phase.PLAY or under is None:
        return Kind.SPIT
    fits = position.rules.fit[under.code] & card.bit
    return Kind.PLAY if fits and not stalemate(position) else Kind.SPIT


def _agreed(position: Position, turned: Proposal) -> Iterator[Sequence[Proposal]]:
    """A spit card turned because both wanted to, stuck or not (G2): the other's is to follow."""
    playing = all(side.phase is Phase.PLAY and side.reserve for side in position.sides)
    if playing and not position.due and not stalemate(position):
        spat = replace(turned, action=replace(turned.action, kind=Kind.SPIT))
        yield (Proposal(Action(Kind.CALL, None, word="spit"), turned.span, costs.AGREED), spat)


def _from_the_unseen(
    hypothesis: Hypothesis, sighting: Sighting, card: Card, hands: Hands
) -> Iterator[Sequence[Proposal]]:
    """A card came to a centre pile that nobody has seen before."""
    position, target, span = hypothesis.position, sighting.zone, span_of(sighting)
    base = strangers(position)
    under = position.top(target.index)
    blindly = costs.blind(under is not None and bool(position.rules.fit[under.code] & card.bit))
    for seat in Seat:
        side = position.sides[seat]
        if not position.could_hold(seat) & card.bit:
            continue
        by = base + by_arms(sighting, seat)
        if UNKNOWN in side.hand:
            yield (Proposal(Action(Kind.PLAY, seat, card, HANDS[seat], target), span, by),)
        if side.reserve and side.reserve[-1] is UNKNOWN:
            there = hands.fetched(hypothesis, seat, sighting.t)
            there += costs.OUT_OF_TURN if position.due and seat not in position.due else 0.0
            answering = answers(hypothesis, seat, target, sighting.t)
            kind = Kind.SPIT if answering else reserve_kind(position, seat, card, target)
            turned = Proposal(Action(kind, seat, card, RESERVES[seat], target), span, by + there, unseen=True)
            spat = replace(turned, action=replace(turned.action, kind=Kind.SPIT))
            spat = replace(spat, extra=by + there + unexpected(hypothesis, seat, target, sighting.t))
            if kind is Kind.SPIT:
                yield (spat,)
            else:
                yield (turned,)
                yield (replace(spat, extra=spat.extra + blindly),)
            yield from _agreed(position, turned)
        for zone, stock in zip(STOCKS[seat], side.stock, strict=False):
            # A hand is over a pile that has not been seen since its top was taken.
            unseen = hypothesis.pending_at(zone) or hypothesis.expected_at(zone)
            if not stock or not (unseen or hands.were(seat, zone, sighting.t)):
                continue
            played = Proposal(Action(Kind.PLAY, seat, card, zone, target), span, by, unseen=True)
            if stock[-1].card is UNKNOWN and not stock[-1].up:
                stay = hands.stay(seat, zone, _last_at(hypothesis, zone), sighting.t)
                hasty = _hasty(hypothesis, seat, sighting.t) + costs.hand_there(stay)
                yield (_turned(sighting, seat, card, zone, hasty), played)
                yield (replace(played, extra=by + costs.FROM_FACE_DOWN + blindly),)
            elif stock[-1].card is UNKNOWN:
                yield (replace(played, named=True),)
            elif len(stock) > 1 and stock[-2].card is UNKNOWN:
                yield (replace(played, extra=by + costs.FROM_BELOW + blindly),)
            yield from _turned_before(hypothesis, sighting, card, _hasty(hypothesis, seat, sighting.t), played)


def _hasty(hypothesis: Hypothesis, seat: Seat, t: float) -> float:
    """The cost of a card that ``seat`` turned up and moved by ``t``, s, before anybody saw it."""
    last = next(
        (deed.span.t for deed in reversed(hypothesis.deeds) if deed.action.seat is seat and deed.span.t < t), -9.0
    )
    return costs.unseen_turn(t - last)


def _last_at(hypothesis: Hypothesis, zone: Zone) -> float:
    """When something was last done at a zone, s, as far as that is kept in mind."""
    return max((deed.span.t for deed in hypothesis.deeds if deed.touches(zone)), default=-math.inf)


def _uncovered(hypothesis: Hypothesis, sighting: Sighting, card: Card | None) -> Iterator[Sequence[Proposal]]:
    """A centre pile shows a card that lay further down, or none: those above it that are owed went back."""
    position, zone = hypothesis.position, sighting.zone
    pile = position.centre[zone.index]
    above: list[Proposal] = []
    span = span_of(sighting)
    later = replace(span, t_from=span.t_to, t_to=span.t_to + 0.6)
    for entry in reversed(pile):
        if entry.card is card:
            if above:
                yield above
            return
        debt = position.debt_of(entry.card, zone)
        if debt is None:
            return
        soon = 0.0 if entry.t is None else costs.returned(sighting.change.t_to - entry.t)
        above.append(Proposal(Action(Kind.TAKE_BACK, debt.seat, entry.card, zone, debt.back_to), later, soon))
    if card is None and above:
        yield above


def _unread(hypothesis: Hypothesis, sighting: Sighting, hands: Hands) -> Iterator[Sequence[Proposal]]:
    """A card came to a centre pile that could not be read: one whose loss waits to be explained."""
    position, span = hypothesis.position, span_of(sighting)
    for loss in hypothesis.pending:
        card, seat = leaving(position, loss), loss.zone.seat
        if card is not None and seat is not None:
            action = Action(Kind.PLAY, seat, card, loss.zone, sighting.zone)
            yield (Proposal(action, span, by_arms(sighting, seat)),)
    yield from _unnamed_spit(hypothesis, sighting, hands, 0.0)


def _unnamed_spit(
    hypothesis: Hypothesis, sighting: Sighting, hands: Hands, cost: float
) -> Iterator[Sequence[Proposal]]:
    """A spit card that was due came down, which could not be read, or cannot be what was read."""
    position = hypothesis.position
    for seat in position.due or (spitters(position) if stalemate(position) else ()):
        action = Action(Kind.SPIT, seat, UNKNOWN, RESERVES[seat], sighting.zone)
        there = by_arms(sighting, seat) + hands.fetched(hypothesis, seat, sighting.t)
        yield (Proposal(action, span_of(sighting), cost + there, unseen=True),)


def _elsewhere(position: Position, card: Card, zone: Zone) -> bool:
    """Whether the ledger has a card in another place, so that it is no reserve card."""
    place = whereabouts(position, card)
    return place is not None and place[0] is not zone and place[0].kind is not ZoneKind.RESERVE


def _claims(hypothesis: Hypothesis, sighting: Sighting) -> Iterator[Sequence[Proposal]]:
    """A centre pile is gone."""
    position, zone = hypothesis.position, sighting.zone
    claims = position.claims
    if claims is None or zone.index not in position.open_piles:
        return
    change = sighting.change
    # The hand that slaps a pile hides it from then on, and draws it away only later.
    t_from, t_to = max(change.t_from, change.t_seen - _DRAWN[0]), max(change.t_to, change.t_seen - _DRAWN[1])
    span = replace(span_of(sighting), t_from=t_from, t_to=t_to)
    for seat in Seat:
        if position.sides[seat].phase is Phase.CLAIM and claims.piles[seat] in (None, zone.index):
            # Whose arm drew the pile away says more than whose hand was thought to have been there first.
            yield (Proposal(Action(Kind.CLAIM, seat, target=zone), span, 1.65 * by_arms(sighting, seat)),)


def _into_stock(hypothesis: Hypothesis, sighting: Sighting, card: Card, hands: Hands) -> Iterator[Sequence[Proposal]]:
    """A stock pile shows a card: turned up, moved there, or taken back."""
    position, zone, span = hypothesis.position, sighting.zone, span_of(sighting)
    assert zone.seat is not None
    side = position.sides[zone.seat]
    pile = side.stock[zone.index] if zone.index < len(side.stock) else ()
    place = whereabouts(position, card) if card.known else None
    seats = [zone.seat]
    if sighting.change.arms[zone.seat.other] > sighting.change.arms[zone.seat] + 0.4:
        seats.append(zone.seat.other)
    if place is None or (place == (zone, 0) and pile and not pile[-1].up):
        possible = place is not None or not card.known or position.could_hold(zone.seat) & card.bit
        if pile and not pile[-1].up and possible:
            cost = strangers(position) if place is None and card.known else 0.0
            for seat in seats:
                yield (Proposal(Action(Kind.TURN_UP, seat, card, None, zone), span, cost + by_arms(sighting, seat)),)
        elif card.known and position.could_hold(zone.seat) & card.bit:
            yield from _turned_and_moved(hypothesis, sighting, card, hands)
        elif not card.known:
            yield from _moved_unread(hypothesis, sighting, Kind.STACK if pile else Kind.FILL)
        return
    source, depth = place
    if pile and not pile[-1].up and depth > 0:
        turned = Action(Kind.TURN_UP, zone.seat, UNKNOWN, None, zone)
        yield (Proposal(turned, span, costs.MISREAD + by_arms(sighting, zone.seat)),)
    if source is zone:
        return
    if source.kind is ZoneKind.CENTRE:
        debt = position.debt_of(card, source)
        entry = position.centre[source.index][-1 - depth]
        seat = debt.seat if debt is not None else zone.seat
        if depth == 0 or debt is not None:
            wrong = 0.0 if debt is None or debt.back_to is zone else -3.0
            guess = 0.0 if entry.seat in (None, seat) else -2.0
            yield (Proposal(Action(Kind.TAKE_BACK, seat, card, source, zone), span, wrong + guess),)
    elif source.kind is ZoneKind.STOCK:
        if depth and (source.seat is not zone.seat):
            return
        kind = Kind.STACK if pile else Kind.FILL
        span = since_it_left(span, hypothesis, source)
        for seat in seats:
            yield (Proposal(Action(kind, seat, card, source, zone), span, by_arms(sighting, seat)),)


def _moved_unread(hypothesis: Hypothesis, sighting: Sighting, kind: Kind) -> Iterator[Sequence[Proposal]]:
    """A card came to a stock pile that could not be read: one whose loss waits to be explained."""
    zone, span = sighting.zone, span_of(sighting)
    for loss in hypothesis.pending:
        card = leaving(hypothesis.position, loss)
        if card is not None and loss.zone.seat is zone.seat and loss.zone is not zone:
            yield (Proposal(Action(kind, zone.seat, card, loss.zone, zone), span),)


def _turned_and_moved(
    hypothesis: Hypothesis, sighting: Sighting, card: Card, hands: Hands
) -> Iterator[Sequence[Proposal]]:
    """A stock pile shows a card that was turned up and moved there before anybody saw it."""
    position, zone, span = hypothesis.position, sighting.zone, span_of(sighting)
    seat = zone.seat
    assert seat is not None
    kind = Kind.STACK if position.cards_at(zone) else Kind.FILL
    cost = strangers(position) + by_arms(sighting, seat)
    hasty = _hasty(hypothesis, seat, sighting.t)
    for source, pile in zip(STOCKS[seat], position.sides[seat].stock, strict=False):
        moved = Proposal(Action(kind, seat, card, source, zone), span, cost)
        if source is zone:
            continue
        if pile and pile[-1].card is UNKNOWN and pile[-1].up:
            yield (replace(moved, named=True),)
        elif pile and pile[-1].card is UNKNOWN:
            there = hands.were(seat, source, sighting.t) or hypothesis.pending_at(source)
            yield (_turned(sighting, seat, card, source, hasty + (0.0 if there else costs.NO_HAND)), moved)
        yield from _turned_before(hypothesis, sighting, card, hasty, moved)


def _turned(sighting: Sighting, seat: Seat, card: Card, zone: Zone, cost: float) -> Proposal:
    """A card turned up, unseen, just before it went where ``sighting`` shows it."""
    span = span_of(sighting)
    before = replace(span, t_from=span.t_from - _TAKEN[0], t_to=span.t_to - _TAKEN[1], evidence=())
    return Proposal(Action(Kind.TURN_UP, seat, card, None, zone), before, cost)


def _turned_before(
    hypothesis: Hypothesis, sighting: Sighting, card: Card, hasty: float, moved: Proposal
) -> Iterator[Sequence[Proposal]]:
    """The same where the next card of that pile has been turned up since, and was seen sooner."""
    source, seat = moved.action.source, moved.action.seat
    assert source is not None
    assert seat is not None
    for index, deed in enumerate(hypothesis.deeds):
        if deed.action.kind is Kind.TURN_UP and deed.action.target is source and deed.span.t > sighting.t:
            turned = _turned(sighting, seat, card, source, hasty)
            yield (replace(turned, under=index), replace(moved, under=index + 1))
            return


def _into_reserve(hypothesis: Hypothesis, sighting: Sighting) -> Iterator[Sequence[Proposal]]:
    """A reserve that was used up has a card again: one that was owed."""
    position, zone = hypothesis.position, sighting.zone
    for debt in position.owed:
        if debt.back_to is zone:
            action = Action(Kind.TAKE_BACK, debt.seat, debt.card, debt.at, zone)
            yield (Proposal(action, span_of(sighting)),)


def _slipped_under(hypothesis: Hypothesis, sighting: Sighting) -> Iterator[Sequence[Proposal]]:
    """A stock pile lost a card that came down, unseen, before one that is known to lie on a centre pile by now."""
    position = hypothesis.position
    card = leaving(position, sighting)
    seat = sighting.zone.seat
    if card is None or not card.known or seat is None:
        return
    for index in range(len(hypothesis.deeds) - 1, -1, -1):
        deed = hypothesis.deeds[index]
        action = deed.action
        target = action.target
        if action.kind not in (Kind.PLAY, Kind.SPIT) or target is None or action.t is None:
            continue
        if action.t < sighting.change.t_from + CARRY or sighting.t < action.t - 1.5:
            continue
        span, cost = under_deed(deed, sighting)
        first = Action(Kind.PLAY, seat, card, sighting.zone, target)
        same_hand = action.seat is seat
        there = not same_hand and raced(deed, sighting, target)
        cost += costs.SAME_HAND_COVERED if same_hand else costs.TWO_HANDS_THERE * there
        yield (Proposal(first, span, cost, index, not there),)
