"""A reader and a scanner of the toy cards of ``photo_scenes``: they see the blots, as the real ones see indexes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from referee.cards import Card
from referee.readings import EMPTY, OUTCOMES, Pose, Reading, Sight
from referee.vision.photo_scan import Glimpse
from referee.vision.photograph import PhotoReader
from referee.vision.rectify import Image
from tests.photo_scenes import INKS

Box = tuple[float, float, float, float]


class ToyReader:
    """Reads the largest white thing of a card's size that lies wholly in the crop, by the blot on it."""

    model = None

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        return [self._one(crop) for crop in crops]

    def _one(self, crop: Image) -> Reading:
        assert crop.shape == (224, 224, 3)
        for place, box in _cards(crop):
            if min(box) > 0 and max(box) < 224:
                return _reading(Sight.CARD, place, box)
        return _reading(Sight.EMPTY, EMPTY, None)


class ToyScanner:
    """Points out every white thing of a card's size."""

    def scan(self, image: Image) -> list[Glimpse]:
        return [Glimpse(box, place, 0.9) for place, box in _cards(image)]


def toy_photo_reader() -> PhotoReader:
    return PhotoReader(ToyReader(), ToyScanner())


def _cards(picture: Image) -> Iterator[tuple[int, Box]]:
    pale = (picture.min(axis=2) > 222).astype(np.uint8)
    contours, _ = cv2.findContours(pale, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for contour in sorted(contours, key=cv2.contourArea, reverse=True):
        x, y, width, height = cv2.boundingRect(contour)
        if not 0.5 < cv2.contourArea(contour) / (114 * 159) < 1.5:
            continue
        mask = cv2.drawContours(np.zeros_like(pale), [contour], -1, 1, -1)
        blot = picture[(mask == 1) & ((np.ptp(picture, axis=2) > 60) | (picture.min(axis=2) < 60))]
        if len(blot) >= 300:
            mean = blot.mean(axis=0)
            text = min(INKS, key=lambda name: float(np.abs(mean - INKS[name]).sum()))
            yield Card(text).code, (float(x), float(y), float(x + width), float(y + height))


def _reading(state: Sight, place: int, box: Box | None) -> Reading:
    probs = np.full(OUTCOMES, 0.1 / (OUTCOMES - 1))
    probs[place] = 0.9
    return Reading(state, np.log(probs).astype(np.float32), 0.0, box, Pose(0, 0, 0) if box else None)
