"""Who does what with which hand and when: events as tasks for one hand each, fitted into the time there is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from referee.cards import Card
from referee.rules.actions import MOVES, Action, Kind, Manner, SeatDeal
from referee.simulate.events import Event
from referee.simulate.ledger import Ledger
from referee.simulate.motion import Point
from referee.simulate.pacing import (
    FROM_ITS_CORNER,
    PINCH,
    RELEASE,
    REST_ON,
    SWEEP,
    Span,
    carry,
    distance,
    distance_to,
    reach,
    total,
)
from referee.simulate.placement import Place, held_by
from referee.table import CENTRES, HANDS, RESERVES, STOCKS, Seat, Zone, ZoneKind

Hand = tuple[Seat, bool]
"""One hand: whose, and whether it is the off hand, which moves no cards in play (PT-8)."""

_BETWEEN_PACKETS = 0.62
"""From one packet laid down to the next when dealing anew, s."""

_SECOND_DEALER = 0.17
"""How much earlier the quicker dealer is done, s."""

_GATHER_AFTER = 0.6
"""A player who takes no pile begins to gather so long after the last action, s."""

KNOCKED_MM = 104.0
"""How far a card is knocked off its pile: clear of it."""

OFF_TABLE_MM = 230.0
"""How far beyond the table's edge cards are gathered and shuffled."""


class Job(Enum):
    """What a hand does in one task."""

    MOVE = "carries a card to its place, or turns it over in place"
    TOUCH = "moves or covers cards that are not its own"
    SLAP = "covers a centre pile flat"
    SWEEP = "draws a pile off the table"
    LAY = "brings a packet from off the table and lays it down"
    KNOCK = "pushes a card off its pile"
    DRAW = "takes cards from the reserve into the hand"


@dataclass(frozen=True, slots=True)
class Knock:
    """A card knocked off its pile by its owner's or the nearer player's hand, and put back: a disturbance, no action.

    Attributes:
        t: when the hand touches it, s.
        zone: the pile.
        seat: whose hand.
        back: when it touches the pile again, s.
    """

    t: float
    zone: Zone
    seat: Seat
    back: float


@dataclass(frozen=True, slots=True)
class Draw:
    """Cards drawn from the reserve into the hand that is played from: no action, the rules have it so (PT-V5).

    Attributes:
        t: when they come to the hand, s.
        seat: whose.
        cards: the cards, in the order they lay from the top.
    """

    t: float
    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """One card from one place to another.

    Attributes:
        card: the card.
        source, target: zones; the same one for a card turned over in place.
        up: which side shows at the end.
        turned: whether it is turned over on the way.
    """

    card: Card
    source: Zone
    target: Zone
    up: bool
    turned: bool


@dataclass(frozen=True, slots=True)
class Task:
    """Something one hand does.

    Attributes:
        job: what.
        seat: whose hand.
        off_hand: the hand that moves no cards.
        t: the instant that is fixed: first touch, or for a sweep the moment the pile starts to move.
        moves: for MOVE: the cards, the one that ends lowest first; for DRAW: the cards.
        zone: where, for the other jobs.
        lead: durations before ``t``: reach, pinch, and carry where there is one; for two cards reach, pinch, carry to
            the second, pinch, carry.
        tail: duration after ``t`` until the hand is free.
        packet: for LAY: the cards, bottom to top, each with the side that is up.
    """

    job: Job
    seat: Seat
    off_hand: bool
    t: float
    zone: Zone
    lead: tuple[Span, ...]
    tail: Span
    moves: tuple[Move, ...] = ()
    packet: tuple[tuple[Card, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class Timed:
    """A task with its times: when each part of the lead begins and when the hand is free again, s."""

    task: Task
    starts: tuple[float, ...]
    free: float


class Planner:
    """Turns events, in order of time, into the tasks of each hand."""

    def __init__(self, places: dict[Zone, Place], homes: dict[Hand, Point], *, rounds: bool = True) -> None:
        """Plans for hands that rest at ``homes``; without ``rounds`` layouts stay when centre piles are claimed."""
        self._places = places
        self._homes = homes
        self._rounds = rounds
        self._ledger = Ledger()
        self._tasks: dict[Hand, list[Task]] = {hand: [] for hand in homes}
        self._last = 0.0
        self._over = 0.0
        self._acted = dict.fromkeys(Seat, 0.0)

    def plan(self, events: Sequence[Event], asides: Iterable[Knock | Draw] = ()) -> dict[Hand, list[Timed]]:
        """The tasks of every hand with their times.

        Raises:
            ValueError: the events cannot be done by hands, or a card is not where an event takes it from.
        """
        waiting = sorted(asides, key=lambda aside: aside.t)
        index = 0
        while index < len(events):
            event = events[index]
            while waiting and waiting[0].t <= event.t:
                self._aside(waiting.pop(0))
            action = event.action
            index += 1
            if event.name in ("round_over", "game_over"):
                self._over = event.t
            if action is None or action.kind is Kind.CALL:
                continue
            if event.t < self._last:
                raise ValueError(f"events must come in order of time: {event.t} s comes after {self._last} s")
            if action.kind is Kind.DEAL:
                self._deal(event.t, action)
            elif action.kind in (Kind.SLAP, Kind.TOUCH):
                self._cover(event.t, action)
            elif action.kind is Kind.CLAIM:
                self._claim(event.t, action)
            elif self._pair(event, events[index : index + 1]):
                self._move(event, events[index])
                index += 1
            else:
                self._move(event)
            self._last = event.t
            if action.seat is not None:
                self._acted[action.seat] = event.t
        for aside in waiting:
            self._aside(aside)
        return {hand: fit(sorted(tasks, key=lambda task: task.t)) for hand, tasks in self._tasks.items()}

    @staticmethod
    def _pair(event: Event, following: Sequence[Event]) -> bool:
        a, b = event.action, following[0].action if following else None
        return (
            a is not None
            and b is not None
            and a.manner is b.manner is Manner.TWO_CARDS
            and (a.seat, a.target, a.t) == (b.seat, b.target, b.t)
        )

    def _add(self, task: Task) -> None:
        self._tasks[task.seat, task.off_hand].append(task)

    def _from(self, hand: Hand, zone: Zone) -> float:
        """How far the hand has to go to a zone from where its last task left it."""
        tasks = self._tasks[hand]
        if not tasks or tasks[-1].job is Job.SWEEP:
            return distance_to(self._homes[hand], self._places[zone])
        last = tasks[-1]
        way = distance(self._places[last.moves[0].target if last.moves else last.zone], self._places[zone])
        return way + (FROM_ITS_CORNER if last.moves and last.moves[0].source.kind is ZoneKind.HAND else 0.0)

    def _move(self, *events: Event) -> None:
        moves: list[Move] = []
        for event in events:
            assert event.action is not None
            moves.append(self._moved(event.t, event.action))
        action = events[0].action
        assert action is not None
        assert action.seat is not None
        hand = (action.seat, action.manner is Manner.TWO_HANDS)
        places = self._places
        if len(moves) == 2:
            low, high = moves
            lead = [reach(self._from(hand, high.source)), PINCH]
            lead += [carry(distance(places[high.source], places[low.source]), turned=high.turned), PINCH]
        else:
            lead = [reach(self._from(hand, moves[0].source)), PINCH]
        first = moves[0]
        upright = ZoneKind.HAND in (first.source.kind, first.target.kind)
        way = distance(places[first.source], places[first.target])
        lead.append(carry(way, turned=first.turned, upright=upright))
        self._add(Task(Job.MOVE, *hand, events[0].t, first.target, tuple(lead), RELEASE, tuple(moves)))

    def _moved(self, t: float, action: Action) -> Move:
        card, target = action.card, action.target
        if card is None or target is None or (action.kind not in MOVES and action.kind is not Kind.TURN_UP):
            raise ValueError(f"'{action}' at {t} s moves no card")
        source = action.source or target
        zone, _, lay = self._ledger.lift(card)
        if zone is not source:
            raise ValueError(f"'{action}' at {t} s: the card lies at {zone}")
        # Within a layout a card keeps the side it shows; from anywhere else it comes showing its face.
        within = source.kind is target.kind is ZoneKind.STOCK and action.kind is not Kind.TURN_UP
        up = lay.up if within else target.kind is not ZoneKind.RESERVE
        self._ledger.put(target, card, up=up)
        return Move(card, source, target, up, up is not lay.up)

    def _cover(self, t: float, action: Action) -> None:
        assert action.seat is not None
        assert action.target is not None
        job = Job.SLAP if action.kind is Kind.SLAP else Job.TOUCH
        hand = (action.seat, action.manner is Manner.TWO_HANDS)
        self._add(Task(job, *hand, t, action.target, (reach(self._from(hand, action.target)),), REST_ON))

    def _claim(self, t: float, action: Action) -> None:
        seat, pile = action.seat, action.target
        assert seat is not None
        assert pile is not None
        hand = (seat, False)
        lead = (reach(self._from(hand, pile)), PINCH)
        self._add(Task(Job.SWEEP, *hand, t, pile, lead, SWEEP))
        self._ledger.take_up(pile)
        self._gather(seat, t + SWEEP.easy, everything=self._rounds)

    def _gather(self, seat: Seat, t: float, piles: Sequence[Zone] = (), *, everything: bool) -> None:
        """The player's own cards are taken up: one half with each hand, or what the off hand holds with that hand.

        Args:
            seat: who.
            t: from when on, s.
            piles: centre piles the player takes up as well.
            everything: not only the reserve.
        """
        mine = [zone for zone in self._ledger.own(seat) if everything or zone is RESERVES[seat]]
        own = (*piles, *mine)
        for zone in own:
            self._ledger.take_up(zone)
        off = [zone for zone in own if self._places[zone].ground > 0.0]
        if held_by(seat, self._places) is None:
            off = list(own[: len(own) // 2])
        for hand, zones in (((seat, False), [zone for zone in own if zone not in off]), ((seat, True), off)):
            done = self._tasks[hand][-1:]
            at = max([t, *(task.t + task.tail.easy for task in done)])
            for zone in zones:
                lead = (reach(self._from(hand, zone)), PINCH)
                at += total(lead).easy
                self._add(Task(Job.SWEEP, *hand, at, zone, lead, SWEEP))
                at += SWEEP.easy

    def _deal(self, t: float, action: Action) -> None:
        dealers = [(seat, dealt) for seat, dealt in zip(Seat, action.deal, strict=True) if dealt is not None]
        if t > 0.0:
            self._clear(dealers)
            for order, (seat, dealt) in enumerate(dealers):
                self._lay(t - (_SECOND_DEALER if order else 0.0), seat, dealt)
        for seat, dealt in dealers:
            self._ledger.lay_out(seat, dealt)

    def _clear(self, dealers: Sequence[tuple[Seat, SeatDeal]]) -> None:
        """Takes up what the dealers still have on the table, and centre piles nobody claimed whose cards they deal."""
        piles: dict[Seat, list[Zone]] = {seat: [] for seat, _ in dealers}
        for zone in CENTRES:
            pile = {one.card for one in self._ledger.pile(zone)}
            shares = {seat: len(pile.intersection(dealt.cards)) for seat, dealt in dealers}
            if any(shares.values()):
                piles[max(shares, key=shares.__getitem__)].append(zone)
        for seat, dealt in dealers:
            if piles[seat] or self._ledger.own(seat):
                begins = max(self._acted[seat], self._over) + _GATHER_AFTER
                self._gather(seat, begins, piles[seat], everything=bool(dealt.stock))

    def _lay(self, t: float, seat: Seat, dealt: SeatDeal) -> None:
        packets = [
            (zone, tuple((one.card, one.up) for one in pile))
            for zone, pile in zip(STOCKS[seat], dealt.stock, strict=False)
            if pile
        ]
        if dealt.reserve:
            packets.append((RESERVES[seat], tuple((card, False) for card in dealt.reserve)))
        for number, (zone, packet) in enumerate(packets):
            held = self._places[zone].ground > 0.0
            at = t - (len(packets) - 1 - number) * _BETWEEN_PACKETS
            way = distance_to(self._homes[seat, False], self._places[zone])
            lead = (reach(OFF_TABLE_MM), PINCH, carry(way, turned=False))
            self._add(Task(Job.LAY, seat, held, at, zone, lead, RELEASE, packet=packet))

    def _aside(self, aside: Knock | Draw) -> None:
        if isinstance(aside, Knock):
            self._knock(aside)
        else:
            self._draw(aside)

    def _draw(self, draw: Draw) -> None:
        source, target = RESERVES[draw.seat], HANDS[draw.seat]
        hand = (draw.seat, False)
        for card in draw.cards:
            self._ledger.lift(card)
            self._ledger.put(target, card, up=True)
        moves = tuple(Move(card, source, target, True, True) for card in draw.cards)
        way = distance(self._places[source], self._places[target])
        lead = (reach(self._from(hand, source)), PINCH, carry(way, turned=True, upright=True))
        self._add(Task(Job.DRAW, *hand, draw.t, target, lead, RELEASE, moves))
        self._acted[draw.seat] = draw.t

    def _knock(self, knock: Knock) -> None:
        top = self._ledger.top(knock.zone)
        if top is None:
            raise ValueError(f"no card can be knocked off {knock.zone} at {knock.t} s: there is none")
        hand = (knock.seat, False)
        there = (reach(self._from(hand, knock.zone)),)
        self._add(Task(Job.KNOCK, *hand, knock.t, knock.zone, there, Span(0.3, 0.4)))
        back = Move(top.card, knock.zone, knock.zone, top.up, False)
        lead = (reach(KNOCKED_MM), PINCH, carry(KNOCKED_MM, turned=False))
        self._add(Task(Job.MOVE, *hand, knock.back, knock.zone, lead, RELEASE, (back,)))


def fit(tasks: Sequence[Task]) -> list[Timed]:
    """Fits the tasks of one hand, in order of time, into the time there is between their fixed instants.

    Where there is time enough everything takes as long as it takes with ease; where it is short all parts hurry alike.

    Raises:
        ValueError: two tasks are closer together than one hand can do them; the sentence says which and how far apart
            they must be.
    """
    timed: list[Timed] = []
    since, tail = 0.0, Span(0.0, 0.0)
    for task in tasks:
        parts = total((tail, *task.lead))
        there_is = task.t - since
        if there_is < parts.least - 1e-9:
            raise ValueError(
                f"seat {task.seat} cannot {task.job.name.lower()} at {task.zone} at {task.t:.3f} s, {there_is:.3f} s "
                f"after what that hand did before: it needs {parts.least:.3f} s"
            )
        room = parts.easy - parts.least
        share = min((there_is - parts.least) / room, 1.0) if room > 0 else 1.0
        starts: list[float] = []
        at = task.t
        for span in reversed(task.lead):
            at -= span.at(share)
            starts.append(at)
        if timed:
            timed[-1] = replace(timed[-1], free=since + tail.at(share))
        timed.append(Timed(task, tuple(reversed(starts)), task.t + task.tail.easy))
        since, tail = task.t, task.tail
    return timed
