"""What a network says of a crop as a whole, and what it says where the card's corner indexes are.

The network of `referee.train` is taught to tell the card at its indexes too. What the places about the middle say leans
on the picture, which in a deck never seen may be any; so the corner indexes have a say in which card it is, each the
more the surer it is read: one under a hand or another card is read less surely than one that shows. Opinions are
pooled by their logarithms, as those of witnesses are who saw the same thing for themselves.
"""

from __future__ import annotations

import math
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from referee.vision.evidence import Doubles, Floats, gather, log_odds
from referee.vision.lie import ASPECT, Image, angle_of

Mask: TypeAlias = npt.NDArray[np.bool_]

INDEX: Final = (0.1, 0.13)
"""Where the middle of a corner index is, as shares of the card's width and height from the card's corner."""

_WHOLE: Final = 0.45
"""Weight of what the network says of the crop as a whole."""

_CORNER: Final = 0.3
"""Weight of what it says at an index that it reads with certainty."""

_BESIDE: Final = 0.88
"""Cells from an index within which a place is asked what it says; there are at least two of them."""


def opinion(rows: Floats, crop: Image, faces: Mask | None) -> tuple[Doubles, Doubles, float]:
    """Logits (classes,), box (4,) x1, y1, x2, y2 in pixels, and turn of the long side, degrees clockwise in -90..90.

    Args:
        rows: float32 array (4 + classes, places) as `referee.vision.engine.Engine` gives it.
        crop: the crop it is of, uint8 (S, S, 3), BGR.
        faces: bool array (classes,), which classes are faces; None if the network was not taught to read indexes.
    """
    evidence, box = gather(rows)
    x1, y1, x2, y2 = box.tolist()
    angle = angle_of(crop, (x1, y1, x2, y2))
    grid = math.isqrt(rows.shape[1])
    if faces is None or grid * grid != rows.shape[1]:
        return evidence, box, angle
    cell = crop.shape[0] / grid
    at = (np.arange(grid) + 0.5) * cell
    whole = evidence[faces]
    pooled = _WHOLE * _distribution(whole)
    for x, y in index_places(box, angle):
        near = np.hypot(at[None, :] - x, at[:, None] - y).ravel() <= _BESIDE * cell
        if near.any():
            said = _distribution(log_odds(rows[4:, near]).T[:, faces]).mean(axis=0)
            pooled += _CORNER * math.exp(said.max()) * said
    # How sure it is that there is a card at all stays as it was.
    evidence[faces] = _distribution(pooled) + np.logaddexp.reduce(whole)
    return evidence, box, angle


def index_places(box: Doubles, angle: float) -> Doubles:
    """Where the four corner indexes of a card (4, 2) are whose box (4,) and turn in degrees are known."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    low, high = box[:2], box[2:]
    height = float((high - low).sum()) / (1 + ASPECT) / (abs(cos) + abs(sin))
    across, down = np.array([cos, sin]) * ASPECT * height, np.array([-sin, cos]) * height
    right, below = 0.5 - INDEX[0], 0.5 - INDEX[1]
    steps = [(-right, -below), (right, -below), (right, below), (-right, below)]
    return np.array([(low + high) / 2 + a * across + b * down for a, b in steps])


def _distribution(logits: Doubles) -> Doubles:
    """Logarithms of the probabilities that logits (…, classes) stand for."""
    return np.asarray(logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True), np.float64)
