"""Cards: their rank, suit, identity and text.

A card is written rank then suit, ``7C``, ``TD``, ``AS``; a card whose face was never seen is ``??``.
There are 53 ``Card`` objects in a process and no more: ``Card("7C")`` always answers the same one, so cards
compare by identity and survive pickling and copying.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

RANKS: Final = "A23456789TJQK"
"""Rank letters from low to high (PT-2); ``Card.rank`` is the place in this string plus one."""

SUITS: Final = "CDHS"
"""Suit letters in the order of the card codes."""


class Suit(Enum):
    """One of the four French suits; the value is its letter."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"

    @property
    def red(self) -> bool:
        """Whether the suit is printed red."""
        return self in (Suit.DIAMONDS, Suit.HEARTS)

    @property
    def symbol(self) -> str:
        """The suit's sign: ♣ ♦ ♥ ♠."""
        return {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}[self.value]


class Card:
    """One card of the pack, or ``UNKNOWN``. Immutable and interned.

    Attributes:
        text: ``7C``, or ``??`` for the unknown card.
        rank: 1 (ace) to 13 (king); 0 for the unknown card.
        suit: the suit; ``None`` for the unknown card.
        code: 0 to 51 in the order of ``DECK``; 52 for the unknown card.
        bit: ``1 << code``, for sets of cards held in one integer; 0 for the unknown card.
    """

    __slots__ = ("bit", "code", "rank", "suit", "text")

    text: str
    rank: int
    suit: Suit | None
    code: int
    bit: int

    def __new__(cls, text: str) -> Card:
        """The card written ``text``; a ValueError names what is wrong with it."""
        try:
            return _BY_TEXT[text]
        except KeyError:
            raise ValueError(
                f"there is no card {text!r}: write a rank of {RANKS} and a suit of {SUITS}, "
                "for example 7C or TD (?? for a card nobody has seen)"
            ) from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"cards cannot be changed (tried to set {name})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"cards cannot be changed (tried to delete {name})")

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return (Card, (self.text,))

    def __repr__(self) -> str:
        return f"Card({self.text!r})"

    def __str__(self) -> str:
        return self.text

    @property
    def known(self) -> bool:
        """False for the unknown card only."""
        return self.rank > 0

    @property
    def red(self) -> bool:
        """Whether the card is red; the unknown card is not."""
        return self.suit is not None and self.suit.red

    @property
    def symbol(self) -> str:
        """The card as people write it, ``10♦``."""
        if self.suit is None:
            return "?"
        return ("10" if self.rank == 10 else self.text[0]) + self.suit.symbol


def _make(text: str, rank: int, suit: Suit | None, code: int) -> Card:
    card = object.__new__(Card)
    bit = 1 << code if rank else 0
    for name, value in (("text", text), ("rank", rank), ("suit", suit), ("code", code), ("bit", bit)):
        object.__setattr__(card, name, value)
    return card


DECK: Final[tuple[Card, ...]] = tuple(
    _make(letter + suit.value, rank, suit, 13 * number + rank - 1)
    for number, suit in enumerate(Suit)
    for rank, letter in enumerate(RANKS, start=1)
)
"""The 52 cards, clubs to spades, ace to king: ``DECK[card.code] is card``."""

UNKNOWN: Final = _make("??", 0, None, 52)
"""A card whose face was never seen."""

FULL_DECK: Final = (1 << 52) - 1
"""The set of all 52 cards, as a sum of ``Card.bit``."""

_BY_TEXT: Final = {card.text: card for card in (*DECK, UNKNOWN)}


def card_set(bits: int) -> tuple[Card, ...]:
    """The cards in a set given as a sum of ``Card.bit``, in deck order."""
    return tuple(card for card in DECK if bits & card.bit)
