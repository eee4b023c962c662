"""What happens in a film, in order of time: the players' actions with their verdicts, and the table's own events."""

from __future__ import annotations

from dataclasses import dataclass

from referee.rules.actions import Action
from referee.rules.state import Reason
from referee.table import Seat


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a truth file.

    Attributes:
        t: first touch of a card or hand; for a claim the moment the pile starts to move; for a state the instant the
            last card that makes it true came to rest; s.
        name: the word of the footage contract, ``play`` to ``disturbed``.
        action: what a player did; ``None`` for the table's own events (stalemate, round_over, game_over, disturbed).
        fault: why the action is illegal; ``None`` if it is legal.
        correction: whether it puts an illegal action right.
        winner: of a round or game; ``None`` for a draw.
        detail: why a round or game is over, or what was disturbed.
        round: number of the round a deal begins.
    """

    t: float
    name: str
    action: Action | None = None
    fault: Reason | None = None
    correction: bool = False
    winner: Seat | None = None
    detail: str = ""
    round: int = 0

    @property
    def seat(self) -> Seat | None:
        """Who acted; ``None`` for both and for the table's own events."""
        return self.action.seat if self.action else None
