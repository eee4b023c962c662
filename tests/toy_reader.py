"""A reader of the toy cards of ``photo_scenes``: it sees the blots, as the real one sees indexes."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from referee.cards import Card
from referee.readings import EMPTY, OUTCOMES, Pose, Reading, Sight
from referee.vision.rectify import Image
from tests.photo_scenes import INKS


class ToyReader:
    """Reads the largest white thing of a card's size that lies wholly in the crop, by the blot on it."""

    def __init__(self) -> None:
        self.crops = 0

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        self.crops += len(crops)
        return [self._one(crop) for crop in crops]

    def _one(self, crop: Image) -> Reading:
        assert crop.shape == (224, 224, 3)
        pale = (crop.min(axis=2) > 222).astype(np.uint8)
        contours, _ = cv2.findContours(pale, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for contour in sorted(contours, key=cv2.contourArea, reverse=True):
            x, y, width, height = cv2.boundingRect(contour)
            inside = x > 0 and y > 0 and x + width < 224 and y + height < 224
            if not (inside and 0.5 < cv2.contourArea(contour) / (114 * 159) < 1.5):
                continue
            mask = cv2.drawContours(np.zeros_like(pale), [contour], -1, 1, -1)
            blot = crop[(mask == 1) & (np.ptp(crop, axis=2) + (crop.min(axis=2) < 60) * 255 > 60)]
            if len(blot) < 300:
                continue
            mean = blot.mean(axis=0)
            text = min(INKS, key=lambda name: float(np.abs(mean - INKS[name]).sum()))
            box = (float(x), float(y), float(x + width), float(y + height))
            return _reading(Sight.CARD, Card(text).code, box)
        return _reading(Sight.EMPTY, EMPTY, None)


def _reading(state: Sight, place: int, box: tuple[float, float, float, float] | None) -> Reading:
    probs = np.full(OUTCOMES, 0.1 / (OUTCOMES - 1))
    probs[place] = 0.9
    return Reading(state, np.log(probs).astype(np.float32), 0.0, box, Pose(0, 0, 0) if box else None)
