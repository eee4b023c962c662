"""Writes down what is said: commits, numbered in the order they are said in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.readings import BACK, Disturbance
from referee.rules.actions import Action
from referee.rules.position import Position
from referee.rules.ruling import Ruling
from referee.table import Seat, Zone
from referee.tracking import commits
from referee.tracking.commits import Commit
from referee.tracking.hypothesis import Deed, Span
from referee.tracking.sightings import Sighting, card_of
from referee.tracking.states import State


class Scribe:
    """Makes commits.

    Attributes:
        count: how many there are; the next has this number.
    """

    def __init__(self) -> None:
        self.count = 0
        self._round_over: int | None = None

    def deed(self, deed: Deed, ruling: Ruling, confidence: float, now: float) -> Commit:
        """Something that was done, with the ruling on it."""
        ruling = replace(ruling, action=deed.action)
        return self._commit(
            commits.ACTION,
            deed.before,
            deed.span,
            now,
            after=deed.after,
            action=deed.action,
            ruling=ruling,
            confidence=confidence,
        )

    def instead(self, number: int, deed: Deed, confidence: float, now: float) -> Commit:
        """What was really done where commit ``number`` said otherwise."""
        made = self._commit(
            commits.CORRECTION,
            deed.before,
            deed.span,
            now,
            after=deed.after,
            action=deed.action,
            ruling=replace(deed.ruling, action=deed.action),
            confidence=confidence,
        )
        return replace(made, corrects=number)

    def not_done(self, number: int, position: Position, confidence: float, now: float, detail: str) -> Commit:
        """What commit ``number`` said was not done; ``position`` is the table without it."""
        span = Span(now, now, now, (0, 0))
        made = self._commit(commits.CORRECTION, position, span, now, confidence=confidence, detail=detail)
        return replace(made, corrects=number)

    def state(self, state: State, now: float) -> Commit:
        """Something the game has come to, or has not come to after all."""
        span = Span(state.t, state.t, now, (0, 0))
        made = self._commit(state.what, state.position, span, now, winner=state.winner, detail=state.detail)
        if state.what == commits.CORRECTION:
            return replace(made, corrects=self._round_over)
        if state.what == commits.ROUND_OVER:
            self._round_over = made.number
        return made

    def disturbed(self, disturbance: Disturbance, position: Position, now: float) -> Commit:
        """Something that keeps the table from being seen as it is."""
        span = Span(disturbance.t_from, disturbance.t_from, now, (0, 0), (disturbance,))
        return self._commit(commits.DISTURBED, position, span, now, detail=disturbance.what)

    def healed(
        self, before: Position, after: Position, apart: Sequence[Zone], latest: Mapping[Zone, Sighting], now: float
    ) -> list[Commit]:
        """The zones ``apart`` contradict the ledger, which is made to follow what they show."""
        span = Span(now, now, now, (0, 0), tuple(latest[zone].change for zone in apart))
        what = f"{', '.join(zone.name for zone in apart)} cannot show what is seen there."
        seen = ", ".join(f"{zone} shows {_named(latest[zone].best)}" for zone in apart)
        return [
            self._commit(commits.DESYNC, before, span, now, detail=what),
            self._commit(commits.HEALED, before, span, now, after=after, detail=f"{seen}."),
        ]

    def _commit(
        self,
        what: str,
        before: Position,
        span: Span,
        now: float,
        *,
        after: Position | None = None,
        action: Action | None = None,
        ruling: Ruling | None = None,
        confidence: float = 1.0,
        winner: Seat | None = None,
        detail: str = "",
    ) -> Commit:
        made = Commit(
            self.count,
            what,
            action,
            ruling,
            before,
            before if after is None else after,
            confidence,
            span.t,
            span.t_from,
            span.t_to,
            now,
            span.frames,
            span.evidence,
            winner,
            detail,
        )
        self.count += 1
        return made


def _named(outcome: int) -> str:
    """What an outcome is called in a sentence."""
    card = card_of(outcome)
    return card.symbol if card is not None else "a back" if outcome == BACK else "nothing"
