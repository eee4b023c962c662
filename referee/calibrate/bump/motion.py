"""The movement that most patches of a picture have in common."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from referee.calibrate.bump.anchors import Matches
from referee.vision.rectify import Matrix, Points, project

FEWEST: Final = 6
"""Patches that must agree for anything to be said."""

AGREE: Final = 0.5
"""Share of the patches found that must move together: hands never carry half of them in one way."""

TOLERANCE: Final = 1.2
"""How far a patch may lie from where a turn, a shift and a change of size take it, px of the searched picture."""

EXACT: Final = 0.6
"""The same for a homography."""

STILL: Final = 1.0
"""A patch this near to its place has not moved, px of the searched picture."""

STILL_SHARE: Final = 0.35
"""Share of the patches found that must be where they were for the rest not to matter."""

ALL_OVER: Final = 16
"""Patches that a homography must rest on."""

MANY: Final = 10
"""Patches that must agree on a movement; that they agree on none takes fewer."""

DUE_SHARE: Final = 0.3
"""Share of the patches seen of late that must."""

BROAD: Final = 0.12
"""Share of the picture that they must span."""

ALL_ALIKE: Final = 0.8
BROAD_ALIKE: Final = 0.06
"""The same where so many of those found move alike and none lies where it lay: on a bare table, with most cards
gathered, the last few piles say that it was the camera, for no hand carries cards so far apart in one way."""

MOST_TURN: Final = 0.35
MOST_GROWTH: Final = 0.3
"""A camera is not turned further (radians) or brought nearer (a share) within the reach of the search."""


def common_motion(matches: Matches, shape: tuple[int, int], rough: Matrix | None = None) -> Matrix | None:
    """The turn, shift and change of size (3, 3) that most patches agree on; None where they do not.

    Args:
        matches: patches found again.
        shape: width and height of the picture they are in.
        rough: a homography that comes near; what is told is that, followed by such a motion.
    """
    if len(matches.before) < FEWEST:
        return None
    before = matches.before if rough is None else project(rough, matches.before)
    still = np.linalg.norm(matches.now - before, axis=1) < STILL
    if rough is None and np.count_nonzero(still) >= max(FEWEST, STILL_SHARE * len(still)):
        # Nothing stays in its place by chance: where much does, what differs are hands and cards.
        motion, _ = _similar(before[still], matches.now[still])
        return motion
    motion, agreeing = _similar(before, matches.now)
    if motion is None:
        return None
    count = int(np.count_nonzero(agreeing))
    # A few patches on cards in somebody's hands agree on a movement too, but neither most of them nor all over.
    broad = BROAD_ALIKE if not still.any() and count >= ALL_ALIKE * len(before) else BROAD
    few = count < max(MANY, AGREE * len(before), DUE_SHARE * matches.due)
    if few or spread(before[agreeing]) < broad * shape[0] * shape[1]:
        return None
    return motion if rough is None else np.asarray(motion @ rough, np.float64)


def _similar(before: Points, now: Points) -> tuple[Matrix | None, npt.NDArray[np.bool_]]:
    """The turn, shift and change of size that takes most of ``before`` to ``now``, and which they are."""
    motion, used = cv2.estimateAffinePartial2D(
        before, now, method=cv2.RANSAC, ransacReprojThreshold=TOLERANCE, maxIters=500
    )
    if motion is None:
        return None, np.zeros(len(before), bool)
    turn, growth = np.arctan2(motion[1, 0], motion[0, 0]), np.hypot(motion[0, 0], motion[1, 0])
    if abs(turn) > MOST_TURN or abs(growth - 1) > MOST_GROWTH:
        return None, np.zeros(len(before), bool)
    return np.vstack([np.asarray(motion, np.float64), [0, 0, 1]]), np.ravel(used) > 0


def spread(points: Points) -> float:
    """The area that points (N, 2) span, px squared."""
    return float(cv2.contourArea(cv2.convexHull(points.astype(np.float32))))


def exact_motion(matches: Matches, motion: Matrix, shape: tuple[int, int]) -> Matrix:
    """The homography (3, 3) near a common motion that patches all over the picture agree on, or that motion itself.

    ``shape`` is the picture's width and height.
    """
    near = np.linalg.norm(project(motion, matches.before) - matches.now, axis=1) < 3 * TOLERANCE
    before, now = matches.before[near], matches.now[near]
    if len(before) < ALL_OVER:
        return motion
    found, used = cv2.findHomography(before, now, cv2.RANSAC, EXACT)
    if found is None or spread(before) < BROAD * shape[0] * shape[1] or np.count_nonzero(used) < ALL_OVER:
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
