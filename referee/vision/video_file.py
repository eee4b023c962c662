"""A film as a source of frames: every picture that can be decoded, at the time at which it is to be shown."""

from __future__ import annotations

import math
import re
import struct
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sized
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from av.sidedata.sidedata import SideData, SideDataContainer
from av.video.frame import VideoFrame
from av.video.reformatter import VideoReformatter

from referee.errors import UserError
from referee.vision.decoding import Film, Losses, decoded, packet_stamps
from referee.vision.frames import Frame, FrameSource, Image
from referee.vision.straighten import Ticks, straighten

USUAL_RATE: Final = Fraction(30)
"""Pictures a second where a film says nothing of its rate."""

SLACK: Final = 0.5
"""Pictures by which a film may end before its announced end unremarked."""

MATROSKA_SLACK: Final = 1.5
"""The same where the last picture's own length may not be known."""


class VideoFile(FrameSource):
    """A video file of any kind that FFmpeg reads, of constant or variable rate, turned upright.

    Damaged parts do not end it: what can be decoded is given, and ``damage`` tells the rest. A picture whose size is
    not that of the first is left out, because the table would lie elsewhere in it.
    """

    def __init__(self, path: Path | str) -> None:
        """Open the file and decode its first picture.

        Raises:
            UserError: there is no such file, or no picture in it can be decoded.
        """
        self._path = Path(path)
        self._losses = Losses()
        self._other_size: set[float] = set()
        self._mended: set[float] = set()
        self._ended = False
        self._packet_times: list[float] | None = None
        with Film(self._path) as film:
            self._cut_off = film.cut_off
            self._tick = film.tick
            self._rate = film.stream.average_rate or USUAL_RATE
            self._announced = _announced_end(film)
            whole = None if film.container.duration is None else film.container.duration / 1_000_000
        self._pictures = decoded(self._path, None, self._losses)
        shown = self._in_order()
        first = next(shown, None)
        if first is None:
            raise UserError(
                f"{self._path}: no picture in it can be decoded, so it was cut off or damaged near its start: "
                "copy it again from the camera"
            )
        self._origin, picture, _ = first
        self._stored_size = (picture.width, picture.height)
        self._to_bgr = VideoReformatter()
        self._turn = _turn(picture)
        self._size = self._stored_size[::-1] if self._turn.transposed else self._stored_size
        self._duration = whole if self._announced is None else self._announced[0] - float(self._origin * self._tick)
        self._frames: Iterator[Frame] | None = self._numbered(chain((first,), shown), 0, 0.0)

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    @property
    def description(self) -> str:
        width, height = self._size
        return f"{self._path.name}, {width}x{height}, {float(self._rate):.4g} pictures a second"

    @property
    def duration(self) -> float | None:
        return self._duration

    @property
    def damage(self) -> str:
        faults = []
        if places := self._losses.undecodable:
            faults.append(f"{_pictures(places)} cannot be decoded, the first at {self._second(min(places))}")
        if places := self._losses.marred:
            faults.append(f"{_pictures(places)} can be decoded only in part, the first at {self._second(min(places))}")
        if self._other_size:
            faults.append(
                f"{_pictures(self._other_size)} of another size left out, the first at {min(self._other_size):.2f} s"
            )
        if self._mended:
            faults.append(
                f"{_pictures(self._mended)} without a time that can be, shown between their neighbours, "
                f"the first at {min(self._mended):.2f} s"
            )
        if self._losses.stuck:
            faults.append(f"what follows {self._second(self._losses.reached)} cannot be read")
        elif self._ended and (self._cut_off or self._ends_early()):
            faults.append(f"what followed {self._second(self._losses.reached)} was cut off")
        return f"{self._path} is damaged: {'; '.join(faults)}" if faults else ""

    def read(self) -> Frame | None:
        return None if self._frames is None else next(self._frames, None)

    def seek(self, t: float) -> None:
        """Go on with the first frame shown at ``t`` or later; none is left where the film ends before.

        The frame's index is that of reading straight through, as long as every packet before it can be decoded.

        Args:
            t: seconds from the first frame; what lies before it counts as 0.
        """
        if self._frames is None:
            return
        if self._packet_times is None:
            stamps = packet_stamps(self._path)
            self._packet_times = [self._time(stamp) for stamp in stamps if stamp >= self._origin]
        self._pictures.close()
        self._pictures = decoded(self._path, math.floor(self._origin + max(t, 0.0) / self._tick), self._losses)
        self._frames = self._numbered(self._in_order(), bisect_left(self._packet_times, t), t)

    def close(self) -> None:
        if self._frames is not None:
            self._pictures.close()
            self._frames = None

    def _in_order(self) -> Iterator[tuple[Ticks, VideoFrame, bool]]:
        return straighten(((picture.pts, picture) for picture in self._pictures), 1 / (self._rate * self._tick))

    def _numbered(self, shown: Iterable[tuple[Ticks, VideoFrame, bool]], index: int, start: float) -> Iterator[Frame]:
        self._ended = False
        for stamp, picture, mended in shown:
            t = self._time(stamp)
            if t < start:
                continue
            if (picture.width, picture.height) != self._stored_size:
                self._other_size.add(t)
                continue
            if mended:
                self._mended.add(t)
            # No name here holds the picture while the next one is decoded: its memory serves that one, where fresh
            # memory costs as much as decoding.
            yield Frame(index, t, self._turn.apply(self._bgr(picture)))
            index += 1
        self._ended = True

    def _bgr(self, picture: VideoFrame) -> Image:
        # What reads and what decides have need of the other cores.
        return np.asarray(self._to_bgr.reformat(picture, format="bgr24", threads=1).to_ndarray(), np.uint8)

    def _time(self, stamp: Ticks) -> float:
        return float((stamp - self._origin) * self._tick)

    def _second(self, stamp: Ticks) -> str:
        return f"{max(self._time(stamp), 0.0):.2f} s"

    def _ends_early(self) -> bool:
        if self._announced is None:
            return False
        end, slack = self._announced
        return end - float(self._losses.reached * self._tick) > slack


@dataclass(frozen=True, slots=True)
class _Turn:
    """How a stored picture becomes upright: first transposed, then mirrored."""

    transposed: bool
    mirrored_x: bool
    mirrored_y: bool

    def apply(self, image: Image) -> Image:
        if self.transposed:
            image = np.asarray(cv2.transpose(image), np.uint8)
        if self.mirrored_x or self.mirrored_y:
            both = self.mirrored_x and self.mirrored_y
            image = np.asarray(cv2.flip(image, -1 if both else int(self.mirrored_x)), np.uint8)
        return image


def _turn(picture: VideoFrame) -> _Turn:
    """The quarter turn or mirroring nearest to the picture's display matrix."""
    # Asked for by its property, this keeps picture and decoder alive in a cycle, tens of megabytes for each film.
    matrix = SideDataContainer(picture).get("DISPLAYMATRIX")  # type: ignore[call-arg]  # its stub lacks __init__
    if not isinstance(matrix, SideData):
        return _Turn(False, False, False)
    x_to_x, x_to_y, _, y_to_x, y_to_y = struct.unpack_from("=5i", bytes(matrix))
    if abs(x_to_y) > abs(x_to_x):
        return _Turn(True, y_to_x < 0, x_to_y < 0)
    return _Turn(False, x_to_x < 0, y_to_y < 0)


def _pictures(places: Sized) -> str:
    return f"{len(places)} picture{'s' if len(places) > 1 else ''}"


def _announced_end(film: Film) -> tuple[float, float] | None:
    """When the film is to end by its own header and how much less is no damage, s; None if it does not say."""
    stream = film.stream
    usual = 1 / float(stream.average_rate or USUAL_RATE)
    if stream.duration is not None:
        return float(((stream.start_time or 0) + stream.duration) * film.tick), SLACK * usual
    matroska = re.fullmatch(r"(\d+):(\d+):(\d+(?:\.\d+)?)", stream.metadata.get("DURATION", ""))
    if matroska is None:
        return None
    hours, minutes, seconds = matroska.groups()
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds), MATROSKA_SLACK * usual
