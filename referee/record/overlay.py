"""What is drawn on pictures of a dispute: outlines of zones, the ruling, the line of time with the touch on it.

OpenCV's fonts have Latin letters without accents only, so texts are written down to those.
"""

from __future__ import annotations

import textwrap
import unicodedata
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np

from referee.vision.frames import Image
from referee.vision.rectify import Points

Colour: TypeAlias = tuple[int, int, int]
"""BGR."""

DARK: Final[Colour] = (34, 30, 28)
LIGHT: Final[Colour] = (240, 240, 240)
DIM: Final[Colour] = (150, 150, 150)
CALM: Final[Colour] = (230, 200, 90)
TOUCH: Final[Colour] = (40, 140, 255)
"""Of all that marks the interval in which first touch lies."""

FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
CAP_PX: Final = 22.0
"""Height of a capital letter of this font at scale 1."""

_LETTERS: Final = str.maketrans(
    {"♣": "C", "♦": "D", "♥": "H", "♠": "S", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "æ": "ae", "ß": "ss", "–": "-"}
)


@dataclass(frozen=True, slots=True)
class Span:
    """A part of time, s, and the interval of first touch in it."""

    start: float
    end: float
    touch_from: float
    touch_to: float

    def touching(self, t: float, until: float) -> bool:
        """Whether the touch may lie in what a picture shows that stands from ``t`` to ``until``."""
        return until > self.touch_from and t <= self.touch_to


def plain(text: str) -> str:
    """``text`` in letters that the font has."""
    folded = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return "".join(letter for letter in folded if not unicodedata.combining(letter)).encode("ascii", "replace").decode()


def write(image: Image, text: str, x: float, y: float, height: float, colour: Colour = LIGHT) -> None:
    """Write a line whose letters stand on ``y`` and begin at ``x``, capitals ``height`` px high."""
    cv2.putText(image, plain(text), (round(x), round(y)), FONT, height / CAP_PX, colour, _weight(height), cv2.LINE_AA)


def _weight(height: float) -> int:
    return max(1, int(height / 9))


def wrapped(text: str, width: float, height: float) -> list[str]:
    """``text`` in lines that are no wider than ``width`` px."""
    text = plain(text)
    (whole, _), _ = cv2.getTextSize(text, FONT, height / CAP_PX, _weight(height))
    letters = max(8, int(len(text) * width / max(whole, 1) * 0.95))
    return textwrap.wrap(text, letters)


def outline(image: Image, corners: Points, colour: Colour, weight: int) -> None:
    """Draw a quadrangle, corners (4, 2) in px."""
    points = np.round(corners).astype(np.int32)
    cv2.polylines(image, [points], True, DARK, weight + 2, cv2.LINE_AA)
    cv2.polylines(image, [points], True, colour, weight, cv2.LINE_AA)


def timeline(image: Image, span: Span, t: float, left: int, right: int, y: int, height: int) -> None:
    """Draw a line of time from ``left`` to ``right``, the touch on it as a block, and ``t`` as a mark."""

    def x(when: float) -> int:
        share = (when - span.start) / max(span.end - span.start, 1e-9)
        return round(left + (right - left) * min(max(share, 0.0), 1.0))

    cv2.line(image, (left, y), (right, y), DIM, max(1, height // 8), cv2.LINE_AA)
    first, last = x(span.touch_from), x(span.touch_to)
    cv2.rectangle(image, (first - 1, y - height // 3), (max(last, first) + 1, y + height // 3), TOUCH, cv2.FILLED)
    cv2.line(image, (x(t), y - height // 2), (x(t), y + height // 2), LIGHT, max(2, height // 6), cv2.LINE_AA)
