"""A carried card: its lowest point is where the path says, and it touches when it should."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.cards import Card
from referee.simulate.motion import SETTLE, Carry, Manner, Tilt, clearance, hang
from referee.simulate.scene import CardPose
from tests.simulate.films import lowest

CARD = Card("9H")
START = CardPose(CARD, 200.0, 500.0, 1.2, 2.0, 0.0, 0.0, 0.0, 0.0)
END = CardPose(CARD, 400.0, 300.0, 3.3, -5.0, 0.0, 0.0, 0.0, 0.0)


@given(st.floats(-180, 360), st.floats(-40, 40), st.floats(-8, 8))
def test_hang_is_the_depth_of_the_lowest_point(turn: float, pitch: float, bend: float) -> None:
    pose = CardPose(CARD, 0.0, 0.0, 0.0, 0.0, turn, pitch, 0.0, bend)

    assert hang(turn, pitch, bend) == pytest.approx(-lowest(pose), abs=0.02)


def test_a_flat_card_hangs_nowhere() -> None:
    assert hang(0.0, 0.0, 0.0) == 0.0
    assert hang(180.0, 0.0, 0.0) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("turning", [0.0, 180.0, -180.0])
@pytest.mark.parametrize("landing", [0.0, 0.7])
def test_a_card_is_above_the_pile_until_the_touch_and_on_it_from_then_on(turning: float, landing: float) -> None:
    manner = Manner(30.0, Tilt(-8.0, 5.0, 2.0), landing, (12.0, 4.0), turning)
    move = Carry(START, END, 1.0, 1.4, 1.4 + SETTLE, manner)

    for step in range(300):
        t = 1.2 + 0.2 * step / 300
        assert lowest(move.pose(t)) > END.z
    for step in range(50):
        t = 1.4 + SETTLE * step / 50
        assert lowest(move.pose(t)) == pytest.approx(END.z, abs=1e-6)


def test_a_card_rests_as_the_same_object_before_and_after() -> None:
    move = Carry(START, END, 1.0, 1.4, 1.5, Manner(30.0))

    assert move.pose(0.5) is START
    assert move.pose(1.0) is START
    assert move.pose(1.5) is END


def test_a_card_pulled_from_under_others_slides_flat_at_first() -> None:
    move = Carry(START, END, 1.0, 1.5, 1.58, Manner(30.0, Tilt(5.0), 0.5, pull=(0.0, 96.0)))

    at = move.pose(1.12)
    assert at.y > START.y + 30
    assert at.z == pytest.approx(START.z, abs=0.01)
    assert math.hypot(move.pose(1.58).x - END.x, move.pose(1.58).y - END.y) == 0.0


def test_clearance_rises_from_nothing_and_comes_down_to_nothing() -> None:
    assert clearance(0.0) == 0.0
    assert clearance(1.0) == 0.0
    assert max(clearance(step / 100) for step in range(101)) == pytest.approx(1.0)
    assert all(clearance(step / 1000) > 0 for step in range(1, 1000))


def test_a_card_thrown_quickly_slides_on_only_for_a_moment() -> None:
    end = replace(END, x=START.x, y=START.y - 250.0)
    move = Carry(START, end, 1.0, 1.1, 1.1 + SETTLE, Manner(30.0))

    assert abs(move.pose(1.1).y - end.y) < 45.0
    assert move.pose(1.1 + 0.5 * SETTLE).y == pytest.approx(end.y)
