"""Which zones changed, told cheaply: a table at rest must cost next to nothing, and only what changed is read.

Every frame is sampled, not rectified: a small grey picture of each zone, 2 mm to the pixel, all in one look-up. What
moved is told by comparing with the pictures of a thirtieth of a second ago, what is new by comparing with the picture
at the last reading. Pictures are compared by their fine structure, which shadows, lamps and exposure leave as it is. A
wrong alarm costs a few readings and nothing else.
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

NEW: Final = 0.02
"""Share of a zone's picture that must differ from the picture last read before it is read again."""

QUIET_PERIOD: Final = 0.03
"""Least time between two readings of a quiet zone, s: closer ones tell the same."""

BUSY_PERIOD: Final = 0.06
"""Time between two readings of a zone that hands keep busy, s: in fast play a card lies open for two tenths of one."""

CONFIRMATIONS: Final = 3
"""Readings of one and the same picture."""

COARSE: Final = 13
"""Structure that is larger than so many pixels is light and shadow."""

LIGHTS: Final = 0.7
"""Share of the zones that have to get brighter or darker at once before the lamp is held to be the cause."""

LAMP: Final = 1.15
"""How many times as bright or as dark as before a zone then is at least."""

FADES: Final = 0.1
"""A lamp takes so long to come on, or to go out, s."""

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
        self._levels: deque[tuple[float, npt.NDArray[np.float64]]] = deque()
        count = len(self.zones)
        self._read: Pictures | None = None
        self._readings = np.zeros(count, np.int64)
        self._last = np.full(count, -np.inf)

    def look(self, frame: Frame) -> Activity:
        """What changed in ``frame``, and which zones it should be read in; expects that they are."""
        pictures = self._sampler.grey(frame.image)
        fine = _fine(pictures)
        lights = self._lights(frame.t, pictures)
        before = self._before(frame.t, fine)
        difference = _difference(fine, before)
        # Most zones are at rest at any moment, so the median is the sensor's and the coding's noise.
        self._noise += 0.1 * (_middle(difference.reshape(-1)[::7]) - self._noise)
        threshold = self._threshold()
        moved = _share(difference, threshold)
        if self._read is None:
            self._read = fine.copy()
        new = _share(_difference(fine, self._read), threshold) > NEW
        quiet = moved <= QUIET
        since = frame.t - self._last
        # Half a millisecond of slack, because times of frames are rounded.
        due = np.where(quiet, since >= QUIET_PERIOD - 5e-4, since >= BUSY_PERIOD - 5e-4)
        self._readings[new | ~quiet] = 0
        wanted = due & (self._readings < CONFIRMATIONS)
        self._read[wanted & (self._readings == 0)] = fine[wanted & (self._readings == 0)]
        self._readings[wanted] += 1
        self._last[wanted] = frame.t
        zones = tuple(zone for zone, asked in zip(self.zones, wanted.tolist(), strict=True) if asked)
        return Activity(frame.t, frame.index, moved, zones, pictures, lights)

    def _lights(self, t: float, pictures: Pictures) -> bool:
        """Whether the light changed all over the table in the last ``FADES`` seconds."""
        levels = _sums(pictures) / pictures[0].size + 1.0
        self._levels.append((t, levels))
        while len(self._levels) > 2 and t - self._levels[1][0] >= FADES - 5e-4:
            self._levels.popleft()
        ratio = levels / self._levels[0][1]
        return len(levels) > 2 and bool(max(np.mean(ratio > LAMP), np.mean(ratio < 1 / LAMP)) >= LIGHTS)

    def _before(self, t: float, fine: Pictures) -> Pictures:
        """The newest pictures at least ``LAG`` old, or the oldest there are."""
        while len(self._earlier) > 1 and t - self._earlier[1][0] >= LAG - 5e-4:
            self._earlier.popleft()
        before = self._earlier[0][1] if self._earlier else fine
        self._earlier.append((t, fine))
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


_LOGARITHM: Final = np.round(45 * (np.log2(np.arange(256) + 8) - 3)).astype(np.uint8)
"""Grey levels such that twice as bright is as much more everywhere."""


def _fine(pictures: Pictures) -> Pictures:
    """The fine structure of pictures, however they are lit: uint8, 128 where there is none."""
    stacked = pictures.reshape(-1, pictures.shape[2])
    # The seams between the stacked pictures mix one row of pixels, which is nothing beside the thresholds.
    smooth = np.asarray(cv2.LUT(cv2.blur(stacked, (3, 3)), _LOGARITHM), np.uint8).reshape(pictures.shape)
    fine = np.empty_like(smooth)
    for one, into in zip(smooth, fine, strict=True):
        cv2.addWeighted(one, 1.0, cv2.blur(one, (COARSE, COARSE)), -1.0, 128.0, into)
    return fine


def _difference(one: Pictures, other: Pictures) -> Pictures:
    return np.asarray(cv2.absdiff(one, other), np.uint8)


def _share(difference: Pictures, threshold: int) -> Shares:
    """The share of each picture's pixels that are above ``threshold``."""
    _, above = cv2.threshold(difference.reshape(len(difference), -1), threshold, 1, cv2.THRESH_BINARY)
    return np.asarray(_sums(np.asarray(above, np.uint8)) / above.shape[1], np.float32)


def _sums(pictures: Pictures) -> npt.NDArray[np.int32]:
    """The sum of each picture's pixels."""
    sums = cv2.reduce(pictures.reshape(len(pictures), -1), 1, cv2.REDUCE_SUM, dtype=cv2.CV_32S)
    return np.asarray(sums[:, 0], np.int32)


def _middle(values: npt.NDArray[np.uint8]) -> float:
    """The median of values (N,)."""
    places = ((len(values) - 1) // 2, len(values) // 2)
    return float(np.partition(values, places)[list(places)].mean())
