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


def balanced(crop: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """``crop`` with its brightest colour made nearly grey, by raising the weaker channels.

    Args:
        crop: uint8 (S, S, 3), the channels in any order.

    Returns:
        As ``crop``; the same array where there is nothing to do.
    """
    edge = crop.shape[0] // _EDGE
    # Cards lie in the middle, and every third pixel tells as much as all.
    some = crop[edge : crop.shape[0] - edge : _STEP, edge : crop.shape[1] - edge : _STEP].reshape(-1, 3)
    place = min(len(some) - 1, int(len(some) * _BRIGHT))
    bright = np.maximum(np.partition(some, place, axis=0)[place].astype(np.float64), _LEAST)
    gains = np.minimum((bright.max() / bright) ** _STRENGTH, _MOST)
    if gains.max() < 1.01:
        return crop
    table = np.minimum(np.arange(256)[:, None] * gains, 255).round().astype(np.uint8)
    return np.asarray(cv2.LUT(crop, table.reshape(1, 256, 3)), np.uint8)
