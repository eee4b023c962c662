"""Reading ahead changes nothing but the time it takes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee.errors import UserError
from referee.vision.frames import Frame
from referee.vision.read_ahead import ReadAhead
from referee.vision.video_file import VideoFile

CALM = Path(__file__).parent.parent / "fixtures" / "footage" / "calm.mp4"


class Failing(VideoFile):
    """A film that cannot be read beyond its third frame."""

    def read(self) -> Frame | None:
        frame = super().read()
        if frame is not None and frame.index == 3:
            raise UserError("the disk is gone")
        return frame


def test_it_gives_what_its_source_gives() -> None:
    with VideoFile(CALM) as plain, ReadAhead(VideoFile(CALM)) as ahead:
        assert (ahead.size, ahead.description, ahead.duration) == (plain.size, plain.description, plain.duration)
        for _ in range(40):
            one, other = plain.read(), ahead.read()
            assert one is not None
            assert other is not None
            assert (one.index, one.t) == (other.index, other.t)
            assert np.array_equal(one.image, other.image)
        assert ahead.damage == ""


def test_what_goes_wrong_is_raised_where_the_frames_are_read() -> None:
    with ReadAhead(Failing(CALM)) as ahead:
        for _ in range(3):
            assert ahead.read() is not None
        with pytest.raises(UserError, match="the disk is gone"):
            ahead.read()
        assert ahead.read() is None


def test_it_can_be_closed_at_any_time_and_twice() -> None:
    ahead = ReadAhead(VideoFile(CALM))
    ahead.read()
    ahead.close()
    ahead.close()
    assert ahead.read() is None
