"""What people write on command lines: names, corners, sizes."""

from __future__ import annotations

import pytest

from referee.arguments import parse_corners, parse_names, parse_size
from referee.errors import UserError


def test_two_names_are_read() -> None:
    assert parse_names("Ada, Bo ") == ("Ada", "Bo")


@pytest.mark.parametrize("text", ["", "Ada", "Ada,", "Ada,Bo,Cy", 'A"da,Bo'])
def test_what_is_not_two_names_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="not the names of two players"):
        parse_names(text)


def test_corners_are_read() -> None:
    assert parse_corners("214,45 1706,45 1748,1064 172,1064") == ((214, 45), (1706, 45), (1748, 1064), (172, 1064))
    assert parse_corners("1.5,2;3,4; 5,6  7,8")[0] == (1.5, 2)


@pytest.mark.parametrize(
    "text", ["", "1,2 3,4 5,6", "1,2 3,4 5,6 7", "a,b c,d e,f g,h", "1,2 3,4 5,6 nan,8", "1,2,3 4,5 6,7 8,9"]
)
def test_what_is_no_four_corners_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="are not four corners"):
        parse_corners(text)


def test_a_size_is_read_in_either_writing() -> None:
    assert parse_size("900x600") == parse_size(" 900 × 600 ") == (900, 600)


@pytest.mark.parametrize("text", ["", "900", "900x", "90x60", "900x6000", "-900x600", "900 by 600"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="is no size of a table"):
        parse_size(text)
