"""The position: the exact ledger of 52 cards at one moment, and the state of the game around it.

Everything here is immutable. A position knows what is where as far as anybody has seen it; cards nobody has seen are
``UNKNOWN`` in their place, and ``Side.pool`` holds those known to be among a player's unseen cards (the centre pile
he took and shuffled in, say) without their places.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from referee.cards import FULL_DECK, UNKNOWN, Card
from referee.rules.piles import StockPile
from referee.rules.ruleset import RuleSet
from referee.table import CENTRES, HANDS, RESERVES, STOCKS, Seat, Zone, ZoneKind


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
    """

    seat: Seat
    card: Card
    at: Zone
    back_to: Zone
    reason: Reason

    @property
    def binding(self) -> bool:
        """Whether the card has to go back; after a fault of the hands it may, but play goes on meanwhile (G10)."""
        return self.reason not in (Reason.TWO_CARDS, Reason.TWO_HANDS)


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


@dataclass(frozen=True, slots=True)
class Position:
    """One moment of a game.

    Attributes:
        rules: the law.
        sides: each seat's cards and state.
        centre: the two places for centre piles.
        round: number of the round, from 1.
        home: for each seat, the index of the centre pile its spit cards go to.
        due: seats that owe a spit card now.
        landed: index of the pile the first spit card of a pair went to.
        unproven: the first spit card of the pair came although nobody can tell that both were stuck, so that play is
            not held up for the second (see ``Verdict.UNDECIDED``).
        owed: cards lying where they must not.
        claims: the claiming in progress.
        first_choice: seat that will choose a pile first because the other slapped early (G7).
        round_end: how the last round ended.
        result: how the game ended.
    """

    rules: RuleSet
    sides: tuple[Side, Side]
    centre: tuple[CentrePile, CentrePile] = ((), ())
    round: int = 1
    home: tuple[int, int] = (0, 1)
    due: tuple[Seat, ...] = ()
    landed: int | None = None
    unproven: bool = False
    owed: tuple[Debt, ...] = ()
    claims: Claims | None = None
    first_choice: Seat | None = None
    round_end: RoundEnd | None = None
    result: Result | None = None

    @property
    def phase(self) -> Phase:
        """The phase of the game: where the players' phases differ, that of the one who is further from play."""
        a, b = self.sides[0].phase, self.sides[1].phase
        return max(a, b, key=_DISTANCE.__getitem__)

    @property
    def frozen(self) -> bool:
        """Whether nothing may be played because spit cards have yet to land (G11)."""
        if not self.due or self.unproven or not self.rules.spit_freeze:
            return False
        return any(self.sides[seat].phase is Phase.PLAY for seat in self.due)

    @property
    def open_piles(self) -> tuple[int, ...]:
        """The indexes of the centre piles there are."""
        return tuple(index for index in (0, 1) if self.centre[index])

    def top(self, index: int) -> Card | None:
        """The top card of centre pile ``index``; ``None`` where there is no pile."""
        pile = self.centre[index]
        return pile[-1].card if pile else None

    def cards_at(self, zone: Zone) -> tuple[Card, ...]:
        """The cards of a zone, bottom to top, whichever side they show."""
        if zone.kind is ZoneKind.CENTRE:
            return tuple(entry.card for entry in self.centre[zone.index])
        assert zone.seat is not None
        side = self.sides[zone.seat]
        if zone.kind is ZoneKind.STOCK:
            return tuple(one.card for one in side.stock[zone.index]) if zone.index < len(side.stock) else ()
        return side.reserve if zone.kind is ZoneKind.RESERVE else side.hand

    def places(self) -> Iterator[tuple[Zone | None, Seat | None, tuple[Card, ...]]]:
        """Every heap of cards there is: its zone (``None`` for gathered cards), its owner, its cards."""
        for zone in CENTRES:
            yield zone, None, self.cards_at(zone)
        for seat in Seat:
            for zone in (*STOCKS[seat], RESERVES[seat], HANDS[seat]):
                yield zone, seat, self.cards_at(zone)
            yield None, seat, self.sides[seat].gathered

    def debt_of(self, card: Card, at: Zone) -> Debt | None:
        """The debt that ``card`` lying ``at`` a zone is, if it is one."""
        for debt in self.owed:
            if debt.card is card and debt.at is at:
                return debt
        return None

    def placed(self) -> int:
        """All cards whose place is known, as a sum of ``Card.bit``."""
        bits = 0
        for _, _, cards in self.places():
            for card in cards:
                bits |= card.bit
        return bits

    def unseen(self, seat: Seat) -> int:
        """How many of a seat's cards are unknown in their places."""
        return sum(card is UNKNOWN for _, owner, cards in self.places() if owner is seat for card in cards)

    def could_hold(self, seat: Seat) -> int:
        """The cards an unseen card of ``seat`` can be, as a sum of ``Card.bit`` (invariant: a card is in one place)."""
        hidden = self.unseen(seat)
        pool = self.sides[seat].pool
        if hidden == 0:
            return 0
        if hidden == pool.bit_count():
            return pool
        return FULL_DECK & ~self.placed() & ~self.sides[seat.other].pool

    def defects(self) -> tuple[str, ...]:
        """What is wrong with the ledger, a sentence each; empty for a sound one (52 cards, each once)."""
        found: list[str] = []
        total, seen = 0, 0
        for zone, seat, cards in self.places():
            total += len(cards)
            for card in cards:
                if card.bit & seen:
                    found.append(f"{card} is in {zone or f'the cards gathered by {seat}'} and in another place too")
                seen |= card.bit
        if total != 52:
            found.append(f"there are {total} cards instead of 52")
        for seat in Seat:
            pool = self.sides[seat].pool
            if pool & (seen | self.sides[seat.other].pool):
                found.append(f"a card said to be among the unseen ones of {seat} is somewhere else")
            if pool.bit_count() > self.unseen(seat):
                found.append(f"{seat} is said to hold more unseen cards than there are")
        for debt in self.owed:
            if debt.card not in self.cards_at(debt.at):
                found.append(f"{debt.card} is owed from {debt.at} and does not lie there")
        return tuple(found)

    def __str__(self) -> str:
        from referee.rules.notation import write_position

        return write_position(self)


_DISTANCE = {
    Phase.PLAY: 0,
    Phase.BEFORE_SPIT: 1,
    Phase.REDEAL: 2,
    Phase.CLAIM: 3,
    Phase.DEALING: 4,
    Phase.OVER: 5,
}


def start(rules: RuleSet) -> Position:
    """The position before the first deal: the pack shuffled and split, 26 unseen cards each (PT-3)."""
    side = Side(Phase.DEALING, gathered=(UNKNOWN,) * 26)
    return Position(rules, (side, side))
