"""Spit cards that the ledger did not expect: when both players turn theirs together, it is the ledger that is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from referee.rules.actions import Kind
from referee.rules.ruling import Ruling, Verdict
from referee.rules.state import Reason
from referee.rules.stuck import stalemate
from referee.table import Seat, Zone
from referee.tracking import costs
from referee.tracking.doing import replayed
from referee.tracking.hypothesis import Deed, Hypothesis

TOGETHER: Final = 1.2
"""Two players do the same within so long because the table asks for it, s."""

STRAY: Final = -3.0
"""A spit card goes onto the pile of the other player's."""

ANSWER: Final = -1.0 - costs.FAULTS[Reason.NOT_STUCK]
"""Who turns a card because the other does is no more at fault than the other; if neither is, both agreed to."""


def answers(hypothesis: Hypothesis, seat: Seat, target: Zone, t: float) -> bool:
    """Whether a card of ``seat``'s on ``target`` at ``t``, s, goes with a spit of the other's that was not expected."""
    position = hypothesis.position
    return target.index == position.home[seat] and any(
        deed.action.kind is Kind.SPIT
        and deed.action.seat is seat.other
        and deed.ruling.reason is Reason.NOT_STUCK
        and deed.action.target is not target
        and abs(deed.span.t - t) <= TOGETHER
        for deed in hypothesis.deeds
    )


def accused(said: Mapping[int, Deed], spat: Deed, hypothesis: Hypothesis) -> list[tuple[int, Deed]]:
    """The other player's spits together with ``spat`` that were ``said`` to be at fault, with the ruling left open.

    Not one that was taken back: that admits the fault.
    """
    back = {one.action.card for one in hypothesis.deeds if one.action.kind is Kind.TAKE_BACK}
    return [
        (number, replace(deed, ruling=Ruling(deed.action, Verdict.UNDECIDED, None, deed.ruling.rules)))
        for number, deed in said.items()
        if deed.action.kind is spat.action.kind is Kind.SPIT
        and deed.action.seat is not spat.action.seat
        and deed.ruling.reason is Reason.NOT_STUCK
        and deed.action.card not in back
        and abs(deed.span.t - spat.span.t) <= TOGETHER
    ]


def unexpected(hypothesis: Hypothesis, seat: Seat, target: Zone, t: float) -> float:
    """What it costs, besides the verdict, that ``seat`` spits on ``target`` at ``t``, s, where nobody is to."""
    position = hypothesis.position
    if position.due or stalemate(position):
        return 0.0
    if answers(hypothesis, seat, target, t):
        return ANSWER
    return 0.0 if target.index == position.home[seat] else STRAY


def forgiven(hypothesis: Hypothesis, number: int) -> Hypothesis:
    """The hypothesis in which nothing is owed any more once both have spat against the ledger.

    ``number`` is the commit by which the last of these spits was said; while one has yet to be, nothing changes.
    """
    deeds = hypothesis.deeds
    index = next((index for index, deed in enumerate(deeds) if deed.said == number), None)
    if index is None or any(deed.action.kind is Kind.SPIT for deed in deeds[index + 1 :]):
        return hypothesis
    base = replace(deeds[index].after, owed=())
    again = replayed((), deeds[index + 1 :], hypothesis.disputes, base)
    if again is None:
        return hypothesis
    made, change, disputes = again
    return replace(hypothesis, base=base, deeds=made, score=hypothesis.score + change, disputes=disputes)
