"""Hands that carry no card: slaps on centre piles, and touches of cards that are not one's own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from referee.readings import BACK, Reach, ZoneChange
from referee.rules.actions import MOVES, Action, Kind
from referee.rules.position import Position
from referee.rules.state import Phase
from referee.table import CENTRES, Seat, Zone, ZoneKind
from referee.tracking.hands import Hands
from referee.tracking.hypothesis import Hypothesis, Span

CERTAIN: Final = 0.6
"""A hand less certain than this is nobody's."""

ALONE: Final = 0.8
"""A hand less certain than this has touched another player's card only if that was moved meanwhile."""

PUSHED_MM: Final = 4.0
"""A card that lies further from where it lay has been moved, mm."""

LIFTS: Final = 0.5
"""A hand on a pile that takes it away sooner than this has not slapped it, s."""

RESTS: Final = 0.2
"""A hand that stays on a pile in play for less than this has only passed, s."""

LIES: Final = 0.4
"""The same of a hand that lies flat on a pile, s."""

LINGERS: Final = 0.8
"""A hand that stays longer than this has been resting, or could not make up its mind, s."""

AFTER: Final = 0.1
"""The hand that ends a round is gone from the pile so long after, s."""

WAIT: Final = 0.45
"""So long after a hand has left nothing more can be expected to show what it did, s."""

SHOWN: Final = 0.3
"""The same of a hand over another player's cards: no more can show than that one of them went, s."""

BOTH: Final = 0.2
"""A hand is not in two places for so long, s."""

_NEAR: Final = 0.25
"""A hand is told of as far from the touch of its card as this, s."""

_CARRIED: Final = 0.8
"""A card comes down so long after a hand has taken it up, s."""

_HOVERS: Final = 1.0
"""A hand that was over a centre pile so short a time before hovers about the piles, s."""

_CLAIMING: Final = (Kind.SLAP, Kind.CLAIM)

_PLAYING: Final = (Phase.PLAY, Phase.BEFORE_SPIT)


def span_of_reach(reach: Reach, now: float) -> Span:
    """The span of a hand that came."""
    return Span(reach.t_from, reach.t_to, now, reach.frames, (reach,))


def is_over(reach: Reach, now: float, wait: float = WAIT) -> bool:
    """Whether by now, so long after it left, all is seen that can tell what a hand was there for."""
    return now >= min(reach.t_end, reach.t_to + 3.0) + wait


def slap_in(hypothesis: Hypothesis, reach: Reach, now: float) -> tuple[Action, int] | None:
    """The slap that a hand on a centre pile is once a round is over, and the deed it was done before.

    Hands are told of when they leave, and the first on a pile may leave last: the table is looked at as it lay then.
    """
    seat, t = reach.seat, (reach.t_from + reach.t_to) / 2
    if seat is None or reach.zone.kind is not ZoneKind.CENTRE or reach.certainty < CERTAIN or now < t + LIFTS:
        return None
    index = len(hypothesis.deeds)
    while index and hypothesis.deeds[index - 1].action.kind in _CLAIMING and hypothesis.deeds[index - 1].span.t > t:
        index -= 1
    later = hypothesis.deeds[index:]
    position = later[0].before if later else hypothesis.position
    claims = position.claims
    if claims is None or position.sides[seat].phase is not Phase.CLAIM or seat in claims.slapped:
        return None
    if any(deed.action.kind is Kind.SLAP and deed.action.seat is seat for deed in later):
        return None
    waits_for_choice = claims.piles[seat] is None and claims.chooser not in (None, seat)
    ended = _ended(hypothesis)
    if reach.zone.index not in position.open_piles or waits_for_choice or (ended is not None and t < ended + AFTER):
        return None
    if any(
        deed.action.kind is Kind.CLAIM
        and deed.action.seat is seat
        and deed.action.target is reach.zone
        and deed.span.t < t + LIFTS
        for deed in later
    ):
        return None
    return Action(Kind.SLAP, seat, target=reach.zone, t=t), index


def claiming(hypothesis: Hypothesis) -> bool:
    """Whether piles are being claimed, or have been lately."""
    return hypothesis.position.claims is not None or any(deed.action.kind is Kind.CLAIM for deed in hypothesis.deeds)


def harmless(reach: Reach) -> bool:
    """Whether a hand can only have been about its own player's cards."""
    return reach.seat is None or reach.zone.seat is reach.seat or reach.certainty < CERTAIN


def _ended(hypothesis: Hypothesis) -> float | None:
    """When the round ended, s, if that was lately."""
    for deed in reversed(hypothesis.deeds):
        if deed.after.round_end is not deed.before.round_end:
            return deed.span.t
    return None


def is_pushed(change: ZoneChange) -> bool:
    """Whether a change tells that the card of a stock pile was moved about, and is still the top one."""
    before, after = change.before, change.after
    if before is None or not change.moved or after.best >= BACK or before.pose is None or after.pose is None:
        return False
    return bool(np.hypot(before.pose.x - after.pose.x, before.pose.y - after.pose.y) > PUSHED_MM)


def fault_in(hypothesis: Hypothesis, reach: Reach, hands: Hands, now: float) -> Action | None:
    """What a hand did that it must not, and that moved no card; ``None`` if it did nothing of the kind.

    ``hands`` are those seen before. One that comes to a pile from its player's own cards carries one that it may find
    no place for, as in every lost race; and one that hovers about the piles waits for its chance. One that lies over
    two of the other player's piles has touched the one whose card was moved, if any was.
    """
    seat, zone, lately = reach.seat, reach.zone, hands.reaches
    also = [one for one in lately if _is_also_over(one, reach)]
    wait = SHOWN if zone.seat is not None and not also else WAIT
    if seat is None or reach.certainty < CERTAIN or not is_over(reach, now, wait):
        return None
    position = hypothesis.position
    if not {side.phase for side in position.sides} <= set(_PLAYING):
        return None
    t = (reach.t_from + reach.t_to) / 2
    if _moved_cards(hypothesis, seat, zone, reach) or any(one.zone is zone for one in hypothesis.pending):
        return None
    if zone.seat is seat.other:
        pushed = _pushed(reach, hands)
        if _at_home(reach, lately) or (reach.certainty < ALONE and not pushed) or _touched(hypothesis, reach):
            return None
        if not pushed and any(_pushed(one, hands) for one in also):
            return None
        return Action(Kind.TOUCH, seat, target=zone, t=t)
    stayed = min(reach.t_end, now) - reach.t_to
    passing = any(_moved_cards(hypothesis, seat, centre, reach) for centre in CENTRES)
    slapping = zone.kind is ZoneKind.CENTRE and (LIES if reach.flat else RESTS) <= stayed <= LINGERS and not passing
    slapping = slapping and not (_elsewhere if reach.flat else _about_the_piles)(reach, lately)
    if slapping and _in_full_play(position) and not _slapped(hypothesis, reach):
        return Action(Kind.SLAP, seat, target=zone, t=t)
    return None


def _is_also_over(one: Reach, reach: Reach) -> bool:
    """Whether ``one`` is the same hand over another pile of the other player's."""
    seat, zone = reach.seat, reach.zone
    if seat is None or zone.seat is not seat.other or one.zone.seat is not seat.other or one.zone is zone:
        return False
    return one.seat is seat and one.t_from <= reach.t_end and reach.t_from <= one.t_end


def _pushed(reach: Reach, hands: Hands) -> bool:
    """Whether the card was moved while the hand was over it."""
    change = hands.pushed.get(reach.zone)
    return change is not None and reach.t_from - _NEAR <= change.t_to and change.t_from <= reach.t_end + _NEAR


def _touched(hypothesis: Hypothesis, reach: Reach) -> bool:
    """Whether it is thought already that the hand has touched a pile: it lies over two."""
    return any(
        deed.action.kind is Kind.TOUCH
        and deed.action.seat is reach.seat
        and reach.t_from - _NEAR <= deed.span.t <= reach.t_end
        for deed in hypothesis.deeds
    )


def _about_the_piles(reach: Reach, lately: Iterable[Reach]) -> bool:
    """Whether the hand may have taken up a card of its own just before, or was over a centre pile."""
    before = [one for one in lately if one.seat is reach.seat and one.t_from < reach.t_from]
    carries = any(one.zone.seat is reach.seat and one.t_end >= reach.t_from - _CARRIED for one in before)
    hovers = any(one.zone.kind is ZoneKind.CENTRE and one.t_end >= reach.t_from - _HOVERS for one in before)
    return carries or hovers


def _elsewhere(reach: Reach, lately: Iterable[Reach]) -> bool:
    """Whether the player's hand was over another place all the while."""
    return any(
        one.seat is reach.seat
        and one.zone is not reach.zone
        and one.certainty >= CERTAIN
        and min(one.t_end, reach.t_end) - max(one.t_to, reach.t_to) > BOTH
        for one in lately
    )


def _slapped(hypothesis: Hypothesis, reach: Reach) -> bool:
    """Whether it is thought already that the hand has slapped the pile: it is told of as one that came, and lay."""
    return any(
        deed.action.kind is Kind.SLAP
        and deed.action.seat is reach.seat
        and deed.action.target is reach.zone
        and reach.t_from - LINGERS <= deed.span.t <= reach.t_end
        for deed in hypothesis.deeds
    )


def _at_home(reach: Reach, lately: Iterable[Reach]) -> bool:
    """Whether the player's hand was over cards of its own all the while: what lies there is a cup, or a sleeve."""
    return any(
        one.seat is reach.seat
        and one.zone.seat is reach.seat
        and one.certainty >= CERTAIN
        and min(one.t_end, reach.t_end) - max(one.t_to, reach.t_to) > BOTH
        for one in lately
    )


def _in_full_play(position: Position) -> bool:
    return all(side.phase is Phase.PLAY for side in position.sides) and not position.due


def _moved_cards(hypothesis: Hypothesis, seat: Seat, zone: Zone, reach: Reach) -> bool:
    """Whether the hand was there to move a card."""
    for deed in hypothesis.deeds:
        action, span = deed.action, deed.span
        if action.kind not in MOVES or action.seat is not seat:
            continue
        if action.target is zone and reach.t_from - _NEAR <= span.t_to and span.t_from <= reach.t_end + _NEAR:
            return True
        if action.source is zone and reach.t_from - _NEAR <= span.t_to and span.t_from <= reach.t_end + _CARRIED:
            return True
    return False
