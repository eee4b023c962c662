"""Edges to a fraction of a pixel: outlines moved to where the picture changes fastest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from referee.calibrate.deal.outlines import Quads
from referee.vision.rectify import Image

_ALONG: Final = np.linspace(0.12, 0.88, 24)
"""Where on a side the edge is measured; the corners are round."""

_STEP: Final = 0.5
_ROWS: Final = 32000
_LOOSE: Final = 0.6
"""An edge point so far off its line, px, counts half."""

_GAMMA: Final = 2.2

WIDELY: Final = (0.045, 0.025)
CLOSELY: Final = (0.012, 0.009)
"""How far beside a side its edge is looked for, as a share of the outline's size, first and again."""


_STRAIGHT: Final = (0.33, 0.6)
"""The least share of edge points on their lines that cards have: on the worst side, and on all sides together."""


@dataclass(frozen=True, slots=True, eq=False)
class SharpOutlines:
    """Outlines and how well the picture bears them out.

    Attributes:
        quads: corners (N, 4, 2), px.
        straight: float64 (N, 4), the share of each side's edge points that lie on its line, 0 to 1.
        contrast: float64 (N, 4), how steep the edge is on each side, grey levels per px, median of its points.
    """

    quads: Quads
    straight: npt.NDArray[np.float64]
    contrast: npt.NDArray[np.float64]

    def clear(self) -> Quads:
        """The outlines with straight edges."""
        worst, mean = _STRAIGHT
        clear = (self.straight.min(axis=1) > worst) & (self.straight.mean(axis=1) > mean)
        return np.asarray(self.quads[clear], np.float64)


def sharpen(image: Image, quads: Quads, reaches: tuple[float, ...] = WIDELY, *, linear: bool = False) -> SharpOutlines:
    """Move every side of ``quads`` to the steepest change of ``image``, uint8 (H, W, 3) BGR, within reach.

    With ``linear`` it is light that must change, not grey levels: a lens blurs light, so that in grey levels a bright
    card on a dark table looks larger than it is.
    """
    quads = np.asarray(quads, np.float64).reshape(-1, 4, 2)
    count = len(quads)
    straight = np.zeros((count, 4))
    contrast = np.zeros((count, 4))
    if not count:
        return SharpOutlines(quads, straight, contrast)
    for reach in reaches:
        quads, straight, contrast = _moved(image, quads, reach, linear)
    return SharpOutlines(quads, straight, contrast)


def _moved(
    image: Image, quads: Quads, reach: float, linear: bool
) -> tuple[Quads, npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    sides = np.roll(quads, -1, axis=1) - quads
    lengths = np.linalg.norm(sides, axis=2)
    # Clockwise corners in a picture whose y points down have their outside to the left of each side.
    outward = np.stack([sides[..., 1], -sides[..., 0]], axis=2) / lengths[..., None]
    furthest = max(1.0, reach * float(np.median(lengths)))
    offsets = np.arange(-furthest, furthest + _STEP / 2, _STEP)
    at = quads[:, :, None] + _ALONG[:, None] * sides[:, :, None]
    grid = at[..., None, :] + offsets[:, None] * outward[:, :, None, None, :]
    seen = sampled(image, grid.reshape(-1, len(offsets), 2))
    if linear:
        seen = light(seen)
    steep = np.abs(seen[:, 2:] - seen[:, :-2]).sum(axis=2) / (3 * 2 * _STEP)
    steep = steep.reshape(*at.shape[:3], -1)
    place, height = _peaks(steep)
    place = offsets[1] + place * _STEP
    start, slope, straight = _lines(place, height)
    shift = start[..., None] + slope[..., None] * np.array([-0.5, 0.5])
    moved = np.stack([quads, np.roll(quads, -1, axis=1)], axis=2) + shift[..., None] * outward[:, :, None, :]
    return _corners(moved, quads), straight, np.median(height, axis=2)


def light(grey: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The light that makes grey levels of 0 to 255, on the same scale."""
    return np.asarray(255 * (grey / 255) ** _GAMMA, np.float32)


def sampled(image: Image, grid: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """Colours at (N, K, 2) places, as (N, K, 3); in slices, for OpenCV's pictures have few rows."""
    places = grid.astype(np.float32)
    none = np.empty(0)
    slices = [
        cv2.remap(image, places[i : i + _ROWS], none, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for i in range(0, len(places), _ROWS)
    ]
    return np.concatenate(slices).astype(np.float32)


def _peaks(steep: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Place (in steps) and height of the highest peak along the last axis, between the steps by a parabola."""
    last = steep.shape[-1] - 1
    top = steep.argmax(axis=-1)
    height = np.take_along_axis(steep, top[..., None], axis=-1)[..., 0]
    before = np.take_along_axis(steep, np.maximum(top - 1, 0)[..., None], axis=-1)[..., 0]
    after = np.take_along_axis(steep, np.minimum(top + 1, last)[..., None], axis=-1)[..., 0]
    bend = before - 2 * height + after
    with np.errstate(divide="ignore", invalid="ignore"):
        between = np.where(bend < 0, 0.5 * (before - after) / bend, 0.0)
    return top + np.clip(between, -0.5, 0.5), np.asarray(height, np.float64)


def _lines(
    place: npt.NDArray[np.float64], height: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Lines through (N, 4, K) edge points: offset at the middle of the side, slope over the side, share on the line."""
    s = _ALONG - 0.5
    weight = height + 1e-3
    start = np.median(place, axis=2)
    slope = np.zeros_like(start)
    for _ in range(6):
        off = place - start[..., None] - slope[..., None] * s
        w = weight / (1 + (off / _LOOSE) ** 2) ** 2
        w0, w1, w2 = w.sum(axis=2), (w * s).sum(axis=2), (w * s * s).sum(axis=2)
        p0, p1 = (w * place).sum(axis=2), (w * s * place).sum(axis=2)
        determinant = w0 * w2 - w1**2 + 1e-12
        start, slope = (p0 * w2 - p1 * w1) / determinant, (p1 * w0 - p0 * w1) / determinant
    off = place - start[..., None] - slope[..., None] * s
    return start, slope, np.mean(np.abs(off) < _LOOSE, axis=2)


def _corners(ends: npt.NDArray[np.float64], before: Quads) -> Quads:
    """Where neighbouring sides (N, 4, 2 ends, 2) cross; a corner that runs away stays where it was."""
    a, b = np.roll(ends, 1, axis=1), ends
    u, v = a[:, :, 1] - a[:, :, 0], b[:, :, 1] - b[:, :, 0]
    across = b[:, :, 0] - a[:, :, 0]
    determinant = u[..., 1] * v[..., 0] - u[..., 0] * v[..., 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (across[..., 1] * v[..., 0] - across[..., 0] * v[..., 1]) / determinant
        corners = a[:, :, 0] + t[..., None] * u
    size = np.linalg.norm(before[:, 2] - before[:, 0], axis=1)[:, None, None]
    wild = ~(np.abs(corners - before) < 0.15 * size)
    return np.where(wild, before, corners)
