"""Rounds that ended otherwise than was seen: a card that came down unseen ended one, or kept one from ending."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from referee.readings import EMPTY
from referee.rules.actions import Action, Kind
from referee.rules.state import Phase
from referee.table import CENTRES, Zone, ZoneKind
from referee.tracking import costs
from referee.tracking.covered import CARRY, leaving, under_deed
from referee.tracking.doing import done
from referee.tracking.hands import Hands
from referee.tracking.hypothesis import Deed, Hypothesis, Span, raced
from referee.tracking.sightings import FREE, Sighting, top

CARRIED: Final = 1.0
"""A hand that took up the last card comes over the pile on which it puts it within so long, s."""

LANDS: Final = 0.1
"""The card comes down so long after the hand has come there, about, s."""


def lost_before_the_end(hypothesis: Hypothesis, sighting: Sighting) -> int | None:
    """The deed, not said yet, that ended the round, if a stock pile had lost a card before that, and it is told now."""
    zone = sighting.zone
    if zone.kind is not ZoneKind.STOCK or top(hypothesis.position, zone) != FREE:
        return None
    for index in range(len(hypothesis.deeds) - 1, -1, -1):
        deed = hypothesis.deeds[index]
        if top(deed.before, zone) != FREE:
            known = leaving(deed.before, sighting) is not None and deed.said is None
            return index if known and sighting.t < deed.span.t - CARRY else None
    return None


def kept_going(hypothesis: Hypothesis, sighting: Sighting, ending: int) -> Iterator[Hypothesis]:
    """The card that was lost came down, unseen, under the one that ended the round, which therefore may not have."""
    deed = hypothesis.deeds[ending]
    card, seat, target = leaving(deed.before, sighting), sighting.zone.seat, deed.action.target
    if card is None or not card.known or seat is None or target not in CENTRES or deed.action.kind is not Kind.PLAY:
        return
    there = _another_raced(deed, sighting, target)
    span, cost = under_deed(deed, sighting)
    cost += costs.TWO_HANDS_THERE * there
    after = done(hypothesis, Action(Kind.PLAY, seat, card, sighting.zone, target), span, cost, under=ending)
    if after is not None and top(after.position, sighting.zone) != FREE:
        yield after


def finished_unseen(hypothesis: Hypothesis, sighting: Sighting, hands: Hands) -> Iterator[tuple[Hypothesis, Zone]]:
    """A pile is taken up: the last card of a stock came down unseen and ended the round; whence it came."""
    position = hypothesis.position
    if sighting.best != EMPTY or position.claims is not None:
        return
    for loss in hypothesis.pending:
        card, seat = leaving(position, loss), loss.zone.seat
        if card is None or not card.known or seat is None or loss.best != EMPTY:
            continue
        side = position.sides[seat]
        if side.phase is not Phase.PLAY or sum(map(len, side.stock)) != 1:
            continue
        for target in CENTRES:
            since = loss.change.t_from
            for t in hands.comings(seat, target, since, since + CARRIED)[:1]:
                span = Span(t, t + LANDS, sighting.change.t_seen, sighting.change.frames, (loss.change,))
                played = Action(Kind.PLAY, seat, card, loss.zone, target)
                after = done(hypothesis, played, span, costs.COVERED + costs.TWO_HANDS_THERE)
                if after is not None and after.position.claims is not None:
                    yield after, loss.zone


def _another_raced(deed: Deed, loss: Sighting, target: Zone) -> bool:
    return deed.action.seat is not loss.zone.seat and raced(deed, loss, target)
