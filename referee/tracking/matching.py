"""What was seen is what was expected: the deed it confirms gets the time of it."""

from __future__ import annotations

from dataclasses import replace

from referee.table import ZoneKind
from referee.tracking import costs
from referee.tracking.hypothesis import Hypothesis, Span
from referee.tracking.sightings import Sighting


def match(hypothesis: Hypothesis, sighting: Sighting, index: int) -> Hypothesis:
    """``sighting`` is what was expected as number ``index`` in its zone; what came before it there was covered."""
    queue = hypothesis.expected_at(sighting.zone)
    met, passed = queue[index], queue[: index + 1]
    kept = tuple(one for one in hypothesis.expected if one not in passed)
    rest = queue[index + 1 :]
    if rest:
        after = replace(rest[0], before=met.outcome)
        kept = tuple(after if one is rest[0] else one for one in kept)
    cost = sighting.fit[met.outcome] + _carried(hypothesis, sighting)
    hypothesis = hypothesis.but(expected=kept, score=hypothesis.score + cost)
    return _timed(hypothesis, sighting, met.outcome)


def _carried(hypothesis: Hypothesis, sighting: Sighting) -> float:
    """What it costs that the card which left a stock pile came down when it is thought to have.

    That it was seen to leave makes good that no hand was seen there.
    """
    if sighting.zone.kind is not ZoneKind.RESERVE:
        for deed in reversed(hypothesis.deeds):
            if deed.touches(sighting.zone):
                if deed.action.source is not sighting.zone:
                    return 0.0
                change = sighting.change
                taken = (
                    change.t_to
                    if deed.action.card is None
                    else max(change.t_to, hypothesis.held_until(deed.action.card.code))
                )
                went = -costs.UNREACHED if deed.unreached else 0.0
                if sighting.zone.kind is ZoneKind.CENTRE:
                    return went
                return went + costs.carried(deed.span.t_from - taken, deed.span.t_to - change.t_from)
    return 0.0


def _timed(hypothesis: Hypothesis, sighting: Sighting, outcome: int) -> Hypothesis:
    """The deed whose card was now seen at its destination gets the time of that."""
    for index in range(len(hypothesis.deeds) - 1, -1, -1):
        deed = hypothesis.deeds[index]
        if deed.action.target is not sighting.zone:
            continue
        card = deed.action.card
        if deed.said is not None or card is None or (card.code != outcome and card.known):
            return hypothesis
        evidence, change = deed.span.evidence, sighting.change
        if change not in evidence:
            evidence = (*evidence, change)
        elif deed.span.t_from > change.t_to:
            # It was inferred from this, and given a time at which it can have been done.
            return hypothesis
        frames = (min(deed.span.frames[0], change.frames[0]), max(deed.span.frames[1], change.frames[1]))
        span = Span(change.t_from, change.t_to, deed.span.told, frames, evidence)
        timed = deed.at(span)
        deeds = hypothesis.deeds
        return hypothesis.but(deeds=(*deeds[:index], timed, *deeds[index + 1 :]))
    return hypothesis
