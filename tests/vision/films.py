"""Small films whose pictures carry their number, written by PyAV."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt

from referee.vision.frames import Frame, FrameSource

SIZE = (160, 120)
BITS = 8
BLACK, WHITE = 40, 215
"""Well inside the range, so that no conversion of colours clips them."""

UPRIGHT = (1, 0, 0, 1)
CLOCKWISE = (0, 1, -1, 0)
UPSIDE_DOWN = (-1, 0, 0, -1)
ANTICLOCKWISE = (0, -1, 1, 0)
MIRRORED = (-1, 0, 0, 1)


def numbered(number: int, size: tuple[int, int] = SIZE) -> npt.NDArray[np.uint8]:
    """A picture of upright bars that spell ``number`` (below 256), the lowest bit at the left."""
    width, height = size
    bits = [(number >> bit) & 1 for bit in range(BITS)]
    row = np.repeat([WHITE if bit else BLACK for bit in bits], width // BITS).astype(np.uint8)
    return np.broadcast_to(row[None, :, None], (height, width, 3)).copy()


def number_in(image: npt.NDArray[np.uint8]) -> int:
    """The number that `numbered` drew, also out of what compression left of it."""
    bars = image.mean(axis=(0, 2)).reshape(BITS, -1).mean(axis=1)
    return int(sum(1 << bit for bit in range(BITS) if bars[bit] > (BLACK + WHITE) / 2))


def film(
    path: Path,
    stamps: Sequence[int],
    tick: Fraction,
    *,
    size: tuple[int, int] = SIZE,
    gop: int = 12,
    codec: str = "libx264",
    options: dict[str, str] | None = None,
) -> Path:
    """Write numbered pictures, the n-th shown at ``stamps[n]`` ticks; H.264 comes with pictures that refer forward."""
    with av.open(str(path), "w", options=options or {}) as container:
        stream = container.add_stream(codec, rate=round(1 / tick) if tick.numerator == 1 else 30)
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.gop_size = gop
        stream.time_base = tick
        stream.codec_context.time_base = tick
        # What x264 writes depends on its threads, and these on the cores unless it is told.
        stream.codec_context.thread_count = 3
        for number, stamp in enumerate(stamps):
            picture = av.VideoFrame.from_ndarray(numbered(number, size), format="bgr24")
            picture.pts = stamp
            picture.time_base = tick
            container.mux(stream.encode(picture))
        container.mux(stream.encode(None))
    return path


def steady(path: Path, count: int, rate: Fraction | int = 30, **more: object) -> Path:
    """A film of constant rate."""
    return film(path, range(count), 1 / Fraction(rate), **more)  # type: ignore[arg-type]


def beginning(source: Path, path: Path, seconds: float) -> Path:
    """The first ``seconds`` of a film, its pictures as they are stored."""
    with av.open(str(source)) as film, av.open(str(path), "w") as cut:
        stream = cut.add_stream_from_template(film.streams.video[0], opaque=True)
        for packet in film.demux(film.streams.video[0]):
            if packet.dts is not None and packet.pts * packet.time_base < seconds:
                packet.stream = stream
                cut.mux(packet)
    return path


def turn(path: Path, matrix: Iterable[int]) -> Path:
    """Write into an MP4 how its film is to be turned: the four numbers that take x, y as stored to x, y as shown."""
    data = bytearray(path.read_bytes())
    at = data.index(b"tkhd") + 4 + 40
    a, b, c, d = (value << 16 for value in matrix)
    data[at : at + 36] = struct.pack(">9i", a, b, 0, c, d, 0, 0, 0, 1 << 30)
    path.write_bytes(data)
    return path


def everything(source: FrameSource) -> list[Frame]:
    """All frames that are left."""
    return list(iter(source.read, None))


def numbers(frames: Iterable[Frame]) -> list[int]:
    return [number_in(frame.image) for frame in frames]
