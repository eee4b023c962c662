"""What follows from what happened: play begins, layouts are cleared, rounds end.

``settle`` is called after every change of the ledger and brings the position to where the game stands then.
"""

from __future__ import annotations

from dataclasses import replace

from referee.rules.claiming import open_claims
from referee.rules.moving import draw, with_side
from referee.rules.position import Position
from referee.rules.scoring import count_round, win_game
from referee.rules.state import Claims, Phase, RoundEnd
from referee.rules.stuck import spitters, stalemate
from referee.table import HANDS, RESERVES, Seat

_READY = (Phase.BEFORE_SPIT, Phase.PLAY)


def settle(position: Position, actor: Seat) -> Position:
    """The position once everything that follows by itself has happened.

    ``actor`` made the last move: of two layouts that come to be cleared by it, his counts as first.
    """
    a, b = position.sides[0].phase, position.sides[1].phase
    if not position.due and Phase.BEFORE_SPIT in (a, b) and a in _READY and b in _READY:
        position = _begin_play(position)
    for seat in (actor, actor.other):
        if _cleared(position, seat):
            return _finish(position, seat)
    # A stalemate ends the round only where nobody may spit: asked first, for it is much cheaper to find out.
    if not spitters(position) and stalemate(position):
        return end_without_finisher(position, "no_reserve")
    return position


def _begin_play(position: Position) -> Position:
    """All spit cards have landed (PT-5, PT-28)."""
    a, b = (replace(side, phase=Phase.PLAY) for side in position.sides)
    return draw_hands(replace(position, sides=(a, b), landed=None))


def draw_hands(position: Position) -> Position:
    """Hands are drawn after the spit and filled up after every hand card played (PT-V5, PT-V6).

    Not while a card has yet to come back to the hand or the reserve, or to leave them.
    """
    size = position.rules.plan.hand
    if not size:
        return position
    for seat in Seat:
        side = position.sides[seat]
        owed = any(zone in (HANDS[seat], RESERVES[seat]) for debt in position.owed for zone in (debt.at, debt.back_to))
        if side.phase is Phase.PLAY and not owed:
            position = with_side(position, seat, draw(side, size))
    return position


def _cleared(position: Position, seat: Seat) -> bool:
    side = position.sides[seat]
    if side.phase is not Phase.PLAY or any(side.stock):
        return False
    if any(debt.seat is seat and debt.binding for debt in position.owed):
        # A layout cleared by an illegal card is not cleared: the card comes back (G6).
        return False
    return position.rules.plan.rounds or not (side.reserve or side.hand)


def _finish(position: Position, seat: Seat) -> Position:
    """``seat`` has cleared the layout (PT-25, PT-30, PL-18, PL-23, SV-8, C10, C11, C18, C19)."""
    position = replace(position, round_end=RoundEnd(position.round, seat, "stock_empty"))
    position = count_round(position, "before_claim")
    if position.result is not None:
        return position
    rules, side, piles = position.rules, position.sides[seat], position.open_piles
    wins = rules.win_when == "no_cards_left" or len(piles) < 2 or not rules.plan.rounds
    if wins and not side.reserve and not side.hand:
        return win_game(position, seat, "no_cards")
    leaving = tuple(Seat) if rules.round_model == "both_redeal" else (seat,)
    if len(piles) < 2 and rules.one_pile_finish == "takes_nothing":
        takers = tuple(one for one in leaving if one is not seat)
    elif len(piles) < 2:
        takers = (seat,)
    else:
        takers = leaving
    chooser = position.first_choice
    equal = len(piles) == 2 and len(position.centre[0]) == len(position.centre[1])
    if chooser is None and (rules.pile_claim == "finisher_choice" or equal):
        # Between equal piles there is no race to run (G14).
        chooser = seat
    return open_claims(position, Claims(seat, chooser), takers if piles else (), leaving)


def end_without_finisher(position: Position, reason: str) -> Position:
    """Nobody can go on and nobody can, or will, spit (C9; G4 and X12 for one pile or by count)."""
    rules, piles = position.rules, position.open_piles
    a, b = (side.held for side in position.sides)
    fewer = None if a == b else Seat.A if a < b else Seat.B
    by_count = rules.double_empty == "fewer_cards_wins"
    # Without two piles of which one falls to each, the count of cards decides; and so it does when taking the piles
    # would bring no card, because their tops stay on the table (PT-V7).
    one_pile = len(piles) < 2
    nothing_to_take = not rules.plan.rounds and all(len(position.centre[index]) == 1 for index in piles)
    winner = fewer if by_count or one_pile or nothing_to_take else None
    position = replace(position, round_end=RoundEnd(position.round, winner, reason))
    position = count_round(position, "before_claim")
    if position.result is not None:
        return position
    if by_count or nothing_to_take or (one_pile and winner is None):
        return win_game(position, winner, "fewer_cards")
    if winner is not None:
        return open_claims(position, Claims(winner), (winner.other,) if piles else (), tuple(Seat))
    return open_claims(position, Claims(None, position.first_choice), tuple(Seat), tuple(Seat))
