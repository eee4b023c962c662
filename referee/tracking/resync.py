"""When the table contradicts the ledger for good: what does not fit, and a ledger that agrees with what is seen."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from referee.cards import DECK, UNKNOWN, Card
from referee.readings import BACK, EMPTY
from referee.rules.actions import SeatDeal
from referee.rules.flow import settle
from referee.rules.piles import FACE_DOWN_UNKNOWN, Laid, laid
from referee.rules.position import Position
from referee.rules.state import CentreCard, Phase
from referee.table import CENTRES, RESERVES, STOCKS, Seat, Zone, ZoneKind
from referee.tracking.sightings import FREE, Sighting, top

CLEAR: Final = -0.7
"""A reading that fits nothing better than this is not gone by."""

_CLEARED: Final = 3
"""With no more stock piles than this on the table, and no centre pile, the cards are being taken up."""

APART: Final = -5.0
"""A zone contradicts the ledger if its reading fits what should lie there worse than this."""


def taken_up(position: Position) -> Position:
    """The position in which both have gathered their cards, which nobody knows, to deal anew.

    A centre pile goes to whom it is due; failing that the smaller one to who has fewer cards in his layout.
    """
    return _Table(position).taken_up()


def _taker(position: Position, zone: Zone) -> Seat:
    """Who takes a centre pile, as far as one can tell."""
    claims = position.claims
    claimers = [seat for seat in Seat if position.sides[seat].phase is Phase.CLAIM]
    if claims is not None and zone.index in claims.piles:
        return Seat(claims.piles.index(zone.index))
    if len(claimers) == 1:
        return claimers[0]
    # Who clears the layout first takes the smaller pile as a rule.
    first = Seat.A if position.sides[0].stock_count <= position.sides[1].stock_count else Seat.B
    mine, other = (len(position.centre[index]) for index in (zone.index, 1 - zone.index))
    return first if (mine, zone.index) < (other, 1 - zone.index) else first.other


def contradictions(position: Position, latest: Mapping[Zone, Sighting]) -> tuple[Zone, ...]:
    """The zones that clearly show something else than the ledger has there.

    How many cards a reserve has is known better by what came of it than by its looks.
    """
    found = []
    for zone, one in latest.items():
        lies = top(position, zone)
        if zone.kind is not ZoneKind.RESERVE and lies != FREE and one.fit[lies] < APART and one.fit[one.best] > CLEAR:
            found.append(zone)
    return tuple(found)


def resynced(position: Position, latest: Mapping[Zone, Sighting], apart: Collection[Zone]) -> Position:
    """A sound position as near to ``position`` as what is seen in the zones ``apart`` allows.

    Cards that lie on top there are put there; what is missing for 52 lies unseen at the bottom of the centre piles or,
    where there are none, in the reserves. Where hardly anything lies on the table, the cards are being taken up.
    """
    table = _Table(position)
    clear = {zone: one.best for zone, one in latest.items() if one.fit[one.best] > CLEAR and zone in table.piles}
    lying = sum(outcome != EMPTY for zone, outcome in clear.items() if zone.kind is ZoneKind.STOCK)
    if lying <= _CLEARED and all(clear.get(zone) == EMPTY for zone in CENTRES):
        return table.taken_up()
    for zone in apart:
        if zone in clear:
            table.show(zone, clear[zone])
    after = table.position()
    done = next(
        (seat for seat in Seat if after.sides[seat].phase is Phase.PLAY and not any(after.sides[seat].stock)), None
    )
    return after if done is None else settle(after, done)


class _Table:
    """The cards of every place, changed until they agree with what is seen."""

    def __init__(self, position: Position) -> None:
        self._old = position
        self.piles: dict[Zone, list[Laid]] = {}
        for zone in CENTRES:
            self.piles[zone] = [laid(entry.card, True) for entry in position.centre[zone.index]]
        for seat in Seat:
            side = position.sides[seat]
            for index, zone in enumerate(STOCKS[seat]):
                self.piles[zone] = list(side.stock[index]) if index < len(side.stock) else []
            self.piles[RESERVES[seat]] = [laid(card, False) for card in side.reserve]

    def show(self, zone: Zone, outcome: int) -> None:
        """Lets ``zone`` show ``outcome``."""
        pile = self.piles[zone]
        if outcome == EMPTY:
            self._bury(pile)
            pile.clear()
        elif outcome == BACK:
            while pile and pile[-1].up:
                self._bury([pile.pop()])
            if not pile:
                pile.append(FACE_DOWN_UNKNOWN)
        elif not (pile and pile[-1].up and pile[-1].card.code == outcome):
            self._put(pile, zone, DECK[outcome])

    def _put(self, pile: list[Laid], zone: Zone, card: Card) -> None:
        if zone.kind is ZoneKind.CENTRE:
            self._take(card)
            pile.append(laid(card, True))
            return
        self._take(card)
        if pile and pile[-1].up:
            # As many cards as before: the top was taken for another.
            pile[-1] = laid(card, True)
            return
        if pile and pile[-1].card is UNKNOWN:
            pile.pop()
        pile.append(laid(card, True))

    def _take(self, card: Card) -> None:
        """Takes a card from where it was thought to be; under others there was another, then."""
        for pile in self.piles.values():
            if pile and pile[-1].card is card:
                pile.pop()
            pile[:] = [laid(UNKNOWN, one.up) if one.card is card else one for one in pile]

    def _bury(self, cards: list[Laid]) -> None:
        """Cards that went away unseen lie in a centre pile, known ones as what they are."""
        under = max((self.piles[zone] for zone in CENTRES), key=len)
        under[:0] = [laid(one.card, True) for one in cards]

    def position(self) -> Position:
        """The position, with 52 cards in it."""
        old = self._old
        loose = sum(len(side.hand) + len(side.gathered) for side in old.sides)
        self._fill(52 - loose - sum(map(len, self.piles.values())))
        sides = []
        playing = any(self.piles[zone] for zone in CENTRES)
        for seat in Seat:
            side = old.sides[seat]
            places = max(len(side.stock), len(old.rules.plan.piles))
            stock = tuple(tuple(self.piles[zone]) for zone in STOCKS[seat][:places])
            reserve = tuple(one.card for one in self.piles[RESERVES[seat]])
            phase = side.phase
            if any(stock) and not side.gathered:
                phase = Phase.PLAY if playing else Phase.BEFORE_SPIT
            slots = side.slots or len(old.rules.plan.piles)
            sides.append(replace(side, phase=phase, stock=stock, reserve=reserve, pool=0, slots=slots))
        centre = tuple(tuple(CentreCard(one.card) for one in self.piles[zone]) for zone in CENTRES)
        a, b = sides
        claims = old.claims if any(side.phase is Phase.CLAIM for side in sides) else None
        due = () if playing else tuple(seat for seat in Seat if sides[seat].phase is Phase.BEFORE_SPIT)
        return replace(
            old,
            sides=(a, b),
            centre=(centre[0], centre[1]),
            due=due,
            landed=None,
            unproven=False,
            owed=(),
            claims=claims,
        )

    def taken_up(self) -> Position:
        """See the function."""
        old = self._old
        held = [old.sides[seat].held for seat in Seat]
        for zone in CENTRES:
            held[_taker(old, zone)] += len(self.piles[zone])
        sides = [
            replace(
                old.sides[seat],
                phase=Phase.REDEAL,
                stock=(),
                reserve=(),
                hand=(),
                gathered=(UNKNOWN,) * held[seat],
                pool=0,
            )
            for seat in Seat
        ]
        return replace(
            old,
            sides=(sides[0], sides[1]),
            centre=((), ()),
            due=(),
            landed=None,
            unproven=False,
            owed=(),
            claims=None,
            home=(0, 1),
            round=old.round + 1,
        )

    def _fill(self, missing: int) -> None:
        heaps = [self.piles[zone] for zone in (*CENTRES, *RESERVES)]
        while missing > 0:
            heap = min((heap for heap in heaps[:2] if heap), key=len, default=heaps[2])
            heap.insert(0, laid(UNKNOWN, True) if heap in heaps[:2] else FACE_DOWN_UNKNOWN)
            missing -= 1
        everywhere = [*heaps, *(self.piles[zone] for seat in Seat for zone in STOCKS[seat])]
        while missing < 0:
            # A card too many is one that nobody has seen; failing that, the lowest of a centre pile.
            hiding = [heap for heap in everywhere if any(one.card is UNKNOWN for one in heap[:-1])]
            heap = hiding[0] if hiding else max(everywhere, key=len)
            heap.pop(next((index for index, one in enumerate(heap) if one.card is UNKNOWN), 0))
            missing += 1


def named(position: Position, zone: Zone, card: Card) -> Position:
    """The position with the unnamed face-up top of a stock pile known to be ``card``."""
    assert zone.seat is not None
    side = position.sides[zone.seat]
    if zone.index >= len(side.stock) or not side.stock[zone.index]:
        return position
    pile = side.stock[zone.index]
    if not pile[-1].up or pile[-1].card is not UNKNOWN:
        return position
    stock = (*side.stock[: zone.index], (*pile[:-1], laid(card, True)), *side.stock[zone.index + 1 :])
    sides = list(position.sides)
    sides[zone.seat] = replace(side, stock=stock, pool=side.pool & ~card.bit)
    return position.with_cards((sides[0], sides[1]), position.centre)


def exchanged(position: Position, wrong: Card, card: Card) -> Position:
    """The position with ``card`` wherever ``wrong`` is, which is then nowhere."""
    if not position.placed() & wrong.bit:
        return position

    def pick(one: Card) -> Card:
        return card if one is wrong else one

    sides = []
    for seat, side in zip(Seat, position.sides, strict=True):
        stock = tuple(tuple(laid(pick(one.card), one.up) for one in pile) for pile in side.stock)
        reserve, hand = (tuple(map(pick, cards)) for cards in (side.reserve, side.hand))
        # Whoever has gathered both deals the one instead of the other.
        gathered = side.gathered if card in side.gathered else tuple(map(pick, side.gathered))
        pool = side.pool & ~card.bit
        if pool != side.pool and position.unseen(seat) == side.pool.bit_count():
            pool |= wrong.bit
        sides.append(replace(side, stock=stock, reserve=reserve, hand=hand, gathered=gathered, pool=pool))
    centre = tuple(
        tuple(replace(entry, card=card) if entry.card is wrong else entry for entry in pile) for pile in position.centre
    )
    owed = tuple(replace(debt, card=card) if debt.card is wrong else debt for debt in position.owed)
    a, b = sides
    return replace(position, sides=(a, b), centre=(centre[0], centre[1]), owed=owed)


def dealt_anew(
    deals: tuple[SeatDeal | None, SeatDeal | None], wrong: Card, card: Card
) -> tuple[SeatDeal | None, SeatDeal | None]:
    """A deal with ``card`` in the place of ``wrong``."""

    def anew(dealt: SeatDeal | None) -> SeatDeal | None:
        if dealt is None or wrong not in dealt.cards:
            return dealt
        stock = tuple(tuple(laid(card, one.up) if one.card is wrong else one for one in pile) for pile in dealt.stock)
        return replace(dealt, stock=stock)

    return anew(deals[0]), anew(deals[1])
