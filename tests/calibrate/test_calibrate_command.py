"""``referee calibrate``: what it prints, writes and refuses."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.calibrate.find_table import pictures_of, read_picture
from referee.calibrate.tables import load_table
from referee.commands import calibrate
from referee.errors import UserError
from referee.pictures import write_picture
from referee.table import standard_layout
from tests.calibrate.dealt import draw

CORNERS = "214,45 1706,45 1748,1064 172,1064"


@pytest.fixture(autouse=True)
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_TABLES", str(tmp_path / "tables"))


@pytest.fixture
def photo(tmp_path: Path) -> str:
    """A picture of a bare table."""
    path = tmp_path / "photo.png"
    write_picture(path, np.full((1080, 1920, 3), 90, np.uint8))
    return str(path)


def run(*args: str) -> int:
    parser = argparse.ArgumentParser()
    calibrate.add(parser.add_subparsers(required=True))
    parsed = parser.parse_args(["calibrate", *args])
    code: int = parsed.run(parsed)
    return code


def test_a_dealt_table_is_found_told_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_picture(tmp_path / "deal.png", draw(standard_layout().boxes).image)
    shown = tmp_path / "shown.png"
    assert run("--camera", str(tmp_path / "deal.png"), "--save", "kitchen", "--out", str(shown)) == 0
    out = capsys.readouterr().out
    assert "found from the dealt cards: 12 piles of poker cards" in out
    assert "px a mm" in out
    assert "tilted by about" in out
    assert load_table("kitchen").way == "deal"
    assert load_table("kitchen").camera == str(tmp_path / "deal.png")
    picture = cv2.imread(str(shown))
    assert picture is not None
    assert picture.shape == (720, 1280, 3)


def test_corners_by_hand_are_kept_with_the_usual_zones(photo: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--camera", photo, "--corners", CORNERS, "--size", "900x600", "--save", "attic") == 0
    table = load_table("attic")
    assert table.layout == standard_layout()
    assert table.corners[2] == (1748, 1064)
    assert "900 x 600 mm, 14 zones" in capsys.readouterr().out


def test_zones_by_hand_come_from_a_truth_file(photo: str) -> None:
    zones = Path(__file__).parents[1] / "fixtures" / "footage" / "calm.truth.jsonl"
    assert run("--camera", photo, "--corners", CORNERS, "--zones", str(zones), "--save", "attic") == 0
    assert len(load_table("attic").layout.boxes) == 14


def test_a_moved_table_keeps_its_zones_when_new_corners_are_given(photo: str) -> None:
    rules = ("--ruleset", "house,layout=triangle4")
    run("--camera", photo, "--corners", CORNERS, *rules, "--save", "attic")
    run("--camera", photo, "--table", "attic", "--corners", "200,45 1706,45 1748,1064 172,1064", "--save", "attic")
    assert load_table("attic").corners[0] == (200, 45)
    assert load_table("attic").layout == standard_layout(4)


def test_what_is_not_saved_is_said(photo: str, capsys: pytest.CaptureFixture[str]) -> None:
    run("--camera", photo, "--corners", CORNERS)
    assert "--save NAME keeps it" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ((), "no cards can be made out"),
        (("--way", "markers"), "marker"),
        (("--corners", "1,2"), "are not four corners"),
        (("--corners", CORNERS, "--size", "9x6"), "is no size of a table"),
        (("--zones", "calibration/example.toml"), "--zones needs the table's corners"),
        (("--ruleset", "nonsense"), "nonsense"),
        (("--reserve", "above"), "is no place of the reserve"),
        (("--table", "nowhere", "--edit"), "there is no table 'nowhere'"),
        (("--corners", CORNERS, "--save", ".x"), "is no name for a table"),
    ],
)
def test_mistakes_are_refused_with_a_sentence(args: tuple[str, ...], error: str, photo: str) -> None:
    with pytest.raises(UserError, match=error):
        run("--camera", photo, *args)


def test_editing_without_a_display_says_what_to_do_instead(photo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UserError, match="no window can be opened here"):
        run("--camera", photo, "--corners", CORNERS, "--edit", "--save", "attic")


@pytest.mark.parametrize("name", ["none.png", "empty.png", "text.png"])
def test_a_picture_that_cannot_be_read_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty.png").write_bytes(b"")
    (tmp_path / "text.png").write_bytes(b"not a picture")
    with pytest.raises(UserError, match="picture"):
        read_picture(tmp_path / name)


def test_a_video_is_looked_at_more_than_once() -> None:
    clip = Path(__file__).parents[1] / "fixtures" / "footage" / "calm.mp4"
    assert len(list(pictures_of(str(clip)))) >= 3


def test_the_markers_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "markers.pdf"
    assert run("print", "--paper", "letter", "--mat", "standard", "--out", str(sheet)) == 0
    assert sheet.read_bytes().startswith(b"%PDF")
    assert "at 100 %" in capsys.readouterr().out
