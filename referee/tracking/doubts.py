"""Faults that speak against the ledger rather than against the player: they are left undecided."""

from __future__ import annotations

from typing import Final

from referee.rules.actions import MOVES, Kind
from referee.rules.state import Phase, Reason
from referee.table import ZoneKind
from referee.tracking.hands import Hands
from referee.tracking.hypothesis import Deed, Hypothesis
from referee.tracking.spitting import TOGETHER

_BOTH: Final = {Kind.SPIT: Reason.NOT_STUCK, Kind.SLAP: Reason.EARLY_SLAP}
"""What both do only when it is time: one may be wrong, hardly both at once."""

_MISFIT: Final = (Reason.NOT_ADJACENT, Reason.COLOUR)
"""Faults that are one only if the card below is what the ledger has there."""

_OVER: Final = (Phase.CLAIM, Phase.REDEAL)


def doubtful(deed: Deed, hypothesis: Hypothesis, hands: Hands) -> bool:
    """Whether a fault is more likely the ledger's than the player's.

    A card does not fit where the other's hand was as well, of which nothing came that is known, or on one that did not
    fit itself: another may lie between, or that one was misread. Both players spit, or slap, at once: then both are
    stuck, or the round is over, whatever the ledger says. Somebody plays on after the round is over: then it is not; or
    before a spit card that is never seen: then it was there already. Who takes the card back admits the fault.
    """
    action, reason, seat = deed.action, deed.ruling.reason, deed.action.seat
    if reason is None or seat is None:
        return False
    if reason in _MISFIT:
        return (hands.contest(deed, hypothesis) or _on_a_misfit(deed)) and not _put_right(deed, hypothesis)
    if _BOTH.get(action.kind) is reason:
        return any(
            one.action.kind is action.kind
            and one.action.seat is seat.other
            and not one.ruling.legal
            and abs(one.span.t - deed.span.t) <= TOGETHER
            for one in hypothesis.deeds
        ) and not _put_right(deed, hypothesis)
    if reason is not Reason.WRONG_ORDER or action.kind not in MOVES:
        return False
    return deed.before.sides[seat].phase in _OVER or _never_spat(deed, hypothesis)


def on_what_lies_below(deed: Deed) -> bool:
    """Whether the ruling on a deed depends on what lies below its card, where another's may have come unseen."""
    return deed.ruling.reason in (None, Reason.LATE, *_MISFIT)


def _on_a_misfit(deed: Deed) -> bool:
    """Whether a card lies on one that did not fit, and was left there."""
    target = deed.action.target
    if target is None or target.kind is not ZoneKind.CENTRE:
        return False
    under = deed.before.top(target.index)
    debt = None if under is None else deed.before.debt_of(under, target)
    return debt is not None and debt.reason in _MISFIT


def _put_right(deed: Deed, hypothesis: Hypothesis) -> bool:
    """Whether the card of a deed has been taken back since."""
    return any(
        one.action.kind is Kind.TAKE_BACK and one.action.card is deed.action.card and one.span.t > deed.span.t
        for one in hypothesis.deeds
    )


def _never_spat(deed: Deed, hypothesis: Hypothesis) -> bool:
    """Whether a spit card for which a deed should have waited was not seen afterwards either."""
    later = hypothesis.deeds[hypothesis.deeds.index(deed) :]
    spat = {one.action.seat for one in later if one.action.kind is Kind.SPIT}
    return any(seat not in spat for seat in deed.before.due)
