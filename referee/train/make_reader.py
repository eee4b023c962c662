"""From art to the reader that ships: art, crops, training, export and calibration, each taken up where it stopped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np

from referee.train.decks.art import prepare, surfaces
from referee.train.decks.deck import Split
from referee.train.decks.deck_pool import art_pool, lettered_pool, letters_of, relettered_pool
from referee.train.diet import drawn_portions, relettered_portions
from referee.train.drawing.arrange import CropSpec
from referee.train.drawing.cropstore import fill_store
from referee.train.drawing.surfaces import table_photos
from referee.train.export import describe, export, fit, gathered
from referee.train.index_learning import IndexRecipe
from referee.train.learning import Progress, Recipe, learn
from referee.train.make_indexes import make_indexes
from referee.train.photos import photo_crops, write_photo_crops
from referee.train.shelves import Portion, Shelf, drawn_shelf, photo_shelf
from referee.train.validation import Validation
from referee.vision.rectify import CROP_PX

_STORES: Final[dict[str, tuple[Split, int]]] = {
    "train": ("train", 101),
    "bare": ("train", 103),
    "jacks": ("train", 104),
    "relettered": ("train", 105),
    "val": ("val", 7),
}
"""Stores of drawn crops: whose decks, and the seed."""

_PHOTO_SEED: Final = 5
_VALIDATED_DECKS: Final = 14
_GERMAN_DECKS: Final = 100
_WAYS: Final = 48
"""How many other sets of indexes each fetched deck gets."""

_PER_CARD: Final = 12
_BY_EYE: Final = 1500
"""Drawn validation crops looked at during training; all are at the end."""

_SAME_DECK: Final = "roboflow_poker_cards"
"""Its validation pictures show the deck of its training pictures, so they decide nothing."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to train on and how.

    Attributes:
        recipe: how to train.
        crops: drawn crops to learn from.
        validation: drawn crops to validate on.
        drawn_decks: drawn decks beside the fetched ones, for training.
        size: side of a crop, px.
        photo_share: share of every batch that shows photographs, where there are some.
        bare: drawn crops that are mostly of backs and bare tables, many of these with places for cards printed on them.
        bare_share: share of every batch that shows those.
        jacks: drawn crops of jacks with the German B, whom only that letter tells from other decks' queens and kings.
        jack_share: share of every batch that shows those.
        relettered: drawn crops of fetched decks with other indexes and exchanged courts.
        relettered_share: share of every batch that shows those.
        indexes: how to train the second network, which reads corner indexes.
    """

    recipe: Recipe = field(default_factory=Recipe)
    crops: int = 245_760
    validation: int = 14_336
    drawn_decks: int = 4_400
    size: int = CROP_PX
    photo_share: float = 0.15
    bare: int = 20_480
    bare_share: float = 0.12
    jacks: int = 4_096
    jack_share: float = 0.04
    relettered: int = 40_960
    relettered_share: float = 0.3
    indexes: IndexRecipe = field(default_factory=IndexRecipe)


def make_reader(
    plan: Plan,
    cache: Path,
    folder: Path,
    out: Path,
    photos: Path | None = None,
    *,
    start: Path | None = None,
    device: str = "cpu",
    workers: int = 1,
    say: Callable[[str], None] = lambda _line: None,
    progress: Callable[[str, int, int], None] = lambda _what, _done, _all: None,
    learning: Callable[[Progress], None] = lambda _progress: None,
) -> Path:
    """Train a reader and write its model and description to ``out``.

    Args:
        plan: what on and how.
        cache: where the art is kept; what is missing is fetched.
        folder: where crops and checkpoints are kept between calls.
        out: where ``reader.onnx`` and ``reader.json`` go.
        photos: folder with ``train`` and ``val`` photographs, as `referee.train.photos` reads them.
        start: weights of the same network to start from, such as those that were shipped before.
        device: torch's name of where to compute.
        workers: processes that draw crops.
        say: told what is being done.
        progress: told how far a step is: its name, how many are done, of how many.
        learning: told how far training is.

    Returns:
        The description, ``reader.json``.

    Raises:
        UserError: something that is needed is not installed, cannot be fetched, or does not fit on the disk.
    """
    say("art")
    prepare(cache, [], say)
    stores = {name: _drawn(plan, name, cache, folder, workers, progress) for name in _STORES}
    apart = plan.bare_share + plan.jack_share + plan.relettered_share
    faces = 1 - apart - (0 if photos is None else plan.photo_share)
    jacks, relettered = drawn_shelf(stores["jacks"]), drawn_shelf(stores["relettered"])
    taught = [
        *drawn_portions(stores["train"], faces, lambda deck: letters_of(deck, cache)),
        Portion(drawn_shelf(stores["bare"]), plan.bare_share),
        Portion(jacks, plan.jack_share),
        *relettered_portions(relettered, plan.relettered_share),
    ]
    validated: list[Shelf] = []
    seen: list[Shelf] = []
    if photos is not None:
        seen = [_photographed(plan, source, folder, _PER_CARD, say) for source in _sources(photos / "train")]
        taught += [Portion(shelf, plan.photo_share / len(seen)) for shelf in seen]
        asked = [source for source in _sources(photos / "val") if source.name != _SAME_DECK]
        validated = [_photographed(plan, source, folder, None, say) for source in asked]
    say("training")
    drawn = drawn_shelf(stores["val"])
    some = np.sort(np.random.default_rng(0).permutation(len(drawn))[:_BY_EYE])
    best = learn(
        folder / f"run-{plan.recipe.network}-{plan.size}",
        plan.recipe,
        taught,
        Validation(drawn, some, validated, device),
        start=start,
        device=device,
        progress=learning,
    )
    say("export")
    model = export(best, plan.size, out)
    say("training the second network")
    second = make_indexes(
        model,
        plan.indexes,
        [(drawn_shelf(stores["train"]), faces), (jacks, plan.jack_share), (relettered, plan.relettered_share)],
        [(shelf, plan.photo_share / len(seen)) for shelf in seen],
        drawn,
        folder / f"run-indexes-{plan.size}",
        device=device,
        learning=learning,
    )
    say("calibration")
    half = [place for place in range(len(drawn)) if place // 512 % 2 == 0] or list(range(len(drawn)))
    evidence, classes = gathered(
        model,
        drawn,
        half,
        lambda done, count: progress("calibration", done, count),
        index_model=second,
    )
    if validated:
        shown = [gathered(model, shelf, range(len(shelf)), index_model=second) for shelf in validated]
        # Real pictures count as much as drawn ones, of which there are many times more.
        times = max(1, len(half) // sum(len(shelf) for shelf in validated))
        evidence = np.concatenate([evidence, *(logits for logits, _ in shown * times)])
        classes = np.concatenate([classes, *(labels for _, labels in shown * times)])
    return describe(model, plan.size, fit(evidence, classes), {"network": plan.recipe.network}, second)


def _drawn(
    plan: Plan, name: str, cache: Path, folder: Path, workers: int, progress: Callable[[str, int, int], None]
) -> Path:
    """The store ``name``, drawn where it is not yet."""
    split, seed = _STORES[name]
    counts = {"train": plan.crops, "bare": plan.bare, "jacks": plan.jacks, "relettered": plan.relettered}
    spec = CropSpec(size=plan.size)
    if name == "bare":
        spec = replace(spec, states=(0.12, 0.38, 0.5), hands=0.2, printed=0.6)
    pool = art_pool(split, cache, _VALIDATED_DECKS if split == "val" else plan.drawn_decks)
    if name == "jacks":
        spec = replace(spec, states=(1, 0, 0), ranks=(11,))
        pool = lettered_pool(split, cache, {"de"}, _GERMAN_DECKS)
    if name == "relettered":
        spec = replace(spec, states=(0.94, 0.03, 0.03))
        pool = relettered_pool(split, cache, _WAYS)
    place = folder / f"{name}-{plan.size}"
    fill_store(
        place,
        seed,
        counts.get(name, plan.validation),
        pool,
        spec,
        workers=workers,
        photos=table_photos(surfaces(split, cache)),
        progress=lambda done, count: progress(f"{name} crops", done, count),
    )
    return place


def _sources(folder: Path) -> list[Path]:
    return sorted(labels.parent for labels in folder.glob("*/labels.csv"))


def _photographed(plan: Plan, source: Path, folder: Path, per_card: int | None, say: Callable[[str], None]) -> Shelf:
    """Crops of the photographs of ``source``: some of each card to learn from, or one of each to measure on."""
    place = folder / f"photos-{source.parent.name}-{plan.size}" / source.name
    # The labels are written last, so a folder without them is begun again.
    if not (place / "box.npy").exists():
        say(f"photographs of {source.name}")
        rng = None if per_card is None else np.random.default_rng(_PHOTO_SEED)
        write_photo_crops(photo_crops(source, rng, per_card or 1), place, source.name, plan.size)
    return photo_shelf(place)
