"""The result file of a game refereed again from its journal alone."""

from __future__ import annotations

from referee.record.journal import Journal
from referee.record.rehearsal import decoder_of, rehearsed
from referee.record.result import result_header, write_line
from referee.tracking.results import result_event


def result_again(journal: Journal, where: str) -> list[str]:
    """The lines that ``result_lines`` gives if nothing has changed since the game."""
    commits = rehearsed(journal, decoder_of(journal, where))
    events = (result_event(commit, journal.header.names) for commit in commits)
    return [write_line(result_header(journal.header, where)), *map(write_line, events)]
