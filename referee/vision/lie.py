"""How a card lies in its box: the turn of its long side, from the box's shape and from the edges in it."""

from __future__ import annotations

import math
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

Image: TypeAlias = npt.NDArray[np.uint8]
Floats: TypeAlias = npt.NDArray[np.float32]

ASPECT: Final = 63 / 88
"""Width to height of a poker card; a bridge card (57 / 88) is near enough for a first guess."""

_ALIKE: Final = 12.0
"""Degrees about 45 in which gradients modulo a right angle do not tell which way a card is turned."""

_BINS: Final = 90
"""One for each degree of a right angle."""

_REACH: Final = 7
"""Degrees about the first guess in which the edges are asked."""

_STEPS: Final = np.array(sorted(range(-_REACH, _REACH + 1), key=abs))
"""Nearest first, so that what shows no edges keeps the box's own turn."""

_NEIGHBOURS: Final = np.array([-1, 0, 1])[:, None, None]

_TRUST: Final = 1 - 0.03 * np.abs(_STEPS)
"""Far from the guess the edges of other cards speak."""


def angle_of(crop: Image, box: tuple[float, float, float, float]) -> float:
    """Turn of the long side, degrees clockwise in -90..90.

    The box tells how far the card is turned but not which way. The card's edges and its print run along and across it,
    so the directions of the gradients in the box, taken modulo a right angle, tell the way and the exact turn. About 45
    degrees both ways look alike to them; there the gradients are asked where the card's outline should be.

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
    across, down = (np.asarray(gradient, np.float32) for gradient in cv2.spatialGradient(grey))
    strength, direction = cv2.cartToPolar(across, down, angleInDegrees=True)
    turns = np.bincount(direction.reshape(-1).astype(np.intp), strength.reshape(-1), 4 * _BINS + 1)
    sums = turns[:-1].reshape(4, _BINS).sum(axis=0)
    sums[0] += turns[-1]
    guesses = [turn, -turn]
    if abs(turn - 45) < _ALIKE:
        guesses = [max(guesses, key=lambda guess: _outline(across, down, guess))]
    angles = np.array(guesses)[:, None] + _STEPS
    below, here, above = sums.take(np.rint(angles).astype(np.intp) + _NEIGHBOURS, mode="wrap")
    best = angles.flat[((below + 2 * here + above) / 4 * _TRUST).argmax()]
    return float((best + 90) % 180 - 90)


def _outline(across: Floats, down: Floats, angle: float) -> float:
    """How strong the gradients are across the outline of a card that fills the picture they are of, turned so."""
    height, width = across.shape
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    long_side = (width + height) / (1 + ASPECT) / (abs(cos) + abs(sin))
    axes = np.array([[cos, sin], [-sin, cos]])
    half = np.array([ASPECT * long_side / 2, long_side / 2])
    steps = np.linspace(-0.8, 0.8, 24)
    total = 0.0
    for side in (0, 1):
        for end in (-1, 1):
            points = np.outer(np.full(24, end * half[side]), axes[side]) + np.outer(
                steps * half[1 - side], axes[1 - side]
            )
            columns = np.clip(np.round(points[:, 0] + width / 2), 0, width - 1).astype(np.intp)
            rows = np.clip(np.round(points[:, 1] + height / 2), 0, height - 1).astype(np.intp)
            total += float(np.abs(across[rows, columns] * axes[side][0] + down[rows, columns] * axes[side][1]).sum())
    return total


def _turn_of_box(width: float, height: float) -> float:
    """Degrees in 0..90 by which a card is turned whose box is ``width`` by ``height``.

    For long side L and aspect a, width = L (a cos + sin) and height = L (a sin + cos).
    """
    total = max(width + height, 1e-9)
    # (width - height) / (width + height) = (1 - a) / (1 + a) * (sin - cos) / (sin + cos), and the last factor is
    # tan(turn - 45 degrees).
    tangent = (width - height) / total * (1 + ASPECT) / (1 - ASPECT)
    return min(max(math.degrees(math.atan(tangent)) + 45, 0.0), 90.0)
