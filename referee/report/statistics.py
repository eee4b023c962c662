"""Players' figures: plays, pace, faults, how long somebody was stuck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.report.effective import is_ruling
from referee.rules.actions import Kind
from referee.rules.ruling import Verdict
from referee.rules.state import Phase
from referee.rules.stuck import stuck
from referee.table import Seat
from referee.tracking import commits as said
from referee.tracking.commits import Commit

BURST: Final = 10.0
"""The best stretch is counted over so many seconds."""

COUNTED: Final = (Kind.PLAY, Kind.TURN_UP, Kind.FILL, Kind.SPIT)


@dataclass(slots=True)
class PlayerFigures:
    """One player's game.

    Attributes:
        done: legal actions of each kind.
        faults: illegal actions by reason.
        undecided: actions that could not be ruled on.
        minutes: time in which he could play, minutes.
        burst: most legal plays within ``BURST`` seconds.
        stuck: the longest time in which he certainly could do nothing, s, and when it began.
    """

    done: Counter[Kind] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    undecided: int = 0
    minutes: float = 0.0
    burst: int = 0
    stuck: tuple[float, float] = (0.0, 0.0)

    @property
    def pace(self) -> float | None:
        """Legal plays a minute; ``None`` where he never could play."""
        return self.done[Kind.PLAY] / self.minutes if self.minutes else None


@dataclass(frozen=True, slots=True)
class RoundFigures:
    """One round.

    Attributes:
        number: which, from 1.
        t_from, t_to: when, s.
        plays: legal plays of A and of B.
        stalemates: how often neither could go on.
        winner: of the round; ``None`` for nobody, or where it did not end.
        reason: how it ended; empty where it did not.
    """

    number: int
    t_from: float
    t_to: float
    plays: tuple[int, int]
    stalemates: int
    winner: Seat | None
    reason: str


def player_figures(commits: Sequence[Commit], end: float) -> tuple[PlayerFigures, PlayerFigures]:
    """The figures of both players from the commits that hold, in order of time, of a film that ends at ``end`` s."""
    figures = (PlayerFigures(), PlayerFigures())
    plays: tuple[list[float], list[float]] = ([], [])
    for commit in commits:
        action, ruling = commit.action, commit.ruling
        if not is_ruling(commit) or action is None or ruling is None or action.seat is None:
            continue
        mine = figures[action.seat]
        if ruling.verdict is Verdict.UNDECIDED:
            mine.undecided += 1
        elif ruling.verdict is Verdict.LEGAL:
            mine.done[action.kind] += 1
            if action.kind is Kind.PLAY:
                plays[action.seat].append(commit.t)
        elif ruling.reason is not None:
            mine.faults[ruling.reason.value] += 1
    for mine, times in zip(figures, plays, strict=True):
        mine.burst = max((sum(t <= one <= t + BURST for one in times) for t in times), default=0)
    _add_times(figures, commits, end)
    return figures


def _add_times(figures: tuple[PlayerFigures, PlayerFigures], commits: Sequence[Commit], end: float) -> None:
    """Add how long each could play, and the longest time without anything to play."""
    acted = [one for one in commits if one.what in (said.ACTION, said.CORRECTION)]
    begun: list[float | None] = [None, None]
    for index, commit in enumerate(acted):
        until = acted[index + 1].t if index + 1 < len(acted) else end
        position = commit.after
        for seat in Seat:
            mine, since = figures[seat], begun[seat]
            playing = position.sides[seat].phase is Phase.PLAY and any(position.centre)
            mine.minutes += max(until - commit.t, 0.0) / 60 if playing else 0.0
            if not (playing and stuck(position, seat)):
                begun[seat] = None
                continue
            since = begun[seat] = commit.t if since is None else since
            if until - since > mine.stuck[0]:
                mine.stuck = (until - since, since)


def round_figures(commits: Sequence[Commit], end: float) -> tuple[RoundFigures, ...]:
    """The rounds of a film, in order."""
    rounds: list[RoundFigures] = []
    for number in sorted({one.before.round for one in commits if is_ruling(one)}):
        own = [one for one in commits if one.before.round == number]
        over = next((one for one in own if one.what == said.ROUND_OVER), None)
        legal = [
            one.action.seat
            for one in own
            if one.action is not None and one.action.kind is Kind.PLAY and one.ruling is not None and one.ruling.legal
        ]
        later = [one.t for one in commits if one.before.round > number]
        rounds.append(
            RoundFigures(
                number,
                own[0].t,
                over.t if over is not None else min(later, default=end),
                (legal.count(Seat.A), legal.count(Seat.B)),
                sum(one.what == said.STALEMATE for one in own),
                None if over is None else over.winner,
                "" if over is None else over.detail,
            )
        )
    return tuple(rounds)
