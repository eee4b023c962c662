"""Hands and sleeves for crops: reliefs of posed hands, seen from above, to be lit and tinted when they are drawn.

A hand is a relief of tapered rods (bones with flesh on). It lies in a frame of its own in millimetres: the origin where
its fingertips touch, -y the way the fingers point, the arm towards +y. Only what falls on a card and what a camera sees
of it from above matters here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

TEXELS_PER_MM: Final = 1.5
LEFT_MM, TOP_MM, WIDTH_MM, HEIGHT_MM = 95.0, 70.0, 190.0, 400.0
"""Extent of the frame: from (-LEFT, -TOP) mm, WIDTH x HEIGHT mm."""

POSES: Final = ("reach", "press", "point", "pinch", "flat", "fist")
"""How hands are held: reaching, two fingers pressing, one finger pointing, a card held between thumb and fingers (the
thumb on its face), laid flat, closed."""

Texels: TypeAlias = npt.NDArray[np.uint8]
Field: TypeAlias = npt.NDArray[np.float32]
_Rod: TypeAlias = tuple[tuple[float, float, float], float, tuple[float, float, float], float]

_COARSE: Final = 3
_LENGTHS: Final = (72.0, 80.0, 74.0, 58.0)
_KNUCKLES: Final = ((-25.0, -88.0), (-6.0, -93.0), (13.0, -88.0), (30.0, -77.0))
_SPLAY: Final = (-7.0, 0.0, 7.0, 16.0)


@dataclass(frozen=True, slots=True, eq=False)
class Relief:
    """One layer of a hand.

    Attributes:
        texels: uint8 array (H, W, 4): x and y of the surface's normal (128 is none), tone (128 is plain skin or cloth),
            and coverage.
        to_texels: float64 array (3, 3), from the hand's frame in mm to texel indices.
    """

    texels: Texels
    to_texels: npt.NDArray[np.float64]

    def extent(self) -> npt.NDArray[np.float64]:
        """Corners (4, 2) of the layer in the hand's frame, mm."""
        height, width = self.texels.shape[:2]
        places = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        scale, across, down = self.to_texels[0, 0], self.to_texels[0, 2], self.to_texels[1, 2]
        return np.asarray((places - [across, down]) / scale, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class HandShape:
    """A posed hand.

    Attributes:
        pose: one of ``POSES``.
        below: fingers that go under a held card; ``None`` for hands that lie over it.
        above: what lies over the card.
        sleeve: the sleeve, over both; ``None`` for a bare arm.
        shadow: coverage of all of it together, at a third of the scale; its other channels are empty.
    """

    pose: str
    below: Relief | None
    above: Relief
    sleeve: Relief | None
    shadow: Relief


def make_hand(rng: np.random.Generator) -> HandShape:
    """A hand, left or right, in some pose, with or without a sleeve."""
    pose = POSES[int(rng.choice(len(POSES), p=(0.24, 0.2, 0.08, 0.28, 0.12, 0.08)))]
    build = float(rng.uniform(0.82, 1.1))
    plump = float(rng.uniform(0.88, 1.12))
    fingers, tips = _fingers(rng, pose)
    thumb = _thumb(rng, pose)
    body = [*_palm(), *_forearm()]
    contact = np.array(thumb[-1][2][:2] if pose == "pinch" else np.mean(tips[:2], axis=0)[:2])
    nails = _nails(fingers, thumb)
    mirror = -1.0 if rng.random() < 0.5 else 1.0

    def place(rods: list[_Rod]) -> list[_Rod]:
        return [
            (_moved(a, contact, build, mirror), r * build * plump, _moved(b, contact, build, mirror), s * build * plump)
            for a, r, b, s in rods
        ]

    spots = [(_moved(at, contact, build, mirror), size * build, mirror * turn) for at, size, turn in nails]
    bones = [rod for finger in fingers for rod in finger]
    if pose == "pinch":
        layers = [_relief(rng, place([*bones, *thumb[:1], *body]), spots[:4]), _relief(rng, place(thumb), spots[4:])]
    else:
        layers = [_relief(rng, place([*bones, *thumb, *body]), spots)]
    if rng.random() < 0.65:
        layers.append(_sleeve(rng, -float(contact[1]) * build, build, mirror * -float(contact[0]) * build))
    whole = np.max([layer[:, :, 3] for layer in layers], axis=0)
    small = cv2.resize(whole, None, fx=1 / _COARSE, fy=1 / _COARSE, interpolation=cv2.INTER_AREA)
    covers = cv2.merge([np.zeros_like(small)] * 3 + [small])
    parts = [_trimmed(layer) for layer in layers]
    hands = 2 if pose == "pinch" else 1
    return HandShape(
        pose,
        below=parts[0] if pose == "pinch" else None,
        above=parts[hands - 1],
        sleeve=parts[hands] if len(parts) > hands else None,
        shadow=_trimmed(np.asarray(covers, np.uint8), _COARSE),
    )


def _trimmed(layer: Texels, coarse: int = 1) -> Relief:
    """A layer cut to what it covers."""
    x, y, width, height = cv2.boundingRect(np.ascontiguousarray(layer[:, :, 3]))
    scale = TEXELS_PER_MM / coarse
    to_texels = np.array([[scale, 0, LEFT_MM * scale - 0.5 - x], [0, scale, TOP_MM * scale - 0.5 - y], [0, 0, 1]])
    return Relief(np.ascontiguousarray(layer[y : y + height, x : x + width]), to_texels)


def _moved(
    point: tuple[float, float, float], contact: npt.NDArray[np.float64], build: float, mirror: float
) -> tuple[float, float, float]:
    return mirror * (point[0] - contact[0]) * build, (point[1] - contact[1]) * build, point[2] * build


def _fingers(rng: np.random.Generator, pose: str) -> tuple[list[list[_Rod]], list[tuple[float, float, float]]]:
    """Rods of the four fingers, index first, in a frame with the wrist at the origin, and their tips."""
    curls = {
        "reach": rng.uniform(0.1, 0.45, 4),
        "press": np.concatenate([rng.uniform(0.1, 0.35, 2), rng.uniform(0.5, 0.95, 2)]),
        "point": np.concatenate([rng.uniform(0.05, 0.2, 1), rng.uniform(0.75, 1.0, 3)]),
        "pinch": rng.uniform(0.15, 0.4, 4),
        "flat": rng.uniform(0.0, 0.1, 4),
        "fist": rng.uniform(0.8, 1.0, 4),
    }[pose]
    splay = float(rng.uniform(0.2, 1.5))
    fingers, tips = [], []
    for length, knuckle, turn, curl in zip(_LENGTHS, _KNUCKLES, _SPLAY, curls, strict=True):
        direction = math.radians(turn * splay + float(rng.normal(0, 2)))
        across, along = math.sin(direction), -math.cos(direction)
        x, y, z, bend = knuckle[0], knuckle[1], 26.0, 0.12
        radius = 9.6 if length > 60 else 8.3
        rods: list[_Rod] = []
        for share, more in zip((0.46, 0.30, 0.24), (60, 75, 45), strict=True):
            bend += math.radians(more) * float(curl)
            reach, drop = share * length * math.cos(bend), share * length * math.sin(bend)
            end = (x + reach * across, y + reach * along, z - drop)
            rods.append(((x, y, z), radius, end, radius * 0.92))
            (x, y, z), radius = end, radius * 0.92
        fingers.append(rods)
        tips.append((x, y, z))
    return fingers, tips


def _thumb(rng: np.random.Generator, pose: str) -> list[_Rod]:
    if pose == "pinch":
        joints = [(-20.0, -20.0, 24.0), (-36.0, -58.0, 30.0), (-27.0, -92.0, 34.0), (-15.0, -118.0, 32.0)]
    elif pose == "fist":
        joints = [(-20.0, -20.0, 20.0), (-38.0, -52.0, 22.0), (-22.0, -76.0, 24.0), (-4.0, -84.0, 22.0)]
    else:
        joints = [(-20.0, -20.0, 20.0), (-44.0, -48.0, 18.0), (-54.0, -80.0, 14.0), (-52.0, -104.0, 10.0)]
    joints = [(x + float(rng.normal(0, 3)), y + float(rng.normal(0, 3)), z) for x, y, z in joints]
    radii = (15.0, 11.5, 10.5, 8.8)
    return [(joints[i], radii[i], joints[i + 1], radii[i + 1]) for i in range(3)]


def _palm() -> list[_Rod]:
    return [
        ((x * 0.62, -6.0, 22.0), 15.0, (x, y, 26.0), 11.5)
        for x, y in (*_KNUCKLES, (-15.0, -91.0), (4.0, -91.0), (22.0, -82.0))
    ]


def _forearm() -> list[_Rod]:
    return [((dx, -4.0, 20.0), 21.0, (1.9 * dx, 330.0, 34.0), 34.0) for dx in (-9.0, 0.0, 9.0)]


def _nails(fingers: list[list[_Rod]], thumb: list[_Rod]) -> list[tuple[tuple[float, float, float], float, float]]:
    """Middle, half width and turn (degrees) of the nails that face up: the fingers' and the thumb's."""
    nails = []
    for last in [*(finger[-1] for finger in fingers), thumb[-1]]:
        (x1, y1, z1), _, (x2, y2, z2), radius = last
        flat = math.hypot(x2 - x1, y2 - y1) / (math.hypot(x2 - x1, y2 - y1, z2 - z1) + 1e-6)
        size = 0.62 * radius if flat > 0.35 and y2 < y1 else 0.0
        nails.append(
            ((x1 + 0.85 * (x2 - x1), y1 + 0.85 * (y2 - y1), z2), size, math.degrees(math.atan2(y2 - y1, x2 - x1)))
        )
    return nails


def _canvas() -> Field:
    return np.full((round(HEIGHT_MM * TEXELS_PER_MM), round(WIDTH_MM * TEXELS_PER_MM)), -40.0, np.float32)


def _raise(height: Field, cover: Field, rod: _Rod, flatness: float) -> None:
    """Raise ``height`` (mm) to the top of a rod and ``cover`` (0..1) to its outline."""
    (x1, y1, z1), r1, (x2, y2, z2), r2 = rod
    reach, scale = max(r1, r2) + 2, TEXELS_PER_MM
    left = max(0, math.floor((min(x1, x2) - reach + LEFT_MM) * scale))
    right = min(height.shape[1], math.ceil((max(x1, x2) + reach + LEFT_MM) * scale))
    top = max(0, math.floor((min(y1, y2) - reach + TOP_MM) * scale))
    bottom = min(height.shape[0], math.ceil((max(y1, y2) + reach + TOP_MM) * scale))
    if left >= right or top >= bottom:
        return
    xs = (np.arange(left, right, dtype=np.float32)[None, :] + 0.5) / scale - LEFT_MM - x1
    ys = (np.arange(top, bottom, dtype=np.float32)[:, None] + 0.5) / scale - TOP_MM - y1
    dx, dy = x2 - x1, y2 - y1
    along = np.clip((xs * dx + ys * dy) / (dx * dx + dy * dy + 1e-6), 0, 1)
    away = np.hypot(xs - along * dx, ys - along * dy)
    radius = r1 + along * (r2 - r1)
    inside = radius - away
    dome = np.sqrt(np.maximum(radius * radius - away * away, 0)) * flatness + z1 + along * (z2 - z1)
    region = height[top:bottom, left:right]
    np.maximum(region, np.where(inside > 0, dome, -40).astype(np.float32), out=region)
    outline = cover[top:bottom, left:right]
    np.maximum(outline, np.clip(inside * scale + 0.5, 0, 1), out=outline)


def _shape(rods: list[_Rod], flatness: float, soften: float) -> tuple[Field, Field]:
    height, cover = _canvas(), np.zeros_like(_canvas())
    for rod in rods:
        _raise(height, cover, rod, flatness)
    # Spread the height over the outline, so that the rim's slope is the flesh's and not a cliff's.
    kernel = np.ones((3, 3), np.uint8)
    spread = cv2.dilate(height, kernel, iterations=2)
    height = np.where(height > -39, height, spread).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(height, (0, 0), soften), np.float32), cover


def _packed(height: Field, cover: Field, tone: Field) -> Texels:
    steep_x = cv2.Sobel(height, cv2.CV_32F, 1, 0, scale=TEXELS_PER_MM / 8)
    steep_y = cv2.Sobel(height, cv2.CV_32F, 0, 1, scale=TEXELS_PER_MM / 8)
    length = np.sqrt(1 + steep_x * steep_x + steep_y * steep_y)
    # What leans away from the sky gets less of the light from all around.
    shaded = tone * (0.7 + 0.3 / length)
    layers = np.dstack([128 - 127 * steep_x / length, 128 - 127 * steep_y / length, shaded, 255 * cover])
    return np.asarray(np.clip(layers, 0, 255), np.uint8)


def _mottle(rng: np.random.Generator, shape: tuple[int, ...], cell: float) -> Field:
    grid = rng.standard_normal((max(2, round(shape[0] / cell)), max(2, round(shape[1] / cell))), np.float32)
    return np.asarray(cv2.resize(grid, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32)


def _relief(
    rng: np.random.Generator, rods: list[_Rod], nails: list[tuple[tuple[float, float, float], float, float]]
) -> Texels:
    height, cover = _shape(rods, 0.85, 1.6)
    # Deep places between fingers get less light from everywhere.
    around = cv2.blur(cv2.blur(height, (17, 17)), (17, 17))
    tone = 128 - np.clip(4 * (around - height), -8, 60) * (cover > 0)
    tone += 4 * _mottle(rng, height.shape, 20) + 2.5 * _mottle(rng, height.shape, 3)
    folds, plates = np.zeros_like(cover), np.zeros_like(cover)
    for (x1, y1, _), radius, _, _ in rods:
        # Creases of the skin over the joints.
        if radius < 11:
            centre = (round((x1 + LEFT_MM) * TEXELS_PER_MM), round((y1 + TOP_MM) * TEXELS_PER_MM))
            cv2.ellipse(folds, centre, (round(radius), 3), float(rng.normal(0, 6)), 0, 360, 1.0, -1)
    for (x, y, _), size, turn in nails:
        if size > 0:
            middle = ((x + LEFT_MM) * TEXELS_PER_MM, (y + TOP_MM) * TEXELS_PER_MM)
            cv2.ellipse(plates, (middle, (2.6 * size * TEXELS_PER_MM, 1.9 * size * TEXELS_PER_MM), turn), 1.0, -1)
    tone += 20 * cv2.GaussianBlur(plates, (0, 0), 0.8) - 8 * cv2.GaussianBlur(folds, (0, 0), 1.8)
    return _packed(height, cover, np.asarray(tone, np.float32))


def _sleeve(rng: np.random.Generator, wrist: float, build: float, shift: float) -> Texels:
    """A sleeve whose cuff lies ``wrist`` mm from the fingertips or further up the arm."""
    start = wrist + float(rng.uniform(-8, 130)) * (1 if rng.random() < 0.6 else 0.2)
    width = build * float(rng.uniform(1.16, 1.5))
    rods: list[_Rod] = [
        (
            (shift + dx * width, start + 30 * width, 26),
            26 * width,
            (shift + 2 * dx * width, start + 360, 40),
            40 * width,
        )
        for dx in (-10, 0, 10)
    ]
    height, cover = _shape(rods, 0.8, 2.0)
    ys = (np.arange(height.shape[0], dtype=np.float32) + 0.5) / TEXELS_PER_MM - TOP_MM
    edge = start + 2.5 * _mottle(rng, (1, height.shape[1]), 40)
    cover = np.asarray(cover * np.clip((ys[:, None] - edge) * TEXELS_PER_MM, 0, 1), np.float32)
    folds = _mottle(rng, height.shape, 45) + 0.4 * _mottle(rng, height.shape, 16)
    height += np.float32(rng.uniform(0.5, 3.5)) * folds
    tone = np.full_like(height, 90) + 8 * folds
    pattern = int(rng.integers(5))
    period = float(rng.uniform(4, 26))
    xs = np.arange(height.shape[1], dtype=np.float32)[None, :] / TEXELS_PER_MM
    if pattern == 1:
        tone += 110 * (ys[:, None] / period % 1 < 0.5)
    elif pattern == 2:
        tone += 55 * (ys[:, None] / period % 1 < 0.4) + 55 * (xs / period % 1 < 0.4)
    elif pattern == 3:
        # Knitted ribs.
        height += 0.5 * np.sin(xs * (2 * math.pi / 4.5)) * (0.7 + 0.3 * np.sin(ys[:, None] * 1.8))
    tone += 4 * rng.standard_normal(height.shape, np.float32)
    # The cuff's seam.
    tone -= 25 * np.exp(-(((ys[:, None] - edge - 12) / 1.2) ** 2))
    return _packed(np.asarray(height, np.float32), cover, np.asarray(tone, np.float32))
