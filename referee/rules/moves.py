"""What may be done: the legal actions of a position, generated rather than tried out.

Every one of them is legal by ``judge``, and no legal move of a card is missing (a test holds the two against each
other). Deals are left out, for their cards come from outside; so are touches of one's own cards, which change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.cards import UNKNOWN
from referee.rules.actions import Action, Kind, claim, fill, play, slap, spit, stack, turn_up
from referee.rules.judge_moves import spits_alone, tops_stay_down
from referee.rules.position import Position
from referee.rules.state import Debt, Phase
from referee.rules.stuck import playable, spitters, stalemate
from referee.table import CENTRES, RESERVES, STOCKS, Seat


def legal_actions(position: Position) -> list[Action]:
    """All legal actions of both seats, calls, slaps and claims among them."""
    actions: list[Action] = []
    for seat in Seat:
        actions += legal_moves(position, seat)
        actions += returns(position, seat)
        actions += spits(position, seat)
        actions += claims(position, seat)
    return actions


def legal_moves(position: Position, seat: Seat) -> list[Action]:
    """What ``seat`` may do in play: play, turn up, fill a gap, stack."""
    side = position.sides[seat]
    if side.phase is Phase.BEFORE_SPIT:
        turning = [] if tops_stay_down(position, seat) else turn_ups(position, seat)
        return [*turning, *_free_to_move(position, stacks(position, seat))]
    if side.phase is not Phase.PLAY:
        return []
    turning = turn_ups(position, seat)
    if position.frozen:
        return turning
    if position.rules.reveal_duty == "must" and turning:
        moving = [move for move in fills(position, seat) if _alone_face_down(position, move)]
    else:
        moving = [*plays(position, seat), *fills(position, seat), *stacks(position, seat)]
    return turning + _free_to_move(position, moving)


def _free_to_move(position: Position, moves: list[Action]) -> list[Action]:
    """Without the cards that are owed: those have to go back, which ``returns`` sees to, and nowhere else."""
    if not position.owed:
        return moves
    places = {(debt.card, debt.at, debt.back_to) for debt in position.owed}
    bound = {(debt.card, debt.at) for debt in position.owed if debt.binding}
    return [
        move
        for move in moves
        if (move.card, move.source) not in bound and (move.card, move.source, move.target) not in places
    ]


def _alone_face_down(position: Position, move: Action) -> bool:
    """Whether the card moved is the only one its player has yet to turn up (gap_source=any)."""
    assert move.seat is not None
    assert move.source is not None
    stock = position.sides[move.seat].stock
    down = [index for index, pile in enumerate(stock) if pile and not pile[-1].up]
    return down == [move.source.index]


def plays(position: Position, seat: Seat) -> list[Action]:
    """Every card of ``seat`` that fits, on every centre pile it fits."""
    fit = position.rules.fit
    tops = [(index, fit[pile[-1].card.code]) for index, pile in enumerate(position.centre) if pile]
    return [
        play(seat, card, zone, CENTRES[index])
        for zone, card in playable(position.sides[seat], seat)
        for index, fitting in tops
        if fitting & card.bit
    ]


def turn_ups(position: Position, seat: Seat) -> list[Action]:
    """Every face-down top of ``seat``."""
    return [
        turn_up(seat, pile[-1].card, STOCKS[seat][index])
        for index, pile in enumerate(position.sides[seat].stock)
        if pile and not pile[-1].up
    ]


def fills(position: Position, seat: Seat) -> list[Action]:
    """Every top of ``seat`` that may go into a gap, into every gap; lone cards too."""
    side, zones = position.sides[seat], STOCKS[seat]
    any_side = position.rules.gap_source == "any"
    gaps = [zones[index] for index, pile in enumerate(side.stock) if not pile and index < side.slots]
    return [
        fill(seat, pile[-1].card, zones[index], gap)
        for index, pile in enumerate(side.stock)
        if pile and (pile[-1].up or any_side)
        for gap in gaps
    ]


def stacks(position: Position, seat: Seat) -> list[Action]:
    """Every stack of equals, where the rules allow it (X1)."""
    side, zones = position.sides[seat], STOCKS[seat]
    if not position.rules.same_rank_stack:
        return []
    tops = [(i, pile[-1].card) for i, pile in enumerate(side.stock) if pile and pile[-1].up]
    return [
        stack(seat, card, zones[source], zones[target])
        for source, card in tops
        for target, other in tops
        if source != target and target < side.slots and card.rank == other.rank and card is not UNKNOWN
    ]


def returns(position: Position, seat: Seat) -> Iterator[Action]:
    """Every card that ``seat`` owes, put back where it belongs (G6)."""
    for debt in position.owed:
        if seat in (debt.seat, debt.back_to.seat):
            yield Action(_return_kind(position, debt), seat, debt.card, debt.at, debt.back_to)


def _return_kind(position: Position, debt: Debt) -> Kind:
    if debt.back_to in CENTRES:
        return Kind.SPIT if debt.at in RESERVES else Kind.PLAY
    if debt.at in CENTRES or debt.back_to not in STOCKS[0] + STOCKS[1]:
        return Kind.TAKE_BACK
    return Kind.STACK if position.cards_at(debt.back_to) else Kind.FILL


def spits(position: Position, seat: Seat) -> list[Action]:
    """The spit card of ``seat`` turned onto every pile it may go to; the calls are left to the players."""
    side = position.sides[seat]
    if not side.reserve or side.phase not in (Phase.BEFORE_SPIT, Phase.PLAY):
        return []
    if seat not in (position.due or (spitters(position) if stalemate(position) else ())):
        return []
    if position.owed and position.debt_of(side.reserve[-1], RESERVES[seat]):
        return []
    piles = (position.home[seat],) if side.phase is Phase.BEFORE_SPIT else _respit_piles(position, seat)
    return [spit(seat, side.reserve[-1], RESERVES[seat], CENTRES[index]) for index in piles]


def _respit_piles(position: Position, seat: Seat) -> tuple[int, ...]:
    piles = position.open_piles
    where = position.rules.respit_target
    if len(piles) < 2 or where == "any":
        return piles
    if where == "own" or spits_alone(position, seat):
        return (position.home[seat],)
    return tuple(index for index in piles if index != position.landed)


def claims(position: Position, seat: Seat) -> list[Action]:
    """The slaps and claims open to ``seat``."""
    open_claims = position.claims
    if open_claims is None or position.sides[seat].phase is not Phase.CLAIM:
        return []
    due = open_claims.piles[seat]
    if due is None and open_claims.chooser not in (None, seat):
        return []
    mine = position.open_piles if due is None else (due,)
    slappable = mine if seat in open_claims.slapped else position.open_piles
    return [
        *(slap(seat, CENTRES[index]) for index in slappable),
        *(claim(seat, CENTRES[index]) for index in mine),
    ]
