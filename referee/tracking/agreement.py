"""Hypotheses and what has been said: who agrees with it, who disputes it, and who has come round to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from referee.cards import UNKNOWN
from referee.rules.actions import Kind
from referee.tracking.doing import AT_ONCE
from referee.tracking.hypothesis import Deed, Hypothesis


def agreed(hypotheses: Iterable[Hypothesis], deed: Deed, number: int, now: float, limit: float) -> list[Hypothesis]:
    """The hypotheses once ``deed`` has been said as commit ``number``: each has it, or disputes it.

    Those that dispute it and weigh less than ``limit`` at the time ``now`` go.
    """
    kept = []
    for hypothesis in hypotheses:
        other = counterpart(hypothesis, deed)
        agrees = other is not None and same(other, deed)
        if not agrees and hypothesis.weight(now) < limit:
            continue
        said = None
        if other is not None:
            said = replace(other, said=number)
            hypothesis = replace(hypothesis, deeds=tuple(said if one is other else one for one in hypothesis.deeds))
        if not agrees:
            hypothesis = replace(hypothesis, disputes=(*hypothesis.disputes, (number, said)))
        kept.append(hypothesis)
    return kept


def reconciled(hypothesis: Hypothesis, recent: Mapping[int, Deed]) -> Hypothesis:
    """What a hypothesis has come to think of may be what has been said without it: ``recent`` has that by number."""
    for number, instead in hypothesis.disputes:
        deed = recent.get(number)
        other = None if instead is not None or deed is None else counterpart(hypothesis, deed)
        if deed is None or other is None:
            continue
        now = replace(other, said=number)
        deeds = tuple(now if one is other else one for one in hypothesis.deeds)
        disputes = tuple(one for one in hypothesis.disputes if one[0] != number)
        if not same(other, deed):
            disputes = (*disputes, (number, now))
        hypothesis = replace(hypothesis, deeds=deeds, disputes=disputes)
    return hypothesis


def counterpart(hypothesis: Hypothesis, deed: Deed) -> Deed | None:
    """What a hypothesis has in the place of a deed that is not said yet: the same, or another that explains as much."""
    rival = None
    for one in hypothesis.deeds:
        if one.said is None:
            if one.name == deed.name:
                return one
            if rival is None and _rivals(one, deed):
                rival = one
    return rival


def _rivals(one: Deed, other: Deed) -> bool:
    """Whether two deeds explain the same change in different ways, or one names the card the other could not."""
    if one.name == other.name:
        return False
    # Nobody does the same with two cards so soon after each other: one of them was misread.
    at_once = other.action.card is UNKNOWN or abs(one.span.t - other.span.t) < AT_ONCE
    if at_once and one.name[:2] == other.name[:2] and one.name[3:] == other.name[3:]:
        return True
    # The same card in another manner, as one of two at once.
    if at_once and one.name[:5] == other.name[:5]:
        return True
    if one.action.kind is other.action.kind is Kind.CLAIM and one.action.target is other.action.target:
        return True
    return any(seen is also for seen in one.span.evidence for also in other.span.evidence)


def same(one: Deed, other: Deed) -> bool:
    """Whether two deeds are the same, with the same verdict."""
    return one.name == other.name and one.ruling.verdict is other.ruling.verdict


def dispute_key(number: int, deed: Deed | None) -> tuple[object, ...]:
    """What two disputes that are the same share."""
    return (number,) if deed is None else (number, deed.name, deed.ruling.verdict)


def disputed(hypothesis: Hypothesis) -> set[tuple[object, ...]]:
    return {dispute_key(number, deed) for number, deed in hypothesis.disputes}
