"""White balance of a crop: under a blue evening light a black spade is as blue as the diamonds of some decks."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

_BRIGHT: Final = 0.92
"""Share of the pixels that are darker than a card's paper is supposed to be."""

_STRENGTH: Final = 0.7
"""Exponent of the full correction. Where no card lies the brightest thing may well be coloured."""

_MOST: Final = 1.6
_LEAST: Final = 20.0
_STEP: Final = 3
_EDGE: Final = 7


_LEVELS: Final = np.arange(256)[:, None]


def balance(crop: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8] | None:
    """What becomes of each level when the crop's brightest colour is made nearly grey, by raising the weaker channels.

    Args:
        crop: uint8 (S, S, 3), the channels in any order.

    Returns:
        uint8 (256, 3), for each level and channel the new one; None where there is nothing to do.
    """
    edge = crop.shape[0] // _EDGE
    # Cards lie in the middle, and every third pixel tells as much as all.
    count = -(-(crop.shape[0] - 2 * edge) // _STEP)
    middle = slice(edge, edge + count * _STEP)
    some = cv2.resize(crop[middle, middle], (count, count), interpolation=cv2.INTER_NEAREST)
    darker = np.array([cv2.calcHist([some], [channel], None, [256], [0, 256])[:, 0] for channel in range(3)]).cumsum(1)
    bright = np.maximum((darker <= int(count**2 * _BRIGHT)).sum(axis=1), _LEAST)
    gains = np.minimum((bright.max() / bright) ** _STRENGTH, _MOST)
    return None if gains.max() < 1.01 else np.minimum(_LEVELS * gains, 255).round().astype(np.uint8)


def balanced(crop: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """``crop`` after ``balance``; the same array where there is nothing to do."""
    table = balance(crop)
    return crop if table is None else np.asarray(cv2.LUT(crop, table.reshape(1, 256, 3)), np.uint8)
