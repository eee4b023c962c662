"""How a card lies in its box: the turn of its long side, from the box's shape and from the edges in it."""

from __future__ import annotations

import math
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

Image: TypeAlias = npt.NDArray[np.uint8]

_ASPECT: Final = 63 / 88
"""Width to height of a poker card; a bridge card (57 / 88) is near enough for a first guess."""

_BINS: Final = 90
_REACH: Final = 7
"""Degrees about the first guess in which the edges are asked."""


def angle_of(crop: Image, box: tuple[float, float, float, float]) -> float:
    """Turn of the long side, degrees clockwise in -90..90.

    The box tells how far the card is turned but not which way. The card's edges and its print run along and across it,
    so the directions of the gradients in the box, taken modulo a right angle, tell the way and the exact turn.

    Args:
        crop: uint8 array (S, S, 3), BGR.
        box: x1, y1, x2, y2 of the card, px.
    """
    size = crop.shape[0]
    x1, y1, x2, y2 = (min(max(round(edge), 0), size) for edge in box)
    turn = _turn_of_box(box[2] - box[0], box[3] - box[1])
    if x2 - x1 < 8 or y2 - y1 < 8:
        return turn
    grey = cv2.cvtColor(crop[y1:y2, x1:x2], cv2.COLOR_BGR2GRAY)
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3)
    strength, direction = cv2.cartToPolar(across, down, angleInDegrees=True)
    counts = np.bincount((direction.ravel() % 90 * _BINS / 90).astype(np.intp) % _BINS, strength.ravel(), _BINS)
    counts = (np.roll(counts, 1) + 2 * counts + np.roll(counts, -1)) / 4
    best, most = turn, -1.0
    for guess in (turn, -turn):
        for step in range(-_REACH, _REACH + 1):
            angle = guess + step
            # Far from the guess the edges of other cards speak.
            found = float(counts[round(angle) % _BINS]) * (1 - 0.03 * abs(step))
            if found > most:
                best, most = angle, found
    return (best + 90) % 180 - 90


def _turn_of_box(width: float, height: float) -> float:
    """Degrees in 0..90 by which a card is turned whose box is ``width`` by ``height``.

    For long side L and aspect a, width = L (a cos + sin) and height = L (a sin + cos).
    """
    total = max(width + height, 1e-9)
    # (width - height) / (width + height) = (1 - a) / (1 + a) * (sin - cos) / (sin + cos), and the last factor is
    # tan(turn - 45 degrees).
    tangent = (width - height) / total * (1 + _ASPECT) / (1 - _ASPECT)
    return min(max(math.degrees(math.atan(tangent)) + 45, 0.0), 90.0)
