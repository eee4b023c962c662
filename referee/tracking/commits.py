"""What the decoder says: actions with their rulings, and what came about besides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.readings import Evidence
from referee.rules.actions import Action
from referee.rules.position import Position
from referee.rules.ruling import Ruling
from referee.table import Seat

ACTION: Final = "action"
STALEMATE: Final = "stalemate"
ROUND_OVER: Final = "round_over"
GAME_OVER: Final = "game_over"
DISTURBED: Final = "disturbed"
DESYNC: Final = "desync"
"""The table contradicts the ledger, and nothing that could have been done explains it."""
HEALED: Final = "healed"
"""The ledger has been made to agree with what is seen; play is judged again."""
CORRECTION: Final = "correction"
"""Something said before turned out otherwise; ``Commit.corrects`` says what."""


@dataclass(frozen=True, slots=True)
class Commit:
    """Something that is said for good; a later ``CORRECTION`` may take it back, never silently.

    Attributes:
        number: its place among all that was said, from 0.
        what: ``ACTION``, ``STALEMATE``, ``ROUND_OVER``, ``GAME_OVER``, ``DISTURBED``, ``DESYNC``, ``HEALED`` or
            ``CORRECTION``.
        action: what was done; for a correction what was really done, ``None`` if nothing was.
        ruling: the ruling on the action; ``None`` where there is no action.
        before, after: the position before and after.
        confidence: probability that action and verdict are right, 0..1.
        t: the instant, s: of first touch for an action, of coming to rest for a state.
        t_from, t_to: the interval that holds it, s.
        t_said: when this was said, s.
        frames: first and last frame of the evidence.
        evidence: what was seen of it.
        winner: of a round or game; ``None`` for nobody.
        detail: why a round or game is over, what was disturbed, what does not fit.
        corrects: number of the commit that is corrected.
    """

    number: int
    what: str
    action: Action | None
    ruling: Ruling | None
    before: Position
    after: Position
    confidence: float
    t: float
    t_from: float
    t_to: float
    t_said: float
    frames: tuple[int, int] = (0, 0)
    evidence: tuple[Evidence, ...] = ()
    winner: Seat | None = None
    detail: str = ""
    corrects: int | None = None
