"""One file of a recording: pictures in a Matroska film, and beside it when each of them was taken.

Matroska, because what was written of it can be read though its writer was killed. Its own clock counts whole
milliseconds, so the times that count stand in the index beside it, one line a picture.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import av
import cv2
import numpy as np
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from referee.vision.frames import Frame, Image

FILM_SUFFIX: Final = ".mkv"
INDEX_SUFFIX: Final = ".index"

TICK: Final = Fraction(1, 1000)

CLUSTER_MS: Final = 1
"""How much film the writer may keep to itself before it hands it to the system: no more than one picture, which it
lets go of when the next one comes."""

KEY_EVERY: Final = 15
"""Pictures from one that stands alone to the next."""

ENCODING: Final[Mapping[str, object]] = {"preset": "ultrafast", "tune": "zerolatency", "crf": "23", "threads": "1"}
"""Costs 7 ms a picture of 1080p on one core. MPEG-4 costs as much at the same size and likeness, and browsers do not
play it; JPEG costs 4 ms and takes thirteen times the room."""

RATE: Final = 30
"""Told to the encoder, which plans by it; the pictures' own times are kept whatever they are."""

_HEAD: Final = "spit-referee index 1"


class SegmentWriter:
    """Writes one segment. ``close`` completes it; a segment that was not closed can be read all the same."""

    def __init__(self, path: Path, size: tuple[int, int], *, jpeg: bool) -> None:
        """Begin a segment.

        Args:
            path: the film; it must not exist.
            size: width and height of its pictures, px.
            jpeg: whether the pictures come compressed by the camera itself, and are kept so.

        Raises:
            OSError: it cannot be written.
        """
        self.path = path
        self.pictures = 0
        self._last_pts = -1
        self._kept: tuple[Image, bytes | None] | None = None
        """The last picture, while the writer keeps it to itself."""
        self._size = size
        # x264 halves the resolution of colours and wants even sizes.
        self._padding = (0, 0) if jpeg else (size[0] % 2, size[1] % 2)
        self._index = os.open(_index_of(path), os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        try:
            _write_all(self._index, f"{_HEAD} {size[0]}x{size[1]}\n")
            # Handed to the system at once: the muxer asks for ever larger writes otherwise.
            options = {"flush_packets": "1", "cluster_time_limit": str(CLUSTER_MS)}
            self._container = av.open(f"file:{path}", "w", format="matroska", options=options)
            self._stream = self._add_stream(jpeg)
        except BaseException:
            os.close(self._index)
            raise

    def write(self, frame: Frame, jpeg: bytes | None = None) -> None:
        """Add a picture: ``jpeg`` as it is where the segment holds such, else that of ``frame``.

        Raises:
            OSError: the disk is full or gone.
        """
        pts = max(round(frame.t / TICK), self._last_pts + 1)
        self._write_at(pts, frame.image, jpeg)
        _write_all(self._index, f"{frame.index} {pts} {frame.t!r}\n")
        self._kept = (frame.image, jpeg)
        self.pictures += 1

    def flush(self) -> None:
        """Hand the last picture to the system, by one like it that the index does not know.

        Raises:
            OSError: the disk is full or gone.
        """
        if self._kept is not None:
            kept, self._kept = self._kept, None
            self._write_at(self._last_pts + CLUSTER_MS + 1, *kept)

    def close(self) -> None:
        """Complete the film and let go of it.

        Raises:
            OSError: the end of it could not be written; what came before can be read.
        """
        try:
            os.close(self._index)
        finally:
            self._container.close()

    def _add_stream(self, jpeg: bool) -> VideoStream:
        stream = self._container.add_stream("mjpeg" if jpeg else "libx264", rate=RATE)
        stream.width, stream.height = (length + extra for length, extra in zip(self._size, self._padding, strict=True))
        stream.pix_fmt = "yuvj420p" if jpeg else "yuv420p"
        stream.time_base = TICK
        stream.codec_context.time_base = TICK
        if not jpeg:
            stream.gop_size = KEY_EVERY
            stream.options = {**ENCODING}
        return stream

    def _write_at(self, pts: int, image: Image, jpeg: bytes | None) -> None:
        self._last_pts = pts
        for packet in self._packets(image, jpeg, pts):
            self._container.mux(packet)

    def _packets(self, image: Image, jpeg: bytes | None, pts: int) -> Sequence[Packet[Any]]:
        if jpeg is not None:
            packet: Packet[Any] = Packet(jpeg)
            packet.stream = self._stream
            packet.pts = packet.dts = pts
            packet.time_base = TICK
            packet.is_keyframe = True
            return [packet]
        if any(self._padding):
            right, bottom = self._padding
            image = np.asarray(cv2.copyMakeBorder(image, 0, bottom, 0, right, cv2.BORDER_REPLICATE), np.uint8)
        # FFmpeg would take three times as long over the colours.
        yuv = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420), np.uint8)
        picture = VideoFrame.from_ndarray(yuv, format="yuv420p")
        picture.pts = pts
        picture.time_base = TICK
        return self._stream.encode(picture)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class Taken:
    """When a picture was taken: its number at the source, and its time, s."""

    frame: int
    t: float


@dataclass(frozen=True, slots=True)
class SegmentIndex:
    """What is known of a segment without opening its film.

    Attributes:
        film: the file.
        size: width and height of its pictures, px.
        taken: each picture by its stamp in ms, in order of time.
    """

    film: Path
    size: tuple[int, int]
    taken: dict[int, Taken]


def read_index(film: Path) -> SegmentIndex | None:
    """The index beside a film, as far as it was written; None where there is none that can be read."""
    try:
        head, *lines = _index_of(film).read_text(encoding="ascii", errors="replace").split("\n")[:-1]
        if not head.startswith(f"{_HEAD} "):
            return None
        width, height = map(int, head.removeprefix(f"{_HEAD} ").split("x"))
    except (OSError, ValueError):
        return None
    taken: dict[int, Taken] = {}
    for line in lines:
        try:
            frame, pts, t = line.split(" ")
            taken[int(pts)] = Taken(int(frame), float(t))
        except ValueError:
            # A power cut leaves rubbish at the end.
            break
    return SegmentIndex(film, (width, height), taken)


def segments_in(folder: Path) -> list[Path]:
    """The films of a recording, in order of time."""
    return sorted(folder.glob(f"film-*{FILM_SUFFIX}"))


def segment_path(folder: Path, number: int) -> Path:
    """The film of the segment with a ``number`` from 1 on."""
    return folder / f"film-{number:05}{FILM_SUFFIX}"


def _index_of(film: Path) -> Path:
    return film.with_suffix(INDEX_SUFFIX)


def _write_all(file: int, text: str) -> None:
    data = text.encode("ascii")
    while data:
        data = data[os.write(file, data) :]
