"""The lens measured from whatever the user has: the table's own edges, or the printed board held before the camera."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from referee.calibrate.find_table import PICTURES, read_picture
from referee.calibrate.lens import Lens, bent
from referee.calibrate.lens_estimate import LensFit, lens_from_boards
from referee.calibrate.saved_table import SAME_SHAPE
from referee.errors import UserError
from referee.vision.open_source import open_source
from referee.vision.rectify import Image

EVERY_S: Final = 0.8
LONGEST_S: Final = 30.0
"""A camera or film is looked at so often and so long while the board is turned before it."""

MOST: Final = 60
"""Pictures of the board that are looked at."""


def lens_of_board(source: str) -> tuple[LensFit, tuple[int, int]]:
    """The lens from a camera, film, folder or picture that shows the printed board, and the size of its pictures.

    Raises:
        UserError: it cannot be read, or does not show the board well enough.
    """
    images = _pictures(source)
    if not images:
        raise UserError(f"{source} has no pictures of the lens board")
    fit = lens_from_boards(images)
    return fit, (images[0].shape[1], images[0].shape[0])


def lens_in(lens: Lens, measured: tuple[int, int], size: tuple[int, int]) -> Lens:
    """The lens in pictures of ``size`` (width, height), where it was measured in pictures of another.

    Raises:
        UserError: they have other proportions, so the camera shows another part of what its lens sees.
    """
    x, y = size[0] / measured[0], size[1] / measured[1]
    if abs(x / y - 1) > SAME_SHAPE:
        raise UserError(
            f"the lens board was taken at {measured[0]}x{measured[1]} and the table at {size[0]}x{size[1]}: take both "
            "with the camera set to one size"
        )
    return lens.scaled(x, y)


def told(lens: Lens, rests_on: str) -> str:
    """What a lens does, in words, and by what that is known."""
    corner = np.zeros((1, 2))
    bend = float(np.linalg.norm(bent(lens, corner) - corner))
    return f"the lens bends the picture's corners by {bend:.0f} px, measured from {rests_on}"


def _pictures(source: str) -> list[Image]:
    path = Path(source)
    if path.is_dir():
        files = sorted(one for one in path.iterdir() if one.suffix.lower() in PICTURES)
        return [read_picture(one) for one in files[:MOST]]
    if path.suffix.lower() in PICTURES and "://" not in source:
        return [read_picture(path)]
    images: list[Image] = []
    with open_source(source) as frames:
        due = 0.0
        while (frame := frames.read()) is not None and frame.t <= LONGEST_S and len(images) < MOST:
            if frame.t >= due:
                due = frame.t + EVERY_S
                images.append(frame.image)
    return images
