"""A game's folder: its journal and the films of its recording, to be watched again as it was filmed."""

from __future__ import annotations

import contextlib
import math
from bisect import bisect_left
from collections.abc import Generator, Iterator
from pathlib import Path

import numpy as np
from av.video.frame import VideoFrame
from av.video.reformatter import VideoReformatter

from referee.errors import UserError
from referee.record.journal import JOURNAL, Journal, read_journal
from referee.record.segments import TICK, SegmentIndex, read_index, segments_in
from referee.vision.decoding import Losses, decoded
from referee.vision.frames import Frame, FrameSource, Image


def is_game(path: Path) -> bool:
    """Whether ``path`` is the folder of a game."""
    return (path / JOURNAL).is_file()


def make_folder(path: Path) -> Path:
    """Make a folder that nobody else has: ``path``, or where that is there, ``path-2``, ``path-3`` and so on.

    Raises:
        UserError: none can be made there.
    """
    found, number = path, 1
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        while True:
            # Who makes it has it, though several look for one at the same moment.
            with contextlib.suppress(FileExistsError):
                found.mkdir()
                return found
            number += 1
            found = path.with_name(f"{path.name}-{number}")
    except OSError as error:
        raise UserError(f"cannot write into {path.parent}: {error.strerror}") from None


class GameFolder(FrameSource):
    """The recording in a game's folder, at the very times at which it was filmed.

    A recording whose program was killed is read as far as it was written. Frames are counted as they were recorded:
    one that was filmed and not recorded has no number here.

    Attributes:
        path: the folder.
        journal: the game's journal, its events only.
    """

    def __init__(self, path: Path, journal: Journal | None = None) -> None:
        """Open a game.

        Args:
            path: the folder.
            journal: its journal, where that has been read already.

        Raises:
            UserError: there is none, its journal cannot be read, or nothing was recorded.
        """
        if not is_game(path):
            raise UserError(f"{path} is no folder of a game: there is no {JOURNAL} in it")
        self.path = path
        self.journal = journal or read_journal(path / JOURNAL, events_only=True)
        self._segments = [index for film in segments_in(path) if (index := read_index(film)) and index.taken]
        if not self._segments:
            raise UserError(f"nothing was recorded of the game in {path}: only its journal can be read")
        self._size = self._segments[0].size
        self._times = [taken.t for segment in self._segments for taken in segment.taken.values()]
        self._to_bgr = VideoReformatter()
        self._unreadable = 0
        self._frames: Generator[Frame] | None = self._from(0)

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    @property
    def description(self) -> str:
        width, height = self._size
        return f"{self.path.name}, a recording of {self.journal.header.source}, {width}x{height}"

    @property
    def duration(self) -> float:
        return self._times[-1]

    @property
    def damage(self) -> str:
        if not self._unreadable:
            return ""
        pictures = f"{self._unreadable} picture{'s' if self._unreadable > 1 else ''}"
        return f"{self.path} is damaged: {pictures} of those recorded cannot be read"

    def read(self) -> Frame | None:
        return None if self._frames is None else next(self._frames, None)

    def seek(self, t: float) -> None:
        """Go on with the first frame taken at ``t`` s or later; none is left where the recording ends before."""
        if self._frames is not None:
            self._frames.close()
            self._frames = self._from(bisect_left(self._times, t))

    def close(self) -> None:
        if self._frames is not None:
            self._frames.close()
            self._frames = None

    def _from(self, first: int) -> Generator[Frame]:
        """The frames from the one with number ``first`` in the index on."""
        number = first
        before = 0
        for segment in self._segments:
            skip, before = max(first - before, 0), before + len(segment.taken)
            if skip >= len(segment.taken):
                continue
            for image, t in self._pictures(segment, skip):
                yield Frame(number, t, image)
                number += 1

    def _pictures(self, segment: SegmentIndex, skip: int) -> Iterator[tuple[Image, float]]:
        """The pictures of a segment after the first ``skip``, with their times."""
        missing = dict(list(segment.taken.items())[skip:])
        if segment.size != self._size:
            # The table would lie elsewhere in them.
            self._unreadable += len(missing)
            return
        start = next(iter(missing)) if skip else None
        try:
            for picture in decoded(segment.film, start, Losses()):
                taken = None if picture.pts is None else missing.pop(_stamp(picture), None)
                if taken is not None:
                    yield self._image(picture), taken.t
        except UserError:
            # A film that was cut off before its first picture does not even open.
            pass
        self._unreadable += len(missing)

    def _image(self, picture: VideoFrame) -> Image:
        width, height = self._size
        image = self._to_bgr.reformat(picture, format="bgr24", threads=1).to_ndarray()
        # The recorder makes odd sizes even.
        return np.ascontiguousarray(image[:height, :width], np.uint8)


def _stamp(picture: VideoFrame) -> int:
    """When a picture is to be shown, in the ticks of the index."""
    assert picture.pts is not None
    tick = picture.time_base or TICK
    return math.floor(picture.pts * tick / TICK + 0.5)
