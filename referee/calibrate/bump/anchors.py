"""Small patches of a still table by which a camera's movement shows, and where they are found again.

Patches lie outside the zones where the background gives any, and on the cards, which lie still for most of the time.
Each is looked for near its place in the reference picture, never in the picture before, so that nothing drifts.
Normalised correlation does not care how bright the lamp is, and says by itself when a hand covers a patch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from referee.table import TableLayout
from referee.vision.rectify import Image, Matrix, Points, TableView, project

WIDTH: Final = 640
"""Width of the picture that is searched, px: as fine as movements of a millimetre need, and cheap."""

RADIUS: Final = 7
"""Half the side of a patch, px of that picture."""

SEARCH: Final = 12
"""How far from its place a patch is looked for, px of that picture."""

GRID: Final = (11, 7)
"""Cells across and down the picture; the clearest corner of each is a patch."""

PER_ZONE: Final = 3
"""Patches on the card of each zone."""

BEYOND_MM: Final = 60.0
"""How far beyond the rectangle the table's plane is trusted to reach; further out lies the floor."""

ALIKE: Final = 0.7
"""Correlation from which a patch counts as found."""

PLAIN: Final = 2.5
"""Deviation of grey levels below which a patch shows nothing but noise."""

LIKENESS: Final = 0.75
"""Correlation that nothing else within reach may have with a patch."""

OWN: Final = 3
"""How far a patch looks like itself, px."""

TRIES: Final = 3
"""Corners of a cell that are tried."""

ASTRAY_PX: Final = 1.2
"""A patch found further from where it must be is not where it is found."""

ASTRAY_LOOKS: Final = 3

STIRRED: Final = 6
"""Grey levels by which what moves differs from the picture before."""

LEAVE_S: Final = 2.0
"""A patch not found for so long shows something that has gone: a card played, a hand withdrawn."""


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Patches found again.

    Attributes:
        before: float64 array (N, 2), their places in the reference, px of the searched picture.
        now: where they are, to a fraction of a pixel.
        due: how many patches were found of late, and might be found again.
    """

    before: Points
    now: Points
    due: int


@dataclass(slots=True)
class _Anchor:
    """A patch and what became of it.

    Attributes:
        area: rows and columns of the picture in which one is chosen.
        spot: its middle in the reference, x, y; None while there is none.
        patch: what it looks like, uint8 (side, side).
        seen: when it was last found, s.
        learnt: when one was last looked for, s.
        astray: how many times running it was found where it cannot be.
    """

    area: tuple[slice, slice]
    spot: Points | None
    patch: Image
    seen: float
    learnt: float
    astray: int = 0


class Anchors:
    """The patches of one table.

    Args:
        grey: the reference: uint8 array (H, W), ``WIDTH`` wide, smoothed so that its grain does not count.
        view: where the table lies in it.
        layout: the zones.
    """

    def __init__(self, grey: Image, view: TableView, layout: TableLayout) -> None:
        self._layout = layout
        self._mask = _table_mask(grey.shape, view, layout)
        nothing = np.zeros((0, 0), np.uint8)
        self._anchors = [
            _Anchor(area, None, nothing, -np.inf, -np.inf) for area in _areas(grey.shape, view, self._layout)
        ]
        self._before = grey
        self._found: list[tuple[_Anchor, Points]] = []
        self._learn(0.0, grey, self._anchors, self._mask, np.eye(3))

    def match(self, t: float, grey: Image, motion: Matrix | None = None) -> Matches:
        """Look for every patch near its place, or near where ``motion`` (3, 3) takes it."""
        before, now = [], []
        due = 0
        self._found = []
        for anchor in self._anchors:
            if anchor.spot is None:
                continue
            near = anchor.spot if motion is None else project(motion, anchor.spot[None])[0]
            place = _find(grey, anchor.patch, near)
            due += t - anchor.seen < LEAVE_S
            if place is not None:
                self._found.append((anchor, place))
                anchor.seen = t
                before.append(anchor.spot)
                now.append(place)
        return Matches(np.array(before, np.float64).reshape(-1, 2), np.array(now, np.float64).reshape(-1, 2), due)

    def renew(self, t: float, grey: Image, motion: Matrix) -> None:
        """Replace patches that have gone by what lies still in their places now.

        Args:
            t: time of the picture, s.
            grey: the picture, of a table known to be steady.
            motion: float64 array (3, 3), from places in the reference to places in this picture.
        """
        for anchor, place in self._found:
            assert anchor.spot is not None
            off = np.linalg.norm(project(motion, anchor.spot[None])[0] - place)
            anchor.astray = anchor.astray + 1 if off > ASTRAY_PX else 0
            if anchor.astray >= ASTRAY_LOOKS:
                # A card that was moved a little, or something that looks alike all over.
                anchor.spot, anchor.seen, anchor.astray = None, -np.inf, 0
        gone = [one for one in self._anchors if t - max(one.seen, one.learnt) > LEAVE_S]
        if gone:
            # What moves is a hand or a card in flight, and no mark to hold on to.
            change = cv2.absdiff(cv2.GaussianBlur(grey, (0, 0), 2), cv2.GaussianBlur(self._before, (0, 0), 2))
            calm = cv2.dilate(np.asarray(change > STIRRED, np.uint8), np.ones((9, 9), np.uint8)) == 0
            self._learn(t, grey, gone, self._mask & calm, motion)
        self._before = grey

    def rebase(self, t: float, grey: Image, motion: Matrix, view: TableView) -> None:
        """Make this picture the reference, in which the table lies as ``view`` says, moved by ``motion`` (3, 3)."""
        self._mask = _table_mask(grey.shape, view, self._layout)
        for anchor, area in zip(self._anchors, _areas(grey.shape, view, self._layout), strict=True):
            anchor.area = area
            if anchor.spot is None:
                continue
            moved = np.asarray(project(motion, anchor.spot[None])[0], np.float64)
            visible = anchor.seen == t
            patch = _cut(grey, moved.round()) if visible else None
            # What is seen now is remembered as it looks now; what a hand covers keeps its old look.
            anchor.spot, anchor.patch = (moved, anchor.patch) if patch is None else (moved.round(), patch)
        self._before = grey

    def _learn(
        self, t: float, grey: Image, anchors: Sequence[_Anchor], allowed: npt.NDArray[np.bool_], motion: Matrix
    ) -> None:
        strength = cv2.cornerMinEigenVal(grey, 5)
        strength[~allowed] = 0
        for anchor in anchors:
            anchor.learnt = t
            part = strength[anchor.area]
            for _ in range(TRIES):
                if not part.size or part.max() <= 0:
                    break
                row, column = np.unravel_index(int(part.argmax()), part.shape)
                x, y = int(column) + anchor.area[1].start, int(row) + anchor.area[0].start
                # The other cells of the same card must not choose the same corner.
                strength[max(y - RADIUS, 0) : y + RADIUS + 1, max(x - RADIUS, 0) : x + RADIUS + 1] = 0
                spot = np.array([x, y], np.float64)
                patch = _cut(grey, spot)
                if patch is not None and patch.std() >= PLAIN and _distinct(grey, patch, spot):
                    anchor.patch, anchor.astray = patch, 0
                    anchor.spot = project(np.asarray(np.linalg.inv(motion), np.float64), spot[None])[0]
                    anchor.seen = t
                    break


def _distinct(grey: Image, patch: Image, spot: Points) -> bool:
    """Whether nothing else within reach looks like a patch: the grain of wood looks alike all along."""
    score, left, top = _scores(grey, patch, spot)
    x, y = int(spot[0]) - left - RADIUS, int(spot[1]) - top - RADIUS
    score[max(y - OWN, 0) : y + OWN + 1, max(x - OWN, 0) : x + OWN + 1] = -1
    return float(score.max()) < LIKENESS


def _scores(grey: Image, patch: Image, spot: Points) -> tuple[npt.NDArray[np.float32], int, int]:
    """Correlation of a patch at the places around a spot, and where the first of them begins; empty at the edge."""
    height, width = grey.shape
    room = RADIUS + SEARCH
    x, y = round(float(spot[0])), round(float(spot[1]))
    left, top = max(x - room, 0), max(y - room, 0)
    part = grey[top : max(y + room + 1, 0), left : max(x + room + 1, 0)]
    if part.shape[0] < patch.shape[0] or part.shape[1] < patch.shape[1] or top >= height or left >= width:
        return np.zeros((0, 0), np.float32), left, top
    return np.asarray(cv2.matchTemplate(part, patch, cv2.TM_CCOEFF_NORMED), np.float32), left, top


def _cut(grey: Image, spot: Points) -> Image | None:
    x, y = int(spot[0]), int(spot[1])
    height, width = grey.shape
    if not (RADIUS <= x < width - RADIUS and RADIUS <= y < height - RADIUS):
        return None
    return grey[y - RADIUS : y + RADIUS + 1, x - RADIUS : x + RADIUS + 1].copy()


def _find(grey: Image, patch: Image, spot: Points) -> Points | None:
    """Where a patch is near ``spot``, to a fraction of a pixel."""
    score, left, top = _scores(grey, patch, spot)
    if not score.size:
        return None
    _, best, _, (column, row) = cv2.minMaxLoc(score)
    if best < ALIKE or not (0 < column < score.shape[1] - 1 and 0 < row < score.shape[0] - 1):
        return None
    around = score[row - 1 : row + 2, column - 1 : column + 2].astype(np.float64)
    across = _vertex(around[1, 0], around[1, 1], around[1, 2])
    down = _vertex(around[0, 1], around[1, 1], around[2, 1])
    return np.array([left + column + across + RADIUS, top + row + down + RADIUS])


def _vertex(before: float, middle: float, after: float) -> float:
    """Where the parabola through three values at -1, 0 and 1 is highest."""
    bend = before - 2 * middle + after
    return 0.0 if bend >= 0 else float(np.clip((before - after) / (2 * bend), -0.5, 0.5))


def _areas(shape: tuple[int, ...], view: TableView, layout: TableLayout) -> list[tuple[slice, slice]]:
    """Cells of the background, then of the zones' cards, always in the same order."""
    height, width = shape[:2]
    across = np.linspace(0, width, GRID[0] + 1).astype(int)
    down = np.linspace(0, height, GRID[1] + 1).astype(int)
    areas = [
        (slice(int(top), int(bottom)), slice(int(left), int(right)))
        for top, bottom in pairwise(down)
        for left, right in pairwise(across)
    ]
    for box in layout.boxes.values():
        low, high = (view.to_image(box.corners()).min(axis=0), view.to_image(box.corners()).max(axis=0))
        (left, top), (right, bottom) = np.clip(low, 0, (width, height)), np.clip(high, 0, (width, height))
        areas += [(slice(int(top), int(bottom)), slice(int(left), int(right)))] * PER_ZONE
    return areas


def _table_mask(shape: tuple[int, ...], view: TableView, layout: TableLayout) -> npt.NDArray[np.bool_]:
    """Where patches may lie: on the table and a little beyond, where its plane still is."""
    edge = BEYOND_MM
    right, bottom = layout.width + edge, layout.height + edge
    outline = view.to_image([[-edge, -edge], [right, -edge], [right, bottom], [-edge, bottom]])
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, outline.round().astype(np.int32), 1)
    return np.asarray(mask > 0)
