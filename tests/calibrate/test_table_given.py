"""Tables described by hand, on the command line or in a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.calibrate.table_given import given_table
from referee.errors import UserError
from referee.rules.ruleset import build
from referee.table import RESERVES, Zone

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


def test_a_missing_file_and_missing_corners_are_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot read"):
        given_table(build(), zones=tmp_path / "none.json")
    with pytest.raises(UserError, match="--corners"):
        given_table(build())


def test_a_mirrored_table_is_refused() -> None:
    with pytest.raises(UserError, match="clockwise"):
        given_table(build(), "1000,50 100,50 100,650 1000,650")
