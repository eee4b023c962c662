"""The paper of drawn decks and what years of play do to it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from referee.train.decks.deck import FACE_HEIGHT, Image


@dataclass(frozen=True, slots=True)
class Wear:
    """Traces of use of one deck, as a few layers that its cards share in turn.

    Attributes:
        shades: factors 0 to 255 (for 1.0) a colour is multiplied with: uint8 (N, 500, W, 3).
        bare: white that shows where print has come off: uint8 (N, 500, W).
    """

    shades: npt.NDArray[np.uint8]
    bare: npt.NDArray[np.uint8]

    def age(self, picture: Image, rng: np.random.Generator) -> Image:
        """``picture`` (uint8 BGR (500, W, 3)) with wear; each card has its own mixture of the deck's layers."""
        number, turn = int(rng.integers(len(self.shades))), int(rng.integers(4))
        shade, bare = self.shades[number], self.bare[number]
        if turn % 2:
            shade, bare = shade[:, ::-1], bare[:, ::-1]
        if turn // 2:
            shade, bare = shade[::-1], bare[::-1]
        worn = cv2.multiply(picture, np.ascontiguousarray(shade), scale=1 / 255)
        return np.asarray(np.maximum(worn, bare[..., None]), np.uint8)


def random_wear(rng: np.random.Generator, width: int, strength: float, layers: int = 4) -> Wear:
    """Wear from ``strength`` 0 (sealed) to 1 (a pub's deck) for cards ``width`` px wide."""
    shades = np.empty((layers, FACE_HEIGHT, width, 3), np.uint8)
    bare = np.zeros((layers, FACE_HEIGHT, width), np.uint8)
    y, x = np.mgrid[0:FACE_HEIGHT, 0:width].astype(np.float32)
    edge = np.minimum(np.minimum(x, width - 1 - x), np.minimum(y, FACE_HEIGHT - 1 - y))
    # Grime is a little brown: it takes more from blue than from red.
    tint = np.array([1.0, 0.85, 0.7], np.float32)
    for layer in range(layers):
        grime = _clouds(rng, width) * 0.16 * strength
        grime += np.exp(-edge / rng.uniform(4, 14)) * (0.5 + 0.5 * _clouds(rng, width)) * 0.5 * strength
        _specks(rng, grime, strength)
        lines = _lines(rng, width, strength)
        shades[layer] = np.rint(255 * (1 - np.clip(grime + 0.25 * lines, 0, 0.85)[..., None] * tint))
        rubbed = np.exp(-edge / rng.uniform(1.0, 3.0)) * (_clouds(rng, width) > 0.62) * strength
        bare[layer] = np.rint(np.clip(rubbed + 0.6 * lines * strength, 0, 1) * 215)
    return Wear(shades, bare)


def _clouds(rng: np.random.Generator, width: int) -> npt.NDArray[np.float32]:
    """Smooth noise from 0 to 1, float32 (500, width)."""
    total = np.zeros((FACE_HEIGHT, width), np.float32)
    for cells, weight in ((4, 0.5), (12, 0.3), (40, 0.2)):
        coarse = rng.random((cells, cells)).astype(np.float32)
        total += weight * np.asarray(
            cv2.resize(coarse, (width, FACE_HEIGHT), interpolation=cv2.INTER_CUBIC), np.float32
        )
    return np.clip(total, 0, 1)


def _specks(rng: np.random.Generator, grime: npt.NDArray[np.float32], strength: float) -> None:
    for _ in range(int(rng.poisson(6 * strength))):
        at = (int(rng.integers(grime.shape[1])), int(rng.integers(FACE_HEIGHT)))
        cv2.circle(grime, at, int(rng.integers(1, 4)), float(rng.uniform(0.1, 0.6) * strength), -1, cv2.LINE_AA)


def _lines(rng: np.random.Generator, width: int, strength: float) -> npt.NDArray[np.float32]:
    """Scratches and creases, float32 (500, width) from 0 to 1."""
    lines = np.zeros((FACE_HEIGHT, width), np.float32)
    for _ in range(int(rng.poisson(2.5 * strength))):
        start = rng.uniform((0, 0), (width, FACE_HEIGHT))
        step = rng.normal(0, 90, 2)
        ends = [(int(p[0]), int(p[1])) for p in (start, start + step)]
        cv2.line(lines, ends[0], ends[1], float(rng.uniform(0.2, 0.8)), 1, cv2.LINE_AA)
    return lines
