"""Speed of the card reader, beside ultralytics' own prediction on the same crops, and of its start."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

import numpy as np

from referee.bench.figure import Figure, Stage, measure
from referee.bench.ultralytics import predictor
from referee.calibrate.table_given import given_table
from referee.resources import shipped
from referee.rules.ruleset import build
from referee.table import standard_layout
from referee.vision.reader import CardReader
from referee.vision.rectify import Cutter, Image, TableView, rectify
from referee.vision.video_file import VideoFile

_FIRST_READING: Final = """
import numpy
from referee.vision.reader import CardReader
CardReader().read([numpy.zeros((224, 224, 3), numpy.uint8)])
"""


def bench_reader(repeats: int = 5) -> list[Figure]:
    """Time cutting, reading and starting; with ultralytics installed also its prediction with the same weights.

    The crops are of the film that ships: what lies in them makes no difference to the network, but to what is made of
    its answer.
    """
    layout = standard_layout()
    view = TableView.from_corners([[150, 0], [1770, 0], [1770, 1080], [150, 1080]], layout.width, layout.height)
    cutters = [Cutter(view, box) for box in layout.boxes.values()]
    noise = np.random.default_rng(0).integers(0, 256, (1080, 1920, 3), np.uint8)
    reader = CardReader()
    crops = crops_that_ship(reader.size)
    stages = [
        Stage("read a crop", "crops", len(crops), lambda: [reader.read([crop]) for crop in crops]),
        Stage(
            "cut a crop out of a 1080p frame", "crops", len(cutters), lambda: [cutter.cut(noise) for cutter in cutters]
        ),
    ]
    predict = predictor(reader.model.path)
    if predict is not None:
        stages.append(
            Stage(
                "ultralytics' predict on a crop",
                "crops",
                len(crops),
                lambda: [predict(crop, reader.size) for crop in crops],
            )
        )
    stages.append(Stage("start Python and read a first crop", "starts", 1, _first_reading, elsewhere=True))
    return measure(stages, repeats)


def crops_that_ship(size: int) -> list[Image]:
    """Every zone of the first frame of the film that ships, uint8 (size, size, 3) BGR.

    Raises:
        UserError: the film is missing.
    """
    table = given_table(build(), zones=shipped("demo", "game.truth.jsonl"))
    with VideoFile(shipped("demo", "game.mp4")) as source:
        frame = source.read()
    assert frame is not None
    return [rectify(frame.image, table.view(), box, size) for box in table.layout.boxes.values()]


def _first_reading() -> None:
    subprocess.run([sys.executable, "-c", _FIRST_READING], check=True)
