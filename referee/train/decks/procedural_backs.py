"""Backs of drawn decks: patterns, borders and emblems, the same upside down as most printed backs are."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Suit
from referee.train.decks.deck import FACE_HEIGHT, Image, Width, face_width
from referee.train.decks.ink import Colour, any_colour, hsv, stamp_centred
from referee.train.decks.pips import pip_mask, random_cut

_SCALE = 2


def draw_back(rng: np.random.Generator, width_mm: Width) -> Image:
    """A back as uint8 BGR (500, W, 3), without the card's rounded corners."""
    width = face_width(width_mm)
    ground = _usual_colour(rng) if rng.random() < 0.6 else any_colour(rng)
    paper = hsv(rng.uniform(30, 60), rng.uniform(0, 0.08), rng.uniform(0.9, 1.0))
    second = any_colour(rng) if rng.random() < 0.2 else paper
    pattern = _pattern(rng, width)
    # A plain back keeps its colour: a white one would be taken for an empty card.
    if rng.random() < 0.5 and pattern.any():
        ground, second = second, ground
    field = _blend(ground, second, pattern)
    # Four in five backs have a white rim, the others are printed to the edge.
    rim = int(rng.integers(12, 30)) if rng.random() < 0.8 else 0
    back = np.empty((FACE_HEIGHT, width, 3), np.uint8)
    back[:] = paper
    back[rim : FACE_HEIGHT - rim, rim : width - rim] = field[rim : FACE_HEIGHT - rim, rim : width - rim]
    for _ in range(int(rng.integers(0, 3))):
        inset = rim + int(rng.integers(0, 22))
        line = ground if rng.random() < 0.5 else second
        corners = (inset, inset), (width - 1 - inset, FACE_HEIGHT - 1 - inset)
        cv2.rectangle(back, *corners, line, int(rng.integers(1, 6)), cv2.LINE_AA)
    if rng.random() < 0.55:
        _emblem(rng, back, ground, second)
    return back


def _usual_colour(rng: np.random.Generator) -> Colour:
    """Red or blue, as most decks sold have it, or black."""
    hue = float(rng.choice([rng.uniform(-12, 10), rng.uniform(205, 240)]))
    return hsv(hue, rng.uniform(0.6, 1.0), rng.uniform(0.4, 0.9)) if rng.random() < 0.9 else hsv(0, 0, 0.12)


def _blend(ground: Colour, second: Colour, share: npt.NDArray[np.float32]) -> Image:
    mixed = np.asarray(ground, np.float32) * (1 - share[..., None]) + np.asarray(second, np.float32) * share[..., None]
    return np.rint(mixed).astype(np.uint8)


def _pattern(rng: np.random.Generator, width: int) -> npt.NDArray[np.float32]:
    """Share of the second colour, float32 (500, width) from 0 to 1, drawn twice as large for smooth edges."""
    y, x = np.mgrid[0 : FACE_HEIGHT * _SCALE, 0 : width * _SCALE].astype(np.float32) / _SCALE
    # Around the middle, so that the back has no up and down.
    x, y = x - width / 2, y - FACE_HEIGHT / 2
    kinds: tuple[Callable[[], npt.NDArray[np.bool_]], ...] = (
        lambda: _lattice(rng, x, y),
        lambda: _checks(rng, x, y),
        lambda: _dots(rng, x, y),
        lambda: _rosette(rng, x, y),
        lambda: _waves(rng, x, y),
        lambda: _tartan(rng, x, y),
        lambda: np.zeros(x.shape, np.bool_),
    )
    weights = np.array([5, 2, 2, 4, 3, 2, 2], np.float64)
    large = kinds[int(rng.choice(len(kinds), p=weights / weights.sum()))]().astype(np.float32)
    if rng.random() < 0.25:
        large = np.maximum(large, _rosette(rng, x, y).astype(np.float32))
    small = cv2.resize(large, (width, FACE_HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def _lattice(rng: np.random.Generator, x: npt.NDArray[np.float32], y: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    pitch, line, steep = rng.uniform(9, 34), rng.uniform(0.12, 0.35), rng.uniform(0.5, 1.8)
    lines = (np.abs(((x * steep + y) / pitch) % 1 - 0.5) < line / 2) | (
        np.abs(((x * steep - y) / pitch) % 1 - 0.5) < line / 2
    )
    if rng.random() < 0.5:
        u, v = ((x * steep + y) / pitch) % 1 - 0.5, ((x * steep - y) / pitch) % 1 - 0.5
        lines |= np.hypot(np.abs(u) - 0.5, np.abs(v) - 0.5) < rng.uniform(0.08, 0.2)
    return np.asarray(lines)


def _checks(rng: np.random.Generator, x: npt.NDArray[np.float32], y: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    pitch = rng.uniform(8, 30)
    angle = rng.choice([0.0, np.pi / 4])
    u, v = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    return np.asarray((np.floor(u / pitch) + np.floor(v / pitch)) % 2 == 0)


def _dots(rng: np.random.Generator, x: npt.NDArray[np.float32], y: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    pitch, radius = rng.uniform(9, 30), rng.uniform(0.18, 0.42)
    shift = np.floor(y / pitch) % 2 / 2 if rng.random() < 0.5 else 0
    u, v = (x / pitch + shift) % 1 - 0.5, (y / pitch) % 1 - 0.5
    ring = rng.uniform(0.3, 0.7) * radius if rng.random() < 0.4 else -1
    distance = np.hypot(u, v)
    return np.asarray((distance < radius) & (distance > ring))


def _rosette(rng: np.random.Generator, x: npt.NDArray[np.float32], y: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    radius, angle = np.hypot(x, y * rng.uniform(0.6, 1.0)), np.arctan2(y, x)
    petals, rings = 2 * int(rng.integers(2, 11)), rng.uniform(12, 60)
    wave = np.sin(radius / rings * 2 * np.pi + rng.uniform(0.5, 3) * np.cos(petals * angle))
    return np.asarray(wave * np.cos(petals * angle / 2 * int(rng.integers(1, 3))) > rng.uniform(-0.3, 0.4))


def _waves(rng: np.random.Generator, x: npt.NDArray[np.float32], y: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    fx, fy, bend = rng.uniform(0.03, 0.16), rng.uniform(0.03, 0.16), rng.uniform(0, 4)
    field = np.cos(fx * x + bend * np.cos(fy * y)) * np.cos(fy * y + bend * np.cos(fx * x))
    level = rng.uniform(0.0, 0.4)
    return np.asarray(np.abs(field) > level if rng.random() < 0.5 else field > level)


def _tartan(rng: np.random.Generator, x: npt.NDArray[np.float32], y: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    pitch = rng.uniform(10, 60)
    upright = np.abs((np.abs(x) / pitch) % 1 - 0.5) < rng.uniform(0.06, 0.3)
    level = np.abs((np.abs(y) / pitch) % 1 - 0.5) < rng.uniform(0.06, 0.3)
    return np.asarray(upright ^ level if rng.random() < 0.5 else upright)


def _emblem(rng: np.random.Generator, back: Image, ground: Colour, second: Colour) -> None:
    """A disc or lozenge in the middle, with a suit sign for each reader, or nothing, in it."""
    middle = (back.shape[1] // 2, FACE_HEIGHT // 2)
    size = int(rng.integers(40, 110))
    if rng.random() < 0.5:
        cv2.ellipse(back, middle, (size, int(size * rng.uniform(0.8, 1.5))), 0, 0, 360, second, -1, cv2.LINE_AA)
    else:
        tall = int(size * rng.uniform(1.0, 1.6))
        at = np.array([(0, -tall), (size, 0), (0, tall), (-size, 0)]) + middle
        cv2.fillPoly(back, [at.astype(np.int32)], second, cv2.LINE_AA)
    if rng.random() < 0.7:
        suit = list(Suit)[int(rng.integers(4))]
        mask = pip_mask(suit, int(size * rng.uniform(0.5, 0.8)), random_cut(rng))
        apart = mask.shape[0] * 0.6
        stamp_centred(back, mask, middle[0], middle[1] - apart, ground)
        stamp_centred(back, mask[::-1, ::-1], middle[0], middle[1] + apart, ground)
