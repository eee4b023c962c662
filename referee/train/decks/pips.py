"""Suit signs as masks, in endlessly many cuts: for decks that are drawn rather than fetched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Suit
from referee.train.decks.deck import Image

Points: TypeAlias = npt.NDArray[np.float64]

_SCALE: Final = 4
"""Masks are drawn this many times larger and averaged down, which keeps edges smooth."""


@dataclass(frozen=True, slots=True)
class PipCut:
    """The cut of a deck's suit signs; shares are of the sign's height.

    Attributes:
        heart_width, diamond_width, spade_width, club_width: widths.
        taper: how hollow the flanks of heart and spade are, 0 (round) to 0.35 (lean).
        diamond_bow: how far a diamond's sides bend in (negative) or out.
        leaf: radius of a club's three leaves.
        stem: width of the foot of club and spade.
        hollow: line width of signs drawn in outline; 0 fills them.
    """

    heart_width: float
    diamond_width: float
    spade_width: float
    club_width: float
    taper: float
    diamond_bow: float
    leaf: float
    stem: float
    hollow: float


def random_cut(rng: np.random.Generator) -> PipCut:
    """A cut as some printer might have chosen it."""
    return PipCut(
        heart_width=rng.uniform(0.86, 1.1),
        diamond_width=rng.uniform(0.66, 0.95),
        spade_width=rng.uniform(0.78, 1.0),
        club_width=rng.uniform(0.86, 1.05),
        taper=rng.uniform(0.0, 0.3),
        diamond_bow=rng.choice([0.0, rng.uniform(-0.2, -0.04), rng.uniform(0.02, 0.07)], p=[0.4, 0.5, 0.1]),
        leaf=rng.uniform(0.235, 0.275),
        stem=rng.uniform(0.22, 0.46),
        hollow=rng.uniform(0.05, 0.08) if rng.random() < 0.04 else 0.0,
    )


def pip_mask(suit: Suit, height: int, cut: PipCut) -> Image:
    """Coverage of the sign of ``suit``, ``height`` px high: uint8 (height, width)."""
    draw: dict[Suit, tuple[Callable[[PipCut], list[Points]], float]] = {
        Suit.HEARTS: (_heart, cut.heart_width),
        Suit.DIAMONDS: (_diamond, cut.diamond_width),
        Suit.SPADES: (_spade, cut.spade_width),
        Suit.CLUBS: (_club, cut.club_width),
    }
    parts, width_share = draw[suit][0](cut), draw[suit][1]
    width = max(3, round(height * width_share))
    large = np.zeros((height * _SCALE, width * _SCALE), np.uint8)
    # Parts lie in a box of height 1 around the origin; a pixel of margin keeps edges from being cut.
    size = np.array([(width - 1) * _SCALE, (height - 1) * _SCALE], np.float64)
    everything = np.concatenate(parts)
    low, high = everything.min(axis=0), everything.max(axis=0)
    for part in parts:
        points = (part - low) / (high - low) * size + _SCALE / 2
        cv2.fillPoly(large, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    if cut.hollow and height >= 24:
        reach = 2 * max(_SCALE, round(cut.hollow * height * _SCALE)) + 1
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
        large -= np.asarray(cv2.erode(large, kernel, borderValue=0), np.uint8)
    return np.asarray(cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _heart(cut: PipCut) -> list[Points]:
    t = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    x = np.sin(t) ** 3
    y = -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)) / 16
    # Below the widest place the flanks run in faster the leaner the cut.
    depth = np.clip((y + 0.2) / 1.3, 0, 1)
    return [np.stack([x * (1 - cut.taper * np.sin(np.pi * depth)), y], axis=1)]


def _diamond(cut: PipCut) -> list[Points]:
    corners = np.array([(0.0, -0.5), (0.5, 0.0), (0.0, 0.5), (-0.5, 0.0)])
    along = np.linspace(0, 1, 24, endpoint=False)[:, None]
    sides = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        bow = 4 * along * (1 - along) * cut.diamond_bow * (start + end)
        sides.append(start + (end - start) * along + bow)
    return [np.concatenate(sides)]


def _spade(cut: PipCut) -> list[Points]:
    (heart,) = _heart(cut)
    leaf = heart * np.array([0.5, -0.42]) + np.array([0.0, -0.08])
    joint = np.array([(-0.1, -0.1), (0.1, -0.1), (0.0, 0.24)])
    return [leaf, joint, _stem(0.1, 0.5, cut.stem)]


def _club(cut: PipCut) -> list[Points]:
    t = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    circle = np.stack([np.cos(t), np.sin(t)], axis=1) * cut.leaf
    low = 0.12
    leaves = [circle + np.array(at) for at in ((0.0, cut.leaf - 0.5), (-0.5 + cut.leaf, low), (0.5 - cut.leaf, low))]
    heart = np.array([(-0.12, -0.12), (0.12, -0.12), (0.2, 0.14), (-0.2, 0.14)])
    return [*leaves, heart, _stem(0.0, 0.5, cut.stem)]


def _stem(top: float, foot: float, width: float) -> Points:
    """A stem that flares in a curve to its foot."""
    y = np.linspace(top, foot, 24)
    half = 0.035 + (width / 2 - 0.035) * ((y - top) / (foot - top)) ** 2.6
    return np.concatenate([np.stack([half, y], axis=1), np.stack([-half, y], axis=1)[::-1]])
