"""Measuring a card reader on labelled photographs, crop by crop and as a whole, and on stored crops."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from referee.errors import UserError
from referee.evaluate.reader_score import EMPTY_TEXT, CropScore, PhotoScore, agrees, place_text, said_text
from referee.train.labels import BACK_TEXT, Photo, read_photos
from referee.train.photos import photo_crops
from referee.vision.photo_file import load_photograph
from referee.vision.photo_outline import Tilt
from referee.vision.photo_scale import PhotoScale
from referee.vision.photograph import UPRIGHT, FoundCard, PhotoReader, Reader
from referee.vision.rectify import Image, rectify

Quad: TypeAlias = tuple[float, float, float, float]

BATCH: Final = 64

_BARE_SCALES: Final = (4.0, 6.5)
"""A bare table is cropped as if a card were these parts of the picture's longer side high."""


@dataclass(frozen=True, slots=True, eq=False)
class Miss:
    """A crop or place that was read wrongly.

    Attributes:
        image: uint8 array (H, W, 3), BGR, what it looks like.
        truth: what is there; ``nothing`` for a card that is not.
        said: what was read; ``nothing`` for a card that was not found.
        confidence: of the reading.
        where: source and photograph.
    """

    image: Image
    truth: str
    said: str
    confidence: float
    where: str


@dataclass(slots=True)
class SourceScore:
    """One source of photographs, or stored crops.

    Attributes:
        crops: labelled cards and bare places, read crop by crop.
        whole: those labelled cards among them whose outline shows whole.
        photos: the photographs read as a whole.
        misses: everything that went wrong.
    """

    crops: CropScore = field(default_factory=CropScore)
    whole: CropScore = field(default_factory=CropScore)
    photos: PhotoScore = field(default_factory=PhotoScore)
    misses: list[Miss] = field(default_factory=list)

    def add(self, other: SourceScore) -> None:
        """Take in another source."""
        self.crops.add(other.crops)
        self.whole.add(other.whole)
        self.photos.add(other.photos)
        self.misses += other.misses


def photo_folders(folders: Sequence[Path]) -> list[Path]:
    """The folders of pictures among ``folders``; one without pictures stands for those in it that have some."""
    found = []
    for folder in folders:
        try:
            read_photos(folder)
            found.append(folder)
        except UserError:
            if not folder.is_dir() or (folder / "labels.csv").exists():
                raise
            inner = [path for path in sorted(folder.iterdir()) if (path / "labels.csv").exists()]
            inner += [path for path in sorted(folder.iterdir()) if path.is_dir() and path not in inner and _bare(path)]
            if not inner:
                raise
            found += inner
    return found


def _bare(folder: Path) -> bool:
    try:
        return bool(read_photos(folder))
    except UserError:
        return False


def score_crops(folder: Path, reader: Reader, progress: Callable[[str], None]) -> SourceScore:
    """Read a crop of every labelled card of ``folder``, what overlaps it painted out, and of all its bare tables."""
    score = SourceScore()
    photos = read_photos(folder)
    texts = {photo.path.name: [label.text for label in photo.boxed] for photo in photos}
    cases: Iterable[tuple[Image, str, bool, str]]
    if any(texts.values()):
        cases = (
            (crop.image, place_text(crop.place), crop.whole, crop.photo)
            for crop in photo_crops(folder, None, progress=progress)
        )
    else:
        cases = _bare_places(photos, progress)
    for batch in _batches(cases):
        readings = reader.read([image for image, *_ in batch])
        for (image, truth, whole, photo), reading in zip(batch, readings, strict=True):
            right = score.crops.count(truth, reading)
            if whole:
                score.whole.count(truth, reading)
            if not right:
                where = f"{folder.name}/{photo}"
                score.misses.append(Miss(image, truth, said_text(reading), reading.confidence, where))
    return score


def _batches(cases: Iterable[tuple[Image, str, bool, str]]) -> Iterator[list[tuple[Image, str, bool, str]]]:
    rest = iter(cases)
    while batch := list(islice(rest, BATCH)):
        yield batch


def _bare_places(photos: Sequence[Photo], progress: Callable[[str], None]) -> Iterator[tuple[Image, str, bool, str]]:
    for photo in photos:
        progress(photo.path.name)
        image = load_photograph(photo.path)
        rows, columns = image.shape[:2]
        for parts in _BARE_SCALES:
            scale = PhotoScale(max(rows, columns) / parts, Tilt(1.0, 90.0))
            for x, y in scale.grid(columns, rows, 0.7):
                yield rectify(image, scale.view(x, y), UPRIGHT), EMPTY_TEXT, True, photo.path.name


def score_photos(folder: Path, reader: PhotoReader, score: SourceScore, progress: Callable[[str], None]) -> None:
    """Read every photograph of ``folder`` as ``referee read`` does, and add what came of it to ``score``."""
    photos = read_photos(folder)
    # Where no back is labelled, the backs that show are not false.
    backs = any(label.text == BACK_TEXT for photo in photos for label in photo.labels)
    for photo in photos:
        progress(photo.path.name)
        image = load_photograph(photo.path)
        cards = [card for card in reader.read(image) if backs or card.card or not photo.labels]
        one, wrong = compare(photo, cards)
        score.photos.add(one)
        where = f"{folder.name}/{photo.path.name}"
        score.misses += [
            Miss(_cut_out(image, box), truth, said, confidence, where) for truth, said, confidence, box in wrong
        ]


def compare(photo: Photo, cards: Sequence[FoundCard]) -> tuple[PhotoScore, list[tuple[str, str, float, Quad | None]]]:
    """What was read in a photograph against its labels.

    A card with a box is found by the surest card of its name that has half of the union of the boxes in common. Then
    each card that is only listed may be any of the cards that are left.

    Returns:
        the score, and what went wrong: truth, what was read, confidence, where.
    """
    score = PhotoScore(photos=1, said=len(cards))
    left = sorted(cards, key=lambda card: -card.confidence)
    missing: list[tuple[str, Quad | None]] = []
    for label in photo.labels:
        if label.box is None:
            continue
        score.boxed += 1
        hit = next((card for card in left if agrees(label.text, card.text) and iou(card.box, label.box) >= 0.5), None)
        if hit is None:
            missing.append((label.text, label.box))
        else:
            score.found += 1
            left.remove(hit)
    for label in photo.labels:
        if label.box is not None:
            continue
        score.listed += 1
        hit = next((card for card in left if agrees(label.text, card.text)), None)
        if hit is None:
            missing.append((label.text, None))
        else:
            score.named += 1
            left.remove(hit)
    wrong: list[tuple[str, str, float, Quad | None]] = []
    for text, box in missing:
        there = next((card for card in left if box and iou(card.box, box) >= 0.5), None)
        if there is not None:
            left.remove(there)
        wrong.append((text, there.text if there else "nothing", there.confidence if there else 0.0, box))
    wrong += [("nothing", card.text, card.confidence, card.box) for card in left]
    return score, wrong


def iou(first: Quad, second: Quad) -> float:
    """Intersection over union of two boxes."""
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    if width <= 0 or height <= 0:
        return 0.0
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (first, second))
    return width * height / (areas - width * height)


def _cut_out(image: Image, box: Quad | None) -> Image:
    """The picture about ``box``, or all of it."""
    if box is None:
        return image
    x1, y1, x2, y2 = box
    margin = 0.25 * max(x2 - x1, y2 - y1)
    top, left = max(0, int(y1 - margin)), max(0, int(x1 - margin))
    part = image[top : max(top + 2, int(y2 + margin)), left : max(left + 2, int(x2 + margin))]
    return np.asarray(part if part.size else image, np.uint8)
