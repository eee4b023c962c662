"""When what is thought to have been done is said, and with what ruling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from referee.readings import ZoneChange
from referee.rules.actions import Kind
from referee.rules.ruling import Ruling, Verdict
from referee.rules.state import Reason
from referee.table import ZoneKind
from referee.tracking.agreement import counterpart
from referee.tracking.doubts import doubtful, on_what_lies_below
from referee.tracking.hands import Hands
from referee.tracking.hypothesis import Deed, Hypothesis
from referee.tracking.settings import Settings

_FITTING: Final = 0.97
"""Share of the cards people play that fit."""


def weights(beam: Sequence[Hypothesis], now: float) -> list[float]:
    """The probabilities of hypotheses at the time ``now``, s."""
    logs = [one.weight(now) for one in beam]
    shares = [math.exp(one - max(logs)) for one in logs]
    return [share / sum(shares) for share in shares]


def ready(
    beam: Sequence[Hypothesis], now: float, settings: Settings, hands: Hands
) -> tuple[Deed, float, Ruling] | None:
    """The next thing to be said, with how probable it is and the ruling on it, if it is time.

    Args:
        beam: the hypotheses, the best first.
        now: the time, s.
        settings: how long is waited, and how sure is sure enough.
        hands: what was seen besides.
    """
    best = beam[0]
    deed = next((deed for deed in best.deeds if deed.said is None), None)
    if deed is None:
        return None
    so, ruled = 0.0, dict.fromkeys(Verdict, 0.0)
    for weight, hypothesis in zip(weights(beam, now), beam, strict=True):
        other = counterpart(hypothesis, deed)
        if other is not None:
            so += weight * (other.name == deed.name)
            ruled[other.ruling.verdict] += weight
    accuses = deed.ruling.verdict is Verdict.ILLEGAL
    # Nobody is accused of what may not have been done at all, however surely it would have been illegal.
    agreed = ruled[deed.ruling.verdict] / (1.0 if accuses else sum(ruled.values()))
    age = now - deed.span.told
    patience, lag = 0.0, settings.doubt
    # Races are decided by cards that lie covered: more is hardly ever seen of them by waiting.
    if agreed >= _clear(deed, settings):
        # A fault is said in time to be put right, and with it what was done before.
        hurried = any(one.said is None and one.ruling.verdict is Verdict.ILLEGAL for one in best.deeds)
        soon, lag = (settings.hurry, settings.soon) if hurried else (settings.soon, settings.lag)
        lag = soon if so >= settings.mend else lag
    # Whose pile it was that went shows as the other one goes, by another hand.
    if deed.action.kind is Kind.CLAIM:
        lag = patience = settings.lag
    # A card that nobody saw come down may be in the hand still; and where the other spits as well nobody is at fault.
    unsure = accuses and (_unseen(deed) or deed.ruling.reason is Reason.NOT_STUCK)
    if unsure or (on_what_lies_below(deed) and hands.contest(deed, best)):
        lag = patience = settings.doubt
    if age < lag and (min(so, agreed) < settings.sure or age < patience):
        return None
    ruling = deed.ruling
    known = so >= settings.deed if accuses else True
    needed = _needed(deed, settings) if accuses else 0.5
    if ruling.verdict is not Verdict.UNDECIDED and not (known and agreed >= needed and not doubtful(deed, best, hands)):
        ruling = Ruling(ruling.action, Verdict.UNDECIDED, None, ruling.rules, None, False, ruling.against)
    if ruling.verdict is Verdict.UNDECIDED and ruling is deed.ruling and _right_as_a_rule(deed, best):
        return deed, _FITTING * min(so, agreed), Ruling(ruling.action, Verdict.LEGAL, None, ruling.rules)
    return deed, min(so, agreed), ruling


def _clear(deed: Deed, settings: Settings) -> float:
    """How probable a verdict has to be not to be in doubt."""
    if deed.ruling.verdict is not Verdict.ILLEGAL:
        return settings.mend
    return settings.late if deed.ruling.reason is Reason.LATE else settings.sure


def _needed(deed: Deed, settings: Settings) -> float:
    """How probable a fault has to be to be called one."""
    if _unseen(deed):
        return settings.sure
    return settings.late if deed.ruling.reason is Reason.LATE else settings.accuse


def _unseen(deed: Deed) -> bool:
    """Whether nobody has seen the card of a deed lie on the centre pile where it is thought not to fit."""
    target = deed.action.target
    if deed.action.kind is not Kind.PLAY or target is None or target.kind is not ZoneKind.CENTRE:
        return False
    if deed.ruling.reason is Reason.LATE:
        return False
    return not any(isinstance(one, ZoneChange) and one.zone is target for one in deed.span.evidence)


def _right_as_a_rule(deed: Deed, hypothesis: Hypothesis) -> bool:
    """Whether all that leaves it open is a card that nobody saw: people play what fits, and both spit when stuck."""
    action = deed.action
    if action.kind is Kind.SPIT:
        return any(one.action.kind is Kind.SPIT and one.action.seat is not action.seat for one in hypothesis.deeds)
    return action.kind is Kind.PLAY and action.card is not None and action.card.known
