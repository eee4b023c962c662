"""A marker's corners to a fraction of a pixel: each side is a straight edge, and the corners are where sides meet.

Blur and a camera's sharpening round a corner, so looking at the corner itself errs inwards; they leave the middle of
an edge where it is.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.rectify import Image, Points

ALONG: Final = np.linspace(0.12, 0.88, 20)
"""Where along a side its edge is looked for; nearer to its ends the neighbouring side blurs in."""

REACH: Final = 0.10
"""How far to both sides of it, as a share of its length; the black border is a sixth wide, the white one as much."""

LEAST_REACH: Final = 2.5
"""The same in pixels, at least."""

STEPS: Final = 25
"""Samples across an edge."""

WANDER: Final = 0.06
"""A corner that leaves its first place by more than this share of a side was no corner of straight edges."""


def sharpened(grey: Image, corners: Points) -> Points:
    """The corners of a black square on white, found anew from its edges.

    Args:
        grey: uint8 array (H, W).
        corners: float64 array (4, 2), image pixels, clockwise, right to a pixel or two.

    Returns:
        The same to about a tenth of a pixel; unchanged where an edge is not clear.
    """
    ends = np.roll(corners, -1, axis=0)
    lines = [_edge(grey, start, end) for start, end in zip(corners, ends, strict=True)]
    better = []
    for index, corner in enumerate(corners):
        before, after = lines[index - 1], lines[index]
        if before is None or after is None:
            return corners
        system = np.array([before[:2], after[:2]])
        if abs(np.linalg.det(system)) < 0.1:
            return corners
        met = np.linalg.solve(system, np.array([before[2], after[2]]))
        side = float(np.linalg.norm(ends[index] - corner))
        if float(np.linalg.norm(met - corner)) > max(2.0, WANDER * side):
            return corners
        better.append(met)
    return np.array(better, np.float64)


def _edge(grey: Image, start: Points, end: Points) -> npt.NDArray[np.float64] | None:
    """The edge near a side as a line: its unit normal (2) and the distance along it from the origin."""
    along = end - start
    length = float(np.linalg.norm(along))
    # The corners go round clockwise with y down, so this points out of the square, from black to white.
    outward = np.array([along[1], -along[0]]) / length
    reach = max(LEAST_REACH, REACH * length)
    across = np.linspace(-reach, reach, STEPS)
    points = start + ALONG[:, None, None] * along + across[None, :, None] * outward
    maps = points.astype(np.float32)
    profile = cv2.remap(grey, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    rise = np.diff(profile.astype(np.float64), axis=1)
    # Noise rises and falls everywhere; only what rises by a fair share of the steepest rise is the edge.
    rise = np.where(rise > 0.3 * rise.max(axis=1, keepdims=True), rise, 0)
    weight = rise.sum(axis=1)
    if np.median(weight) < 12:
        return None
    middles = (across[:-1] + across[1:]) / 2
    # About the steepest place only, or a second edge (the tile's rim on a dark cloth) would pull.
    peak = middles[rise.argmax(axis=1)]
    near = np.abs(middles[None, :] - peak[:, None]) <= max(1.5, reach / 3)
    rise = rise * near
    offset = (rise * middles).sum(axis=1) / rise.sum(axis=1).clip(min=1e-9)
    used = np.ones(len(ALONG), bool)
    slope = shift = 0.0
    for _ in range(3):
        slope, shift = np.polyfit(ALONG[used] * length, offset[used], 1)
        off = np.abs(offset - (slope * ALONG * length + shift))
        used = off <= max(0.25, 2.5 * float(np.median(off)))
        if used.sum() < len(ALONG) // 2:
            return None
    direction = along / length + slope * outward
    normal = np.array([direction[1], -direction[0]]) / np.linalg.norm(direction)
    return np.append(normal, normal @ (start + shift * outward))
