"""Where a card's corner indexes are, and pictures of them turned upright."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.evidence import Doubles
from referee.vision.lie import ASPECT

Image: TypeAlias = npt.NDArray[np.uint8]

CORNERS: Final = (0, 1, 2, 3)
"""Corners of a card: top left, top right, bottom right, bottom left."""

USUAL: Final = (0, 2)
"""Corners at which every deck has an index."""

INDEX: Final = (0.1, 0.13)
"""Where the middle of a corner index is, as shares of the card's width and height from the card's corner."""

VIEW: Final = (48, 64)
"""Width and height in pixels of the picture of an index."""

_ACROSS: Final = ASPECT * (0.5 - INDEX[0]) * np.array([-1, 1, 1, -1])
_DOWN: Final = (0.5 - INDEX[1]) * np.array([-1, -1, 1, 1])
"""The same from the card's middle, as shares of its height."""

_SPAN: Final = VIEW[1] / 159
"""Height of the picture of an index as a share of the card's, which is 159 px in a crop of 224: the picture shows the
crop's own pixels, the index and what a card needs that lies askew."""

_AROUND: Final = (114, 114, 114)
"""What is beyond the crop's edge."""


def card_heights(boxes: Doubles, angles: Doubles) -> Doubles:
    """Lengths (N,) of the long sides of cards by their boxes (N, 4), x1, y1, x2, y2, and turns (N,), degrees.

    For long side L and aspect a, a box is L (a cos + sin) wide and L (a sin + cos) high.
    """
    turns = np.radians(angles)
    left, top, right, bottom = boxes.T
    return np.asarray((right - left + bottom - top) / (1 + ASPECT) / (np.abs(np.cos(turns)) + np.abs(np.sin(turns))))


def index_places(x: Doubles, y: Doubles, angles: Doubles, heights: Doubles) -> Doubles:
    """Where the four corner indexes of cards are, x and y (N, 4, 2) in the order of ``CORNERS``.

    Args:
        x, y: the cards' centres (N,).
        angles: turns (N,) of their long sides, degrees clockwise.
        heights: their long sides (N,).
    """
    turns = np.radians(angles)
    cos, sin = (heights * np.cos(turns))[..., None], (heights * np.sin(turns))[..., None]
    return np.stack([x[..., None] + _ACROSS * cos - _DOWN * sin, y[..., None] + _ACROSS * sin + _DOWN * cos], axis=-1)


def index_views(crop: Image, places: Doubles, angle: float, height: float, corners: Sequence[int] = CORNERS) -> Image:
    """Pictures of indexes, as they are read from their end of the card.

    Args:
        crop: uint8 (S, S, 3).
        places: float64 (4, 2), x and y of the indexes in crop pixels, in the order of ``CORNERS``.
        angle: turn of the card's long side, degrees clockwise.
        height: the long side, crop pixels.
        corners: of which corners.

    Returns:
        uint8 (corners, H, W, 3) with H and W of ``VIEW``, the indexes in their middles.
    """
    width, tall = VIEW
    scale = height * _SPAN / tall
    cos, sin = scale * np.cos(np.radians(angle)), scale * np.sin(np.radians(angle))
    views = np.empty((len(corners), tall, width, 3), np.uint8)
    for corner, view in zip(corners, views, strict=True):
        # The two at the lower end stand on their heads.
        turn = np.array([[cos, -sin], [sin, cos]]) * (1 if corner < 2 else -1)
        shift = places[corner] - turn @ np.array([(width - 1) / 2, (tall - 1) / 2])
        cv2.warpAffine(
            crop,
            np.column_stack([turn, shift]),
            (width, tall),
            view,
            cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            cv2.BORDER_CONSTANT,
            _AROUND,
        )
    return views
