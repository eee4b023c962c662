"""Text on pictures with accents and pips, which OpenCV's fonts lack: they are drawn on top of its plain letters."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.record.overlay import CAP_PX, FONT, plain
from referee.vision.frames import Image

Colour: TypeAlias = tuple[int, int, int]
"""BGR."""

PIPS: Final = "♣♦♥♠"

FINE: Final = 3
"""Letters are drawn so many times as large and then made small, which OpenCV's own smoothing is no match for."""

KEPT: Final = 512
"""Texts kept as drawn: most of what is shown stays for seconds."""

_ABOVE: Final = "\u0300\u0301\u0302\u0303\u0304\u0307\u0308\u030a\u030b\u030c"
_STROKES: Final = {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D"}
_PIP_WIDTH: Final = 1.05
_ROOM: Final = 0.55
"""Above capitals for accents and below the line for tails, in heights of a capital."""

Mask: TypeAlias = npt.NDArray[np.uint8]


def width_of(text: str, height: float) -> int:
    """Width in px of a line whose capitals are ``height`` px high."""
    return round(sum(_wide(*letter) for letter in _letters(text)) * round(height) + 0.5)


def write(image: Image, text: str, x: float, y: float, height: float, colour: Colour) -> None:
    """Write a line that stands on ``y`` and begins at ``x``, capitals ``height`` px high; what does not fit is cut."""
    drawn = _drawn(text, round(height))
    left, top = round(x), round(y) - round((1 + _ROOM) * round(height))
    first_row, first_column = max(0, -top), max(0, -left)
    top, left = top + first_row, left + first_column
    rows, columns = max(0, image.shape[0] - top), max(0, image.shape[1] - left)
    part = drawn[first_row : first_row + rows, first_column : first_column + columns]
    if not part.size:
        return
    under = image[top : top + part.shape[0], left : left + part.shape[1]]
    ink = np.empty_like(under)
    ink[:] = colour
    share = cv2.merge([part, part, part])
    cv2.add(
        cv2.multiply(under, cv2.bitwise_not(share), scale=1 / 255), cv2.multiply(ink, share, scale=1 / 255), dst=under
    )


def fitting(text: str, height: float, width: float) -> str:
    """``text``, or as much of it as is no wider than ``width`` px with an ellipsis."""
    if width_of(text, height) <= width:
        return text
    kept = len(text)
    while kept and width_of(text[:kept].rstrip() + "...", height) > width:
        kept -= 1
    return text[:kept].rstrip() + "..."


@lru_cache(KEPT)
def _drawn(text: str, height: int) -> Mask:
    """A line as uint8 (rows, columns), 255 where there is ink; capitals stand ``_ROOM`` heights above its bottom."""
    cap = float(height * FINE)
    letters = [_Letter(*parts, cap) for parts in _letters(text)]
    columns = max(1.0, sum(letter.advance for letter in letters))
    rows = round((1 + 2 * _ROOM) * height) * FINE
    mask = np.zeros((rows, round(columns / FINE + 0.5) * FINE), np.uint8)
    x, base = 0.0, float(round((1 + _ROOM) * height) * FINE)
    for letter in letters:
        letter.draw(mask, x, base)
        x += letter.advance
    return np.asarray(cv2.resize(mask, (mask.shape[1] // FINE, rows // FINE), interpolation=cv2.INTER_AREA), np.uint8)


def _letters(text: str) -> list[tuple[str, str]]:
    """Each letter without its marks, and the marks."""
    found: list[tuple[str, str]] = []
    for letter in unicodedata.normalize("NFC", text):
        if letter in PIPS:
            found.append((letter, ""))
        elif letter in _STROKES:
            found.append((_STROKES[letter], "/"))
        else:
            apart = unicodedata.normalize("NFKD", letter)
            written = plain(apart[0])
            if written:
                found += [(written[0], apart[1:]), *((more, "") for more in written[1:])]
    return found


class _Letter:
    """One letter with its marks, or a pip; ``cap`` is the height of a capital in px."""

    def __init__(self, base: str, marks: str, cap: float) -> None:
        self._base = base
        self._marks = marks
        self._cap = cap
        self.advance = _wide(base, marks) * cap

    def draw(self, mask: Mask, x: float, base: float) -> None:
        """Draw it standing on row ``base`` from column ``x`` on."""
        cap = self._cap
        if self._base in PIPS:
            _PIP[self._base](mask, x + self.advance / 2, base - cap / 2, 0.5 * cap)
            return
        weight = max(1, round(cap / 8))
        cv2.putText(mask, self._base, (round(x), round(base)), FONT, cap / CAP_PX, 255, weight, cv2.LINE_AA)
        middle = x + self.advance / 2
        top = base - (1.0 if self._base.isupper() or self._base in "lbdfhkt" else 0.68) * cap
        for mark in self._marks:
            for x1, y1, x2, y2 in _marks(mark):
                start = (round(middle + x1 * cap), round((top if mark in _ABOVE else base) + y1 * cap))
                end = (round(middle + x2 * cap), round((top if mark in _ABOVE else base) + y2 * cap))
                cv2.line(mask, start, end, 255, weight, cv2.LINE_AA)


@lru_cache(KEPT)
def _wide(letter: str, _marks: str) -> float:
    """Width of a letter in heights of a capital, the space to the next included; marks take no room."""
    if letter in PIPS:
        return _PIP_WIDTH
    (width, _), _ = cv2.getTextSize(letter, FONT, 20.0, 1)
    return width / (20.0 * CAP_PX)


def _marks(mark: str) -> list[tuple[float, float, float, float]]:
    """Lines of a mark: from x, y to x, y in heights of a capital, from the letter's top or, below, from its foot."""
    low, high = -0.18, -0.42
    match mark:
        case "\u0300":
            return [(0.02, low, -0.14, high)]
        case "\u0301":
            return [(-0.02, low, 0.14, high)]
        case "\u0302":
            return [(-0.16, low, 0.0, high), (0.0, high, 0.16, low)]
        case "\u030c":
            return [(-0.16, high, 0.0, low), (0.0, low, 0.16, high)]
        case "\u0303":
            return [(-0.2, low - 0.06, -0.08, high + 0.06), (-0.08, high + 0.06, 0.08, low - 0.06),
                    (0.08, low - 0.06, 0.2, high + 0.06)]  # fmt: skip
        case "\u0304":
            return [(-0.16, -0.28, 0.16, -0.28)]
        case "\u0307":
            return [(0.0, -0.28, 0.0, -0.28)]
        case "\u0308":
            return [(-0.15, -0.28, -0.15, -0.28), (0.15, -0.28, 0.15, -0.28)]
        case "\u030a":
            return [(-0.1, -0.28, 0.0, high), (0.0, high, 0.1, -0.28), (0.1, -0.28, 0.0, -0.14),
                    (0.0, -0.14, -0.1, -0.28)]  # fmt: skip
        case "\u030b":
            return [(-0.12, low, 0.0, high), (0.06, low, 0.18, high)]
        case "\u0327":
            return [(0.0, 0.05, 0.06, 0.18), (0.06, 0.18, -0.08, 0.28)]
        case "\u0328":
            return [(0.18, 0.0, 0.08, 0.16), (0.08, 0.16, 0.22, 0.26)]
        case "/":
            return [(-0.2, -0.38, 0.2, -0.62)]
        case _:
            # A mark of no European language: the bare letter is readable.
            return []


def _diamond(mask: Mask, x: float, y: float, half: float) -> None:
    _fill(mask, [(x, y - half), (x + 0.72 * half, y), (x, y + half), (x - 0.72 * half, y)])


def _heart(mask: Mask, x: float, y: float, half: float) -> None:
    for side in (-1, 1):
        _disc(mask, x + side * 0.42 * half, y - 0.42 * half, 0.48 * half)
    _fill(mask, [(x - 0.86 * half, y - 0.22 * half), (x + 0.86 * half, y - 0.22 * half), (x, y + 0.95 * half)])


def _spade(mask: Mask, x: float, y: float, half: float) -> None:
    for side in (-1, 1):
        _disc(mask, x + side * 0.42 * half, y + 0.22 * half, 0.45 * half)
    _fill(mask, [(x - 0.84 * half, y + 0.05 * half), (x + 0.84 * half, y + 0.05 * half), (x, y - half)])
    _stem(mask, x, y, half)


def _club(mask: Mask, x: float, y: float, half: float) -> None:
    for dx, dy in ((0.0, -0.5), (-0.5, 0.18), (0.5, 0.18)):
        _disc(mask, x + dx * half, y + dy * half, 0.44 * half)
    _stem(mask, x, y, half)


def _stem(mask: Mask, x: float, y: float, half: float) -> None:
    _fill(mask, [(x, y - 0.1 * half), (x + 0.3 * half, y + half), (x - 0.3 * half, y + half)])


def _disc(mask: Mask, x: float, y: float, radius: float) -> None:
    cv2.circle(mask, (round(x), round(y)), round(radius), 255, cv2.FILLED, cv2.LINE_AA)


def _fill(mask: Mask, corners: list[tuple[float, float]]) -> None:
    cv2.fillPoly(mask, [np.round(np.array(corners)).astype(np.int32)], 255, cv2.LINE_AA)


_PIP: Final[dict[str, Callable[[Mask, float, float, float], None]]] = {
    "♣": _club, "♦": _diamond, "♥": _heart, "♠": _spade,
}  # fmt: skip
