"""A contact sheet of what a card reader got wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from referee.evaluate.reader import Miss
from referee.vision.rectify import Image

TILE: Final = 200
"""Side of a picture on the sheet, pixels."""

_TEXT: Final = 34


def miss_sheet(misses: Sequence[Miss], columns: int = 8) -> Image:
    """One picture, uint8 (H, W, 3) BGR, of all misses: truth, what was read, confidence, photograph."""
    tiles = [_tile(miss) for miss in misses] or [np.full((TILE + _TEXT, TILE, 3), 255, np.uint8)]
    columns = min(columns, len(tiles))
    while len(tiles) % columns:
        tiles.append(np.full_like(tiles[0], 255))
    rows = [np.hstack(tiles[start : start + columns]) for start in range(0, len(tiles), columns)]
    return np.asarray(np.vstack(rows), np.uint8)


def _tile(miss: Miss) -> Image:
    tile = np.full((TILE + _TEXT, TILE, 3), 255, np.uint8)
    factor = TILE / max(miss.image.shape[:2])
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    width, height = (max(1, round(side * factor)) for side in miss.image.shape[1::-1])
    tile[:height, :width] = cv2.resize(miss.image, (width, height), interpolation=way)
    line = f"{miss.truth} read as {miss.said} {100 * miss.confidence:.0f}"
    name = miss.where if len(miss.where) <= 34 else "..." + miss.where[-31:]
    for text, below, size in ((line, 14, 0.42), (name, 28, 0.32)):
        cv2.putText(tile, text, (3, TILE + below), cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), 1, cv2.LINE_AA)
    return tile
