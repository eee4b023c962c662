"""A deck's pictures made ready for drawing: printed on this table's paper, padded, premultiplied, at several sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Card
from referee.train.decks.deck import FACE_HEIGHT, Deck, Face

Image: TypeAlias = npt.NDArray[np.uint8]
Matrix: TypeAlias = npt.NDArray[np.float64]
Points: TypeAlias = npt.NDArray[np.float64]

_PAD: Final = 3
_LEVELS: Final = (FACE_HEIGHT, FACE_HEIGHT // 2, FACE_HEIGHT // 4)


@dataclass(frozen=True, slots=True)
class Print:
    """How a pack came off the press and aged, BGR of 0..255.

    Attributes:
        ink: what black ink looks like.
        paper: what blank paper looks like.
    """

    ink: tuple[float, float, float]
    paper: tuple[float, float, float]


def draw_print(rng: np.random.Generator) -> Print:
    """Some press and some age: paper is never pure white, ink never pure black."""
    ink, paper = float(rng.uniform(4, 30)), float(rng.uniform(226, 250))
    yellow = float(rng.exponential(6))
    return Print((ink * 1.05, ink, ink), (paper - min(yellow, 45), paper - 0.25 * min(yellow, 45), paper))


class FaceSet:
    """The drawable pictures of one deck, made when first asked for.

    A picture at a level is a uint8 array (H, W, 4): BGR multiplied by the coverage, and the coverage. A transparent
    rim lets a linear filter smooth the card's outline.
    """

    def __init__(self, deck: Deck, paper: Print) -> None:
        self.deck = deck
        self._levels: dict[tuple[Card | None, int, bool], Image] = {}
        self._points: dict[Card, tuple[list[int], Points]] = {}
        # Printing is linear, so it can be done on multiplied colours: paper where they are bright, ink where dark.
        ink, gain = np.array(paper.ink), (np.array(paper.paper) - np.array(paper.ink)) / 255
        self._press = np.zeros((4, 4))
        self._press[[0, 1, 2, 3], [0, 1, 2, 3]] = *gain, 1.0
        self._press[:3, 3] = ink / 255

    @property
    def width_mm(self) -> float:
        """Width of a card."""
        return float(self.deck.width_mm)

    @property
    def height_mm(self) -> float:
        """Height of a card."""
        return float(self.deck.height_mm)

    def _face(self, card: Card | None) -> Face:
        return self.deck.back if card is None else self.deck.faces[card]

    def picture(self, card: Card | None, height_px: float) -> tuple[Image, Matrix]:
        """A picture fit to draw a card (``None``: the back) ``height_px`` high, and the matrix to its texels.

        The matrix (3, 3) leads from millimetres about the card's middle to texel indices.
        """
        level = next((i for i in reversed(range(len(_LEVELS))) if _LEVELS[i] >= height_px), 0)
        # A linear filter skips over texels when it shrinks by more than this: soften them first.
        soft = _LEVELS[level] > 1.4 * height_px
        picture = self._level(card, level, soft)
        scale = (picture.shape[0] - 2 * _PAD) / self.height_mm
        return picture, np.array(
            [
                [scale, 0, scale * self.width_mm / 2 + _PAD - 0.5],
                [0, scale, scale * self.height_mm / 2 + _PAD - 0.5],
                [0, 0, 1],
            ],
            np.float64,
        )

    def _level(self, card: Card | None, level: int, soft: bool) -> Image:
        key = (card, level, soft)
        if key not in self._levels:
            self._levels[key] = self._make(card, level, soft)
        return self._levels[key]

    def _make(self, card: Card | None, level: int, soft: bool) -> Image:
        if soft:
            return np.asarray(cv2.GaussianBlur(self._level(card, level, False), (3, 3), 0.6), np.uint8)
        picture = _multiplied(self._face(card).image)
        if level:
            width = round(self.width_mm / self.height_mm * _LEVELS[level])
            picture = np.asarray(cv2.resize(picture, (width, _LEVELS[level]), interpolation=cv2.INTER_AREA), np.uint8)
        printed = cv2.transform(picture, self._press)
        return np.asarray(cv2.copyMakeBorder(printed, _PAD, _PAD, _PAD, _PAD, cv2.BORDER_CONSTANT), np.uint8)

    def index_points(self, card: Card) -> tuple[list[int], Points]:
        """The corner that each index of a card is in, and points all over the indexes.

        Corners are 0 top left, 1 top right, 2 bottom right, 3 bottom left. Points are a float64 array (indexes, 48, 2)
        in millimetres about the card's middle.
        """
        if card not in self._points:
            width, height = self.deck.size
            corners, points = [], []
            for x1, y1, x2, y2 in self.deck.faces[card].indexes:
                right, low = x1 + x2 > width, y1 + y2 > height
                corners.append((3 if low else 0) if not right else (2 if low else 1))
                xs, ys = np.meshgrid(np.linspace(x1, x2, 6), np.linspace(y1, y2, 8))
                points.append(np.stack([xs.ravel() - width / 2, ys.ravel() - height / 2], axis=1))
            self._points[card] = corners, np.stack(points) * (self.height_mm / FACE_HEIGHT)
        return self._points[card]


def _multiplied(image: Image) -> Image:
    """BGRA with its colours multiplied by its coverage."""
    picture = image.copy()
    # Only the rounded corners are anything but solid on a whole card.
    rim = 40
    bands = [slice(0, rim), slice(-rim, None)] if (image[rim:-rim, :, 3] == 255).all() else [slice(0, None)]
    for band in bands:
        alpha = cv2.extractChannel(np.ascontiguousarray(image[band]), 3)
        cover = cv2.merge([alpha, alpha, alpha, np.full_like(alpha, 255)])
        picture[band] = cv2.multiply(image[band], cover, scale=1 / 255)
    return picture
