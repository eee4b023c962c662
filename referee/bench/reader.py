"""Speed of the card reader, beside ultralytics' own prediction on the same crops, and of its start."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

import numpy as np

from referee.bench.figure import Figure, Stage, measure
from referee.bench.ultralytics import predictor
from referee.table import standard_layout
from referee.vision.reader import CardReader
from referee.vision.rectify import Image, TableView, rectify

_CROPS: Final = 24

_FIRST_READING: Final = """
import numpy
from referee.vision.reader import CardReader
CardReader().read([numpy.zeros((224, 224, 3), numpy.uint8)])
"""


def bench_reader(repeats: int = 5) -> list[Figure]:
    """Time rectifying, reading and starting; with ultralytics installed also its prediction with the same weights.

    What the crops show makes no difference to the network, so they show noise.
    """
    rng = np.random.default_rng(0)
    frame = rng.integers(0, 256, (1080, 1920, 3)).astype(np.uint8)
    layout = standard_layout()
    view = TableView.from_corners([[150, 0], [1770, 0], [1770, 1080], [150, 1080]], layout.width, layout.height)
    boxes = list(layout.boxes.values())
    reader = CardReader()
    crops: list[Image] = [rectify(frame, view, boxes[place % len(boxes)], reader.size) for place in range(_CROPS)]
    stages = [
        Stage("read a crop", "crops", _CROPS, lambda: [reader.read([crop]) for crop in crops]),
        Stage(
            "cut a crop out of a 1080p frame", "crops", len(boxes), lambda: [rectify(frame, view, box) for box in boxes]
        ),
    ]
    predict = predictor(reader.model.path)
    if predict is not None:
        stages.append(
            Stage(
                "ultralytics' predict on a crop",
                "crops",
                _CROPS,
                lambda: [predict(crop, reader.size) for crop in crops],
            )
        )
    stages.append(Stage("start Python and read a first crop", "starts", 1, _first_reading, elsewhere=True))
    return measure(stages, repeats)


def _first_reading() -> None:
    subprocess.run([sys.executable, "-c", _FIRST_READING], check=True)
