"""A hand of cards is held as a fan, played from and filled up."""

import itertools
import math
from random import Random

import numpy as np
import pytest

from referee.cards import DECK
from referee.rules.actions import Kind
from referee.simulate.fan import SLOTS, Fan
from referee.simulate.motion import SETTLE
from referee.simulate.placement import FAN_MM, places_on
from referee.simulate.production import Production
from referee.simulate.scene import CardPose, HandShape
from referee.table import HANDS, Seat, ZoneKind, standard_layout
from tests.simulate.films import lowest, made

PLACES = places_on(standard_layout(), hands=True)


def held(film: Production, t: float, seat: Seat) -> list[CardPose]:
    upright = [pose for pose in film.script.snapshot(t).cards if 45 < pose.pitch < 135]
    return [pose for pose in upright if (pose.y > 300) is (seat is Seat.A)]


@pytest.mark.parametrize("seat", list(Seat))
def test_cards_stand_over_the_edge_with_their_faces_to_the_player(seat: Seat) -> None:
    fan, rng = Fan(PLACES[HANDS[seat]]), Random(1)
    for card in DECK[:SLOTS]:
        pose = fan.put(card, rng)
        middle, right, top = (np.array(pose.point(u, v)) for u, v in ((0, 0), (1, 0), (0, 1)))
        # The table's y runs down the view, so the face is on the other side of the usual product.
        face = -np.cross(right - middle, top - middle)
        assert face[1] * (1, -1)[seat] > 0.9
        assert top[2] - middle[2] > 0.85
        assert face[2] < 0
        assert FAN_MM - 16 < lowest(pose) < FAN_MM + 6


def test_a_fan_is_spread_evenly_and_a_free_place_is_taken_again() -> None:
    fan, rng = Fan(PLACES[HANDS[0]]), Random(2)
    poses = [fan.put(card, rng) for card in DECK[:SLOTS]]
    tops = [pose.point(0, 44) for pose in poses]
    assert all(5 < math.dist(a, b) < 45 for a, b in itertools.pairwise(tops))
    with pytest.raises(ValueError, match="5 cards are held"):
        fan.put(DECK[10], rng)

    fan.take(DECK[2])
    again = fan.put(DECK[10], rng)
    assert math.dist(again.point(0, 44), tops[2]) < 10


@pytest.mark.parametrize("rules", ["pt,layout=hand5", "pt,layout=single10_hand"])
def test_hands_are_drawn_after_the_spit_and_filled_up_after_every_card(rules: str) -> None:
    film = made(3, rules, 30.0)
    spit = max(event.t for event in film.events if event.name == "spit" and event.t < 3)
    played = [event for event in film.events if event.action is not None and event.action.source in HANDS]

    assert not any(held(film, spit, seat) for seat in Seat)
    assert len(played) > 4
    for number, event in enumerate(played):
        action, seat = event.action, event.seat
        assert action is not None
        assert action.card is not None
        assert seat is not None
        last_second = {pose.card for step in range(20) for pose in held(film, event.t - step * 0.05, seat)}
        assert action.card in last_second, event
        after = {pose.card for pose in held(film, event.t + SETTLE, seat)}
        assert action.card not in after
        if event.fault is None and number < 4:
            assert len(after) == 4, event
            assert any(len(held(film, event.t + step * 0.1, seat)) == 5 for step in range(20)), event


def test_the_off_hand_holds_the_fan_and_does_nothing_else() -> None:
    film = made(3, "pt,layout=hand5", 25.0)
    over = next((event.t for event in film.events if event.name == "round_over"), film.script.duration)
    for number in range(5 * 20, int(over * 20)):
        hands = [hand for hand in film.script.snapshot(number / 20).hands if not hand.right]
        for hand in hands:
            place = PLACES[HANDS[hand.seat]]
            assert math.hypot(hand.x - place.box.x, hand.y - place.box.y) < 10
            assert hand.shape is HandShape.CARRY


def test_where_only_a_reserve_is_dealt_anew_the_layout_and_the_hand_stay() -> None:
    film = made(1, "pt,layout=single10_hand", 90.0, 4.0)
    deals = [event for event in film.events if event.action is not None and event.action.kind is Kind.DEAL]
    assert len(deals) > 1
    for deal in deals[1:]:
        before, after = (
            {pose.card for pose in film.script.snapshot(t).cards if pose.pitch > 45 and pose.z < 100}
            for t in (deal.t - 3.0, deal.t + SETTLE)
        )
        assert before == after
        assert before


def test_no_hand_is_a_place_on_the_table() -> None:
    film = made(3, "pt,layout=hand5", 30.0)
    assert not any(zone.kind is ZoneKind.HAND for zone in film.script.layout.boxes)
