"""The position: the exact ledger of 52 cards at one moment, and the state of the game around it.

It is immutable. It knows what is where as far as anybody has seen it; cards nobody has seen are ``UNKNOWN`` in their
place, and ``Side.pool`` holds those known to be among a player's unseen cards (the centre pile he took and shuffled in,
say) without their places.

Its text is one line, as FEN is for chess: words separated by spaces, the ruleset, each side, the centre piles, then
only what is not as usual::

    house A=play;QH/9hJC/-/xx8H/xxxxTC;#10 B=play;AD/xxKS/xxxx3D/xx5H/xx7C;#10 C=9DA,8HA@4.187/JHB,TCB

A side is its phase, stock piles (bottom to top, ``-`` a gap, capital suits face up, small ones face down, ``xx``
unseen) and reserve, then ``hand=``, ``gathered=``, ``pool=``, ``slots=``, ``score=``, ``locked=`` where they differ
from the usual. A centre card is followed by the seat that put it there and the time of first touch, where known. The
words after the centre are ``round=2``, ``home=21``, ``due=AB``, ``landed=1``, ``unproven=yes``,
``owed=A:7C:C2>A5:late``, ``claims=``, ``first=``, ``ended=`` and ``result=``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from referee.cards import FULL_DECK, UNKNOWN, Card
from referee.rules import notation
from referee.rules.ruleset import RuleSet
from referee.rules.settings import parse_ruleset
from referee.rules.state import CentrePile, Claims, Debt, Phase, Result, RoundEnd, Side
from referee.table import CENTRES, HANDS, RESERVES, STOCKS, Seat, Zone, ZoneKind


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
    _placed: int = field(default=-1, init=False, repr=False, compare=False)

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

    def with_cards(self, sides: tuple[Side, Side], centre: tuple[CentrePile, CentrePile]) -> Position:
        """The same with its cards elsewhere: ``replace`` in a fraction of its time, for every action makes one."""
        lately = self.claims, self.first_choice, self.round_end, self.result
        spits = self.home, self.due, self.landed, self.unproven
        return Position(self.rules, sides, centre, self.round, *spits, self.owed, *lately)

    def debt_of(self, card: Card, at: Zone) -> Debt | None:
        """The debt that ``card`` lying ``at`` a zone is, if it is one."""
        for debt in self.owed:
            if debt.card is card and debt.at is at:
                return debt
        return None

    def placed(self) -> int:
        """All cards whose place is known, as a sum of ``Card.bit``."""
        # Every account of what was done asks this over and over of the same few positions.
        if self._placed >= 0:
            return self._placed
        bits = 0
        for pile in self.centre:
            for entry in pile:
                bits |= entry.card.bit
        for side in self.sides:
            for stock in side.stock:
                for one in stock:
                    bits |= one.card.bit
            for heap in (side.reserve, side.hand, side.gathered):
                for card in heap:
                    bits |= card.bit
        object.__setattr__(self, "_placed", bits)
        return bits

    def unseen(self, seat: Seat) -> int:
        """How many of a seat's cards are unknown in their places."""
        side = self.sides[seat]
        laid = sum(one.card is UNKNOWN for stock in side.stock for one in stock)
        return laid + sum(heap.count(UNKNOWN) for heap in (side.reserve, side.hand, side.gathered))

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


def write_position(position: Position) -> str:
    """The position in one line; ``parse_position`` is its inverse."""
    words = [
        str(position.rules),
        *(f"{seat}={notation.write_side(position.rules, position.sides[seat])}" for seat in Seat),
        f"C={'/'.join(notation.write_centre(pile) for pile in position.centre)}",
    ]
    if position.round != 1:
        words.append(f"round={position.round}")
    if position.home != (0, 1):
        words.append(f"home={''.join(str(index + 1) for index in position.home)}")
    if position.due:
        words.append(f"due={''.join(map(str, position.due))}")
    if position.landed is not None:
        words.append(f"landed={position.landed + 1}")
    if position.unproven:
        words.append("unproven=yes")
    words += [f"owed={notation.write_debt(debt)}" for debt in position.owed]
    if position.claims is not None:
        words.append(f"claims={notation.write_claims(position.claims)}")
    if position.first_choice is not None:
        words.append(f"first={position.first_choice}")
    if position.round_end is not None:
        end = position.round_end
        words.append(f"ended={end.number}:{notation.write_seat(end.winner)}:{end.reason}")
    if position.result is not None:
        words.append(f"result={notation.write_seat(position.result.winner)}:{position.result.reason}")
    return " ".join(words)


def parse_position(text: str) -> Position:
    """The position written ``text``.

    Raises:
        ValueError: a sentence that says which word is wrong, or what is wrong with the ledger.
    """
    words = text.split()
    if not words:
        raise ValueError("a position begins with its ruleset, for example house")
    rules = parse_ruleset(words[0])
    given: dict[str, list[str]] = {}
    for word in words[1:]:
        key, equals, value = word.partition("=")
        if not equals or key not in _WORDS:
            raise ValueError(f"{word!r} is no part of a position; its parts are {', '.join(_WORDS)}")
        given.setdefault(key, []).append(value)
    twice = next((key for key, values in given.items() if len(values) > 1 and key != "owed"), None)
    missing = next((key for key in ("A", "B", "C") if key not in given), None)
    if twice or missing:
        raise ValueError(f"the position gives {twice} twice" if twice else f"the position lacks {missing}=")
    one = {key: values[0] for key, values in given.items()}
    try:
        position = Position(
            rules,
            (notation.parse_side(rules, one["A"]), notation.parse_side(rules, one["B"])),
            notation.parse_centre(one["C"]),
            notation.parse_count(one.get("round", "1")),
            notation.parse_home(one.get("home", "12")),
            tuple(Seat[letter] for letter in one.get("due", "")),
            notation.parse_index(one["landed"]) if "landed" in one else None,
            "unproven" in one,
            tuple(notation.parse_debt(debt) for debt in given.get("owed", ())),
            notation.parse_claims(one["claims"]) if "claims" in one else None,
            Seat[one["first"]] if "first" in one else None,
            notation.parse_end(one["ended"]) if "ended" in one else None,
            notation.parse_result(one["result"]) if "result" in one else None,
        )
    except (KeyError, IndexError) as error:
        raise ValueError(f"the position cannot be read at {error.args[0]!r}") from None
    defects = position.defects()
    if defects:
        raise ValueError(f"the position does not hold together: {'; '.join(defects)}")
    return position


_WORDS = ("A", "B", "C", "round", "home", "due", "landed", "unproven", "owed", "claims", "first", "ended", "result")
