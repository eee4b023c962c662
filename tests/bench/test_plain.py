"""The plain engine is a fair comparison: it finds the same actions legal as the law does in games without faults."""

from __future__ import annotations

import pytest

from referee.bench.plain import act, new_table
from referee.bench.rules import bench_rules
from referee.rules import build
from referee.simulate.match import play_match


@pytest.mark.parametrize("seed", range(6))
def test_plain_engine_finds_the_same_actions_legal(seed: int) -> None:
    table = new_table()
    for line in play_match(build(), seed).lines:
        assert act(table, str(line.action)) == line.ruling.startswith("legal"), line


def test_every_figure_is_measured() -> None:
    assert all(figure.rate > 0 for figure in bench_rules(matches=1))
