"""What training is fed with: of drawn crops, more of what is hard to learn than chance would put in a batch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from referee.cards import DECK
from referee.train.drawing.cropstore import WORDS, open_store
from referee.train.shelves import Portion, Shelf, drawn_shelf

_ANY: Final = 0.45
_PLAIN: Final = 0.37
"""Cards that lie upright and show: letters are learnt on them, and found elsewhere afterwards."""

_ONE_INDEX: Final = 0.12
_LETTERS: Final = 0.06
"""Aces and courts of decks that do not write them as English ones do."""

_MOST: Final = 0.7
_ACE, _JACK, _QUEEN, _KING = 0, 10, 11, 12


def drawn_portions(folder: Path, share: float, country: Callable[[str], str]) -> list[Portion]:
    """The drawn crops of a store in portions that together weigh ``share``.

    Args:
        folder: a store, see `referee.train.drawing.cropstore`.
        share: weight of all of them.
        country: whose letters a deck has, by the deck's name; see `referee.train.decks.lettering.ALPHABETS`.
    """
    store, shelf = open_store(folder), drawn_shelf(folder)
    labels = store.labels[: store.drawn]
    countries = np.array([country(deck) for deck in store.decks])[labels["deck"]]
    rank, indexes = labels["card"] % 13, labels["corners"].sum(axis=1)
    face = (labels["state"] == WORDS["state"].index("card")) & (labels["card"] < len(DECK))
    chosen = (
        (_PLAIN, face & labels["upright"] & (indexes > 1) & (labels["share"] > _MOST)),
        (_ONE_INDEX, face & (indexes == 1)),
        (_LETTERS, face & (indexes > 0) & (countries != "en") & np.isin(rank, (_ACE, _JACK, _QUEEN, _KING))),
    )
    portions = [Portion(shelf, share * weight, np.flatnonzero(which)) for weight, which in chosen]
    return [Portion(shelf, share * _ANY), *(portion for portion in portions if len(portion))]


def relettered_portions(shelf: Shelf, share: float) -> list[Portion]:
    """Crops of relettered decks that together weigh ``share``: half of it aces and courts, whose pictures mislead."""
    letters = np.flatnonzero((shelf.classes < len(DECK)) & np.isin(shelf.classes % 13, (_ACE, _JACK, _QUEEN, _KING)))
    if not len(letters):
        return [Portion(shelf, share)]
    return [Portion(shelf, share / 2), Portion(shelf, share / 2, letters)]
