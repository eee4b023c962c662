"""What a referee would see of a game whose truth is known: changes of zones and hands, as ideal or as bad as wished.

No picture is made. Every card that comes or goes changes a zone; the change is told when the zone has come to rest,
with a reading that is sometimes unsure and, as often as it says itself, wrong. Cards that are covered at once are not
read, departures are missed or told late, hands hide zones, intervals are off by a frame.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np

from referee.cards import DECK, Card
from referee.readings import BACK, EMPTY, OUTCOMES, Evidence, LogProbs, Reach, Reading, Sight, ZoneChange, ZoneReading
from referee.rules.actions import MOVES, Action, Kind
from referee.simulate.ledger import Ledger
from referee.table import RESERVES, STOCKS, Seat, Zone, ZoneKind


@dataclass(frozen=True, slots=True)
class Eyes:
    """How well the table is seen.

    Attributes:
        fps: frames a second.
        settle: shortest and longest time from a change to its being told, s; what is covered sooner is not read.
        unsure: share of readings that leave two cards open.
        wrong: share of readings that are wrong without a sign of it.
        unread: share of readings that tell nothing but that something lies there.
        glimpsed: share of the cards covered at once that were glimpsed all the same.
        missed: share of departures that are not told until something else changes there.
        late: share of departures that are told up to a second late.
        hidden: share of changes that a hand keeps from being seen for up to half a second more.
        jitter: share of intervals that are off by a frame.
        unclear_arms: share of changes where both arms were there, or none.
        pokes: changes a second, over the whole table, in which nothing changed.
        reaches: share of the hands over zones that are told.
    """

    fps: float = 30.0
    settle: tuple[float, float] = (0.10, 0.18)
    unsure: float = 0.0
    wrong: float = 0.0
    unread: float = 0.0
    glimpsed: float = 1.0
    missed: float = 0.0
    late: float = 0.0
    hidden: float = 0.0
    jitter: float = 0.0
    unclear_arms: float = 0.0
    pokes: float = 0.0
    reaches: float = 1.0


IDEAL: Final = Eyes(settle=(0.0, 0.0))
"""Everything is seen, at once and rightly."""

GOOD: Final = Eyes(
    unsure=0.02, wrong=0.001, unread=0.002, glimpsed=0.4, missed=0.003, late=0.03, hidden=0.1, jitter=0.1,
    unclear_arms=0.1, pokes=0.1, reaches=0.95,
)  # fmt: skip
"""A good camera, well placed, and a reader that knows the deck."""

FAIR: Final = Eyes(
    unsure=0.06, wrong=0.004, unread=0.01, glimpsed=0.3, missed=0.01, late=0.06, hidden=0.2, jitter=0.25,
    unclear_arms=0.25, pokes=0.3, reaches=0.9,
)  # fmt: skip
"""A dim corner, a deck the reader has never met."""

POOR: Final = Eyes(
    settle=(0.12, 0.28), unsure=0.12, wrong=0.01, unread=0.03, glimpsed=0.2, missed=0.03, late=0.12, hidden=0.35,
    jitter=0.4, unclear_arms=0.4, pokes=0.6, reaches=0.8,
)  # fmt: skip
"""A camera that barely serves."""


@dataclass(frozen=True, slots=True)
class _Shows:
    """From ``t`` on a zone shows ``outcome``; ``seat`` brought that about."""

    t: float
    zone: Zone
    outcome: int
    seat: Seat | None
    left: bool


def watch(
    actions: Sequence[Action], zones: Collection[Zone], eyes: Eyes, rng: Random, *, pace: float = 1.0
) -> list[Evidence]:
    """The evidence of a game, in the order it becomes known.

    Args:
        actions: what is done, each with its time; deals tell every card.
        zones: those that can be seen.
        eyes: how well.
        rng: for all that is left to chance.
        pace: how fast hands are.
    """
    shows, reaches = _stage(actions, rng, pace)
    told: list[tuple[float, int, Evidence]] = []
    for zone in sorted(zones, key=lambda zone: zone.name):
        told += _told(zone, [one for one in shows if one.zone is zone], eyes, rng)
    end = max((one.t for one in shows), default=0.0)
    told += _pokes(shows, zones, eyes, rng, end)
    for reach in reaches:
        if reach.zone in zones and rng.random() < eyes.reaches:
            told.append((reach.t_end + 0.05, 1, reach))
    order = sorted(range(len(told)), key=lambda index: (told[index][0], told[index][1], index))
    return [told[index][2] for index in order]


def _stage(actions: Sequence[Action], rng: Random, pace: float) -> tuple[list[_Shows], list[Reach]]:
    """What every zone shows when, and the hands."""
    ledger, shows, reaches = Ledger(), [], []
    steps: list[tuple[float, int, str, Action]] = []
    free = [-1.0, -1.0]
    ended = 0.0
    for number, action in enumerate(actions):
        assert action.t is not None
        if action.kind in MOVES:
            assert action.seat is not None
            carry = rng.uniform(0.2, 0.38) / math.sqrt(pace)
            leaves = max(action.t - carry, min(free[action.seat] + 0.03, action.t - 0.06))
            steps.append((leaves, 2 * number, "lift", action))
            reaches += [_reach(action.seat, action.source, leaves - 0.06, leaves + 0.05)]
            reaches += [_reach(action.seat, action.target, action.t - 0.05, action.t + 0.1)]
            free[action.seat] = action.t
        elif action.kind in (Kind.TURN_UP, Kind.SLAP, Kind.TOUCH, Kind.CLAIM):
            assert action.seat is not None
            stays = rng.uniform(0.3, 0.6) if action.kind in (Kind.SLAP, Kind.TOUCH) else 0.12
            reaches.append(_reach(action.seat, action.target, action.t, action.t + stays))
            free[action.seat] = action.t
            ended = action.t if action.kind is Kind.CLAIM else ended
        steps.append((action.t, 2 * number + 1, "do", action))
        if action.kind is Kind.DEAL and action.t > 0:
            _gather(action, max(ended, actions[number - 1].t or 0.0), steps, rng, 2 * number)
    steps.sort(key=lambda step: step[:2])
    for t, _, what, action in steps:
        shows += _step(ledger, t, what, action, rng)
    return shows, [reach for reach in reaches if reach.zone.kind is not ZoneKind.HAND]


def _reach(seat: Seat, zone: Zone | None, t: float, t_end: float) -> Reach:
    assert zone is not None
    return Reach(seat, zone, max(0.0, t - 1 / 60), t + 1 / 60, t_end, (round(30 * t), round(30 * t_end)), 0.95)


def _gather(deal: Action, ended: float, steps: list[tuple[float, int, str, Action]], rng: Random, number: int) -> None:
    """The players take up what lies on their side some time before they deal."""
    assert deal.t is not None
    for seat in Seat:
        if deal.deal[seat] is not None:
            end = max(ended + 0.4, min(ended + 2.5, deal.t - 3.0))
            for zone in (*STOCKS[seat], RESERVES[seat]):
                laid_out = deal.deal[seat]
                if laid_out is not None and (laid_out.stock or zone is RESERVES[seat]):
                    t = rng.uniform(ended + 0.3, end)
                    steps.append((t, number, "clear", Action(Kind.TOUCH, seat, target=zone, t=t)))


def _step(ledger: Ledger, t: float, what: str, action: Action, rng: Random) -> list[_Shows]:
    seat, target = action.seat, action.target
    if what == "clear":
        assert target is not None
        ledger.take_up(target)
        return [_Shows(t, target, EMPTY, seat, True)]
    if what == "lift":
        assert action.card is not None
        source = ledger.where(action.card)
        if source is None:
            return []
        ledger.lift(action.card)
        return [_Shows(t, source, _top(ledger, source), seat, True)]
    if action.kind in MOVES:
        assert action.card is not None
        assert target is not None
        up = target.kind is not ZoneKind.RESERVE
        ledger.put(target, action.card, up=up)
        return [_Shows(t, target, _top(ledger, target), seat, False)]
    if action.kind is Kind.TURN_UP:
        assert action.card is not None
        assert target is not None
        ledger.lift(action.card)
        ledger.put(target, action.card, up=target.kind is ZoneKind.STOCK)
        return [_Shows(t, target, _top(ledger, target), seat, False)]
    if action.kind is Kind.CLAIM:
        assert target is not None
        ledger.take_up(target)
        return [_Shows(t, target, EMPTY, seat, True)]
    if action.kind is Kind.DEAL:
        return _dealt(ledger, t, action, rng)
    return []


def _dealt(ledger: Ledger, t: float, action: Action, rng: Random) -> list[_Shows]:
    shows = []
    for seat, deal in zip(Seat, action.deal, strict=True):
        if deal is None:
            continue
        ledger.lay_out(seat, deal)
        laid_out = [zone for zone in (*STOCKS[seat], RESERVES[seat]) if ledger.pile(zone)]
        if not deal.stock:
            laid_out = [RESERVES[seat]]
        for zone in laid_out:
            when = 0.0 if t == 0 else t - rng.uniform(0.0, 2.4) * (zone is not laid_out[-1])
            shows.append(_Shows(when, zone, _top(ledger, zone), seat, False))
    if t == 0:
        shows += [
            _Shows(0.0, zone, EMPTY, None, False)
            for zone in (*STOCKS[0], *STOCKS[1], *RESERVES, Zone("C1"), Zone("C2"))
            if not ledger.pile(zone)
        ]
    return shows


def _top(ledger: Ledger, zone: Zone) -> int:
    top = ledger.top(zone)
    if top is None:
        return EMPTY
    return top.card.code if top.up and zone.kind is not ZoneKind.RESERVE else BACK


def _told(zone: Zone, shows: Iterable[_Shows], eyes: Eyes, rng: Random) -> list[tuple[float, int, Evidence]]:
    """The changes of one zone."""
    ordered = sorted(shows, key=lambda one: one.t)
    told: list[tuple[float, int, Evidence]] = []
    before: Reading | None = None
    lies: int | None = None
    glimpses: list[ZoneReading] = []
    for one, after in zip(ordered, [*ordered[1:], None], strict=True):
        settle = rng.uniform(*eyes.settle)
        if rng.random() < eyes.hidden:
            settle += rng.uniform(0.0, 0.5)
        late = 0.0
        if one.left and zone.kind is ZoneKind.STOCK:
            if rng.random() < eyes.missed:
                continue
            if rng.random() < eyes.late:
                late = rng.uniform(0.2, 1.0)
        if after is not None and after.t <= one.t + settle and one.t > 0:
            if rng.random() < eyes.glimpsed and one.outcome != EMPTY and after.t > one.t:
                seen = _reading(one.outcome, eyes, rng)
                glimpses.append(ZoneReading(zone, one.t + 0.03, round(eyes.fps * one.t), seen, None, 1.0))
            continue
        if one.outcome == lies:
            continue
        reading = _reading(one.outcome, eyes, rng)
        t_from, t_to = _interval(one.t, eyes, rng)
        t_seen = max(t_to, one.t + settle + late)
        if after is not None and late and t_seen > after.t:
            t_seen = max(one.t + settle, after.t - 0.01)
        frames = (round(t_from * eyes.fps), round(t_seen * eyes.fps))
        change = ZoneChange(
            zone, before, reading, tuple(glimpses), t_from, t_to, t_seen, frames, False, _arms(one, eyes, rng), True
        )
        told.append((t_seen, 0, change))
        before, lies, glimpses = reading, one.outcome, []
    return told


def _pokes(
    shows: Sequence[_Shows], zones: Collection[Zone], eyes: Eyes, rng: Random, end: float
) -> list[tuple[float, int, Evidence]]:
    """Changes told where nothing changed: a zone touched, a pile put straight."""
    told: list[tuple[float, int, Evidence]] = []
    names = sorted(zones, key=lambda zone: zone.name)
    for _ in range(round(eyes.pokes * end)):
        zone, t = rng.choice(names), rng.uniform(0.5, max(0.5, end))
        lies = [one for one in shows if one.zone is zone and one.t <= t]
        near = any(one.zone is zone and abs(one.t - t) < 1.0 for one in shows)
        if not lies or near:
            continue
        outcome = max(lies, key=lambda one: one.t).outcome
        reading = _reading(outcome, eyes, rng)
        t_from, t_to = _interval(t, eyes, rng)
        frames = (round(t_from * eyes.fps), round(t_to * eyes.fps) + 4)
        moved = rng.random() < 0.6
        told.append((t + 0.15, 0, ZoneChange(zone, reading, reading, (), t_from, t_to, t + 0.15, frames, moved,
                                             (0.0, 0.0), True)))  # fmt: skip
    return told


def _interval(t: float, eyes: Eyes, rng: Random) -> tuple[float, float]:
    frame = math.floor(t * eyes.fps + 1e-9)
    first, last = frame, frame + 1
    if rng.random() < eyes.jitter:
        shift = rng.choice((-1, 1))
        first, last = (first + shift, last + shift) if rng.random() < 0.5 else (first - 1, last + 1)
    return max(0.0, first / eyes.fps), max(0.0, last / eyes.fps)


def _arms(one: _Shows, eyes: Eyes, rng: Random) -> tuple[float, float]:
    if one.seat is None or rng.random() < eyes.unclear_arms:
        return (0.0, 0.0) if rng.random() < 0.5 else (rng.uniform(0.4, 0.9), rng.uniform(0.4, 0.9))
    his, other = rng.uniform(0.7, 1.0), rng.uniform(0.0, 0.15)
    return (his, other) if one.seat is Seat.A else (other, his)


_ALIKE: Final = ("3 8", "6 8", "5 6", "9 6", "J Q", "Q K", "A 4", "2 7", "J K", "7 A", "T 9", "5 3", "2 3", "4 A")
"""Ranks that are taken for each other."""


def _confusable(outcome: int, rng: Random) -> int:
    """Something an outcome may be taken for."""
    if outcome >= BACK:
        return BACK if outcome == EMPTY else EMPTY
    card = DECK[outcome]
    others = [pair.replace(card.text[0], "").strip() for pair in _ALIKE if card.text[0] in pair]
    if others and rng.random() < 0.5:
        return Card(rng.choice(others) + card.text[1]).code
    suit = rng.choice([suit for suit in "CDHS" if suit != card.text[1]])
    return Card(card.text[0] + suit).code


def _reading(outcome: int, eyes: Eyes, rng: Random) -> Reading:
    """A reading of ``outcome``; what it says of its own certainty is true on the average."""
    draw = rng.random()
    if draw < eyes.unread and outcome < BACK:
        chances = np.full(OUTCOMES, 0.02 / 2)
        chances[:BACK] = 0.98 / BACK
        return Reading(Sight.UNKNOWN, _log(chances), 0.0, None, None)
    other = _confusable(outcome, rng)
    share = 0.0
    if eyes.wrong and rng.random() < eyes.wrong:
        outcome, other = other, outcome
        share = rng.uniform(0.0, 0.02)
    elif rng.random() < eyes.unsure * (1.0 if outcome < BACK else 0.3):
        share = rng.uniform(0.03, 0.5)
        if rng.random() < share:
            outcome, other = other, outcome
    chances = np.full(OUTCOMES, 2e-5)
    chances[other] = max(share, 2e-4)
    chances[outcome] = 1.0 - chances[other] - 2e-5 * (OUTCOMES - 2)
    state = Sight.CARD if outcome < BACK else Sight.BACK if outcome == BACK else Sight.EMPTY
    return Reading(state, _log(chances), 0.0, None, None)


def _log(chances: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> LogProbs:
    return np.asarray(np.log(chances / chances.sum()), np.float32)


__all__ = ["FAIR", "GOOD", "IDEAL", "POOR", "Eyes", "watch"]
