"""Hands over zones: when they came, whose they were, when they left."""

from __future__ import annotations

import math

import numpy as np
import pytest

from referee.readings import Reach
from referee.table import Seat, Zone
from referee.tracking.looks import Look
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
