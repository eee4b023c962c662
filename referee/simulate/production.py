"""From a seed and wishes to a film script: the match played, incidents planted, hands and things choreographed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from referee.errors import UserError
from referee.rules.position import Position
from referee.rules.ruleset import RuleSet
from referee.simulate.choreography import Choreography
from referee.simulate.directed import Directed
from referee.simulate.events import Event
from referee.simulate.incidents import BUMP, CUP, LAMP, SLEEVE, Incident
from referee.simulate.placement import loose_layout, places_on
from referee.simulate.players import Tempo, player
from referee.simulate.scene import Prop
from referee.simulate.surroundings import Bump, Cover, Surroundings, Switch
from referee.table import CARD_MM, Seat, TableLayout, Zone, ZoneKind, standard_layout

_AFTER = 2.0
"""The match is played on for so long after the film's end, so that hands are on their way, s."""

_OUT_OF_SIGHT = 260.0
"""So far beyond the table's edge a cup comes from and goes to, mm."""

_COVERED_FOR = (3.0, 5.0)
"""How long a cup or a sleeve lies on the table, s."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a film is to be.

    Attributes:
        rules: the law.
        seed: for the cards, the players and their hands.
        seconds: length.
        pace: how much faster the players are than practised adults at ease.
        slip: share of decisions that put down a card which does not fit.
        players: names from ``PLAYERS``.
        incidents: what to plant.
        card_mm: width and height of a card.
    """

    rules: RuleSet
    seed: int
    seconds: float
    pace: float = 1.0
    slip: float = 0.0
    players: tuple[str, str] = ("greedy", "greedy")
    incidents: tuple[Incident, ...] = ()
    card_mm: tuple[float, float] = CARD_MM


@dataclass(frozen=True, slots=True)
class Production:
    """A film ready to be shot: its script, its truth, and what to say of things that lie about."""

    script: Choreography
    events: tuple[Event, ...]
    notes: str


def table_for(rules: RuleSet, card_mm: tuple[float, float] = CARD_MM) -> TableLayout:
    """The layout of the table a law asks for; a hand of cards has no place there, it is held over the edge."""
    return standard_layout(len(rules.plan.piles), reserves=rules.reserve_place == "table", card=card_mm)


def produce(wishes: Wishes) -> Production:
    """Plays and choreographs a film.

    Raises:
        UserError: an incident finds no place in this game.
    """
    layout = loose_layout(table_for(wishes.rules, wishes.card_mm), Random(f"layout {wishes.seed}"))
    rng = Random(f"surroundings {wishes.seed}")
    around = [one for one in wishes.incidents if one.kind in (BUMP, LAMP, CUP, SLEEVE)]
    planted = [one for one in wishes.incidents if one not in around]
    late = [one for one in wishes.incidents if one.t >= wishes.seconds]
    if late:
        raise UserError(f"{late[0].kind} at {late[0].t:g} s comes after the film, which is {wishes.seconds:g} s long")
    tempo = replace(Tempo().scaled(wishes.pace), slip=wishes.slip)
    a, b = (player(name, wishes.pace) for name in wishes.players)
    plan = wishes.rules.plan
    places = places_on(layout, hands=plan.hand > 0)
    match = Directed(wishes.rules, wishes.seed, (a, b), (tempo, tempo), places, planted)
    while match.now < wishes.seconds + _AFTER and match.advance():
        pass
    events = list(match.in_order())
    unfit = [one.kind for one in match.missed] + _too_late(events, planted, wishes.seconds)
    if unfit:
        raise UserError(
            f"{unfit[0]} finds no place in the {wishes.seconds:g} s of this game: ask for it earlier, film longer, "
            "or try another seed"
        )
    surroundings, more, notes = _surround(around, layout, match.history, rng)
    events = sorted([*events, *more], key=lambda event: event.t)
    script = Choreography(
        events, layout, wishes.seed, wishes.seconds, surroundings=surroundings, asides=match.asides, plan=plan
    )
    return Production(script, tuple(event for event in events if event.t < wishes.seconds), notes)


def _too_late(events: Sequence[Event], planted: Sequence[Incident], seconds: float) -> list[str]:
    """Planted kinds that came only after the film's end."""
    kinds = {one.kind for one in planted}
    after = {event.fault.value for event in events if event.fault is not None and event.t >= seconds}
    before = {event.fault.value for event in events if event.fault is not None and event.t < seconds}
    return sorted(kinds & (after - before))


def _surround(
    incidents: Sequence[Incident], layout: TableLayout, history: Sequence[tuple[float, Position]], rng: Random
) -> tuple[Surroundings, list[Event], str]:
    bumps: list[Bump] = []
    switches: list[Switch] = []
    covers: list[Cover] = []
    events: list[Event] = []
    notes: list[str] = []
    for one in incidents:
        if one.kind == BUMP:
            x, y = (rng.choice((-1, 1)) * rng.uniform(6, 16) for _ in range(2))
            bumps.append(Bump(one.t, x, y, rng.choice((-1, 1)) * rng.uniform(0.4, 1.6)))
            events.append(Event(one.t, "disturbed", detail="camera moved"))
        elif one.kind == LAMP:
            dark = switches and switches[-1].level < 1
            switches.append(Switch(one.t, 1.0 if dark else rng.uniform(0.35, 0.6)))
            events.append(Event(one.t, "disturbed", detail="lights changed"))
        else:
            position = next((after for t, after in reversed(history) if t <= one.t), history[0][1])
            piles = [zone for zone in layout.boxes if position.cards_at(zone)] or list(layout.boxes)
            cover, zone = (_cup if one.kind == CUP else _sleeve)(one, layout, piles, rng)
            covers.append(cover)
            notes.append(f"a {one.kind} lies across {zone} from {cover.t0:.2f} to {cover.t1:.2f} s")
    return Surroundings(bumps, switches, covers), events, "; ".join(notes)


def _cup(incident: Incident, layout: TableLayout, piles: Sequence[Zone], rng: Random) -> tuple[Cover, Zone]:
    """A cup put down on a part of the pile that is furthest out, from that side of the table."""
    left = rng.random() < 0.5
    zone = (min if left else max)(piles, key=lambda zone: layout.boxes[zone].x)
    box = layout.boxes[zone]
    x = box.x + (-1 if left else 1) * rng.uniform(18, 34)
    prop = Prop("cup", x, box.y + rng.uniform(-20, 20), 0.0, rng.uniform(72, 88))
    away = -(x + _OUT_OF_SIGHT) if left else layout.width - x + _OUT_OF_SIGHT
    return Cover(prop, incident.t, incident.t + rng.uniform(*_COVERED_FOR), away, 0.0), zone


def _sleeve(incident: Incident, layout: TableLayout, piles: Sequence[Zone], rng: Random) -> tuple[Cover, Zone]:
    """A forearm that lies down across a stock pile of its own player."""
    stock = [zone for zone in piles if zone.kind is ZoneKind.STOCK] or [zone for zone in piles if zone.seat is not None]
    zone = rng.choice(stock)
    box, side = layout.boxes[zone], 1 if zone.seat is Seat.A else -1
    yaw = (0.0 if side > 0 else 180.0) + rng.uniform(8, 32)
    x, y = box.x + side * rng.uniform(-12, 12), box.y - side * rng.uniform(25, 65)
    prop = Prop("sleeve", x, y, yaw, rng.uniform(88, 112))
    return Cover(prop, incident.t, incident.t + rng.uniform(*_COVERED_FOR), 0.0, side * 330.0), zone
