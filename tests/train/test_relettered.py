"""Decks with other indexes: real pictures beside letters that they never came with."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from referee.cards import DECK, Card
from referee.errors import UserError
from referee.train.decks import deck_pool
from referee.train.decks.deck import Face
from referee.train.decks.deck_pool import relettered_pool
from referee.train.decks.relettered import relettered_deck
from tests.train.toys import toy_deck

pytest.importorskip("PIL", reason="letters need Pillow: pip install 'spit-referee[train]'")


def _middle(card: Card, faces: Mapping[Card, Face]) -> bytes:
    return faces[card].image[140:360, 120:240].tobytes()


def test_courts_change_their_pictures_within_their_suit_and_nothing_else_does() -> None:
    deck = toy_deck()
    changed = False
    for seed in range(4):
        other = relettered_deck(deck, seed, [])
        for card in DECK:
            same = _middle(card, other.faces) == _middle(card, deck.faces)
            if card.rank <= 10:
                assert same, card
            elif not same:
                changed = True
                lenders = [c for c in DECK if _middle(c, deck.faces) == _middle(card, other.faces)]
                assert [(c.suit, c.rank > 10) for c in lenders] == [(card.suit, True)]
    assert changed


def test_each_index_is_new_and_its_box_holds_all_its_ink() -> None:
    deck = toy_deck()
    for seed in range(6):
        other = relettered_deck(deck, seed, [])
        for card in (DECK[6], DECK[10], DECK[-1]):
            face = other.faces[card]
            assert len(face.indexes) in (2, 4)
            image = face.image[..., :3].astype(int)
            for x1, y1, x2, y2 in face.indexes:
                inside = np.abs(image[round(y1) : round(y2), round(x1) : round(x2)] - 250).max(axis=2) > 60
                assert inside.mean() > 0.1
                rim = (
                    image[round(y1) - 2, round(x1) : round(x2)]
                    if y1 > 2
                    else image[round(y2) + 1, round(x1) : round(x2)]
                )
                assert (np.abs(rim - 250) < 60).all()
    assert {len(relettered_deck(deck, seed, []).faces[DECK[0]].indexes) for seed in range(12)} == {2, 4}


def test_a_relettered_deck_is_the_same_again_and_stays_in_its_family_and_split() -> None:
    deck = toy_deck()
    first, second = relettered_deck(deck, 5, []), relettered_deck(deck, 5, [])
    assert (first.name, first.family, first.split, first.licence) == ("toy+5", deck.family, deck.split, deck.licence)
    assert all((first.faces[card].image == second.faces[card].image).all() for card in DECK)


def test_the_pool_has_every_fetched_deck_of_its_split_in_each_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deck_pool, "stored_decks", lambda _cache: ["anglo", "bellot"])
    monkeypatch.setattr(deck_pool, "fetched_deck", lambda _name, _cache: toy_deck())
    pool = relettered_pool("train", tmp_path, 2)
    assert pool.names == ("anglo+0", "anglo+1")
    assert pool.load("anglo+1").name == "toy+1"
    monkeypatch.setattr(deck_pool, "stored_decks", lambda _cache: [])
    with pytest.raises(UserError, match="referee train art"):
        relettered_pool("train", tmp_path, 2)
