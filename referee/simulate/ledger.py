"""What lies where on the filmed table, legal or not: the plain physical truth."""

from __future__ import annotations

from referee.cards import Card
from referee.rules.actions import SeatDeal
from referee.rules.piles import Laid, laid
from referee.table import HANDS, RESERVES, STOCKS, Seat, Zone


class Ledger:
    """The cards of every zone, bottom to top, each with the side that is up; changed in place by what is done."""

    def __init__(self) -> None:
        self._piles: dict[Zone, list[Laid]] = {}

    def pile(self, zone: Zone) -> tuple[Laid, ...]:
        """The cards of a zone, bottom to top."""
        return tuple(self._piles.get(zone, ()))

    def top(self, zone: Zone) -> Laid | None:
        """The uppermost card of a zone."""
        pile = self._piles.get(zone)
        return pile[-1] if pile else None

    def own(self, seat: Seat) -> tuple[Zone, ...]:
        """A player's zones that hold cards: stock piles from the left, the reserve, the hand."""
        return tuple(zone for zone in (*STOCKS[seat], RESERVES[seat], HANDS[seat]) if self._piles.get(zone))

    def where(self, card: Card) -> Zone | None:
        """The zone a card lies in; ``None`` while it is off the table."""
        return next((zone for zone, pile in self._piles.items() if any(one.card is card for one in pile)), None)

    def lay_out(self, seat: Seat, deal: SeatDeal) -> None:
        """A player's new layout; what the player had is taken up, unless only a reserve is dealt (PT-V7)."""
        for zone in (*STOCKS[seat], RESERVES[seat], HANDS[seat]):
            if deal.stock or zone is RESERVES[seat]:
                self._piles.pop(zone, None)
        for zone, pile in zip(STOCKS[seat], deal.stock, strict=False):
            if pile:
                self._piles[zone] = list(pile)
        if deal.reserve:
            self._piles[RESERVES[seat]] = [laid(card, False) for card in deal.reserve]

    def take_up(self, zone: Zone) -> tuple[Laid, ...]:
        """All the cards of a zone, taken off the table."""
        return tuple(self._piles.pop(zone, ()))

    def lift(self, card: Card) -> tuple[Zone, int, Laid]:
        """Takes a card out of its pile: the zone, how many cards lay below it, and how it lay.

        Raises:
            ValueError: the card is not on the table.
        """
        zone = self.where(card)
        if zone is None:
            raise ValueError(f"{card} cannot be moved: it is not on the table")
        pile = self._piles[zone]
        level = next(i for i, one in enumerate(pile) if one.card is card)
        return zone, level, pile.pop(level)

    def put(self, zone: Zone, card: Card, *, up: bool) -> int:
        """Puts a card on a pile; the number of cards below it."""
        pile = self._piles.setdefault(zone, [])
        pile.append(laid(card, up))
        return len(pile) - 1
