"""A match as it is filmed: no faster than one hand can move, with incidents planted where they fit.

The players are those of ``match``; the clock, the engine and the rulings too. What is added here is the hands: an
action whose hand is still on its way is done when the hand is there. A planted fault is judged and put right like any
other, so the truth of a film is what the engine says of what was done.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from referee.rules.actions import Action, Kind, Manner
from referee.rules.judge import judge
from referee.rules.moving import Impossible
from referee.rules.position import Position
from referee.rules.ruleset import RuleSet
from referee.rules.state import Debt, Phase, Reason
from referee.rules.step import happenings
from referee.rules.stuck import stalemate
from referee.simulate.events import Event
from referee.simulate.incidents import DUELS, FALSE_SPIT, KNOCK, Incident, offences, second_cards
from referee.simulate.match import RETURN, Match
from referee.simulate.motion import SETTLE
from referee.simulate.pacing import distance, redeal_time, shortest_time
from referee.simulate.placement import Place, held_by
from referee.simulate.players import Player, Tempo
from referee.simulate.schedule import Draw, Knock
from referee.table import CENTRES, HANDS, RESERVES, STOCKS, Seat, Zone, ZoneKind

_SPARE = 0.002
"""Time added to the shortest a hand needs, s: times are rounded."""

_TWO_AT_ONCE = 1.0
"""A hand needs so long to take two cards and put them down together, s."""

_UNHURRIED = 0.65
"""A planted fault comes no sooner than this after what its hand did before, s: it may have to turn a card over."""

_AT_WORK = 0.4
"""A hand that did something less than this ago is seen to be at work, s."""

_OFF_HAND = 0.8
"""The off hand needs so long to fetch a card from a pile that was last touched before, s."""

_PATIENCE = 1.5
"""After waiting so long for its moment an incident makes one, s."""

_PAUSE = 1.2
"""How long both players then do nothing, s."""

_NEW_GAME = 4.0
"""How much longer it takes to gather the whole pack than one player's cards, s."""

_ELBOW_ROOM = 150.0
"""So far from where a hand was last the other player can reach past it, mm."""

_LOOK_AGAIN = 0.05
"""An incident that does not fit yet is tried again after so long, s."""

_STARTLED = 0.9
"""How long a player does nothing after a slap, a touch or a call that was wrong, s."""

_KNOCKED_FOR = 1.5
"""A card that was knocked off its pile lies there so long, s."""


class Directed(Match):
    """A match with hands and incidents.

    Attributes:
        events: what happened, in the order it was done; see ``in_order`` for the order of time.
        asides: cards knocked off their piles, cards drawn into hands.
        missed: incidents that are still waiting for a position that allows them.
        history: the position after everything that was done, with its time (s).
    """

    def __init__(
        self,
        rules: RuleSet,
        seed: int,
        players: tuple[Player, Player],
        tempos: tuple[Tempo, Tempo],
        places: Mapping[Zone, Place],
        incidents: Sequence[Incident] = (),
    ) -> None:
        self.events: list[Event] = []
        self.asides: list[Knock | Draw] = []
        self.missed: list[Incident] = []
        self.history: list[tuple[float, Position]] = []
        self._places = dict(places)
        self._last: list[Action | None] = [None, None]
        self._busy = [0.0, 0.0]
        self._hush = 0.0
        self._touched: dict[Zone | None, float] = {}
        self._duels: list[Incident] = []
        super().__init__(rules, seed, players, tempos)
        for number, incident in enumerate(sorted(incidents, key=lambda incident: incident.t)):
            self.missed.append(incident)
            self._begin(f"incident {number}", None, incident.t, partial(self._plant, incident, number))

    def in_order(self) -> tuple[Event, ...]:
        """The events in order of time, without stalemates that ended before the card that made them lay still."""
        kept = [event for event in self.events if event.name != "stalemate" or self._lasted(event)]
        return tuple(sorted(kept, key=lambda event: event.t))

    def _lasted(self, event: Event) -> bool:
        return stalemate(next(position for t, position in reversed(self.history) if t < event.t))

    # Hands.

    def _wait_for_hand(self, seat: Seat, action: Action) -> float:
        """How long from now until the hand can have done the action, s; infinite while the player is taken up."""
        if self._busy[seat] > self.now:
            return self._busy[seat] - self.now
        last = self._last[seat]
        if last is None or last.t is None:
            return 0.0
        least = shortest_time(last, action, self._places)
        if action.manner is Manner.TWO_CARDS:
            least = max(least, _TWO_AT_ONCE)
        return max(0.0, last.t + least + _SPARE - self.now) if least else 0.0

    def _later(self, what: str, seat: Seat, action: Action, again: partial[None]) -> bool:
        """Whether the hand is not ready; then it is done ``again`` when it is."""
        wait = self._wait_for_hand(seat, action)
        if wait <= 0.0:
            return False
        self._begin(what, seat, min(wait, 0.25), again)
        return True

    def _do(self, action: Action) -> None:
        before = self.position
        super()._do(action)
        line = self.lines[-1]
        done = line.action
        assert done.t is not None
        self.history.append((done.t, self.position))
        words = line.ruling.split()
        fault = Reason(words[1]) if words[0] == "illegal" else None
        number = self.position.round if done.kind is Kind.DEAL else 0
        self.events.append(Event(done.t, done.kind.value, done, fault, correction="correction" in words, round=number))
        self._touched.update(dict.fromkeys((done.source, done.target), done.t))
        self._remember(done)
        drawn = [self._drawn(seat, before, done) for seat in Seat]
        still = max(done.t, *drawn) + (SETTLE if done.card is not None else 0.0)
        for came in happenings(before, self.position):
            self.events.append(Event(round(still, 4), came.kind, winner=came.winner, detail=came.reason))
        if done.kind is Kind.PLAY and fault is None:
            self._answer(done)

    def _remember(self, done: Action) -> None:
        if done.kind is Kind.DEAL:
            for seat, dealt in zip(Seat, done.deal, strict=True):
                if dealt is not None and done.t:
                    laid = RESERVES[seat] if dealt.reserve else STOCKS[seat][len(dealt.stock) - 1]
                    self._last[seat] = Action(Kind.TURN_UP, seat, None, None, laid, done.t)
                    self._touched.update(dict.fromkeys(STOCKS[seat], done.t))
        elif done.seat is not None and done.kind is not Kind.CALL and done.manner is not Manner.TWO_HANDS:
            self._last[done.seat] = done

    def _drawn(self, seat: Seat, before: Position, done: Action) -> float:
        """When the cards are in the player's hand that the rules have drawn, s; 0 if there are none."""
        assert done.t is not None
        had = before.sides[seat].hand
        cards = tuple(card for card in self.position.sides[seat].hand if card not in had and card is not done.card)
        if not cards:
            return 0.0
        begins, least, last = done.t, 0.0, self._last[seat]
        fetch = Action(Kind.TURN_UP, seat, None, RESERVES[seat], HANDS[seat])
        if last is not None and last.t is not None:
            begins, least = max(done.t, last.t), shortest_time(last, fetch, self._places)
        t = round(begins + least + _SPARE + self._draw(self._tempos[seat].carry), 4)
        self.asides.append(Draw(t, seat, cards))
        self._last[seat] = replace(fetch, source=None, t=t)
        return t

    # What the players do, when their hands are there.

    def _decide(self, seat: Seat) -> None:
        wait = max(self._busy[seat], self._hush) - self.now
        if wait > 0:
            self._begin("act", seat, min(wait, 0.25), partial(self._decide, seat))
        else:
            super()._decide(seat)

    def _touch(self, seat: Seat, action: Action, slipped: bool) -> None:
        if max(self._busy[seat], self._hush) > self.now or not self._still_makes_sense(action):
            self._decide(seat)
        elif not self._later("act", seat, action, partial(self._touch, seat, action, slipped)):
            super()._touch(seat, action, slipped)

    def _still_makes_sense(self, action: Action) -> bool:
        """Whether a move decided on a while ago can still be made as it was meant, fitting or not."""
        try:
            reason = judge(self.position, action).reason
        except Impossible:
            return False
        return reason in (None, Reason.NOT_ADJACENT, Reason.COLOUR, Reason.LATE)

    def _give_back(self, seat: Seat, action: Action) -> None:
        back = Action(Kind.TAKE_BACK, seat, action.card, action.target, action.source)
        if not self._later("act", seat, back, partial(self._give_back, seat, action)):
            super()._give_back(seat, action)

    def _spit(self, seat: Seat) -> None:
        spits = [Action(Kind.SPIT, seat, None, RESERVES[seat], zone) for zone in CENTRES]
        if not any(self._later("spit", seat, spit, partial(self._spit, seat)) for spit in spits):
            super()._spit(seat)

    def _slap(self, seat: Seat, wanted: Zone) -> None:
        slap = Action(Kind.SLAP, seat, target=wanted)
        if not self._later("slap", seat, slap, partial(self._slap, seat, wanted)):
            super()._slap(seat, wanted)

    def _claim(self, seat: Seat) -> None:
        claims = self.position.claims
        pile = None if claims is None else claims.piles[seat]
        if pile is None:
            return
        claim = Action(Kind.CLAIM, seat, target=CENTRES[pile])
        if not self._later("claim", seat, claim, partial(self._claim, seat)):
            super()._claim(seat)

    def _deal(self) -> None:
        times = [last.t for last in self._last if last is not None and last.t is not None]
        if times:
            fresh = any(side.phase is Phase.DEALING for side in self.position.sides)
            packets = len(self.rules.plan.piles) + (2 if self.rules.plan.hand else 1)
            least = redeal_time(packets) + (_NEW_GAME if fresh else 0.0)
            wait = max(times) + least - self.now
            if wait > 0:
                self._begin("deal", None, wait, self._deal)
                return
        super()._deal()

    # Incidents.

    def _plant(self, incident: Incident, number: int) -> None:
        """Commits the incident now if the position allows it, else looks again in a moment."""
        if incident.kind in DUELS:
            self._duels.append(incident)
            return
        seats = list(Seat)
        self._rng.shuffle(seats)
        for seat in seats:
            if self._busy[seat] <= self.now and self._commit(incident, seat):
                self.missed.remove(incident)
                return
        if self.now - max(incident.t, self._hush) > _PATIENCE:
            # Fast players never leave a hand idle; they pause, as people do, and the moment is there.
            self._hush = self.now + _PAUSE
        self._begin(f"incident {number}", None, _LOOK_AGAIN, partial(self._plant, incident, number))

    def _commit(self, incident: Incident, seat: Seat) -> bool:
        if incident.kind == KNOCK:
            return self._knock(seat)
        ways = offences(self.position, incident.kind, seat, self.now)
        ways = [actions for actions in ways if self._possible(seat, actions) and not self._in_the_way(actions[0])]
        if not ways:
            return False
        self._busy[seat] = math.inf
        for action in self._rng.choice(ways):
            self._do(action)
            if action.kind is Kind.TOUCH:
                self._busy[seat.other] = max(self._busy[seat.other], self.now + _STARTLED)
        if any(debt.seat is seat for debt in self.position.owed):
            self._begin("restore", seat, self._draw(RETURN), partial(self._restore, seat))
        else:
            self._busy[seat] = self.now + (0.0 if incident.kind == FALSE_SPIT else _STARTLED)
        return True

    def _possible(self, seat: Seat, actions: Sequence[Action]) -> bool:
        first, last = actions[0], self._last[seat]
        if first.kind is Kind.TAKE_BACK and self._came_from(first) is not first.target:
            return False
        if first.manner is Manner.TWO_HANDS:
            held = held_by(seat, self._places)
            if held is not None and self.position.cards_at(held.zone):
                return False  # the off hand holds them
            # The other hand has to be at work to be seen, on other cards.
            busy = last is not None and last.t is not None and last.t > 0 and self.now - last.t < _AT_WORK
            return busy and self.now - self._touched.get(first.source, 0.0) > _OFF_HAND
        if last is not None and last.t is not None and self.now - last.t < _UNHURRIED:
            return False
        return all(self._wait_for_hand(seat, action) <= 0.0 for action in actions)

    def _in_the_way(self, action: Action) -> bool:
        """Whether the other player's arm lies where a hand would have to go that reaches over the whole table."""
        assert action.seat is not None
        other = self._last[action.seat.other]
        if action.kind is not Kind.TOUCH or other is None or other.t is None or other.target is None:
            return False
        assert action.target is not None
        near = distance(self._places[other.target], self._places[action.target]) < _ELBOW_ROOM
        return near or self.now - other.t < _UNHURRIED

    def _came_from(self, action: Action) -> Zone | None:
        """The stock pile from which the card was played that an action takes back."""
        for event in reversed(self.events):
            done = event.action
            if done is not None and done.kind is Kind.PLAY and done.card is action.card:
                return done.source
        return None

    def _restore(self, seat: Seat) -> None:
        """Puts right what the player owes, a card at a time; then the player goes on."""
        debts = [debt for debt in self.position.owed if debt.seat is seat]
        back = self._back(debts[-1]) if debts else None
        if back is None:
            self._busy[seat] = self.now
            return
        self._busy[seat] = self.now
        if self._later("restore", seat, back, partial(self._restore, seat)):
            self._busy[seat] = math.inf
            return
        self._do(back)
        more = any(debt.seat is seat for debt in self.position.owed)
        self._busy[seat] = math.inf if more else self.now
        if more:
            self._begin("restore", seat, self._draw(RETURN), partial(self._restore, seat))

    def _back(self, debt: Debt) -> Action | None:
        """How a card that lies wrong goes back; ``None`` if by now it may not."""
        if debt.at.kind is ZoneKind.CENTRE:
            return Action(Kind.TAKE_BACK, debt.seat, debt.card, debt.at, debt.back_to)
        if debt.back_to.kind is ZoneKind.CENTRE:
            kind = Kind.PLAY
        else:
            kind = Kind.STACK if self.position.cards_at(debt.back_to) else Kind.FILL
        back = Action(kind, debt.seat, debt.card, debt.at, debt.back_to)
        return back if judge(self.position, back).legal else None

    def _knock(self, seat: Seat) -> bool:
        piles = [zone for zone in STOCKS[seat] if len(self.position.cards_at(zone)) > 1]
        touch = [Action(Kind.TOUCH, seat, target=zone) for zone in piles]
        ready = [action.target for action in touch if self._wait_for_hand(seat, action) <= 0.0]
        if not ready:
            return False
        zone = self._rng.choice(ready)
        assert zone is not None
        now, back = round(self.now, 4), round(self.now + _KNOCKED_FOR, 4)
        self.asides.append(Knock(now, zone, seat, back))
        self.events.append(Event(now, "disturbed", detail="cards swept"))
        self._last[seat] = Action(Kind.TURN_UP, seat, None, None, zone, back)
        self._busy[seat] = back
        return True

    def _answer(self, first: Action) -> None:
        """Another card on the pile that was just played on, if one is wanted there."""
        assert first.seat is not None
        assert first.t is not None
        other = first.seat.other
        for duel in self._duels:
            at = round(first.t + duel.gap, 4)
            cards = second_cards(self.position, first, duel.kind, at)
            ready = [card for card in cards if self._wait_for_hand(other, card) <= duel.gap]
            if ready and self._busy[other] <= self.now:
                self._duels.remove(duel)
                self._busy[other] = math.inf
                second = replace(self._rng.choice(ready), t=None)
                self._begin("duel", other, duel.gap, partial(self._second, duel, other, second))
                return

    def _second(self, duel: Incident, seat: Seat, action: Action) -> None:
        self.missed.remove(duel)
        self._do(action)
        if any(debt.seat is seat for debt in self.position.owed):
            self._begin("restore", seat, self._draw(RETURN), partial(self._restore, seat))
        else:
            self._busy[seat] = self.now
