"""What a drawn deck looks like, decided once for all its cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

import numpy as np

from referee.cards import Card, Suit
from referee.train.decks.deck import Width, face_width
from referee.train.decks.ink import Colour, any_colour, hsv
from referee.train.decks.lettering import ALPHABETS, Letters, can_write, font_choices
from referee.train.decks.pip_layouts import Layout, random_layouts
from referee.train.decks.pips import PipCut, random_cut
from referee.train.decks.procedural_courts import CourtStyle, random_court

Corners = Literal["one", "two", "four"]
NumberKind = Literal["pips", "single", "numeral", "bare"]

_CLASSIC_FONT: Final = "nkd04_playing_cards_index"
"""The font cut after the index that most cards sold carry; it gets a share of its own among all the others."""

_COUNTRY_SHARES: Final = {
    "en": 0.5,
    "se": 0.08,
    "dk": 0.05,
    "pl": 0.08,
    "pt": 0.08,
    "fr": 0.07,
    "de": 0.08,
    "it": 0.04,
    "ru": 0.02,
}


@dataclass(frozen=True, slots=True)
class IndexStyle:
    """The corner index; sizes in pixels of a card 500 px high.

    Attributes:
        corners: which corners carry it.
        beside: whether the suit sign stands to the right of the rank instead of under it.
        rank_height, sign_height: heights of its two parts.
        gap: space between them.
        margin_x, margin_y: space to the card's edges.
    """

    corners: Corners
    beside: bool
    rank_height: int
    sign_height: int
    gap: int
    margin_x: int
    margin_y: int


@dataclass(frozen=True, slots=True)
class DeckStyle:
    """Everything that the cards of one drawn deck have in common.

    Attributes:
        width_mm: the card's width.
        country: key of ``ALPHABETS``.
        letters, cut, index, court: the looks of rank letters, suit signs, corner index and court cards.
        inks: colour of each suit.
        paper: colour of the card.
        numbers: what number cards show in their middle: ``pips`` laid out as usual, a ``single`` large sign, the
            ``numeral`` itself, or nothing (``bare``).
        pip_height: height of the signs in the layout, in pixels.
        spread: how far out the layout reaches, as factors of the usual width and height.
        layouts: where the signs of each number card stand.
        ace_share: height of an ace's sign in heights of the others.
        ornate: whose aces are adorned: those of ``all`` suits, of one, or of none.
        upright: whether the lower signs stand upright too instead of upside down.
        gloss: how much lighter the upper part of large signs is printed, 0 for flat.
        frame: insets in pixels of lines around the face; empty for none.
        frame_colour: their colour.
        wear: 0 (new) to 1.
        radius: of the card's corners, in pixels.
    """

    width_mm: Width
    country: str
    letters: Letters
    cut: PipCut
    index: IndexStyle
    court: CourtStyle
    inks: Mapping[Suit, Colour]
    paper: Colour
    numbers: NumberKind
    pip_height: int
    spread: tuple[float, float]
    layouts: Mapping[int, Layout]
    ace_share: float
    ornate: Suit | Literal["all", "none"]
    upright: bool
    gloss: float
    frame: tuple[int, ...]
    frame_colour: Colour
    wear: float
    radius: int

    def letter(self, card: Card) -> str:
        """What the index of ``card`` says."""
        text = card.text[0]
        return "10" if text == "T" else ALPHABETS[self.country].get(text, text)


def random_style(rng: np.random.Generator, fonts: Sequence[Path]) -> DeckStyle:
    """A style; ``fonts`` are the fetched font files, which add to those that are always there."""
    country = str(rng.choice(list(_COUNTRY_SHARES), p=list(_COUNTRY_SHARES.values())))
    letters, country = random_letters(rng, fonts, country)
    dark = rng.random() < 0.03
    paper = _paper(rng, dark)
    inks = _inks(rng, paper, dark)
    width_mm: Width = 63 if rng.random() < 0.7 else 57
    index = _fitting(_index(rng), letters, country, face_width(width_mm))
    jumbo = index.rank_height > 78
    numbers: tuple[NumberKind, ...] = ("pips", "single", "numeral", "bare")
    framed = rng.random() < 0.3
    first = int(rng.integers(8, 24))
    return DeckStyle(
        width_mm=width_mm,
        country=country,
        letters=letters,
        cut=random_cut(rng),
        index=index,
        court=random_court(rng, paper, dict(inks)),
        inks=inks,
        paper=paper,
        numbers=numbers[int(rng.choice(4, p=[0.6, 0.24, 0.08, 0.08] if jumbo else [0.82, 0.06, 0.05, 0.07]))],
        pip_height=int(rng.integers(44, 66) if jumbo else rng.integers(58, 92)),
        spread=(rng.uniform(0.85, 1.12), rng.uniform(0.86, 1.06)),
        layouts=random_layouts(rng),
        ace_share=float(rng.choice([rng.uniform(0.8, 1.4), 1.6, rng.uniform(1.6, 3.6)], p=[0.3, 0.3, 0.4])),
        ornate=_ornate(rng),
        upright=bool(rng.random() < 0.08),
        gloss=float(rng.uniform(0.2, 0.6)) if rng.random() < 0.12 else 0.0,
        frame=(first, *((first + int(rng.integers(4, 9)),) if rng.random() < 0.3 else ())) if framed else (),
        frame_colour=any_colour(rng),
        wear=float(rng.choice([0.0, rng.uniform(0.05, 0.35), rng.uniform(0.35, 1.0)], p=[0.4, 0.4, 0.2])),
        radius=int(rng.integers(14, 23)),
    )


def _ornate(rng: np.random.Generator) -> Suit | Literal["all", "none"]:
    kind = rng.random()
    return Suit.SPADES if kind < 0.45 else "all" if kind < 0.6 else "none"


def random_letters(rng: np.random.Generator, files: Sequence[Path], country: str) -> tuple[Letters, str]:
    """Letters in a font that has them, and the country, which becomes English where no such font is found."""
    fonts = font_choices(files)
    classic = [font for font in fonts if _CLASSIC_FONT in font]
    needed = [*ALPHABETS[country].values(), "1234567890"]
    font = classic[0] if classic and rng.random() < 0.3 else str(rng.choice(fonts))
    for _ in range(12):
        if can_write(font, needed):
            break
        font = str(rng.choice(fonts))
    else:
        font, country = "builtin", "en"
    return Letters(font, rng.uniform(0.09, 0.19), rng.uniform(0.72, 1.12), bool(rng.random() < 0.75)), country


def _paper(rng: np.random.Generator, dark: bool) -> Colour:
    if dark:
        return hsv(rng.uniform(0, 360), rng.uniform(0, 0.5), rng.uniform(0.04, 0.16))
    if rng.random() < 0.55:
        return hsv(rng.uniform(30, 60), rng.uniform(0, 0.03), rng.uniform(0.96, 1.0))
    if rng.random() < 0.75:
        return hsv(rng.uniform(28, 58), rng.uniform(0.03, 0.18), rng.uniform(0.88, 0.99))
    return hsv(rng.uniform(0, 360), rng.uniform(0.02, 0.14), rng.uniform(0.86, 1.0))


def _inks(rng: np.random.Generator, paper: Colour, dark: bool) -> dict[Suit, Colour]:
    red = hsv(rng.uniform(-12, 12), rng.uniform(0.72, 1.0), rng.uniform(0.62, 1.0))
    black = hsv(rng.uniform(180, 260), rng.uniform(0, 0.5), rng.uniform(0.0, 0.26))
    if dark:
        black = hsv(rng.uniform(30, 60), rng.uniform(0, 0.5), rng.uniform(0.8, 1.0))
    inks = {Suit.CLUBS: black, Suit.DIAMONDS: red, Suit.HEARTS: red, Suit.SPADES: black}
    if rng.random() < 0.2:
        # Green clubs; diamonds blue as in poker rooms, or orange to yellow as in German tournaments.
        inks[Suit.CLUBS] = hsv(rng.uniform(115, 160), rng.uniform(0.6, 1.0), rng.uniform(0.35, 0.65))
        blue, yellow = rng.uniform(200, 235), rng.uniform(28, 50)
        inks[Suit.DIAMONDS] = hsv(blue if rng.random() < 0.65 else yellow, rng.uniform(0.7, 1.0), rng.uniform(0.7, 1.0))
        if rng.random() < 0.25 and not dark:
            inks[Suit.CLUBS], inks[Suit.SPADES] = black, inks[Suit.CLUBS]
    return {suit: _legible(ink, paper) for suit, ink in inks.items()}


def _legible(ink: Colour, paper: Colour) -> Colour:
    """``ink``, moved away from the paper's brightness until it stands out as the palest printed inks do."""

    def brightness(colour: Colour) -> float:
        return 0.07 * colour[0] + 0.72 * colour[1] + 0.21 * colour[2] + 12

    dark = brightness(paper) < 100
    target = 255.0 if dark else 0.0
    for _ in range(20):
        low, high = sorted((brightness(ink), brightness(paper)))
        if high / low >= 1.45:
            break
        ink = (ink[0] + (target - ink[0]) * 0.08, ink[1] + (target - ink[1]) * 0.08, ink[2] + (target - ink[2]) * 0.08)
    return ink


def _index(rng: np.random.Generator) -> IndexStyle:
    size = rng.choice(3, p=[0.6, 0.2, 0.2])
    low, high = ((32, 62), (60, 80), (86, 132))[int(size)]
    rank = int(rng.integers(low, high))
    corners: tuple[Corners, ...] = ("two", "four", "one")
    beside = bool(rng.random() < 0.08)
    return IndexStyle(
        corners=corners[int(rng.choice(3, p=[0.9, 0.04, 0.06] if rank > 78 else [0.62, 0.34, 0.04]))],
        beside=beside,
        rank_height=rank,
        sign_height=int(rank * (rng.uniform(0.7, 1.0) if beside else rng.uniform(0.5, 0.95))),
        gap=int(rng.integers(4, 12)),
        margin_x=int(rng.integers(8, 24)),
        margin_y=int(rng.integers(10, 30)),
    )


def _fitting(index: IndexStyle, letters: Letters, country: str, card_width: int) -> IndexStyle:
    """``index`` made smaller if its widest rank would leave the card no middle."""
    texts = [*ALPHABETS[country].values(), "10", "8"]
    widest = max(letters.mask(text, index.rank_height).shape[1] for text in texts)
    share = 0.17 if index.beside else 0.3
    factor = min(1.0, share * card_width / widest)
    rank, sign = int(index.rank_height * factor), int(index.sign_height * factor)
    return replace(index, rank_height=max(30, rank), sign_height=max(20, sign))
