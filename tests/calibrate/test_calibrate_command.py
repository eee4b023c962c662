"""``referee calibrate``: what it prints, writes and refuses."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.calibrate.find_table import pictures_of, read_picture
from referee.calibrate.lens import Lens, bent, radial_lens, straightened, view_through
from referee.calibrate.tables import load_table
from referee.commands import calibrate
from referee.errors import UserError
from referee.pictures import write_picture
from referee.table import standard_layout
from referee.vision.rectify import Image, project
from referee.vision.video_file import VideoFile
from tests.calibrate.dealt import Drawn, draw
from tests.calibrate.test_lens import board_pictures

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
    film = Path(__file__).parents[1] / "fixtures" / "footage" / "calm.mp4"
    with VideoFile(film) as source:
        frame = source.read()
    assert frame is not None
    write_picture(tmp_path / "deal.png", frame.image)
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


def test_what_lies_like_a_deal_but_reads_like_none_is_refused(tmp_path: Path) -> None:
    # Cards with nothing on them that the reader knows.
    write_picture(tmp_path / "deal.png", draw(standard_layout().boxes).image)
    with pytest.raises(UserError, match="no card is read where"):
        run("--camera", str(tmp_path / "deal.png"), "--save", "kitchen")


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
        (("--lens",), "no two long edges"),
        (("--lens", "calibration"), "has no pictures of the lens board"),
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


def bent_deal(lens: Lens) -> tuple[Image, Drawn]:
    """A deal on a table whose edges show, through a lens that bends."""
    drawn = draw(standard_layout().boxes, reach=1500)
    height, width = drawn.image.shape[:2]
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2).astype(np.float64)
    maps = straightened(lens, grid).reshape(height, width, 2).astype(np.float32)
    seen = cv2.remap(drawn.image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderValue=(30, 30, 30))
    return np.asarray(seen, np.uint8), drawn


def test_a_wide_lens_is_measured_by_the_table_s_edges_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lens = radial_lens((1280, 720), -0.12)
    image, drawn = bent_deal(lens)
    write_picture(tmp_path / "wide.png", image)
    corners = bent(lens, project(drawn.to_image, [[0, 0], [900, 0], [900, 600], [0, 600]]))
    given = " ".join(f"{x:.2f},{y:.2f}" for x, y in corners)
    run("--camera", str(tmp_path / "wide.png"), "--corners", given, "--lens", "--save", "wide")
    assert "the lens bends the picture's corners by" in capsys.readouterr().out
    table = load_table("wide")
    assert table.lens is not None
    assert table.lens.distortion[0] == pytest.approx(-0.12, abs=0.01)
    ends = [[box.x, box.y] for box in table.layout.boxes.values()]
    places = bent(lens, project(drawn.to_image, ends))
    assert np.linalg.norm(table.view.to_image(ends) - places, axis=1).max() < 1
    run("--camera", str(tmp_path / "wide.png"), "--corners", given, "--save", "plain")
    assert np.linalg.norm(load_table("plain").view.to_image(ends) - places, axis=1).max() > 6


def test_a_wide_lens_is_measured_by_pictures_of_the_board(photo: str, tmp_path: Path) -> None:
    folder = tmp_path / "board"
    folder.mkdir()
    for number, image in enumerate(board_pictures(radial_lens((1280, 720), -0.12), 6)):
        write_picture(folder / f"{number}.png", image)
    run("--camera", photo, "--corners", CORNERS, "--lens", str(folder), "--save", "wide")
    lens = load_table("wide").lens
    assert lens is not None
    # Told at the size of the table's picture, half as large again as those of the board.
    truth = radial_lens((1920, 1080), -0.12)
    points = np.array([[100.0, 540], [960, 80], [1700, 900], [300, 950], [1500, 200], [960, 540]])
    flat = straightened(lens, points)
    same = view_through(flat, straightened(truth, points))
    assert np.linalg.norm(same.to_image(flat) - straightened(truth, points), axis=1).max() < 3
    write_picture(tmp_path / "square.png", np.full((1000, 1000, 3), 90, np.uint8))
    square = ("--camera", str(tmp_path / "square.png"), "--corners", "100,100 900,100 900,700 100,700")
    with pytest.raises(UserError, match="camera set to one size"):
        run(*square, "--lens", str(folder))


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


def test_the_lens_board_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("print", "--lens") == 0
    assert (tmp_path / "lens-board.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(UserError, match="one at a time"):
        run("print", "--lens", "--mat", "standard")
