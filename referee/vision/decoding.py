"""One pass of decoding through a video file, from its start or from a time on, past whatever is damaged.

The decoder runs without threads of its own. Their errors come late, so that pictures at a damaged end are lost; and
what they paint over a damaged place depends on how many there are, while the same film has to give the same result
on every machine.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeAlias

import av
from av.container import InputContainer
from av.error import FFmpegError
from av.packet import Packet
from av.stream import Disposition
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from referee.errors import UserError
from referee.vision.boxes import Beginning, box_ends

Pictures: TypeAlias = Generator[VideoFrame, None, None]

ATTEMPTS: Final = 3
"""How often reading goes on after the container could not be read, without a packet in between."""

STEPS_BACK_S: Final = (0.0, 1.0, 4.0, 16.0)
"""How much earlier than wished decoding starts, tried in turn: an index may point past the picture that is sought."""


@dataclass(slots=True)
class Losses:
    """What became of a film's packets. Stamps are in the film's ticks; a place decoded twice is told once.

    Attributes:
        undecodable: stamps of packets that gave no picture.
        marred: stamps of pictures in which the decoder had to paint over what was missing.
        reached: stamp at which the last picture read so far ends.
        stuck: the container could not be read to its end.
    """

    undecodable: set[int] = field(default_factory=set)
    marred: set[int] = field(default_factory=set)
    reached: int = 0
    stuck: bool = False


class Film:
    """An opened video file. Closed by leaving its ``with`` block.

    Attributes:
        container: the file.
        stream: the film in it.
        cut_off: the file ends in the middle of a part, or what follows some part cannot be read.
    """

    def __init__(self, path: Path) -> None:
        """Open a video file and choose its film.

        Raises:
            UserError: there is no such file, it is no video, or it has sound but no film.
        """
        if not path.exists():
            raise UserError(f"{path}: there is no such file: check the name")
        if not path.is_file():
            raise UserError(f"{path} is no file: give a video file")
        try:
            self.container, self.cut_off = _opened(path)
        except FFmpegError as error:
            raise UserError(_why_not(path)) from error
        except OSError as error:
            raise UserError(f"{path} cannot be opened ({error.strerror}): check that you may read it") from error
        films = [stream for stream in self.container.streams.video if _can_be_decoded(stream) and not _is_cover(stream)]
        if not films:
            what = "has sound but no film" if self.container.streams.audio else "holds no film that can be decoded"
            self.container.close()
            raise UserError(f"{path} {what}: give a video of the table")
        self.stream = films[0]
        self.stream.thread_type = "NONE"

    @property
    def tick(self) -> Fraction:
        """Seconds from one stamp to the next possible one."""
        return self.stream.time_base or Fraction(1, 1000)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.container.close()


def decoded(path: Path, stamp: int | None, losses: Losses) -> Pictures:
    """Every picture from the one shown at ``stamp`` on (or a few before it), in the order of decoding.

    Args:
        path: a file that `Film` opens.
        stamp: in ticks of the film; None for the start.
        losses: is told what could not be decoded from ``stamp`` on.
    """
    if stamp is not None:
        for step in STEPS_BACK_S:
            pictures = _decoded_from(path, stamp, step, losses)
            first = next(pictures, None)
            if first is not None and first.pts is not None and first.pts <= stamp:
                yield first
                yield from pictures
                return
            pictures.close()
    with Film(path) as film:
        yield from _pictures(film, losses, stamp)


def packet_stamps(path: Path) -> list[int]:
    """Stamps of all packets of the film in the order of showing; reads the whole file, decodes nothing."""
    with Film(path) as film:
        return sorted(_stamp(packet, 0) for packet in _packets(film, Losses()) if packet is not None)


def _decoded_from(path: Path, stamp: int, step_back_s: float, losses: Losses) -> Pictures:
    with Film(path) as film:
        try:
            film.container.seek(stamp - round(step_back_s / film.tick), stream=film.stream)
        except FFmpegError:
            return
        yield from _pictures(film, losses, stamp)


def _pictures(film: Film, losses: Losses, since: int | None) -> Pictures:
    last = 0
    for packet in _packets(film, losses):
        # A half packet gives no picture and would take one with it that waits to be shown; but in a transport stream
        # the mark says only that something is missing before it.
        lost = packet is not None and packet.is_corrupt and film.container.format.name != "mpegts"
        if packet is not None:
            last = _stamp(packet, last)
            losses.reached = max(losses.reached, last + (packet.duration or 0))
        pictures: list[VideoFrame] = []
        if not lost:
            try:
                pictures = film.stream.decode(packet)
            except FFmpegError:
                lost = True
        counts = since is None or last >= since
        if lost and counts:
            losses.undecodable.add(last)
        for picture in pictures:
            if picture.is_corrupt and counts:
                losses.marred.add(last if picture.pts is None else picture.pts)
            yield picture


def _packets(film: Film, losses: Losses) -> Iterator[Packet[VideoStream] | None]:
    """All packets of the film, and None after them, which has the decoder hand out what it holds back."""
    attempts = ATTEMPTS
    while attempts:
        try:
            for packet in film.container.demux(film.stream):
                attempts = ATTEMPTS
                # Capture programs write an empty packet where no new picture came; a decoder takes it for the end.
                # A stream that turns up late, as damage makes them, is handed out unasked.
                if packet.size and packet.stream_index == film.stream.index:
                    yield packet
            break
        except FFmpegError:
            attempts -= 1
        except IndexError:
            # PyAV trips at the end of a transport stream in which damage looked like a further stream.
            break
    losses.stuck = not attempts
    yield None


def _stamp(packet: Packet[VideoStream], last: int) -> int:
    if packet.pts is not None:
        return packet.pts
    return last if packet.dts is None else packet.dts


def _opened(path: Path) -> tuple[InputContainer, bool]:
    ends, cut_off = box_ends(path)
    try:
        # The prefix keeps colons and percent signs in names from being read as protocols and patterns.
        return av.open(f"file:{path}", "r"), cut_off
    except FFmpegError:
        # An MP4 in fragments does not open if the head of one is damaged. What comes before that one does.
        container = None
        readable, unreadable = 0, len(ends) + 1
        while unreadable - readable > 1:
            middle = (readable + unreadable) // 2
            try:
                container = av.open(Beginning(path, ends[middle - 1]), "r")
                readable = middle
            except FFmpegError:
                unreadable = middle
        if container is None:
            raise
        return container, True


def _why_not(path: Path) -> str:
    if not path.stat().st_size:
        return f"{path} is empty: copy it again from the camera"
    if box_ends(path) != ([], False):
        return (
            f"{path} cannot be read: an MP4 keeps its index at the end, and a recording that was cut off has none. "
            "Copy it again from the camera, or restore it with a repair tool and an intact film of that camera"
        )
    return f"{path} is no video that can be read: give a film, for example MP4 or MKV"


def _can_be_decoded(stream: VideoStream) -> bool:
    # Typed as always there; it is missing where the header is cut off or the codec unknown.
    return stream.codec_context is not None


def _is_cover(stream: VideoStream) -> bool:
    return bool(stream.disposition & Disposition.attached_pic)
