"""Films a whole script into an H.264 file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np

from referee.errors import UserError
from referee.simulate.render.look import Look
from referee.simulate.render.sensor import Image
from referee.simulate.render.studio import Studio
from referee.simulate.render.surfaces import Surface
from referee.simulate.scene import Script
from referee.train.decks.deck import Deck


@dataclass(frozen=True, slots=True)
class FilmResult:
    """What the truth file's header says of a film.

    Attributes:
        path: the file.
        size: width and height, px.
        fps: pictures a second.
        frames: how many pictures it has.
        corners_px: where the table rectangle's top left, top right, bottom right and bottom left corners appear in the
            first picture.
        notes: how the pictures' times are meant, and the lens when it bends lines.
    """

    path: Path
    size: tuple[int, int]
    fps: float
    frames: int
    corners_px: tuple[tuple[float, float], ...]
    notes: str


def film(
    script: Script,
    look: Look,
    deck: Deck,
    out: Path,
    size: tuple[int, int] = (1920, 1080),
    fps: float = 30.0,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
    top: Surface | None = None,
) -> FilmResult:
    """Films ``script`` from 0 to its duration.

    The picture with timestamp T shows the exposure from T - e/2 to T + e/2, e the look's exposure; T of picture n is
    exactly n / fps; e is shortened where pictures come too fast for it. The same script, look, deck, size and rate
    give the encoder the same pictures on the same machine.

    Args:
        script: the game.
        look: how it looks.
        deck: the cards' pictures.
        out: the file to write, H.264 in the container its name asks for.
        size: width and height, even numbers of pixels.
        fps: pictures a second.
        progress: called with the number of pictures done and of all after each.
        top: the table top, ``top_extent(look)`` large; ``None`` for the one that the look describes.

    Raises:
        UserError: the size or rate is impossible, the file cannot be written, or this machine cannot draw.
    """
    if size[0] % 2 or size[1] % 2 or min(size) < 64 or max(size) > 7680:
        raise UserError(f"a film's width and height are even numbers from 64 to 7680 pixels, not {size[0]} x {size[1]}")
    if not 1 <= fps <= 240:
        raise UserError(f"a film has 1 to 240 pictures a second, not {fps:g}")
    import av

    look = _shuttered(look, fps)
    rate = Fraction(fps).limit_denominator(1001)
    frames = max(1, int(script.duration * rate))
    studio = Studio(script, look, deck, size, top)
    try:
        with av.open(str(out), "w") as container:
            # One slice of time for each picture: its number is its timestamp.
            stream = container.add_stream("libx264", rate=rate)
            stream.width, stream.height = size
            stream.pix_fmt = "yuv420p"
            stream.time_base = 1 / rate
            stream.codec_context.colorspace = 5  # BT.601, what cv2 converts to
            stream.codec_context.color_range = 1  # 16 to 235
            # A fixed number of threads: x264 divides the work, and so the bits, by it.
            stream.options = {"preset": "veryfast", "crf": str(look.sensor.quality), "threads": "2"}
            for number in range(frames):
                planes = np.asarray(
                    cv2.cvtColor(studio.picture(float(number / rate)), cv2.COLOR_BGR2YUV_I420), np.uint8
                )
                picture = av.VideoFrame.from_ndarray(planes, format="yuv420p")
                picture.pts, picture.time_base = number, 1 / rate
                container.mux(stream.encode(picture))
                progress(number + 1, frames)
            container.mux(stream.encode())
    except OSError as problem:
        raise UserError(f"the film {out} cannot be written: {problem.strerror or problem}") from None
    finally:
        studio.close()
    return FilmResult(out, size, fps, frames, studio.camera.corners_px(look.table_mm), describe(look))


def stills(
    script: Script,
    look: Look,
    deck: Deck,
    times: Sequence[float],
    size: tuple[int, int] = (1920, 1080),
    top: Surface | None = None,
) -> list[Image]:
    """The pictures that a film of ``script`` would show at ``times``, in order of time: uint8 (H, W, 3) BGR.

    Raises:
        UserError: this machine cannot draw.
    """
    studio = Studio(script, look, deck, size, top)
    try:
        return [studio.picture(t).copy() for t in times]
    finally:
        studio.close()


def _shuttered(look: Look, fps: float) -> Look:
    """The look with an exposure that ends before the next picture begins."""
    longest = 0.9 / fps
    if look.sensor.exposure <= longest:
        return look
    return replace(look, sensor=replace(look.sensor, exposure=longest))


def describe(look: Look) -> str:
    """The notes that go with a film of this look."""
    half = look.sensor.exposure / 2
    mat = f" with a {look.mat} mat" if look.mat else ""
    text = (
        f"rendered, look {look.seed}: {look.surface} table{mat}, light {look.light}, tilt {look.tilt:.1f} degrees. "
        f"The picture with timestamp T shows the exposure [T-{half:.4f},T+{half:.4f}] s."
    )
    if not look.lens.straight:
        text += (
            f" Lens distortion: x_d = x_u(1+k1 r^2+k2 r^4), k1={look.lens.k1:.4f}, k2={look.lens.k2:.4f}, r in units "
            "of half the image width from the image centre; corners_px are where the corners appear in the distorted "
            "picture."
        )
    return text
