"""Rulings: what the referee says of an action."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.cards import Card
from referee.rules.actions import Action
from referee.rules.position import Reason


class Verdict(Enum):
    """Legal or not; ``UNDECIDED`` is for those who watch and could not see, never for the law itself."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNDECIDED = "undecided"

    __hash__ = object.__hash__


class Remedy(Enum):
    """What follows from an illegal action (G6, G7, G10)."""

    RETURN_CARD = "return_card"
    """The card goes back where it came from, unless somebody plays legally on it first."""
    STANDS_IF_UNCHALLENGED = "stands_if_unchallenged"
    """The card goes back unless the opponent plays on first."""
    LOCKOUT = "lockout"
    """The card goes back and its player may not play for a while."""
    IGNORED = "ignored"
    """It counts for nothing."""
    FIRST_CHOICE = "first_choice"
    """It counts for nothing and the opponent will choose a pile first."""
    WARNING = "warning"
    """It is said aloud and nothing else; a card so moved may go back (G10)."""

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict on one action.

    Attributes:
        action: what was judged.
        verdict: legal, illegal, undecided.
        reason: why it is illegal; ``None`` when it is not.
        rules: IDs of the laws it rests on (``lawbook.law`` explains them).
        remedy: what follows; ``None`` when legal.
        correction: it puts an illegal card right.
        against: the centre card it was judged against, where that decides.
        witness: for ``not_stuck``: what could still be done.
        note: which of several cases of the same reason it is; chooses the sentence.
    """

    action: Action
    verdict: Verdict
    reason: Reason | None = None
    rules: tuple[str, ...] = ()
    remedy: Remedy | None = None
    correction: bool = False
    against: Card | None = None
    witness: Action | None = None
    note: str = ""

    @property
    def legal(self) -> bool:
        """Whether the action is legal."""
        return self.verdict is Verdict.LEGAL

    @property
    def text(self) -> str:
        """The ruling in one sentence, the players called A and B."""
        from referee.rules.sentences import sentence

        return sentence(self)
