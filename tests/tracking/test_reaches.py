"""Hands over zones: when they came, whose they were, when they left."""

from __future__ import annotations

import math

import numpy as np
import pytest

from referee.readings import Look, Reach
from referee.table import Seat, Zone
from referee.tracking.palms import Palms
from referee.tracking.reaches import Reaches

ZONES = (Zone("C1"), Zone("A1"))


def looks(shares: list[float], seat: Seat = Seat.A, fps: float = 30.0) -> list[Reach]:
    """What is told of a hand that covers C1 by these shares, frame by frame."""
    reaches = Reaches(ZONES)
    told = []
    for number, share in enumerate(shares):
        hands = np.zeros((2, 2), np.float32)
        hands[seat, 0] = share
        look = Look(number / fps, number, np.zeros(2, np.float32), hands, hands, np.zeros((2, 1, 1), np.uint8))
        told += reaches.push(look)
    return told + reaches.finish()


def test_a_hand_is_told_when_it_is_certain_and_when_it_has_left() -> None:
    stays, left = looks([0.0] * 3 + [0.5] * 10 + [0.0] * 6, Seat.B)
    assert (stays.seat, stays.zone) == (Seat.B, Zone("C1"))
    assert (stays.t_from, stays.t_to) == pytest.approx((2 / 30, 3 / 30))
    assert stays.t_end == math.inf
    assert (left.t_from, left.t_to) == (stays.t_from, stays.t_to)
    assert left.t_end == pytest.approx(12 / 30)
    assert left.certainty == 1


def test_a_flicker_of_a_frame_is_no_hand() -> None:
    assert looks([0.0, 0.6, 0.0, 0.0, 0.0, 0.0, 0.0]) == []


def test_a_hand_that_passes_is_half_certain_and_told_once() -> None:
    [passing] = looks([0.0] + [0.6] * 3 + [0.0] * 6)
    assert passing.certainty == 0.5
    assert passing.t_end == pytest.approx(3 / 30)


def test_a_hand_not_seen_for_a_moment_is_still_the_same() -> None:
    told = looks([0.5] * 5 + [0.0] * 2 + [0.5] * 5 + [0.0] * 6)
    assert [one.t_end for one in told] == [math.inf, pytest.approx(11 / 30)]


def test_a_hand_that_hardly_covers_the_card_is_less_certain() -> None:
    told = looks([0.0] + [0.15] * 8 + [0.0] * 6)
    assert 0.3 < told[-1].certainty < 0.6


def test_a_hand_still_there_at_the_end_is_closed() -> None:
    assert [one.t_end for one in looks([0.5] * 6)] == [math.inf, pytest.approx(5 / 30)]


def across(owner: float = 0.0, after: int = 200) -> list[Reach]:
    """What is told of a hand of B's over A1: ``owner`` of it lay under A's arm before, and it is of grey ``after``."""
    reaches = Reaches(ZONES)
    told = []
    for number in range(30):
        there = 10 <= number < 20
        covered, hands = np.zeros((2, 2), np.float32), np.zeros((2, 2), np.float32)
        hands[Seat.B, 1] = covered[Seat.B, 1] = 0.5 if there else 0.0
        covered[Seat.A, 1] = owner if 5 <= number < 10 else 0.0
        pictures = np.full((2, 4, 4), 90 if there else after if number >= 20 else 200, np.uint8)
        told += reaches.push(Look(number / 30, number, np.zeros(2, np.float32), covered, hands, pictures))
    return told + reaches.finish()


def test_a_hand_over_anothers_card_that_lay_under_that_players_own_arm_is_most_probably_that_arm() -> None:
    assert [one.certainty for one in across(owner=0.9)] == pytest.approx([0.1, 0.1])
    assert [one.certainty for one in across(owner=0.0)] == [1, 1]


def test_a_hand_that_leaves_anothers_place_looking_otherwise_may_have_been_there_for_a_thing() -> None:
    assert [one.certainty for one in across(after=60)] == [1, pytest.approx(0.7)]


def lying(
    frames: int, *, under: tuple[float, float] = (1.0, 0.0), elsewhere: float = 0.0, grey: int = 90
) -> list[Reach]:
    """What is told of an arm that lies over C1, and C2, for so many frames.

    Args:
        frames: how many.
        under: shares of the piles under the arm.
        elsewhere: share of A1 under the far end of the arm.
        grey: what C1 looks like then; bare it is 200.
    """
    palms = Palms((Zone("C1"), Zone("C2"), Zone("A1")))
    told = []
    for number in range(frames + 15):
        there = 5 <= number < 5 + frames
        covered, hands = np.zeros((2, 3), np.float32), np.zeros((2, 3), np.float32)
        covered[1] = (*(under if there else (0.0, 0.0)), 0.0)
        hands[1, 2] = elsewhere if there else 0.0
        pictures = np.full((3, 4, 4), 200, np.uint8)
        pictures[0] = grey if there else 200
        told += palms.push(Look(number / 30, number, np.zeros(3, np.float32), covered, hands, pictures))
    return told + palms.finish()


def test_a_hand_that_lies_flat_on_a_pile_is_told_of_when_it_is_certain_and_when_it_has_left() -> None:
    lies, left = lying(18)
    assert (lies.seat, lies.zone, lies.flat, lies.t_end) == (Seat.B, Zone("C1"), True, math.inf)
    assert (left.t_from, left.t_to, left.t_end) == pytest.approx((4 / 30, 5 / 30, 22 / 30))


def test_an_arm_that_goes_across_a_pile_and_what_changes_nothing_there_is_no_hand_lying_on_it() -> None:
    assert lying(6) == []
    assert lying(18, under=(1.0, 1.0)) == []
    assert lying(18, elsewhere=0.3) == []
    assert lying(18, grey=195) == []
