"""What the game has come to: stalemates, ends of rounds and of the game, each told once, when it is certain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.rules.actions import Kind
from referee.rules.position import Position
from referee.rules.state import Phase, Result, RoundEnd
from referee.rules.stuck import stalemate, stuck
from referee.table import Seat, ZoneKind
from referee.tracking import commits
from referee.tracking.hypothesis import Deed, Hypothesis
from referee.tracking.sightings import Sighting

SETTLE: Final = 0.08
"""A card comes to rest so long after its first touch, s."""

_FRAME: Final = 0.04
"""Times are known no better than this, s."""

_TOGETHER: Final = 1.0
"""Two spit cards that come within so long of each other belong together, s."""


@dataclass(frozen=True, slots=True)
class State:
    """Something the game has come to.

    Attributes:
        what: ``STALEMATE``, ``ROUND_OVER`` or ``GAME_OVER``; ``CORRECTION`` for a round that is not over after all.
        t: when the card that made it true came to rest, s.
        position: the position then.
        winner: of a round or game.
        detail: why it is over.
    """

    what: str
    t: float
    position: Position
    winner: Seat | None = None
    detail: str = ""


class States:
    """Watches what is thought to have been done for what it brings about."""

    def __init__(self, hold: float) -> None:
        """``hold``: a stalemate is told once nothing has spoken against it for so long, s."""
        self._hold = hold
        self._stuck = False
        self._ended: RoundEnd | None = None
        self._result: Result | None = None
        self._last = (0.0, 0.0)
        self._asked: tuple[Position, bool] | None = None

    def ahead_of(self, deed: Deed, hypothesis: Hypothesis) -> State | None:
        """The stalemate that lay on the table when ``deed``, which is about to be said, was done.

        Both do not spit unless both are stuck, so that one is inferred where nothing is known that could be played.
        """
        spat = deed.action.kind is Kind.SPIT
        if self._stuck or (not spat and deed.ruling.legal):
            return None
        earlier = hypothesis.deeds[: hypothesis.deeds.index(deed)]
        if stalemate(deed.before):
            t, _ = self._cause(earlier)
        elif spat and not deed.before.owed and _both_spit(deed, hypothesis) and not _could_play(deed.before):
            t = max((one.span.t for one in earlier if one.action.kind is not Kind.CALL), default=self._last[0])
        else:
            return None
        # A card that does not fit ends one as soon as the last that did has come to rest.
        if deed.span.t <= t + SETTLE + _FRAME * (spat and deed.ruling.legal):
            return None
        self._stuck = True
        return State(commits.STALEMATE, t + SETTLE, deed.before)

    def after(self, deed: Deed, best: Hypothesis) -> None:
        """``deed`` has been said; what ``best`` holds to have been done since counts if it has been said as well."""
        if deed.action.kind is Kind.SPIT and deed.ruling.reason is None and _all_spat(deed, best):
            self._stuck = False
        self._last = (max(self._last[0], deed.span.t), max(self._last[1], deed.span.told))

    def restart(self) -> None:
        """The ledger was mended; what was told of the round before stands."""
        self._stuck = False
        self._asked = None

    def told(self, before: Position, after: Position, t: float) -> None:
        """The players say at ``t``, s, that what comes next is a new deal."""
        self.restart()
        self._last = (t - SETTLE, t)
        self._result = after.result
        if after.round_end is None or after.round_end is before.round_end:
            self._ended = after.round_end

    def reached(self, best: Hypothesis, now: float) -> list[State]:
        """What the game has come to by what has been said of the best hypothesis."""
        said = [deed for deed in best.deeds if deed.said is not None]
        position = said[-1].after if said else best.base
        found: list[State] = []
        end = position.round_end
        if self._ended is not None and (end is None or end.number < self._ended.number):
            found.append(State(commits.CORRECTION, self._last[0], position, None, "the round is not over."))
            self._ended = end
        if end is not None and end != self._ended:
            cause = next((deed for deed in said if deed.after.round_end == end), None)
            t = (self._last[0] if cause is None else cause.span.t) + SETTLE
            if end.reason == "no_reserve" and not self._stuck:
                found.append(State(commits.STALEMATE, t, position))
            found.append(State(commits.ROUND_OVER, t, position, end.winner, end.reason))
            self._ended, self._stuck = end, False
        if position.result is not None and position.result != self._result:
            self._result = position.result
            t = self._last[0] + SETTLE
            found.append(State(commits.GAME_OVER, t, position, position.result.winner, position.result.reason))
        if len(said) == len(best.deeds) and not any(map(_may_matter, best.pending)) and self._stalemate(position):
            t, told = self._cause(tuple(said))
            if not self._stuck and now >= told + self._hold:
                self._stuck = True
                found.append(State(commits.STALEMATE, t + SETTLE, position))
        return found

    def _cause(self, deeds: tuple[Deed, ...]) -> tuple[float, float]:
        """When the card came down after which everybody was stuck until now, and when all that was known, s."""
        cause = None
        for deed in reversed(deeds):
            if not stalemate(deed.after):
                break
            cause = deed
            if deed.action.kind is Kind.SPIT:
                break
        told = max((deed.span.told for deed in deeds), default=self._last[1])
        return (self._last[0] if cause is None else cause.span.t), told

    def _stalemate(self, position: Position) -> bool:
        if self._asked is None or self._asked[0] is not position:
            self._asked = (position, stalemate(position))
            if not self._asked[1] and not position.due:
                self._stuck = False
        return self._asked[1]


def _may_matter(change: Sighting) -> bool:
    """Whether something unexplained may keep a stalemate away: a reserve, which is only spat from, does not."""
    return change.zone.kind is not ZoneKind.RESERVE


def _both_spit(deed: Deed, hypothesis: Hypothesis) -> bool:
    """Whether the other player spits as well, as far as there is a reserve to spit from."""
    seat = deed.action.seat
    sides = deed.before.sides
    if seat is None or not all(side.phase is Phase.PLAY for side in sides) or len(deed.before.due) == 1:
        return False
    return not sides[seat.other].reserve or any(
        one.action.kind is Kind.SPIT and one.action.seat is seat.other and abs(one.span.t - deed.span.t) < _TOGETHER
        for one in hypothesis.deeds
    )


def _all_spat(deed: Deed, best: Hypothesis) -> bool:
    """Whether nobody has to spit any more after ``deed``, or after a spit that came later but was said before it."""
    place = next((place for place, one in enumerate(best.deeds) if one.name == deed.name), 0)
    said = [one for one in best.deeds[place:] if one.said is not None and one.action.kind is Kind.SPIT]
    return any(one.ruling.reason is None and not one.after.due for one in said)


def _could_play(position: Position) -> bool:
    """Whether a card is known that somebody could put on a centre pile."""
    ways = [stuck(position, seat).witness for seat in Seat]
    return any(way is not None and way.kind is Kind.PLAY for way in ways)
