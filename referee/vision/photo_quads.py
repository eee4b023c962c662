"""Four-sided things in a photograph that could be cards, at any size, turn and tilt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.photo_outline import Outline, card_heights, find_edges, refine, unlikeness
from referee.vision.photo_scale import SMALLEST
from referee.vision.rectify import Image, Points

SIZES: Final = (1440, 720, 360)
"""Longest sides, pixels, that the photograph is looked at in: small cards need the finest, large ones the coarsest."""

_SMALLEST: Final = 26
_LARGEST: Final = 340
_LEVELS: Final = 10
_CANNY: Final = ((20, 60), (60, 160))
_LIKE_A_CARD: Final = 0.75
_ON_EDGES: Final = 0.6


def find_quads(image: Image) -> list[Outline]:
    """Outlines in ``image``, uint8 (H, W, 3) BGR, that could be whole cards, best first, none of them twice.

    A card's frame or the table may be among them: who reads them sorts that out.
    """
    found: list[Outline] = []
    sizes = [size for size in SIZES if size < max(image.shape[:2])] or [max(image.shape[:2])]
    for size in sizes:
        factor = size / max(image.shape[:2])
        small = image
        if factor < 1:
            small = np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
        edges = find_edges(small, _SMALLEST * 4)
        rough: list[Points] = []
        for quad in _quads_of_regions(small):
            if not any(same(quad, other, 0.8) for other in rough):
                rough.append(quad)
        for quad in rough:
            outline = refine(edges, quad)
            likely = float(unlikeness(outline.quad[None])[0]) < _LIKE_A_CARD
            readable = card_heights(outline.quad[None])[0] >= SMALLEST * factor
            if (
                readable
                and outline.worst >= _ON_EDGES
                and likely
                and cv2.isContourConvex(outline.quad.astype(np.float32))
            ):
                # Pixels are counted from their centres.
                found.append(Outline((outline.quad + 0.5) / factor - 0.5, outline.sides))
    found.sort(key=lambda outline: -sum(outline.sides) - outline.worst)
    kept: list[Outline] = []
    for outline in found:
        if not any(same(outline.quad, other.quad, 0.85) for other in kept):
            kept.append(outline)
    return kept


def same(first: Points, second: Points, share: float) -> bool:
    """Whether two convex quads have at least ``share`` of their union in common."""
    if np.abs(first.mean(axis=0) - second.mean(axis=0)).max() > np.ptp(first, axis=0).max() / 2:
        return False
    return common(first, second) >= share


def common(first: Points, second: Points) -> float:
    """Intersection over union of two convex quads."""
    one, two = first.astype(np.float32), second.astype(np.float32)
    both = float(cv2.intersectConvexConvex(one, two)[0])
    return both / max(1e-6, float(cv2.contourArea(one)) + float(cv2.contourArea(two)) - both)


def _quads_of_regions(image: Image) -> Iterator[Points]:
    for mask in _masks(image):
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            _, _, width, height = cv2.boundingRect(contour)
            if not (_SMALLEST <= max(width, height) <= 1.4 * _LARGEST) or min(width, height) < _SMALLEST / 2:
                continue
            hull = np.asarray(cv2.convexHull(contour), np.float32)
            area = cv2.contourArea(hull)
            if cv2.contourArea(contour) < 0.85 * area:
                continue
            quad = _four_corners(hull, area)
            if quad is not None and _SMALLEST < card_heights(quad[None])[0] < _LARGEST:
                yield quad


def _masks(image: Image) -> Iterator[Image]:
    """Pictures in which a card is likely to be a region of its own: by brightness, by paleness, between edges."""
    smooth = cv2.GaussianBlur(image, (0, 0), 1)
    for plane in (smooth.min(axis=2), smooth.max(axis=2)):
        for level in np.unique(np.quantile(plane, np.linspace(0.08, 0.98, _LEVELS)).round()):
            yield np.asarray(plane > level, np.uint8)
    # Shade falls across tables: what is brighter than its surroundings.
    pale = np.asarray(smooth.min(axis=2))
    for window in (51, 151):
        yield np.asarray(
            cv2.adaptiveThreshold(pale, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, window, -4), np.uint8
        )
    for low, high in _CANNY:
        lines = np.max([cv2.Canny(np.ascontiguousarray(plane), low, high) for plane in cv2.split(smooth)], axis=0)
        yield np.asarray(cv2.dilate(lines, np.ones((3, 3), np.uint8)) == 0, np.uint8)


def _four_corners(hull: npt.NDArray[np.float32], area: float) -> Points | None:
    """The four-sided shape a hull nearly is."""
    length = cv2.arcLength(hull, True)
    for share in (0.02, 0.035, 0.05, 0.08):
        shape = cv2.approxPolyDP(hull, share * length, True)
        if len(shape) <= 4:
            break
    if len(shape) != 4 or not 0.85 * area < cv2.contourArea(shape) < 1.15 * area:
        return None
    quad = shape.reshape(4, 2).astype(np.float64)
    ways = np.roll(quad, -1, axis=0) - quad
    if ways[0, 0] * ways[1, 1] - ways[0, 1] * ways[1, 0] < 0:
        quad = quad[::-1]
    return quad
