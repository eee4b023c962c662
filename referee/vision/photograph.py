"""The cards in a photograph of which nothing is known: found, brought to the reader's scale, read, taken off, read on.

Where cards might be, and how large they are, is told by four-sided outlines and by the reader's network laid over the
photograph at several scales. Each such place is cropped as a zone is in play, and read. What was read is painted out,
so that the cards beneath it are the top ones next time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import cv2
import numpy as np

from referee.cards import Card
from referee.readings import Reading, Sight
from referee.table import CARD_MM, Box
from referee.vision.photo_outline import Tilt, card_heights, card_view, find_edges, fit_in_box
from referee.vision.photo_quads import common, find_quads
from referee.vision.photo_scale import CARD_PX, PhotoScale, all_scales, scales_of
from referee.vision.photo_scan import Glimpse
from referee.vision.rectify import (
    Image,
    Points,
    TableView,
    crop_outline,
    crop_to_table,
    project,
    rectify,
)

GREY: Final = 128
"""What cards that were read are painted over with, as in training."""

SURE: Final = 0.6
"""Confidence from which a card is reported."""

SURE_COVERED: Final = 0.7
"""The same for a card that does not show whole: remains of others look like it."""

SURE_BACK: Final = 0.8
"""The same for a back, which looks like much else."""

UPRIGHT: Final = Box(CARD_MM[0] / 2, CARD_MM[1] / 2, *CARD_MM, 0.0)
"""The zone about an upright card whose top left corner is the origin."""

_PATTERN: Final = 5.0
"""Deviation of fine print, of 255, above that of noise."""

_WHOLE: Final = 0.65
_ROUNDS: Final = 5
_LOOKS: Final = 3
_FARTHER: Final = 1.45
"""How much larger and smaller cards are looked for in the end: seen from the side, near cards are the largest."""


class Reader(Protocol):
    """What reads crops: ``referee.vision.reader.CardReader`` does."""

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        """A reading of each crop, uint8 (224, 224, 3) BGR."""
        ...


class Scanner(Protocol):
    """What finds places to crop: ``referee.vision.photo_scan.Scanner`` does."""

    def scan(self, image: Image) -> list[Glimpse]:
        """What looks like a card in a picture, uint8 (H, W, 3) BGR, in which cards are as large as in crops."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class FoundCard:
    """A card in a photograph.

    Attributes:
        card: its face; None for a back.
        confidence: 0..1.
        quad: float64 array (4, 2), its corners in pixels of the photograph; as good as can be where it is covered.
        whole: whether all its sides show.
    """

    card: Card | None
    confidence: float
    quad: Points
    whole: bool

    @property
    def text(self) -> str:
        """``7C``, or ``back``."""
        return self.card.text if self.card else "back"

    @property
    def box(self) -> tuple[float, float, float, float]:
        """x1, y1, x2, y2 about the quad."""
        (x1, y1), (x2, y2) = self.quad.min(axis=0), self.quad.max(axis=0)
        return float(x1), float(y1), float(x2), float(y2)


class PhotoReader:
    """Reads whole photographs."""

    def __init__(self, reader: Reader, scanner: Scanner) -> None:
        self._reader = reader
        self._scanner = scanner

    def read(self, image: Image) -> list[FoundCard]:
        """The cards in ``image``, uint8 (H, W, 3) BGR, from the top of the picture to the bottom."""
        search = _Search(image, self._reader, self._scanner)
        search.read_quads()
        search.read_glimpses()
        return sorted(search.found, key=lambda one: (one.quad[:, 1].mean(), one.quad[:, 0].mean()))


class _Search:
    """One photograph, what was found in it, and what of it is left."""

    def __init__(self, image: Image, reader: Reader, scanner: Scanner) -> None:
        self.image = image
        self.left: Image = image.copy()
        self.reader = reader
        self.scanner = scanner
        self.found: list[FoundCard] = []
        self._backs: list[FoundCard] = []

    def read_quads(self) -> None:
        """Read the four-sided things that look like cards."""
        settled = self._settle([view for outline in find_quads(self.image) for view in _views(outline.quad)])
        self._backs = [card for card in settled if not card.card]
        self._add([card for card in settled if card.card])

    def read_glimpses(self) -> None:
        """Read what the scanner points out, then again, as if what was found were not there."""
        if not self.found:
            rows, columns = self.image.shape[:2]
            self._add(
                _most_alike([card for card in self._settle(self._glimpses(all_scales(columns, rows))) if card.card])
            )
        # Cloth and carpets are full of what could be backs, so a back has to be as large as the faces.
        self._add([card for card in self._backs if self._is_back(card)])
        farther = 1.0
        for _ in range(_ROUNDS if self.found else 0):
            known = [one.quad for one in self.found if one.whole] or [one.quad for one in self.found]
            settled = self._settle(self._glimpses(scales_of(known, farther)))
            if not self._add([card for card in settled if card.card or self._is_back(card)]):
                if farther > 1 or len(self.found) < 2:
                    return
                farther = _FARTHER

    def _add(self, cards: Sequence[FoundCard]) -> bool:
        """Take in the cards that are new, and paint them out; whether there are any."""
        new = [card for card in cards if self._keep(card)]
        for card in new:
            about = card.quad.mean(axis=0)
            larger = about + (card.quad - about) * 1.03
            cv2.fillConvexPoly(self.left, np.rint(larger * 16).astype(np.int32), (GREY,) * 3, cv2.LINE_AA, 4)
        return bool(new)

    def _glimpses(self, scales: Sequence[PhotoScale]) -> list[TableView]:
        """The table about each place that looks like a card, at the scale at which it does so most."""
        seen: list[tuple[float, Points, PhotoScale]] = []
        for scale in scales:
            picture, to_photo = scale.straightened(self.left)
            for glimpse in self.scanner.scan(picture):
                if _card_sized(glimpse.box):
                    x1, y1, x2, y2 = glimpse.box
                    middle = to_photo @ [(x1 + x2) / 2 - 0.5, (y1 + y2) / 2 - 0.5, 1]
                    seen.append((glimpse.score, middle, scale))
        seen.sort(key=lambda one: -one[0])
        kept: list[tuple[Points, PhotoScale]] = []
        for _, middle, scale in seen:
            if not any(np.linalg.norm(middle - other) < 0.3 * min(scale.height, at.height) for other, at in kept):
                kept.append((middle, scale))
        return [scale.view(float(middle[0]), float(middle[1])) for middle, scale in kept]

    def _settle(self, views: Sequence[TableView]) -> list[FoundCard]:
        """Look at each place again and again, each time as the outline fitted to the card the last time has it."""
        looks: list[list[FoundCard | None]] = [[] for _ in views]
        places = [(number, view) for number, view in enumerate(views) if self._can_be_seen(view)]
        for _ in range(_LOOKS):
            crops = [rectify(self.left, view, UPRIGHT) for _, view in places]
            straighter = []
            for (number, view), crop, reading in zip(places, crops, self.reader.read(crops), strict=True):
                card = _fitted(view, crop, reading)
                looks[number].append(card)
                if card:
                    straighter += [(number, straight) for straight in _views(card.quad)[:1]]
            places = [(number, view) for number, view in straighter if self._can_be_seen(view)]
        settled = [card for card in map(_conclusion, looks) if card and _sure(card)]
        return sorted(settled, key=lambda one: (not one.whole, -one.confidence))

    def _can_be_seen(self, view: TableView) -> bool:
        """Whether a crop about the card is a decent part of the photograph: bad outlines reach behind the camera."""
        outline = crop_outline(view, UPRIGHT)
        return bool(cv2.isContourConvex(outline.astype(np.float32))) and float(np.ptp(outline)) < 4 * max(
            self.left.shape
        )

    def _is_back(self, card: FoundCard) -> bool:
        """Whether what was read as a back is one: as large as the other cards, seen whole, and printed with a pattern.

        In zones, for which the reader was made, nothing else has a card's shape; a photograph is full of plain patches.
        """
        if not card.whole or (self.found and not _as_large(card, self.found)):
            return False
        views = _views(card.quad)
        if not views or not self._can_be_seen(views[0]):
            return False
        crop = rectify(self.left, views[0], UPRIGHT).astype(np.float32)
        print_ = (crop - cv2.GaussianBlur(crop, (0, 0), 5))[48:176, 72:152]
        return float(print_.std(axis=(0, 1)).max()) > _PATTERN

    def _keep(self, card: FoundCard) -> bool:
        """Add a card, unless it is one that was found already."""
        for other in self.found:
            shared = common(card.quad, other.quad)
            if shared > 0.45 or (shared > 0.12 and card.text == other.text):
                return False
        self.found.append(card)
        return True


def _views(quad: Points) -> list[TableView]:
    """The table as the card with this quad shows it, the card's long side up; both ways where that is not plain.

    There is none for a quad that no card has, with a corner that is straight or points inwards.
    """
    ways = np.roll(quad, -1, axis=0) - quad
    following = np.roll(ways, -1, axis=0)
    turns = ways[:, 0] * following[:, 1] - ways[:, 1] * following[:, 0]
    sides = np.linalg.norm(ways, axis=1)
    if (turns < 0.1 * sides * np.roll(sides, -1)).any():
        return []
    views = [card_view(quad, Tilt(1.0, 90.0))]
    short, long = sorted((sides[0] + sides[2], sides[1] + sides[3]))
    if short > 0.85 * long or short < 0.5 * long:
        turned = quad if sides[0] + sides[2] > sides[1] + sides[3] else np.roll(quad, -1, axis=0)
        views.append(TableView.from_corners(turned, *CARD_MM))
    return views


def _fitted(view: TableView, crop: Image, reading: Reading) -> FoundCard | None:
    """The card that is read in a crop and the outline that fits it best; None where there is none of a card's size."""
    if reading.box is None or reading.state not in (Sight.CARD, Sight.BACK) or not _card_sized(reading.box):
        return None
    outline = fit_in_box(find_edges(crop, CARD_PX), reading.box, Tilt(1.0, 90.0))
    quad = view.to_image(project(crop_to_table(UPRIGHT), outline.quad + 0.5))
    return FoundCard(reading.card, reading.confidence, quad, outline.worst >= _WHOLE)


def _conclusion(looks: Sequence[FoundCard | None]) -> FoundCard | None:
    """What several looks at a place come to: the later ones, which are the straighter ones, count for more.

    What is a card by chance is another one, or none, as soon as it is seen a little differently.
    """
    weights: dict[str, float] = {}
    for number, card in enumerate(looks, start=1):
        if card:
            weights[card.text] = weights.get(card.text, 0.0) + number * card.confidence
    if not weights:
        return None
    text = max(weights, key=lambda name: weights[name])
    best = max((card for card in looks if card and card.text == text), key=lambda one: one.confidence + 0.2 * one.whole)
    return replace(best, confidence=weights[text] / (len(looks) * (len(looks) + 1) / 2))


def _sure(card: FoundCard) -> bool:
    return card.confidence >= (SURE_BACK if card.card is None else SURE if card.whole else SURE_COVERED)


def _most_alike(cards: Sequence[FoundCard]) -> list[FoundCard]:
    """Those of the cards, read at all scales, that are of one size: the size that has most in its favour.

    Pips of a large card on its white make small aces, and other oddities.
    """
    if not cards:
        return []
    heights = np.log(card_heights(np.array([card.quad for card in cards])))
    # A card that shows whole speaks for its size; one that does not might be anything.
    weights = np.array([card.confidence * (1.0 if card.whole else 0.3) for card in cards]) * np.exp(heights)
    alike = np.abs(heights[:, None] - heights[None]) < math.log(1.5)
    best = alike[int((alike @ weights).argmax())]
    return [card for card, good in zip(cards, best, strict=True) if good]


def _card_sized(box: tuple[float, float, float, float]) -> bool:
    """Whether a box in a crop is of a size that a card at some angle has; it may reach a little over the edge."""
    x1, y1, x2, y2 = box
    long, short = max(x2 - x1, y2 - y1), min(x2 - x1, y2 - y1)
    return 0.75 * CARD_PX < long < 1.45 * CARD_PX and short > 0.45 * CARD_PX


def _as_large(card: FoundCard, faces: Sequence[FoundCard]) -> bool:
    usual = float(np.median(card_heights(np.array([face.quad for face in faces]))))
    return 0.65 < float(card_heights(card.quad[None])[0]) / usual < 1.55


def _ring(box: Sequence[float]) -> Points:
    x1, y1, x2, y2 = box
    return np.array([[x1, y1], [x2, y1], [x2, y2], [x1, y2]], np.float64)
