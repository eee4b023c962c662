"""What players do, as the contract for footage names it, and its text form.

An action says what physically happened, never whether it was allowed. Its text is one line, for example::

    A play 9H A4 C1 @4.187        a card from a stock pile to a centre pile
    A play QH A1 C2 @8.9 !two_cards
    B spit JH BR C2               a reserve card turned onto a centre pile
    A turn_up 7H A3               a face-down top turned face up
    A slap C1
    both call spit
    deal 2 A:QH/xx9H/xxxx8H:#9 B:AD/xxKS:-

``deal`` writes a player's stock piles bottom to top, capital letters for cards lying face up and small ones for cards
lying face down (``xx`` where the face was never seen, ``??`` for a face-up card nobody could read), then the reserve
(``#9``: nine cards nobody has seen).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeVar

from referee.cards import UNKNOWN, Card
from referee.rules.layouts import Sizes
from referee.rules.piles import (
    FACE_DOWN_UNKNOWN,
    FACE_UP_UNKNOWN,
    StockPile,
    parse_cards,
    parse_pile,
    write_cards,
    write_pile,
)
from referee.table import Seat, Zone, ZoneKind

E = TypeVar("E", bound=Enum)


class Kind(Enum):
    """The kinds of action; the values are the words of the footage contract."""

    PLAY = "play"
    TURN_UP = "turn_up"
    FILL = "fill"
    SPIT = "spit"
    TAKE_BACK = "take_back"
    STACK = "stack"
    TOUCH = "touch"
    CALL = "call"
    SLAP = "slap"
    CLAIM = "claim"
    DEAL = "deal"

    __hash__ = object.__hash__  # Enum hashes the name anew each time; judging looks kinds up at every action.


class Manner(Enum):
    """How a move was made, where that alone breaks a rule: it cannot be told from the ledger."""

    TWO_CARDS = "two_cards"
    TWO_HANDS = "two_hands"


MOVES: Final = frozenset({Kind.PLAY, Kind.FILL, Kind.SPIT, Kind.TAKE_BACK, Kind.STACK})
"""The kinds that carry a card from one zone to another."""

CALL_WORDS: Final = ("spit", "pass")
"""``spit``: spit again, or let us; ``pass``: the one who could spit alone declines (G12)."""


@dataclass(frozen=True, slots=True)
class SeatDeal:
    """One player's cards as laid out: stock piles bottom to top, then the reserve bottom to top."""

    stock: tuple[StockPile, ...]
    reserve: tuple[Card, ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        """All the cards dealt."""
        return (*(one.card for pile in self.stock for one in pile), *self.reserve)

    @property
    def sizes(self) -> Sizes:
        """The counts of the deal."""
        return Sizes(tuple(len(pile) for pile in self.stock if pile), len(self.reserve))


@dataclass(frozen=True, slots=True)
class Action:
    """Something a player did.

    Attributes:
        kind: what.
        seat: who; ``None`` for a call by both, and for a deal.
        card: the card moved or turned up; ``UNKNOWN`` if nobody saw it; ``None`` where no card is concerned.
        source: zone a card left; ``None`` for kinds that move no card.
        target: zone a card went to, or the zone acted on (turn_up, touch, slap, claim).
        t: instant of first touch, seconds of the source's clock; ``None`` if not known.
        word: what was called.
        manner: two cards at once, or the second hand.
        deal: each seat's new layout, ``None`` for a seat that deals nothing now.
    """

    kind: Kind
    seat: Seat | None = None
    card: Card | None = None
    source: Zone | None = None
    target: Zone | None = None
    t: float | None = None
    word: str = ""
    manner: Manner | None = None
    deal: tuple[SeatDeal | None, SeatDeal | None] = (None, None)

    def at(self, t: float) -> Action:
        """The same at the time ``t``, s."""
        seat, card, source, target = self.seat, self.card, self.source, self.target
        return Action(self.kind, seat, card, source, target, t, self.word, self.manner, self.deal)

    def __str__(self) -> str:
        return write_action(self)


def play(seat: Seat, card: Card, source: Zone, target: Zone, t: float | None = None) -> Action:
    """A stock or hand card put on a centre pile."""
    return Action(Kind.PLAY, seat, card, source, target, t)


def turn_up(seat: Seat, card: Card, at: Zone, t: float | None = None) -> Action:
    """A face-down top turned face up."""
    return Action(Kind.TURN_UP, seat, card, None, at, t)


def fill(seat: Seat, card: Card, source: Zone, target: Zone, t: float | None = None) -> Action:
    """A stock card moved into a gap."""
    return Action(Kind.FILL, seat, card, source, target, t)


def spit(seat: Seat, card: Card, source: Zone, target: Zone, t: float | None = None) -> Action:
    """A reserve card turned onto a centre pile."""
    return Action(Kind.SPIT, seat, card, source, target, t)


def take_back(seat: Seat, card: Card, source: Zone, target: Zone, t: float | None = None) -> Action:
    """A card lifted off a centre pile and returned."""
    return Action(Kind.TAKE_BACK, seat, card, source, target, t)


def stack(seat: Seat, card: Card, source: Zone, target: Zone, t: float | None = None) -> Action:
    """A stock card put on another stock pile that is no gap."""
    return Action(Kind.STACK, seat, card, source, target, t)


def touch(seat: Seat, at: Zone, t: float | None = None) -> Action:
    """A hand moves or covers the cards of a zone."""
    return Action(Kind.TOUCH, seat, target=at, t=t)


def call(seat: Seat | None, word: str = "spit", t: float | None = None) -> Action:
    """A word called by one player, or by both (``None``)."""
    return Action(Kind.CALL, seat, word=word, t=t)


def slap(seat: Seat, at: Zone, t: float | None = None) -> Action:
    """A hand put on a centre pile to claim it."""
    return Action(Kind.SLAP, seat, target=at, t=t)


def claim(seat: Seat, pile: Zone, t: float | None = None) -> Action:
    """A centre pile taken by a player."""
    return Action(Kind.CLAIM, seat, target=pile, t=t)


def deal(a: SeatDeal | None, b: SeatDeal | None, t: float | None = None) -> Action:
    """New layouts on the table."""
    return Action(Kind.DEAL, deal=(a, b), t=t)


_SHAPES: Final = {
    Kind.PLAY: "SEAT play CARD FROM TO",
    Kind.TURN_UP: "SEAT turn_up CARD AT",
    Kind.FILL: "SEAT fill CARD FROM TO",
    Kind.SPIT: "SEAT spit CARD FROM TO",
    Kind.TAKE_BACK: "SEAT take_back CARD FROM TO",
    Kind.STACK: "SEAT stack CARD FROM TO",
    Kind.TOUCH: "SEAT touch AT",
    Kind.CALL: "SEAT|both call WORD",
    Kind.SLAP: "SEAT slap AT",
    Kind.CLAIM: "SEAT claim PILE",
    Kind.DEAL: "deal [A:STOCK:RESERVE] [B:STOCK:RESERVE]",
}
"""How each kind is written, for the sentence that refuses a line."""

_TIME = re.compile(r"@\d+(\.\d+)?([eE]-?\d+)?")


def write_action(action: Action) -> str:
    """The text of an action; ``parse_action`` is its inverse."""
    if action.kind is Kind.DEAL:
        words = ["deal"]
        for seat, dealt in zip(Seat, action.deal, strict=True):
            if dealt is not None:
                piles = "/".join(write_pile(pile) for pile in dealt.stock)
                words.append(f"{seat}:{piles}:{write_cards(dealt.reserve)}")
    else:
        words = ["both" if action.seat is None else action.seat.name, action.kind.value]
        words += [str(part) for part in (action.card, action.source, action.target) if part is not None]
        if action.word:
            words.append(action.word)
    if action.t is not None:
        words.append(f"@{action.t!r}")
    if action.manner is not None:
        words.append(f"!{action.manner.value}")
    return " ".join(words)


def parse_action(text: str) -> Action:
    """The action written ``text``.

    Raises:
        ValueError: a sentence with the word that is wrong, or with the form the kind is written in.
    """
    words = text.split()
    t: float | None = None
    manner: Manner | None = None
    while words and words[-1][0] in "@!":
        word = words.pop()
        if word[0] == "@":
            t = _parse_time(word)
        else:
            manner = parse_word(Manner, word[1:], "manner")
    if not words:
        raise ValueError("an action needs a seat and a kind, for example 'A play 9H A4 C1'")
    if words[0] == "deal":
        return Action(Kind.DEAL, deal=_parse_deal(words[1:]), t=t, manner=manner)
    if len(words) < 2:
        raise ValueError(f"{text!r} is no action; write for example 'A play 9H A4 C1'")
    kind = parse_word(Kind, words[1], "kind of action")
    seat = None if kind is Kind.CALL and words[0] == "both" else _parse_seat(words[0])
    rest = words[2:]
    wanted = _SHAPES[kind].split()[2:]
    if len(rest) != len(wanted):
        raise ValueError(f"{text!r} is not how {kind.value} is written: {_SHAPES[kind]}")
    if kind is Kind.CALL:
        if rest[0] not in CALL_WORDS:
            raise ValueError(f"{rest[0]!r} is no call; the calls are {', '.join(CALL_WORDS)}")
        return Action(kind, seat, word=rest[0], t=t, manner=manner)
    card = Card(rest[0]) if wanted[0] == "CARD" else None
    source = Zone(rest[1]) if "FROM" in wanted else None
    target = Zone(rest[-1])
    if kind in (Kind.SLAP, Kind.CLAIM) and target.kind is not ZoneKind.CENTRE:
        raise ValueError(f"{text!r}: a {kind.value} is of a centre pile, C1 or C2, not {target}")
    return Action(kind, seat, card, source, target, t, "", manner)


def _parse_seat(text: str) -> Seat:
    try:
        return Seat[text]
    except KeyError:
        raise ValueError(f"{text!r} is no seat; the seats are A and B") from None


def _parse_time(text: str) -> float:
    if not _TIME.fullmatch(text) or not math.isfinite(float(text[1:])):
        raise ValueError(f"{text!r} is no time; write seconds, for example @12.34")
    return float(text[1:])


def parse_word(words: type[E], text: str, what: str) -> E:
    """The member of ``words`` whose value is ``text``; a ValueError lists them."""
    try:
        return words(text)
    except ValueError:
        raise ValueError(f"{text!r} is no {what}; there are {', '.join(word.value for word in words)}") from None


def _parse_deal(words: list[str]) -> tuple[SeatDeal | None, SeatDeal | None]:
    dealt: dict[Seat, SeatDeal] = {}
    for word in words:
        parts = word.split(":")
        if len(parts) != 3:
            raise ValueError(f"{word!r} is not how a deal is written: {_SHAPES[Kind.DEAL]}")
        seat = _parse_seat(parts[0])
        if seat in dealt:
            raise ValueError(f"seat {seat} is dealt to twice")
        stock = tuple(parse_pile(pile) for pile in parts[1].split("/")) if parts[1] else ()
        reserve = parse_cards(parts[2])
        dealt[seat] = SeatDeal(stock, reserve)
    if not dealt:
        raise ValueError(f"a deal is to somebody: {_SHAPES[Kind.DEAL]}")
    return dealt.get(Seat.A), dealt.get(Seat.B)


def unseen_deal(sizes: Sizes, *, tops_up: bool) -> SeatDeal:
    """A layout of which only the sizes are known; the tops lie face up (unread) if ``tops_up``."""
    top = FACE_UP_UNKNOWN if tops_up else FACE_DOWN_UNKNOWN
    stock = tuple((*(FACE_DOWN_UNKNOWN,) * (size - 1), top) for size in sizes.stock)
    return SeatDeal(stock, (UNKNOWN,) * sizes.reserve)
