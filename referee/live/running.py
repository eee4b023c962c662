"""A game from beginning to end: what it is refereed with is opened, used, and closed whatever happens."""

from __future__ import annotations

import queue
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Final

from referee import __version__
from referee.announce.announcement import Level
from referee.announce.announcer import Announcer
from referee.announce.phrases import Language
from referee.announce.voice import WORKER
from referee.calibrate.saved_table import SavedTable
from referee.calibrate.table_file import parse_table, write_table
from referee.calibrate.table_given import GivenTable
from referee.errors import UserError
from referee.live.closing import write_reports
from referee.live.feed import LiveSource
from referee.live.film import FilmAsCamera
from referee.live.game import LiveGame, Step, Voice
from referee.live.loop import Outputs, referee_live
from referee.live.overlay import Overlay
from referee.live.refereeing import LiveSession
from referee.live.window import Window
from referee.record.entries import Header, Looked
from referee.record.folder import make_folder
from referee.record.keeper import GameKeeper
from referee.record.rehearsal import decoder_of, rehearsed
from referee.record.result import RESULT
from referee.record.sight import sights_of
from referee.report.replaying import Setting
from referee.rules.ruleset import RuleSet
from referee.table import TableLayout
from referee.tracking.commits import Commit
from referee.tracking.decoder import Decoder
from referee.vision.camera import Camera
from referee.vision.open_source import open_source
from referee.vision.rectify import TableView
from referee.vision.video_file import VideoFile
from referee.vision.zone_reading import ReadsZones

LAST_WORDS_S: Final = 4.0
"""How long the voice may still speak when a game has ended."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """What a new game begins with; one that is gone on with has all of it in its journal.

    Attributes:
        table: the table in pictures of a size, width and height in px.
        rules: the law.
        names: of the players A and B.
    """

    table: Callable[[tuple[int, int]], SavedTable]
    rules: RuleSet
    names: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Plan:
    """How a game is to be refereed.

    Attributes:
        camera: as the user names it.
        game: a new game; None to go on with the one in ``folder``.
        language: what is said is said in it.
        level: how much is said aloud.
        reading: makes what reads the zones of a layout where it lies as a view says.
        model: checksum of the reader's model.
        folder: where the game is kept; None where it is not.
        beside: whether a new game is kept in a folder beside that one, where that is there already.
        window: whether a window is wanted.
        worker: command line of the speaking process.
    """

    camera: str
    game: NewGame | None
    language: Language
    level: Level
    reading: Callable[[TableLayout, TableView], ReadsZones]
    model: str
    folder: Path | None
    beside: bool = False
    window: bool = True
    worker: Sequence[str] = WORKER


@dataclass(frozen=True, slots=True)
class Telling:
    """Where a game is told of in words.

    Attributes:
        step: given what comes of each moment, and the names of the players.
        say: given sentences on the program itself.
    """

    step: Callable[[Step, tuple[str, str]], None]
    say: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a game.

    Attributes:
        commits: all that was said, in order.
        files: result file, record and report; none where nothing was kept.
        drops: pictures that came while the referee was busy.
        left_out: pictures that were not recorded.
    """

    commits: tuple[Commit, ...]
    files: tuple[Path, ...]
    drops: int
    left_out: int


@dataclass(frozen=True, slots=True)
class _Start:
    """What a game begins or goes on with."""

    source: LiveSource
    setting: Setting
    table: SavedTable
    view: TableView
    keeper: GameKeeper | None
    decoder: Decoder | None
    before: tuple[Commit, ...]
    last_t: float | None


def run_game(plan: Plan, telling: Telling) -> Outcome:
    """Referee a game until its source ends, the user ends it, or the system asks the program to end.

    Raises:
        UserError: something it needs is missing; the text says what to do.
    """
    with ExitStack() as stack:
        start = _go_on(plan, stack, telling) if plan.game is None else _begin(plan, plan.game, stack)
        source, table, setting, keeper = start.source, start.table, start.setting, start.keeper

        def reading(view: TableView) -> ReadsZones:
            return plan.reading(table.layout, view)

        session = LiveSession(setting.rules, table.layout, start.view, reading, start.decoder, start.last_t)
        voice = Voice(plan.language, setting.names, plan.level)
        game = LiveGame(session, voice, keeper, start.before)
        troubles: queue.SimpleQueue[str] = queue.SimpleQueue()
        announcer = None
        if voice.level is not Level.OFF:
            announcer = Announcer(
                voice.language, lambda why: troubles.put(f"Nothing can be heard: {why}"), worker=plan.worker
            )
            stack.callback(announcer.close)
        window = _window(stack, telling) if plan.window else None
        stop = stack.enter_context(_stopping())
        outputs = Outputs(window, announcer, lambda step: telling.step(step, setting.names), troubles, stop)
        referee_live(source, game, outputs, Overlay(table.layout.boxes))
        files: tuple[Path, ...] = ()
        if keeper is not None:
            files = _complete(keeper, game, setting, source)
        if announcer is not None:
            announcer.close(LAST_WORDS_S)
        left_out = 0 if keeper is None else keeper.left_out
        return Outcome(tuple(game.commits.values()), files, source.drops, left_out)


def _complete(keeper: GameKeeper, game: LiveGame, setting: Setting, source: LiveSource) -> tuple[Path, ...]:
    """Write all that follows from a game that is over; the files."""
    try:
        keeper.close()
        reports = write_reports(keeper.folder, game, setting, source.description, source.damage)
    except UserError as error:
        raise UserError(
            f"{error}; the journal is kept: see to that disk, and 'referee replay {keeper.folder}' writes the rest"
        ) from None
    return keeper.folder / RESULT, *reports


def _begin(plan: Plan, game: NewGame, stack: ExitStack) -> _Start:
    source = _open(plan.camera, 0.0)
    stack.callback(source.close)
    table = game.table(source.size)
    setting = _setting(game.rules, game.names, table, plan.model)
    keeper = None
    if plan.folder is not None:
        text, law = write_table(table), str(game.rules)
        header = Header(__version__, plan.model, text, law, game.names, source.description, source.size)
        folder = make_folder(plan.folder) if plan.beside else plan.folder
        keeper = stack.enter_context(GameKeeper.begin(folder, header))
    return _Start(source, setting, table, table.view, keeper, None, (), None)


def _go_on(plan: Plan, stack: ExitStack, telling: Telling) -> _Start:
    """Go on with a game: its table, law and names hold, and all that was seen is told to the decoder again."""
    folder = plan.folder
    if folder is None:
        raise UserError("to go on with a game, say which folder it is kept in")
    keeper, journal = GameKeeper.resume(folder)
    stack.enter_context(keeper)
    header = journal.header
    source = _open(plan.camera, keeper.t)
    stack.callback(source.close)
    if source.size != header.size:
        size, asked = ("x".join(map(str, one)) for one in (source.size, header.size))
        raise UserError(f"the game in {folder} was filmed in {asked} and this source gives {size}: use the same camera")
    if header.model != plan.model:
        telling.say("The game was begun with another model of the card reader; it goes on with this one.")
    decoder = decoder_of(journal, str(folder))
    before = tuple(rehearsed(journal, decoder))
    table = parse_table(header.table, f"the table of {folder}")
    setting = _setting(decoder.rules, header.names, table, header.model)
    last_t = max((entry.t for entry in journal.entries if isinstance(entry, Looked)), default=None)
    telling.say(f"Going on with the game in {folder} after {len(before)} entries, at {keeper.t:.0f} s.")
    # It may have been moved during the game.
    view = sights_of(journal, str(folder))[-1][1].view
    return _Start(source, setting, table, view, keeper, decoder, before, last_t)


def _setting(rules: RuleSet, names: tuple[str, str], table: SavedTable, model: str) -> Setting:
    return Setting(rules, names, GivenTable(table.layout, table.corners), model)


def _open(camera: str, t: float) -> LiveSource:
    """The source of that name; a recording begins at ``t`` s, as it would have gone on while nobody watched."""
    source = open_source(camera)
    if isinstance(source, Camera):
        return source
    if isinstance(source, VideoFile) and t:
        source.seek(t)
    return FilmAsCamera(source)


def _window(stack: ExitStack, telling: Telling) -> Window | None:
    try:
        window = Window()
    except UserError as error:
        telling.say(f"No window can be opened ({error}): rulings are printed here.")
        return None
    stack.callback(window.close)
    return window


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """An event that Ctrl-C and the system's wish to end the program set; a second one ends it at once."""
    stop = threading.Event()

    def ask(_number: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
