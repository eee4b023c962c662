"""Cards: interned, unchangeable, and refused with a sentence where there is no such card."""

from __future__ import annotations

import copy
import pickle

import pytest

from referee.cards import DECK, FULL_DECK, RANKS, SUITS, UNKNOWN, Card, Suit, card_set


def test_there_is_one_object_a_card() -> None:
    card = Card("7C")
    assert card is Card("7C")
    assert copy.deepcopy(card) is card
    assert pickle.loads(pickle.dumps(card)) is card
    assert pickle.loads(pickle.dumps(UNKNOWN)) is UNKNOWN


def test_the_deck_has_every_rank_of_every_suit_once() -> None:
    assert [card.text for card in DECK] == [rank + suit for suit in SUITS for rank in RANKS]
    assert [card.code for card in DECK] == list(range(52))
    assert len({card.bit for card in DECK}) == 52
    assert sum(card.bit for card in DECK) == FULL_DECK


def test_a_card_knows_its_rank_suit_and_colour() -> None:
    assert (Card("AS").rank, Card("KD").rank, Card("TD").rank) == (1, 13, 10)
    assert [suit.red for suit in Suit] == [False, True, True, False]
    assert Card("7H").red
    assert not Card("7S").red
    assert (UNKNOWN.known, UNKNOWN.red, UNKNOWN.rank, UNKNOWN.bit) == (False, False, 0, 0)


def test_cards_are_shown_as_people_write_them() -> None:
    assert [Card(text).symbol for text in ("TD", "AS", "7H", "QC", "??")] == ["10♦", "A♠", "7♥", "Q♣", "?"]
    assert (repr(Card("7C")), str(Card("7C"))) == ("Card('7C')", "7C")


@pytest.mark.parametrize("text", ["", "7", "C7", "1C", "10C", "7c", "7X", "7CC", "JOKER"])
def test_what_is_no_card_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="write a rank of A23456789TJQK and a suit of CDHS"):
        Card(text)


def test_a_card_cannot_be_changed() -> None:
    card = Card("7C")
    with pytest.raises(AttributeError, match="cards cannot be changed"):
        card.rank = 8
    with pytest.raises(AttributeError, match="cards cannot be changed"):
        del card.suit
    assert Card("7C").rank == 7


def test_a_set_of_cards_is_told_in_deck_order() -> None:
    assert card_set(Card("AS").bit | Card("2C").bit) == (Card("2C"), Card("AS"))
    assert card_set(FULL_DECK) == DECK
