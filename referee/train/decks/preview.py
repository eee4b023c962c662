"""Contact sheets of decks, for people to look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from referee.cards import Card
from referee.train.decks.deck import Deck, Face, Image

_TABLE: Final = (70, 90, 60)
_INDEX: Final = (255, 0, 255)
_CARD_HEIGHT: Final = 150
_GAP: Final = 6
_LINE: Final = 20


def deck_sheet(decks: Sequence[Deck], cards: Sequence[Card]) -> Image:
    """The ``cards`` and the back of each deck, index boxes outlined, 13 cards a row: uint8 BGR (H, W, 3)."""
    blocks = [_deck_block(deck, cards) for deck in decks]
    width = max(block.shape[1] for block in blocks)
    return np.vstack([_pad(block, width) for block in blocks])


def _deck_block(deck: Deck, cards: Sequence[Card]) -> Image:
    pictures = [_small(deck.faces[card]) for card in cards] + [_small(deck.back)]
    columns = 13 if len(pictures) > 14 else 14
    rows = [np.hstack(pictures[start : start + columns]) for start in range(0, len(pictures), columns)]
    width = max(row.shape[1] for row in rows)
    title = np.full((_LINE, width, 3), 255, np.uint8)
    text = f"{deck.name} ({deck.family}, {deck.split}) {deck.width_mm} mm, {deck.licence}, {deck.source}"
    # The plotting font knows ASCII only.
    ascii_text = text.encode("ascii", "replace").decode()
    cv2.putText(title, ascii_text, (4, 15), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 0), 1, cv2.LINE_AA)
    return np.vstack([title, *(_pad(row, width) for row in rows)])


def _small(face: Face) -> Image:
    alpha = face.image[..., 3:].astype(np.float32) / 255
    card = (face.image[..., :3] * alpha + np.array(_TABLE) * (1 - alpha)).astype(np.uint8)
    scale = _CARD_HEIGHT / card.shape[0]
    small = cv2.resize(card, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    for x1, y1, x2, y2 in face.indexes:
        corners = [round(v * scale) for v in (x1, y1, x2, y2)]
        cv2.rectangle(small, (corners[0] - 1, corners[1] - 1), (corners[2], corners[3]), _INDEX, 1)
    return np.asarray(cv2.copyMakeBorder(small, 0, _GAP, 0, _GAP, cv2.BORDER_CONSTANT, value=_TABLE), np.uint8)


def _pad(image: Image, width: int) -> Image:
    padded = cv2.copyMakeBorder(image, 0, 0, 0, width - image.shape[1], cv2.BORDER_CONSTANT, value=_TABLE)
    return np.asarray(padded, np.uint8)
