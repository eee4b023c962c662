"""The reader's network laid over a whole picture at once, to see where cards might be.

The network looks at places of a grid and at what surrounds each, so it runs on a picture of any size; that costs a
fraction of reading overlapping crops. What it sees is only a hint: crops are cut there and read as in play.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from referee.vision.engine import Engine, Floats, open_engine
from referee.vision.evidence import HIDDEN
from referee.vision.model_file import ModelFile, meanings
from referee.vision.rectify import CROP_PX, Image

_TILE: Final = 832
"""Longest side of what goes through the network at once; more takes memory."""

_MARGIN: Final = 192
"""Overlap of such pieces: a card at any angle lies wholly in one of them."""

_LEAST: Final = 0.2
_SAME: Final = 0.5
_MULTIPLE: Final = 32
_MIDDLE: Final = 114


@dataclass(frozen=True, slots=True)
class Glimpse:
    """Something like a card.

    Attributes:
        box: x1, y1, x2, y2 in pixels of the picture.
        place: the face or back it looks like most, a place of ``Reading.log_probs``.
        score: what the network gives it, 0..1; no probability.
    """

    box: tuple[float, float, float, float]
    place: int
    score: float


class Scanner:
    """Runs a reader's network over pictures in which a card is as large as in a crop."""

    def __init__(self, model: ModelFile) -> None:
        """Args:
        model: the reader's.
        """
        self._engine = open_engine(model.path)
        self._means = np.array(meanings(model.classes or self._engine.classes, model.path), np.intp)
        self._fixed = None if _takes_any_size(self._engine) else (self._engine.size or CROP_PX)

    def scan(self, image: Image) -> list[Glimpse]:
        """What looks like a card in ``image``, uint8 (H, W, 3) BGR with cards 159 px high; the likeliest first."""
        boxes, places, scores = [], [], []
        for left, top, tile in self._tiles(image):
            batch = np.ascontiguousarray(tile[None, :, :, ::-1].transpose(0, 3, 1, 2), np.float32) / np.float32(255)
            rows = self._engine.run(batch)[0]
            faces = np.where(self._means[:, None] == HIDDEN, 0, rows[4:])
            strength = faces.max(axis=0)
            some = np.flatnonzero(strength >= _LEAST)
            middle, half = rows[:2, some].T + np.array([left, top]), rows[2:4, some].T / 2
            boxes.append(np.hstack([middle - half, middle + half]))
            places.append(self._means[faces[:, some].argmax(axis=0)])
            scores.append(strength[some])
        return _without_doubles(np.concatenate(boxes), np.concatenate(places), np.concatenate(scores))

    def _tiles(self, image: Image) -> Iterator[tuple[int, int, Image]]:
        """Pieces of the picture that the network takes, and where they are."""
        height, width = image.shape[:2]
        for top, rows in _spans(height, self._fixed):
            for left, columns in _spans(width, self._fixed):
                tile = np.full((rows, columns, 3), _MIDDLE, np.uint8)
                part = image[top : top + rows, left : left + columns]
                tile[: part.shape[0], : part.shape[1]] = part
                yield left, top, tile


def _spans(length: int, fixed: int | None) -> Iterator[tuple[int, int]]:
    """Starts and lengths of overlapping pieces of a side."""
    size = fixed or min(_TILE, -(-length // _MULTIPLE) * _MULTIPLE)
    step = max(size - _MARGIN, size // 3)
    start = 0
    while True:
        yield start, size
        if start + size >= length:
            return
        start += step


def _takes_any_size(engine: Engine) -> bool:
    try:
        engine.run(np.zeros((1, 3, 2 * _MULTIPLE, 3 * _MULTIPLE), np.float32))
    except Exception:  # each engine complains in its own way
        return False
    return True


def _without_doubles(boxes: npt.NDArray[np.floating], places: npt.NDArray[np.intp], scores: Floats) -> list[Glimpse]:
    kept: list[int] = []
    areas = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    for number in np.argsort(-scores, kind="stable"):
        others = boxes[kept]
        sides = np.minimum(others[:, 2:], boxes[number, 2:]) - np.maximum(others[:, :2], boxes[number, :2])
        shared = np.prod(np.maximum(sides, 0), axis=1)
        if not (shared > _SAME * (areas[kept] + areas[number] - shared)).any():
            kept.append(int(number))
    glimpses = []
    for number in kept:
        x1, y1, x2, y2 = (float(edge) for edge in boxes[number])
        glimpses.append(Glimpse((x1, y1, x2, y2), int(places[number]), float(scores[number])))
    return glimpses
