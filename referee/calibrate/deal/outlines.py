"""Outlines of cards: quadrilaterals that could each be the edge of one card, found without knowing where the table is.

Cards are found on any table because several kinds of masks are cut out of the picture at several levels: what is
bright, what differs from the table around it, and what lies between edges. A card's edge closes in one of them, and
whatever else closes to a quadrilateral (a frame printed on a card, a phone, a shadow) is sorted out later by its size.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.rectify import Image, Points

Mask: TypeAlias = npt.NDArray[np.uint8]
Quads: TypeAlias = npt.NDArray[np.float64]
"""Corners (N, 4, 2) of quadrilaterals in image pixels, each going round clockwise as seen."""

WORKING_WIDTH: Final = 1280
"""Longest side of the picture in which outlines are looked for, px; they are made exact in the full picture."""

CARD_SHARE: Final = (0.001, 0.06)
"""Smallest and largest share of the picture that one card fills."""

_FLAT: Final = (5, 8, 12, 18, 26, 38)
_SOFT_PX: Final = 1.5
_SOFTLY_FLAT: Final = (6, 9, 14)
"""Smoothing of the picture, and levels of steepness in it, by which a white card shows on a white table."""

_IN_FOCUS: Final = 10.0
"""The steepest edges of a picture that is in focus, grey levels a pixel."""

_UNLIKE_TABLE: Final = (12, 20, 30, 45, 65)
_BRIGHT_LEVELS: Final = 12
_SLENDER: Final = 3.2
_FILLS_BOX: Final = 0.74
_FILLS_QUAD: Final = (0.93, 1.03)
_ROUND: Final = 1.35
"""A hull so much larger than the quadrilateral between four of its points is round; a circle is 1.57 times as large."""

_SAME_PX: Final = 2.0


def find_outlines(image: Image, *, faint: bool = False) -> Quads:
    """All quadrilaterals of a card's size in ``image``, uint8 (H, W, 3) BGR, exact to about a pixel.

    Args:
        image: the picture.
        faint: look for edges that are hardly seen instead, as of white cards on white cloth; they are exact to less.

    Returns:
        corners (N, 4, 2) in pixels of ``image``, in a fixed order.
    """
    scale = min(1.0, WORKING_WIDTH / max(image.shape[:2]))
    small = image
    if scale < 1:
        small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    if float(np.percentile(_steepness(small, 1 / 32)[::2, ::2], 99.9)) < _IN_FOCUS:
        # Where nothing has a clear edge, not even the print, the picture is blurred, and no card could be read in it.
        return np.empty((0, 4, 2))
    found = [quad for mask in (_faint_masks if faint else _masks)(small) for quad in _quads(mask)]
    return np.asarray((_merged(np.array(found).reshape(-1, 4, 2)) + 0.5) / scale - 0.5, np.float64)


def _masks(image: Image) -> Iterator[Mask]:
    lab = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2LAB), np.uint8)
    steep = _steepness(np.asarray(cv2.GaussianBlur(image, (3, 3), 0), np.uint8), 1 / 32)
    for level in _FLAT:
        yield _above(255 - steep, 254 - level)
    bright = lab[..., 0]
    low, high = np.percentile(bright[::4, ::4], [10, 99.7])
    for threshold in np.linspace(low, high, _BRIGHT_LEVELS + 2)[1:-1]:
        yield _above(bright, float(threshold))
    unlike = _unlike_table(lab)
    for level in _UNLIKE_TABLE:
        yield _above(unlike, level)


def _faint_masks(image: Image) -> Iterator[Mask]:
    steep = _steepness(np.asarray(cv2.GaussianBlur(image, (0, 0), _SOFT_PX), np.uint8), 1 / 8)
    for level in _SOFTLY_FLAT:
        yield _above(255 - steep, 254 - level)


def _above(plane: Mask, level: float) -> Mask:
    return np.asarray(cv2.threshold(plane, level, 255, cv2.THRESH_BINARY)[1], np.uint8)


def _steepness(smooth: Image, share: float) -> Mask:
    """How fast the colour changes, in the channel in which it changes fastest; a ``share`` of Scharr's sum."""
    steepest = np.zeros(smooth.shape[:2], np.uint8)
    for channel in cv2.split(smooth):
        across, down = (cv2.Scharr(channel, cv2.CV_16S, *order) for order in ((1, 0), (0, 1)))
        both = cv2.add(cv2.convertScaleAbs(across, alpha=share), cv2.convertScaleAbs(down, alpha=share))
        steepest = np.asarray(cv2.max(steepest, both), np.uint8)
    return steepest


def _unlike_table(lab: Mask) -> Mask:
    """How far the colour is from the usual one of a wide neighbourhood, which is the table's."""
    small = cv2.resize(lab, None, fx=1 / 8, fy=1 / 8, interpolation=cv2.INTER_AREA)
    usual = cv2.resize(cv2.medianBlur(small, 31), (lab.shape[1], lab.shape[0]), interpolation=cv2.INTER_LINEAR)
    lightness, green_red, blue_yellow = cv2.split(cv2.absdiff(lab, usual))
    return np.asarray(cv2.add(lightness, cv2.convertScaleAbs(cv2.add(green_red, blue_yellow), alpha=2)), np.uint8)


def _quads(mask: Mask) -> Iterator[Points]:
    height, width = mask.shape
    smallest, largest = (share * width * height for share in CARD_SHARE)
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for contour in contours:
        if len(contour) < 4:
            continue
        x, y, w, h = cv2.boundingRect(contour)
        inside = x > 1 and y > 1 and x + w < width - 1 and y + h < height - 1
        if not inside or not 0.8 * smallest < w * h < 3 * largest:
            continue
        quad = _quad(contour)
        if quad is not None and smallest < _area(quad) < largest:
            yield quad


def _quad(contour: npt.NDArray[Any]) -> Points | None:
    """The quadrilateral that a contour's hull is, if it is one."""
    # OpenCV says clockwise of a y axis that points up.
    hull = cv2.convexHull(contour, clockwise=False)
    area = cv2.contourArea(hull)
    _, (w, h), _ = cv2.minAreaRect(hull)
    if max(w, h) > _SLENDER * min(w, h) or area < _FILLS_BOX * w * h:
        return None
    around = cv2.arcLength(hull, True)
    for tolerance in (0.02, 0.03, 0.045, 0.06, 0.08):
        rough = cv2.approxPolyDP(hull, tolerance * around, True)
        if len(rough) <= 4:
            break
    corners = rough.reshape(-1, 2).astype(np.float64)
    if len(corners) != 4 or area > _ROUND * _area(corners):
        return None
    quad = _straightened(hull.reshape(-1, 2).astype(np.float64), corners)
    # A hull may reach over its quadrilateral a little, because of pixels, and under it, because corners are round.
    if quad is None or not _FILLS_QUAD[0] < area / max(_area(quad), 1.0) < _FILLS_QUAD[1]:
        return None
    return quad


def _straightened(hull: Points, quad: Points) -> Points | None:
    """The quadrilateral whose sides are lines through the hull's, corners left out because those are round."""
    ahead = np.roll(hull, -1, axis=0) - hull
    steps = np.maximum(1, np.hypot(ahead[:, 0], ahead[:, 1]).astype(int))
    share = np.concatenate([np.arange(n) / n for n in steps])[:, None]
    dense = np.repeat(hull, steps, axis=0) + share * np.repeat(ahead, steps, axis=0)
    for _ in range(2):
        lines = []
        for i in range(4):
            start, side = quad[i], quad[(i + 1) % 4] - quad[i]
            length = float(np.hypot(*side))
            if length < 5:
                return None
            along = (dense - start) @ side / length**2
            beside = (dense - start) @ np.array([-side[1], side[0]]) / length
            near = dense[(along > 0.15) & (along < 0.85) & (np.abs(beside) < 0.08 * length + 2)]
            if len(near) < 5:
                return None
            middle = near.mean(axis=0)
            (xx, xy), (_, yy) = (near - middle).T @ (near - middle)
            turn = math.atan2(2 * xy, xx - yy) / 2
            lines.append((middle, np.array([math.cos(turn), math.sin(turn)])))
        crossed = [crossing(lines[i - 1], lines[i]) for i in range(4)]
        corners = [corner for corner in crossed if corner is not None]
        if len(corners) != 4:
            return None
        quad = np.array(corners)
    return quad


def crossing(one: tuple[Points, Points], other: tuple[Points, Points]) -> Points | None:
    """Where two lines, each a point and a direction, cross; None if they are nearly parallel."""
    (x1, y1), (x2, y2) = one[1], other[1]
    across = x1 * y2 - y1 * x2
    if abs(across) < 0.2:
        return None
    x, y = other[0] - one[0]
    return np.asarray(one[0] + (x * y2 - y * x2) / across * one[1], np.float64)


def _area(quad: Points) -> float:
    return float(abs(cv2.contourArea(quad.astype(np.float32))))


def _merged(quads: Quads) -> Quads:
    """One of each: outlines found in several masks are averaged."""
    if not len(quads):
        return quads
    middles = quads.mean(axis=1)
    # The first corner is the one nearest the top of the picture, so that the same outline has the same corners.
    first = np.argmin(quads.sum(axis=2) + 0.37 * quads[..., 1], axis=1)
    quads = np.array([np.roll(quad, -k, axis=0) for quad, k in zip(quads, first, strict=True)])
    left = np.ones(len(quads), bool)
    groups = []
    for i in range(len(quads)):
        if not left[i]:
            continue
        near = left & (np.abs(middles - middles[i]).max(axis=1) < _SAME_PX)
        indices = np.flatnonzero(near)
        same = indices[np.abs(quads[indices] - quads[i]).max(axis=(1, 2)) < _SAME_PX]
        left[same] = False
        groups.append(np.median(quads[same], axis=0))
    return np.array(groups)
