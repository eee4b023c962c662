"""Folders of pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import cv2
import pytest

from referee.errors import UserError
from referee.vision.image_folder import ImageFolder
from tests.vision.films import everything, numbered, numbers


def fill(folder: Path, names: Iterable[str], size: tuple[int, int] = (160, 120)) -> Path:
    """Numbered pictures under these names, in this order."""
    folder.mkdir(exist_ok=True)
    for number, name in enumerate(names):
        (folder / name).write_bytes(cv2.imencode(Path(name).suffix, numbered(number, size))[1].tobytes())
    return folder


def test_pictures_come_in_the_natural_order_of_their_names(tmp_path: Path) -> None:
    names = ["1.png", "2.png", "9.PNG", "10.png", "100.jpg", "a2b3.png", "a10b1.bmp", "ł.webp"]
    with ImageFolder(fill(tmp_path / "table 25fps", names)) as source:
        frames = everything(source)
    assert numbers(frames) == list(range(8))
    assert [frame.t for frame in frames] == [n / 25 for n in range(8)]


@pytest.mark.parametrize(
    ("names", "times"),
    [
        (["t_9.5.png", "t_10.25.png", "t_10.5.png"], [0, 0.75, 1]),
        (["t_2.25s.png", "t_2.5s.png", "t_2.75s.png"], [0, 0.25, 0.5]),
        (["t 90ms.png", "t 123ms.png", "t 1456ms.png"], [0, 0.033, 1.366]),
    ],
)
def test_names_that_end_in_a_time_give_it(tmp_path: Path, names: list[str], times: list[float]) -> None:
    with ImageFolder(fill(tmp_path / "table 30fps", names)) as source:
        assert source.duration == pytest.approx(times[-1])
        frames = everything(source)
    assert [frame.t for frame in frames] == pytest.approx(times)
    assert numbers(frames) == [0, 1, 2]


@pytest.mark.parametrize(("name", "rate"), [("evening 30fps", 30), ("59.94fps", 59.94), ("a 24 FPS film", 24)])
def test_a_rate_in_the_name_of_the_folder_counts(tmp_path: Path, name: str, rate: float) -> None:
    with ImageFolder(fill(tmp_path / name, ["1.png", "2.png", "3.png"])) as source:
        assert [frame.t for frame in everything(source)] == [0, 1 / rate, 2 / rate]


def test_a_folder_that_tells_no_times_is_refused(tmp_path: Path) -> None:
    folder = fill(tmp_path / "table", ["1.png", "t 90ms.png"])
    with pytest.raises(UserError, match=r"table: nothing tells when.*'table 30fps'"):
        ImageFolder(folder)


def test_two_pictures_of_one_time_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="of the same second"):
        ImageFolder(fill(tmp_path / "table", ["a_1.5.png", "b_1.50.png"]))


def test_a_rate_that_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be: name the folder with a rate above 0"):
        ImageFolder(fill(tmp_path / "0fps", ["1.png"]))


def test_pictures_of_mixed_sizes_are_refused_where_they_differ(tmp_path: Path) -> None:
    folder = fill(tmp_path / "table 30fps", ["1.png", "2.png"])
    fill(folder, ["3.png"], (320, 240))
    with ImageFolder(folder) as source:
        assert source.read() is not None
        assert source.read() is not None
        for _ in range(2):
            with pytest.raises(UserError, match=r"3\.png is 320x240 and the pictures before it are 160x120: put"):
                source.read()


def test_what_is_no_picture_is_left_out_and_told(tmp_path: Path) -> None:
    folder = fill(tmp_path / "table 30fps", ["1.png", "3.png", "5.png"])
    (folder / "0.png").write_bytes(b"")
    (folder / "2.png").write_text("no picture")
    (folder / "notes.txt").write_text("not looked at")
    (folder / "4.png").mkdir()
    with ImageFolder(folder) as source:
        frames = everything(source)
        assert source.damage == f"{folder} is damaged: 2 pictures cannot be read, the first is 0.png"
    assert numbers(frames) == [0, 1, 2]
    assert [frame.t for frame in frames] == pytest.approx([0, 2 / 30, 3 / 30])


@pytest.mark.parametrize("names", [[], ["notes.txt"]])
def test_a_folder_without_pictures_is_refused(tmp_path: Path, names: list[str]) -> None:
    for name in names:
        (tmp_path / name).write_text("no picture")
    with pytest.raises(UserError, match=f"{re.escape(str(tmp_path))} holds no pictures: give"):
        ImageFolder(tmp_path)


def test_a_folder_of_spoilt_pictures_is_refused(tmp_path: Path) -> None:
    (tmp_path / "1.5.png").write_text("no picture")
    with pytest.raises(UserError, match="none of its 1 pictures can be read"):
        ImageFolder(tmp_path)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nowhere: there is no such folder"):
        ImageFolder(tmp_path / "nowhere")
