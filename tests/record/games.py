"""Small games to record: headers, entries of every kind, folders."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

from referee.calibrate.saved_table import SavedTable, as_corners
from referee.calibrate.table_file import write_table
from referee.readings import OUTCOMES, Disturbance, Pose, Reach, Reading, Sight, ZoneChange, ZoneReading
from referee.record.entries import (
    CameraGap,
    Ended,
    Entry,
    Header,
    Key,
    Looked,
    Moved,
    Pressed,
    RecordingStopped,
    Resumed,
    Ruled,
    SegmentBegun,
    SegmentEnded,
    Unrecorded,
)
from referee.record.journal import JOURNAL, JournalWriter
from referee.record.recorder import Recorder
from referee.table import Seat, Zone, standard_layout
from referee.vision.frames import Frame
from tests.vision.films import SIZE, numbered

LAYOUT = standard_layout()

HEADER = Header(
    program="0.1.0",
    model="sha256:12ab",
    table=write_table(SavedTable("camera 0", SIZE, as_corners([[5, 5], [155, 5], [155, 115], [5, 115]]), LAYOUT)),
    rules="pl,scoring=penalty_100",
    names=("Ada", "Zoë"),
    source="camera 0",
    size=SIZE,
)

PLENTY = 10**12


def reading(rng: np.random.Generator, state: Sight = Sight.CARD) -> Reading:
    """A reading with probabilities that no decimal text of a few digits holds."""
    odds = rng.dirichlet(np.full(OUTCOMES, 0.05)).astype(np.float32)
    log_probs = np.log(np.maximum(odds, np.float32(1e-30)))
    if state is Sight.HIDDEN:
        log_probs = np.full(OUTCOMES, -np.log(np.float32(OUTCOMES)), np.float32)
    box = (1.25, 2.1, 90.3, 150.7) if state is Sight.CARD else None
    pose = Pose(float(rng.normal()), float(rng.normal()), -12.3) if state is Sight.CARD else None
    return Reading(state, log_probs.astype(np.float32), float(rng.random()), box, pose)


def entries(rng: np.random.Generator) -> list[Entry]:
    """One entry of every kind, and of every shape a kind can have."""
    glimpse = ZoneReading(Zone("C1"), 1 / 3, 10, reading(rng), Pose(1.0, 2.0, 3.0), 0.125)
    change = ZoneChange(
        Zone("C1"), reading(rng), reading(rng), (glimpse,), 0.3, 0.4, 0.9, (9, 27), False, (0.75, 0.0), True
    )
    first = ZoneChange(Zone("BR"), None, reading(rng, Sight.BACK), (), 0.0, 0.1, 0.2, (0, 6), True, (0.0, 1.0), False)
    return [
        Looked(0, 0.0),
        glimpse,
        ZoneReading(Zone("A1"), 0.1, 3, reading(rng, Sight.HIDDEN), None, 1.0),
        change,
        first,
        Reach(Seat.B, Zone("C2"), 0.1, 0.2, math.inf, (3, 6), 0.5),
        Reach(None, Zone("C2"), 0.1, 0.2, 7.5, (3, 6), 0.5),
        Reach(Seat.A, Zone("C1"), 0.1, 0.2, 0.75, (3, 6), 1.0, flat=True),
        Disturbance("camera moved", 1.5, 2.5),
        Ruled({"kind": "event", "t": 0.1 + 0.2, "action": "stalemate"}),
        Pressed(3.0, Key.UNDO),
        CameraGap(3.5, 4.5, "it gives no pictures"),
        Moved(4.75, ((5.1, 5.0), (155.0, 5.3), (155.25, 115.0), (5.0, 1 / 3))),
        SegmentBegun("film-00001.mkv", 0, 0.0),
        SegmentEnded("film-00001.mkv", 1800, 59.966),
        Unrecorded(60.0, 3),
        RecordingStopped(61.0, "the disk is full"),
        Resumed(70.25),
        Ended(),
    ]


def frames(times: Iterable[float], size: tuple[int, int] = SIZE) -> list[Frame]:
    """Pictures that bear their number, taken at ``times``."""
    return [Frame(number, t, numbered(number, size)) for number, t in enumerate(times)]


def jpeg(frame: Frame) -> bytes:
    """A picture as a camera sends it."""
    return cv2.imencode(".jpg", frame.image)[1].tobytes()


def play(folder: Path, shots: Iterable[Frame], *, segment_s: float = 60.0, jpegs: bool = False) -> Path:
    """Record a game of ``shots`` in ``folder``, each once the one before has been written."""
    folder.mkdir(parents=True, exist_ok=True)
    with JournalWriter.create(folder / JOURNAL, HEADER) as journal:
        record(folder, journal, shots, segment_s=segment_s, jpegs=jpegs)
    return folder


def record(
    folder: Path, journal: JournalWriter, shots: Iterable[Frame], *, segment_s: float = 60.0, jpegs: bool = False
) -> None:
    """Go on recording a game."""
    with Recorder(folder, journal, segment_s=segment_s, free=lambda _: PLENTY) as recorder:
        written = _written(folder)
        for more, shot in enumerate(shots, start=1):
            recorder.record(shot, jpeg(shot) if jpegs else None)
            while _written(folder) < written + more:
                time.sleep(0.0005)


def _written(folder: Path) -> int:
    return sum(index.read_bytes().count(b"\n") - 1 for index in folder.glob("*.index"))
