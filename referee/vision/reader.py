"""The card reader: what lies on top in each crop, as probabilities."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.readings import BACK, EMPTY, OUTCOMES, Pose, Reading, Sight
from referee.vision.engine import Floats, as_input, open_engine
from referee.vision.evidence import Doubles, probabilities
from referee.vision.index_reader import IndexReader
from referee.vision.model_file import ModelFile, crop_size, meanings, own_model, shipped_model
from referee.vision.opinion import opinions
from referee.vision.rectify import CROP_MM

Image: TypeAlias = npt.NDArray[np.uint8]

_BATCH: Final = 16
"""Most crops through the network at once: more gain no speed and take memory."""

_UNSURE: Final = 0.4
"""A reading whose likeliest outcome has less than this probability is ``UNKNOWN``."""

_HAPPENS: Final = 0.5
"""A zone is hidden when this probable or more."""

_SURE: Final = 0.9
"""A crop whose likeliest outcome has less than this probability is looked at again, from all its sides."""

_SIDES: Final = 4


class CardReader:
    """Reads crops. The same crop gives the same reading, in whatever company it is read.

    Attributes:
        model: the model it reads with.
        size: side in pixels of the crops it takes best; others are resized.
    """

    def __init__(self, model: Path | None = None) -> None:
        """Args:
        model: an exported YOLO (``.onnx``) or ultralytics' own (``.pt``); None is the one that ships.

        Raises:
            UserError: the model is missing, altered, or none that can be used.
        """
        self.model: ModelFile = own_model(model) if model else shipped_model()
        self._engine = open_engine(self.model.path)
        self._means = np.array(meanings(self.model.classes or self._engine.classes, self.model.path), np.intp)
        self._indexes = IndexReader(self.model.index_path) if self.model.index_path else None
        self.size = crop_size(self.model, self._engine.size)

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        """What each crop shows.

        Args:
            crops: uint8 arrays (S, S, 3), BGR, of `referee.vision.rectify.CROP_MM` millimetres about a zone's centre.

        Returns:
            A reading for each; boxes in pixels of the crop that was given, poses in mm from its centre.

        Raises:
            ValueError: something else than a crop was given.
        """
        return [
            reading
            for start in range(0, len(crops), _BATCH)
            for reading in self._read_together(crops[start : start + _BATCH])
        ]

    def _read_together(self, crops: Sequence[Image]) -> Iterator[Reading]:
        fitting = [self._fitting(crop) for crop in crops]
        log_probs, hidden, boxes, angles = self._look(fitting)
        unsure = np.flatnonzero((log_probs.max(axis=1) < math.log(_SURE)) & (hidden < _HAPPENS))
        # The networks err in another way when the card lies another way round; where they are sure there is no need.
        for start in range(0, len(unsure), _BATCH // _SIDES):
            these = unsure[start : start + _BATCH // _SIDES]
            turned = [np.ascontiguousarray(np.rot90(fitting[place], turn)) for turn in range(_SIDES) for place in these]
            views = self._look(turned, either_way=True)[0].reshape(_SIDES, len(these), OUTCOMES)
            pooled = views.mean(axis=0)
            log_probs[these] = pooled - np.logaddexp.reduce(pooled, axis=1, keepdims=True)
        told = zip(log_probs.astype(np.float32), hidden.tolist(), boxes.tolist(), angles.tolist(), crops, strict=True)
        for logs, over, box, angle, crop in told:
            yield self._reading(logs, over, box, angle, crop.shape[0])

    def _look(self, crops: Sequence[Image], *, either_way: bool = False) -> tuple[Doubles, Doubles, Doubles, Doubles]:
        """Log-probabilities (N, OUTCOMES), how surely hidden (N,), boxes (N, 4), turns (N,): one look at each."""
        evidence, boxes, angles = opinions(
            self._engine.run(as_input(crops)), crops, self._means, self._indexes, either_way=either_way
        )
        return *probabilities(evidence, self._means, self.model.calibration), boxes, angles

    def _fitting(self, crop: Image) -> Image:
        if not isinstance(crop, np.ndarray) or crop.dtype != np.uint8 or crop.ndim != 3 or crop.shape[2] != 3:
            what = f"{crop.dtype} {crop.shape}" if isinstance(crop, np.ndarray) else type(crop).__name__
            raise ValueError(f"a crop is a uint8 array (S, S, 3) in BGR, not {what}")
        if crop.shape[0] != crop.shape[1] or crop.shape[0] < 32:
            raise ValueError(f"a crop is square and at least 32 px wide, not {crop.shape[1]} x {crop.shape[0]}")
        if crop.shape[0] != self.size:
            way = cv2.INTER_AREA if crop.shape[0] > self.size else cv2.INTER_LINEAR
            return np.asarray(cv2.resize(crop, (self.size, self.size), interpolation=way), np.uint8)
        return crop

    def _reading(self, told: Floats, hidden: float, box: Sequence[float], angle: float, side: int) -> Reading:
        if hidden >= _HAPPENS:
            return Reading(Sight.HIDDEN, np.full(OUTCOMES, -np.log(OUTCOMES), np.float32), hidden, None, None)
        best = int(told.argmax())
        if math.exp(told[best]) < _UNSURE:
            state = Sight.UNKNOWN
        else:
            state = Sight.EMPTY if best == EMPTY else Sight.BACK if best == BACK else Sight.CARD
        if state is Sight.EMPTY:
            return Reading(state, told, hidden, None, None)
        x1, y1, x2, y2 = (edge * side / self.size for edge in box)
        mm, middle = CROP_MM / side, side / 2
        pose = Pose(((x1 + x2) / 2 - middle) * mm, ((y1 + y2) / 2 - middle) * mm, angle)
        return Reading(state, told, hidden, (x1, y1, x2, y2), pose)
