"""Light on a table: a key light with a direction, colour and fall-off, light from all around, shadows and glare.

Everything here is strengths of light in linear units, 1 being a well lit flat card.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

Field: TypeAlias = npt.NDArray[np.float32]
Colour: TypeAlias = tuple[float, float, float]
"""Blue, green, red."""

NAMES: Final = ("even", "room", "lamp", "mixed", "dim", "sun")
"""Kinds of light: even and neutral; a warm room; one lamp at the side; lamp and window of different colour; hardly any;
hard direct light."""

_SHARES: Final = (0.26, 0.26, 0.18, 0.12, 0.10, 0.08)


@dataclass(frozen=True, slots=True)
class Blob:
    """A soft spot: a cast shadow or a reflection.

    Attributes:
        x, y: middle, as a share of the picture's width and height.
        across, along: half axes as shares of the picture's longer side.
        turn: degrees.
        strength: 0..1 for a shadow; light added, of 255, over that for a reflection.
        softness: blur as a share of the picture's longer side.
        panes: whether it is a window's reflection (a rectangle with bars) and not an ellipse.
    """

    x: float
    y: float
    across: float
    along: float
    turn: float
    strength: float
    softness: float
    panes: bool = False


@dataclass(frozen=True, slots=True)
class Light:
    """The light on one crop.

    Attributes:
        name: one of ``NAMES``.
        direction: unit vector (x, y, z) towards the key light, table axes, z up.
        penumbra: how fast shadows get soft, mm of blur per mm of height.
        key, ambient: strengths of the two lights, BGR.
        slope: how much the key light grows over half the picture to the right and down; negative falls.
        shadows: shadows of things outside the picture.
        glare: reflections on what is glossy.
    """

    name: str
    direction: tuple[float, float, float]
    penumbra: float
    key: Colour
    ambient: Colour
    slope: tuple[float, float]
    shadows: tuple[Blob, ...] = ()
    glare: tuple[Blob, ...] = ()


PLAIN: Final = Light("even", (0.0, 0.0, 1.0), 1.0, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0.0, 0.0))
"""Light without direction, colour or shadow."""


def kelvin(temperature: float) -> Colour:
    """Colour (BGR) of a black body of 2500 to 9000 K, green 1; close enough for lamps and skies."""
    warm = math.log(temperature / 5800)
    return math.exp(0.95 * warm), 1.0, math.exp(-0.75 * warm)


def _scaled(colour: Colour, by: float) -> Colour:
    return by * colour[0], by * colour[1], by * colour[2]


def draw_light(rng: np.random.Generator) -> Light:
    """Some light."""
    name = NAMES[int(rng.choice(len(NAMES), p=_SHARES))]
    lowest, highest = {"lamp": (22, 60), "mixed": (25, 65), "sun": (25, 70)}.get(name, (45, 85))
    height, side = math.radians(float(rng.uniform(lowest, highest))), float(rng.uniform(0, 2 * math.pi))
    direction = (math.cos(height) * math.cos(side), math.cos(height) * math.sin(side), math.sin(height))
    key_share = {"even": (0.15, 0.5), "room": (0.3, 0.65), "dim": (0.2, 0.8)}.get(name, (0.6, 0.9))
    share = float(rng.uniform(*key_share))
    warm = kelvin(float(rng.uniform(2500, 3600)))
    cool = kelvin(float(rng.uniform(5800, 9000)))
    neutral = kelvin(float(rng.uniform(4300, 6500)))
    key, ambient = {
        "even": (neutral, neutral),
        "room": (warm, warm),
        "lamp": (warm, neutral if rng.random() < 0.5 else warm),
        "mixed": (warm, cool) if rng.random() < 0.6 else (cool, warm),
        "dim": (warm, cool if rng.random() < 0.3 else warm),
        "sun": (neutral, cool),
    }[name]
    # A lamp's light falls off within a hand's width; daylight does not.
    fall = {"lamp": 0.5, "mixed": 0.3, "dim": 0.35}.get(name, 0.12) * float(rng.uniform(0.2, 1))
    turn = side + float(rng.normal(0, 0.4))
    shadows = tuple(_cast(rng) for _ in range(int(rng.integers(1, 3)))) if rng.random() < 0.25 else ()
    glare = tuple(_reflection(rng) for _ in range(int(rng.integers(1, 3)))) if rng.random() < 0.3 else ()
    return Light(
        name=name,
        direction=direction,
        penumbra=float(rng.uniform(0.02, 0.12)) if name == "sun" else float(rng.uniform(0.1, 0.7)),
        key=_scaled(key, share),
        ambient=_scaled(ambient, 1 - share),
        slope=(fall * math.cos(turn), fall * math.sin(turn)),
        shadows=shadows,
        glare=glare,
    )


def _cast(rng: np.random.Generator) -> Blob:
    """The shadow of a head, an arm, a bottle."""
    side = float(rng.uniform(0, 2 * math.pi))
    away = float(rng.uniform(0.2, 0.7))
    return Blob(
        x=0.5 + away * math.cos(side),
        y=0.5 + away * math.sin(side),
        across=float(rng.uniform(0.1, 0.6)),
        along=float(rng.uniform(0.2, 1.2)),
        turn=float(rng.uniform(0, 180)),
        strength=float(rng.uniform(0.3, 0.95)),
        softness=float(np.exp(rng.uniform(math.log(0.01), math.log(0.15)))),
    )


def _reflection(rng: np.random.Generator) -> Blob:
    panes = rng.random() < 0.35
    size = float(np.exp(rng.uniform(math.log(0.05), math.log(0.45))))
    return Blob(
        x=float(rng.uniform(0.05, 0.95)),
        y=float(rng.uniform(0.05, 0.95)),
        across=size,
        along=size * float(rng.uniform(0.6, 2.2)),
        turn=float(rng.uniform(0, 180)),
        strength=float(np.exp(rng.uniform(math.log(25), math.log(330)))),
        softness=float(rng.uniform(0.01, 0.05)) if panes else float(rng.uniform(0.02, 0.16)),
        panes=panes,
    )


_COARSE: Final = 3
"""Soft spots are drawn this many times smaller."""


def spot(blob: Blob, shape: tuple[int, int]) -> Field:
    """The blob in a picture of ``shape`` (H, W), float32 0..1 (its strength is not applied)."""
    height, width = shape[0] // _COARSE + 1, shape[1] // _COARSE + 1
    longer = max(height, width)
    drawn = np.zeros((height, width), np.float32)
    centre = (blob.x * width, blob.y * height)
    size = (max(1.0, 2 * blob.across * longer), max(1.0, 2 * blob.along * longer))
    if blob.panes:
        corners = cv2.boxPoints((centre, size, blob.turn))
        cv2.fillConvexPoly(drawn, np.round(corners * 16).astype(np.int32), 1.0, cv2.LINE_8, 4)
        bar = max(1, round(0.06 * longer * blob.along))
        for first, second in ((0, 1), (1, 2)):
            start = (corners[first] + corners[second]) / 2
            end = (corners[(first + 2) % 4] + corners[(second + 2) % 4]) / 2
            ends = [(round(float(x)), round(float(y))) for x, y in (start, end)]
            cv2.line(drawn, ends[0], ends[1], 0.0, bar)
    else:
        cv2.ellipse(drawn, (centre, size, blob.turn), 1.0, -1)
    soft = cv2.GaussianBlur(drawn, (0, 0), max(0.4, blob.softness * longer))
    return np.asarray(cv2.resize(soft, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR), np.float32)


def key_field(light: Light, shape: tuple[int, int]) -> Field:
    """Strength of the key light over the bare table, float32 (H, W), 1 in the middle if nothing shadows it."""
    across = np.linspace(-1, 1, shape[1], dtype=np.float32)[None, :]
    down = np.linspace(-1, 1, shape[0], dtype=np.float32)[:, None]
    field = np.maximum(1 + light.slope[0] * across + light.slope[1] * down, 0.05)
    for blob in light.shadows:
        field *= 1 - blob.strength * spot(blob, shape)
    return np.asarray(field, np.float32)


def glare_field(light: Light, shape: tuple[int, int]) -> Field | None:
    """Light reflected by a perfectly glossy table, of 255, float32 (H, W); ``None`` if there is none."""
    if not light.glare:
        return None
    total = light.glare[0].strength * spot(light.glare[0], shape)
    for blob in light.glare[1:]:
        total += blob.strength * spot(blob, shape)
    return np.asarray(total, np.float32)
