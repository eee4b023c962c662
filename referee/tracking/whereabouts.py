"""Where the ledger has a card, and what it costs that one which it has nowhere is the one that was read."""

from __future__ import annotations

import math

from referee.cards import Card
from referee.rules.position import Position
from referee.table import CENTRES, HANDS, RESERVES, STOCKS, Seat, Zone


def whereabouts(position: Position, card: Card) -> tuple[Zone, int] | None:
    """Where the ledger has a card, and how many lie on it; ``None`` if it does not know."""
    if not card.bit & position.placed():
        return None
    for zone in CENTRES:
        pile = position.centre[zone.index]
        for depth, entry in enumerate(reversed(pile)):
            if entry.card is card:
                return zone, depth
    for seat in Seat:
        side = position.sides[seat]
        for zone, stock in zip(STOCKS[seat], side.stock, strict=False):
            for depth, one in enumerate(reversed(stock)):
                if one.card is card:
                    return zone, depth
        for zone, cards in ((RESERVES[seat], side.reserve), (HANDS[seat], side.hand)):
            if card in cards:
                return zone, len(cards) - 1 - cards.index(card)
    return None


def strangers(position: Position) -> float:
    """The cost of a card nobody has seen being the very one that was read."""
    unseen = 52 - position.placed().bit_count()
    return -math.log(max(1, unseen))
