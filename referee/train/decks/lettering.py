"""Rank letters as masks, from whatever fonts there are: fetched ones, Pillow's own, and OpenCV's stroke fonts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from referee.errors import UserError
from referee.train.decks.deck import Image

_DRAWN_AT: Final = 240
"""Letters are drawn this high in pixels and averaged down, so that they are crisp at every size of card index."""

_STROKE_FONTS: Final = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)

_ENGLISH: Final = {"A": "A", "J": "J", "Q": "Q", "K": "K"}

ALPHABETS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": _ENGLISH,
    "se": {"A": "E", "J": "Kn", "Q": "D", "K": "K"},
    "dk": {"A": "A", "J": "Kn", "Q": "D", "K": "K"},
    "pl": {"A": "A", "J": "W", "Q": "D", "K": "K"},
    "pt": {"A": "A", "J": "V", "Q": "D", "K": "R"},
    "fr": {"A": "1", "J": "V", "Q": "D", "K": "R"},
    "de": {"A": "A", "J": "B", "Q": "D", "K": "K"},
    "it": {"A": "A", "J": "F", "Q": "D", "K": "R"},
    "ru": {"A": "Т", "J": "В", "Q": "Д", "K": "К"},
}
"""Index letters of ace, jack, queen and king by country. Dutch letters are left out: their queen is the French jack's
V, and a picture that means two cards teaches neither."""


@dataclass(frozen=True, slots=True)
class Letters:
    """One way to write ranks.

    Attributes:
        font: a font file, ``builtin`` for Pillow's own, or ``stroke-N`` for an OpenCV stroke font.
        weight: line width of a stroke font, as a share of the letter's height; ignored by the others.
        width: how much wider (above 1) or narrower than the font's own the letters are.
        tight_ten: whether the digits of 10 are squeezed to nearly the width of one letter.
    """

    font: str
    weight: float
    width: float
    tight_ten: bool

    def mask(self, text: str, height: int) -> Image:
        """Coverage of ``text``, ``height`` px high: uint8 (height, width), cut to the ink."""
        drawn = _drawn(text, self.font, self.weight)
        factor = self.width * (0.72 if self.tight_ten and len(text) == 2 else 1.0)
        width = max(3, round(drawn.shape[1] * factor * height / drawn.shape[0]))
        return np.asarray(cv2.resize(drawn, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def font_choices(files: Sequence[Path]) -> tuple[str, ...]:
    """The fonts there are to choose from, as ``Letters`` names them: those in ``files`` first."""
    return (*(str(path) for path in files), "builtin", *(f"stroke-{number}" for number in range(len(_STROKE_FONTS))))


def can_write(font: str, texts: Sequence[str]) -> bool:
    """Whether ``font`` has a letter of its own for every one in ``texts``."""
    if font.startswith("stroke-"):
        return all(text.isascii() for text in texts)
    missing = _rendered("\uffff", font)
    drawings = [_rendered(letter, font) for letter in sorted(set("".join(texts)))]
    return all(drawing.any() and not np.array_equal(drawing, missing) for drawing in drawings)


@lru_cache(maxsize=256)
def _drawn(text: str, font: str, weight: float) -> Image:
    picture = _stroked(text, int(font.removeprefix("stroke-")), weight) if font.startswith("stroke-") else None
    if picture is None:
        picture = _rendered(text, font)
    rows, columns = np.flatnonzero(picture.any(axis=1)), np.flatnonzero(picture.any(axis=0))
    cut: Image = picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return cut


def _stroked(text: str, number: int, weight: float) -> Image:
    thickness = max(4, round(weight * _DRAWN_AT))
    scale = (_DRAWN_AT - thickness) / 21
    (width, height), below = cv2.getTextSize(text, _STROKE_FONTS[number], scale, thickness)
    picture = np.zeros((height + below + 2 * thickness, width + 4 * thickness), np.uint8)
    at = (2 * thickness, height + thickness)
    cv2.putText(picture, text, at, _STROKE_FONTS[number], scale, 255, thickness, cv2.LINE_AA)
    return picture


def _rendered(text: str, font: str) -> Image:
    try:
        from PIL import Image as Pictures
        from PIL import ImageDraw, ImageFont
    except ImportError:
        raise UserError("drawing index letters needs Pillow: pip install 'spit-referee[simulate]'") from None
    size = int(_DRAWN_AT * 1.4)
    try:
        face = ImageFont.load_default(size) if font == "builtin" else ImageFont.truetype(font, size)
    except OSError as error:
        raise UserError(f"cannot read the font {font}: {error}; fetch the art again") from None
    canvas = Pictures.new("L", (size * (len(text) + 1), size * 2), 0)
    ImageDraw.Draw(canvas).text((size // 2, size // 4), text, fill=255, font=face)
    return np.asarray(canvas, np.uint8)
