"""Rates and ratios of what is timed."""

from __future__ import annotations

import time

import pytest

from referee.bench.figure import Stage, Stopwatch, compared, measure
from referee.bench.film import bench_film
from referee.bench.reader import bench_reader


def work(rounds: int) -> None:
    sum(range(rounds))


def test_ratios_are_to_the_first_of_the_same_unit() -> None:
    figures = compared([("slow", "crops", 2.0), ("other", "starts", 5.0), ("fast", "crops", 3.0)])
    assert [figure.ratio for figure in figures] == [1, 1, 1.5]


def test_less_work_is_a_higher_rate() -> None:
    much = Stage("much", "crops", 1, lambda: work(1_000_000))
    little = Stage("little", "crops", 1, lambda: work(100))
    figures = measure([much, little], 2)
    assert figures[1].ratio > 1


def test_time_in_which_nothing_is_worked_counts_only_where_another_process_works() -> None:
    watch = Stopwatch()
    time.sleep(0.05)
    assert watch.seconds() < 0.05
    time.sleep(0.05)
    assert watch.seconds(elsewhere=True) >= 0.05


def test_reading_is_timed_beside_its_start() -> None:
    figures = {figure.name: figure for figure in bench_reader(repeats=1)}
    assert figures["read a crop"].rate > 1
    assert figures["start Python and read a first crop"].unit == "starts"


def test_a_film_is_refereed_with_each_stage_timed() -> None:
    whole, *stages = bench_film(frames=24, whole=1)
    assert whole.ratio == 1
    own = [figure for figure in stages if figure.name.startswith("of it: ")]
    assert len(own) == 5
    # Stages one after the other take as long as the whole.
    assert sum(1 / figure.rate for figure in own) == pytest.approx(1 / whole.rate, rel=0.05)
