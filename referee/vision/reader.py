"""The card reader: what lies on top in each crop, as probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.readings import BACK, EMPTY, OUTCOMES, Pose, Reading, Sight
from referee.vision.engine import Floats, open_engine
from referee.vision.lie import angle_of
from referee.vision.model_file import HIDDEN, ModelFile, crop_size, meanings, own_model, shipped_model
from referee.vision.rectify import CROP_MM

Image: TypeAlias = npt.NDArray[np.uint8]

_BATCH: Final = 16
"""Most crops through the network at once: more gain no speed and take memory."""

_VOICES: Final = 8
"""How many of the network's places have a say in what the card is."""

_SAME: Final = 0.5
"""Overlap of boxes, intersection over union, from which two places speak of the same card."""

_LEAST: Final = 1e-7
"""Nearest to 0 and 1 that a score is taken to be: single precision tells no nearer."""

_UNSURE: Final = 0.4
"""A reading whose likeliest outcome has less than this probability is ``UNKNOWN``."""

_HAPPENS: Final = 0.5
"""A zone is hidden when this probable or more."""


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
        readings = []
        for start in range(0, len(crops), _BATCH):
            some = crops[start : start + _BATCH]
            found = self._engine.run(np.stack([self._input(crop) for crop in some]))
            readings += [self._reading(rows, crop) for rows, crop in zip(found, some, strict=True)]
        return readings

    def _input(self, crop: Image) -> Floats:
        if not isinstance(crop, np.ndarray) or crop.dtype != np.uint8 or crop.ndim != 3 or crop.shape[2] != 3:
            what = f"{crop.dtype} {crop.shape}" if isinstance(crop, np.ndarray) else type(crop).__name__
            raise ValueError(f"a crop is a uint8 array (S, S, 3) in BGR, not {what}")
        if crop.shape[0] != crop.shape[1] or crop.shape[0] < 32:
            raise ValueError(f"a crop is square and at least 32 px wide, not {crop.shape[1]} x {crop.shape[0]}")
        if crop.shape[0] != self.size:
            way = cv2.INTER_AREA if crop.shape[0] > self.size else cv2.INTER_LINEAR
            crop = np.asarray(cv2.resize(crop, (self.size, self.size), interpolation=way), np.uint8)
        return np.ascontiguousarray(crop[:, :, ::-1].transpose(2, 0, 1), np.float32) / np.float32(255)

    def _reading(self, rows: Floats, crop: Image) -> Reading:
        evidence, box = _gather(rows)
        logits = np.full(OUTCOMES, -np.inf)
        cards = self._means != HIDDEN
        np.maximum.at(logits, self._means[cards], evidence[cards])
        logits[EMPTY] = self.model.empty
        logits /= self.model.temperature
        logits[np.isneginf(logits)] = -30.0
        seen = float(np.logaddexp.reduce(logits))
        hidden = 0.0
        if not cards.all():
            over = float(evidence[~cards].max() + self.model.hidden) / self.model.temperature
            hidden = float(np.exp(over - np.logaddexp(over, seen)))
        if hidden >= _HAPPENS:
            return Reading(Sight.HIDDEN, np.full(OUTCOMES, -np.log(OUTCOMES), np.float32), hidden, None, None)
        log_probs = (logits - seen).astype(np.float32)
        best = int(log_probs.argmax())
        if float(np.exp(log_probs[best])) < _UNSURE:
            state = Sight.UNKNOWN
        else:
            state = Sight.EMPTY if best == EMPTY else Sight.BACK if best == BACK else Sight.CARD
        if state is Sight.EMPTY:
            return Reading(state, log_probs, hidden, None, None)
        scale = crop.shape[0] / self.size
        x1, y1, x2, y2 = (float(edge) * scale for edge in box)
        mm = CROP_MM / crop.shape[0]
        middle = crop.shape[0] / 2
        pose = Pose(((x1 + x2) / 2 - middle) * mm, ((y1 + y2) / 2 - middle) * mm, angle_of(crop, (x1, y1, x2, y2)))
        return Reading(state, log_probs, hidden, (x1, y1, x2, y2), pose)


def _gather(rows: Floats) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The logit of every class (classes,) and the box (4,) x1, y1, x2, y2 of what the network is surest of.

    Neighbouring places see the same card each in its own way; their opinions are averaged.
    """
    scores = rows[4:].astype(np.float64)
    strength = scores.max(axis=0)
    order = np.argsort(-strength, kind="stable")[:_VOICES]
    middle, half = rows[:2, order].astype(np.float64), rows[2:4, order].astype(np.float64) / 2
    boxes = np.concatenate([middle - half, middle + half]).T
    same = _overlap(boxes, boxes[0]) >= _SAME
    same[0] = True
    weights = strength[order] * same
    weights /= max(float(weights.sum()), _LEAST)
    clipped = np.clip(scores[:, order], _LEAST, 1 - _LEAST)
    logits = np.log(clipped) - np.log1p(-clipped)
    return logits @ weights, weights @ boxes


def _overlap(boxes: npt.NDArray[np.float64], box: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Intersection over union of boxes (N, 4) with one box (4,)."""
    sides = np.maximum(0, np.minimum(boxes[:, 2:], box[2:]) - np.maximum(boxes[:, :2], box[:2]))
    shared = sides[:, 0] * sides[:, 1]
    areas = np.prod(np.maximum(0, boxes[:, 2:] - boxes[:, :2]), axis=1)
    whole = areas + float(np.prod(np.maximum(0, box[2:] - box[:2]))) - shared
    return np.asarray(shared / np.maximum(whole, 1e-9), np.float64)
