"""A recorded game refereed a second time: from what was seen at the table, or from its pictures."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from referee import __version__
from referee.announce.announcement import Level
from referee.announce.phrases import Language
from referee.calibrate.table_file import parse_table
from referee.calibrate.table_given import GivenTable
from referee.errors import UserError
from referee.files import write_whole
from referee.live.game import STILLS_S, LiveGame, Voice
from referee.live.refereeing import LiveSession
from referee.record.entries import Header, Key, Pressed
from referee.record.folder import GameFolder
from referee.record.journal import JOURNAL, Journal, read_journal
from referee.record.rehearsal import decoder_of, rehearsed
from referee.record.result import result_header, write_line
from referee.record.sight import sights_of
from referee.report.differing import Difference, differences
from referee.report.page import Report, write_page
from referee.report.replaying import Progress, Setting, record_of
from referee.report.stills import Still, StillKeeper
from referee.rules.record import write_record
from referee.rules.ruleset import RuleSet
from referee.rules.settings import parse_ruleset
from referee.table import TableLayout
from referee.tracking.commits import Commit
from referee.tracking.results import result_event
from referee.vision.frames import Frame
from referee.vision.rectify import TableView
from referee.vision.zone_reading import ReadsZones

PAUSES: Final = (Key.PAUSE, Key.RESUME)


@dataclass(frozen=True, slots=True, eq=False)
class Again:
    """A game refereed a second time.

    Attributes:
        journal: of the game as it was played, without what was seen.
        header: what it was refereed with this time.
        commits: all that was said this time.
        stills: of commits by their numbers.
        end: length of the game, s.
        damage: what was wrong with its pictures; empty for nothing.
    """

    journal: Journal
    header: Header
    commits: tuple[Commit, ...]
    stills: Mapping[int, Sequence[Still]]
    end: float
    damage: str

    def events(self) -> list[dict[str, object]]:
        """What was said this time, as result files write it."""
        return [result_event(commit, self.header.names) for commit in self.commits]

    def differences(self) -> list[Difference]:
        """How it differs from what was said at the table."""
        return differences((ruled.event for ruled in self.journal.events()), self.events())


def from_journal(folder: Path, rules: RuleSet | None, progress: Progress) -> Again:
    """Referee a game again from what was seen at the table; the rulings are the same where the law is.

    Args:
        folder: of the game.
        rules: the law; None for that of the game.
        progress: told how far the recording has been looked through for stills.

    Raises:
        UserError: the journal cannot be read.
    """
    journal = read_journal(folder / JOURNAL)
    if rules is not None:
        journal = replace(journal, header=replace(journal.header, rules=str(rules)))
    commits = tuple(rehearsed(journal, decoder_of(journal, str(folder))))
    end = max((commit.t_said for commit in commits), default=0.0)
    try:
        with GameFolder(folder) as film:
            stills = _stills(film, journal, commits, progress)
            return Again(film.journal, journal.header, commits, stills, max(end, film.duration), film.damage)
    except UserError as error:
        # A game that was played without a recording has its rulings all the same.
        return Again(read_journal(folder / JOURNAL, events_only=True), journal.header, commits, {}, end, str(error))


def from_pictures(
    folder: Path,
    rules: RuleSet | None,
    reading: Callable[[TableLayout, TableView], ReadsZones],
    model: str,
    progress: Progress,
) -> Again:
    """Referee a game again from its recording, the players pressing the same keys at the same times.

    Args:
        folder: of the game.
        rules: the law; None for that of the game.
        reading: makes what reads the zones of a layout where it lies as a view says.
        model: checksum of the reader's model.
        progress: told of every frame.

    Raises:
        UserError: the journal or the recording cannot be read.
    """
    with GameFolder(folder) as film:
        header, where = film.journal.header, str(folder)
        law = _law(header, where) if rules is None else rules
        table = parse_table(header.table, f"the table of {where}").for_picture(film.size)
        session = LiveSession(law, table.layout, table.view, lambda view: reading(table.layout, view))
        game = LiveGame(session, Voice(Language.ENGLISH, header.names, Level.OFF), None, stills=True)
        keys = deque(entry for entry in film.journal.entries if isinstance(entry, Pressed))
        while (frame := film.read()) is not None:
            while keys and _is_due(keys[0], frame):
                key = keys.popleft().key
                game.press(Key.PAUSE if key in PAUSES else key)
            game.watch(frame)
            progress(frame.t, film.duration)
        game.finish()
        told = replace(header, program=__version__, model=model, rules=str(law))
        return Again(film.journal, told, tuple(game.commits.values()), game.stills, film.duration, film.damage)


def write_again(again: Again, name: str, out: Path) -> tuple[Path, ...]:
    """Write ``name.result.jsonl``, ``name.spit`` and ``name.html`` into ``out``.

    Raises:
        UserError: they cannot be written.
    """
    header, where = again.header, f"the journal of {name}"
    table = parse_table(header.table, f"the table of {where}").for_picture(header.size)
    setting = Setting(_law(header, where), header.names, GivenTable(table.layout, table.corners), header.model)
    lines = [result_header(header, where), *again.events()]
    facts = (f"rules {setting.rules}", header.source, f"referee {header.program}")
    report = Report(name, header.names, facts, again.commits, again.stills, again.end, again.damage)
    texts = {
        out / f"{name}.result.jsonl": "".join(f"{write_line(line)}\n" for line in lines),
        out / f"{name}.spit": write_record(record_of(again.commits, setting, name)),
        out / f"{name}.html": write_page(report),
    }
    for path, text in texts.items():
        write_whole(path, text)
    return tuple(texts)


def _law(header: Header, where: str) -> RuleSet:
    try:
        return parse_ruleset(header.rules)
    except ValueError as error:
        raise UserError(f"{where}: {error}") from None


def _is_due(pressed: Pressed, frame: Frame) -> bool:
    """Whether a key had been pressed when a frame was watched: a pause is told between frames, all else with one."""
    return pressed.t < frame.t if pressed.key in PAUSES else pressed.t <= frame.t


def _stills(
    film: GameFolder, journal: Journal, commits: Sequence[Commit], progress: Progress
) -> dict[int, tuple[Still, ...]]:
    """Stills of commits, from the pictures that there were when each was said."""
    layout = parse_table(journal.header.table, "the table").layout
    sights = deque(sights_of(journal, str(film.path)))
    waiting = deque(sorted(commits, key=lambda commit: commit.t_said))
    keeper = StillKeeper(layout, sights[0][1].view)
    stills: dict[int, tuple[Still, ...]] = {}
    kept = float("-inf")
    while (frame := film.read()) is not None:
        if sights and sights[0][0] <= frame.t:
            keeper = StillKeeper(layout, sights.popleft()[1].view)
        if frame.t - kept >= STILLS_S:
            kept = frame.t
            keeper.push(frame)
        while waiting and waiting[0].t_said <= frame.t:
            commit = waiting.popleft()
            stills[commit.number] = keeper.of(commit)
        progress(frame.t, film.duration)
    stills.update((commit.number, keeper.of(commit)) for commit in waiting)
    return stills
