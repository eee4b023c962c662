"""The judge: is an action legal in a position, and if not, why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from referee.rules import judge_moves, judge_round
from referee.rules.actions import Action, Kind
from referee.rules.position import Position
from referee.rules.ruling import Ruling


def judge(position: Position, action: Action) -> Ruling:
    """The ruling on ``action`` in ``position``, which is the table as it lay at first touch (PL-15, G9).

    Raises:
        Impossible: the action cannot have happened in this position.
    """
    return _JUDGES[action.kind](position, action)


_JUDGES: Final[dict[Kind, Callable[[Position, Action], Ruling]]] = {
    Kind.PLAY: judge_moves.judge_play,
    Kind.TURN_UP: judge_moves.judge_turn_up,
    Kind.FILL: judge_moves.judge_fill,
    Kind.SPIT: judge_moves.judge_spit,
    Kind.TAKE_BACK: judge_moves.judge_take_back,
    Kind.STACK: judge_moves.judge_stack,
    Kind.TOUCH: judge_moves.judge_touch,
    Kind.CALL: judge_round.judge_call,
    Kind.SLAP: judge_round.judge_slap,
    Kind.CLAIM: judge_round.judge_slap,
    Kind.DEAL: judge_round.judge_deal,
}
