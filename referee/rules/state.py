"""What a position is made of: phases, the players' sides, cards on the centre piles, cards owed, claims, results.

Everything here is immutable.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.cards import Card
from referee.rules.piles import StockPile
from referee.table import Seat, Zone


class Phase(Enum):
    """What a player is doing; both are in the same phase except while one alone takes a pile and deals (C10)."""

    DEALING = "dealing"
    """A new game: the pack is shuffled and split, the layout not yet on the table."""
    BEFORE_SPIT = "before_spit"
    """Laid out, waiting for the spit cards."""
    PLAY = "play"
    CLAIM = "claim"
    """The round is over for this player, who has yet to take a centre pile."""
    REDEAL = "redeal"
    """Has gathered the cards and will lay them out anew."""
    OVER = "over"

    __hash__ = object.__hash__


class Reason(Enum):
    """Why an action is illegal; the values are the words of the footage contract."""

    NOT_ADJACENT = "not_adjacent"
    COLOUR = "colour"
    NOT_TOP = "not_top"
    FACE_DOWN = "face_down"
    NOT_STUCK = "not_stuck"
    WRONG_PILE = "wrong_pile"
    FROM_RESERVE = "from_reserve"
    OWN_CARDS_ONLY = "own_cards_only"
    TWO_CARDS = "two_cards"
    TWO_HANDS = "two_hands"
    NO_GAP = "no_gap"
    TAKEN_BACK = "taken_back"
    LATE = "late"
    EARLY_SLAP = "early_slap"
    WRONG_ORDER = "wrong_order"

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class CentreCard:
    """A card on a centre pile: who put it there (``None``: not known) and when it first touched (s)."""

    card: Card
    seat: Seat | None = None
    t: float | None = None


CentrePile = tuple[CentreCard, ...]
"""A centre pile with its history, bottom to top; empty where there is no pile."""


@dataclass(frozen=True, slots=True)
class Debt:
    """A card that lies where it must not, and where it has to go.

    Attributes:
        seat: who moved it.
        card: the card.
        at: where it lies.
        back_to: where it belongs.
        reason: why.
        binding: whether it has to go back. After nothing but a fault of the hands it may, and play goes on (G10).
    """

    seat: Seat
    card: Card
    at: Zone
    back_to: Zone
    reason: Reason
    binding: bool = True


@dataclass(frozen=True, slots=True)
class Side:
    """One player's cards and state.

    Attributes:
        phase: what the player is doing.
        stock: stock piles from the player's left; a gap is an empty pile.
        reserve: bottom to top.
        hand: cards to play from, in the hand variants.
        gathered: cards taken up for the next deal, in no order.
        pool: cards known to be among the player's unseen ones, as a sum of ``Card.bit``.
        slots: how many of the places may hold a stock pile (fewer after a short deal with gap_from_short_deal=false).
        score: points in a scored match.
        locked_until: time before which the player may not play (illegal_play=lockout), s.
    """

    phase: Phase
    stock: tuple[StockPile, ...] = ()
    reserve: tuple[Card, ...] = ()
    hand: tuple[Card, ...] = ()
    gathered: tuple[Card, ...] = ()
    pool: int = 0
    slots: int = 0
    score: int = 0
    locked_until: float | None = None

    @property
    def stock_count(self) -> int:
        """Cards in the stock piles."""
        return sum(map(len, self.stock))

    @property
    def held(self) -> int:
        """All the cards this player owns now, the centre piles left out."""
        return self.stock_count + len(self.reserve) + len(self.hand) + len(self.gathered)


@dataclass(frozen=True, slots=True)
class Claims:
    """Who takes which centre pile at the end of a round.

    Attributes:
        finisher: who cleared the layout; ``None`` when both were stuck without reserves.
        chooser: who alone may choose; ``None`` when the first hand on a pile decides.
        piles: for each seat the index of the pile that is due to it, ``None`` while undecided or when it gets none.
        slapped: the seats whose hand has been down.
    """

    finisher: Seat | None
    chooser: Seat | None = None
    piles: tuple[int | None, int | None] = (None, None)
    slapped: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """How a round ended: ``stock_empty``, ``no_reserve`` (both stuck without reserves) or ``passed`` (by agreement)."""

    number: int
    winner: Seat | None
    reason: str


@dataclass(frozen=True, slots=True)
class Result:
    """How the game or scored match ended: ``no_cards``, ``fewer_cards`` or ``score``; no winner is a draw."""

    winner: Seat | None
    reason: str
