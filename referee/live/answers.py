"""What the referee answers when the players tell it something."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from referee.record.entries import Key
from referee.rules.actions import Kind
from referee.tracking import commits
from referee.tracking.commits import Commit

UNDONE: Final = "correction.undone"
"""The phrase that says that a ruling is taken back."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered.

    Attributes:
        phrases: said aloud, as keys of phrases.
        notice: a sentence shown, where what was told changes nothing; empty where it does.
        silent: numbers of commits that need not be said, because ``phrases`` say it.
        undone: those of them that take a ruling back.
    """

    phrases: tuple[str, ...]
    notice: str = ""
    silent: frozenset[int] = frozenset()
    undone: frozenset[int] = frozenset()


def answer(key: Key, made: Sequence[Commit]) -> Answer:
    """What is answered to ``key``, which made the decoder say ``made``."""
    if key is Key.UNDO:
        undone = _numbers(one for one in made if one.corrects is not None and one.action is None)
        return Answer((UNDONE,), "", undone, undone) if undone else Answer((), "There is no ruling to take back.")
    if key is Key.SPIT:
        agreed = any(one.action is not None and one.action.kind is Kind.CALL for one in made)
        return Answer((), "" if agreed else "That both want to spit changes nothing now.")
    return Answer(("call.deal",), "", _numbers(one for one in made if one.what == commits.ROUND_OVER))


def _numbers(made: Iterable[Commit]) -> frozenset[int]:
    return frozenset(one.number for one in made)
