"""Many decks of which few are in memory at a time: a deck takes 38 MB, and hundreds are wanted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Final

from referee.errors import UserError
from referee.train.decks.art import deck as fetched_deck
from referee.train.decks.art import fonts, stored_decks
from referee.train.decks.deck import Deck, Split
from referee.train.decks.procedural import country_of, procedural_deck
from referee.train.decks.relettered import relettered_deck
from referee.train.decks.sources import deck_sources
from referee.train.decks.splits import family_split, nth_seed

_FETCHED: Final = 0.5
"""Weight of all fetched decks beside that of the drawn ones."""


@dataclass(frozen=True, slots=True)
class DeckPool:
    """Decks by name, loaded or drawn when they are needed. Can be pickled if ``load`` can.

    Attributes:
        names: the decks' names, in a fixed order; one that stands there twice is drawn twice as often.
        load: gives the deck of a name.
    """

    names: tuple[str, ...]
    load: Callable[[str], Deck]

    def __post_init__(self) -> None:
        if not self.names:
            raise ValueError("a pool needs at least one deck")


def pool_of(decks: Sequence[Deck]) -> DeckPool:
    """A pool of decks that are in memory already."""
    by_name = {deck.name: deck for deck in decks}
    return DeckPool(tuple(by_name), by_name.__getitem__)


def art_pool(split: Split, cache: Path, drawn: int) -> DeckPool:
    """The fetched decks of ``split`` that are ready in ``cache``, and the first ``drawn`` drawn decks of that split.

    Raises:
        UserError: there are none at all.
    """
    sources = deck_sources()
    names = [name for name in stored_decks(cache) if family_split(sources[name].family) == split]
    # Cards that were printed and sold look more like those on a table than what we draw.
    names *= max(1, round(_FETCHED * drawn / max(1, len(names))))
    names += [f"drawn-{nth_seed(split, number)}" for number in range(drawn)]
    if not names:
        raise UserError(f"there are no {split} decks in {cache}: run 'referee train art', or ask for drawn decks")
    return DeckPool(tuple(names), partial(_load, cache))


def lettered_pool(split: Split, cache: Path, countries: Collection[str], drawn: int) -> DeckPool:
    """The first ``drawn`` drawn decks of ``split`` that have the letters of one of ``countries``."""
    names = (f"drawn-{nth_seed(split, number)}" for number in count())
    theirs = (name for name in names if letters_of(name, cache) in countries)
    return DeckPool(tuple(islice(theirs, drawn)), partial(_load, cache))


def relettered_pool(split: Split, cache: Path, each: int) -> DeckPool:
    """The fetched decks of ``split`` with other indexes, ``each`` of them in as many ways.

    Raises:
        UserError: there are none.
    """
    sources = deck_sources()
    names = [name for name in stored_decks(cache) if family_split(sources[name].family) == split]
    if not names:
        raise UserError(f"there are no {split} decks in {cache}: run 'referee train art'")
    return DeckPool(tuple(f"{name}+{way}" for way in range(each) for name in names), partial(_load, cache))


def letters_of(name: str, cache: Path) -> str:
    """Whose letters a deck of a pool has; English is supposed of all that are fetched."""
    seed = _seed(name)
    return "en" if seed is None else country_of(seed, cache)


def _load(cache: Path, name: str) -> Deck:
    name, _, way = name.partition("+")
    if way:
        return relettered_deck(fetched_deck(name, cache), int(way), fonts(cache))
    seed = _seed(name)
    return fetched_deck(name, cache) if seed is None else procedural_deck(seed, cache)


def _seed(name: str) -> int | None:
    """The seed in the name of a drawn deck."""
    start, _, seed = name.partition("-")
    return int(seed) if start == "drawn" and seed.isdecimal() else None
