"""What the overlay shows, before anyone draws it: plain values that follow from what was seen and said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from referee.cards import UNKNOWN, Card
from referee.readings import Sight, ZoneReading
from referee.rules.position import Position
from referee.rules.ruling import Verdict
from referee.rules.state import Phase
from referee.table import Seat, Zone, ZoneKind
from referee.tracking import commits as said
from referee.tracking.commits import Commit


class Light(Enum):
    """How well things stand."""

    GREEN = "green"
    AMBER = "amber"
    RED = "red"
    DARK = "dark"
    """Nothing to tell."""


@dataclass(frozen=True, slots=True)
class ZoneShown:
    """A zone.

    Attributes:
        zone: which.
        label: what is read there, ``7♥``, ``back``, ``?``.
        confidence: of that, 0..1; None where nothing is read.
        light: green where it is what the ledger says, amber where not or not known, red where a fault lies.
    """

    zone: Zone
    label: str
    confidence: float | None
    light: Light


@dataclass(frozen=True, slots=True)
class PlayerShown:
    """A player: cards in the stock piles, cards in the reserve, rounds won, points where the game is scored."""

    name: str
    stock: int
    reserve: int
    won: int
    points: int | None


@dataclass(frozen=True, slots=True)
class LineShown:
    """A line of what was ruled or happened."""

    text: str
    light: Light


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is shown beside the picture itself.

    Attributes:
        zones: those on the table.
        players: seats A and B.
        where: the round and its phase, in words.
        lines: the last rulings, oldest first.
        light: red for a fault just now, amber for a doubt or while nothing is judged, else green.
        notice: what the referee has to say of itself; empty for nothing.
        rate: pictures a second.
        drops: pictures that came while the referee was busy.
        left_out: pictures that were not recorded.
        keys: what each key does; shown at length where ``help_shown``.
        help_shown: whether the keys are explained.
    """

    zones: tuple[ZoneShown, ...]
    players: tuple[PlayerShown, PlayerShown]
    where: str
    lines: tuple[LineShown, ...]
    light: Light
    notice: str
    rate: float
    drops: int
    left_out: int
    keys: tuple[tuple[str, str], ...]
    help_shown: bool


_PHASES: Final = {
    Phase.DEALING: "dealing",
    Phase.BEFORE_SPIT: "ready to spit",
    Phase.PLAY: "play",
    Phase.CLAIM: "take a pile",
    Phase.REDEAL: "dealing anew",
    Phase.OVER: "over",
}


def where(position: Position) -> str:
    """The round and its phase."""
    return f"Round {position.round}: {_PHASES[position.phase]}"


def player_shown(position: Position, seat: Seat, name: str, won: int) -> PlayerShown:
    """What a player has, who won so many rounds."""
    side = position.sides[seat]
    points = None if position.rules.scoring == "none" else side.score
    return PlayerShown(name, side.stock_count, len(side.reserve), won, points)


def zones_shown(
    position: Position, readings: Mapping[Zone, ZoneReading], faulty: frozenset[Zone], zones: tuple[Zone, ...]
) -> tuple[ZoneShown, ...]:
    """The zones of a table.

    Args:
        position: the ledger.
        readings: the last reading of each zone that was read.
        faulty: zones at which something illegal was just done.
        zones: those on the table.
    """
    shown = []
    for zone in zones:
        seen = readings.get(zone)
        if seen is None:
            shown.append(ZoneShown(zone, "", None, Light.RED if zone in faulty else Light.DARK))
            continue
        label, agrees = _label(seen, position)
        light = Light.RED if zone in faulty else Light.GREEN if agrees else Light.AMBER
        certain = seen.reading.state not in (Sight.HIDDEN, Sight.UNKNOWN)
        shown.append(ZoneShown(zone, label, seen.reading.confidence if certain else None, light))
    return tuple(shown)


def _label(seen: ZoneReading, position: Position) -> tuple[str, bool]:
    """What a zone shows in a word, and whether that is what the ledger says lies there."""
    reading = seen.reading
    match reading.state:
        case Sight.HIDDEN:
            return "hand", False
        case Sight.UNKNOWN:
            return "?", False
        case Sight.EMPTY:
            return "–", not position.cards_at(seen.zone)
        case Sight.BACK:
            return "back", bool(position.cards_at(seen.zone)) and _shows(position, seen.zone) is None
        case Sight.CARD:
            card = reading.card
            assert card is not None
            return card.symbol, _shows(position, seen.zone) in (card, UNKNOWN)


def _shows(position: Position, zone: Zone) -> Card | None:
    """The face that lies on top of a zone by the ledger; None where a back does or nothing."""
    cards = position.cards_at(zone)
    if not cards:
        return None
    if zone.kind is ZoneKind.STOCK:
        assert zone.seat is not None
        top = position.sides[zone.seat].stock[zone.index][-1]
        return top.card if top.up else None
    return cards[-1] if zone.kind is ZoneKind.CENTRE else None


def light_of(commit: Commit) -> Light:
    """How well things stand after something was said."""
    if commit.ruling is not None:
        verdict = commit.ruling.verdict
        return {Verdict.LEGAL: Light.GREEN, Verdict.ILLEGAL: Light.RED}.get(verdict, Light.AMBER)
    return Light.GREEN if commit.what in (said.ROUND_OVER, said.GAME_OVER, said.ACTION) else Light.AMBER
