"""``referee bench`` as a command."""

from __future__ import annotations

import json

import pytest

from referee.bench.figure import compared
from referee.cli import main

FIGURES = compared([("all of it", "frames", 80.0), ("of it: a part", "frames", 200.0)])


@pytest.fixture(autouse=True)
def _measured_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.bench.film.bench_film", lambda: FIGURES)
    monkeypatch.setattr("referee.bench.reader.bench_reader", lambda: compared([("read a crop", "crops", 250.0)]))
    monkeypatch.setattr("referee.bench.rules.bench_rules", list)


def test_figures_are_told_in_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench"]) == 0
    machine, *rows = capsys.readouterr().out.splitlines()
    assert "numpy" in machine
    assert [row.split() for row in rows if row] == [
        ["frames", "a", "second", "beside", "the", "first"],
        ["all", "of", "it", "80.0", "x", "1.00"],
        ["of", "it:", "a", "part", "200.0", "x", "2.50"],
        ["crops", "a", "second", "beside", "the", "first"],
        ["read", "a", "crop", "250.0", "x", "1.00"],
    ]


def test_figures_are_told_to_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["machine"]["cores"].isdecimal()
    assert told["figures"][1] == {"name": "of it: a part", "rate": 200.0, "unit": "frames", "ratio": 2.5}
