"""Faults that speak against the ledger rather than against the player: they are left undecided."""

from __future__ import annotations

from typing import Final

from referee.rules.actions import MOVES, Kind
from referee.rules.state import Phase, Reason
from referee.tracking.hypothesis import Deed, Hypothesis

TOGETHER: Final = 1.2
"""Two players do the same within so long because the table asks for it, s."""

_BOTH: Final = {Kind.SPIT: Reason.NOT_STUCK, Kind.SLAP: Reason.EARLY_SLAP}
"""What both do only when it is time: one may be wrong, hardly both at once."""

_OVER: Final = (Phase.CLAIM, Phase.REDEAL)


def doubtful(deed: Deed, hypothesis: Hypothesis) -> bool:
    """Whether a fault is more likely the ledger's than the player's.

    Both players spit, or slap, at once: then both are stuck, or the round is over, whatever the ledger says. Somebody
    plays on after the round is over: then it is not.
    """
    action, reason, seat = deed.action, deed.ruling.reason, deed.action.seat
    if reason is None or seat is None:
        return False
    if _BOTH.get(action.kind) is reason:
        return any(
            one.action.kind is action.kind
            and one.action.seat is seat.other
            and abs(one.span.t - deed.span.t) <= TOGETHER
            for one in hypothesis.deeds
        )
    return reason is Reason.WRONG_ORDER and action.kind in MOVES and deed.before.sides[seat].phase in _OVER
