"""A photograph with what was read in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from referee.vision.photograph import FoundCard
from referee.vision.rectify import Image

FACE: Final = (60, 200, 60)
BACK: Final = (230, 140, 40)
COVERED: Final = (40, 170, 250)


def annotate(image: Image, cards: Sequence[FoundCard]) -> Image:
    """A copy of ``image``, uint8 (H, W, 3) BGR, with the outline, name and confidence of every card.

    Faces are green, backs blue, cards that do not show whole orange.
    """
    drawn = image.copy()
    unit = max(1, round(max(image.shape[:2]) / 700))
    for card in cards:
        colour = BACK if card.card is None else FACE if card.whole else COVERED
        ring = np.rint(card.quad * 16).astype(np.int32)
        cv2.polylines(drawn, [ring], True, colour, unit, cv2.LINE_AA, 4)
    for card in cards:
        colour = BACK if card.card is None else FACE if card.whole else COVERED
        text = f"{card.text} {100 * card.confidence:.0f}"
        (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.5 * unit, unit)
        x, y = np.rint(card.quad.mean(axis=0)).astype(int) - [width // 2, -height // 2]
        edge = (int(x) - unit, int(y) + below), (int(x) + width + unit, int(y) - height - 2 * unit)
        cv2.rectangle(drawn, *edge, colour, -1)
        cv2.putText(drawn, text, (int(x), int(y)), cv2.FONT_HERSHEY_SIMPLEX, 0.5 * unit, (0, 0, 0), unit, cv2.LINE_AA)
    return drawn
