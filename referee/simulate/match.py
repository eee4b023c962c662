"""Two scripted players play whole matches through the rules engine, in time.

Each player looks, decides, and some tenths of a second later a card touches. Both act at once, so cards for one pile
meet as they do at a table: the second is judged against what lies there then, and goes back if it no longer fits.
Nothing here is real time: the clock is that of the game, and the same seed gives the same match.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Final

from referee.cards import DECK, Card
from referee.rules.actions import Action, Kind, SeatDeal, call, claim, deal, play, slap, spit, take_back
from referee.rules.judge_moves import tops_stay_down
from referee.rules.judge_round import keeps_layout
from referee.rules.piles import laid
from referee.rules.position import start
from referee.rules.record import GameRecord, Line, happening_words, result_words, ruling_words
from referee.rules.ruleset import RuleSet
from referee.rules.state import Phase
from referee.rules.step import happenings, step
from referee.rules.stuck import playable, spitters, stalemate, stuck
from referee.simulate.players import Player, Tempo, in_play, player
from referee.table import CENTRES, RESERVES, Seat, Zone

GATHER: Final = (7.0, 10.0)
"""Time to gather, shuffle and lay out, s."""

COUNTDOWN: Final = (0.6, 0.9)
"""Time from the call to the spit cards, s."""

RETURN: Final = (0.9, 1.4)
"""Time from an illegal play to the card's return, s."""

HESITATION: Final = (0.4, 0.8)
"""How long a player who could go on and does not waits before looking again, s."""

REFLEX: Final = (0.3, 0.8)
"""Time from the end of a round to a hand on a pile, s."""

LIFT: Final = (0.6, 1.0)
"""Time from the slap to the pile being taken up, s."""


_CALLED: Final = ("called", None)


@dataclass(frozen=True, slots=True)
class Limits:
    """When to leave a match that is not over: after so many seconds of play or actions, whichever comes first."""

    seconds: float = 100_000.0
    actions: int = 20_000


class Match:
    """A match in progress; ``play_match`` runs one to its end.

    Attributes:
        rules: the law.
        position: the table now, every card known.
        lines: what has been done, with rulings.
        now: the time, s.
    """

    def __init__(self, rules: RuleSet, seed: int, players: tuple[Player, Player], tempos: tuple[Tempo, Tempo]) -> None:
        self.rules = rules
        self.position = start(rules)
        self.lines: list[Line] = []
        self.now = 0.0
        self._players = players
        self._tempos = tempos
        self._rng = Random(seed)
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._pushed = 0
        # What is already under way, so that seeing a change does not begin it a second time.
        self._under_way: set[tuple[str, Seat | None]] = set()
        self._changed = [0.0, 0.0]
        self._look()

    def advance(self) -> bool:
        """Let the next thing happen; false when the match is over."""
        if self.position.result is not None or not self._queue:
            return False
        self.now, _, happen = heapq.heappop(self._queue)
        happen()
        return True

    def _begin(self, what: str, seat: Seat | None, delay: float, happen: Callable[[], None]) -> None:
        """``happen`` after ``delay`` seconds, unless the same thing is under way."""
        if (what, seat) in self._under_way:
            return
        self._under_way.add((what, seat))
        self._pushed += 1

        def run() -> None:
            self._under_way.discard((what, seat))
            happen()

        heapq.heappush(self._queue, (self.now + delay, self._pushed, run))

    def _draw(self, span: tuple[float, float]) -> float:
        return self._rng.uniform(*span)

    def _do(self, action: Action) -> None:
        timed = replace(action, t=round(self.now, 4))
        before = self.position
        done = step(before, timed)
        self.position = done.position
        came = tuple(happening_words(happening) for happening in happenings(before, done.position))
        self.lines.append(Line(timed, ruling_words(done.ruling), came))
        for index in (0, 1):
            if done.position.centre[index] is not before.centre[index]:
                self._changed[index] = self.now
        self._look()

    def _look(self) -> None:
        """Everybody sees the table and begins what it calls for."""
        position = self.position
        if position.result is not None:
            return
        phases = [side.phase for side in position.sides]
        if Phase.CLAIM not in phases and (Phase.REDEAL in phases or Phase.DEALING in phases):
            self._begin("deal", None, self._draw(GATHER) if self.lines else 0.0, self._deal)
        if position.due or stalemate(position):
            self._spit_again()
        else:
            self._under_way.discard(_CALLED)
        for seat in Seat:
            if position.sides[seat].phase is Phase.CLAIM:
                self._take_pile(seat)
            elif in_play(position, seat):
                self._begin("act", seat, self._draw(self._tempos[seat].notice), partial(self._decide, seat))

    # Dealing and spitting.

    def _deal(self) -> None:
        deals: list[SeatDeal | None] = [None, None]
        pack = list(DECK)
        self._rng.shuffle(pack)
        for seat in Seat:
            side = self.position.sides[seat]
            if side.phase is Phase.DEALING:
                deals[seat] = self._laid_out(seat, pack[26 * seat : 26 * seat + 26])
            elif side.phase is Phase.REDEAL:
                cards = list(side.gathered)
                self._rng.shuffle(cards)
                deals[seat] = self._laid_out(seat, cards)
        self._do(deal(deals[0], deals[1]))

    def _laid_out(self, seat: Seat, cards: list[Card]) -> SeatDeal:
        if keeps_layout(self.position, seat):
            return SeatDeal((), tuple(cards))
        tops_up = not tops_stay_down(self.position, seat)
        dealt = iter(cards)
        stock = tuple(
            tuple(laid(next(dealt), tops_up and place == size - 1) for place in range(size))
            for size in self.rules.deal_sizes(len(cards)).stock
        )
        return SeatDeal(stock, tuple(dealt))

    def _spit_again(self) -> None:
        """Call, and then turn the spit cards; the call comes once it has been seen that nobody can go on."""
        if not self.position.due or _CALLED not in self._under_way:
            wait = self.rules.stalemate_hold if not self.position.due else 0.5
            self._begin("call", None, wait + self._draw((0.1, 0.5)), self._call)
            return
        for seat in self.position.due:
            self._begin("spit", seat, self._draw(COUNTDOWN), partial(self._spit, seat))

    def _call(self) -> None:
        position = self.position
        able = position.due or (spitters(position) if stalemate(position) else ())
        if not able:
            return
        self._under_way.add(_CALLED)
        self._do(call(able[0] if len(able) == 1 else None))

    def _spit(self, seat: Seat) -> None:
        position = self.position
        if seat not in position.due:
            return
        home = position.home[seat]
        if position.sides[seat].phase is Phase.PLAY and not position.centre[home]:
            home = 1 - home
        self._do(spit(seat, position.sides[seat].reserve[-1], RESERVES[seat], CENTRES[home]))

    # Playing.

    def _decide(self, seat: Seat) -> None:
        if not in_play(self.position, seat):
            return
        locked = (self.position.sides[seat].locked_until or 0.0) - self.now
        if locked > 0:
            self._begin("act", seat, locked, partial(self._decide, seat))
            return
        tempo = self._tempos[seat]
        action = self._slip(seat) if self._rng.random() < tempo.slip else None
        action = action or self._players[seat].choose(self.position, seat, self._rng)
        if action is None:
            if not stuck(self.position, seat):
                self._begin("act", seat, self._draw(HESITATION), partial(self._decide, seat))
            return
        slipped = not self._fits(action)
        delay = self._draw(tempo.turn if action.kind is Kind.TURN_UP else tempo.carry)
        self._begin("act", seat, delay, partial(self._touch, seat, action, slipped))

    def _slip(self, seat: Seat) -> Action | None:
        """A card that does not fit, put down all the same."""
        fit = self.position.rules.fit
        wrong = [
            play(seat, card, zone, CENTRES[index])
            for zone, card in playable(self.position.sides[seat], seat)
            for index in self.position.open_piles
            if not fit[self.position.centre[index][-1].card.code] & card.bit
        ]
        return self._rng.choice(wrong) if wrong else None

    def _fits(self, action: Action) -> bool:
        if action.kind is not Kind.PLAY:
            return True
        assert action.target is not None
        assert action.card is not None
        top = self.position.top(action.target.index)
        return top is not None and bool(self.position.rules.fit[top.code] & action.card.bit)

    def _touch(self, seat: Seat, action: Action, slipped: bool) -> None:
        """The card comes down, unless its player has seen in time that it must not."""
        target = action.target
        assert target is not None
        seen = action.kind is Kind.PLAY and self.now - self._changed[target.index] >= self._tempos[seat].withdraw
        if not in_play(self.position, seat) or (not slipped and seen and not self._fits(action)):
            self._look()
            return
        if action.kind is not Kind.PLAY or self._fits(action):
            self._do(action)
            return
        # It goes back in a moment; until then the hand is not free for anything else.
        self._begin("act", seat, self._draw(RETURN), partial(self._give_back, seat, action))
        self._do(action)

    def _give_back(self, seat: Seat, action: Action) -> None:
        assert action.card is not None
        assert action.target is not None
        debt = self.position.debt_of(action.card, action.target)
        if debt is not None:
            self._do(take_back(seat, action.card, action.target, debt.back_to))
        else:
            self._look()

    # Taking piles.

    def _take_pile(self, seat: Seat) -> None:
        claims = self.position.claims
        assert claims is not None
        if seat not in claims.slapped and claims.piles[seat] is None and claims.chooser in (None, seat):
            wanted = CENTRES[self._players[seat].pile(self.position, self._rng)]
            self._begin("slap", seat, self._draw(REFLEX), partial(self._slap, seat, wanted))
        elif claims.piles[seat] is not None and ("slap", seat) not in self._under_way:
            self._begin("claim", seat, self._draw(LIFT), partial(self._claim, seat))

    def _slap(self, seat: Seat, wanted: Zone) -> None:
        if self.position.sides[seat].phase is Phase.CLAIM:
            self._do(slap(seat, wanted))

    def _claim(self, seat: Seat) -> None:
        claims = self.position.claims
        pile = None if claims is None else claims.piles[seat]
        if pile is not None:
            self._do(claim(seat, CENTRES[pile]))


def play_match(
    rules: RuleSet,
    seed: int,
    *,
    players: tuple[str, str] = ("greedy", "greedy"),
    pace: float = 1.0,
    slip: float = 0.0,
    limits: Limits = Limits(),
) -> GameRecord:
    """A match between two scripted players.

    Args:
        rules: the law.
        seed: the same seed gives the same match.
        players: names from ``PLAYERS`` for seats A and B.
        pace: how much faster than ``Tempo``'s figures they are.
        slip: share of decisions that put down a card which does not fit.
        limits: when to leave a match that is not over.

    Returns:
        The record, every action with its ruling; its result is ``*`` if the match was left.
    """
    tempo = replace(Tempo().scaled(pace), slip=slip)
    match = Match(rules, seed, (player(players[0], pace), player(players[1], pace)), (tempo, tempo))
    while match.now < limits.seconds and len(match.lines) < limits.actions and match.advance():
        pass
    lines = tuple(line for line in match.lines if line.action.t is None or line.action.t <= limits.seconds)
    result = result_words(match.position)
    return GameRecord(rules, start(rules), ("Ada", "Bo"), lines, result, f"scripted players, seed {seed}")
