"""How many cards go where: the layouts, and what is dealt from too few cards."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from referee.table import MAX_STOCK_PILES


@dataclass(frozen=True, slots=True)
class Layout:
    """One way of laying out a player's cards.

    Attributes:
        piles: cards in each full stock pile, first to last.
        hand: cards drawn from the reserve to play from (0: no hand).
        rounds: whether clearing the stock piles ends the round; with one pile and a hand it does not (PT-V6).
    """

    piles: tuple[int, ...]
    hand: int = 0
    rounds: bool = True

    @property
    def full(self) -> int:
        """Cards in a full set of stock piles."""
        return sum(self.piles)


LAYOUTS: Final = MappingProxyType(
    {
        "triangle5": Layout((1, 2, 3, 4, 5)),
        "triangle4": Layout((1, 2, 3, 4)),
        "eleven_plus_four": Layout((11, 1, 1, 1, 1)),
        "hand5": Layout((1, 2, 3, 4, 5), hand=5),
        "single10_hand": Layout((10,), hand=5, rounds=False),
    }
)
"""The layouts by name: the usual one, PT-V1, PT-V2, PT-V5 and PT-V6."""

assert all(len(layout.piles) <= MAX_STOCK_PILES for layout in LAYOUTS.values())


@dataclass(frozen=True, slots=True)
class Sizes:
    """Card counts of one player's deal: each stock pile (gaps left out), and the reserve."""

    stock: tuple[int, ...]
    reserve: int

    @property
    def total(self) -> int:
        """All the cards dealt."""
        return sum(self.stock) + self.reserve


def deal_sizes(layout: Layout, cards: int, short_deal: str) -> Sizes:
    """What a player who owns ``cards`` cards deals (PT-9, PT-29, PL-22, SV-9, SV-E4, C14, C16, C17).

    With ``partial_pile`` the cards are dealt pile by pile until they run out, the last pile perhaps short, and none
    is left for the reserve. With ``whole_piles`` only piles that come out whole are made and the rest is the reserve;
    the first pile is made even when it comes out short, for a player must have something to play.
    """
    if cards >= layout.full:
        return Sizes(layout.piles, cards - layout.full)
    stock: list[int] = []
    left = cards
    for size in layout.piles:
        if left == 0 or (short_deal == "whole_piles" and left < size and stock):
            break
        stock.append(min(size, left))
        left -= stock[-1]
    return Sizes(tuple(stock), left)
