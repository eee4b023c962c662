"""What holds in the end of all that was said: corrections applied, states kept."""

from __future__ import annotations

from collections.abc import Iterable

from referee.tracking.commits import ACTION, CORRECTION, Commit


def effective(commits: Iterable[Commit]) -> tuple[Commit, ...]:
    """The commits that still hold, in order of time: a correction stands where what it corrects stood."""
    standing: dict[int, Commit | None] = {}
    for commit in commits:
        if commit.corrects is None:
            standing[commit.number] = commit
        else:
            standing[commit.corrects] = commit if commit.action is not None else None
    return tuple(sorted((one for one in standing.values() if one is not None), key=lambda one: (one.t, one.number)))


def is_ruling(commit: Commit) -> bool:
    """Whether somebody did something that was ruled on."""
    return commit.what in (ACTION, CORRECTION) and commit.action is not None and commit.ruling is not None
