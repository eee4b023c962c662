"""What is said of the decoder's commits."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from referee.announce.announcement import Announcement, Level, Priority, Subject, announce, is_wanted
from referee.announce.phrases import Language
from referee.announce.telling import SIGHT, SPIT, Event, announcements, settled_topics
from referee.readings import Disturbance
from referee.rules.step import Happening
from referee.tracking import commits
from referee.tracking.commits import Commit

OLD_SECONDS: Final = 1.5
"""A fault that is told so long after the touch has been played upon, and gives way to one of this moment."""

_SIGHT: dict[str, str] = {commits.DESYNC: "trouble.desync", commits.HEALED: "trouble.resync"}


def commit_announcements(
    commit: Commit,
    language: Language,
    names: tuple[str, str],
    level: Level,
    *,
    corrected: Commit | None = None,
    first: int | None = None,
) -> tuple[Announcement, ...]:
    """What those who chose ``level`` are told of ``commit``.

    Args:
        commit: what the decoder says.
        language: what it is said in.
        names: of the players in seats A and B.
        level: how much is said.
        corrected: for a correction, the commit with the number in ``commit.corrects``.
        first: number of the first commit that was corrected into this one; None if that is this one.
    """
    if commit.what in _SIGHT:
        sight = announce(_SIGHT[commit.what], language=language, topic=SIGHT)
        return (sight,) if is_wanted(sight, level) else ()
    before = None if corrected is None else corrected.ruling
    position = commit.before if commit.ruling is not None else commit.after
    told = announcements(_event(commit), language, names, level, position=position, corrected=before)
    subject = Subject(commit.number if first is None else first, commit.number, commit.t)
    most = Priority.PAST if commit.ruling is not None and commit.t_said - commit.t > OLD_SECONDS else Priority.CALL
    return tuple(replace(one, subject=subject, priority=min(one.priority, most)) for one in told)


def commit_settles(commit: Commit) -> tuple[str, ...]:
    """The topics that ``commit`` settles (see ``telling.settled_topics``)."""
    if commit.ruling is None:
        return ()
    topics = settled_topics(commit.ruling)
    # A card that was ruled on before was on the table when Spit was called.
    return topics if commit.corrects is None else tuple(topic for topic in topics if topic != SPIT)


def _event(commit: Commit) -> Event | None:
    if commit.ruling is not None:
        return commit.ruling
    if commit.what == commits.DISTURBED:
        return Disturbance(commit.detail, commit.t_from, commit.t_to)
    if commit.what in (commits.STALEMATE, commits.ROUND_OVER, commits.GAME_OVER):
        return Happening(commit.what, commit.winner, commit.detail)
    return None
