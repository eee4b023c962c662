"""A clip in slow motion that every browser plays: the picture, the piles concerned, the ruling, the line of time."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import av
import cv2
import numpy as np
from av.video.frame import VideoFrame

from referee.errors import UserError
from referee.record.overlay import CALM, DARK, DIM, TOUCH, Span, outline, timeline, wrapped, write
from referee.record.sight import Sight
from referee.record.stills import Still
from referee.table import Zone
from referee.vision.frames import Image

SLOWER: Final = 4
"""How many times slower than it was the clip shows it."""

MOST: Final = (1280, 720)
"""Width and height of the picture at most, px; pages show no more."""

TICK: Final = Fraction(1, 12_800)
RATE: Final = 30 // SLOWER
"""Told to the encoder, which plans by it; the pictures' own times count."""

LETTERS: Final = 16.0
"""Height of capitals in a clip of full width, px."""

ENCODING: Final = {"preset": "ultrafast", "crf": "20", "threads": "1"}


class ClipWriter:
    """Writes a clip. Closed by leaving its ``with`` block; one that is left by an error is removed."""

    def __init__(
        self,
        path: Path,
        size: tuple[int, int],
        span: Span,
        text: str,
        *,
        sight: Sight | None = None,
        zones: Sequence[Zone] = (),
    ) -> None:
        """Begin a clip.

        Args:
            path: an MP4 file.
            size: width and height of the pictures that will come, px.
            span: what it shows of the game, s, and when the touch was.
            text: written under the picture.
            sight: where the zones lie; None where nobody knows.
            zones: to be outlined, the pile acted on first.

        Raises:
            UserError: it cannot be written.
        """
        if path.suffix.lower() != ".mp4":
            raise UserError(f"{path}: clips are MP4 films: end the name in .mp4")
        self._path = path
        self._span = span
        self._scale = min(1.0, MOST[0] / size[0], MOST[1] / size[1])
        self._width, height = (max(2, round(length * self._scale / 2) * 2) for length in size)
        self._picture_height = height
        self._letters = LETTERS * self._width / MOST[0]
        self._lines = wrapped(text, self._width - 4 * self._letters, self._letters)
        self._strip = round(self._letters * (5.4 + 2 * len(self._lines)) / 2) * 2
        shown = [zone for zone in zones if sight is not None and zone in sight.boxes]
        self._outlines = [] if sight is None else [sight.outline(zone) * self._scale for zone in shown]
        self._canvas = np.full((height + self._strip, self._width, 3), DARK, np.uint8)
        self._still: Still | None = None
        self._gap = span.end - span.start
        self._shown = 0
        self._lengths: dict[int, int] = {}
        self._part = path.with_name(f".{path.name}.part")
        self._container = av.open(f"file:{self._part}", "w", format="mp4", options={"movflags": "+faststart"})
        self._stream = self._container.add_stream("libx264", rate=RATE)
        self._stream.width, self._stream.height = self._width, height + self._strip
        self._stream.pix_fmt = "yuv420p"
        self._stream.time_base = TICK
        self._stream.codec_context.time_base = TICK
        self._stream.options = {**ENCODING}
        try:
            self._container.start_encoding()
        except OSError as error:
            raise self._complaint(error) from None

    def add(self, still: Still) -> None:
        """Show a picture from its time on until the next, if it is one of the clip's time."""
        if not self._span.start <= still.t < self._span.end:
            return
        if self._still is not None:
            self._gap = still.t - self._still.t
            self._show(self._still, still.t)
        self._still = still

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._finish()
            self._container.close()
            if kind is None:
                self._part.replace(self._path)
        except OSError as failed:
            raise self._complaint(failed) from None
        finally:
            self._part.unlink(missing_ok=True)

    def _finish(self) -> None:
        if self._still is not None:
            self._show(self._still, min(self._span.end, self._still.t + self._gap))
        self._mux(None)

    def _show(self, still: Still, until: float) -> None:
        # Each picture begins where the one before ends, the first one with the clip, so that players show no gap.
        first, end = self._shown, max(round((until - self._span.start) * SLOWER / TICK), self._shown + 1)
        self._shown = end
        self._lengths[first] = end - first
        picture = VideoFrame.from_ndarray(self._drawn(still, until), format="bgr24")
        picture.pts, picture.time_base = first, TICK
        self._mux(picture)

    def _mux(self, picture: VideoFrame | None) -> None:
        for packet in self._stream.encode(picture):
            # The encoder supposes that all pictures stand equally long, and the last one would.
            if packet.pts in self._lengths:
                packet.duration = self._lengths.pop(packet.pts)
            try:
                self._container.mux(packet)
            except OSError as error:
                raise self._complaint(error) from None

    def _complaint(self, error: OSError) -> UserError:
        return UserError(f"cannot write {self._path}: {error.strerror or error}")

    def _drawn(self, still: Still, until: float) -> Image:
        image = self._canvas
        picture, strip = image[: self._picture_height], image[self._picture_height :]
        strip[:] = DARK
        shape = (self._width, self._picture_height)
        picture[:] = cv2.resize(still.image, shape, interpolation=cv2.INTER_AREA)
        touching = self._span.touching(still.t, until)
        for number, corners in enumerate(self._outlines):
            outline(picture, corners, TOUCH if touching and number == 0 else CALM, 3 if number == 0 else 1)
        unit = self._letters
        y = self._picture_height + unit * 2
        for line in self._lines:
            write(image, line, 2 * unit, y, unit)
            y += 2 * unit
        middle = round(y + unit * 0.4)
        left = round(2 * unit)
        right = round(self._width - 2 * unit)
        timeline(image, self._span, still.t, left, right, middle, round(1.4 * unit))
        write(image, f"{still.t:.3f} s", left, middle + 2.2 * unit, 0.8 * unit, TOUCH if touching else DIM)
        what = "first touch" if touching else f"{SLOWER} times slower"
        write(image, what, right - 10 * unit, middle + 2.2 * unit, 0.8 * unit, TOUCH if touching else DIM)
        return image
