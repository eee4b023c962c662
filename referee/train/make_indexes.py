"""The second network from crops to the file that ships: what it learns from, the run, and the export."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from referee.cards import DECK
from referee.train.export import MEANS
from referee.train.index_batches import Located, Places, Views, draw_views, drawn_poses, faces_of
from referee.train.index_learning import IndexRecipe, export_indexes, learn_indexes, share_read
from referee.train.learning import Progress
from referee.train.shelves import Shelf
from referee.vision.engine import OnnxEngine, as_input
from referee.vision.indexes import card_heights
from referee.vision.opinion import opinions

MODEL: Final = "indexes.onnx"

_LETTERS: Final = (0, 10, 11, 12)
"""Aces and courts: their places in a suit."""

_KINDS: Final = (0.5, 0.3, 0.2)
"""Shares of all cards, of those that show one index, and of aces and courts, of drawn crops."""

_ASKED: Final = 2000
"""Drawn validation cards whose indexes are read at the end."""


def make_indexes(
    reader: Path,
    recipe: IndexRecipe,
    drawn: Sequence[tuple[Shelf, float]],
    photographed: Sequence[tuple[Shelf, float]],
    validation: Shelf,
    folder: Path,
    *,
    device: str = "cpu",
    learning: Callable[[Progress], None] = lambda _progress: None,
) -> Path:
    """Train the network that reads indexes, and write ``indexes.onnx`` beside the exported ``reader``.

    Args:
        reader: the first network, which finds where photographed cards lie.
        recipe: how to train.
        drawn: shelves of drawn crops, with their weights.
        photographed: shelves of photographs, with their weights.
        validation: drawn crops of decks that are not learnt from.
        folder: where the run lives.
        device: torch's name of where to compute.
        learning: told how far training is.

    Raises:
        UserError: see `learn_indexes`.
    """
    located = [part for shelf, share in drawn for part in _drawn(shelf, share)]
    for shelf, share in photographed:
        places = np.flatnonzero((shelf.classes >= 0) & (shelf.classes < len(DECK)))
        if len(places):
            located.append(Located(shelf, found_poses(reader, shelf, places), places, share, labelled=False))
    asked = _asked(validation)
    network = learn_indexes(
        folder, recipe, located, lambda now: share_read(now, asked), device=device, progress=learning
    )
    return export_indexes(network, reader.with_name(MODEL))


def found_poses(reader: Path, shelf: Shelf, places: Places) -> npt.NDArray[np.float64]:
    """Where the cards in the crops at ``places`` lie as the exported ``reader`` finds them; see ``Located``."""
    engine = OnnxEngine(reader)
    poses = np.full((len(shelf), 4), np.nan)
    for place in places.tolist():
        crop = np.asarray(shelf.images[place])
        _, boxes, angles = opinions(engine.run(as_input([crop])), [crop], MEANS)
        (left, top, right, bottom), height = boxes[0], card_heights(boxes, angles)[0]
        poses[place] = ((left + right) / 2, (top + bottom) / 2, angles[0], height)
    return poses


def _drawn(shelf: Shelf, share: float) -> list[Located]:
    """More of what is hard to read than chance would give."""
    poses, faces = drawn_poses(shelf.quads), faces_of(shelf)
    one = faces[shelf.shows[faces].sum(axis=1) == 1]
    letters = faces[np.isin(shelf.classes[faces] % 13, _LETTERS)]
    kinds = zip((faces, one, letters), _KINDS, strict=True)
    return [Located(shelf, poses, places, share * weight) for places, weight in kinds if len(places)]


def _asked(shelf: Shelf) -> Views:
    """Indexes of drawn cards as they may be cut out at play."""
    faces = faces_of(shelf)
    cards = Located(shelf, drawn_poses(shelf.quads), faces, 1.0)
    rng = np.random.default_rng(0)
    chosen = rng.permutation(len(faces))[:_ASKED].tolist()
    return draw_views([cards], [(0, number) for number in chosen], rng)
