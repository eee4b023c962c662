"""Outlines of cards known by what is read in them: where the table's pattern has more outlines than the cards have.

Tiles, checks and prints have edges as straight as cards, and more of them. But a network that knows cards tells those
from cards, and tells where in a crop a card lies: so a card's own outline is had even where what closed to a
quadrilateral was the pattern around it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from referee.calibrate.deal.card_lines import card_corners
from referee.calibrate.deal.card_plane import BRIDGE_MM, LONG_MM, POKER_MM
from referee.calibrate.deal.outlines import Quads
from referee.calibrate.deal.reading import Reads, lies
from referee.errors import UserError
from referee.readings import Reading, Sight
from referee.table import Box
from referee.vision.rectify import CROP_MM, CROP_PX, Image, Points, TableView, rectify

_WIDTH: Final = (POKER_MM + BRIDGE_MM) / 2

_SHAPES: Final = (0.5, 0.93)
"""Short side of a card over its long one, seen from no flatter than 35 degrees."""

_OPPOSITE: Final = 1.4
_SQUARE: Final = 0.57
"""Opposite sides of a card are not more unlike than that, nor is the cosine of a corner larger, however it is seen."""

_NEAR, _SHORTER = 0.2, 0.8
"""Outlines whose middles are so near, in lengths of one, and whose lengths differ no more, are one."""

_AT_ONCE: Final = 24
_MOST: Final = 96
"""So many outlines are read together, and in all: the first cards that are read tell which others need not be."""

_FEW: Final = 4
_OTHER_SIZE: Final = 1.5
"""Once so many cards are told, outlines so many times larger or smaller than they are not read."""

_TOLD: Final = 0.6
"""Confidence with which a card or a back is told."""

_LENGTHS: Final = (0.6, 1.3)
_LEANS: Final = 30.0
"""What is read in an outline has so much of its length, and leans by less degrees."""

_APART: Final = 0.4
"""Cards lie further apart than so much of their length."""


@dataclass(frozen=True, slots=True, eq=False)
class _Card:
    """A card that was read.

    Attributes:
        quad: corners (4, 2), px; long sides are the second and the last.
        told: whether it is told which card, or that it is a back.
        off: how far its size is from that of the outline in which it was read, as a logarithm.
    """

    quad: Points
    told: bool
    off: float

    @property
    def middle(self) -> Points:
        return np.asarray(self.quad.mean(axis=0), np.float64)

    @property
    def length(self) -> float:
        return float(np.linalg.norm(self.quad[2] - self.quad[1]))


def read_outlines(image: Image, quads: Quads, enough: int, reader: Reads) -> Quads:
    """The outlines of the cards that are read in ``quads``.

    Args:
        image: uint8 (H, W, 3) BGR.
        quads: corners (N, 4, 2), px, clockwise.
        enough: so many cards are expected; where half of them are told, others are not believed.
        reader: reads cards.

    Returns:
        corners (M, 4, 2), px, exact to some mm.
    """
    outlines = _one_of_each(_standing(quads))[:_MOST]
    found: list[_Card] = []
    for first in range(0, len(outlines), _AT_ONCE):
        some = [quad for quad in outlines[first : first + _AT_ONCE] if not _needless(quad, found)]
        found += _read(image, some, reader)
    # A card is read more exactly in its own outline than in a frame's or in that of a pattern around it.
    again = _read(image, list(_standing(np.array([card.quad for card in _apart(found)]).reshape(-1, 4, 2))), reader)
    told = [card for card in again if card.told]
    cards = _apart(told if 2 * len(told) >= enough else again)
    return np.array([card.quad for card in cards]).reshape(-1, 4, 2)


def _standing(quads: Quads) -> Quads:
    """Those of a card's shape, each beginning with a short side."""
    ways = np.roll(quads, -1, axis=1) - quads
    sides = np.maximum(np.linalg.norm(ways, axis=2), 1e-6)
    first, second = (sides[:, :2] + sides[:, 2:]).T / 2
    shape = np.minimum(first, second) / np.maximum(first, second)
    unlike = np.maximum(sides[:, :2] / sides[:, 2:], sides[:, 2:] / sides[:, :2]).max(axis=1)
    ways /= sides[..., None]
    askew = np.abs((ways * np.roll(ways, -1, axis=1)).sum(axis=2)).max(axis=1)
    likely = (shape > _SHAPES[0]) & (shape < _SHAPES[1]) & (unlike < _OPPOSITE) & (askew < _SQUARE)
    turned = np.where((first > second)[:, None, None], np.roll(quads, -1, axis=1), quads)
    return np.asarray(turned[likely], np.float64)


def _one_of_each(quads: Quads) -> list[Points]:
    """One of every group of outlines that are nearly the same, those first that closed most often."""
    middles = quads.mean(axis=1)
    lengths = np.linalg.norm(quads[:, 2] - quads[:, 1], axis=1)
    left = np.ones(len(quads), bool)
    groups: list[tuple[int, Points]] = []
    for i in np.argsort(-lengths, kind="stable"):
        if left[i]:
            near = np.linalg.norm(middles - middles[i], axis=1) < _NEAR * lengths[i]
            same = np.flatnonzero(left & near & (lengths > _SHORTER * lengths[i]))
            left[same] = False
            groups.append((len(same), quads[same[np.argsort(lengths[same])[len(same) // 2]]]))
    return [quad for _, quad in sorted(groups, key=lambda group: -group[0])]


def _needless(quad: Points, found: Sequence[_Card]) -> bool:
    """Whether a card was told in this place before, or those that were are of quite another size."""
    told = [card for card in found if card.told]
    length = float(np.linalg.norm(quad[2] - quad[1]))
    if any(math.dist(card.middle, quad.mean(axis=0)) < _NEAR * card.length for card in told):
        return True
    if len(told) < _FEW:
        return False
    usual = float(np.median([card.length for card in told]))
    return not 1 / _OTHER_SIZE < length / usual < _OTHER_SIZE


def _read(image: Image, quads: Sequence[Points], reader: Reads) -> list[_Card]:
    """The cards that are read in outlines."""
    views, crops = [], []
    box = Box(_WIDTH / 2, LONG_MM / 2, _WIDTH, LONG_MM, 0.0)
    for quad in quads:
        try:
            view = TableView.from_corners(quad, _WIDTH, LONG_MM)
        except UserError:  # It is not convex.
            continue
        views.append(view)
        crops.append(rectify(image, view, box))
    readings = reader.read(crops) if crops else []
    cards = (_card(view, box, reading) for view, reading in zip(views, readings, strict=True))
    return [card for card in cards if card is not None]


def _card(view: TableView, box: Box, reading: Reading) -> _Card | None:
    """What is read in a crop, as a card in the picture; None if it is none that belongs to the outline."""
    if not lies(reading) or reading.pose is None or reading.box is None or abs(reading.pose.angle) > _LEANS:
        return None
    turn = math.radians(reading.pose.angle)
    cos, sin = math.cos(turn), abs(math.sin(turn))
    x1, y1, x2, y2 = (edge * CROP_MM / CROP_PX for edge in reading.box)
    # The box is upright and the card leans in it.
    width, height = np.linalg.solve([[cos, sin], [sin, cos]], [x2 - x1, y2 - y1])
    if not _LENGTHS[0] < height / LONG_MM < _LENGTHS[1]:
        return None
    beyond = (float(width - _WIDTH) / 2, float(height - LONG_MM) / 2)
    pose = np.array([box.x + reading.pose.x, box.y + reading.pose.y, turn])
    quad = view.to_image(card_corners(pose, _WIDTH, beyond))
    told = reading.state in (Sight.CARD, Sight.BACK) and reading.confidence > _TOLD
    return _Card(quad, told, abs(math.log(height / LONG_MM)))


def _apart(cards: Sequence[_Card]) -> list[_Card]:
    """Of cards in one place the one that is told, or else that was read in an outline of its size."""
    kept: list[_Card] = []
    for card in sorted(cards, key=lambda card: (not card.told, card.off)):
        if all(math.dist(card.middle, other.middle) > _APART * card.length for other in kept):
            kept.append(card)
    return kept
