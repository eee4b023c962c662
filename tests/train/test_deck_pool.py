"""A pool of decks names them all and loads them one at a time."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from referee.errors import UserError
from referee.train.deck_pool import DeckPool, art_pool, pool_of
from referee.train.splits import seed_split
from tests.train.toys import toy_deck


def test_a_pool_of_decks_in_memory_survives_pickling() -> None:
    pool = pickle.loads(pickle.dumps(pool_of([toy_deck()])))
    assert pool.names == ("toy",)
    assert pool.load("toy").name == "toy"


def test_drawn_decks_need_no_fetched_art(tmp_path: Path) -> None:
    pytest.importorskip("PIL", reason="drawn decks need Pillow: pip install 'spit-referee[train]'")
    pool = pickle.loads(pickle.dumps(art_pool("val", tmp_path, drawn=3)))
    assert len(pool.names) == 3
    deck = pool.load(pool.names[1])
    assert deck.name == pool.names[1]
    assert deck.split == "val"
    assert all(seed_split(int(name.removeprefix("drawn-"))) == "val" for name in pool.names)


def test_a_pool_without_decks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="referee train art"):
        art_pool("train", tmp_path, drawn=0)
    with pytest.raises(ValueError, match="at least one deck"):
        DeckPool((), lambda _name: toy_deck())
