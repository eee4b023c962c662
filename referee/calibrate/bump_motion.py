"""The movement that most patches of a picture have in common."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from referee.calibrate.bump_anchors import Matches
from referee.vision.rectify import Matrix, Points, project

FEWEST: Final = 8
"""Patches that must move together for anything to be said."""

AGREE: Final = 0.5
"""Share of the patches found that must move together: hands never carry half of them in one way."""

TOLERANCE: Final = 1.2
"""How far a patch may lie from where a turn, a shift and a change of size take it, px of the searched picture."""

EXACT: Final = 0.6
"""The same for a homography."""

STILL: Final = 0.5
"""A patch this near to its place has not moved, px of the searched picture."""

STILL_SHARE: Final = 0.35
"""Share of the patches found that must be where they were for the rest not to matter."""

BROAD: Final = 0.15
"""Share of the picture that patches must span for a homography; a smaller patch of it would swing at the far side."""

MOST_TURN: Final = 0.35
MOST_GROWTH: Final = 0.3
"""A camera is not turned further (radians) or brought nearer (a share) within the reach of the search."""


def common_motion(matches: Matches, rough: Matrix | None = None) -> Matrix | None:
    """The turn, shift and change of size (3, 3) that most patches agree on; None where they do not.

    With ``rough``, a homography that comes near, what is told is that followed by such a motion.
    """
    if len(matches.before) < FEWEST:
        return None
    before = matches.before if rough is None else project(rough, matches.before)
    still = np.linalg.norm(matches.now - before, axis=1) < STILL
    if rough is None and np.count_nonzero(still) >= max(FEWEST, STILL_SHARE * len(still)):
        # Nothing stays in its place by chance: where much does, what differs are hands and cards.
        before, after = before[still], matches.now[still]
    else:
        after = matches.now
    motion, used = cv2.estimateAffinePartial2D(
        before, after, method=cv2.RANSAC, ransacReprojThreshold=TOLERANCE, maxIters=500
    )
    if motion is None:
        return None
    agreeing = int(np.count_nonzero(used))
    turn, growth = np.arctan2(motion[1, 0], motion[0, 0]), np.hypot(motion[0, 0], motion[1, 0])
    if agreeing < max(FEWEST, AGREE * len(before)) or abs(turn) > MOST_TURN or abs(growth - 1) > MOST_GROWTH:
        return None
    whole = np.vstack([np.asarray(motion, np.float64), [0, 0, 1]])
    return whole if rough is None else np.asarray(whole @ rough, np.float64)


def exact_motion(matches: Matches, motion: Matrix, shape: tuple[int, int]) -> Matrix:
    """The homography (3, 3) near a common motion that patches all over the picture agree on, or that motion itself.

    ``shape`` is the picture's width and height.
    """
    near = np.linalg.norm(project(motion, matches.before) - matches.now, axis=1) < 3 * TOLERANCE
    before, now = matches.before[near], matches.now[near]
    if len(before) < 2 * FEWEST:
        return motion
    hull = cv2.contourArea(cv2.convexHull(before.astype(np.float32)))
    found, used = cv2.findHomography(before, now, cv2.RANSAC, EXACT)
    if found is None or hull < BROAD * shape[0] * shape[1] or np.count_nonzero(used) < 2 * FEWEST:
        return motion
    exact: Matrix = np.asarray(found, np.float64)
    return exact


def shift_of(motion: Matrix, points: Points) -> float:
    """How far a motion takes most of these points (N, 2), px: a bump moves all, a turn those far from its middle."""
    return float(np.quantile(np.linalg.norm(project(motion, points) - points, axis=1), 0.7))


def frame_points(shape: tuple[int, int]) -> Points:
    """Points (N, 2) all over a picture of ``shape`` (width, height)."""
    across, down = np.linspace(0, shape[0], 7), np.linspace(0, shape[1], 5)
    return np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
