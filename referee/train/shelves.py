"""Labelled crops as training wants them: one class and one box each, from drawn crops and from photographs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.errors import UserError
from referee.readings import EMPTY
from referee.train.drawing.cropstore import WORDS, open_store
from referee.train.network import CLASSES
from referee.vision.balance import balanced
from referee.vision.indexes import INDEX

Image: TypeAlias = npt.NDArray[np.uint8]
Floats: TypeAlias = npt.NDArray[np.float32]
Donor: TypeAlias = tuple[Image, Floats]
"""A crop and the corners of the card in it."""

NOTHING: Final = -1
"""Class of a crop whose zone is empty."""

_BACK: Final = CLASSES.index("back")
HIDDEN_CLASS: Final = CLASSES.index("hidden")
"""Class of a crop of which nothing can be told because something lies over it."""


# How much must show for there to be something to tell.
_LEAST_CARD: Final = 0.2
_LEAST_BACK: Final = 0.15
_LEAST_TABLE: Final = 0.3

_MASKED: Final = 0.15
_CHANGED: Final = 0.4
_CHANGED_LETTERS: Final = 0.6
_LETTERS: Final = frozenset({0, 10, 11, 12})
"""Aces and courts, whose decks differ most in the middle: their places in a suit."""

_COURTS: Final = frozenset({10, 11, 12})
_SWAPPED: Final = 0.6
"""Share of changed cards that get the picture of another court, or the pips of another card, instead of neither."""
_UPSIDE_DOWN: Final = 0.5
_SIDEWAYS: Final = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class Shelf:
    """Crops of one origin.

    Attributes:
        images: uint8 array (N, S, S, 3), BGR, perhaps memory-mapped.
        classes: int64 array (N,), places in ``CLASSES``, or ``NOTHING``.
        boxes: float32 array (N, 4) of x1, y1, x2, y2 in crop pixels.
        quads: float32 array (N, 4, 2), corners of the top card in crop pixels, clockwise from its own top left; NaN
            where they are not known.
        shows: bool array (N, 4), which of these corners show an index.
    """

    images: Image
    classes: npt.NDArray[np.int64]
    boxes: Floats
    quads: Floats
    shows: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.classes)


@dataclass(frozen=True, slots=True, eq=False)
class Portion:
    """Part of a training diet.

    Attributes:
        shelf: where its crops stand.
        share: weight of this portion beside the others.
        places: int64 array of the crops on the shelf that belong to it; all of them if ``None``.
    """

    shelf: Shelf
    share: float
    places: npt.NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.shelf) if self.places is None else len(self.places)

    def place(self, number: int) -> int:
        """Where crop ``number`` of the portion stands on its shelf."""
        return number if self.places is None else int(self.places[number])


def drawn_shelf(folder: Path) -> Shelf:
    """The drawn crops of a store. What can't be told from the crop is labelled hidden."""
    store = open_store(folder)
    labels = store.labels[: store.drawn]
    state, share = labels["state"], labels["share"]
    classes = labels["card"].astype(np.int64)
    classes[state == WORDS["state"].index("empty")] = NOTHING
    card, back = classes < _BACK, classes == _BACK
    card &= classes >= 0
    hidden = card & (share < _LEAST_CARD) & ~labels["corners"].any(axis=1)
    hidden |= (back & (share < _LEAST_BACK)) | ((classes == NOTHING) & (share < _LEAST_TABLE))
    boxes = labels["box"].copy()
    side = store.crops.shape[1]
    classes[hidden] = HIDDEN_CLASS
    boxes[hidden] = (1, 1, side - 1, side - 1)
    quads = np.where(hidden[:, None, None], np.float32(np.nan), labels["quad"])
    return Shelf(store.crops, classes, boxes, quads, labels["corners"] & card[:, None])


def photo_shelf(folder: Path) -> Shelf:
    """Crops of photographs as `referee.train.photos` writes them."""
    try:
        images = np.load(folder / "images.npy", mmap_mode="r")
        classes = np.load(folder / "cls.npy").astype(np.int64)
        boxes = np.nan_to_num(np.load(folder / "box.npy").astype(np.float32))
    except FileNotFoundError as error:
        raise UserError(f"there are no crops of photographs in {folder}: {error.filename} is missing") from None
    classes[classes == EMPTY] = NOTHING
    quads = np.full((len(classes), 4, 2), np.nan, np.float32)
    return Shelf(images, classes, boxes, quads, np.zeros((len(classes), 4), np.bool_))


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Crops to learn from at once.

    Attributes:
        images: uint8 array (N, S, S, 3), BGR.
        classes: int64 array (N,), ``NOTHING`` for empty zones.
        boxes: float32 array (N, 4) of x1, y1, x2, y2 in crop pixels.
        indexes: float32 array (N, 4, 2), where the card's corner indexes are in crop pixels; NaN for those that do not
            show or are not known.
    """

    images: Image
    classes: npt.NDArray[np.int64]
    boxes: Floats
    indexes: Floats


def draw_batch(shelves: Sequence[Shelf], picks: Sequence[tuple[int, int]], rng: np.random.Generator) -> Batch:
    """The crops at ``picks``, each a place in ``shelves`` and a place on that shelf, varied by ``rng``.

    Crops are turned by quarters, never mirrored: a mirrored card is no card. Parts of some cards are painted over with
    one colour, as `referee read` does with cards it has read already, so that at least one index still shows. Of others
    the middle is taken away or exchanged for another picture: decks differ in their courts and pips more than in their
    letters and figures, and a network that is never forced to looks at the large things only.
    """
    images = np.stack([shelves[shelf].images[place] for shelf, place in picks])
    classes = np.array([shelves[shelf].classes[place] for shelf, place in picks])
    boxes = np.stack([shelves[shelf].boxes[place] for shelf, place in picks])
    indexes = np.stack(
        [index_places(shelves[shelf].quads[place], shelves[shelf].shows[place]) for shelf, place in picks]
    )
    side = images.shape[1]
    courts, pips = _donors(
        images, classes, [(shelves[shelf].quads[place], shelves[shelf].shows[place]) for shelf, place in picks]
    )
    for number, (shelf, place) in enumerate(picks):
        if rng.random() < _MASKED and shelves[shelf].shows[place].any():
            kept = _paint_over(images[number], shelves[shelf].quads[place], shelves[shelf].shows[place], rng)
            indexes[number, np.arange(4) != kept] = np.nan
        elif (
            rng.random() < (_CHANGED_LETTERS if classes[number] % 13 in _LETTERS else _CHANGED)
            and shelves[shelf].shows[place].any()
        ):
            donors = (courts if classes[number] % 13 in _COURTS else pips)[int(classes[number]) // 13]
            swapped = bool(donors) and rng.random() < _SWAPPED
            donor = donors[int(rng.integers(len(donors)))] if swapped else None
            _change_middle(images[number], shelves[shelf].quads[place], donor, images, rng)
        quarters = (2 if rng.random() < _UPSIDE_DOWN else 0) + int(rng.random() < _SIDEWAYS)
        if quarters:
            images[number] = np.rot90(images[number], quarters)
            boxes[number] = turn_box(boxes[number], quarters, side)
            indexes[number] = _turn_points(indexes[number], quarters, side)
        # As at play, so that what is learnt is what will be seen.
        images[number] = balanced(images[number])
    return Batch(images, classes, boxes, indexes)


def index_places(quad: Floats, shows: npt.NDArray[np.bool_]) -> Floats:
    """Middles of the corner indexes that show (4, 2), NaN for the others, of a card with corners ``quad`` (4, 2)."""
    places = np.full((4, 2), np.nan, np.float32)
    for corner in np.flatnonzero(shows).tolist():
        after, before = quad[(corner + 1) % 4], quad[(corner + 3) % 4]
        # From the top left corner clockwise, every other corner has its short side first.
        along, down = (after, before) if corner % 2 == 0 else (before, after)
        places[corner] = quad[corner] + INDEX[0] * (along - quad[corner]) + INDEX[1] * (down - quad[corner])
    return places


def _donors(
    images: Image, classes: npt.NDArray[np.int64], cards: Sequence[tuple[Floats, npt.NDArray[np.bool_]]]
) -> tuple[list[list[Donor]], list[list[Donor]]]:
    """Cards of each suit that show well enough to lend their middle: courts, and cards with pips.

    Within a suit, because the signs in the middle of a card are always right about it, and easier to see than the one
    in its corner.
    """
    kinds: tuple[list[list[Donor]], list[list[Donor]]] = ([[], [], [], []], [[], [], [], []])
    for image, kind, (quad, shows) in zip(images, classes.tolist(), cards, strict=True):
        if 0 <= kind < _BACK and shows.sum() > 1:
            kinds[0 if kind % 13 in _COURTS else 1][kind // 13].append((image.copy(), quad))
    return kinds


def turn_box(box: Floats, quarters: int, side: int) -> Floats:
    """A box (4,) in a square crop that is turned counter-clockwise by quarters."""
    x1, y1, x2, y2 = box
    for _ in range(quarters % 4):
        x1, y1, x2, y2 = y1, side - x2, y2, side - x1
    return np.array([x1, y1, x2, y2], np.float32)


def _turn_points(points: Floats, quarters: int, side: int) -> Floats:
    """Points (N, 2) in a square crop that is turned counter-clockwise by quarters."""
    for _ in range(quarters % 4):
        points = np.stack([points[:, 1], side - points[:, 0]], axis=1)
    return points


def _paint_over(image: Image, quad: Floats, shows: npt.NDArray[np.bool_], rng: np.random.Generator) -> int:
    """Paint everything on one side of a line across the card, but for one corner that shows an index; that corner."""
    kept = int(rng.choice(np.flatnonzero(shows)))
    corner, beside, other = (quad[(kept + step) % 4].astype(float) for step in (0, 1, 3))
    # The kept index reaches about a third of the short side and a third of the long side into the card.
    along, aside = (float(rng.uniform(0.36, 1.0)) for _ in range(2))
    colour = rng.uniform(0, 255, 3).tolist() if rng.random() < 0.5 else [float(rng.uniform(60, 190))] * 3
    first, second = beside - corner, other - corner
    far = 3.0
    if rng.random() < 0.5:
        start = corner + along * first
        cover = [
            start - far * second,
            start + far * second,
            start + far * (first + second),
            start + far * (first - second),
        ]
    else:
        start = corner + aside * second
        cover = [
            start - far * first,
            start + far * first,
            start + far * (first + second),
            start + far * (second - first),
        ]
    cv2.fillConvexPoly(image, np.round(np.array(cover) * 16).astype(np.int32), colour, cv2.LINE_AA, 4)
    return kept


def _change_middle(image: Image, quad: Floats, donor: Donor | None, others: Image, rng: np.random.Generator) -> None:
    """Exchange what lies between a card's index columns, and across its waist.

    With a donor, a crop and the corners of its card, the middle becomes that card's; else one colour or any picture.
    """
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_crop = cv2.getPerspectiveTransform(unit, np.ascontiguousarray(quad, np.float32))
    spot = cv2.perspectiveTransform(np.array([[[0.05, 0.5]]], np.float32), to_crop)[0, 0]
    # A card's own paper shows beside its index, half way along the edge.
    column, row = np.clip(np.round(spot), 0, image.shape[0] - 1).astype(int).tolist()
    paper = image[row, column].astype(float)
    margin, waist = rng.uniform(0.2, 0.3), rng.uniform(0.36, 0.46)
    parts = [(margin, 0.03, 1 - margin, 0.97)]
    if donor is None:
        parts.append((0.03, waist, 0.97, 1 - waist))
    mask = np.zeros(image.shape[:2], np.uint8)
    for x1, y1, x2, y2 in parts:
        corners = np.array([[[x1, y1], [x2, y1], [x2, y2], [x1, y2]]], np.float32)
        cv2.fillConvexPoly(mask, np.round(cv2.perspectiveTransform(corners, to_crop)[0]).astype(np.int32), 255)
    if donor is not None:
        across = cv2.getPerspectiveTransform(
            np.ascontiguousarray(donor[1], np.float32), np.ascontiguousarray(quad, np.float32)
        )
        there = cv2.warpPerspective(donor[0], across, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
        # Both parts are as bright as the card they are to be one with.
        gain = (paper + 20) / (there[row, column].astype(float) + 20)
        cv2.copyTo(np.clip(there * gain, 0, 255).astype(np.uint8), mask, image)
        return
    kind = rng.random()
    if kind < 0.3:
        cv2.copyTo(np.ascontiguousarray(others[int(rng.integers(len(others)))]), mask, image)
        return
    image[mask > 0] = np.round(paper).astype(np.uint8) if kind < 0.8 else rng.integers(0, 256, 3)
