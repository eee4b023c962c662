"""Which zones changed, told cheaply: a table at rest must cost next to nothing, and only what changed is read.

Every frame is sampled, not rectified: a small grey picture of each zone, 2 mm to the pixel, all in one look-up. What
moved is told by comparing with the pictures of a thirtieth of a second ago, what is new by comparing with the picture
at the last reading. A wrong alarm costs a few readings and nothing else, so lamps and exposure need no model here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.table import Box, Zone
from referee.vision.frames import Frame
from referee.vision.rectify import Matrix, TableView, project

PICTURE_MM: Final = 2.0
"""Side of a pixel of a zone's small picture on the table."""

WINDOW_MM: Final = (76.0, 102.0)
"""Width and height of what a small picture shows: the zone's card lying loosely, and nothing of its neighbours'."""

LAG: Final = 0.03
"""Movement is told against the picture of so long ago, s: between two frames at 120 a second a hand hardly moves."""

QUIET: Final = 0.02
"""Share of a zone's picture that may move while the zone still counts as quiet."""

NEW: Final = 0.012
"""Share of a zone's picture that must differ from the picture last read before it is read again."""

QUIET_PERIOD: Final = 0.03
"""Least time between two readings of a quiet zone, s: closer ones tell the same."""

BUSY_PERIOD: Final = 0.12
"""Time between two readings of a zone that hands keep busy, s."""

CONFIRMATIONS: Final = 3
"""Readings of one and the same picture."""

LIGHTS: Final = 0.7
"""Share of the zones in which nearly everything has to change at once before the lamp is held to be the cause."""

Pictures: TypeAlias = npt.NDArray[np.uint8]
Shares: TypeAlias = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Activity:
    """What one frame shows of change, zone by zone in the gate's order.

    Attributes:
        t: time of the frame, s.
        frame: its index.
        moved: float32 array (Z,), share of each zone's picture that moved.
        wanted: the zones to read in this frame.
        pictures: uint8 array (Z, height, width), the zones' small pictures, grey, reading direction up.
        lights: whether the light changed all over the table.
    """

    t: float
    frame: int
    moved: Shares
    wanted: tuple[Zone, ...]
    pictures: Pictures
    lights: bool


class ActivityGate:
    """Decides which zones are read. Feed it every frame of one source, in order.

    Attributes:
        zones: the zones watched, in the order of all arrays it gives.
    """

    def __init__(self, view: TableView, boxes: Mapping[Zone, Box]) -> None:
        """Watch ``boxes`` in pictures in which the table lies as ``view`` says."""
        self.zones = tuple(boxes)
        self._sampler = Sampler(view, [window_to_table(box) for box in boxes.values()], window_size())
        self._earlier: deque[tuple[float, Pictures]] = deque()
        self._noise = 1.0
        count = len(self.zones)
        self._read: Pictures | None = None
        self._readings = np.zeros(count, np.int64)
        self._last = np.full(count, -np.inf)

    def look(self, frame: Frame) -> Activity:
        """What changed in ``frame``, and which zones it should be read in; expects that they are."""
        pictures = self._sampler.grey(frame.image)
        smooth = _smooth(pictures)
        before = self._before(frame.t, smooth)
        difference = _difference(smooth, before)
        # Most zones are at rest at any moment, so the median is the sensor's and the coding's noise.
        self._noise += 0.1 * (float(np.median(difference.reshape(-1)[::7])) - self._noise)
        threshold = self._threshold()
        moved = _share(difference, threshold)
        if self._read is None:
            self._read = smooth.copy()
        new = _share(_difference(smooth, self._read), threshold) > NEW
        quiet = moved <= QUIET
        since = frame.t - self._last
        # Half a millisecond of slack, because times of frames are rounded.
        due = np.where(quiet, since >= QUIET_PERIOD - 5e-4, since >= BUSY_PERIOD - 5e-4)
        self._readings[new | ~quiet] = 0
        wanted = due & (self._readings < CONFIRMATIONS)
        self._read[wanted & (self._readings == 0)] = smooth[wanted & (self._readings == 0)]
        self._readings[wanted] += 1
        self._last[wanted] = frame.t
        lights = bool(np.mean(moved > 0.5) >= LIGHTS) and len(self.zones) > 2
        zones = tuple(zone for zone, asked in zip(self.zones, wanted.tolist(), strict=True) if asked)
        return Activity(frame.t, frame.index, moved, zones, pictures, lights)

    def _before(self, t: float, smooth: Pictures) -> Pictures:
        """The newest pictures at least ``LAG`` old, or the oldest there are."""
        while len(self._earlier) > 1 and t - self._earlier[1][0] >= LAG - 5e-4:
            self._earlier.popleft()
        before = self._earlier[0][1] if self._earlier else smooth
        self._earlier.append((t, smooth))
        return before

    def _threshold(self) -> int:
        return round(min(max(8.0 * self._noise + 5.0, 9.0), 45.0))


class Sampler:
    """Looks up small pictures of places on the table in whole frames."""

    def __init__(self, view: TableView, places: list[Matrix], size: tuple[int, int]) -> None:
        """One picture for each of ``places``.

        Args:
            view: where the table lies in the frames.
            places: matrices (3, 3) from pixels of the small picture, centres counted as whole numbers, to table mm.
            size: width and height of every small picture, px.
        """
        width, height = size
        columns, rows = np.meshgrid(np.arange(width, dtype=np.float64), np.arange(height, dtype=np.float64))
        grid = np.stack([columns.reshape(-1), rows.reshape(-1)], axis=1)
        points = np.concatenate([view.to_image(project(place, grid)) for place in places])
        self.points = points.reshape(len(places), height, width, 2)
        flat = points.reshape(len(places) * height, width, 2).astype(np.float32)
        self._maps = cv2.convertMaps(flat[..., 0], flat[..., 1], cv2.CV_16SC2)
        self._shape = (len(places), height, width)

    def colour(self, image: npt.NDArray[np.uint8]) -> Pictures:
        """The small pictures of ``image``, uint8 (H, W, 3) BGR: uint8 array (places, height, width, 3)."""
        found = cv2.remap(image, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(found, np.uint8).reshape(*self._shape, 3)

    def grey(self, image: npt.NDArray[np.uint8]) -> Pictures:
        """The same in grey: uint8 array (places, height, width)."""
        colour = self.colour(image).reshape(-1, self._shape[2], 3)
        return np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.uint8).reshape(self._shape)


def window_size() -> tuple[int, int]:
    """Width and height of a zone's small picture, px."""
    return round(WINDOW_MM[0] / PICTURE_MM), round(WINDOW_MM[1] / PICTURE_MM)


def window_to_table(box: Box) -> Matrix:
    """The matrix (3, 3) from pixels of a zone's small picture, counted from their centres, to table mm."""
    width, height = window_size()
    turn = np.radians(box.angle)
    cos, sin = PICTURE_MM * np.cos(turn), PICTURE_MM * np.sin(turn)
    x, y = (width - 1) / 2, (height - 1) / 2
    return np.array([[cos, -sin, box.x - cos * x + sin * y], [sin, cos, box.y - sin * x - cos * y], [0, 0, 1]])


def _smooth(pictures: Pictures) -> Pictures:
    # The seams between the stacked pictures mix one row of pixels, which is nothing beside the thresholds.
    stacked = pictures.reshape(-1, pictures.shape[2])
    return np.asarray(cv2.blur(stacked, (3, 3)), np.uint8).reshape(pictures.shape)


def _difference(one: Pictures, other: Pictures) -> Pictures:
    return np.asarray(cv2.absdiff(one, other), np.uint8)


def _share(difference: Pictures, threshold: int) -> Shares:
    above = (difference > threshold).reshape(len(difference), -1)
    return np.asarray(above.mean(axis=1), np.float32)
