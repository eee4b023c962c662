"""Painted tables: a felt seen straight from above at 1 pixel a millimetre, cards as drawn rectangles, arms as bars."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from referee.table import Box, TableLayout, Zone, standard_layout
from referee.vision.frames import Frame
from referee.vision.rectify import TableView

BORDER = 60
"""Pixels of felt round the table."""

FELT = (70, 110, 60)
SKIN = (120, 150, 205)

Image = npt.NDArray[np.uint8]

LAYOUT: TableLayout = standard_layout()


def view() -> TableView:
    """How the painted table lies in its pictures."""
    left, top, right, bottom = BORDER, BORDER, BORDER + LAYOUT.width, BORDER + LAYOUT.height
    return TableView.from_corners([[left, top], [right, top], [right, bottom], [left, bottom]], 900.0, 600.0)


def felt(seed: int = 0) -> Image:
    """The bare table, slightly mottled."""
    rng = np.random.default_rng(seed)
    shape = (round(LAYOUT.height) + 2 * BORDER, round(LAYOUT.width) + 2 * BORDER)
    mottled = cv2.GaussianBlur(rng.normal(0, 12, shape).astype(np.float32), (0, 0), 3)
    return np.clip(np.array(FELT, np.float32) + mottled[..., None], 0, 255).astype(np.uint8)


def dealt() -> Image:
    """A table with a card in every zone."""
    return _dealt().copy()


@cache
def _dealt() -> Image:
    image = felt()
    for number, box in enumerate(LAYOUT.boxes.values()):
        card(image, box, number)
    return image


def card(image: Image, box: Box, face: int, dx: float = 0.0, dy: float = 0.0) -> None:
    """Draw a card whose spots are those of ``face``, shifted by millimetres."""
    x, y = round(box.x + dx) + BORDER, round(box.y + dy) + BORDER
    half_w, half_h = round(box.width / 2), round(box.height / 2)
    cv2.rectangle(image, (x - half_w, y - half_h), (x + half_w, y + half_h), (235, 235, 235), -1)
    rng = np.random.default_rng(1000 + face)
    for _ in range(9):
        at = (x + int(rng.integers(-22, 23)), y + int(rng.integers(-34, 35)))
        cv2.circle(image, at, 6, (40, 30, 30), -1)


def box_of(zone: str) -> Box:
    """The rectangle of a zone."""
    return LAYOUT.boxes[Zone(zone)]


def arm(image: Image, zone: str, *, from_below: bool, dx: float = 0.0, length: float = 0.0) -> None:
    """Draw an arm from the edge of the picture to the middle of a zone, and ``length`` mm beyond."""
    box = box_of(zone)
    x, y = round(box.x + dx) + BORDER, round(box.y) + BORDER
    end = y - round(length) if from_below else y + round(length)
    edge = image.shape[0] if from_below else 0
    cv2.rectangle(image, (x - 25, min(edge, end)), (x + 25, max(edge, end)), SKIN, -1)


def noisy(image: Image, number: int) -> Image:
    """What a sensor makes of a picture: grain of two levels, another with every number."""
    return np.asarray(cv2.add(image, np.roll(_grain(), 7919 * number), dtype=cv2.CV_8U), np.uint8)


@cache
def _grain() -> npt.NDArray[np.int16]:
    rng = np.random.default_rng(5)
    return rng.normal(0, 2.0, _dealt().shape).astype(np.int16)


def frame(index: int, image: Image, fps: float = 30.0) -> Frame:
    """A picture as a frame of a film."""
    return Frame(index, index / fps, image)
