"""Incidents that can be planted in a film, and the actions that commit them in a given position."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from referee.cards import Card
from referee.rules.actions import Action, Kind, Manner
from referee.rules.judge import judge
from referee.rules.moving import Impossible
from referee.rules.position import Position
from referee.rules.state import Phase, Reason
from referee.rules.stuck import playable
from referee.table import CENTRES, RESERVES, STOCKS, Seat

DUEL: Final = "duel"
FALSE_SPIT: Final = "false_spit"
KNOCK: Final = "knock"
BUMP: Final = "bump"
LAMP: Final = "lamp"
CUP: Final = "cup"
SLEEVE: Final = "sleeve"

KINDS: Final = MappingProxyType(
    {
        Reason.NOT_ADJACENT.value: "a card that does not fit",
        Reason.COLOUR.value: "a card of the wrong colour (rules with alternate_colours)",
        Reason.NOT_TOP.value: "a card from under the top of its pile",
        Reason.FACE_DOWN.value: "a card that was not turned up",
        Reason.NOT_STUCK.value: "a reserve card spat although somebody can play",
        Reason.WRONG_PILE.value: "a spit card on the other player's pile",
        Reason.FROM_RESERVE.value: "a reserve card played",
        Reason.OWN_CARDS_ONLY.value: "a hand on the other player's cards",
        Reason.TWO_CARDS.value: "two cards at once",
        Reason.TWO_HANDS.value: "a card moved with the off hand",
        Reason.NO_GAP.value: "a card on a stock pile that is no gap",
        Reason.TAKEN_BACK.value: "a card legally played and taken back",
        Reason.LATE.value: "a second card on one pile that no longer fits, so many ms after the first",
        DUEL: "a second card on one pile that still fits, so many ms after the first",
        Reason.EARLY_SLAP.value: "a hand on a centre pile during play",
        Reason.WRONG_ORDER.value: "a card moved before its time",
        FALSE_SPIT: "spit called although somebody can play",
        KNOCK: "a card knocked off its pile",
        BUMP: "the camera knocked",
        LAMP: "the lamp switched",
        CUP: "a cup on a pile for a while",
        SLEEVE: "a sleeve across piles for a while",
    }
)
"""Everything that can be planted, with what it is."""

DUELS: Final = (Reason.LATE.value, DUEL)
"""The kinds that come a given time after a card of the other player."""


@dataclass(frozen=True, slots=True)
class Incident:
    """Something to plant: its kind from ``KINDS``, from when on (s), and for duels the gap (s)."""

    kind: str
    t: float
    gap: float = 0.06


def parse_incident(text: str) -> Incident:
    """An incident written ``KIND@SECONDS``, or ``late@SECONDS:MS`` with the gap in ms.

    Raises:
        ValueError: a sentence that says what is wrong with it.
    """
    kind, at, when = text.partition("@")
    if kind not in KINDS:
        raise ValueError(f"there is no incident {kind!r}: there are {', '.join(KINDS)}")
    seconds, colon, gap = when.partition(":")
    if not at or (colon and kind not in DUELS):
        form, example = ("SECONDS:MS", "12:80") if kind in DUELS else ("SECONDS", "12")
        raise ValueError(f"{text!r} does not say when: write {kind}@{form}, for example {kind}@{example}")
    t = _number(seconds, "a time in seconds")
    return Incident(kind, t, _number(gap, "a gap in ms") / 1000) if colon else Incident(kind, t)


def _number(text: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(f"{text!r} is not {what}")
    return value


def offences(position: Position, kind: str, seat: Seat, t: float) -> list[tuple[Action, ...]]:
    """The ways ``seat`` can commit an incident at ``t`` that is an offence of its own: each one or two actions.

    The engine is asked of each what it would say, so none is given that would be legal or wrong for another reason.
    """
    reason = Reason.NOT_STUCK if kind == FALSE_SPIT else Reason(kind)
    early = reason in (Reason.WRONG_PILE, Reason.WRONG_ORDER)
    phases = {Phase.PLAY, Phase.BEFORE_SPIT} if early else {Phase.PLAY}
    if not {side.phase for side in position.sides} <= phases:
        return []
    found = []
    for actions in _WAYS.get(kind, _plays)(position, seat, t):
        try:
            rulings = [judge(position, action) for action in actions]
        except Impossible:
            continue
        if all(ruling.reason is reason for ruling in rulings):
            found.append(actions)
    return found


Ways = Iterator[tuple[Action, ...]]


def _tops(position: Position, seat: Seat) -> list[tuple[Card, int]]:
    """The cards that may be played if they fit, with the indexes of their stock piles."""
    return [(card, zone.index) for zone, card in playable(position.sides[seat], seat) if zone in STOCKS[seat]]


def _plays(position: Position, seat: Seat, t: float) -> Ways:
    for card, index in _tops(position, seat):
        for pile in position.open_piles:
            yield (Action(Kind.PLAY, seat, card, STOCKS[seat][index], CENTRES[pile], t),)


def _fitting(position: Position, seat: Seat, t: float) -> Ways:
    """Plays that would be legal if they were made the right way."""
    for (action,) in _plays(position, seat, t):
        if judge(position, action).legal:
            yield (action,)


def _two_hands(position: Position, seat: Seat, t: float) -> Ways:
    for (action,) in _fitting(position, seat, t):
        yield (Action(Kind.PLAY, seat, action.card, action.source, action.target, t, manner=Manner.TWO_HANDS),)


def _two_cards(position: Position, seat: Seat, t: float) -> Ways:
    tops = _tops(position, seat)
    for lower, low in tops:
        for upper, high in tops:
            for pile in position.open_piles:
                if low != high:
                    yield tuple(
                        Action(Kind.PLAY, seat, card, STOCKS[seat][index], CENTRES[pile], t, manner=Manner.TWO_CARDS)
                        for card, index in ((lower, low), (upper, high))
                    )


def _hidden(place: int) -> Callable[[Position, Seat, float], Ways]:
    """Plays of a card that lies ``place`` below the top and face down."""

    def ways(position: Position, seat: Seat, t: float) -> Ways:
        for index, pile in enumerate(position.sides[seat].stock):
            if len(pile) > place and not pile[-1 - place].up:
                for centre in position.open_piles:
                    card = pile[-1 - place].card
                    yield (Action(Kind.PLAY, seat, card, STOCKS[seat][index], CENTRES[centre], t),)

    return ways


def _reserve(kind: Kind) -> Callable[[Position, Seat, float], Ways]:
    """The top of the reserve put on a centre pile."""

    def ways(position: Position, seat: Seat, t: float) -> Ways:
        reserve = position.sides[seat].reserve
        if reserve:
            for zone in CENTRES:
                yield (Action(kind, seat, reserve[-1], RESERVES[seat], zone, t),)

    return ways


def _touches(position: Position, seat: Seat, t: float) -> Ways:
    for index, pile in enumerate(position.sides[seat.other].stock):
        if pile:
            yield (Action(Kind.TOUCH, seat, target=STOCKS[seat.other][index], t=t),)


def _stacks(position: Position, seat: Seat, t: float) -> Ways:
    stock = position.sides[seat].stock
    for card, index in _tops(position, seat):
        for other, pile in enumerate(stock):
            if other != index and pile and len(stock[index]) > 1:
                yield (Action(Kind.STACK, seat, card, STOCKS[seat][index], STOCKS[seat][other], t),)


def _taken_back(position: Position, seat: Seat, t: float) -> Ways:
    for index in position.open_piles:
        top = position.centre[index][-1]
        # It went on with its owner's blessing if it could be played again at once.
        below = position.centre[index][-2:-1]
        if top.seat is seat and below and position.rules.fit[below[0].card.code] & top.card.bit:
            for zone, pile in zip(STOCKS[seat], position.sides[seat].stock, strict=False):
                if not pile or pile[-1].up:
                    yield (Action(Kind.TAKE_BACK, seat, top.card, CENTRES[index], zone, t),)


def _slaps(position: Position, seat: Seat, t: float) -> Ways:
    for index in position.open_piles:
        yield (Action(Kind.SLAP, seat, target=CENTRES[index], t=t),)


def _calls(_position: Position, seat: Seat, t: float) -> Ways:
    yield (Action(Kind.CALL, seat, word="spit", t=t),)


def _too_soon(position: Position, seat: Seat, t: float) -> Ways:
    yield from _plays(position, seat, t)
    if position.sides[seat].phase is Phase.BEFORE_SPIT:
        for index, pile in enumerate(position.sides[seat].stock):
            if pile and not pile[-1].up:
                yield (Action(Kind.TURN_UP, seat, pile[-1].card, None, STOCKS[seat][index], t),)


_WAYS: Final[dict[str, Callable[[Position, Seat, float], Ways]]] = {
    Reason.NOT_TOP.value: _hidden(1),
    Reason.FACE_DOWN.value: _hidden(0),
    Reason.NOT_STUCK.value: _reserve(Kind.SPIT),
    Reason.WRONG_PILE.value: _reserve(Kind.SPIT),
    Reason.FROM_RESERVE.value: _reserve(Kind.PLAY),
    Reason.OWN_CARDS_ONLY.value: _touches,
    Reason.TWO_CARDS.value: _two_cards,
    Reason.TWO_HANDS.value: _two_hands,
    Reason.NO_GAP.value: _stacks,
    Reason.TAKEN_BACK.value: _taken_back,
    Reason.EARLY_SLAP.value: _slaps,
    Reason.WRONG_ORDER.value: _too_soon,
    FALSE_SPIT: _calls,
}
"""How the others than plain plays are committed."""


def second_cards(position: Position, first: Action, kind: str, t: float) -> list[Action]:
    """Cards the other player can put on the pile a card has just been played on.

    Args:
        position: the position after that card.
        first: its play.
        kind: ``late`` for cards that fitted until then, ``duel`` for cards that fit now.
        t: when the second card touches, s.
    """
    assert first.seat is not None
    found = []
    for (action,) in _plays(position, first.seat.other, t):
        ruling = judge(position, action)
        wanted = ruling.legal if kind == DUEL else ruling.reason is Reason.LATE
        if action.target is first.target and wanted:
            found.append(action)
    return found
