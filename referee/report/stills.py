"""Stills of rulings, taken while the film goes by: nobody has to read it a second time."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from referee.rules.ruling import Verdict
from referee.table import TableLayout, Zone
from referee.tracking.commits import Commit
from referee.vision.frames import Frame
from referee.vision.rectify import TableView, rectify

WIDTH: Final = 960
"""Pictures are kept about so wide, px."""

MEMORY: Final = 2.0
"""How long pictures are kept, s; what is said later than this after it was done has no stills."""

MOMENTS: Final = (-0.2, 0.0, 0.3)
"""A fault is shown so long before, at and after its first touch, s."""

SMALL: Final = 112
LARGE: Final = 176
"""Sides of the stills of a legal action and of a fault, px."""

QUALITY: Final = 72

Image = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Still:
    """One still.

    Attributes:
        t: when it was taken, s.
        jpeg: the file.
        side: its width and height, px.
    """

    t: float
    jpeg: bytes
    side: int


class StillKeeper:
    """Keeps the last pictures, small, and cuts stills from them."""

    def __init__(self, layout: TableLayout, view: TableView) -> None:
        """Take stills of ``layout`` in frames in which it lies as ``view`` says."""
        self._layout = layout
        self._full = view
        self._view = view
        self._shrink = 0
        self._kept: deque[tuple[float, Image]] = deque()

    def push(self, frame: Frame) -> None:
        """Keep a frame that is later than all before."""
        height, width = frame.image.shape[:2]
        if not self._shrink:
            self._shrink = max(1, round(width / WIDTH))
            self._view = _shrunk(self._full, self._shrink)
        if self._shrink == 1:
            small = frame.image.copy()
        elif self._shrink == 2:
            small = frame.half()
        else:
            size = (width // self._shrink, height // self._shrink)
            small = np.asarray(cv2.resize(frame.image, size, interpolation=cv2.INTER_AREA), np.uint8)
        self._kept.append((frame.t, small))
        while frame.t - self._kept[0][0] > MEMORY:
            self._kept.popleft()

    def of(self, commit: Commit) -> tuple[Still, ...]:
        """The stills of something that was just said; none where there is no place to show, or it is too long ago."""
        action, ruling = commit.action, commit.ruling
        zone = None if action is None else action.target
        if zone is None or zone not in self._layout.boxes or ruling is None:
            return ()
        if ruling.verdict is Verdict.LEGAL and not ruling.correction:
            return self._stills(zone, (commit.t_to,), SMALL)
        return self._stills(zone, tuple(commit.t + moment for moment in MOMENTS), LARGE)

    def _stills(self, zone: Zone, moments: tuple[float, ...], side: int) -> tuple[Still, ...]:
        found: list[Still] = []
        for moment in moments:
            if not self._kept or self._kept[0][0] > moment + 0.1:
                continue
            t, image = min(self._kept, key=lambda one: abs(one[0] - moment))
            crop = rectify(image, self._view, self._layout.boxes[zone], side)
            done, data = cv2.imencode(".jpg", crop, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            if done and (not found or found[-1].t != t):
                found.append(Still(t, data.tobytes(), side))
        return tuple(found)


def _shrunk(view: TableView, by: int) -> TableView:
    """The view in a picture ``by`` times as small."""
    to_small = np.array([[1 / by, 0, 0.5 / by - 0.5], [0, 1 / by, 0.5 / by - 0.5], [0, 0, 1]], np.float64)
    return TableView(view.image_to_table @ np.linalg.inv(to_small), to_small @ view.table_to_image)
