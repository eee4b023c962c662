"""Corners and zones that somebody gives: read, or refused with a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.arguments import parse_corners
from referee.calibrate.by_hand import table_by_hand
from referee.calibrate.deal.rows import Expected
from referee.calibrate.layouts import expected_by, layout_for
from referee.calibrate.saved_table import as_corners
from referee.calibrate.tables import load_table
from referee.errors import UserError
from referee.rules import build
from referee.table import Zone, standard_layout

ROOT = Path(__file__).parents[2]
CORNERS = "214,45 1706,45 1748,1064 172,1064"
PICTURE = (1920, 1080)


@given(st.permutations(range(4)))
def test_corners_in_any_other_order_than_clockwise_are_refused(order: list[int]) -> None:
    points = [parse_corners(CORNERS)[i] for i in order]
    turns = [order[(i + 1) % 4] - order[i] for i in range(4)]
    clockwise = all(turn % 4 == 1 for turn in turns)
    if clockwise:
        assert table_by_hand(as_corners(points), standard_layout(), PICTURE).way == "hand"
    else:
        with pytest.raises(UserError, match="clockwise"):
            table_by_hand(as_corners(points), standard_layout(), PICTURE)


@pytest.mark.parametrize(
    ("corners", "error"),
    [
        ("0,0 10,0 20,0 0,20", "clockwise|one line"),
        ("0,0 20,0 20,20 0,20", "enclose only 400 px"),
    ],
)
def test_corners_of_no_table_are_refused(corners: str, error: str) -> None:
    with pytest.raises(UserError, match=error):
        table_by_hand(as_corners(parse_corners(corners)), standard_layout(), PICTURE)


def test_a_layout_larger_than_the_table_is_refused() -> None:
    with pytest.raises(UserError, match="larger --size"):
        layout_for(Expected(5, True), (500, 400))


@pytest.mark.parametrize(
    ("layout", "place", "piles", "reserve"),
    [
        ("triangle5", "table", (1, 2, 3, 4, 5), True),
        ("triangle4", "hand", (1, 2, 3, 4), False),
        ("single10_hand", "table", (10,), True),
        ("hand5", "table", (1, 2, 3, 4, 5), True),
        ("eleven_plus_four", "table", (11, 1, 1, 1, 1), True),
    ],
)
def test_every_ruleset_has_its_layout(layout: str, place: str, piles: tuple[int, ...], reserve: bool) -> None:
    expected = expected_by(build("house", {"layout": layout, "reserve_place": place}))
    stock = len(piles)
    assert expected == Expected(stock, reserve, piles)
    zones = layout_for(expected, (900, 600)).boxes
    assert {zone.name for zone in zones} == {
        *(f"{seat}{i + 1}" for seat in "AB" for i in range(stock)),
        *(("AR", "BR") if reserve else ()),
        "C1",
        "C2",
    }


def test_left_handed_players_have_their_reserve_at_the_left() -> None:
    boxes = layout_for(Expected(5, True), (900, 600), reserves=("left", "right")).boxes
    ours = [boxes[Zone(name)].x for name in ("AR", "A1", "A2", "A3", "A4", "A5")]
    theirs = [boxes[Zone(name)].x for name in ("BR", "B5", "B4", "B3", "B2", "B1")]
    assert ours == sorted(ours)
    assert theirs == sorted(theirs)


def test_the_example_table_can_be_used() -> None:
    assert load_table(str(ROOT / "calibration" / "example.toml")).layout == standard_layout()
