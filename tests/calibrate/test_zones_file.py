"""Files that say where the zones lie: read, or refused with a sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.calibrate.zones_file import read_zones_file
from referee.errors import UserError

ROOT = Path(__file__).parents[2]
LEAST = {"A1": [100, 400, 63, 88, 0], "B1": [100, 100, 63, 88, 180], "C1": [400, 250, 63, 88, 0]}


@pytest.mark.parametrize("path", sorted((ROOT / "calibration").glob("*-pile*.toml")), ids=lambda path: path.stem)
def test_the_layouts_that_come_along_can_be_used(path: Path) -> None:
    said = read_zones_file(path)
    assert said.size == (900, 600)
    assert said.boxes
    assert said.corners is None


def test_zones_come_from_the_header_of_a_truth_file() -> None:
    said = read_zones_file(ROOT / "tests" / "fixtures" / "footage" / "calm.truth.jsonl")
    assert said.size == (900, 600)
    assert len(said.boxes) == 14
    assert said.corners is not None


def test_toml_and_json_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text(
        "table_mm = [800, 500]\ncorners_px = [[0, 0], [800, 0], [800, 500], [0, 500]]\n[zones]\n"
        + "".join(f"{name} = {box}\n" for name, box in LEAST.items())
    )
    (tmp_path / "t.json").write_text(
        json.dumps({"table_mm": [800, 500], "corners_px": [[0, 0], [800, 0], [800, 500], [0, 500]], "zones": LEAST})
    )
    assert read_zones_file(tmp_path / "t.toml") == read_zones_file(tmp_path / "t.json")


def zones(**other: Any) -> str:
    return json.dumps({"zones": LEAST | other})


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("a.jsonl", "", "neither JSON nor TOML with zones"),
        ("a.json", "nonsense", "neither JSON nor TOML with zones"),
        ("a.toml", "[zones", "neither JSON nor TOML with zones"),
        ("a.jsonl", "[1]", "an object with zones"),
        ("a.json", "{}", "says nothing of zones"),
        ("a.toml", "zones = 3", "says nothing of zones"),
        ("a.json", '{"zones": {}}', "lacks A1"),
        ("a.json", json.dumps({"zones": {"A1": [100, 100, 63, 88, 0]}}), "lacks B1"),
        ("a.toml", "[zones]\nA1 = [1, 2]\n", r"a\.toml, line 2: zones\.A1 must be a list of 5"),
        ("a.json", zones(A2=[1, 2, 3, 4, True]), r"zones\.A2 must be a list of 5"),
        ("a.json", zones(X9=[1, 1, 63, 88, 0]), r"zones\.X9 is not a key .* there are A1, A2"),
        ("a.json", zones()[:-1] + ', "corners_px": [[1, 2]]}', "four points"),
        ("a.json", zones()[:-1] + ', "corners_px": 4}', "four points"),
        ("a.json", zones()[:-1] + ', "table_mm": ["wide", 600]}', "has to be 2 numbers"),
        ("a.json", zones()[:-1] + ', "table_mm": [1e999, 600]}', "has to be 2 numbers"),
    ],
)
def test_a_file_that_cannot_be_is_refused(name: str, text: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=complaint):
        read_zones_file(tmp_path / name)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot read"):
        read_zones_file(tmp_path / "none.toml")
