"""The cards in a photograph of which nothing is known: found, brought to the reader's scale, read, taken off, read on.

Cards that show whole are found by their outlines, and tell the scale and the tilt of the rest. Crops all over the
photograph are then read as zones are in play. What was read is painted out, so that the cards beneath it are the top
ones next time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np

from referee.cards import Card
from referee.readings import Reading, Sight
from referee.table import CARD_MM, Box
from referee.vision.photo_outline import Outline, Tilt, card_view, find_edges, fit_in_box
from referee.vision.photo_quads import common, find_quads
from referee.vision.photo_scale import PhotoScale
from referee.vision.rectify import CROP_MM, CROP_PX, Image, Points, TableView, crop_to_table, project, rectify

GREY: Final = 128
"""What cards that were read are painted over with, as in training."""

SURE: Final = 0.6
"""Confidence from which a card is reported."""

SURE_BACK: Final = 0.8
"""The same for a back, which looks like much else."""

UPRIGHT: Final = Box(CARD_MM[0] / 2, CARD_MM[1] / 2, *CARD_MM, 0.0)
"""The zone about an upright card whose top left corner is the origin."""

_GLIMPSE: Final = 0.35
_WHOLE: Final = 0.65
_STEP: Final = 0.34
_ROUNDS: Final = 6
_BATCH: Final = 64
_PLAIN: Final = 5.0
_LADDER: Final = 1.25
_CARD_PX: Final = CARD_MM[1] * CROP_PX / CROP_MM
_OUTLINE: Final = (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * CARD_MM / CROP_MM + 1) * (CROP_PX / 2)


class Reader(Protocol):
    """What reads crops: ``referee.vision.reader.CardReader`` does."""

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        """A reading of each crop, uint8 (224, 224, 3) BGR."""
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


def read_photograph(image: Image, reader: Reader) -> list[FoundCard]:
    """The cards in ``image``, uint8 (H, W, 3) BGR, from the top of the picture to the bottom."""
    search = _Search(image, reader)
    search.read_quads()
    scale = search.scale()
    if scale is not None:
        search.read_everywhere(scale)
    rows, columns = image.shape[:2]
    inside = [one for one in search.found if _within(one.quad, columns, rows)]
    return sorted(inside, key=lambda one: (one.quad[:, 1].mean(), one.quad[:, 0].mean()))


class _Search:
    """One photograph, what was found in it, and what of it is left."""

    def __init__(self, image: Image, reader: Reader) -> None:
        self.image = image
        self.left: Image = image.copy()
        self.reader = reader
        self.found: list[FoundCard] = []

    def read_quads(self) -> None:
        """Read the four-sided things that look like cards."""
        looks: list[tuple[Outline, TableView]] = []
        for outline in find_quads(self.image):
            looks += [(outline, view) for view in _views(outline.quad)]
        readings = self._read([(view, UPRIGHT) for _, view in looks])
        best: dict[int, FoundCard] = {}
        for (outline, _), reading in zip(looks, readings, strict=True):
            if reading.box is None or reading.state not in (Sight.CARD, Sight.BACK):
                continue
            if common(_ring(reading.box), _OUTLINE) < 0.7:
                # The card is larger or smaller than what was taken for it: its frame, a pile, a shadow.
                continue
            card = FoundCard(reading.card, reading.confidence, outline.quad, whole=True)
            before = best.get(id(outline))
            if _sure(card) and (before is None or before.confidence < card.confidence):
                best[id(outline)] = card
        for card in sorted(best.values(), key=lambda one: -one.confidence):
            self._keep(card)
        self._paint(self.found)

    def scale(self) -> PhotoScale | None:
        """Size and tilt of the cards: as those found so far tell, else the size at which the reader finds most."""
        faces = [one.quad for one in self.found if one.card] or [one.quad for one in self.found]
        if faces:
            return PhotoScale.of(faces)
        rows, columns = self.image.shape[:2]
        longest = max(rows, columns)
        height, best, most = 0.85 * longest, None, 1.0
        while height > max(0.06 * longest, 24):
            scale = PhotoScale.level(height, Tilt(1.0, 90.0))
            seen = self._glimpses(scale, scale.grid(columns, rows, 0.5))
            # What is read by chance is read with little confidence and in no card's shape.
            weight = sum(one.confidence for _, one in seen if one.state is Sight.CARD and one.confidence > 0.7)
            if weight > most:
                best, most = scale, weight
            height /= _LADDER
        return best

    def read_everywhere(self, scale: PhotoScale) -> None:
        """Read crops all over the photograph, then again about what was found, as if that were not there."""
        rows, columns = self.image.shape[:2]
        spots = scale.grid(columns, rows, _STEP)
        everywhere = spots
        for _ in range(_ROUNDS):
            new = self._round(scale, spots)
            if not new:
                return
            self._paint(new)
            spots = [
                spot
                for spot in everywhere
                if any(
                    np.linalg.norm(scale.tilt.undo(one.quad.mean(axis=0) - np.array(spot))) < 1.3 * scale.height(*spot)
                    for one in new
                )
            ]

    def _round(self, scale: PhotoScale, spots: Sequence[tuple[float, float]]) -> list[FoundCard]:
        groups: list[tuple[Points, Reading]] = []
        for centre, reading in sorted(self._glimpses(scale, spots), key=lambda one: -one[1].confidence):
            reach = 0.35 * scale.height(*centre)
            if not any(np.linalg.norm(centre - other) < reach for other, _ in groups):
                groups.append((centre, reading))
        closer = [(scale.view(*centre), UPRIGHT) for centre, _ in groups]
        new = []
        for card in self._settle(closer):
            if self._keep(card):
                new.append(card)
        return new

    def _glimpses(self, scale: PhotoScale, spots: Sequence[tuple[float, float]]) -> list[tuple[Points, Reading]]:
        """Centres, in the photograph, of what might be cards about the spots."""
        places = []
        for spot in spots:
            view = scale.view(*spot)
            crop = rectify(self.left, view, UPRIGHT, 32)
            if float(crop.std(axis=(0, 1)).max()) > _PLAIN:
                places.append((view, UPRIGHT))
        glimpses = []
        for (view, box), reading in zip(places, self._read(places), strict=True):
            if reading.box is None or reading.confidence < _GLIMPSE:
                continue
            if reading.state not in (Sight.CARD, Sight.BACK) or not _card_sized(reading.box):
                continue
            centre = _ring(reading.box).mean(axis=0, keepdims=True)
            glimpses.append((view.to_image(project(crop_to_table(box), centre))[0], reading))
        return glimpses

    def _settle(self, places: Sequence[tuple[TableView, Box]]) -> list[FoundCard]:
        """Read the middle of each place, fit the card's outline, read it upright: the surer of the two counts."""
        crops = [rectify(self.left, view, box) for view, box in places]
        first = self._read_crops(crops)
        straight: list[tuple[TableView, Box]] = []
        fitted: list[tuple[Reading, Points, bool]] = []
        for crop, (view, box), reading in zip(crops, places, first, strict=True):
            if reading.box is None or reading.state not in (Sight.CARD, Sight.BACK) or not _card_sized(reading.box):
                continue
            outline = fit_in_box(find_edges(crop, _CARD_PX), reading.box, Tilt(1.0, 90.0))
            quad = view.to_image(project(crop_to_table(box), outline.quad + 0.5))
            fitted.append((reading, quad, outline.worst >= _WHOLE))
            straight.append((_views(quad)[0], UPRIGHT))
        settled = []
        for (reading, quad, whole), again in zip(fitted, self._read(straight), strict=True):
            fits = again.box is not None and common(_ring(again.box), _OUTLINE) > 0.6
            surer = again if fits and again.confidence > reading.confidence else reading
            if surer.state in (Sight.CARD, Sight.BACK):
                card = FoundCard(surer.card, surer.confidence, quad, whole and fits)
                if _sure(card):
                    settled.append(card)
        return sorted(settled, key=lambda one: (not one.whole, -one.confidence))

    def _keep(self, card: FoundCard) -> bool:
        """Add a card, unless it is one that was found already."""
        for other in self.found:
            shared = common(card.quad, other.quad)
            if shared > 0.45 or (shared > 0.12 and card.text == other.text):
                return False
        self.found.append(card)
        return True

    def _paint(self, cards: Sequence[FoundCard]) -> None:
        for card in cards:
            about = card.quad.mean(axis=0)
            larger = about + (card.quad - about) * 1.03
            cv2.fillConvexPoly(self.left, np.rint(larger * 16).astype(np.int32), (GREY,) * 3, cv2.LINE_AA, 4)

    def _read(self, places: Sequence[tuple[TableView, Box]]) -> list[Reading]:
        readings: list[Reading] = []
        for start in range(0, len(places), _BATCH):
            batch = [rectify(self.left, view, box) for view, box in places[start : start + _BATCH]]
            readings += self.reader.read(batch)
        return readings

    def _read_crops(self, crops: Sequence[Image]) -> list[Reading]:
        return [
            one for start in range(0, len(crops), _BATCH) for one in self.reader.read(crops[start : start + _BATCH])
        ]


def _views(quad: Points) -> list[TableView]:
    """The table as the card with this quad shows it, the card's long side up; both ways where that is not plain."""
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    views = [card_view(quad, Tilt(1.0, 90.0))]
    short, long = sorted((sides[0] + sides[2], sides[1] + sides[3]))
    if short > 0.85 * long or short < 0.5 * long:
        turned = quad if sides[0] + sides[2] > sides[1] + sides[3] else np.roll(quad, -1, axis=0)
        views.append(TableView.from_corners(turned, *CARD_MM))
    return views


def _sure(card: FoundCard) -> bool:
    return card.confidence >= (SURE if card.card else SURE_BACK)


def _card_sized(box: tuple[float, float, float, float]) -> bool:
    """Whether a box in a crop is of a size that a card at some angle has; it may reach a little over the edge."""
    x1, y1, x2, y2 = box
    long, short = max(x2 - x1, y2 - y1), min(x2 - x1, y2 - y1)
    return 0.75 * _CARD_PX < long < 1.45 * _CARD_PX and short > 0.45 * _CARD_PX


def _ring(box: Sequence[float]) -> Points:
    x1, y1, x2, y2 = box
    return np.array([[x1, y1], [x2, y1], [x2, y2], [x1, y2]], np.float64)


def _within(quad: Points, width: int, height: int) -> bool:
    """Whether a quad's centre lies in the picture."""
    x, y = quad.mean(axis=0)
    return bool(-0.5 <= x <= width - 0.5 and -0.5 <= y <= height - 0.5)
