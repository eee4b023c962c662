"""Soft shadows on the table top, from maps of what stands between it and the light.

The higher a thing is, the wider its shadow's edge. The maps are blurred at a few widths, and every place takes the
width that fits the height of what covers it.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_LEVELS: Final = 5
_SEARCH: Final = 3
"""Level at which a place looks for what may cover it."""


def cover(maps: Floats, grain: float, spread: float) -> Floats:
    """How much of the light is taken away, float32 (H, W), 0 to 1.

    Args:
        maps: float32 (H, W, 2): share covered, and mean height of what covers, mm, times that share.
        grain: mm to a texel.
        spread: deviation of a shadow's edge over the height of what throws it.
    """
    area = _bounds(maps[..., 0])
    total = np.zeros(maps.shape[:2], np.float32)
    if area is None:
        return total
    y1, y2, x1, x2 = area
    part = np.ascontiguousarray(maps[y1:y2, x1:x2])
    size = (part.shape[1], part.shape[0])
    # Level n of the pyramid, enlarged again, is a blur of about 0.9 * 2 ** n texels.
    levels = [part[..., 0]]
    small = part
    search = part
    for level in range(1, _LEVELS):
        small = np.asarray(cv2.pyrDown(small), np.float32)
        levels.append(_enlarged(small[..., 0], size))
        if level == _SEARCH:
            search = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), np.float32)
    height = search[..., 1] / np.maximum(search[..., 0], 1e-4)
    # Close to a low thing the search also finds the tall one beside it; the nearest cover counts more.
    wanted = np.log2(np.maximum(height * (spread / grain), 0.45) / 0.45)
    np.clip(wanted, 0, _LEVELS - 1.001, out=wanted)
    result = np.zeros(part.shape[:2], np.float32)
    for level, blurred in enumerate(levels):
        weight = np.maximum(1 - np.abs(wanted - level), 0)
        result += weight * blurred
    total[y1:y2, x1:x2] = result
    return total


def _enlarged(small: npt.NDArray[np.float32], size: tuple[int, int]) -> Floats:
    large = cv2.resize(np.ascontiguousarray(small), size, interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(large, 0, 1), np.float32)


def _bounds(covered: Floats) -> tuple[int, int, int, int] | None:
    """Rows and columns that hold everything covered, with room for the blur, or ``None``."""
    rows, columns = np.flatnonzero(covered.any(axis=1)), np.flatnonzero(covered.any(axis=0))
    if not rows.size:
        return None
    room = 40
    height, width = covered.shape
    return (
        max(0, int(rows[0]) - room),
        min(height, int(rows[-1]) + room),
        max(0, int(columns[0]) - room),
        min(width, int(columns[-1]) + room),
    )
