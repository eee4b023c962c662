"""Stuck players and stalemates (G1, G2, G3, PT-21..24, PL-17, X19).

A player is stuck when no card of his fits a centre pile, no face-down top waits to be turned up, and moving cards
within his layout cannot expose a card that lies face down. Shifting a lone card from gap to gap exposes nothing, so it
never keeps a stalemate away.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.cards import UNKNOWN, Card
from referee.rules.actions import Action, fill, play, stack, turn_up
from referee.rules.piles import StockPile
from referee.rules.position import Position
from referee.rules.state import Debt, Phase, Reason, Side
from referee.table import CENTRES, HANDS, STOCKS, Seat, Zone


@dataclass(frozen=True, slots=True)
class Stuck:
    """Whether a player is stuck, and what shows that he is not.

    Attributes:
        stuck: true only if it is certain.
        witness: an action that gets the player on; ``None`` if there is none, or none that is known.
        unseen: not stuck for certain, only because a card nobody has seen might be playable.
    """

    stuck: bool
    witness: Action | None = None
    unseen: bool = False

    def __bool__(self) -> bool:
        return self.stuck


_STUCK = Stuck(True)
_UNSEEN = Stuck(False, unseen=True)
_BOTH = (Seat.A, Seat.B)


def stuck(position: Position, seat: Seat) -> Stuck:
    """Whether ``seat`` is stuck in ``position``, with the witness if not."""
    side = position.sides[seat]
    way, unseen = _play(position, side, seat)
    if way is None:
        way = _reveal(position, side, seat)
    if way is not None:
        return Stuck(False, way)
    return _UNSEEN if unseen else _STUCK


def _play(position: Position, side: Side, seat: Seat) -> tuple[Action | None, bool]:
    """A card that fits a centre pile, if there is one; and whether an unseen card might."""
    fit = position.rules.fit
    tops = [(index, pile[-1].card) for index, pile in enumerate(position.centre) if pile]
    cards = playable(side, seat)
    for zone, card in cards:
        for index, top in tops:
            if fit[top.code] & card.bit:
                return play(seat, card, zone, CENTRES[index]), False
    if any(top is UNKNOWN for _, top in tops):
        return None, bool(cards)
    if any(card is UNKNOWN for _, card in cards):
        could = position.could_hold(seat)
        return None, any(fit[top.code] & could for _, top in tops)
    return None, False


def playable(side: Side, seat: Seat) -> list[tuple[Zone, Card]]:
    """The cards a player may put on a centre pile if they fit: face-up tops and the hand (PT-16, PT-V5)."""
    zones = STOCKS[seat]
    cards = [(zones[i], pile[-1].card) for i, pile in enumerate(side.stock) if pile and pile[-1].up]
    cards += [(HANDS[seat], card) for card in side.hand]
    return cards


def _reveal(position: Position, side: Side, seat: Seat) -> Action | None:
    """A face-down top to turn up, or a move within the layout that leads to one (G1)."""
    zones = STOCKS[seat]
    covering: list[int] = []
    gap: int | None = None
    for index, pile in enumerate(side.stock):
        if not pile:
            if index < side.slots and gap is None:
                gap = index
        elif not pile[-1].up:
            return turn_up(seat, pile[-1].card, zones[index])
        elif len(pile) > 1 and (hides(pile) or _frees(position, pile)):
            covering.append(index)
    if not covering:
        return None
    if gap is not None:
        return fill(seat, side.stock[covering[0]][-1].card, zones[covering[0]], zones[gap])
    return _stack(side, seat, covering) if position.rules.same_rank_stack else None


def hides(pile: StockPile) -> bool:
    """Whether a card lies face down in ``pile``."""
    return any(not one.up for one in pile)


def _frees(position: Position, pile: StockPile) -> bool:
    """Whether moving the top away lets the face-up card under it be played: one that was stacked on (X1, G6)."""
    fit = position.rules.fit
    return any(centre and fit[centre[-1].card.code] & pile[-2].card.bit for centre in position.centre)


def _stack(side: Side, seat: Seat, covering: list[int]) -> Action | None:
    """A stack of equals (X1) off a pile worth uncovering, or one that empties a pile so that a fill can follow."""
    zones = STOCKS[seat]
    tops = [(index, pile[-1].card) for index, pile in enumerate(side.stock) if pile and pile[-1].card.rank]
    for source, card in sorted(tops, key=lambda top: top[0] not in covering):
        for target, other in tops:
            if source != target and card.rank == other.rank:
                return stack(seat, card, zones[source], zones[target])
    return None


def stalemate(position: Position) -> bool:
    """Whether neither side can do anything that changes matters: time to spit, or the end of the round.

    False while a card is owed back, for its return may open something, and while a spit card is due.
    """
    a, b = position.sides
    if a.phase is not Phase.PLAY or b.phase is not Phase.PLAY or position.due:
        return False
    if any(_holds_up(position, debt) for debt in position.owed):
        return False
    return stuck(position, Seat.A).stuck and stuck(position, Seat.B).stuck


def _holds_up(position: Position, debt: Debt) -> bool:
    may_stand = position.rules.illegal_play == "stands_if_unchallenged" and debt.reason is not Reason.LATE
    return debt.binding and not may_stand


def spitters(position: Position) -> tuple[Seat, ...]:
    """The seats with a reserve to spit from; one alone only where the rules let it (PT-23, C8)."""
    if position.sides[0].reserve and position.sides[1].reserve:
        return _BOTH
    able = tuple(seat for seat in Seat if position.sides[seat].reserve)
    if len(able) == 1 and position.rules.one_empty_reserve == "end_round":
        return ()
    return able
