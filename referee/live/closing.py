"""What is written beside a game's recording when it is over: the record for programs and people, the report."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from referee import __version__
from referee.files import write_whole
from referee.live.game import LiveGame
from referee.report.page import Report, write_page
from referee.report.replaying import Setting, record_of
from referee.rules.record import write_record

REPORT: Final = "game.html"
RECORD: Final = "game.spit"


def write_reports(folder: Path, game: LiveGame, setting: Setting, source: str, damage: str) -> tuple[Path, ...]:
    """Write record and report of a game that is over.

    Args:
        folder: of the game.
        game: the game.
        setting: what it was refereed with.
        source: what filmed it, for people.
        damage: what was wrong with the pictures; empty for nothing.

    Returns:
        the files.

    Raises:
        UserError: they cannot be written.
    """
    commits = tuple(game.commits.values())
    facts = (f"rules {setting.rules}", source, f"referee {__version__}")
    report = Report(folder.name, setting.names, facts, commits, game.stills, game.t, damage)
    record, page = folder / RECORD, folder / REPORT
    write_whole(record, write_record(record_of(commits, setting, folder.name)))
    write_whole(page, write_page(report))
    return record, page
