"""A disputed ruling: what lay on the table, what could have been played, who touched first, what another law says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from referee.record.refereed import Followed, Refereed, Said
from referee.rules.actions import Action, Kind
from referee.rules.judge import judge
from referee.rules.moves import legal_actions
from referee.rules.moving import Impossible
from referee.rules.position import Position
from referee.rules.ruleset import RuleSet
from referee.rules.ruling import Ruling
from referee.table import STOCKS, Seat, Zone, ZoneKind

AROUND_S: Final = 1.0
"""Rulings so near to the disputed one are shown with it."""

RACE_S: Final = 0.5
"""Plays on one pile that are further apart are no race."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """A disputed ruling.

    Attributes:
        names: what seats A and B are called.
        said: the ruling as it was given.
        known: the positions before and after it; None where nobody can tell them.
        lost: why not, as a sentence; empty where they are known.
        could: for each seat what could have been played then; nothing where the position is not known.
        around: what was ruled upon within ``AROUND_S``, the disputed ruling too, in order of first touch.
    """

    names: tuple[str, str]
    said: Said
    known: Followed | None
    lost: str
    could: tuple[tuple[Action, ...], tuple[Action, ...]]
    around: tuple[Said, ...]

    @property
    def zones(self) -> tuple[Zone, ...]:
        """Where it happened: the pile acted on, then where the card came from."""
        action = self.said.action
        return tuple(zone for zone in (action.target, action.source) if zone is not None)

    @property
    def rivals(self) -> tuple[Said, ...]:
        """Plays by the other seat on the same pile, so near in time that they raced."""
        action = self.said.action
        if action.kind is not Kind.PLAY:
            return ()
        return tuple(
            other
            for other in self.around
            if other.action.kind is Kind.PLAY
            and other.action.seat is not action.seat
            and other.action.target is action.target
            and abs(other.t - self.said.t) <= RACE_S
        )


def dispute(game: Refereed, t: float) -> Dispute:
    """The ruling nearest to ``t`` s.

    Raises:
        UserError: there is none.
    """
    number = game.nearest(t)
    said, followed = game.said[number], game.followed(number)
    known, lost = (None, followed) if isinstance(followed, str) else (followed, "")
    open_to = [] if known is None else legal_actions(known.before)
    a, b = (tuple(action for action in open_to if action.seat is seat) for seat in Seat)
    around = [other for other in game.said if abs(other.t - said.t) <= AROUND_S]
    around.sort(key=lambda other: other.t)
    return Dispute(game.names, said, known, lost, (a, b), tuple(around))


def rejudged(known: Followed, rules: RuleSet) -> Ruling | str:
    """The ruling under another law, with the cards as they lay; a sentence where that law cannot judge it."""
    try:
        return judge(replace(known.before, rules=rules), known.ruling.action)
    except Impossible as error:
        return str(error)


def order(first: Said, second: Said, names: Sequence[str]) -> str:
    """Which of two plays on one pile touched first, in a sentence."""
    if second.t_from < first.t_from:
        first, second = second, first
    early, late = _who(first, names), _who(second, names)
    least = second.t_from - first.t_to
    if least < 0:
        return f"{early}'s and {late}'s cards came too close together to call by the clock."
    if first.exact and second.exact:
        return f"{early}'s card touched first, {_ms(least)} ahead."
    return f"{early}'s card touched first, between {_ms(least)} and {_ms(second.t_to - first.t_from)} ahead."


def unread(position: Position) -> tuple[Zone, ...]:
    """The stock piles whose top lies face up and is not known, so that nobody can tell where it fits."""
    return tuple(
        zone
        for seat in Seat
        for zone, pile in zip(STOCKS[seat], position.sides[seat].stock, strict=False)
        if pile and pile[-1].up and not pile[-1].card.known
    )


def could(action: Action) -> str:
    """What a player could have done, after "could"."""
    card = "an unread card" if action.card is None or not action.card.known else action.card.symbol
    source, target = _place(action.source), _place(action.target)
    match action.kind:
        case Kind.PLAY:
            return f"play {card} on {target}"
        case Kind.TURN_UP:
            return f"turn up the card at {target}"
        case Kind.FILL:
            return f"move {card} from {source} to the gap at {target}"
        case Kind.SPIT:
            return f"spit on {target}"
        case Kind.TAKE_BACK:
            return f"take {card} back from {source} to {target}"
        case Kind.STACK:
            return f"put {card} from {source} on {target}"
        case Kind.SLAP:
            return f"put a hand on {target}"
        case Kind.CLAIM:
            return f"take {target}"
    return str(action.kind.value)


def lying(position: Position, names: Sequence[str]) -> list[str]:
    """The position in words, a line for the centre and one for each player."""
    lines = [_centre(position)]
    for seat in Seat:
        side = position.sides[seat]
        parts = []
        for number, pile in enumerate(side.stock[: max(side.slots, len(side.stock))], start=1):
            if not pile:
                parts.append(f"{seat}{number} gap")
                continue
            top = pile[-1]
            face = "face down" if not top.up else top.card.symbol if top.card.known else "unread"
            parts.append(f"{seat}{number} {face} ({len(pile)})")
        if side.hand:
            parts.append("in hand " + " ".join(card.symbol for card in side.hand))
        parts.append(f"reserve {len(side.reserve)}")
        if side.gathered:
            parts.append(f"gathered {len(side.gathered)}")
        lines.append(f"{names[seat]}: {', '.join(parts)}")
    lines += [
        f"{debt.card.symbol} on {_place(debt.at)} "
        f"{'has to' if debt.binding else 'may'} go back to {_place(debt.back_to)} ({names[debt.seat]})"
        for debt in position.owed
    ]
    return lines


def _centre(position: Position) -> str:
    piles = []
    for index, pile in enumerate(position.centre):
        if pile:
            seat = pile[-1].seat
            by = "" if seat is None else f" from {seat}"
            top = pile[-1].card
            piles.append(f"C{index + 1} {top.symbol if top.known else 'unread'}{by} ({len(pile)})")
        else:
            piles.append(f"C{index + 1} no pile")
    return f"Centre: {', '.join(piles)}"


def _place(zone: Zone | None) -> str:
    if zone is None:
        return "nowhere"
    return {ZoneKind.RESERVE: "the reserve", ZoneKind.HAND: "the hand"}.get(zone.kind, zone.name)


def _who(said: Said, names: Sequence[str]) -> str:
    return "both" if said.action.seat is None else names[said.action.seat]


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms"
