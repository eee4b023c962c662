"""What was seen lately besides the changes: hands, and how each card was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from referee.readings import Reach, ZoneChange
from referee.rules.actions import Kind
from referee.table import RESERVES, Seat, Zone, ZoneKind
from referee.tracking import costs
from referee.tracking.hypothesis import Deed, Hypothesis
from referee.tracking.sightings import Sighting

_AGAIN: Final = 0.02
"""Hands that come so far apart, s, come twice."""

_FETCHES: Final = (0.18, 1.5)
"""A hand that takes a card from the reserve is there for so long, s: a shorter one passes, a longer one rests."""

_BROUGHT: Final = 0.75
"""Such a card comes down no later than this after the hand has left the reserve, s."""

_STOPS: Final = 0.12
"""A hand that is over another pile for so long on its way has stopped there, s."""


@dataclass(frozen=True, slots=True)
class Hands:
    """What was seen lately besides the changes: hands, and how each card was read.

    Attributes:
        reaches: hands over zones.
        read: for the code of a card, the last changes in which it was read.
        pushed: for a zone, the last change that told that its card had been moved about where it lies.
    """

    reaches: tuple[Reach, ...] = ()
    read: Mapping[int, tuple[Sighting, ...]] = field(default_factory=dict)
    pushed: Mapping[Zone, ZoneChange] = field(default_factory=dict)

    def were(self, seat: Seat, zone: Zone, t: float) -> bool:
        """Whether a hand of ``seat`` was over ``zone`` in the second and a half before ``t``."""
        return any(
            reach.zone is zone and reach.seat is seat and reach.t_from <= t and reach.t_end >= t - 1.5
            for reach in self.reaches
        )

    def stay(self, seat: Seat, zone: Zone, since: float, t: float) -> float:
        """How long a hand of ``seat`` that came after ``since`` was over ``zone`` before ``t``, s.

        Coming back counts besides; what was long before does not count.
        """
        times = [
            min(reach.t_end, t) - reach.t_to
            for reach in self.reaches
            if reach.zone is zone and reach.seat is seat and since < reach.t_to <= t and reach.t_end >= t - 1.3
        ]
        return sum(times) + 0.2 * max(0, len(times) - 1)

    def comings(self, seat: Seat, zone: Zone, since: float, until: float) -> list[float]:
        """When hands of ``seat`` were seen to come over ``zone`` between two times, s; one that is told twice once."""
        times = sorted(
            one.t_from for one in self.reaches if one.zone is zone and one.seat is seat and since < one.t_from <= until
        )
        return [t for index, t in enumerate(times) if index == 0 or t - times[index - 1] > _AGAIN]

    def idle(self, seat: Seat, zone: Zone, since: float, until: float, hypothesis: Hypothesis) -> Reach | None:
        """The last hand of ``seat`` that came over ``zone`` between two times, s, and did nothing that is known of."""
        for reach in reversed(self.reaches):
            if reach.zone is not zone or reach.seat is not seat or not since <= reach.t_from <= until:
                continue
            if not any(
                deed.touches(zone) and deed.action.seat is seat and _busy(deed, zone, reach)
                for deed in hypothesis.deeds
            ):
                return reach
        return None

    def fetched(self, hypothesis: Hypothesis, seat: Seat, t: float) -> float:
        """What hands say for a card of ``seat``'s that came down at ``t``, s, having come from its reserve.

        Of 181 such cards 152 came with a hand that was at the reserve last, and stayed; of 705 others one did. Where
        both players' hands were at their reserves, as when both spit, that does not tell whose card it is.
        """
        own = self._brought(hypothesis, seat, t)
        if own is None:
            return costs.FROM_ELSEWHERE if self._stopped(seat, t - 1.0, t) else costs.NO_HAND
        return max(own, self._brought(hypothesis, seat.other, t) or 0.0)

    def _brought(self, hypothesis: Hypothesis, seat: Seat, t: float) -> float | None:
        """What it is worth that a hand of ``seat`` was at its reserve before ``t``, s; None if none was."""
        reserve = RESERVES[seat]
        reach = self.idle(seat, reserve, t - _FETCHES[1] - _BROUGHT, t, hypothesis)
        if reach is None or not self.were(seat, reserve, t):
            return None
        left = reach.t_end
        if not (_FETCHES[0] <= left - reach.t_to <= _FETCHES[1] and left <= t <= left + _BROUGHT):
            return 0.0
        return costs.FETCHED_ON_THE_WAY if self._stopped(seat, left, t) else costs.FETCHED

    def _stopped(self, seat: Seat, since: float, until: float) -> bool:
        """Whether a hand of ``seat`` that came between two times, s, stopped over one of its stock piles."""
        return any(
            one.seat is seat
            and one.zone.seat is seat
            and one.zone.kind is ZoneKind.STOCK
            and since <= one.t_from <= until
            and min(one.t_end, until) - one.t_to >= _STOPS
            for one in self.reaches
        )

    def contest(self, deed: Deed, hypothesis: Hypothesis) -> bool:
        """Whether the other player's hand was at the pile at the same time, and nothing is known to have come of it."""
        action = deed.action
        if action.kind is not Kind.PLAY or action.seat is None or action.target is None:
            return False
        other, t = action.seat.other, deed.span.t
        return any(
            reach.zone is action.target
            and reach.seat is other
            and reach.t_from <= t + 0.1
            and reach.t_end >= t - 0.3
            and not any(
                one.action.seat is other and _accounts_for(one, reach) for one in hypothesis.deeds if _moves(one)
            )
            for reach in self.reaches
        )

    def seen_by(self, hypothesis: Hypothesis) -> Hypothesis:
        """The hypothesis with the hands taken into account that put cards down unseen."""
        came = [(deed.action.seat, deed.action.target) for deed in hypothesis.deeds if deed.unseen]
        if came:
            for reach in self.reaches:
                if (reach.seat, reach.zone) in came:
                    hypothesis = reached(hypothesis, reach)
        return hypothesis


def _moves(deed: Deed) -> bool:
    """Whether a card was moved: a hand is taken for a slap only because none is known of."""
    return deed.action.kind is not Kind.SLAP


def _accounts_for(deed: Deed, reach: Reach) -> bool:
    """Whether a hand over a centre pile was there for a deed, or put its card down on the other pile meanwhile."""
    if deed.touches(reach.zone):
        return reach.t_from - 0.2 <= deed.span.t_to and deed.span.t_from <= reach.t_end + 0.2
    target = deed.action.target
    put = deed.action.kind in (Kind.PLAY, Kind.SPIT) and target is not None and target.kind is ZoneKind.CENTRE
    return put and reach.t_from - 0.15 <= deed.span.t <= reach.t_end + 0.15


def _busy(deed: Deed, zone: Zone, reach: Reach) -> bool:
    """Whether a hand was there for a deed: a card comes down while it is there, and was taken up some time before."""
    before = 0.8 if deed.action.source is zone else 0.15
    return reach.t_from - 0.15 <= deed.span.t <= reach.t_end + before


def reached(hypothesis: Hypothesis, reach: Reach) -> Hypothesis:
    """A hand was seen where cards may have come down unseen: those of its player are the more probable for it."""
    if reach.zone.kind is not ZoneKind.CENTRE:
        return hypothesis
    made, gained = list(hypothesis.deeds), 0.0
    for index, deed in enumerate(hypothesis.deeds):
        if _put_down_by(deed, reach):
            later = hypothesis.deeds[index + 1 :]
            again = [one for one in later if one.action.seat is reach.seat and one.action.target is reach.zone]
            below = [one.span.t for one in hypothesis.deeds[:index] if one.action.target is reach.zone][-1:]
            if again and (reach.t_end >= min(one.span.t for one in again) or below > [reach.t_from]):
                # This hand was there before what lies below, or put down the player's next card.
                continue
            gain = costs.CAME_TWICE if again else costs.TWO_HANDS_THERE
            made[index] = replace(deed, cost=deed.cost + gain, extra=deed.extra + gain, unseen=False)
            gained += gain
    return hypothesis.but(deeds=tuple(made), score=hypothesis.score + gained) if gained else hypothesis


def _put_down_by(deed: Deed, reach: Reach) -> bool:
    if not deed.unseen or deed.action.seat is not reach.seat or deed.action.target is not reach.zone:
        return False
    # A hand is over a pile before its card is.
    return reach.t_from <= deed.span.t_to and deed.span.t_from <= reach.t_end + 0.15
