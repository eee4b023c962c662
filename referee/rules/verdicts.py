"""Putting rulings together: legal, illegal with its remedy, and what is said to those who spit too soon."""

from __future__ import annotations

from typing import Final

from referee.cards import Card
from referee.rules.actions import Action, Kind
from referee.rules.position import Position
from referee.rules.ruling import Remedy, Ruling, Verdict
from referee.rules.state import Reason
from referee.rules.stuck import stuck
from referee.table import Seat


def legal(action: Action, rules: tuple[str, ...], *, correction: bool = False, note: str = "") -> Ruling:
    """``action`` is legal by ``rules``."""
    return Ruling(action, Verdict.LEGAL, None, rules, None, correction, None, None, note)


def illegal(
    position: Position,
    action: Action,
    reason: Reason,
    *rules: str,
    against: Card | None = None,
    witness: Action | None = None,
    note: str = "",
) -> Ruling:
    """``action`` is illegal for ``reason`` by ``rules``; the law of ``position`` says what follows."""
    remedy = _remedy(position, action, reason)
    return Ruling(action, Verdict.ILLEGAL, reason, rules, remedy, False, against, witness, note)


_CARD_REMEDY: Final = {
    "return_card": Remedy.RETURN_CARD,
    "stands_if_unchallenged": Remedy.STANDS_IF_UNCHALLENGED,
    "lockout": Remedy.LOCKOUT,
}


def _remedy(position: Position, action: Action, reason: Reason) -> Remedy:
    if action.kind in (Kind.SLAP, Kind.CLAIM):
        favours = position.rules.early_slap == "opponent_chooses" and reason is Reason.EARLY_SLAP
        return Remedy.FIRST_CHOICE if favours else Remedy.IGNORED
    if action.kind in (Kind.CALL, Kind.DEAL):
        return Remedy.IGNORED
    if action.kind in (Kind.TOUCH, Kind.TURN_UP):
        return Remedy.WARNING
    if reason in (Reason.TWO_CARDS, Reason.TWO_HANDS):
        return Remedy.WARNING
    if reason is Reason.LATE:
        # Who loses an honest race takes the card back and is not punished for it (G9).
        return Remedy.RETURN_CARD
    return _CARD_REMEDY[position.rules.illegal_play]


def not_stuck(position: Position, action: Action) -> Ruling:
    """Spitting although somebody can go on (G8); names who and how, unless no_hint keeps it back.

    Undecided where only a card that nobody has seen might still be played.
    """
    ways = [stuck(position, seat) for seat in Seat]
    witness = next((way.witness for way in ways if way.witness is not None), None)
    if witness is None and not any(debt.binding for debt in position.owed):
        return Ruling(action, Verdict.UNDECIDED, None, ("PT-22", "G1"), note="unseen")
    note = "owed" if witness is None else ""
    if position.rules.no_hint:
        witness, note = None, "no_hint"
    return illegal(position, action, Reason.NOT_STUCK, "PT-22", "G8", witness=witness, note=note)
