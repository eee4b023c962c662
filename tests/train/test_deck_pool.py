"""A pool of decks names them all and loads them one at a time."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from referee.errors import UserError
from referee.train.decks import deck_pool
from referee.train.decks.deck_pool import DeckPool, art_pool, pool_of
from referee.train.decks.splits import seed_split
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


def test_decks_that_were_printed_are_drawn_about_half_as_often_as_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deck_pool, "stored_decks", lambda _cache: ["anglo", "tango_nuevo", "anglo_bitmap"])
    monkeypatch.setattr(deck_pool, "family_split", lambda _family: "train")
    names = art_pool("train", tmp_path, drawn=60).names
    assert [names.count(name) for name in ("anglo", "tango_nuevo", "anglo_bitmap")] == [10, 10, 10]
    assert sum(name.startswith("drawn-") for name in names) == 60
    assert set(art_pool("train", tmp_path, drawn=0).names) == {"anglo", "tango_nuevo", "anglo_bitmap"}
