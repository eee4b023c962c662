"""A contact sheet of crops, for people to look at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.errors import UserError
from referee.train.decks.art import surfaces
from referee.train.decks.deck_pool import DeckPool, art_pool
from referee.train.drawing.arrange import CropSpec
from referee.train.drawing.crops import BLOCK, Crop, CropPainter
from referee.train.drawing.surfaces import table_photos

Image: TypeAlias = npt.NDArray[np.uint8]

_DRAWN_DECKS: Final = 60
_LINE: Final = 30
_GREEN: Final = (60, 200, 60)
_PINK: Final = (220, 60, 220)


def art_crop_sheet(cache: Path, seed: int = 0, count: int = 60) -> Image:
    """The sheet of the crops the reader is trained on: fetched and drawn decks, drawn and fetched table tops.

    Args:
        cache: the art cache; what was not fetched into it is done without.
        seed: decides the crops.
        count: how many.

    Raises:
        UserError: ``count`` is not positive, ``seed`` is negative, or what draws decks is not installed.
    """
    if seed < 0:
        raise UserError(f"a seed is not negative: {seed} cannot be one")
    if count < 1:
        raise UserError(f"a sheet shows at least one crop, not {count}")
    photos = table_photos(surfaces("train", cache))
    return crop_sheet(art_pool("train", cache, _DRAWN_DECKS), seed, count, photos=photos)


def crop_sheet(
    decks: DeckPool,
    seed: int = 0,
    count: int = 60,
    *,
    spec: CropSpec | None = None,
    photos: Sequence[Image] = (),
    labels: bool = True,
    columns: int = 10,
) -> Image:
    """Crops of ``seed``, spread over its decks: uint8 array (H, W, 3), BGR.

    Args:
        decks: the decks to draw with.
        seed: decides the crops.
        count: how many.
        spec: what crops.
        photos: pictures of real table tops, uint8 (H, W, 3) BGR.
        labels: whether to write each crop's label under it and to outline its box and quad.
        columns: crops in a row.
    """
    spec = spec or CropSpec()
    painter = CropPainter(seed, decks, spec, photos)
    # Neighbouring crops share a deck; a few from each show more of them.
    stride = max(1, BLOCK // 3)
    tiles = [_tile(painter.crop(number * stride), labels) for number in range(count)]
    blank = np.full_like(tiles[0], 255)
    rows = math.ceil(count / columns)
    tiles += [blank] * (rows * columns - count)
    return np.vstack([np.hstack(tiles[row * columns : (row + 1) * columns]) for row in range(rows)])


def _tile(crop: Crop, labels: bool) -> Image:
    if not labels:
        return crop.image
    picture = crop.image.copy()
    if crop.state != "empty":
        cv2.polylines(picture, [np.round(crop.quad).astype(np.int32)], True, _GREEN, 1)
        x1, y1, x2, y2 = (round(side) for side in crop.box)
        cv2.rectangle(picture, (x1, y1), (x2, y2), _PINK, 1)
    strip = np.full((_LINE, picture.shape[1], 3), 255, np.uint8)
    drawn = crop.conditions
    shows = "".join("+" if corner else "-" for corner in crop.corners)
    name = crop.card.text if crop.card else crop.state
    lines = (
        f"{name} {100 * crop.share:.0f}% {shows} {drawn.motion} hand:{drawn.hand}",
        f"{drawn.source}p {drawn.light} tilt {drawn.tilt:.0f} {drawn.surface} {drawn.codec}",
    )
    for number, line in enumerate(lines):
        where = (2, 12 + 13 * number)
        cv2.putText(strip, line, where, cv2.FONT_HERSHEY_SIMPLEX, 0.34, (0, 0, 0), 1, cv2.LINE_AA)
    return np.vstack([picture, strip])
