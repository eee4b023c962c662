"""A recording that stands in for a camera keeps its pace and loses what nobody fetches in time."""

from __future__ import annotations

import threading
import time
from fractions import Fraction
from pathlib import Path

import pytest

from referee.errors import UserError
from referee.live.feed import AHEAD, Feed
from referee.live.film import FilmAsCamera
from referee.vision.frames import Frame, FrameSource
from referee.vision.video_file import VideoFile
from tests.vision.films import everything, film, number_in, numbered


class Clock:
    """Moves only when told."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


def recording(tmp_path: Path, count: int = 8) -> VideoFile:
    return VideoFile(film(tmp_path / "film.mp4", range(count), Fraction(1, 30)))


def test_at_a_clock_that_flies_the_end_comes_at_once_and_drops_are_counted(tmp_path: Path) -> None:
    clock = Clock()
    with FilmAsCamera(recording(tmp_path), clock) as source:
        first = source.read()
        assert first is not None
        clock.now += 100
        source._thread.join(10.0)
        last, end = source.read(), source.read()
        assert last is not None
        assert end is None
        assert (last.index, number_in(last.image)) == (1, 7)
        assert last.t == pytest.approx(7 / 30)
        assert source.drops == 6
        assert source.gaps == ()


def test_nothing_is_missed_before_the_first_picture_is_asked_for(tmp_path: Path) -> None:
    clock = Clock()
    with FilmAsCamera(recording(tmp_path), clock) as source:
        clock.now += 100
        time.sleep(0.2)
        first = source.read()
        assert first is not None
        assert (first.t, number_in(first.image), source.drops) == (0.0, 0, 0)


def test_one_that_nobody_watched_is_closed_and_gives_nothing(tmp_path: Path) -> None:
    source = FilmAsCamera(recording(tmp_path))
    source.close()
    source.close()
    assert source.read() is None


def test_no_picture_comes_before_its_time(tmp_path: Path) -> None:
    clock = Clock()
    with FilmAsCamera(recording(tmp_path), clock) as source:
        assert source.read() is not None
        got: list[Frame | None] = []
        waiting = threading.Thread(target=lambda: got.append(source.read()))
        waiting.start()
        waiting.join(0.15)
        assert got == []
        clock.now += 1.1 / 30
        waiting.join(5.0)
        [second] = got
        assert second is not None
        assert second.t == pytest.approx(1 / 30)


def test_times_begin_with_the_first_picture_shown(tmp_path: Path) -> None:
    opened = recording(tmp_path)
    opened.seek(4 / 30)
    with FilmAsCamera(opened, lambda: time.monotonic() * 0.2) as source:
        shown = everything(source)
    assert shown[0].index == 0
    assert shown[0].t == 0.0
    assert shown[-1].t == pytest.approx(3 / 30, abs=1e-5)


def test_it_is_what_the_recording_is(tmp_path: Path) -> None:
    with recording(tmp_path) as plain, FilmAsCamera(recording(tmp_path)) as source:
        assert (source.size, source.description, source.duration) == (plain.size, plain.description, plain.duration)
        assert source.damage == ""


class Broken(FrameSource):
    """Gives one frame, then fails, or waits until it is closed."""

    size = (160, 120)
    description = "a broken source"
    duration = None
    damage = ""
    gaps = ()
    drops = 0
    rate = 0.0

    def __init__(self, error: Exception | None) -> None:
        self._error = error
        self._given = False
        self._closed = threading.Event()

    def read(self) -> Frame | None:
        if not self._given:
            self._given = True
            return Frame(0, 0.0, numbered(0))
        if self._error is not None:
            raise self._error
        self._closed.wait(10.0)
        return None

    def close(self) -> None:
        self._closed.set()


def test_what_ends_a_recording_is_raised_where_it_is_read() -> None:
    with FilmAsCamera(Broken(UserError("the disk is gone"))) as source:
        assert source.read() is not None
        with pytest.raises(UserError, match="gone"):
            source.read()


def test_a_feed_waits_no_longer_than_it_is_asked_to() -> None:
    source = Broken(None)
    with Feed(source) as feed:
        assert feed.next(5.0) is not None
        begun = time.monotonic()
        assert feed.next(0.02) is None
        assert time.monotonic() - begun < 2.0
        assert not feed.ended
    assert feed.ended
    assert source._closed.is_set()
    assert not feed._thread.is_alive()


def test_a_feed_ends_with_its_source(tmp_path: Path) -> None:
    with Feed(FilmAsCamera(recording(tmp_path, 3), lambda: time.monotonic() * 0.2)) as feed:
        found = []
        while not feed.ended:
            frame = feed.next(1.0)
            if frame is not None:
                found.append(frame.index)
    assert found == [0, 1, 2]


def test_a_feed_raises_what_ended_its_source() -> None:
    with Feed(Broken(RuntimeError("driver"))) as feed:
        assert feed.next(5.0) is not None
        with pytest.raises(RuntimeError, match="driver"):
            feed.next(5.0)
        assert feed.ended


class Endless(Broken):
    """Gives a frame whenever it is asked."""

    def __init__(self) -> None:
        super().__init__(None)
        self.given = 0

    def read(self) -> Frame | None:
        self.given += 1
        return None if self._closed.is_set() else Frame(self.given - 1, self.given / 30, numbered(self.given % 256))


def test_a_feed_reads_a_little_ahead_and_no_more() -> None:
    source = Endless()
    with Feed(source) as feed:
        assert feed.next(5.0) is not None
        deadline = time.monotonic() + 5.0
        while source.given < 1 + AHEAD and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.05)
        assert source.given == 1 + AHEAD
        frames = [feed.next(5.0) for _ in range(2 * AHEAD)]
    assert [frame.index for frame in frames if frame is not None] == list(range(1, 1 + 2 * AHEAD))
