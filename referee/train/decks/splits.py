"""Which decks, seeds and surfaces are trained on and which are kept back; the answer stands in ``splits.toml``."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib import resources
from typing import Any

from referee.train.decks.deck import Split


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    return tomllib.loads(resources.files("referee.train.decks").joinpath("splits.toml").read_text(encoding="utf-8"))


def families(split: Split) -> tuple[str, ...]:
    """The deck families of ``split``."""
    return tuple(_table()["decks"][split])


def family_split(family: str) -> Split:
    """The split of a deck family; a ValueError if it has none or two."""
    found: list[Split] = [split for split in ("train", "val") if family in _table()["decks"][split]]
    if len(found) != 1:
        raise ValueError(f"deck family {family!r} must stand in exactly one list of splits.toml, not in {len(found)}")
    return found[0]


def seed_split(seed: int) -> Split:
    """The split of the drawn deck with ``seed``."""
    drawn = _table()["drawn"]
    return "val" if seed % drawn["modulus"] == drawn["val_remainder"] else "train"


def nth_seed(split: Split, number: int) -> int:
    """The seed of drawn deck ``number`` (from 0) of ``split``: each number has its own seed."""
    modulus, kept_back = _table()["drawn"]["modulus"], _table()["drawn"]["val_remainder"]
    if split == "val":
        return int(number * modulus + kept_back)
    block, place = divmod(number, modulus - 1)
    return int(block * modulus + place + (place >= kept_back))


def surface_names(split: Split) -> frozenset[str]:
    """File names, without ending, of the table surfaces of ``split``."""
    return frozenset(_table()["surfaces"][split])
