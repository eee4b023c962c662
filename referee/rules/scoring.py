"""Points, and the end of a game or match (PT-30, PT-V7, PL-V1, C11, C29, C30)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from referee.rules.position import Position, start
from referee.rules.state import Phase, Result, RoundEnd
from referee.table import Seat

PENALTY_LIMIT: Final = 100
"""A player with this many points ends a penalty_100 match; the lowest total wins (PL-V1)."""

GAIN_TARGET: Final = 25
"""The first player with this many points wins a gain_25 match (PT-V7)."""


def count_round(position: Position, moment: str) -> Position:
    """Charge each player a point for every card he holds, if ``moment`` is when this match counts (PL-V1, C30)."""
    rules = position.rules
    if rules.scoring != "penalty_100" or rules.penalty_count != moment:
        return position
    a, b = (replace(side, score=side.score + side.held) for side in position.sides)
    position = replace(position, sides=(a, b))
    if max(a.score, b.score) < PENALTY_LIMIT:
        return position
    winner = None if a.score == b.score else Seat.A if a.score < b.score else Seat.B
    return _over(position, winner, "score")


def win_game(position: Position, winner: Seat | None, reason: str) -> Position:
    """The game is won, or drawn if nobody won it; a scored match goes on with a new game until it is decided."""
    scoring = position.rules.scoring
    if scoring == "none":
        return _over(position, winner, reason)
    if scoring == "gain_25" and winner is not None:
        loser = position.sides[winner.other]
        gained = replace(
            position.sides[winner], score=position.sides[winner].score + len(loser.hand) + len(loser.reserve)
        )
        sides = (gained, loser) if winner is Seat.A else (loser, gained)
        position = replace(position, sides=sides)
        if gained.score >= GAIN_TARGET:
            return _over(position, winner, "score")
    # Nobody takes a pile after a game is won, so cards that count after the claim count now.
    position = count_round(position, "after_claim")
    return position if position.result is not None else _new_game(position, winner, reason)


def _new_game(position: Position, winner: Seat | None, reason: str) -> Position:
    fresh = start(position.rules)
    a, b = (replace(new, score=old.score) for new, old in zip(fresh.sides, position.sides, strict=True))
    end = RoundEnd(position.round, winner, reason)
    return replace(fresh, sides=(a, b), round=position.round + 1, round_end=end)


def _over(position: Position, winner: Seat | None, reason: str) -> Position:
    a, b = (replace(side, phase=Phase.OVER) for side in position.sides)
    return replace(
        position,
        sides=(a, b),
        due=(),
        landed=None,
        unproven=False,
        claims=None,
        first_choice=None,
        result=Result(winner, reason),
    )
