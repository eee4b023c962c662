"""Cards moving on the table: what is physically possible, and the ledger afterwards. Nothing here knows the law.

A move that cannot have happened raises ``Impossible``; a judge never sees one. Where the ledger does not know a card,
seeing it leave its place is how the ledger learns it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from referee.cards import UNKNOWN, Card
from referee.rules.actions import Action
from referee.rules.piles import Laid, laid
from referee.rules.position import Position
from referee.rules.state import CentreCard, Phase, Side
from referee.table import Seat, Zone, ZoneKind


class Impossible(ValueError):
    """An action that cannot have happened in a position; the sentence says what speaks against it."""


def actor(action: Action) -> Seat:
    """Who did it; ``Impossible`` if the action does not say."""
    if action.seat is None:
        raise Impossible(f"'{action}' has no player")
    return action.seat


def moved(action: Action) -> tuple[Seat, Card, Zone, Zone]:
    """Who moved what card from where to where; ``Impossible`` if the action does not say."""
    if action.card is None or action.source is None or action.target is None:
        raise Impossible(f"'{action}' does not say what card went from where to where")
    if action.source is action.target:
        raise Impossible(f"'{action}' moves nothing: the card stays where it was")
    return actor(action), action.card, action.source, action.target


@dataclass(frozen=True, slots=True)
class Lifted:
    """Where in a zone a moving card lies: which it is, its place from the bottom, whether on top, the side it shows."""

    card: Card
    index: int
    top: bool
    up: bool


def find(position: Position, zone: Zone, card: Card) -> Lifted:
    """Find ``card`` in ``zone``: itself, or else the topmost unknown card that it may be.

    Raises:
        Impossible: the zone is empty or does not hold the card, or the ledger has the card elsewhere.
    """
    if zone.kind is ZoneKind.STOCK:
        assert zone.seat is not None
        stock = position.sides[zone.seat].stock
        pile = stock[zone.index] if zone.index < len(stock) else ()
        if pile and pile[-1].card is card and card is not UNKNOWN:
            return Lifted(card, len(pile) - 1, True, pile[-1].up)
        cards = tuple(one.card for one in pile)
        index = _search(position, zone, cards, card)
        return Lifted(_named(card, cards[index]), index, index == len(pile) - 1, pile[index].up)
    cards = position.cards_at(zone)
    index = _search(position, zone, cards, card)
    # A hand has no top: any of its cards can be played.
    top = zone.kind is ZoneKind.HAND or index == len(cards) - 1
    return Lifted(_named(card, cards[index]), index, top, zone.kind is ZoneKind.CENTRE)


def _named(seen: Card, kept: Card) -> Card:
    """The card as the action names it, or as the ledger has it where nobody saw it move."""
    return kept if seen is UNKNOWN else seen


def _search(position: Position, zone: Zone, cards: tuple[Card, ...], card: Card) -> int:
    if not cards:
        raise Impossible(f"no card can leave {zone}: there is none")
    if card is UNKNOWN:
        return len(cards) - 1
    for index in range(len(cards) - 1, -1, -1):
        if cards[index] is card:
            return index
    for index in range(len(cards) - 1, -1, -1):
        if cards[index] is UNKNOWN:
            check_unplaced(position, card, zone)
            return index
    raise Impossible(f"{card} cannot leave {zone}: the ledger has {' '.join(map(str, cards))} there")


def check_unplaced(position: Position, card: Card, zone: Zone) -> None:
    """Raise ``Impossible`` if a card seen for the first time in ``zone`` is known to be elsewhere."""
    for place, seat, cards in position.places() if card.bit & position.placed() else ():
        if card in cards:
            raise Impossible(f"{card} cannot be at {zone}: the ledger has it at {place or f'the cards of {seat}'}")
    if zone.seat is not None:
        other = zone.seat.other
        if card.bit & position.sides[other].pool:
            raise Impossible(f"{card} cannot be at {zone}: it is among the unseen cards of {other}")


def with_side(position: Position, seat: Seat, side: Side) -> Position:
    """``position`` with one seat's side replaced."""
    sides = position.sides
    return position.with_cards((side, sides[1]) if seat is Seat.A else (sides[0], side), position.centre)


def with_stock(side: Side, index: int, pile: tuple[Laid, ...]) -> Side:
    """``side`` with one stock pile replaced."""
    stock = side.stock
    stock = (*stock[:index], pile, *stock[index + 1 :])
    rest = side.pool, side.slots, side.score, side.locked_until
    return Side(side.phase, stock, side.reserve, side.hand, side.gathered, *rest)


def move(position: Position, action: Action, found: Lifted) -> Position:
    """The position after the card ``found`` went from the action's source to the top of its target.

    In a stock pile a card from another one keeps its side; from anywhere else it comes showing its face.
    """
    seat, _, source, target = moved(action)
    sides, centre = list(position.sides), list(position.centre)
    up = found.up if source.kind is ZoneKind.STOCK else True
    if source.seat is None:
        pile = centre[source.index]
        centre[source.index] = (*pile[: found.index], *pile[found.index + 1 :])
    else:
        sides[source.seat] = _without(sides[source.seat], source, found)
    if target.seat is None:
        centre[target.index] = (*centre[target.index], CentreCard(found.card, seat, action.t))
    else:
        rounds = position.rules.plan.rounds
        sides[target.seat] = _with(sides[target.seat], target, found.card, up, rounds)
    return position.with_cards((sides[0], sides[1]), (centre[0], centre[1]))


def _without(side: Side, zone: Zone, found: Lifted) -> Side:
    index = found.index
    if zone.kind is ZoneKind.STOCK:
        pile = side.stock[zone.index]
        unknown = pile[index].card is UNKNOWN
        side = with_stock(side, zone.index, (*pile[:index], *pile[index + 1 :]))
    elif zone.kind is ZoneKind.RESERVE:
        unknown = side.reserve[index] is UNKNOWN
        side = replace(side, reserve=(*side.reserve[:index], *side.reserve[index + 1 :]))
    else:
        unknown = side.hand[index] is UNKNOWN
        side = replace(side, hand=(*side.hand[:index], *side.hand[index + 1 :]))
    return _learnt(side, found.card) if unknown else side


def _with(side: Side, zone: Zone, card: Card, up: bool, rounds: bool) -> Side:
    if side.phase is Phase.REDEAL and (rounds or zone.kind is ZoneKind.RESERVE):
        # The cards of that side have been gathered up, and this one with them.
        return replace(side, gathered=(*side.gathered, card))
    if zone.kind is ZoneKind.STOCK:
        # Somebody may put a card where no stock pile was planned; there is room for it on the table all the same.
        places = (*side.stock, *((),) * (zone.index + 1 - len(side.stock)))
        return with_stock(replace(side, stock=places), zone.index, (*places[zone.index], laid(card, up)))
    if zone.kind is ZoneKind.RESERVE:
        return replace(side, reserve=(*side.reserve, card))
    return replace(side, hand=(*side.hand, card))


def _learnt(side: Side, card: Card) -> Side:
    """``side`` once one of its unseen cards has come to light, or has gone away unseen as ``UNKNOWN``."""
    if card is UNKNOWN:
        # It may have been any of those known to be there, so none of them is known to be there any more.
        return replace(side, pool=0)
    return replace(side, pool=side.pool & ~card.bit) if side.pool & card.bit else side


def turn(position: Position, zone: Zone, found: Lifted) -> Position:
    """The position with the top of ``zone`` turned face up."""
    assert zone.seat is not None
    card = found.card
    side = position.sides[zone.seat]
    if zone.kind is ZoneKind.RESERVE:
        # A reserve has no face-up cards in the ledger; that this one was seen is all there is to note.
        unknown = side.reserve[-1] is UNKNOWN
        side = replace(side, reserve=(*side.reserve[:-1], card))
    else:
        pile = side.stock[zone.index]
        unknown = pile[-1].card is UNKNOWN
        side = with_stock(side, zone.index, (*pile[:-1], laid(card, True)))
    return with_side(position, zone.seat, _learnt(side, card) if unknown and card.known else side)


def draw(side: Side, size: int) -> Side:
    """``side`` with its hand filled up to ``size`` cards from the top of the reserve (PT-V5, PT-V6)."""
    wanted = min(size - len(side.hand), len(side.reserve))
    if wanted <= 0:
        return side
    kept, drawn = side.reserve[:-wanted], side.reserve[-wanted:]
    return replace(side, reserve=kept, hand=(*side.hand, *reversed(drawn)))


def gather(side: Side, taken: Iterable[Card]) -> Side:
    """``side`` with all its cards and those ``taken`` from the centre in one heap (PT-27, PL-20, C20)."""
    stock = (one.card for pile in side.stock for one in pile)
    cards = sorted((*stock, *side.reserve, *side.hand, *side.gathered, *taken), key=lambda card: card.code)
    return replace(side, stock=(), reserve=(), hand=(), gathered=tuple(cards))
