"""Scripted players: what to do next, judged by what one player sees, and how long a person takes for it.

A player sees face-up cards and the centre piles, never what lies face down or in a reserve. Times are rough figures for
practised adults; ``Tempo`` scales them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Final, Protocol

from referee.rules.actions import Action, Kind
from referee.rules.moves import fills, legal_moves, plays, stacks, turn_ups
from referee.rules.position import Position
from referee.rules.state import Phase
from referee.rules.stuck import hides, stuck
from referee.table import Seat, ZoneKind


@dataclass(frozen=True, slots=True)
class Tempo:
    """How fast a player is.

    Attributes:
        notice: shortest and longest time from a change on the table to the decision, s.
        carry: shortest and longest time from the decision to first touch of a card that is carried, s.
        turn: the same for turning a card up in its place, s.
        withdraw: a card that no longer fits is held back if the pile changed at least this long before touch, s;
            players in practice watch the other's hand and know sooner.
        slip: share of plays made although the card does not fit.
    """

    notice: tuple[float, float] = (0.10, 0.45)
    carry: tuple[float, float] = (0.35, 0.70)
    turn: tuple[float, float] = (0.30, 0.55)
    withdraw: float = 0.22
    slip: float = 0.0

    def scaled(self, pace: float) -> Tempo:
        """The same player ``pace`` times as fast."""

        def faster(span: tuple[float, float]) -> tuple[float, float]:
            return span[0] / pace, span[1] / pace

        return Tempo(
            faster(self.notice),
            faster(self.carry),
            faster(self.turn),
            min(self.withdraw, self.withdraw / pace),
            self.slip,
        )


class Player(Protocol):
    """Chooses what to do in play."""

    def choose(self, position: Position, seat: Seat, rng: Random) -> Action | None:
        """The next action of ``seat``, without a time; ``None`` to wait. Only called while ``seat`` is in play."""
        ...

    def pile(self, position: Position, rng: Random) -> int:
        """The index of the centre pile to slap when a round is over."""
        ...


def _exposing(position: Position, seat: Seat, moves: Iterable[Action]) -> list[Action]:
    """Those of ``moves`` that take a card off a face-down one."""
    stock = position.sides[seat].stock
    return [move for move in moves if move.source is not None and hides(stock[move.source.index])]


@dataclass(frozen=True, slots=True)
class Greedy:
    """Plays whatever fits, from the deepest stock pile first; else turns up, fills a gap, stacks.

    Attributes:
        turns_first: share of decisions that turn a card up although another may fit.
    """

    turns_first: float = 0.5

    def choose(self, position: Position, seat: Seat, rng: Random) -> Action | None:
        """See ``Player``."""
        up = turn_ups(position, seat)
        if up and (position.rules.reveal_duty == "must" or rng.random() < self.turns_first):
            return rng.choice(up)
        playing = plays(position, seat)
        if playing:
            stock = position.sides[seat].stock
            deepest = max(self._depth(stock, move) for move in playing)
            return rng.choice([move for move in playing if self._depth(stock, move) == deepest])
        for moves in (up, _exposing(position, seat, [*fills(position, seat), *stacks(position, seat)])):
            if moves:
                return rng.choice(moves)
        return stuck(position, seat).witness

    @staticmethod
    def _depth(stock: tuple[tuple[object, ...], ...], move: Action) -> int:
        if move.source is None or move.source.kind is not ZoneKind.STOCK:
            return 0
        return len(stock[move.source.index])

    def pile(self, position: Position, rng: Random) -> int:
        """The smaller pile, which is safer (PT-25)."""
        piles = position.open_piles
        fewest = min(len(position.centre[index]) for index in piles)
        return rng.choice([index for index in piles if len(position.centre[index]) == fewest])


class Wild:
    """Does any legal thing at random, pointless ones too, and now and then nothing."""

    def choose(self, position: Position, seat: Seat, rng: Random) -> Action | None:
        """See ``Player``."""
        moves = legal_moves(position, seat)
        if rng.random() < 0.8:
            # Shifting cards about is not all that people do at random.
            moves = [move for move in moves if move.kind in (Kind.PLAY, Kind.TURN_UP)] or moves
        return rng.choice(moves) if moves and rng.random() < 0.9 else None

    def pile(self, position: Position, rng: Random) -> int:
        """Either pile."""
        return rng.choice(position.open_piles)


PLAYERS: Final = ("greedy", "random")
"""The names of the players."""


def player(name: str, pace: float = 1.0) -> Player:
    """The player of that name, one of ``PLAYERS``; a greedy one plays first at a quick pace and tidies up later."""
    if name == "random":
        return Wild()
    return Greedy(min(0.5, 0.5 / pace**2))


def in_play(position: Position, seat: Seat) -> bool:
    """Whether ``seat`` may move cards now."""
    return position.sides[seat].phase is Phase.PLAY and not position.frozen
