"""Pictures of indexes to learn from, cut out of crops as they will be at play."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import DECK
from referee.train.shelves import Floats, Image, Shelf
from referee.vision.balance import balanced
from referee.vision.index_reader import NO_INDEX
from referee.vision.indexes import CORNERS, index_places, index_views
from referee.vision.lie import ASPECT

Places: TypeAlias = npt.NDArray[np.intp]

_SHOWN: Final = 2
"""Most indexes of a card that are learnt from at once: the others look alike."""

_COVERED: Final = 0.45
"""Share of the cards of which a corner without an index is shown as well."""

_ASTRAY: Final = 0.2
"""Share of the cards whose lie is far off, as it is found where little of a card shows."""

_OFF: Final = (1.5, 2.2)
_FAR_OFF: Final = (4.0, 7.0)
_ONE_INDEX: Final = 1.6
"""How many times farther the lie of a card is off of which only one index shows."""

_OFF_AS_FOUND: Final = (0.7, 0.8)
"""By how much a lie is off, standard deviations of each coordinate in pixels and of the turn in degrees."""

_STRETCH: Final = 0.03


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """Face-up cards whose indexes are learnt from.

    Attributes:
        shelf: where their crops stand.
        poses: float64 (N, 4), for each crop of the shelf the card's centre x and y in crop pixels, the turn of its
            long side in degrees, and its long side in crop pixels; NaN where it is not known.
        places: (M,) which crops are learnt from.
        share: weight beside the others.
        labelled: whether it is known which of a card's corners show an index.
    """

    shelf: Shelf
    poses: npt.NDArray[np.float64]
    places: Places
    share: float
    labelled: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """Pictures to learn from at once.

    Attributes:
        images: uint8 (N, H, W, 3), BGR.
        shows: int64 (N,), the code of the face whose index each shows, or ``NO_INDEX``.
        labelled: bool (N,); where false, four pictures that follow each other are of the four corners of one card, and
            ``shows`` is the card: some of them show its index.
    """

    images: Image
    shows: npt.NDArray[np.int64]
    labelled: npt.NDArray[np.bool_]


def drawn_poses(quads: Floats) -> npt.NDArray[np.float64]:
    """How cards lie, see ``Located``, by their corners (N, 4, 2), clockwise from their own top left."""
    quads = quads.astype(np.float64)
    down = (quads[:, 3] + quads[:, 2] - quads[:, 0] - quads[:, 1]) / 2
    across = (quads[:, 1] + quads[:, 2] - quads[:, 0] - quads[:, 3]) / 2
    turn = np.degrees(np.arctan2(-down[:, 0], down[:, 1]))
    # As at play: from both sides, for a card of the usual form.
    height = (np.hypot(*down.T) + np.hypot(*across.T)) / (1 + ASPECT)
    return np.column_stack([quads.mean(axis=1), turn, height])


def draw_views(located: Sequence[Located], picks: Sequence[tuple[int, int]], rng: np.random.Generator) -> Views:
    """Pictures of indexes of the cards at ``picks``, each a place in ``located`` and one among its ``places``."""
    images: list[Image] = []
    shows: list[int] = []
    labelled: list[bool] = []
    for which, number in picks:
        cards = located[which]
        place = int(cards.places[number])
        off = (_FAR_OFF if rng.random() < _ASTRAY else _OFF) if cards.labelled else _OFF_AS_FOUND
        more = _ONE_INDEX if np.count_nonzero(cards.shelf.shows[place]) == 1 else 1
        aside, askew = off[0] * more, off[1] * more
        x, y, turn, height = rng.normal(cards.poses[place], (aside, aside, askew, 0))
        height *= math.exp(rng.normal(0, _STRETCH))
        views = index_views(balanced(cards.shelf.images[place]), index_places(x, y, turn, height), turn, height)
        corners = _corners(cards.shelf.shows[place], rng) if cards.labelled else CORNERS
        for corner in corners:
            images.append(_varied(views[corner], rng))
            there = not cards.labelled or bool(cards.shelf.shows[place][corner])
            shows.append(int(cards.shelf.classes[place]) if there else NO_INDEX)
            labelled.append(cards.labelled)
    return Views(np.stack(images), np.array(shows, np.int64), np.array(labelled))


def faces_of(shelf: Shelf) -> Places:
    """Crops of a shelf that show a face with an index that can be seen."""
    return np.flatnonzero((shelf.classes >= 0) & (shelf.classes < len(DECK)) & shelf.shows.any(axis=1))


def _corners(shows: npt.NDArray[np.bool_], rng: np.random.Generator) -> list[int]:
    chosen: list[int] = rng.permutation(np.flatnonzero(shows))[:_SHOWN].tolist()
    without = np.flatnonzero(~shows)
    if len(without) and rng.random() < _COVERED:
        chosen.append(int(rng.choice(without)))
    return chosen


def _varied(view: Image, rng: np.random.Generator) -> Image:
    """The same index in another light, less sharp, with more noise, or as it is."""
    picture = view.astype(np.float32)
    if rng.random() < 0.5:
        picture = picture * np.exp(rng.normal(0, 0.12, 3)).astype(np.float32) + np.float32(rng.normal(0, 6))
    if rng.random() < 0.25:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.5)), np.float32)
    if rng.random() < 0.3:
        picture = picture + rng.normal(0, rng.uniform(1, 8), picture.shape).astype(np.float32)
    return np.clip(picture, 0, 255).astype(np.uint8)
