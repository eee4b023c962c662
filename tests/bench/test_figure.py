"""Rates and ratios of what is timed."""

from __future__ import annotations

import time

import pytest

from referee.bench.figure import Stage, measure
from referee.bench.reader import bench_reader


def test_ratios_are_to_the_first_of_the_same_unit() -> None:
    def slow() -> None:
        time.sleep(0.004)

    def fast() -> None:
        time.sleep(0.001)

    figures = measure(
        [Stage("slow", "crops", 1, slow), Stage("other", "starts", 1, fast), Stage("fast", "crops", 1, fast)], 2
    )
    assert [figure.ratio for figure in figures[:2]] == [1, 1]
    assert figures[2].ratio == pytest.approx(figures[2].rate / figures[0].rate)
    assert figures[2].ratio > 1


def test_reading_is_timed_beside_its_start() -> None:
    figures = {figure.name: figure for figure in bench_reader(repeats=1)}
    assert figures["read a crop"].rate > 1
    assert figures["start Python and read a first crop"].unit == "starts"
