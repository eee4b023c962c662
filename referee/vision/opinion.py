"""What a network says of a crop as a whole, and what it says where the card's corner indexes are.

The network of `referee.train` is taught to tell the card at its indexes too. What the places about the middle say leans
on the picture, which in a deck never seen may be any; so the corner indexes have a say in which card it is, each the
more the surer it is read: one under a hand or another card is read less surely than one that shows. Opinions are
pooled by their logarithms, as those of witnesses are who saw the same thing for themselves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from referee.vision.evidence import Doubles, Floats, gather, log_odds
from referee.vision.lie import ASPECT, Image, angle_of

Mask: TypeAlias = npt.NDArray[np.bool_]

INDEX: Final = (0.1, 0.13)
"""Where the middle of a corner index is, as shares of the card's width and height from the card's corner."""

_ACROSS: Final = ASPECT * (0.5 - INDEX[0]) * np.array([-1, 1, 1, -1])
_DOWN: Final = (0.5 - INDEX[1]) * np.array([-1, -1, 1, 1])
"""The same from the card's middle, as shares of its height: top left, top right, bottom right, bottom left."""

_WHOLE: Final = 0.45
"""Weight of what the network says of the crop as a whole."""

_CORNER: Final = 0.3
"""Weight of what it says at an index that it reads with certainty."""

_BESIDE: Final = 0.88
"""Cells from an index within which a place is asked what it says; there are at least two of them."""


def opinions(found: Floats, crops: Sequence[Image], faces: Mask | None) -> tuple[Doubles, Doubles, Doubles]:
    """Logits (N, classes), boxes (N, 4) x1, y1, x2, y2 in px, turns (N,) of long sides, degrees clockwise in -90..90.

    Args:
        found: float32 array (N, 4 + classes, places) as `referee.vision.engine.Engine` gives it.
        crops: the N crops it is of, uint8 (S, S, 3), BGR, of one size.
        faces: bool array (classes,), which classes are faces; None if the network was not taught to read indexes.
    """
    evidence, boxes = gather(found)
    angles = np.array(
        [angle_of(crop, (x1, y1, x2, y2)) for crop, (x1, y1, x2, y2) in zip(crops, boxes.tolist(), strict=True)]
    )
    grid = math.isqrt(found.shape[2])
    if faces is None or grid * grid != found.shape[2]:
        return evidence, boxes, angles
    cell = crops[0].shape[0] / grid
    at = (np.arange(grid) + 0.5) * cell
    x, y = index_places(boxes, angles)
    across, down = np.square(at - x[..., None]), np.square(at - y[..., None])
    near = (down[..., None] + across[..., None, :]).reshape(len(crops), 4, -1) <= (_BESIDE * cell) ** 2
    crop, index, place = near.nonzero()
    whole = evidence[:, faces]
    pooled = _WHOLE * _distribution(whole)
    if len(crop):
        each = _distribution(log_odds(found[crop, 4:, place][:, faces]))
        counts = np.bincount(4 * crop + index, minlength=4 * len(crops))
        told = counts.nonzero()[0]
        counts = counts[told]
        said = np.add.reduceat(each, counts.cumsum() - counts, axis=0) / counts[:, None]
        np.add.at(pooled, told // 4, _CORNER * np.exp(said.max(axis=1, keepdims=True)) * said)
    # How sure it is that there is a card at all stays as it was.
    evidence[:, faces] = _distribution(pooled) + _total(whole)
    return evidence, boxes, angles


def index_places(boxes: Doubles, angles: Doubles) -> tuple[Doubles, Doubles]:
    """Where the four corner indexes of cards are, x and y (N, 4), by their boxes (N, 4) and turns (N,), degrees."""
    turns = np.radians(angles)
    cos, sin = np.cos(turns), np.sin(turns)
    left, top, right, bottom = boxes.T
    height = (right - left + bottom - top) / (1 + ASPECT) / (np.abs(cos) + np.abs(sin))
    cos, sin = (height * cos)[:, None], (height * sin)[:, None]
    x, y = (left + right)[:, None] / 2, (top + bottom)[:, None] / 2
    return x + _ACROSS * cos - _DOWN * sin, y + _ACROSS * sin + _DOWN * cos


def _distribution(logits: Doubles) -> Doubles:
    """Logarithms of the probabilities that logits (…, classes) stand for."""
    return np.asarray(logits - _total(logits), np.float64)


def _total(logits: Doubles) -> Doubles:
    """The logarithm (…, 1) of the sum of what logits (…, classes) are logarithms of."""
    most = logits.max(axis=-1, keepdims=True)
    return np.asarray(most + np.log(np.exp(logits - most).sum(axis=-1, keepdims=True)), np.float64)
