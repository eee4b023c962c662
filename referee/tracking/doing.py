"""Doing something in a hypothesis: what it costs, what is judged anew after it, and what is then to be seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from referee.readings import ZoneChange
from referee.rules.actions import Action, Kind, Manner
from referee.rules.moving import Impossible
from referee.rules.position import Position
from referee.rules.step import step
from referee.table import Zone
from referee.tracking import costs
from referee.tracking.hypothesis import Deed, Disputes, Expected, Hypothesis, Span
from referee.tracking.sightings import FREE, LAID_OUT, top

AT_ONCE: Final = 0.3
"""Two times that differ by less, s, do not tell which was first."""


def done(
    hypothesis: Hypothesis,
    action: Action,
    span: Span,
    extra: float = 0.0,
    *,
    under: int | None = None,
    unseen: bool = False,
    unreached: bool = False,
) -> Hypothesis | None:
    """The hypothesis that ``action`` was done besides; ``None`` if it cannot have been.

    Args:
        hypothesis: what is thought so far.
        action: what was done; its time is that of ``span``.
        span: when.
        extra: what it costs besides its verdict.
        under: the deed before which it was done, counted in ``deeds``; without it its time decides.
        unseen: whether nobody saw where its card came from, or that it came.
        unreached: whether no hand was seen where its card lay, nor that it went.
    """
    if unreached:
        extra += costs.UNREACHED
    action = action.at(max(0.0, span.t))
    for index in (under,) if under is not None else dict.fromkeys((_place(hypothesis, action), len(hypothesis.deeds))):
        found = _insert(hypothesis, [(action, span, extra, unseen)], index)
        if found is not None and unreached:
            deeds = tuple(replace(one, unreached=one.unreached or one.span is span) for one in found.deeds)
            return replace(found, deeds=deeds)
        if found is not None:
            return found
    return None


def _place(hypothesis: Hypothesis, action: Action) -> int:
    """Where in the order of time an action belongs; never before one that touched the same zones."""
    assert action.t is not None
    index = len(hypothesis.deeds)
    while index:
        deed = hypothesis.deeds[index - 1]
        t = deed.action.t
        if t is None or t <= action.t or deed.action.kind in (Kind.DEAL, Kind.CLAIM, Kind.SLAP):
            break
        if any(zone is not None and deed.touches(zone) for zone in (action.source, action.target)):
            break
        index -= 1
    return index


def done_together(hypothesis: Hypothesis, steps: Sequence[tuple[Action, Span, float]], index: int) -> Hypothesis | None:
    """The hypothesis that several things were done one after the other before the deed at ``index``."""
    placed = [(action.at(max(0.0, span.t)), span, extra, False) for action, span, extra in steps]
    return _insert(hypothesis, placed, index)


def _insert(hypothesis: Hypothesis, steps: Sequence[tuple[Action, Span, float, bool]], index: int) -> Hypothesis | None:
    deeds = hypothesis.deeds
    position = deeds[index].before if index < len(deeds) else hypothesis.position
    made: list[Deed] = []
    cost = 0.0
    for action, span, extra, unseen in steps:
        if _too_soon((*deeds[:index], *made), action, span):
            return None
        try:
            taken = step(position, action)
        except Impossible:
            return None
        own = costs.verdict_cost(taken.ruling) + extra
        made.append(Deed(action, taken.ruling, position, taken.position, span, own, extra, None, unseen))
        position, cost = taken.position, cost + own
    again = replayed((*deeds[:index], *made), deeds[index:], hypothesis.disputes)
    if again is None:
        return None
    made_up, change, disputes = again
    after = made_up[-1].after
    expected = hypothesis.expected
    times = {zone: span.t for action, span, _, _ in steps for zone in (action.source, action.target)}
    for zone, t in times.items():
        if zone is not None and zone in hypothesis.zones and not any(later.touches(zone) for later in deeds[index:]):
            expected = _expect(hypothesis, expected, zone, top(after, zone), t)
    score = hypothesis.score + cost + change
    hypothesis = hypothesis.but(deeds=made_up, score=score, expected=expected, disputes=disputes)
    return _freed(hypothesis, after, made_up[-1].span.t)


def _too_soon(earlier: Sequence[Deed], action: Action, span: Span) -> bool:
    """Whether what an action is to have brought about was seen before the last thing that was done there."""
    zone = action.target
    if zone is None or not any(isinstance(one, ZoneChange) and one.zone is zone for one in span.evidence):
        return False
    last = next((deed for deed in reversed(earlier) if deed.touches(zone)), None)
    return last is not None and last.action.kind is not Kind.DEAL and last.span.t_from > span.t_to + AT_ONCE


def replayed(
    first: tuple[Deed, ...], later: Sequence[Deed], disputes: Disputes, base: Position | None = None
) -> tuple[tuple[Deed, ...], float, Disputes] | None:
    """``later`` deeds done anew after the ``first``, what that changes in cost, and what it disputes.

    Where there are no first ones they are done in ``base``.
    """
    made, change = list(first), 0.0
    for deed in later:
        before = made[-1].after if made else base
        assert before is not None
        try:
            again = step(before, deed.action)
        except Impossible:
            return None
        cost = costs.verdict_cost(again.ruling) + deed.extra
        change += cost - deed.cost
        moved = replace(deed, ruling=again.ruling, before=before, after=again.position, cost=cost)
        if deed.said is not None and again.ruling.verdict is not deed.ruling.verdict:
            # What has been said is judged anew, for something has come to light that was before it.
            disputes = (*(one for one in disputes if one[0] != deed.said), (deed.said, moved))
        made.append(moved)
    return tuple(made), change, disputes


def with_manner(hypothesis: Hypothesis, index: int, manner: Manner, extra: float) -> Hypothesis | None:
    """The hypothesis that the deed at ``index`` was done in a ``manner``, which costs ``extra`` besides its verdict."""
    deed = hypothesis.deeds[index]
    action = replace(deed.action, manner=manner)
    try:
        taken = step(deed.before, action)
    except Impossible:
        return None
    cost = costs.verdict_cost(taken.ruling) + deed.extra + extra
    made = replace(deed, action=action, ruling=taken.ruling, after=taken.position, cost=cost, extra=deed.extra + extra)
    disputes = hypothesis.disputes
    if deed.said is not None:
        disputes = (*(one for one in disputes if one[0] != deed.said), (deed.said, made))
    again = replayed((*hypothesis.deeds[:index], made), hypothesis.deeds[index + 1 :], disputes)
    if again is None:
        return None
    deeds, change, disputes = again
    return replace(hypothesis, deeds=deeds, score=hypothesis.score + cost - deed.cost + change, disputes=disputes)


def _expect(
    hypothesis: Hypothesis, expected: tuple[Expected, ...], zone: Zone, outcome: int, t: float
) -> tuple[Expected, ...]:
    queue = [one for one in expected if one.zone is zone]
    before = queue[-1].outcome if queue else top(hypothesis.position, zone)
    if before == outcome:
        return expected
    if queue and queue[0].before == outcome:
        # It shows again what it showed before anything of this was seen: nothing will be told.
        return tuple(one for one in expected if one.zone is not zone)
    return (*expected, Expected(zone, outcome, before, t))


def _freed(hypothesis: Hypothesis, position: Position, t: float) -> Hypothesis:
    """Without what is no longer waited for because the cards there are being gathered since ``t``, s."""
    if not hypothesis.expected and not hypothesis.pending:
        return hypothesis
    if all(side.phase in LAID_OUT for side in position.sides):
        return hypothesis
    expected = tuple(one for one in hypothesis.expected if top(position, one.zone) != FREE)
    pending = tuple(one for one in hypothesis.pending if top(position, one.zone) != FREE)
    if len(expected) == len(hypothesis.expected) and len(pending) == len(hypothesis.pending):
        return hypothesis
    lost = sum(one.t < t for one in hypothesis.pending) - sum(one.t < t for one in pending)
    return hypothesis.but(expected=expected, pending=pending, score=hypothesis.score + lost * costs.LOST)
