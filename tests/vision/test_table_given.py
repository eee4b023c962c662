"""Tables described by hand, on the command line or in a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.errors import UserError
from referee.rules.ruleset import build
from referee.table import RESERVES, Zone
from referee.vision.table_given import given_table

CORNERS = "100,50 1000,50 1000,650 100,650"
CLIPS = Path(__file__).parent.parent / "fixtures" / "footage"


def test_corners_and_size_give_the_standard_layout() -> None:
    table = given_table(build(), CORNERS, "900x600")
    assert table.layout.width == 900
    assert Zone("A5") in table.layout.boxes
    assert table.view().to_table([[100, 50]])[0] == pytest.approx([0, 0], abs=1e-6)


def test_a_hand_of_reserves_has_no_place_on_the_table() -> None:
    held = build("pl")
    assert (RESERVES[0] in given_table(held, CORNERS).layout.boxes) == (held.reserve_place == "table")


def test_the_header_of_a_truth_file_describes_its_table() -> None:
    table = given_table(build(), zones=CLIPS / "faults.truth.jsonl")
    assert table.corners[0] == (153.94, 19.15)
    assert table.layout.boxes[Zone("A1")].angle == 0.58
    assert json.loads(json.dumps(table.described()))["table_mm"] == [900, 600]


def test_corners_on_the_command_line_go_before_those_of_the_file() -> None:
    table = given_table(build(), CORNERS, zones=CLIPS / "faults.truth.jsonl")
    assert table.corners[0] == (100, 50)


def test_toml_and_json_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text(
        "table_mm = [800, 500]\ncorners_px = [[0, 0], [800, 0], [800, 500], [0, 500]]\n"
        "[zones]\nA1 = [100, 400, 63, 88, 0]\nC1 = [400, 250, 63, 88, 0]\n"
    )
    (tmp_path / "t.json").write_text(
        '{"table_mm": [800, 500], "corners_px": [[0, 0], [800, 0], [800, 500], [0, 500]],\n'
        ' "zones": {"A1": [100, 400, 63, 88, 0], "C1": [400, 250, 63, 88, 0]}}'
    )
    one, other = (given_table(build(), zones=tmp_path / name) for name in ("t.toml", "t.json"))
    assert one == other


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{}", "says nothing of zones"),
        ('{"zones": {}}', "at least one zone"),
        ('{"zones": {"X9": [1, 2, 3, 4, 5]}}', "there is no zone 'X9'"),
        ('{"zones": {"A1": [1, 2]}}', "has to be 5 numbers"),
        ('{"zones": {"A1": [1, 2, 3, 4, true]}}', "has to be 5 numbers"),
        ('{"zones": {"A1": [1, 2, 3, 4, 5]}, "corners_px": [[1, 2]]}', "four points"),
        ("[1]", "an object with zones"),
        ("nonsense", "neither JSON nor TOML"),
    ],
)
def test_a_wrong_file_is_told_in_a_sentence(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "zones.json"
    path.write_text(text)
    with pytest.raises(UserError, match=complaint):
        given_table(build(), CORNERS, zones=path)


def test_a_missing_file_and_missing_corners_are_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot read"):
        given_table(build(), zones=tmp_path / "none.json")
    with pytest.raises(UserError, match="--corners"):
        given_table(build())


def test_a_mirrored_table_is_refused() -> None:
    with pytest.raises(UserError, match="clockwise"):
        given_table(build(), "1000,50 100,50 100,650 1000,650")
