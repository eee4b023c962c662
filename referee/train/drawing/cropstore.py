"""Crops on disk, for training to read again and again.

A store is a directory of three files:

- ``crops.npy``: uint8 array (N, S, S, 3), BGR, to be memory-mapped;
- ``labels.npy``: structured array (N,) of ``LABEL``, to be memory-mapped;
- ``store.json``: what the crops were drawn from, and the words that the codes in the labels stand for.

A row whose ``state`` is ``PENDING`` is not drawn yet, so a store that was interrupted can be continued.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from referee.errors import UserError
from referee.train.decks.deck_pool import DeckPool
from referee.train.drawing.arrange import CropSpec
from referee.train.drawing.crops import Crop, generate
from referee.train.drawing.light import NAMES as LIGHTS
from referee.train.drawing.sensor import CODECS

Image: TypeAlias = npt.NDArray[np.uint8]
Labels: TypeAlias = npt.NDArray[np.void]

VERSION: Final = 3
"""Raised whenever the same description would give other crops or another layout."""

_REPORT_EVERY: Final = 64

PENDING: Final = 255
"""State of a crop that is not drawn yet."""

LABEL: Final = np.dtype(
    [
        ("state", np.uint8),
        ("card", np.uint8),
        ("box", np.float32, 4),
        ("quad", np.float32, (4, 2)),
        ("share", np.float32),
        ("corners", np.bool_, 4),
        ("deck", np.uint16),
        ("surface", np.uint8),
        ("source", np.uint16),
        ("px_per_mm", np.float32),
        ("tilt", np.float32),
        ("light", np.uint8),
        ("exposure", np.float32),
        ("hand", np.uint8),
        ("motion", np.uint8),
        ("upright", np.bool_),
        ("pile", np.uint8),
        ("glare", np.bool_),
        ("blur", np.float32),
        ("smear", np.float32),
        ("noise", np.float32),
        ("codec", np.uint8),
    ]
)
"""A crop's label and conditions, as ``Crop`` and ``Conditions`` describe them.

``state``, ``deck``, ``surface``, ``light``, ``hand``, ``motion`` and ``codec`` are places in the lists of
``store.json``; ``card`` is ``Card.code``, 52 where no face shows.
"""

WORDS: Final[dict[str, tuple[str, ...]]] = {
    "state": ("card", "back", "empty"),
    "surface": ("wood", "planks", "felt", "cloth", "printed", "plastic", "stone", "white", "photo", "mat"),
    "light": LIGHTS,
    "hand": ("none", "holding", "over"),
    "motion": ("rest", "sliding", "lifted", "turning"),
    "codec": CODECS,
}
"""What the codes in the labels stand for."""


@dataclass(frozen=True, slots=True, eq=False)
class CropStore:
    """A store, opened.

    Attributes:
        crops: uint8 array (N, S, S, 3), BGR, memory-mapped.
        labels: structured array (N,) of ``LABEL``, memory-mapped.
        decks: names of the decks.
    """

    crops: Image
    labels: Labels
    decks: tuple[str, ...]

    @property
    def drawn(self) -> int:
        """How many crops are drawn."""
        return int(np.count_nonzero(self.labels["state"] != PENDING))


def open_store(folder: Path) -> CropStore:
    """The store in ``folder``, to be read; a UserError if there is none."""
    described = _description(folder)
    if described is None:
        raise UserError(f"there are no crops in {folder}: draw some first")
    crops = np.load(folder / "crops.npy", mmap_mode="r")
    labels = np.load(folder / "labels.npy", mmap_mode="r")
    return CropStore(crops, labels, tuple(described["decks"]))


def fill_store(
    folder: Path,
    seed: int,
    count: int,
    decks: DeckPool,
    spec: CropSpec | None = None,
    *,
    workers: int = 1,
    photos: Sequence[Image] = (),
    progress: Callable[[int, int], None] = lambda _done, _count: None,
) -> CropStore:
    """Draw crops 0 to ``count - 1`` of ``seed`` into ``folder``, or draw those that an earlier call did not come to.

    Args:
        folder: where; it is made if need be.
        progress: called with the number of crops drawn so far and ``count``.

    Raises:
        UserError: the folder holds crops that were drawn from something else, or there is no room for these.
    """
    spec = spec or CropSpec()
    wanted = json.loads(
        json.dumps(
            {
                "version": VERSION,
                "seed": seed,
                "count": count,
                "spec": asdict(spec),
                "decks": decks.names,
                "photos": len(photos),
                "words": WORDS,
            }
        )
    )
    found = _description(folder)
    if found is None:
        _make(folder, count, spec.size)
        (folder / "store.json").write_text(json.dumps(wanted, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    elif found != wanted:
        differs = ", ".join(key for key in wanted if found.get(key) != wanted[key])
        raise UserError(f"{folder} holds crops of another {differs}: choose another folder, or delete this one")
    crops = np.load(folder / "crops.npy", mmap_mode="r+")
    labels = np.load(folder / "labels.npy", mmap_mode="r+")
    deck_numbers = {name: number for number, name in enumerate(decks.names)}
    done = int(np.count_nonzero(labels["state"] != PENDING))
    progress(done, count)
    for first, stop in _missing(labels["state"]):
        drawn = generate(seed, stop - first, decks, spec, workers=workers, first=first, photos=photos)
        for number, crop in enumerate(drawn, first):
            # The label comes last: a crop without one is drawn again.
            crops[number] = crop.image
            labels[number] = _label(crop, deck_numbers)
            done += 1
            if done % _REPORT_EVERY == 0 or done == count:
                progress(done, count)
    crops.flush()
    labels.flush()
    return open_store(folder)


def _description(folder: Path) -> dict[str, Any] | None:
    try:
        text = (folder / "store.json").read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    try:
        described = json.loads(text)
        if isinstance(described, dict):
            return described
    except ValueError:
        pass
    raise UserError(f"{folder / 'store.json'} cannot be read: delete {folder} and draw its crops again")


def _make(folder: Path, count: int, size: int) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        np.lib.format.open_memmap(folder / "crops.npy", "w+", np.dtype(np.uint8), (count, size, size, 3))
        labels = np.lib.format.open_memmap(folder / "labels.npy", "w+", LABEL, (count,))
    except OSError as error:
        gigabytes = count * size * size * 3 / 1e9
        raise UserError(f"cannot keep {gigabytes:.1f} GB of crops in {folder}: {error.strerror}") from None
    labels["state"] = PENDING
    labels.flush()


def _missing(state: npt.NDArray[np.uint8]) -> list[tuple[int, int]]:
    """Runs of crops that are not drawn yet."""
    pending = np.concatenate([[False], state == PENDING, [False]])
    edges = np.flatnonzero(pending[1:] != pending[:-1])
    return [(int(first), int(stop)) for first, stop in edges.reshape(-1, 2)]


def _label(crop: Crop, decks: dict[str, int]) -> Labels:
    label = np.zeros((), LABEL)
    label["card"] = crop.card.code if crop.card else 52
    for name in ("box", "quad", "share", "corners"):
        label[name] = getattr(crop, name)
    conditions = asdict(crop.conditions)
    label["deck"] = decks[conditions.pop("deck")]
    for name, value in {"state": crop.state, **conditions}.items():
        label[name] = WORDS[name].index(value) if name in WORDS else value
    return label
