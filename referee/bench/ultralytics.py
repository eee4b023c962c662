"""What ultralytics' own prediction takes with the same weights, where it is installed."""

from __future__ import annotations

import logging
import math
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from referee.vision.rectify import Image


def predictor(model: Path) -> Callable[[Image, int], Any] | None:
    """What predicts on a picture shrunk to so many pixels; None where ultralytics is not installed."""
    try:
        from referee.train.network import quiet_ultralytics

        quiet_ultralytics()
        from ultralytics.models.yolo.model import YOLO
    except ImportError:
        return None
    logging.getLogger("ultralytics").setLevel(logging.ERROR)
    network: Any = YOLO(model, task="detect")
    place = Path(tempfile.gettempdir())

    def predict(image: Image, side: int) -> Any:
        height, width = image.shape[:2]
        # The network halves a picture five times.
        size = [math.ceil(edge * side / max(height, width) / 32) * 32 for edge in (height, width)]
        return network.predict(image, imgsz=size, rect=False, nms=True, verbose=False, save=False, project=place)

    return predict
