"""Taking the centre piles after a round: who gets which, and the heaps the players deal anew from."""

from __future__ import annotations

from dataclasses import replace

from referee.cards import Card
from referee.rules.moving import gather, with_side
from referee.rules.position import Position
from referee.rules.scoring import count_round
from referee.rules.state import Claims, Phase, Side
from referee.table import Seat


def open_claims(position: Position, claims: Claims, takers: tuple[Seat, ...], leaving: tuple[Seat, ...]) -> Position:
    """Play stops for those ``leaving``: the ``takers`` among them have a pile to take, the others gather at once."""
    if position.claims is not None:
        claims, takers = _join(position, takers)
    elif len(takers) == 1:
        only, piles = takers[0], position.open_piles
        claims = replace(claims, chooser=only)
        if len(piles) == 1:
            claims = replace(claims, piles=_pair(only, piles[0], None))
    for seat in leaving:
        side = position.sides[seat]
        side = replace(side, phase=Phase.CLAIM) if seat in takers else _gathered(position, side, ())
        position = with_side(position, seat, side)
    due = tuple(seat for seat in position.due if seat not in leaving)
    position = replace(position, claims=claims, due=due, landed=None, unproven=False, first_choice=None)
    position = forgive(position)
    return position if any(side.phase is Phase.CLAIM for side in position.sides) else _close(position)


def _join(position: Position, takers: tuple[Seat, ...]) -> tuple[Claims, tuple[Seat, ...]]:
    """A second player clears the layout while the first, who deals alone, has yet to take a pile (PT-26, PT-28).

    What the first has a hand on stays due to him; otherwise the first hand decides, unless the finisher chooses.
    """
    claims = position.claims
    assert claims is not None
    first = next(seat for seat in Seat if position.sides[seat].phase is Phase.CLAIM)
    pile = claims.piles[first]
    if pile is None:
        return replace(claims, chooser=first if position.rules.pile_claim == "finisher_choice" else None), takers
    left = tuple(index for index in position.open_piles if index != pile)
    if not left:
        return claims, ()
    return replace(claims, piles=_pair(first, pile, left[0])), takers


def assign(position: Position, seat: Seat, pile: int) -> Position:
    """``seat`` has the right to ``pile``, being the first with a hand on one; the other pile falls to the other."""
    claims = position.claims
    assert claims is not None
    if claims.piles[seat] is None:
        other_takes = position.sides[seat.other].phase is Phase.CLAIM and 1 - pile in position.open_piles
        claims = replace(claims, piles=_pair(seat, pile, 1 - pile if other_takes else None))
    if seat not in claims.slapped:
        claims = replace(claims, slapped=(*claims.slapped, seat))
    return replace(position, claims=claims)


def take_pile(position: Position, seat: Seat, pile: int) -> Position:
    """``seat`` takes centre pile ``pile`` with all the cards of its own (PT-27, PL-20, C20)."""
    cards = position.centre[pile]
    kept = () if position.rules.plan.rounds else cards[-1:]
    taken = tuple(entry.card for entry in cards[: len(cards) - len(kept)])
    side = _gathered(position, position.sides[seat], taken)
    position = with_side(position, seat, side)
    centre = (kept, position.centre[1]) if pile == 0 else (position.centre[0], kept)
    position = forgive(replace(position, centre=centre))
    if position.sides[seat.other].phase is Phase.PLAY:
        # The new pile of one who takes and deals alone starts where the old one lay (PT-27, G17).
        position = replace(position, home=(pile, 1 - pile) if seat is Seat.A else (1 - pile, pile))
    return position if any(one.phase is Phase.CLAIM for one in position.sides) else _close(position)


def _close(position: Position) -> Position:
    """All piles are taken: the next round is dealt."""
    position = replace(position, claims=None, round=position.round + 1)
    if all(side.phase is Phase.REDEAL for side in position.sides) and position.rules.plan.rounds:
        position = replace(_sweep(position), home=(0, 1))
    return count_round(position, "after_claim")


def _sweep(position: Position) -> Position:
    """Cards put on the centre after the piles were taken go to those who put them there."""
    for entry in (*position.centre[0], *position.centre[1]):
        seat = Seat.A if entry.seat is None else entry.seat
        position = with_side(position, seat, gather(position.sides[seat], (entry.card,)))
    return forgive(replace(position, centre=((), ())))


def forgive(position: Position) -> Position:
    """What was owed is settled where the cards have been gathered up."""
    owed = tuple(debt for debt in position.owed if debt.card in position.cards_at(debt.at))
    return replace(position, owed=owed)


def _gathered(position: Position, side: Side, taken: tuple[Card, ...]) -> Side:
    if position.rules.plan.rounds:
        return replace(gather(side, taken), phase=Phase.REDEAL)
    # PT-V7: the stock pile and the hand stay, the cards taken are shuffled into a new reserve; with none there is
    # nothing to wait for.
    cards = (*side.reserve, *taken)
    return replace(side, reserve=(), gathered=cards, phase=Phase.REDEAL if cards else Phase.BEFORE_SPIT)


def _pair(seat: Seat, own: int, other: int | None) -> tuple[int | None, int | None]:
    return (own, other) if seat is Seat.A else (other, own)
