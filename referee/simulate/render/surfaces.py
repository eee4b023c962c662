"""Table tops drawn from a seed: wood, cloth, felt, plain board, patterned cloth, white.

A table top is a picture of the whole visible table at ``TEXELS_PER_MM``, not a tile: repeats are what gives rendered
tables away.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

TEXELS_PER_MM: Final = 1.5

Image: TypeAlias = npt.NDArray[np.uint8]
Field: TypeAlias = npt.NDArray[np.float32]

_COARSEST: Final = 0.6
"""Pixels a mm that a picture of a material has at least."""

KINDS: Final = ("wood", "cloth", "felt", "plain", "patterned", "white")
"""The table tops there are."""

_WOODS: Final = (
    # Light and dark of the grain, sRGB red, green, blue.
    ((176, 132, 88), (128, 88, 54)),
    ((150, 104, 66), (96, 62, 38)),
    ((112, 72, 46), (66, 40, 26)),
    ((204, 168, 122), (166, 126, 84)),
    ((134, 74, 44), (82, 42, 24)),
    ((170, 150, 124), (126, 106, 84)),
)
_CLOTHS: Final = ((170, 162, 148), (196, 186, 168), (120, 128, 134), (92, 104, 124), (146, 60, 58), (206, 202, 196))
_FELTS: Final = ((34, 84, 58), (22, 70, 44), (126, 30, 36), (30, 52, 104), (40, 40, 44), (48, 100, 72))
_PLAINS: Final = ((196, 192, 186), (112, 110, 108), (58, 56, 56), (172, 146, 118), (92, 112, 122), (214, 206, 192))
_PRINTS: Final = (
    ((226, 220, 210), (164, 50, 52)),
    ((222, 220, 214), (52, 78, 132)),
    ((214, 206, 186), (70, 104, 72)),
    ((74, 84, 112), (196, 190, 176)),
    ((228, 214, 170), (176, 112, 48)),
)


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """A table top.

    Attributes:
        kind: one of ``KINDS``, or ``picture``.
        image: uint8 array (H, W, 3), BGR, sRGB-coded.
        gloss: strength of the sheen, 0 (cloth) to 1 (varnish).
        sharpness: exponent of the highlight; high is a mirror-like, small glare.
    """

    kind: str
    image: Image
    gloss: float
    sharpness: float


def noise(rng: np.random.Generator, shape: tuple[int, int], cell: tuple[float, float], octaves: int = 1) -> Field:
    """Smooth noise of zero mean and about unit deviation, float32 (H, W); ``cell`` is its grain (x, y) in texels."""
    height, width = shape
    total = np.zeros(shape, np.float32)
    power = 0.0
    for octave in range(octaves):
        step_x, step_y = max(1.0, cell[0] / 2**octave), max(1.0, cell[1] / 2**octave)
        grid = rng.standard_normal((int(height / step_y) + 3, int(width / step_x) + 3)).astype(np.float32)
        weight = 0.6**octave
        total += weight * _enlarge(grid, shape, (step_x, step_y))
        power += weight * weight
    return np.asarray(total / np.sqrt(power), np.float32)


def _enlarge(grid: Field, shape: tuple[int, int], step: tuple[float, float]) -> Field:
    height, width = shape
    move = np.array([[step[0], 0, -step[0]], [0, step[1], -step[1]]], np.float64)
    flags = cv2.INTER_NEAREST if step == (1.0, 1.0) else cv2.INTER_CUBIC
    return np.asarray(
        cv2.warpAffine(grid, move, (width, height), flags=flags, borderMode=cv2.BORDER_REFLECT), np.float32
    )


def make_surface(kind: str, rng: np.random.Generator, size_mm: tuple[float, float]) -> Surface:
    """A table top of one of ``KINDS`` covering ``size_mm``.

    Raises:
        ValueError: there is no such kind.
    """
    shape = (round(size_mm[1] * TEXELS_PER_MM), round(size_mm[0] * TEXELS_PER_MM))
    if kind == "wood":
        image = _wood(rng, shape)
        return Surface(kind, image, float(rng.uniform(0.15, 0.7)), float(rng.uniform(12, 60)))
    if kind == "cloth":
        return Surface(kind, _weave(rng, shape, _colour(rng, _CLOTHS), 1.0), 0.02, 6.0)
    if kind == "felt":
        return Surface(kind, _weave(rng, shape, _colour(rng, _FELTS), 0.55), 0.03, 5.0)
    if kind == "plain":
        return Surface(kind, _board(rng, shape, _colour(rng, _PLAINS)), float(rng.uniform(0.1, 0.4)), 20.0)
    if kind == "patterned":
        return Surface(kind, _print(rng, shape), 0.02, 6.0)
    if kind == "white":
        colour = np.array([236, 238, 238]) + rng.uniform(-8, 6, 3)
        return Surface(kind, _board(rng, shape, colour.astype(np.float32)), float(rng.uniform(0.1, 0.5)), 24.0)
    raise ValueError(f"there is no table top {kind!r}: choose one of {', '.join(KINDS)}")


def tiled_surface(picture: Image, rng: np.random.Generator, size_mm: tuple[float, float]) -> Surface:
    """A table top from a picture of a material, uint8 (H, W, 3) BGR, repeated over ``size_mm``.

    Neighbouring repeats are mirrored, so that none has a visible edge, and shaded a little differently.
    """
    shape = (round(size_mm[1] * TEXELS_PER_MM), round(size_mm[0] * TEXELS_PER_MM))
    longest = max(picture.shape[:2])
    # A small picture shows a small piece: spread over more it would be a blur.
    span = min(float(rng.uniform(220, 600)), longest / _COARSEST) * TEXELS_PER_MM
    scale = span / longest
    if scale < 1:
        picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        scale = 1.0
    move = np.array([[scale, 0, -rng.uniform(0, span)], [0, scale, -rng.uniform(0, span)]])
    tiled = cv2.warpAffine(picture, move, shape[::-1], flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
    shade = 1 + 0.03 * noise(rng, shape, (300, 300), 3)
    image = _coded(np.asarray(tiled, np.float32), np.asarray(shade, np.float32))
    return Surface("picture", image, float(rng.uniform(0.05, 0.5)), float(rng.uniform(10, 50)))


def lay_mat(
    surface: Surface, kind: str, rng: np.random.Generator, corner_mm: tuple[float, float], size_mm: tuple[float, float]
) -> Surface:
    """The table top with a mat of another kind on it, a little askew.

    Args:
        surface: the bare table top.
        kind: one of ``KINDS``.
        rng: for the mat's own look.
        corner_mm: the mat's top left corner, from the table top's.
        size_mm: the mat's width and height.
    """
    mat = make_surface(kind, rng, size_mm)
    height, width = surface.image.shape[:2]
    turn = float(rng.normal(0, 0.6))
    middle = (mat.image.shape[1] / 2, mat.image.shape[0] / 2)
    move = np.asarray(cv2.getRotationMatrix2D(middle, turn, 1.0), np.float64)
    move[:, 2] += np.array(corner_mm) * TEXELS_PER_MM
    cover = np.full(mat.image.shape[:2], 1.0, np.float32)
    laid = cv2.warpAffine(mat.image, move, (width, height), flags=cv2.INTER_LINEAR)
    where = np.asarray(cv2.warpAffine(cover, move, (width, height), flags=cv2.INTER_LINEAR), np.float32)
    # The mat's own thickness shades the table round it.
    shade = 1 - 0.45 * np.asarray(cv2.GaussianBlur(where, (0, 0), 3.0), np.float32) * (1 - where)
    base = surface.image * shade[..., None]
    image = base * (1 - where[..., None]) + laid * where[..., None]
    return Surface(surface.kind, np.clip(image, 0, 255).astype(np.uint8), min(surface.gloss, 0.15), surface.sharpness)


def make_floor(
    rng: np.random.Generator, span_mm: float, blobs: tuple[tuple[float, float, float, tuple[float, ...]], ...]
) -> Image:
    """What is seen beside the table, out of focus: a floor and, dimly, what stands or sits there.

    Args:
        rng: for floor and furniture.
        span_mm: width and height of the square of floor.
        blobs: things known to be there: x, y, radius in mm from the floor's corner, colour (linear, blue first).

    Returns:
        uint8 (256, 256, 3) BGR, sRGB-coded.
    """
    side = 256
    shape = (side, side)
    colour = _colour(rng, (*_PLAINS, *(dark for _, dark in _WOODS))) * np.float32(0.7)
    shade = 1 + 0.12 * noise(rng, shape, (60, 6), 2) + 0.1 * noise(rng, shape, (24, 24), 2)
    image = _coded(colour, np.asarray(shade, np.float32))
    for _ in range(int(rng.integers(2, 7))):
        x, y = (int(n) for n in rng.integers(0, side, 2))
        w, h = (int(n) for n in rng.integers(6, 34, 2))
        ink = _colour(rng, (*_PLAINS, *_CLOTHS)) * np.float32(rng.uniform(0.3, 0.8))
        cv2.rectangle(image, (x, y), (x + w, y + h), tuple(float(c) for c in ink), -1, cv2.LINE_AA)
    for x_mm, y_mm, radius, light in blobs:
        ink = 255 * np.asarray(light) ** (1 / 2.2)
        spot = (round(x_mm / span_mm * side), round(y_mm / span_mm * side))
        reach = round(radius / span_mm * side)
        cv2.ellipse(image, spot, (reach, round(reach * 0.62)), 0, 0, 360, tuple(float(c) for c in ink), -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 1.8), np.uint8)


def _colour(rng: np.random.Generator, palette: tuple[tuple[int, int, int], ...]) -> Field:
    """A colour of the palette, varied a little, BGR."""
    colour = np.array(palette[int(rng.integers(len(palette)))][::-1], np.float32)
    return np.asarray(np.clip(colour * rng.uniform(0.88, 1.1) + rng.uniform(-5, 5, 3), 4, 250), np.float32)


def _coded(colour: Field, shade: Field) -> Image:
    """``colour`` (3,) or (H, W, 3) times ``shade`` (H, W), as uint8."""
    return np.asarray(np.clip(colour * shade[..., None], 0, 255), np.uint8)


def _wood(rng: np.random.Generator, shape: tuple[int, int]) -> Image:
    upright = bool(rng.random() < 0.3)
    height, width = (shape[1], shape[0]) if upright else shape
    light, dark = (np.array(c[::-1], np.float32) for c in _WOODS[int(rng.integers(len(_WOODS)))])
    planks = bool(rng.random() < 0.6)
    depth = float(rng.uniform(95, 190)) * TEXELS_PER_MM if planks else float(height)
    edges = np.arange(rng.uniform(-depth, 0), height + depth, depth)
    image = np.empty((height, width, 3), np.uint8)
    for low, high in itertools.pairwise(edges):
        top, bottom = max(0, round(low)), min(height, round(high))
        if bottom <= top:
            continue
        rows, part = bottom - top, (bottom - top, width)
        y = np.arange(rows, dtype=np.float32)[:, None] / TEXELS_PER_MM
        warp = noise(rng, part, (700, 90), 3) * 16 + noise(rng, part, (160, 24), 2) * 2
        period = float(rng.uniform(9, 22))
        rings = 0.5 + 0.5 * np.sin((y + warp) * (2 * np.pi / period) + rng.uniform(0, 6))
        fibre = noise(rng, part, (150, 2.2), 2)
        pores = np.clip(noise(rng, part, (26, 1.3)) - 1.1, 0, 2)
        blend = np.clip(0.30 + 0.30 * rings**2 + 0.12 * fibre + 0.10 * noise(rng, part, (500, 60), 2), 0, 1)[..., None]
        tint = float(rng.uniform(0.9, 1.08)) if planks else 1.0
        shade = tint * (1 - 0.16 * pores) * (1 + 0.02 * noise(rng, part, (1.5, 1.0)))
        if planks:
            gap = np.minimum(y[:, 0] + 0.3, (rows - 1 - np.arange(rows)) / TEXELS_PER_MM + 0.3)
            shade = shade * (1 - 0.55 * np.exp(-(gap**2) / 0.7))[:, None]
        image[top:bottom] = _coded(light * (1 - blend) + dark * blend, np.asarray(shade, np.float32))
    return np.ascontiguousarray(image.transpose(1, 0, 2)) if upright else image


def _weave(rng: np.random.Generator, shape: tuple[int, int], colour: Field, coarseness: float) -> Image:
    """Threads that run both ways, each of its own shade, worn in soft patches."""
    across = noise(rng, shape, (60, 1.6)) + noise(rng, shape, (14, 1.0))
    along = noise(rng, shape, (1.6, 60)) + noise(rng, shape, (1.0, 14))
    patches = noise(rng, shape, (90, 90), 3)
    grain = noise(rng, shape, (1.4, 1.4))
    shade = 1 + coarseness * (0.028 * (across + along) + 0.035 * patches + 0.03 * grain)
    return _coded(colour, np.asarray(shade, np.float32))


def _board(rng: np.random.Generator, shape: tuple[int, int], colour: Field) -> Image:
    shade = 1 + 0.012 * noise(rng, shape, (200, 200), 3) + 0.010 * noise(rng, shape, (1.3, 1.3))
    return _coded(colour, np.asarray(shade, np.float32))


def _print(rng: np.random.Generator, shape: tuple[int, int]) -> Image:
    """Printed cloth: checks, stripes or a field of flowers."""
    ground, ink = (np.array(c[::-1], np.float32) for c in _PRINTS[int(rng.integers(len(_PRINTS)))])
    height, width = shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / np.float32(TEXELS_PER_MM)
    period = float(rng.uniform(16, 46))
    design = int(rng.integers(3))
    if design == 0:
        cover = 0.5 * ((x % period < period / 2).astype(np.float32) + (y % period < period / 2))
    elif design == 1:
        cover = ((x % period) < period * 0.3).astype(np.float32) + 0.5 * ((x % period - period * 0.6) ** 2 < 2)
    else:
        cover = _flowers(rng, shape, period * 1.6)
    cover = cv2.GaussianBlur(np.asarray(cover, np.float32), (0, 0), 0.8)[..., None]
    colour = ground * (1 - 0.85 * cover) + ink * 0.85 * cover
    shade = (
        1 + 0.022 * (noise(rng, shape, (60, 1.6)) + noise(rng, shape, (1.6, 60))) + 0.02 * noise(rng, shape, (90, 90))
    )
    return _coded(np.asarray(colour, np.float32), np.asarray(shade, np.float32))


def _flowers(rng: np.random.Generator, shape: tuple[int, int], period: float) -> Field:
    height, width = shape
    cover = np.zeros(shape, np.float32)
    step = period * TEXELS_PER_MM
    radius = step * float(rng.uniform(0.10, 0.16))
    petals = int(rng.integers(5, 8))
    for row, cy in enumerate(np.arange(0, height + step, step * 0.87)):
        for cx in np.arange(0, width + step, step) + (row % 2) * step / 2:
            turn = rng.uniform(0, 6.28)
            for angle in turn + np.arange(petals) * (2 * np.pi / petals):
                spot = (round(cx + 1.3 * radius * np.cos(angle)), round(cy + 1.3 * radius * np.sin(angle)))
                cv2.circle(cover, spot, round(radius * 0.75), 1.0, -1, cv2.LINE_AA)
            cv2.circle(cover, (round(cx), round(cy)), round(radius * 0.5), 0.35, -1, cv2.LINE_AA)
    return cover
