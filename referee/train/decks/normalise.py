"""A drawn card made a ``Face``: outline cut off, one size, rounded corners, corner indices located."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Card
from referee.errors import UserError
from referee.train.decks.deck import FACE_HEIGHT, Box, Face, Image, Width, face_width

CORNER_RADIUS: Final = 18
"""Radius in pixels of a card's rounded corners, 3.2 mm as printers cut them."""

_REPAINTED_RADIUS: Final = 30
"""Drawn outlines bend away from the edge sooner than we cut; what lies beyond this arc is painted over with paper."""

_INK: Final = 48
"""How far a colour channel must be from the paper's before a pixel counts as printed."""

Corners = Literal["two", "four", "one"]


@dataclass(frozen=True, slots=True)
class CardShape:
    """How one style's drawings become faces.

    Attributes:
        width_mm: the card's width.
        inset: pixels (of 500) cut off on every side, to lose the outline that screen art draws around a card.
        index: right and lower limit in pixels (of 500) of the top left index; or, where frames and pips touch it so
            that it cannot be searched for, the place (x1, y1, x2, y2) whose ink it is.
        corners: which corners carry an index: ``two`` (top left, bottom right turned), ``four``, ``one`` (top left
            only).
    """

    width_mm: Width
    inset: int
    index: tuple[int, ...]
    corners: Corners


@lru_cache(maxsize=32)
def card_mask(width: int, radius: int = CORNER_RADIUS) -> Image:
    """Coverage of a card ``width`` px wide and 500 px high with rounded corners: uint8 (500, width)."""
    scale = 4
    size = (width * scale, FACE_HEIGHT * scale)
    mask = np.zeros(size[::-1], np.uint8)
    r = radius * scale
    cv2.rectangle(mask, (r, 0), (size[0] - 1 - r, size[1] - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (size[0] - 1, size[1] - 1 - r), 255, -1)
    for x in (r, size[0] - 1 - r):
        for y in (r, size[1] - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    small = np.asarray(cv2.resize(mask, (width, FACE_HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)
    small.setflags(write=False)
    return small


def cut_card(drawing: Image, shape: CardShape) -> Image:
    """The card in ``drawing`` (uint8 BGRA, any size, outside transparent) as a picture (500, W, 4) with our corners."""
    solid = drawing[..., 3] > 127
    rows, columns = np.flatnonzero(solid.any(axis=1)), np.flatnonzero(solid.any(axis=0))
    if not rows.size:
        raise UserError("a card's drawing is empty")
    whole = drawing[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    cut = round(shape.inset * whole.shape[0] / FACE_HEIGHT)
    inner = whole[cut : whole.shape[0] - cut, cut : whole.shape[1] - cut]
    width = face_width(shape.width_mm)
    method = cv2.INTER_AREA if inner.shape[0] > FACE_HEIGHT else cv2.INTER_CUBIC
    card = cv2.resize(inner, (width, FACE_HEIGHT), interpolation=method)
    colour = np.array(card[..., :3], np.uint8)
    colour[(card[..., 3] < 250) | (card_mask(width, _REPAINTED_RADIUS) < 128)] = paper_of(colour)
    return np.dstack([colour, card_mask(width)])


def paper_of(colour: Image) -> npt.NDArray[np.float64]:
    """The commonest colour (B, G, R) near the rim of a card."""
    rim = np.concatenate([colour[8:14, 40:-40].reshape(-1, 3), colour[40:-40, 4:9].reshape(-1, 3)])
    return np.asarray(np.median(rim, axis=0))


def printed(image: Image) -> Image:
    """Where ``image`` (500, W, 4) bears ink, that is differs from its paper: uint8 0 or 255 (500, W)."""
    distance = np.abs(image[..., :3] - paper_of(image[..., :3])).max(axis=2)
    return np.where(distance > _INK, 255, 0).astype(np.uint8)


def make_faces(drawings: Mapping[Card, Image], shape: CardShape) -> dict[Card, Face]:
    """Faces for all the ``drawings`` of one style, with their index boxes."""
    pictures = {card: cut_card(drawing, shape) for card, drawing in drawings.items()}
    width = face_width(shape.width_mm)
    ink = {card: printed(picture) for card, picture in pictures.items()}
    boxes = _index_boxes(ink, shape.index)
    return {card: Face(pictures[card], _all_corners(boxes[card], width, shape.corners)) for card in pictures}


def _index_boxes(ink: Mapping[Card, Image], index: tuple[int, ...]) -> dict[Card, Box]:
    """The box of the top left index of each card.

    On number cards the index is the ink that lies wholly in the corner. Court cards draw frames and large pips against
    it; where what lies wholly in the corner is much lower or higher than on number cards, theirs is the ink within the
    place where the number cards carry their index.
    """
    if len(index) == 4:
        place = (float(index[0]), float(index[1]), float(index[2]), float(index[3]))
        return {card: _need(card, _ink_within(mask, place)) for card, mask in ink.items()}
    limit = (index[0], index[1])
    boxes = {card: _need(card, _corner_ink(mask, limit)) for card, mask in ink.items() if card.rank <= 10}
    usual = np.array([box for card, box in boxes.items() if card.rank < 10])
    place = (usual[:, 0].min() - 1, usual[:, 1].min() - 1, usual[:, 2].max() + 1, usual[:, 3].max() + 1)
    height = float(np.median(usual[:, 3] - usual[:, 1]))
    for card, mask in ink.items():
        if card.rank > 10:
            alone = _corner_ink(mask, limit)
            fits = alone is not None and 0.72 < (alone[3] - alone[1]) / height < 1.25
            boxes[card] = _need(card, alone if fits else _ink_within(mask, place))
    odd = [card.text for card, box in boxes.items() if not 0.72 < (box[3] - box[1]) / height < 1.25]
    if odd:
        raise UserError(f"the index of {' '.join(odd)} is not as high as that of the other cards")
    return boxes


def _need(card: Card, box: Box | None) -> Box:
    if box is None:
        raise UserError(f"no index found in the corner of {card.text}")
    return box


def _corner_ink(ink: Image, limit: tuple[int, int]) -> Box | None:
    # A pip that reaches out of the corner is a pip of the card's middle.
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink)
    inside = [s for s in stats[1:] if s[0] + s[2] <= limit[0] and s[1] + s[3] <= limit[1] and s[4] >= 12]
    if not inside:
        return None
    return (
        float(min(s[0] for s in inside)),
        float(min(s[1] for s in inside)),
        float(max(s[0] + s[2] for s in inside)),
        float(max(s[1] + s[3] for s in inside)),
    )


def _ink_within(ink: Image, place: Box) -> Box | None:
    x, y = max(0, int(place[0])), max(0, int(place[1]))
    part = ink[y : int(place[3]), x : int(place[2])]
    rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    if not rows.size:
        return None
    return (float(x + columns[0]), float(y + rows[0]), float(x + columns[-1] + 1), float(y + rows[-1] + 1))


def _all_corners(box: Box, width: int, corners: Corners) -> tuple[Box, ...]:
    x1, y1, x2, y2 = box
    turned = (width - x2, FACE_HEIGHT - y2, width - x1, FACE_HEIGHT - y1)
    top_right = (width - x2, y1, width - x1, y2)
    bottom_left = (x1, FACE_HEIGHT - y2, x2, FACE_HEIGHT - y1)
    return {
        "two": (box, turned),
        "four": (box, top_right, bottom_left, turned),
        "one": (box,),
    }[corners]
