"""What a picture of a table measures, zone by zone: size, light, sharpness, glare; and the tilt of the view."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from referee.table import Box, TableLayout
from referee.vision.rectify import CROP_MM, Image, TableView, rectify

CROP_PX: Final = 160
"""Side of the crops that are measured, px; glare and light need no more."""

CLIPPED: Final = 249
"""Grey level from which the sensor is saturated, or as good as."""

ABOVE_PAPER: Final = 1.1
"""Glare is so many times as bright as the paper of the other cards."""

CARD_CONTRAST: Final = 45.0
"""Grey levels between white and ink that a card shows at least; less is an empty place."""

NOISE_TO_SIGMA: Final = 1.4826
"""From the median deviation to the standard deviation."""


@dataclass(frozen=True, slots=True)
class ZoneMeasure:
    """What one zone measures in one picture.

    Attributes:
        scale: px a mm along the direction in which the picture is coarsest.
        white, dark: grey levels of the brightest twentieth and the darkest twentieth of it.
        noise: standard deviation of the grain, grey levels.
        edge: width of its sharpest edges, px; infinity where it shows none.
        glare: share of it in the largest saturated spot that is brighter than paper, 0..1.
    """

    scale: float
    white: float
    dark: float
    noise: float
    edge: float
    glare: float


def scales(view: TableView, x: float, y: float) -> tuple[float, float]:
    """Pixels a mm at a point of the table, along the coarsest and the finest direction."""
    across, down = view.to_image([[x + 0.5, y], [x, y + 0.5]]) - view.to_image([[x - 0.5, y], [x, y - 0.5]])
    finest, coarsest = np.linalg.svd(np.array([across, down]), compute_uv=False)
    return float(coarsest), float(finest)


def tilt_of(view: TableView, layout: TableLayout) -> float:
    """About by how many degrees the view leans from the vertical, by how much the table's middle is foreshortened."""
    coarsest, finest = scales(view, layout.width / 2, layout.height / 2)
    return math.degrees(math.acos(min(1.0, coarsest / finest)))


def measure(image: Image, view: TableView, layout: TableLayout) -> list[ZoneMeasure]:
    """What each zone of a layout measures, in the order of its boxes.

    Args:
        image: uint8 array (H, W, 3), BGR.
        view: where the table lies in it.
        layout: the zones.
    """
    boxes = list(layout.boxes.values())
    crops = [_card(image, view, box) for box in boxes]
    whites = [float(np.percentile(crop, 95)) for crop in crops]
    # Most zones show paper without glare, so the middle one tells how bright paper is here.
    paper = float(np.median(whites))
    return [
        ZoneMeasure(
            scale=scales(view, box.x, box.y)[0],
            white=white,
            dark=float(np.percentile(crop, 5)),
            noise=_noise(patch),
            edge=_edge_width(patch),
            glare=_glare(crop, paper),
        )
        for box, crop, white, patch in zip(boxes, crops, whites, _patches(image, view, boxes), strict=True)
    ]


def _card(image: Image, view: TableView, box: Box) -> Image:
    """The zone's card, upright, grey."""
    crop = cv2.cvtColor(rectify(image, view, box, CROP_PX), cv2.COLOR_BGR2GRAY)
    half_w, half_h = (round(length / CROP_MM * CROP_PX / 2) for length in (box.width, box.height))
    middle = CROP_PX // 2
    return np.asarray(crop[middle - half_h : middle + half_h, middle - half_w : middle + half_w], np.uint8)


def _patches(image: Image, view: TableView, boxes: list[Box]) -> list[Image]:
    """The part of the picture around each card as the camera gave it, grey: resampling would change its sharpness."""
    height, width = image.shape[:2]
    patches = []
    for box in boxes:
        corners = view.to_image(box.corners())
        (left, top), (right, bottom) = corners.min(axis=0) - 4, corners.max(axis=0) + 4
        rows = slice(max(int(top), 0), max(min(int(bottom), height), 0))
        columns = slice(max(int(left), 0), max(min(int(right), width), 0))
        part = image[rows, columns]
        grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY) if part.size else np.zeros((0, 0), np.uint8)
        patches.append(np.asarray(grey, np.uint8))
    return patches


def _noise(patch: Image) -> float:
    """Deviation of the grain: what a second difference leaves of an even surface."""
    if min(patch.shape) < 8:
        return 0.0
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float64) / 6
    grain = cv2.filter2D(patch.astype(np.float32), -1, kernel)
    return float(np.median(np.abs(grain))) * NOISE_TO_SIGMA


def _edge_width(patch: Image) -> float:
    """Height of the patch's steps over the slope of its steepest, px."""
    if min(patch.shape) < 8:
        return math.inf
    smooth = cv2.GaussianBlur(patch, (0, 0), 0.8).astype(np.float32)
    across, down = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8)
    steepest = float(np.percentile(np.hypot(across, down), 99))
    step = float(np.percentile(smooth, 97) - np.percentile(smooth, 3))
    return step / steepest if steepest > 0 and step > 12 else math.inf


def _glare(card: Image, paper: float) -> float:
    """Share of a card in its largest spot of glare."""
    if paper * ABOVE_PAPER > CLIPPED:
        # Where paper itself is as bright as the sensor goes, glare cannot be told from it, nor does it hide more.
        return 0.0
    spot = np.asarray(
        cv2.morphologyEx(np.asarray(card >= CLIPPED, np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    )
    count, _, stats, _ = cv2.connectedComponentsWithStats(spot, connectivity=8)
    return float(stats[1:count, cv2.CC_STAT_AREA].max()) / card.size if count > 1 else 0.0
