"""The pictures around one moment of a recording, found without reading what comes before it."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from av.video.frame import VideoFrame
from av.video.reformatter import VideoReformatter

from referee.errors import UserError
from referee.record.folder import GameFolder
from referee.vision.decoding import Film, Losses, decoded
from referee.vision.frames import Image
from referee.vision.straighten import straighten
from referee.vision.video_file import USUAL_RATE


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """A picture taken at ``t`` s of the game; ``image`` as in `referee.vision.frames.Frame`."""

    t: float
    image: Image


def stills_of_game(game: GameFolder, t_from: float, t_to: float) -> Generator[Still]:
    """The pictures of a game from ``t_from`` to ``t_to`` s."""
    game.seek(t_from)
    while (frame := game.read()) is not None and frame.t <= t_to:
        yield Still(frame.t, frame.image)


def stills_of_film(path: Path, t_from: float, t_to: float) -> Generator[Still]:
    """The pictures of a video file from ``t_from`` to ``t_to`` s after its first.

    `VideoFile` numbers the frames it seeks, for which it has to read the whole file; here nobody asks for numbers.
    Pictures are turned upright by quarter turns, and not mirrored.

    Raises:
        UserError: it cannot be read.
    """
    first = _first(path)
    assert first.pts is not None
    origin, stored_size = first.pts, (first.width, first.height)
    with Film(path) as film:
        tick, rate = film.tick, film.stream.average_rate or USUAL_RATE
    to_bgr = VideoReformatter()
    pictures = decoded(path, origin + math.floor(max(t_from, 0.0) / tick), Losses())
    # Some containers keep no times of showing.
    for stamp, picture, _ in straighten(((picture.pts, picture) for picture in pictures), 1 / (rate * tick)):
        if (picture.width, picture.height) != stored_size:
            continue
        t = float((stamp - origin) * tick)
        if t > t_to:
            break
        if t >= t_from:
            image = to_bgr.reformat(picture, format="bgr24", threads=1).to_ndarray()
            yield Still(t, np.ascontiguousarray(np.rot90(image, _quarters(picture)), np.uint8))


def size_of_film(path: Path) -> tuple[int, int]:
    """Width and height of a video's pictures as ``stills_of_film`` gives them, px.

    Raises:
        UserError: it cannot be read.
    """
    first = _first(path)
    return (first.height, first.width) if _quarters(first) % 2 else (first.width, first.height)


def _first(path: Path) -> VideoFrame:
    pictures = decoded(path, None, Losses())
    first = next(pictures, None)
    pictures.close()
    if first is None or first.pts is None:
        raise UserError(f"{path}: no picture in it can be decoded: copy it again from the camera")
    return first


def _quarters(picture: VideoFrame) -> int:
    """Quarter turns anticlockwise that set a picture upright."""
    return round(picture.rotation / 90)
