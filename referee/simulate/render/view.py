"""Where things of the scene are in the picture, and the picture's parts that must be made anew."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from referee.simulate.render.camera import Camera
from referee.simulate.render.cards import corners
from referee.simulate.render.pipe import Floats, Rect
from referee.simulate.render.stage import MAP_MARGIN, MAP_MM, Body
from referee.simulate.scene import CardPose

Area = tuple[slice, slice]
"""Rows and columns of a picture."""

_CELL: Final = 16
"""Grain of the search for parts, px."""

_SEEN: Final = 0.985
"""A shadow that leaves more of the light than this is not seen."""


def area_of(rect: Rect) -> Area:
    """Rows and columns of a rectangle."""
    x, y, width, height = rect
    return slice(y, y + height), slice(x, x + width)


def common(a: Rect, b: Rect) -> Rect | None:
    """What two rectangles share."""
    x1, y1 = max(a[0], b[0]), max(a[1], b[1])
    x2, y2 = min(a[0] + a[2], b[0] + b[2]), min(a[1] + a[3], b[1] + b[3])
    return (x1, y1, x2 - x1, y2 - y1) if x1 < x2 and y1 < y2 else None


class View:
    """What one camera sees where.

    Args:
        camera: the camera.
        card_size: width and height of the cards, mm.
    """

    def __init__(self, camera: Camera, card_size: tuple[float, float]) -> None:
        self.camera = camera
        self.whole: Rect = (0, 0, *camera.size)
        self._card_size = card_size
        width, height = camera.size
        step = 8
        # The place seen changes smoothly over the picture, so a coarse grid enlarged is exact enough.
        xs, ys = np.arange(0, width + step, step) + 0.5, np.arange(0, height + step, step) + 0.5
        grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        texels = (camera.table_points(grid) + MAP_MARGIN) / MAP_MM - 0.5
        coarse = np.clip(texels, -4000, 4000).reshape(len(ys), len(xs), 2).astype(np.float32)
        spread = np.array([[step, 0, 0], [0, step, 0]], np.float64)
        fine = cv2.warpAffine(coarse, spread, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        self._texels = [np.ascontiguousarray(fine[..., axis], np.float32) for axis in range(2)]

    def seen(self, plane: Floats, area: Area) -> Floats:
        """A map of the table plane, as ``Stage.shadows`` has them, as the camera sees it in a part of the picture."""
        x, y = (np.ascontiguousarray(texels[area]) for texels in self._texels)
        return np.asarray(cv2.remap(plane, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)

    def shaded(self, light: Floats) -> list[Rect]:
        """The parts of the picture where a map of the table plane, 1 in full light, is visibly darker."""
        every = slice(_CELL // 2, None, _CELL)
        shade = (self.seen(light, (every, every)) < _SEEN).astype(np.uint8)
        return self._components(np.asarray(cv2.dilate(shade, np.ones((3, 3), np.uint8)), np.uint8))

    def merged(self, rects: Iterable[Rect]) -> list[Rect]:
        """Rectangles that cover the same, none touching another."""
        rects = list(rects)
        width, height = self.camera.size
        found = np.zeros((math.ceil(height / _CELL), math.ceil(width / _CELL)), np.uint8)
        while rects:
            for x, y, w, h in rects:
                found[y // _CELL : math.ceil((y + h) / _CELL), x // _CELL : math.ceil((x + w) / _CELL)] = 1
            merged = self._components(found)
            # Filling a component's rectangle may make it touch another: repeat until nothing changes.
            if len(merged) == len(rects) and set(merged) == set(rects):
                break
            rects = merged
        return rects

    def _components(self, found: npt.NDArray[np.uint8]) -> list[Rect]:
        count, _, stats, _ = cv2.connectedComponentsWithStats(found, connectivity=8)
        cells = [tuple(int(n) * _CELL for n in row[:4]) for row in stats[1:count]]
        shared = (common((x, y, w, h), self.whole) for x, y, w, h in cells)
        return [rect for rect in shared if rect is not None]

    def card_rect(self, card: CardPose, room_mm: float) -> Rect | None:
        """Where a card is in the picture, with so much room around it; ``None`` if out of sight."""
        room = room_mm * self.camera.focal / self.camera.position[2]
        return self._bounds(self.camera.project(corners(card, *self._card_size)), math.ceil(room) + 2)

    def body_rect(self, body: Body) -> Rect | None:
        """Where a body is in the picture; ``None`` if out of sight."""
        # Bodies are round and dense in vertices: every fourth one bounds them, with a little room.
        return self._bounds(self.camera.project(body.vertices[::4, :3]), 8)

    def rects(self, cards: Sequence[CardPose], bodies: Sequence[Body], room_mm: float) -> list[Rect]:
        """Where all of these are in the picture."""
        found = [self.card_rect(card, room_mm) for card in cards] + [self.body_rect(body) for body in bodies]
        return [rect for rect in found if rect is not None]

    def _bounds(self, points: npt.NDArray[np.float64], room: int) -> Rect | None:
        low, high = np.floor(points.min(axis=0)) - room, np.ceil(points.max(axis=0)) + room
        return common((int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])), self.whole)

    def grown(self, rect: Rect, margin: int) -> Rect:
        """The rectangle with a margin, as far as the picture goes."""
        x, y, width, height = rect
        grown = common((x - margin, y - margin, width + 2 * margin, height + 2 * margin), self.whole)
        assert grown is not None
        return grown
