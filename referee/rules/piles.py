"""Cards as they lie: face up or face down, in piles, and their text.

In text a suit's capital letter is a card lying face up (``7C``), its small letter a card lying face down whose face
the ledger knows all the same (``7c``). ``??`` lies face up and nobody could read it, ``xx`` lies face down unseen.
"""

from __future__ import annotations

import re
from typing import Final

from referee.cards import DECK, UNKNOWN, Card


class Laid:
    """A card lying on the table with one side up. Immutable and interned, like ``Card``; make it with ``laid``."""

    __slots__ = ("card", "text", "up")

    card: Card
    up: bool
    text: str

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"laid cards cannot be changed (tried to set {name})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"laid cards cannot be changed (tried to delete {name})")

    def __reduce__(self) -> tuple[object, tuple[Card, bool]]:
        return (laid, (self.card, self.up))

    def __repr__(self) -> str:
        return f"Laid({self.text!r})"


def _make(card: Card, up: bool) -> Laid:
    made = object.__new__(Laid)
    text = card.text if up else card.text.lower().replace("??", "xx")
    for name, value in (("card", card), ("up", up), ("text", text)):
        object.__setattr__(made, name, value)
    return made


_FACE_DOWN: Final = tuple(_make(card, False) for card in (*DECK, UNKNOWN))
_FACE_UP: Final = tuple(_make(card, True) for card in (*DECK, UNKNOWN))
_BY_TEXT: Final = {made.text: made for made in (*_FACE_DOWN, *_FACE_UP)}

FACE_DOWN_UNKNOWN: Final = _FACE_DOWN[UNKNOWN.code]
FACE_UP_UNKNOWN: Final = _FACE_UP[UNKNOWN.code]

StockPile = tuple[Laid, ...]
"""A stock pile, bottom to top; empty for a gap."""


def laid(card: Card, up: bool) -> Laid:
    """``card`` lying face up or face down."""
    return (_FACE_UP if up else _FACE_DOWN)[card.code]


def pile_of(text: str) -> StockPile:
    """A pile from cards written one after the other: ``9hJC`` is 9H face down under JC face up."""
    pairs = [text[i : i + 2] for i in range(0, len(text), 2)]
    wrong = next((pair for pair in pairs if pair not in _BY_TEXT), None)
    if wrong is not None:
        raise ValueError(
            f"{wrong!r} in {text!r} is no card; write two characters a card: 7C face up, 7c face down, "
            "?? face up and unread, xx face down and unseen"
        )
    return tuple(_BY_TEXT[pair] for pair in pairs)


def parse_pile(text: str) -> StockPile:
    """The inverse of ``write_pile``: ``9hJC``, or ``-`` for a gap."""
    if not text:
        raise ValueError("a gap is written -")
    return () if text == "-" else pile_of(text)


def write_pile(pile: StockPile) -> str:
    """A stock pile bottom to top, ``-`` for a gap."""
    return "".join(card.text for card in pile) or "-"


def parse_cards(text: str) -> tuple[Card, ...]:
    """The inverse of ``write_cards``."""
    if re.fullmatch(r"#\d{1,2}", text):
        return (UNKNOWN,) * int(text[1:])
    return tuple(card.card for card in parse_pile(text.lower().replace("??", "xx")))


def write_cards(cards: tuple[Card, ...]) -> str:
    """Cards nobody sees, bottom to top: ``khxx9d``; ``#11`` for eleven that nobody knows; ``-`` for none."""
    if cards and all(card is UNKNOWN for card in cards):
        return f"#{len(cards)}"
    return write_pile(tuple(laid(card, False) for card in cards))
