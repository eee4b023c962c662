"""The plain engine is a fair comparison: it finds the same actions legal as the law does in games without faults."""

from __future__ import annotations

import json

import pytest

from referee.bench.plain import act, new_table
from referee.bench.rules import bench_rules
from referee.cli import main
from referee.rules import build
from referee.simulate.match import play_match


@pytest.mark.parametrize("seed", range(6))
def test_plain_engine_finds_the_same_actions_legal(seed: int) -> None:
    table = new_table()
    for line in play_match(build(), seed).lines:
        assert act(table, str(line.action)) == line.ruling.startswith("legal"), line


def test_every_figure_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert all(figure.rate > 0 for figure in bench_rules(matches=1))
    assert main(["bench", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures[0]["name"] == "judge and apply"
    assert figures[0]["ratio"] == 1.0
