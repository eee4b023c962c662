"""What players tell the referee is believed: hypotheses and positions with it taken for true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from referee.cards import UNKNOWN
from referee.rules.actions import Action, Kind
from referee.rules.moving import Impossible
from referee.rules.position import Position, start
from referee.rules.ruling import Verdict
from referee.rules.state import Phase, Reason, RoundEnd
from referee.rules.step import step
from referee.tracking.doing import done
from referee.tracking.hypothesis import Deed, Hypothesis, Span
from referee.tracking.resync import taken_up

SAME: Final = 3.0
"""An action told within so long of the same one, as it was seen, is that one, s."""

LATELY: Final = 8.0
"""For so long players speak of a fault that was found, s, whatever was done since."""


def meant(spoken: Sequence[tuple[int, Deed | None]], now: float) -> int:
    """The place of the ruling that players who take one back at ``now``, s, mean: the last fault, if it is not old."""
    for place in reversed(range(len(spoken))):
        deed = spoken[place][1]
        if deed is not None and deed.span.told >= now - LATELY and deed.ruling.verdict is not Verdict.LEGAL:
            return place
    return len(spoken) - 1


def without(
    hypothesis: Hypothesis, number: int, deed: Deed, after: Sequence[tuple[int, Deed | None]] = ()
) -> Hypothesis:
    """The hypothesis with what was said of ``deed`` as commit ``number`` not done.

    What was done after it stands where it still can have been; nothing is waited for where the card was or went.
    ``after`` is what was said since, with its number: the hypothesis need not remember all of it.
    """
    deeds = hypothesis.deeds
    index = next((index for index, one in enumerate(deeds) if one.said == number), None)
    first = () if index is None else deeds[:index]
    remembered = {one.said for one in deeds}
    forgotten = [replace(one, said=n) for n, one in after if one is not None and n not in remembered]
    later = (*forgotten, *deeds) if index is None else deeds[index + 1 :]
    base = deed.before if index is None else hypothesis.base
    made = list(first)
    for one in later:
        before = made[-1].after if made else base
        try:
            again = step(before, one.action)
        except Impossible:
            continue
        made.append(replace(one, ruling=again.ruling, before=before, after=again.position))
    expected = tuple(one for one in hypothesis.expected if not deed.touches(one.zone))
    pending = tuple(one for one in hypothesis.pending if not deed.touches(one.zone))
    return Hypothesis(hypothesis.zones, base, tuple(made), hypothesis.score, expected, pending)


def with_told(hypothesis: Hypothesis, action: Action, now: float) -> Hypothesis | None:
    """The hypothesis that ``action`` was done at its time; ``None`` if it cannot have been."""
    assert action.t is not None
    if deed_told(hypothesis, action) is not None:
        return hypothesis
    span = Span(action.t, action.t, now, (0, 0))
    under = _first_unasked_spit(hypothesis, action.t) if action.kind is Kind.CALL else None
    after = done(hypothesis, action, span, under=under)
    if after is None:
        return None
    zones = (action.source, action.target)
    expected = tuple(one for one in after.expected if one.zone not in zones)
    pending = tuple(one for one in after.pending if one.zone not in zones)
    return replace(after, expected=expected, pending=pending)


def deed_told(hypothesis: Hypothesis, action: Action) -> Deed | None:
    """The deed that ``action``, told by the players, is in a hypothesis, if it is one."""
    assert action.t is not None
    wanted = (action.kind, action.seat, action.card, action.source, action.target, action.manner)
    for deed in reversed(hypothesis.deeds):
        if deed.name == wanted and deed.action.word == action.word and abs(deed.span.t - action.t) <= SAME:
            return deed
    return None


def _first_unasked_spit(hypothesis: Hypothesis, t: float) -> int | None:
    """The place of a spit that was found fault with because nobody knew that it was agreed on, if it came lately."""
    for index, deed in enumerate(hypothesis.deeds):
        if deed.ruling.reason is Reason.NOT_STUCK and t - deed.span.t <= SAME:
            return index
    return None


def afresh(position: Position) -> Position:
    """The position in which all cards are taken up to be dealt anew: after a game those of a new one.

    Who takes which pile is as the claims say, else as ``resync.taken_up`` guesses it; nobody knows any card.
    """
    phases = {side.phase for side in position.sides}
    if phases <= {Phase.DEALING, Phase.OVER} or position.result is not None or not position.rules.plan.rounds:
        return start(position.rules)
    if phases == {Phase.REDEAL}:
        return position
    if not any(position.centre) and position.claims is None:
        sides = [
            replace(side, phase=Phase.REDEAL, stock=(), reserve=(), hand=(), gathered=(UNKNOWN,) * side.held, pool=0)
            for side in position.sides
        ]
        return replace(position, sides=(sides[0], sides[1]), due=(), landed=None, unproven=False, owed=())
    over = position.claims is not None or Phase.REDEAL in phases
    end = position.round_end if over else RoundEnd(position.round, None, "passed")
    return replace(taken_up(position), round_end=end)
