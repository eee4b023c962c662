"""Speed of every stage from a film to its rulings and of all together, beside what one would do without them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from referee.bench.figure import Figure, Stopwatch, compared
from referee.bench.ultralytics import predictor
from referee.calibrate.table_given import GivenTable, given_table
from referee.readings import Look, ZoneReading
from referee.resources import shipped
from referee.rules.ruleset import RuleSet, build
from referee.session import Glance, Session
from referee.table import Zone
from referee.vision.activity import ActivityGate
from referee.vision.arms import ArmWatch
from referee.vision.frames import Frame, Image
from referee.vision.read_ahead import ReadAhead
from referee.vision.reader import CardReader
from referee.vision.reader_beside import ReaderBeside, cores
from referee.vision.rectify import CROP_PX
from referee.vision.video_file import VideoFile
from referee.vision.zone_reading import ReadsZones, ZoneReader, ZoneReaderBeside

WHOLE_FRAMES = (640, 1280)
"""Sides to which ultralytics is made to shrink whole frames, px."""


class _Timed:
    """A reader whose work is timed."""

    def __init__(self, reader: ReadsZones) -> None:
        self._reader = reader
        self.seconds = 0.0
        self.crops = 0

    def read(self, frame: Frame, zones: Sequence[Zone], look: Look) -> list[ZoneReading]:
        watch = Stopwatch()
        readings = self._reader.read(frame, zones, look)
        self.seconds += watch.seconds()
        self.crops += len(zones)
        return readings


def bench_film(frames: int = 240, whole: int = 6) -> list[Figure]:
    """Referee the first ``frames`` frames of the film that ships, each stage timed; read ``whole`` of them whole."""
    film = shipped("demo", "game.mp4")
    law = build()
    table = given_table(law, zones=shipped("demo", "game.truth.jsonl"))
    view, boxes = table.view(), table.layout.boxes
    reader = CardReader()
    timed = _Timed(ZoneReader(reader, view, boxes))
    session = Session(law, table.layout, view, timed)
    gate = ActivityGate(view, boxes)
    arms = ArmWatch(view, boxes, (table.layout.width, table.layout.height))
    decoding = moving = reaching = pushing = 0.0
    kept: list[Image] = []
    with VideoFile(film) as source:
        for number in range(frames):
            watch = Stopwatch()
            frame = source.read()
            if frame is None:
                frames = number
                break
            decoding += watch.seconds()
            session.push(frame)
            pushing += watch.seconds()
            gate.look(frame)
            moving += watch.seconds()
            arms.look(frame)
            reaching += watch.seconds()
            if len(kept) < whole:
                kept.append(frame.image)
    deciding = max(pushing - moving - reaching - timed.seconds, 1e-9)
    rates = [
        ("from the film to its rulings", "frames", frames / (decoding + pushing)),
        ("of it: decode the film", "frames", frames / decoding),
        ("of it: what moved", "frames", frames / moving),
        ("of it: whose arms are where", "frames", frames / reaching),
        (f"of it: read what is new, {timed.crops / frames:.2f} zones a frame", "frames", frames / timed.seconds),
        ("of it: settle, decide and judge", "frames", frames / deciding),
        ("decode the film with OpenCV", "frames", frames / _opencv(film, frames)),
    ]
    if cores() > 1:
        rate = frames / _on_all_cores(film, table, law, frames)
        rates.append((f"from the film to its rulings, on {cores()} cores", "frames", rate))
    predict = predictor(reader.model.path)
    if predict is not None:
        for side in WHOLE_FRAMES:
            predict(kept[0], side)
            watch = Stopwatch()
            for image in kept:
                predict(image, side)
            rates.append((f"ultralytics' predict on whole frames, {side} px", "frames", len(kept) / watch.seconds()))
    return compared(rates)


def _on_all_cores(film: Path, table: GivenTable, law: RuleSet, frames: int) -> float:
    """Seconds in which a film is refereed as ``referee replay`` does it, once all is started."""
    view, boxes = table.view(), table.layout.boxes
    with ReaderBeside() as crops, ReadAhead(VideoFile(film)) as source:
        session = Session(law, table.layout, view, ZoneReaderBeside(crops, view, boxes))
        crops.ask([np.zeros((CROP_PX, CROP_PX, 3), np.uint8)])()
        glances: deque[Glance] = deque()
        watch = Stopwatch()
        for _ in range(frames):
            frame = source.read()
            if frame is None:
                break
            glances.append(session.glance(frame))
            if len(glances) > session.ahead:
                session.judge(glances.popleft())
        for glance in glances:
            session.judge(glance)
        return watch.seconds(elsewhere=True)


def _opencv(film: Path, frames: int) -> float:
    """Seconds in which OpenCV decodes the same frames."""
    capture = cv2.VideoCapture(str(film))
    watch = Stopwatch()
    for _ in range(frames):
        capture.read()
    seconds = watch.seconds()
    capture.release()
    return seconds
