"""Games to referee live: fixture clips with a reader that knows the truth, frames that are told, a scripted decoder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from referee.announce.announcement import Level
from referee.announce.phrases import Language
from referee.calibrate.saved_table import SavedTable, as_corners
from referee.calibrate.table_file import write_table
from referee.calibrate.table_given import given_table
from referee.live.game import LiveGame, Voice
from referee.live.refereeing import LiveSession
from referee.live.running import NewGame, Plan
from referee.readings import Look
from referee.record.entries import Header
from referee.record.keeper import GameKeeper
from referee.rules.ruleset import build
from referee.table import TableLayout
from referee.vision.camera_feed import Gap
from referee.vision.frames import Frame
from referee.vision.rectify import TableView
from referee.vision.video_file import VideoFile
from referee.vision.zone_reading import ReadsZones
from tests.vision.painted import LAYOUT, dealt, noisy, view
from tests.vision.truth_reader import TruthReader

CLIPS = Path(__file__).parent.parent / "fixtures" / "footage"
NAMES = ("Ada", "Bo")
PAINTED = (1020, 720)


class Nothing:
    """A reader that never sees anything."""

    def read(self, _frame: Frame, _zones: Sequence[object], _look: Look) -> list[object]:
        return []


def nothing(_layout: TableLayout, _view: TableView) -> ReadsZones:
    return Nothing()  # type: ignore[return-value]  # it reads nothing


def truth(name: str) -> Path:
    return CLIPS / f"{name}.truth.jsonl"


def table_of(name: str, size: tuple[int, int] = (1280, 720)) -> SavedTable:
    given = given_table(build(), zones=truth(name))
    return SavedTable(f"{name}.mp4", size, as_corners(given.corners), given.layout)


def painted_table() -> SavedTable:
    corners = view().to_image([[0, 0], [LAYOUT.width, 0], [LAYOUT.width, LAYOUT.height], [0, LAYOUT.height]])
    return SavedTable("painted", PAINTED, as_corners(corners), LAYOUT)


def header(table: SavedTable) -> Header:
    return Header("0.1.0", "truth", write_table(table), "house", NAMES, table.camera, table.picture)


def game_of(
    name: str, keeper: GameKeeper | None = None, level: Level = Level.ALL, language: Language = Language.ENGLISH
) -> LiveGame:
    """A game on a fixture clip, its cards read from the truth."""
    table, reader = table_of(name), TruthReader(truth(name))
    session = LiveSession(build(), table.layout, table.view, lambda _: reader)
    return LiveGame(session, Voice(language, NAMES, level), keeper)


def painted_game(
    keeper: GameKeeper | None = None, level: Level = Level.ALL, session: LiveSession | None = None
) -> LiveGame:
    """A game on a painted table, of which nothing is read."""
    live = session or LiveSession(build(), LAYOUT, view(), lambda seen: nothing(LAYOUT, seen))
    return LiveGame(live, Voice(Language.ENGLISH, NAMES, level), keeper)


def painted(count: int, first: int = 0, dx: int = 0, rate: float = 30.0) -> Iterator[Frame]:
    """A painted table at rest, shifted by ``dx`` pixels."""
    table = np.roll(dealt(), dx, axis=1)
    for number in range(first, first + count):
        yield Frame(number, number / rate, noisy(table, number))


def frames_of(name: str, count: int) -> list[Frame]:
    with VideoFile(CLIPS / f"{name}.mp4") as film:
        found = [film.read() for _ in range(count)]
    return [frame for frame in found if frame is not None]


def plan_of(name: str, folder: Path | None, level: Level = Level.OFF, worker: Sequence[str] = ()) -> Plan:
    """A plan for a fixture clip, with nothing read."""
    game = NewGame(lambda size: table_of(name, size), build(), NAMES)
    film = str(CLIPS / f"{name}.mp4")
    return Plan(film, game, Language.ENGLISH, level, nothing, "truth", folder, window=False, worker=worker)


class ToldSource:
    """A source that gives the frames it is told, and may say that it was lost."""

    size = PAINTED
    description = "a told source"
    damage = ""
    rate = 30.0

    def __init__(self, frames: Sequence[Frame]) -> None:
        self._frames = iter(frames)
        self.gaps: tuple[Gap, ...] = ()
        self.drops = 0
        self.closed = False

    def read(self) -> Frame | None:
        return None if self.closed else next(self._frames, None)

    def close(self) -> None:
        self.closed = True
