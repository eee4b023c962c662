"""Drawn decks without end, for variety that no collection of art has.

Every deck has its own paper, inks, suit signs, letters (also national ones), index size and corners, pip layout,
courts, frame, back and wear. Nothing needs to be fetched; with the fetched fonts in the cache there are more letters to
choose from, so a seed means the same deck only where the same fonts are.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from referee.cards import DECK, Card, Suit
from referee.train.decks.art import default_cache, fonts
from referee.train.decks.deck import FACE_HEIGHT, Box, Deck, Face, Image, face_width
from referee.train.decks.ink import Colour, stamp, stamp_centred, turned
from referee.train.decks.normalise import card_mask
from referee.train.decks.pips import pip_mask
from referee.train.decks.procedural_backs import draw_back
from referee.train.decks.procedural_courts import draw_court
from referee.train.decks.procedural_paper import Wear, random_wear
from referee.train.decks.procedural_style import DeckStyle, random_style
from referee.train.decks.splits import seed_split

_COLUMNS: Final = (0.27, 0.5, 0.73)


def procedural_deck(seed: int, cache: Path | None = None) -> Deck:
    """The drawn deck number ``seed``, split by ``splits.seed_split``.

    Args:
        seed: not negative; the same seed and the same fonts give the same deck.
        cache: the art cache to take fonts from; the default one if None.

    Raises:
        UserError: Pillow is missing, or a font in the cache cannot be read.
    """
    rng, style = _style(seed, cache)
    width = face_width(style.width_mm)
    wear = random_wear(rng, width, style.wear) if style.wear else None
    pen = _Pen(style)
    faces = {card: pen.face(card, wear, rng) for card in DECK}
    back = draw_back(rng, style.width_mm)
    if wear is not None:
        back = wear.age(back, rng)
    return Deck(
        name=f"drawn-{seed}",
        family=f"drawn-{seed}",
        split=seed_split(seed),
        licence="AGPL-3.0-or-later",
        source=f"drawn from seed {seed}, letters: {style.country}",
        faces=faces,
        back=Face(np.dstack([back, card_mask(width, style.radius)])),
        width_mm=style.width_mm,
    )


def country_of(seed: int, cache: Path | None = None) -> str:
    """Whose letters the drawn deck number ``seed`` has, see `referee.train.decks.lettering.ALPHABETS`."""
    return _style(seed, cache)[1].country


def _style(seed: int, cache: Path | None) -> tuple[np.random.Generator, DeckStyle]:
    rng = np.random.default_rng([seed, 0xDEC4])
    return rng, random_style(rng, fonts(default_cache() if cache is None else cache))


class _Pen:
    """Draws the cards of one deck and remembers the masks they share."""

    def __init__(self, style: DeckStyle) -> None:
        self.style = style
        self.width = face_width(style.width_mm)
        self._sign = lru_cache(maxsize=None)(lambda suit, height: pip_mask(suit, height, style.cut))
        self._text = lru_cache(maxsize=None)(style.letters.mask)
        index = style.index
        usual = [self._text(style.letter(card), index.rank_height).shape[1] for card in DECK if card.rank != 10]
        signs = [self._sign(suit, index.sign_height).shape[1] for suit in Suit]
        self._index_centre = index.margin_x + max(*usual, *signs) / 2
        self._index_width = max(*usual, *signs)

    def face(self, card: Card, wear: Wear | None, rng: np.random.Generator) -> Face:
        style = self.style
        picture = np.empty((FACE_HEIGHT, self.width, 3), np.uint8)
        picture[:] = np.rint(style.paper)
        for inset in style.frame:
            corner = (self.width - 1 - inset, FACE_HEIGHT - 1 - inset)
            cv2.rectangle(picture, (inset, inset), corner, style.frame_colour, 2, cv2.LINE_AA)
        if card.rank > 10:
            self._draw_court(picture, card)
        else:
            self._draw_number(picture, card)
        boxes = self._draw_indexes(picture, card)
        if wear is not None:
            picture = wear.age(picture, rng)
        return Face(np.dstack([picture, card_mask(self.width, style.radius)]), boxes)

    def _ink(self, card: Card) -> Colour:
        assert card.suit is not None
        return self.style.inks[card.suit]

    def _print(self, picture: Image, mask: Image, at: tuple[float, float], ink: Colour) -> None:
        stamp_centred(picture, mask, *at, ink)
        if self.style.gloss:
            fade = np.linspace(1, 0, mask.shape[0]) ** 1.5 * self.style.gloss
            lit = np.rint(mask * fade[:, None]).astype(np.uint8)
            stamp_centred(picture, lit, *at, (255, 255, 255))

    def _room(self) -> tuple[float, float]:
        """Left and right end of the middle that the indices leave free."""
        index = self.style.index
        # An index written in a row is low; the layout goes under it instead.
        taken = 0 if index.beside else index.margin_x + self._index_width + 6
        return (taken, self.width - taken)

    def _draw_number(self, picture: Image, card: Card) -> None:
        style, ink = self.style, self._ink(card)
        middle = (self.width / 2, FACE_HEIGHT / 2)
        if style.numbers == "bare" and card.rank > 1:
            return
        if style.numbers == "numeral" and card.rank > 1:
            self._print(picture, self._text(style.letter(card), int(self.width * 0.5)), middle, ink)
            return
        if style.numbers == "single" or card.rank == 1:
            share = 2.4 if style.numbers == "single" else style.ace_share
            height = min(int(style.pip_height * share), int((self._room()[1] - self._room()[0]) * 0.95))
            ornate = card.rank == 1 and style.ornate in ("all", card.suit)
            if ornate:
                height = max(height, int(self.width * 0.42))
            self._print(picture, self._sign(card.suit, height), middle, ink)
            if ornate:
                self._adorn(picture, card, height, ink)
            return
        left, right = self._room()
        column = [left + (right - left) * share for share in (0.14, 0.5, 0.86)]
        height = min(int((right - left) * 0.36), style.pip_height)
        if right - left > self.width * 0.55:
            usual = [0.5 + (share - 0.5) * style.spread[0] for share in _COLUMNS]
            column, height = [share * self.width for share in usual], style.pip_height
        sign = self._sign(card.suit, max(24, height))
        reach = FACE_HEIGHT * (0.25 if style.index.beside else 0.34) * style.spread[1]
        for place, row in style.layouts[card.rank]:
            mask = sign if row <= 0.5 or style.upright else turned(sign)
            self._print(picture, mask, (column[place], middle[1] + (2 * row - 1) * reach), ink)

    def _adorn(self, picture: Image, card: Card, height: int, ink: Colour) -> None:
        """What printers put into and around an ace's great sign, the ace of spades' above all."""
        assert card.suit is not None
        middle = (self.width / 2, FACE_HEIGHT / 2)
        rng = np.random.default_rng([self.style.court.seed, 1])
        shades = (self.style.paper, ink, self.style.frame_colour)
        inner = height
        for ring in range(int(rng.integers(1, 4))):
            inner = int(inner * rng.uniform(0.45, 0.8))
            if inner > 12:
                stamp_centred(picture, self._sign(card.suit, inner), *middle, shades[ring % len(shades)])
        if rng.random() < 0.5:
            at = (round(middle[0]), round(middle[1]))
            for _ in range(int(rng.integers(1, 3))):
                reach = int(height * rng.uniform(0.55, 0.72))
                cv2.circle(picture, at, reach, ink, int(rng.integers(1, 4)), cv2.LINE_AA)
        for side in (-1, 1) if rng.random() < 0.5 else ():
            for row in range(int(rng.integers(1, 3))):
                y = middle[1] + side * height * (0.66 + 0.14 * row)
                word = self._text("".join(rng.choice(list("AEIKLMNORST"), int(rng.integers(4, 9)))), 14)
                stamp_centred(picture, word[:, : int(self.width * 0.6)], middle[0], y, ink)

    def _draw_court(self, picture: Image, card: Card) -> None:
        style, ink = self.style, self._ink(card)
        # Beside a jumbo index no picture has room; printers let the index cover its corner.
        left = min(self._room()[0], self.width * 0.21)
        inset_x, inset_y = int(max(left, self.width * 0.15)), int(max(34, *(f + 10 for f in (*style.frame, 0))))
        width, height = self.width - 2 * inset_x, FACE_HEIGHT - 2 * inset_y
        text = style.letter(card)
        court = draw_court(card, (width, height), style.court, ink, text, style.letters, style.cut)
        picture[inset_y : inset_y + height, inset_x : inset_x + width] = court
        if style.court.kind == "figure":
            corner = (inset_x + width - 1, inset_y + height - 1)
            cv2.rectangle(picture, (inset_x, inset_y), corner, style.court.line, 1 + style.court.outline, cv2.LINE_AA)
            if style.index.beside or self._room()[0] > inset_x + 6:
                return
            sign = self._sign(card.suit, int(min(width * 0.24, style.pip_height)))
            x, y = inset_x + 6 + sign.shape[1] / 2, inset_y + 8 + sign.shape[0] / 2
            stamp_centred(picture, sign, x, y, ink)
            stamp_centred(picture, turned(sign), self.width - x, FACE_HEIGHT - y, ink)

    def _draw_indexes(self, picture: Image, card: Card) -> tuple[Box, ...]:
        index, ink = self.style.index, self._ink(card)
        rank = self._text(self.style.letter(card), index.rank_height)
        sign = self._sign(card.suit, index.sign_height)
        rank_x = max(4, round(self._index_centre - rank.shape[1] / 2))
        if index.beside:
            sign_x, sign_y = rank_x + rank.shape[1] + index.gap, index.margin_y + (rank.shape[0] - sign.shape[0]) // 2
        else:
            sign_x, sign_y = max(4, round(self._index_centre - sign.shape[1] / 2)), rank.shape[0] + index.gap
            sign_y += index.margin_y
        x1, y1 = min(rank_x, sign_x), min(index.margin_y, sign_y)
        x2 = max(rank_x + rank.shape[1], sign_x + sign.shape[1])
        y2 = max(index.margin_y + rank.shape[0], sign_y + sign.shape[0])
        block = np.zeros((y2 - y1, x2 - x1), np.uint8)
        for mask, x, y in ((rank, rank_x, index.margin_y), (sign, sign_x, sign_y)):
            part = block[y - y1 : y - y1 + mask.shape[0], x - x1 : x - x1 + mask.shape[1]]
            np.maximum(part, mask, out=part)
        right, bottom = self.width - x2, FACE_HEIGHT - y2
        places = {
            "one": ((block, x1, y1),),
            "two": ((block, x1, y1), (turned(block), right, bottom)),
            "four": (
                *((block, x1, y1), (block, right, y1)),
                *((turned(block), x1, bottom), (turned(block), right, bottom)),
            ),
        }[index.corners]
        boxes = []
        for mask, x, y in places:
            # Printers leave the paper free around an index, whatever frame or picture would run through it.
            picture[max(0, y - 3) : y + mask.shape[0] + 3, max(0, x - 3) : x + mask.shape[1] + 3] = self.style.paper
            boxes.append(stamp(picture, mask, x, y, ink))
        return tuple(boxes)
