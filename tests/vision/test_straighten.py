"""Times that only go forward."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.vision.straighten import straighten


def shown(*stamps: int | None) -> list[tuple[float, int | None, bool]]:
    return [(float(stamp), raw, mended) for stamp, raw, mended in straighten(((raw, raw) for raw in stamps), 1)]


@pytest.mark.parametrize("stamps", [[], [7], [0, 1, 2, 3, 4, 5, 6], [0, 1, 50, 51, 4000, 4001]])
def test_good_stamps_pass_unchanged(stamps: list[int]) -> None:
    assert shown(*stamps) == [(stamp, stamp, False) for stamp in stamps]


def test_pictures_handed_out_late_are_put_where_they_belong() -> None:
    order = [raw for _, raw, _ in shown(14, 15, 16, 27, 17, 28, 18, 29, 30)]
    assert order == [14, 15, 16, 17, 18, 27, 28, 29, 30]


@pytest.mark.parametrize("wrong", [500, 1])
def test_a_single_wrong_stamp_is_put_between_its_neighbours(wrong: int) -> None:
    expected = [(t, wrong if t == 6 else t, t == 6) for t in range(2, 10)]
    assert shown(2, 3, 4, 5, wrong, 7, 8, 9) == expected


def test_a_clock_set_back_goes_on_from_where_it_was() -> None:
    assert [t for t, _, _ in shown(0, 1, 2, 3, 4, 0, 1, 2, 3, 4)] == list(range(10))


def test_pictures_without_stamps_follow_at_the_usual_distance() -> None:
    assert [t for t, _, _ in shown(None, None, None, None, None)] == [0, 1, 2, 3, 4]
    assert [t for t, _, _ in shown(4, 5, None, 7, 8)] == [4, 5, 6, 7, 8]


@given(st.lists(st.none() | st.integers(-50, 50) | st.integers(-(10**12), 10**12)))
def test_time_never_stands_still_and_nothing_is_lost(stamps: list[int | None]) -> None:
    result = list(straighten(zip(stamps, range(len(stamps)), strict=True), 3))
    times = [stamp for stamp, _, _ in result]
    assert all(before < after for before, after in pairwise(times))
    assert sorted(item for _, item, _ in result) == list(range(len(stamps)))


@given(st.lists(st.integers(-(10**12), 10**12), unique=True).map(sorted))
def test_times_in_order_are_left_alone_however_far_apart(stamps: list[int]) -> None:
    assert [stamp for stamp, _, _ in straighten(zip(stamps, stamps, strict=True), 1)] == stamps
