"""Commits as the events of a result file (see ``rules.contract`` for how actions are written)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from referee.rules.actions import Kind
from referee.rules.contract import write_event, write_sizes
from referee.rules.ruling import NAMES, describe, sentence
from referee.tracking import commits
from referee.tracking.commits import Commit

_DISTURBED: Final = {
    "gap": "A moment was not seen",
    "camera moved": "The camera moved",
    "lights changed": "The light changed",
    "table swept": "Cards were swept away",
    "cards swept": "Cards were swept away",
}
"""What is told of a disturbance by its kind."""

_AFTER: Final = 5e-4
"""What is not seen yet in the picture at ``Commit.t_from`` was later than that by so much at the least, s."""

_STATES: Final = {
    commits.STALEMATE: "Neither can go on.",
    commits.ROUND_OVER: "The round is over.",
    commits.GAME_OVER: "The game is over.",
}


def result_event(commit: Commit, names: Sequence[str] = NAMES) -> dict[str, Any]:
    """One line of a result file.

    What fits no word of the contract (the table contradicts the ledger, the ledger was mended, something said was
    taken back) is written as ``disturbed`` with a sentence; an action that replaces one said before carries the number
    of that in ``corrects``. An action also carries the position it was judged in.

    Args:
        commit: what was said.
        names: of the players A and B.
    """
    event = _what(commit, names)
    event["confidence"] = round(commit.confidence, 4)
    event["t_from"], event["t_to"] = _seconds(min(commit.t_from + _AFTER, commit.t_to)), _seconds(commit.t_to)
    event["t_said"] = _seconds(commit.t_said)
    event["frames"] = list(commit.frames)
    event["text"] = told(commit, names)
    event["number"] = commit.number
    if commit.action is not None:
        event["position"] = str(commit.before)
    if commit.corrects is not None:
        event["corrects"] = commit.corrects
    return event


def settled(commits_: Iterable[Commit]) -> list[Commit]:
    """What was said and not taken back, each correction of an action in the place of what it corrects."""
    said: dict[int, Commit] = {}
    for commit in commits_:
        if commit.corrects is None:
            said[commit.number] = commit
        elif commit.action is None:
            said.pop(commit.corrects, None)
        else:
            said[commit.corrects] = commit
    return list(said.values())


def _what(commit: Commit, names: Sequence[str]) -> dict[str, Any]:
    t = _seconds(commit.t)
    action, ruling = commit.action, commit.ruling
    if action is not None and action.kind is Kind.DEAL:
        sizes = write_sizes(action)
        return {"kind": "event", "t": t, "action": "deal", "round": commit.after.round, "sizes": sizes}
    if action is not None:
        event = write_event(action, ruling)
        event["t"] = t
        if ruling is not None and ruling.rules:
            event["rule"] = ruling.rules[0]
        return event
    if commit.what in (commits.ROUND_OVER, commits.GAME_OVER):
        winner = None if commit.winner is None else commit.winner.name
        return {"kind": "event", "t": t, "action": commit.what, "winner": winner, "reason": commit.detail}
    if commit.what == commits.STALEMATE:
        return {"kind": "event", "t": t, "action": "stalemate"}
    what = commit.detail if commit.what == commits.DISTURBED else told(commit, names)
    return {"kind": "event", "t": t, "action": "disturbed", "what": what}


def told(commit: Commit, names: Sequence[str] = NAMES) -> str:
    """The sentence in which a commit is shown and spoken."""
    if commit.ruling is not None:
        said = sentence(commit.ruling, names)
        return f"Correction: {said}" if commit.corrects is not None else said
    if commit.action is not None:
        return f"{describe(commit.action, names)}."
    if commit.what == commits.CORRECTION:
        return f"Correction: {commit.detail}"
    if commit.what == commits.DESYNC:
        return f"The table and the ledger do not agree: {commit.detail}"
    if commit.what == commits.HEALED:
        return f"The ledger follows the table again: {commit.detail}"
    if commit.what == commits.DISTURBED:
        return f"{_DISTURBED.get(commit.detail, f'Disturbed: {commit.detail}')}."
    winner = "" if commit.winner is None else f" {names[commit.winner]} wins."
    return _STATES[commit.what] + winner


def _seconds(t: float) -> float:
    return round(t, 4)
