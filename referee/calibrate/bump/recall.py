"""Recognising a table that lies somewhere else in the picture altogether."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from referee.calibrate.bump.motion import spread
from referee.vision.rectify import Image, Matrix, project

FEATURES: Final = 800
RATIO: Final = 0.8
"""How much nearer the best match must be than the second best."""

TOLERANCE_PX: Final = 3.0
LEAST: Final = 15
"""Matches that must agree; chance brings about half as many together at most."""

LEAST_SHARE: Final = 0.12
"""Share of the matches that must agree: cards look alike, so most matches are wrong."""

BROAD: Final = 0.15
"""Share of the picture that they must span: a card laid elsewhere is as good as a small picture that has moved."""

MOST_GROWTH: Final = 1.8
"""The picture of a table does not become larger or smaller by more than this at a bump."""


class Memory:
    """What a table looked like.

    Args:
        grey: uint8 array (H, W), the table at rest.
    """

    def __init__(self, grey: Image) -> None:
        self._sift = cv2.SIFT.create(FEATURES)
        self._points, self._marks = self._sift.detectAndCompute(grey, None)

    def motion_to(self, grey: Image) -> Matrix | None:
        """The homography (3, 3) from places in the remembered picture to places in this one; None if it is not told."""
        points, marks = self._sift.detectAndCompute(grey, None)
        if marks is None or self._marks is None or len(marks) < 2:
            return None
        pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(self._marks, marks, k=2)
        good = [
            first
            for first, second in (pair for pair in pairs if len(pair) == 2)
            if first.distance < RATIO * second.distance
        ]
        if len(good) < LEAST:
            return None
        before = np.array([self._points[match.queryIdx].pt for match in good])
        now = np.array([points[match.trainIdx].pt for match in good])
        found, used = cv2.findHomography(before, now, cv2.USAC_MAGSAC, TOLERANCE_PX, maxIters=5000)
        if found is None or used is None:
            return None
        agreeing = np.ravel(used) > 0
        if agreeing.sum() < max(LEAST, LEAST_SHARE * len(good)):
            return None
        motion: Matrix = np.asarray(found, np.float64)
        height, width = grey.shape
        if min(spread(before[agreeing]), spread(now[agreeing])) < BROAD * width * height:
            return None
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        growth = cv2.contourArea(project(motion, corners).astype(np.float32), oriented=True) / (width * height)
        return motion if 1 / MOST_GROWTH < growth < MOST_GROWTH else None
