"""The contract of all sources of frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from referee.vision.camera import Camera
from referee.vision.camera_feed import Patience
from referee.vision.frames import Frame, FrameSource
from referee.vision.image_folder import ImageFolder
from referee.vision.video_file import VideoFile
from tests.vision.fake_camera import FakeCamera, FakeTime, Picture
from tests.vision.films import CLOCKWISE, SIZE, film, number_in, numbered, steady, turn
from tests.vision.test_image_folder import fill

COUNT = 20
UNEVEN = [n * n * 3 + n for n in range(COUNT)]


@dataclass
class Case:
    """A source of pictures 0 to COUNT - 1.

    Attributes:
        times: what its frames' t have to be.
        quarter_turns: how often a picture is turned clockwise against `numbered`.
        come: called before each read but the first; has a camera film its next picture.
        free: lets a camera that waits for ``come`` wait no more.
    """

    source: FrameSource
    times: list[float]
    quarter_turns: int = 0
    come: Callable[[], None] = lambda: None
    free: Callable[[], None] = lambda: None

    def rest(self) -> list[Frame]:
        frames: list[Frame] = []
        for _ in range(COUNT):
            if frames:
                self.come()
            frame = self.source.read()
            assert frame is not None
            frames.append(frame)
        return frames


def even(rate: float) -> list[float]:
    return [n / rate for n in range(COUNT)]


def mp4(folder: Path) -> Case:
    return Case(VideoFile(steady(folder / "film.mp4", COUNT)), even(30))


def mkv(folder: Path) -> Case:
    return Case(VideoFile(steady(folder / "film.mkv", COUNT, 60)), [round(t, 3) for t in even(60)])


def uneven(folder: Path) -> Case:
    return Case(VideoFile(film(folder / "film.mp4", UNEVEN, Fraction(1, 1000))), [t / 1000 for t in UNEVEN])


def turned(folder: Path) -> Case:
    return Case(VideoFile(turn(steady(folder / "film.mp4", COUNT, 24), CLOCKWISE)), even(24), quarter_turns=1)


def folder_of_images(folder: Path) -> Case:
    return Case(ImageFolder(fill(folder / "film 120fps", [f"{n}.png" for n in range(COUNT)])), even(120))


def camera(_: Path) -> Case:
    fake = FakeCamera(FakeTime(), [[Picture(n) for n in range(COUNT + 1)]])
    fake.allow()
    source = Camera("film", fake.open, patience=Patience(farewell=0.05), clock=fake.time.clock, pause=fake.time.pause)
    return Case(source, [round(t, 3) for t in even(30)], come=fake.film, free=fake.free)


@pytest.fixture(params=[mp4, mkv, uneven, turned, folder_of_images, camera], ids=lambda make: make.__name__)
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Case]:
    made: Case = request.param(tmp_path)
    yield made
    made.free()
    made.source.close()


def test_every_picture_comes_once_in_order(case: Case) -> None:
    frames = case.rest()
    assert [number_in(np.rot90(frame.image, case.quarter_turns)) for frame in frames] == list(range(COUNT))
    assert [frame.index for frame in frames] == list(range(COUNT))
    assert case.source.damage == ""


def test_time_starts_at_zero_and_goes_forward_as_the_source_says(case: Case) -> None:
    times = [frame.t for frame in case.rest()]
    assert times[0] == 0
    assert all(before < after for before, after in pairwise(times))
    assert times == pytest.approx(case.times, abs=1e-4)


def test_all_pictures_have_the_size_announced(case: Case) -> None:
    assert case.source.size == (SIZE[::-1] if case.quarter_turns else SIZE)
    for frame in case.rest():
        assert frame.image.shape == (*case.source.size[::-1], 3)
        assert frame.image.dtype == np.uint8


def test_pictures_keep_their_content_when_others_follow(case: Case) -> None:
    frames = case.rest()
    copies = [frame.image.copy() for frame in frames]
    case.source.close()
    for frame, copy, number in zip(frames, copies, range(COUNT), strict=True):
        np.testing.assert_array_equal(frame.image, copy)
        assert np.abs(np.rot90(frame.image, case.quarter_turns) - numbered(number).astype(int)).mean() < 12


def test_it_says_what_it_is(case: Case) -> None:
    width, height = case.source.size
    assert "film" in case.source.description
    assert f"{width}x{height}" in case.source.description
    assert case.source.duration is None or case.source.duration == pytest.approx(case.times[-1], abs=0.5)


def test_after_the_end_there_is_nothing_for_good(case: Case) -> None:
    case.rest()
    if isinstance(case.source, Camera):
        case.source.close()
    assert [case.source.read() for _ in range(3)] == [None, None, None]


def test_closing_ends_it_and_may_be_repeated(case: Case) -> None:
    assert case.source.read() is not None
    case.source.close()
    case.source.close()
    assert case.source.read() is None


def test_leaving_its_block_closes_it_also_by_an_error(case: Case) -> None:
    def use() -> None:
        with case.source as entered:
            assert entered is case.source
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        use()
    assert case.source.read() is None


@pytest.mark.parametrize("index_and_t", [(-1, 0.0), (0, -0.1), (0, float("nan")), (0, float("inf"))])
def test_a_frame_has_a_place_and_a_time(index_and_t: tuple[int, float]) -> None:
    with pytest.raises(ValueError, match="a place and a time"):
        Frame(*index_and_t, numbered(0))


@pytest.mark.parametrize("image", [np.zeros((4, 4)), np.zeros((4, 4, 3)), np.zeros((0, 4, 3), np.uint8)])
def test_a_frame_is_a_colour_picture(image: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"uint8 \(height, width, 3\)"):
        Frame(0, 0.0, image)


def test_a_frame_is_halved_once_for_all_who_ask() -> None:
    image = np.zeros((4, 8, 3), np.uint8)
    image[:2, 2:4] = 100
    image[0, 2] = 20
    frame = Frame(0, 0.0, image)
    assert frame.half()[:, :, 0].tolist() == [[0, 80, 0, 0], [0, 0, 0, 0]]
    assert frame.half() is frame.half()
