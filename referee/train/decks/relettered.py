"""Fetched decks with other indexes printed on them, and court pictures that change their rank.

Whoever learns from the decks that there are learns that a lady is a queen. Elsewhere the lady is a D, and the bearded
man beside a B is a jack: only the letter tells. Here real pictures stand beside every letter, so that nothing else can.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from referee.cards import DECK, Card, Suit
from referee.train.decks.deck import FACE_HEIGHT, Box, Deck, Face, Image
from referee.train.decks.ink import Colour, stamp, turned
from referee.train.decks.lettering import ALPHABETS, Letters
from referee.train.decks.normalise import paper_of, printed
from referee.train.decks.pips import PipCut, pip_mask, random_cut
from referee.train.decks.procedural_style import random_letters

_COURTS: Final = (11, 12, 13)
_ENGLISH_SHARE: Final = 0.25
_FOUR_SHARE: Final = 0.3
"""Decks that get an index in every corner."""

_AROUND: Final = 3
"""Pixels around an index that lose their ink with it."""


def relettered_deck(deck: Deck, seed: int, fonts: Sequence[Path]) -> Deck:
    """``deck`` with indexes of another font, size and country, and with the courts of each suit exchanged.

    Args:
        deck: whose pictures are used; the new deck belongs to its family and its split.
        seed: not negative; the same seed and the same fonts give the same deck.
        fonts: font files to choose from, beside those that are always there.

    Raises:
        UserError: Pillow is missing, or a font cannot be read.
    """
    rng = np.random.default_rng([seed, zlib.crc32(deck.name.encode())])
    abroad = [country for country in ALPHABETS if country != "en"]
    country = "en" if rng.random() < _ENGLISH_SHARE else str(rng.choice(abroad))
    letters, country = random_letters(rng, fonts, country)
    cut, inks = random_cut(rng), _inks(deck)
    rank_share, height = float(rng.uniform(0.5, 0.64)), float(rng.uniform(0.8, 1.15))
    four = bool(rng.random() < _FOUR_SHARE)
    faces = {}
    pictured = _exchanged_courts(rng)
    for card in DECK:
        assert card.suit is not None
        face = deck.faces[pictured[card]]
        text = ALPHABETS[country].get(card.text[0], "10" if card.rank == 10 else card.text[0])
        x1, y1, x2, y2 = face.indexes[0]
        block = _block(letters, text, card.suit, cut, (1.2 * (x2 - x1), height * (y2 - y1)), rank_share)
        faces[card] = _with_index(face, _all_four(face) if four else face.indexes, block, inks[card.suit])
    return replace(
        deck,
        name=f"{deck.name}+{seed}",
        source=f"{deck.source}, indexes drawn from seed {seed}, letters: {country}",
        faces=faces,
    )


def _exchanged_courts(rng: np.random.Generator) -> dict[Card, Card]:
    """Whose picture each card gets: a court's own or that of another court of its suit."""
    pictured = {card: card for card in DECK}
    by_place = {(card.rank, card.suit): card for card in DECK}
    for suit in Suit:
        for rank, other in zip(_COURTS, rng.permutation(_COURTS).tolist(), strict=True):
            pictured[by_place[rank, suit]] = by_place[other, suit]
    return pictured


def _inks(deck: Deck) -> Mapping[Suit, Colour]:
    """The colour of each suit: that of the index of its seven, where nothing else is printed."""
    inks: dict[Suit, Colour] = {}
    for card in DECK:
        if card.rank == 7 and card.suit is not None:
            image = deck.faces[card].image
            x1, y1, x2, y2 = (round(side) for side in deck.faces[card].indexes[0])
            colour = np.median(image[y1:y2, x1:x2, :3][printed(image)[y1:y2, x1:x2] > 0], axis=0)
            inks[card.suit] = (float(colour[0]), float(colour[1]), float(colour[2]))
    return inks


def _block(letters: Letters, text: str, suit: Suit, cut: PipCut, room: tuple[float, float], rank_share: float) -> Image:
    """Coverage of an index, rank over suit, as high as ``room`` and no wider."""
    high = max(24, round(room[1]))
    rank_high = round(high * rank_share)
    rank = letters.mask(text, rank_high)
    if rank.shape[1] > room[0]:
        rank = letters.mask(text, max(12, int(rank_high * room[0] / rank.shape[1])))
    sign = pip_mask(suit, max(10, high - rank_high - max(2, high // 16)), cut)
    block = np.zeros((high, max(rank.shape[1], sign.shape[1])), np.uint8)
    for mask, y in ((rank, 0), (sign, high - sign.shape[0])):
        x = (block.shape[1] - mask.shape[1]) // 2
        block[y : y + mask.shape[0], x : x + mask.shape[1]] = mask
    return block


def _all_four(face: Face) -> tuple[Box, ...]:
    """The places of ``face``'s indexes, and those across from them."""
    width = face.image.shape[1]
    across = ((width - x2, y1, width - x1, y2) for x1, y1, x2, y2 in face.indexes)
    # An index in the middle of the edge lies across from itself.
    apart = (box for box in across if all(abs(box[0] - x1) > x2 - x1 for x1, y1, x2, _ in face.indexes if y1 == box[1]))
    return (*face.indexes, *apart)


def _with_index(face: Face, places: Sequence[Box], block: Image, ink: Colour) -> Face:
    """``face`` with ``block`` at each of ``places`` instead of its own indexes."""
    image = face.image.copy()
    colour = np.ascontiguousarray(image[..., :3])
    paper = paper_of(colour)
    width = image.shape[1]
    boxes: list[Box] = []
    for x1, y1, x2, y2 in places:
        lower = y1 + y2 > FACE_HEIGHT
        x = min(max(4, round((x1 + x2 - block.shape[1]) / 2)), width - 4 - block.shape[1])
        y = round(y2) - block.shape[0] if lower else round(y1)
        left, right = min(x, int(x1)) - _AROUND, max(x + block.shape[1], int(x2) + 1) + _AROUND
        top, bottom = min(y, int(y1)) - _AROUND, max(y + block.shape[0], int(y2) + 1) + _AROUND
        colour[max(0, top) : bottom, max(0, left) : right] = paper
        boxes.append(stamp(colour, turned(block) if lower else block, x, y, ink))
    image[..., :3] = colour
    return Face(image, tuple(boxes))
