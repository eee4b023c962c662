"""What users name, opened; and cameras as OpenCV gives them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.errors import UserError
from referee.vision.capture import MJPG, OpenCapture, ask_for, without_secrets
from referee.vision.image_folder import ImageFolder
from referee.vision.open_source import open_source
from referee.vision.video_file import VideoFile
from tests.vision.films import numbered, steady
from tests.vision.test_image_folder import fill

NO_CAMERA = "987"
YUYV = cv2.VideoWriter.fourcc(*"YUYV")


class FakeDevice:
    """A device that knows some settings, and takes compression only before or only after the size."""

    def __init__(self, takes_mjpg: str, picture: Any = None, good: bool = True) -> None:
        self.settings: dict[int, float] = {cv2.CAP_PROP_FOURCC: YUYV}
        self._takes_mjpg = takes_mjpg
        self._picture = good, picture

    def set(self, propId: int, value: float, /) -> bool:
        sized = cv2.CAP_PROP_FRAME_WIDTH in self.settings
        if propId == cv2.CAP_PROP_FOURCC and self._takes_mjpg != ("after" if sized else "before"):
            return False
        self.settings[propId] = value
        return True

    def get(self, propId: int, /) -> float:
        return self.settings.get(propId, 0.0)

    def grab(self) -> bool:
        return True

    def retrieve(self) -> tuple[bool, Any]:
        return self._picture

    def release(self) -> None:
        self.settings.clear()


@pytest.mark.parametrize("takes_mjpg", ["before", "after"])
def test_compression_is_asked_for_in_either_order(takes_mjpg: str) -> None:
    device = FakeDevice(takes_mjpg)
    assert ask_for(device, (1280, 720), 60) == "sent as MJPG, asked for 60 pictures a second"
    assert device.settings[cv2.CAP_PROP_FOURCC] == MJPG
    assert device.settings[cv2.CAP_PROP_FRAME_WIDTH] == 1280
    assert device.settings[cv2.CAP_PROP_FRAME_HEIGHT] == 720
    assert device.settings[cv2.CAP_PROP_FPS] == 60


def test_what_the_camera_made_of_it_is_told() -> None:
    assert ask_for(FakeDevice("never"), (640, 480), 30).startswith("sent as YUYV")
    device = FakeDevice("never")
    device.settings[cv2.CAP_PROP_FOURCC] = -1
    assert ask_for(device, (640, 480), 30).startswith("sent as an unknown format")


@pytest.mark.parametrize("picture", [None, np.zeros((4, 4), np.uint8), np.zeros((0, 0, 3), np.uint8)])
def test_success_without_a_picture_is_none(picture: Any) -> None:
    assert OpenCapture(FakeDevice("before", picture), "").retrieve() is None
    assert OpenCapture(FakeDevice("before", numbered(1), good=False), "").retrieve() is None


def test_a_picture_is_handed_on() -> None:
    np.testing.assert_array_equal(OpenCapture(FakeDevice("before", numbered(9)), "").retrieve(), numbered(9))


def test_paths_open_films_and_folders(tmp_path: Path) -> None:
    with open_source(str(steady(tmp_path / "film.mp4", 3))) as source:
        assert isinstance(source, VideoFile)
    with open_source(str(fill(tmp_path / "10fps", ["1.png", "2.png"]))) as source:
        assert isinstance(source, ImageFolder)
        assert source.duration == 0.1
    with pytest.raises(UserError, match=r"nowhere\.mp4: there is no such file"):
        open_source(str(tmp_path / "nowhere.mp4"))


def test_a_file_named_like_a_camera_is_reached_by_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    steady(tmp_path / "film.mp4", 3).rename(tmp_path / NO_CAMERA)
    with open_source(f"./{NO_CAMERA}") as source:
        assert isinstance(source, VideoFile)
    with pytest.raises(UserError, match=f"camera {NO_CAMERA} cannot be opened: check that it is plugged in"):
        open_source(NO_CAMERA)


def test_a_camera_is_asked_for_the_size_behind_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def refuse(*what: object) -> OpenCapture:
        asked.append(what)
        raise UserError("not there")

    monkeypatch.setattr("referee.vision.open_source.open_number", refuse)
    for text in ("7", "7@1280x720"):
        with pytest.raises(UserError, match="not there"):
            open_source(text)
    assert asked == [(7, (1920, 1080)), (7, (1280, 720))]


def test_an_address_that_does_not_answer_is_refused_without_its_password(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UserError, match=r"^rtsp://127\.0\.0\.1:9/live cannot be opened: check") as refused:
        open_source("rtsp://ada:swordfish@127.0.0.1:9/live?token=swordfish")
    assert "swordfish" not in str(refused.value)
    assert "swordfish" not in "".join(capfd.readouterr())


def test_other_addresses_are_refused() -> None:
    with pytest.raises(UserError, match="ftp:// is not the address of a camera"):
        open_source("ftp://127.0.0.1/film.mp4")


def test_addresses_are_shown_without_secrets() -> None:
    assert without_secrets("http://a:b@10.0.0.7:8080/video?key=c#d") == "http://10.0.0.7:8080/video"
    assert without_secrets("rtsp://[fe80::1]/x") == "rtsp://[fe80::1]/x"
