"""Hypotheses in which the deal that lies on the table was dealt, and those that still wait for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from referee.rules.state import Phase
from referee.table import CENTRES, Zone, ZoneKind
from referee.tracking import costs
from referee.tracking.dealing import dealers, dealt
from referee.tracking.doing import done
from referee.tracking.hands import Hands
from referee.tracking.hypothesis import Hypothesis, span_of
from referee.tracking.search import DEPTH, Search
from referee.tracking.sightings import Sighting


def with_deals(
    hypotheses: Iterable[Hypothesis],
    latest: Mapping[Zone, Sighting],
    since: float,
    told: float,
    hands: Hands,
    *,
    first: bool,
) -> list[Hypothesis]:
    """The hypotheses after a change, with the deal where one is waited for and lies there.

    Args:
        hypotheses: before that.
        latest: what each zone shows.
        since: when the cards were taken up, s.
        told: when the change was told, s.
        hands: what was seen besides.
        first: whether nothing has been said yet: the first deal stands from the beginning.
    """
    found = []
    for hypothesis in hypotheses:
        if dealers(hypothesis.position):
            hurried = any(one.zone.kind is ZoneKind.CENTRE for one in hypothesis.pending)
            made = dealt(hypothesis.position, latest, since, hurried=hurried)
            if made is not None:
                action, last, cost = made
                span = replace(span_of(last), told=told)
                if hypothesis.position.round == 1 and not hypothesis.deeds and first:
                    span = replace(span, t_from=0.0, t_to=0.0)
                dealt_out = done(hypothesis, action, span, cost)
                if dealt_out is not None:
                    found += Search(hands).resume(dealt_out, CENTRES, DEPTH)
                    continue
        found.append(hypothesis)
    playing = {
        one.position.round_end
        for one in found
        if all(side.phase in (Phase.BEFORE_SPIT, Phase.PLAY) for side in one.position.sides)
    }
    # Whoever still waits for the deal that others have seen takes anything for a part of it.
    return [
        one.plus(costs.UNDEALT) if dealers(one.position) and one.position.round_end in playing else one for one in found
    ]
