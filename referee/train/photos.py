"""Crops from labelled photographs, made with the geometry of play: what real cards add to drawn ones.

A card that shows whole is fitted to its edges, so the photograph's own perspective is undone as a calibrated table's
is; the crop is then placed and turned as freely as a zone. Other cards that lie wholly in the crop and are not under
the labelled one are painted out, because the reader names one card a crop.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from referee.errors import UserError
from referee.readings import BACK, EMPTY
from referee.table import CARD_MM, Box
from referee.train.labels import Label, Photo, read_photos
from referee.vision.photo_outline import (
    Outline,
    Tilt,
    card_heights,
    card_view,
    find_edges,
    find_tilt,
    fit_in_box,
    height_in_box,
    level_view,
    unlikeness,
)
from referee.vision.rectify import CROP_PX, Image, Points, TableView, image_to_crop, project, rectify

WHOLE: Final = 0.65
"""Share of every side that must lie on an edge for a card to count as seen whole."""

GREY: Final = 128
"""What is painted over cards that are not asked for."""

_EMPTY_PER_PHOTO: Final = 3
_TRIES: Final = 30
_HEADER: Final = 128


@dataclass(frozen=True, slots=True, eq=False)
class PhotoCrop:
    """A crop of a photograph.

    Attributes:
        image: uint8 array (224, 224, 3), BGR.
        place: ``Card.code`` of the card, ``readings.BACK`` or ``readings.EMPTY``.
        box: x1, y1, x2, y2 of the card in crop pixels, None for an empty crop.
        photo: name of the photograph.
        whole: whether the card was found to show whole.
    """

    image: Image
    place: int
    box: tuple[float, float, float, float] | None
    photo: str
    whole: bool


@dataclass(frozen=True, slots=True, eq=False)
class PlacedCard:
    """A labelled card and how it lies in the photograph.

    Attributes:
        label: the label.
        outline: the outline fitted to it.
        whole: whether it shows whole, so that the outline means something.
        view: the table as this card shows it, millimetres from the card's top left corner if it shows whole, else from
            a place that makes its box's centre the centre of a card.
    """

    label: Label
    outline: Outline
    whole: bool
    view: TableView

    @property
    def ring(self) -> Points:
        """What the card covers, in pixels of the photograph: its outline, or its box."""
        return self.outline.quad if self.whole else _ring(_box(self.label))


def place_cards(image: Image, labels: Sequence[Label]) -> tuple[list[PlacedCard], Tilt, float]:
    """The labelled cards of a photograph, uint8 (H, W, 3) BGR; how it is tilted; the height of a card in its pixels."""
    boxes = [_box(label) for label in labels]
    rough = float(np.median([height_in_box(x2 - x1, y2 - y1) for x1, y1, x2, y2 in boxes]))
    edges = find_edges(image, rough)
    outlines = [fit_in_box(edges, box) for box in boxes]
    tilt = find_tilt(np.array([one.quad for one in outlines if one.worst >= WHOLE] or [outlines[0].quad]))
    outlines = [fit_in_box(edges, box, tilt) for box in boxes]
    quads = tilt.undo(np.array([one.quad for one in outlines]))
    heights, odd = card_heights(quads), unlikeness(quads)
    fits = np.array([one.worst >= WHOLE and cv2.isContourConvex(one.quad.astype(np.float32)) for one in outlines])
    plain = fits & (odd < 0.25)
    usual = float(np.median(heights[plain])) if plain.any() else rough
    whole = plain & (np.abs(np.log(heights / usual)) < math.log(1.5))
    alone = np.ones(len(boxes), bool)
    for one, other in permutations(range(len(boxes)), 2):
        if _overlap(_ring(boxes[one]), _ring(boxes[other])) > 0.1:
            # What shows of a card under another can look like a smaller, odder card.
            whole[one] &= odd[one] < 0.15 and heights[one] > 0.92 * heights[other]
            alone[one] = False
    # Nothing else explains four edges about a card that lies alone, near or far, however it is tilted.
    whole |= alone & fits & (odd < 0.5)
    placed = []
    for label, outline, box, free, good in zip(labels, outlines, boxes, alone, whole, strict=True):
        width, length = box[2] - box[0], box[3] - box[1]
        # A foreshortened card fits a box that a smaller one would fit too; of a covered card less shows than there is.
        fitting = max(height_in_box(width, length), 0.9 * max(width, length))
        height = fitting if free else float(np.clip(usual, 0.95 * fitting, 2 * fitting))
        view = card_view(outline.quad, tilt) if good else level_view(_centre(box), height, tilt)
        placed.append(PlacedCard(label, outline, bool(good), view))
    return placed, tilt, usual


def photo_crops(
    folder: Path,
    rng: np.random.Generator | None,
    per_card: int = 1,
    progress: Callable[[str], None] = lambda _line: None,
) -> Iterator[PhotoCrop]:
    """Crops of the labelled cards of ``folder``, and of bare places of its photographs.

    Args:
        folder: pictures with a ``labels.csv``.
        rng: decides places, turns and distortions, and leaves out what is not surely right to learn from; None for one
            plain crop of every labelled card, the card upright in the middle, to measure on.
        per_card: crops of each card.
        progress: told the name of every photograph.
    """
    for photo in read_photos(folder):
        progress(photo.path.name)
        image = cv2.imread(str(photo.path), cv2.IMREAD_COLOR)
        labels = [label for label in photo.boxed if label.text == "back" or label.card is not None]
        if image is None or not labels:
            continue
        picture = np.asarray(image, np.uint8)
        cards, tilt, height = place_cards(picture, photo.boxed)
        for number, card in enumerate(cards):
            if card.label in labels:
                yield from _card_crops(picture, photo, cards, number, rng, per_card)
        if rng is not None:
            yield from _empty_crops(picture, photo, cards, height, tilt, rng)


def _card_crops(
    image: Image, photo: Photo, cards: Sequence[PlacedCard], number: int, rng: np.random.Generator | None, count: int
) -> Iterator[PhotoCrop]:
    card = cards[number]
    place = card.label.card.code if card.label.card else BACK
    others = [other for other in cards if other is not card]
    x1, y1, x2, y2 = _box(card.label)
    if rng is None:
        view, box = card.view, Box(CARD_MM[0] / 2, CARD_MM[1] / 2, *CARD_MM, 0.0)
        cleared = paint_out(image, card, others, view, box, GREY)
        crop = rectify(cleared, view, box)
        yield PhotoCrop(crop, place, _bounds(card.ring, view, box), photo.path.name, card.whole)
        return
    if min(x1, y1) < 3 or x2 > image.shape[1] - 3 or y2 > image.shape[0] - 3:
        # The picture ends there, perhaps in the middle of the card.
        return
    if not card.whole and any(_overlap(card.ring, _larger(other.ring, 1.1)) > 0.005 for other in others):
        # What lies on top is not known, nor how far the card goes on below.
        return
    if any(other.whole and _overlap(card.ring, other.ring) > 0.06 for other in others):
        return
    for _ in range(count if card.whole else (count + 1) // 2):
        drawn = _draw(card, rng)
        if drawn is None:
            continue
        view, box = drawn
        cleared = paint_out(image, card, others, view, box, GREY if rng.random() < 0.6 else None)
        bounds = _bounds(card.ring, view, box)
        yield PhotoCrop(rectify(cleared, view, box), place, bounds, photo.path.name, card.whole)


def _draw(card: PlacedCard, rng: np.random.Generator) -> tuple[TableView, Box] | None:
    """A view with another scale, width and perspective, and a zone in which all of the card lies."""
    for _ in range(_TRIES):
        scale = float(rng.uniform(0.92, 1.08))
        # Bridge cards are narrower; the fit itself is off by some per cent.
        size = np.array([CARD_MM[0] * rng.uniform(0.92, 1.03), CARD_MM[1]]) * scale
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * CARD_MM
        view = card.view
        shaken = corners + rng.normal(0, 1.2, (4, 2))
        view = TableView.from_corners(view.to_image(shaken), float(size[0]), float(size[1]))
        turn = 90.0 * int(rng.integers(4)) + float(rng.normal(0, 5))
        if card.whole and rng.random() < 0.35:
            turn = float(rng.uniform(0, 360))
        away = rng.normal(0, 9, 2)
        box = Box(float(size[0] / 2 + away[0]), float(size[1] / 2 + away[1]), *CARD_MM, turn)
        x1, y1, x2, y2 = _bounds(card.ring, view, box)
        if x1 >= 0 and y1 >= 0 and x2 <= CROP_PX and y2 <= CROP_PX:
            return view, box
    return None


def paint_out(
    image: Image, card: PlacedCard, others: Sequence[PlacedCard], view: TableView, box: Box, grey: int | None
) -> Image:
    """``image`` without the cards, other than ``card``, that a reader of the crop could name instead.

    A card under ``card`` stays: the one on top is meant. ``grey`` None blurs instead of painting.
    """
    mask = np.zeros(image.shape[:2], np.uint8)
    for other in others:
        if card.whole and not other.whole and _overlap(card.ring, other.ring) > 0.04:
            continue
        ring = project(image_to_crop(view, box), other.ring)
        cover = np.zeros_like(mask)
        if (ring.min() > -2 and ring.max() < CROP_PX + 2) or not card.whole:
            cv2.fillConvexPoly(cover, np.rint(_larger(other.ring, 1.05) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
            if card.whole or not other.whole:
                # Of a card that is not fitted only a box is known, with much in it that is not the card.
                cv2.fillConvexPoly(cover, np.rint(card.ring * 16).astype(np.int32), 0, cv2.LINE_8, 4)
            np.maximum(mask, cover, out=mask)
    if not mask.any():
        return image
    share = (mask.astype(np.float32) * np.float32(1 / 255))[..., None]
    if grey is None:
        coarse = max(2, round(float(np.ptp(card.ring)) / 6))
        rows, columns = image.shape[:2]
        small = cv2.resize(image, (columns // coarse + 1, rows // coarse + 1), interpolation=cv2.INTER_AREA)
        blurred = cv2.resize(small, (columns, rows), interpolation=cv2.INTER_LINEAR).astype(np.float32)
        return np.asarray(image * (1 - share) + blurred * share, np.uint8)
    return np.asarray(image * (1 - share) + np.float32(grey) * share, np.uint8)


def _empty_crops(
    image: Image, photo: Photo, cards: Sequence[PlacedCard], height: float, tilt: Tilt, rng: np.random.Generator
) -> Iterator[PhotoCrop]:
    """Bare places, and places into which cards reach only in part."""
    rows, columns = image.shape[:2]
    made = 0
    for _ in range(_TRIES):
        if made == _EMPTY_PER_PHOTO:
            return
        x, y = rng.uniform(0, columns), rng.uniform(0, rows)
        view = level_view((x, y), height * float(rng.uniform(0.85, 1.2)), tilt)
        box = Box(CARD_MM[0] / 2, CARD_MM[1] / 2, *CARD_MM, float(rng.uniform(0, 360)))
        to_crop = image_to_crop(view, box)
        frame = project(to_crop, np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float64))
        if _inside(frame) < 0.9 * CROP_PX**2:
            continue
        shown = [_inside(ring) / max(_area(ring), 1) for ring in (project(to_crop, card.ring) for card in cards)]
        if max(shown, default=0) < 0.55:
            made += 1
            yield PhotoCrop(rectify(image, view, box), EMPTY, None, photo.path.name, True)


def write_photo_crops(crops: Iterator[PhotoCrop], folder: Path, source: str, size: int = CROP_PX) -> int:
    """Write ``crops``, ``size`` px wide and high, to ``folder``, which is made, and answer how many there are.

    Files: ``images.npy`` uint8 (N, size, size, 3) BGR; ``cls.npy`` uint8 (N,), places as in ``readings``; ``box.npy``
    float32 (N, 4), zeros for an empty crop; ``rows.csv`` with source, photograph and whether the card shows whole.
    """
    places: list[int] = []
    boxes: list[tuple[float, float, float, float]] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # A training that reads the crops of an earlier run keeps what it has open.
        with (
            (folder / "images.part").open("wb") as images,
            (folder / "rows.csv").open("w", encoding="utf-8", newline="") as table,
        ):
            # How many there are is known in the end, and they are too many to keep.
            images.seek(_HEADER)
            rows = csv.writer(table)
            rows.writerow(["source", "photo", "whole"])
            for crop in crops:
                images.write(_resized(crop.image, size).tobytes())
                rows.writerow([source, crop.photo, int(crop.whole)])
                places.append(crop.place)
                x1, y1, x2, y2 = (edge * size / CROP_PX for edge in crop.box or (0.0, 0.0, 0.0, 0.0))
                boxes.append((x1, y1, x2, y2))
            images.seek(0)
            shape = (len(places), size, size, 3)
            np.lib.format.write_array_header_1_0(images, {"descr": "|u1", "fortran_order": False, "shape": shape})
            if images.tell() != _HEADER:
                raise RuntimeError("the header of a .npy file is not as long as it was")
        (folder / "images.part").replace(folder / "images.npy")
        np.save(folder / "cls.npy", np.array(places, np.uint8))
        np.save(folder / "box.npy", np.array(boxes, np.float32).reshape(-1, 4))
    except OSError as error:
        raise UserError(f"cannot keep crops in {folder}: {error.strerror}") from None
    if not places:
        raise UserError(f"{source} gives no crops: are there cards with boxes in it?")
    return len(places)


def _resized(crop: Image, size: int) -> Image:
    if size == CROP_PX:
        return crop
    filter_ = cv2.INTER_AREA if size < CROP_PX else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(crop, (size, size), interpolation=filter_), np.uint8)


def _box(label: Label) -> tuple[float, float, float, float]:
    if label.box is None:
        raise ValueError("a card without a box has no place")
    return label.box


def _centre(box: Sequence[float]) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _ring(box: Sequence[float]) -> Points:
    x1, y1, x2, y2 = box
    return np.array([[x1, y1], [x2, y1], [x2, y2], [x1, y2]], np.float64)


def _larger(ring: Points, times: float) -> Points:
    about = ring.mean(axis=0)
    return np.asarray(about + (ring - about) * times, np.float64)


def _bounds(ring: Points, view: TableView, box: Box) -> tuple[float, float, float, float]:
    mapped = project(image_to_crop(view, box), ring)
    (x1, y1), (x2, y2) = mapped.min(axis=0), mapped.max(axis=0)
    return float(x1), float(y1), float(x2), float(y2)


def _area(ring: Points) -> float:
    return float(cv2.contourArea(ring.astype(np.float32)))


def _inside(ring: Points) -> float:
    """How much of the crop a convex ring covers, crop pixels squared."""
    frame = _ring((0, 0, CROP_PX, CROP_PX)).astype(np.float32)
    return float(cv2.intersectConvexConvex(ring.astype(np.float32), frame)[0])


def _overlap(first: Points, second: Points) -> float:
    """Common area of two convex rings as a share of the smaller one."""
    common = float(cv2.intersectConvexConvex(first.astype(np.float32), second.astype(np.float32))[0])
    return common / max(1.0, min(_area(first), _area(second)))
