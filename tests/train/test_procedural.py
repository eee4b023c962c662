"""Drawn decks: endless, each the same every time, and readable."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from referee.cards import DECK, Card, Suit
from referee.train.decks.deck import Deck, Face
from referee.train.decks.lettering import ALPHABETS, Letters, can_write, font_choices
from referee.train.decks.pip_layouts import Layout, random_layouts
from referee.train.decks.pips import pip_mask, random_cut
from referee.train.decks.procedural import _Pen, procedural_deck
from referee.train.decks.procedural_style import DeckStyle, random_style

SEEDS = range(10)


@pytest.fixture(scope="module")
def decks(tmp_path_factory: pytest.TempPathFactory) -> list[Deck]:
    """Decks drawn without any fetched font."""
    nothing = tmp_path_factory.mktemp("no-art")
    return [procedural_deck(seed, nothing) for seed in SEEDS]


def styles(count: int) -> list[DeckStyle]:
    return [random_style(np.random.default_rng(seed), ()) for seed in range(count)]


def shade(face: Face) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    return face.image[..., :3].astype(np.int16)


def test_a_seed_is_the_same_deck_every_time(decks: list[Deck], tmp_path: Path) -> None:
    again = procedural_deck(3, tmp_path)
    assert again.source == decks[3].source
    for card in DECK:
        np.testing.assert_array_equal(again.faces[card].image, decks[3].faces[card].image)
        assert again.faces[card].indexes == decks[3].faces[card].indexes
    np.testing.assert_array_equal(again.back.image, decks[3].back.image)


def test_other_seeds_are_other_decks(decks: list[Deck]) -> None:
    assert len({deck.faces[Card("QD")].image.tobytes() for deck in decks}) == len(decks)
    assert len({deck.back.image.tobytes() for deck in decks}) == len(decks)


def test_the_52_faces_of_a_deck_and_its_back_all_differ(decks: list[Deck]) -> None:
    for deck in decks:
        pictures = {face.image.tobytes() for face in deck.faces.values()} | {deck.back.image.tobytes()}
        assert len(pictures) == 53, deck.name


def test_even_the_indices_of_a_deck_all_differ(decks: list[Deck]) -> None:
    for deck in decks:
        crops = set()
        for face in deck.faces.values():
            x1, y1, x2, y2 = (int(v) for v in face.indexes[0])
            ink = np.abs(shade(face)[y1:y2, x1:x2] - shade(face)[y1, x1]).max(axis=2) > 60
            crops.add(
                (ink.shape, ink.tobytes(), face.image[..., :3][y1:y2, x1:x2][ink].mean(axis=0).round(-1).tobytes())
            )
        assert len(crops) == 52, deck.name


def test_every_index_box_holds_ink_and_is_tight(decks: list[Deck]) -> None:
    for deck in decks:
        for card, face in deck.faces.items():
            for box in face.indexes:
                x1, y1, x2, y2 = (int(v) for v in box)
                part = shade(face)[y1:y2, x1:x2]
                around = shade(face)[max(0, y1 - 2), x1:x2].astype(float)
                ink = np.abs(part - np.median(around, axis=0)).max(axis=2) > 60
                assert ink.mean() > 0.08, (deck.name, card, box)
                # Rank and sign reach the box's edges, so each of its four borders has ink close by.
                for border in (ink[:3], ink[-3:], ink[:, :3], ink[:, -3:]):
                    assert border.any(), (deck.name, card, box)


def test_outside_the_rounded_corners_a_card_is_transparent(decks: list[Deck]) -> None:
    for deck in decks:
        alpha = deck.faces[Card("AS")].image[..., 3]
        assert alpha[0, 0] == alpha[-1, -1] == 0
        assert alpha[0, alpha.shape[1] // 2] == alpha[250, 0] == alpha[250, 150] == 255


def test_the_split_of_a_drawn_deck_follows_its_seed(decks: list[Deck]) -> None:
    assert {deck.split for deck in decks} == {"train", "val"}
    assert decks[7].split == "val"


def test_national_letters_stand_for_the_canonical_cards() -> None:
    found = {style.country: style for style in styles(300)}
    written = {country: [style.letter(Card(rank + "H")) for rank in "AKQJ"] for country, style in sorted(found.items())}
    assert written["se"] == ["E", "K", "D", "Kn"]
    assert written["pl"] == ["A", "K", "D", "W"]
    assert written["pt"] == ["A", "R", "D", "V"]
    assert written["fr"] == ["1", "R", "D", "V"]
    assert written["de"] == ["A", "K", "D", "B"]
    assert all(style.letter(Card("TH")) == "10" and style.letter(Card("7H")) == "7" for style in found.values())


def test_no_letter_means_two_cards() -> None:
    meaning: dict[str, str] = {}
    for alphabet in ALPHABETS.values():
        for rank, letter in alphabet.items():
            assert meaning.setdefault(letter, rank) == rank, letter


def test_decks_come_in_all_kinds() -> None:
    made = styles(400)
    assert {style.width_mm for style in made} == {57, 63}
    assert {style.index.corners for style in made} == {"one", "two", "four"}
    assert {style.numbers for style in made} == {"pips", "single", "numeral", "bare"}
    assert {style.court.kind for style in made} == {"figure", "crown", "letter", "sign"}
    assert sum(len(set(style.inks.values())) == 4 for style in made) > 40, "four-colour decks"
    assert sum(style.index.rank_height > 78 for style in made) > 20, "jumbo decks"
    assert sum(style.wear > 0.3 for style in made) > 20, "worn decks"
    assert sum(bool(style.frame) for style in made) > 40, "framed decks"


def test_a_font_without_a_letter_is_noticed() -> None:
    assert can_write("builtin", ["A", "10"])
    assert not can_write("builtin", ["Д"])
    assert not can_write("stroke-0", ["Д"])


@pytest.mark.parametrize("font", font_choices(()))
def test_letters_are_crisp_at_index_size(font: str) -> None:
    for text in ("A", "8", "10", "Q", "Kn"):
        mask = Letters(font, 0.13, 1.0, True).mask(text, 50)
        assert mask.shape[0] == 50
        assert mask.max() == 255
        # Sharp edges: few pixels are neither ink nor paper.
        assert ((mask > 40) & (mask < 215)).mean() < 0.35, text


def test_suit_signs_fill_their_height_and_cannot_be_confused() -> None:
    for seed in range(12):
        cut = random_cut(np.random.default_rng(seed))
        masks = {suit: pip_mask(suit, 60, cut) for suit in Suit}
        for suit, mask in masks.items():
            assert mask.shape[0] == 60
            assert mask[:2].any(), suit
            assert mask[-2:].any(), suit
            # Mirror symmetric, within the grid of pixels.
            assert np.abs(mask.astype(int) - mask[:, ::-1]).mean() < 6, suit
        top = {suit: np.count_nonzero(mask[3] > 127) for suit, mask in masks.items()}
        assert top[Suit.HEARTS] > top[Suit.CLUBS] > top[Suit.SPADES]


def test_a_number_card_bears_as_many_signs_as_its_rank_however_they_are_laid_out() -> None:
    seen: dict[int, set[Layout]] = {}
    for seed in range(200):
        for rank, layout in random_layouts(np.random.default_rng(seed)).items():
            assert len(set(layout)) == len(layout) == rank
            assert all(column in (0, 1, 2) and 0 <= row <= 1 for column, row in layout)
            seen.setdefault(rank, set()).add(layout)
    assert sorted(seen) == list(range(1, 11))
    assert {rank for rank, layouts in seen.items() if len(layouts) > 1} == {7, 8, 9, 10}


def test_an_adorned_ace_differs_from_a_plain_one_in_its_middle_only() -> None:
    style = replace(next(style for style in styles(40) if style.index.rank_height < 60), numbers="pips", gloss=0.0)
    ace = next(card for card in DECK if card.text == "AS")
    plain, adorned = (
        _Pen(replace(style, ornate=whose)).face(ace, None, np.random.default_rng(0)) for whose in ("none", Suit.SPADES)
    )
    changed = (plain.image != adorned.image).any(axis=2)
    assert changed.any()
    assert plain.indexes == adorned.indexes
    for x1, y1, x2, y2 in plain.indexes:
        assert not changed[int(y1) : int(y2), int(x1) : int(x2)].any()
