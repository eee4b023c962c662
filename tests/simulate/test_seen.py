"""Evidence without pictures: what it tells, and that it is honest about how sure it is."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from referee.readings import Reach, Sight, ZoneChange
from referee.rules.actions import MOVES, Kind
from referee.simulate.seen import FAIR, IDEAL, POOR, watch
from tests.tracking.games import HOUSE, known_at, played, zones_of


def test_evidence_comes_in_the_order_it_becomes_known() -> None:
    events = played(HOUSE, 3, 30.0)
    actions = [event.action for event in events if event.action is not None]
    for eyes in (IDEAL, POOR):
        times = [known_at(one) for one in watch(actions, zones_of(HOUSE), eyes, Random(1))]
        assert times == sorted(times)


def test_ideal_eyes_see_every_card_arrive_where_it_does() -> None:
    events = played(HOUSE, 3, 30.0)
    actions = [event.action for event in events if event.action is not None]
    told = [one for one in watch(actions, zones_of(HOUSE), IDEAL, Random(1)) if isinstance(one, ZoneChange)]
    for action in actions:
        if action.kind in MOVES or action.kind is Kind.TURN_UP:
            assert action.t is not None
            there = [one for one in told if one.zone is action.target and one.t_from <= action.t <= one.t_to]
            assert any(one.after.card is action.card for one in there), str(action)


def test_hands_are_over_the_zones_they_use() -> None:
    events = played(HOUSE, 3, 20.0)
    actions = [event.action for event in events if event.action is not None]
    hands = [one for one in watch(actions, zones_of(HOUSE), IDEAL, Random(1)) if isinstance(one, Reach)]
    for action in actions:
        if action.kind is Kind.PLAY:
            assert any(one.zone is action.target and one.seat is action.seat for one in hands)


def test_readings_are_right_as_often_as_they_say() -> None:
    events = played(HOUSE, 5, 60.0)
    actions = [event.action for event in events if event.action is not None]
    cards = [action for action in actions if action.kind in MOVES or action.kind is Kind.TURN_UP]
    sure, right = [], []
    for seed in range(30):
        for one in watch(actions, zones_of(HOUSE), replace(FAIR, jitter=0.0), Random(seed)):
            if isinstance(one, ZoneChange) and one.after.state is Sight.CARD:
                there = [a for a in cards if a.target is one.zone and a.t is not None and one.t_from <= a.t <= one.t_to]
                if there:
                    sure.append(one.after.confidence)
                    right.append(one.after.card is there[-1].card)
    assert len(sure) > 500
    assert abs(sum(sure) / len(sure) - sum(right) / len(right)) < 0.015
