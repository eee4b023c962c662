"""What the two networks say together: one of the crop as a whole, the other of the card's corner indexes.

What the first network says leans on the picture, which in a deck never seen may be any; so the indexes, each looked at
upright by the network of `referee.train.index_network`, have a say in which card it is, the more the surer it is read.
Opinions are pooled by their logarithms, as those of witnesses are who saw the same thing for themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from referee.readings import BACK
from referee.vision.balance import balance
from referee.vision.evidence import Doubles, Floats, Places, gather
from referee.vision.index_reader import FACES, NO_INDEX, ReadsIndexes
from referee.vision.indexes import USUAL, card_heights, index_places, index_views
from referee.vision.lie import Image, angle_of

_WHOLE: Final = 0.55
"""Weight of what the first network says of the crop as a whole, where the second one says something too."""

_UPRIGHT: Final = 0.5
"""Weight of what each index says."""

_ERRS: Final = 0.02
"""How often the second network is believed to take something else for an index."""

_CARD_AT_ALL: Final = -4.0
"""Logit of the likeliest face from which it is worth looking at its indexes."""

_BEYOND_DOUBT: Final = np.log(0.995)
"""Logarithm of the share of one face among all from which its indexes need not be looked at."""


def opinions(
    found: Floats,
    crops: Sequence[Image],
    means: Places,
    indexes: ReadsIndexes | None = None,
    *,
    either_way: bool = False,
) -> tuple[Doubles, Doubles, Doubles]:
    """Logits (N, classes), boxes (N, 4) x1, y1, x2, y2 in px, turns (N,) of long sides, degrees clockwise in -90..90.

    Args:
        found: float32 array (N, 4 + classes, places) as `referee.vision.engine.Engine` gives it.
        crops: the N crops it is of, uint8 (S, S, 3), BGR, of one size.
        means: what each class means, as `referee.vision.evidence.probabilities` takes it.
        indexes: the second network, if there is one.
        either_way: whether it looks at the indexes as if the card were turned to the other side as well, and believes
            what it reads more surely: a box looks the same either way, and of a covered card little tells which.
    """
    evidence, boxes = gather(found)
    angles = np.array(
        [angle_of(crop, (x1, y1, x2, y2)) for crop, (x1, y1, x2, y2) in zip(crops, boxes.tolist(), strict=True)]
    )
    faces = (means >= 0) & (means < BACK)
    whole = evidence[:, faces]
    doubtful = _distribution(whole).max(axis=1) < _BEYOND_DOUBT
    seen = np.flatnonzero(doubtful & (whole.max(axis=1) > _CARD_AT_ALL))
    if indexes is None or not len(seen):
        return evidence, boxes, angles
    left, top, right, bottom = boxes[seen].T
    lies = (left + right) / 2, (top + bottom) / 2, card_heights(boxes[seen], angles[seen])
    some = [crops[at] for at in seen.tolist()]
    ways = (1, -1) if either_way else (1,)
    told = np.stack([_upright(indexes, some, *lies, angles[seen] * way) for way in ways])
    surest = told.max(axis=3).argmax(axis=0)
    said = np.take_along_axis(told, surest[None, ..., None], axis=0)[0].sum(axis=1)
    pooled = _WHOLE * _distribution(whole[seen]) + _UPRIGHT * said[:, means[faces]]
    # How sure it is that there is a card at all stays as it was.
    evidence[np.ix_(seen, faces)] = _distribution(pooled) + _total(whole[seen])
    return evidence, boxes, angles


def _upright(
    indexes: ReadsIndexes,
    crops: Sequence[Image],
    x: Doubles,
    y: Doubles,
    heights: Doubles,
    turns: Doubles,
) -> Doubles:
    """What each index of the cards that lie so in N crops says by itself: logarithms (N, 2, FACES)."""
    places = index_places(x, y, turns, heights)
    views = [
        _balanced(index_views(crop, place, turn, height, USUAL), balance(crop))
        for crop, place, turn, height in zip(crops, places, turns.tolist(), heights.tolist(), strict=True)
    ]
    told = indexes.read(np.concatenate(views))
    # A corner without an index says that it may be any card.
    share = (1 - _ERRS) * np.exp(told[:, :NO_INDEX])
    said = np.log(share + (1 - share.sum(axis=1, keepdims=True)) / FACES)
    return np.asarray(said.reshape(len(crops), len(USUAL), FACES), np.float64)


def _balanced(views: Image, table: Image | None) -> Image:
    """Pictures (N, H, W, 3) out of a crop, balanced as the crop is."""
    if table is None:
        return views
    return np.asarray(cv2.LUT(views.reshape(-1, *views.shape[2:]), table[None]), np.uint8).reshape(views.shape)


def _distribution(logits: Doubles) -> Doubles:
    """Logarithms of the probabilities that logits (…, classes) stand for."""
    return np.asarray(logits - _total(logits), np.float64)


def _total(logits: Doubles) -> Doubles:
    """The logarithm (…, 1) of the sum of what logits (…, classes) are logarithms of."""
    most = logits.max(axis=-1, keepdims=True)
    return np.asarray(most + np.log(np.exp(logits - most).sum(axis=-1, keepdims=True)), np.float64)
