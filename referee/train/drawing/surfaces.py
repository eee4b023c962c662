"""Table tops for crops: pieces of wood, cloth, felt, plastic and printed cloth, each different.

A piece is a quarter of a metre of table, more than a zone's crop can show. Colours are sRGB-coded BGR; light comes
later.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.errors import UserError
from referee.train.decks.raster import read_picture

_log: Final = logging.getLogger(__name__)

TEXELS: Final = 512
"""Side of a piece in texels."""

TEXELS_PER_MM: Final = 2.0

Image: TypeAlias = npt.NDArray[np.uint8]
Field: TypeAlias = npt.NDArray[np.float32]
Points: TypeAlias = npt.NDArray[np.float64]
Colour: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Tabletop:
    """A piece of table.

    Attributes:
        kind: ``wood``, ``planks``, ``felt``, ``cloth``, ``printed``, ``mat``, ``plastic``, ``stone``, ``white`` or
            ``photo``.
        levels: uint8 arrays (512, 512, 3) and (256, 256, 3), BGR: the piece, and the same at half the size for
            coarse cameras.
        gloss: strength of the sheen, 0 (cloth) to 1 (lacquer).
    """

    kind: str
    levels: tuple[Image, Image]
    gloss: float


def noise(rng: np.random.Generator, cell_x: float, cell_y: float | None = None, octaves: int = 3) -> Field:
    """Smooth noise, float32 (512, 512), zero mean and about unit deviation; cells are its coarsest grain in texels."""
    total = np.zeros((TEXELS, TEXELS), np.float32)
    power = 0.0
    for octave in range(octaves):
        width = max(2, round(TEXELS * 2**octave / cell_x))
        height = max(2, round(TEXELS * 2**octave / (cell_y or cell_x)))
        grid = rng.standard_normal((min(height, TEXELS), min(width, TEXELS)), np.float32)
        weight = 0.6**octave
        total += weight * np.asarray(cv2.resize(grid, (TEXELS, TEXELS), interpolation=cv2.INTER_CUBIC), np.float32)
        power += weight * weight
    return np.asarray(total / math.sqrt(power), np.float32)


def table_photos(paths: Sequence[Path]) -> list[Image]:
    """The pictures of surfaces in ``paths``, ready for ``make_tabletop``, but for those too small or unreadable."""
    photos = []
    for path in paths:
        try:
            picture = read_picture(path, TEXELS)
        except UserError as error:
            # One table top fewer is no reason to draw no crops at all.
            _log.warning("table top left out: %s", error)
            continue
        height, width = picture.shape[:2]
        if min(height, width) < 64:
            continue
        # No crop shows more than a piece, and a piece is this fine.
        shrink = min(1.0, 1.5 * TEXELS / min(height, width))
        size = (round(shrink * width), round(shrink * height))
        plain = np.ascontiguousarray(picture[:, :, :3])
        photos.append(np.asarray(cv2.resize(plain, size, interpolation=cv2.INTER_AREA), np.uint8))
    return photos


def make_tabletop(rng: np.random.Generator, photos: Sequence[Image] = ()) -> Tabletop:
    """A piece of some table.

    Args:
        rng: decides everything.
        photos: pictures of real surfaces, uint8 (H, W, 3) BGR, at least 64 px a side; some pieces are cut from them.
    """
    if photos and rng.random() < 0.45:
        return _finish(
            rng, "photo", _from_photo(rng, photos[int(rng.integers(len(photos)))]), float(rng.uniform(0, 0.5))
        )
    kinds = tuple(_KINDS)
    kind = kinds[int(rng.choice(len(kinds), p=[_KINDS[name][0] for name in kinds]))]
    _, paint, (dull, shiny) = _KINDS[kind]
    return _finish(rng, kind, paint(rng), float(rng.uniform(dull, shiny)))


def _finish(rng: np.random.Generator, kind: str, picture: Field, gloss: float) -> Tabletop:
    # Stains, wear and uneven dye: hardly any table is the same everywhere.
    picture = picture * (1 + float(rng.uniform(0, 0.05)) * noise(rng, float(rng.uniform(60, 300))))[:, :, None]
    full = np.clip(picture, 0, 255).astype(np.uint8)
    half = np.asarray(cv2.resize(full, (TEXELS // 2, TEXELS // 2), interpolation=cv2.INTER_AREA), np.uint8)
    return Tabletop(kind, (full, half), gloss)


def _mix(low: Colour, high: Colour, share: Field) -> Field:
    return np.asarray(
        np.array(low, np.float32) + np.subtract(high, low, dtype=np.float32) * share[:, :, None], np.float32
    )


def _hsv(hue: float, saturation: float, value: float) -> Colour:
    """BGR of a hue in turns, saturation and value 0..1."""
    pixel = np.array([[[hue % 1 * 360, min(max(saturation, 0), 1), min(max(value, 0), 1)]]], np.float32)
    blue, green, red = 255 * cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0]
    return float(blue), float(green), float(red)


def _scaled(colour: Colour, by: float) -> Colour:
    blue, green, red = colour
    return by * blue, by * green, by * red


def _around(rng: np.random.Generator, colour: Colour, by: float) -> Colour:
    blue, green, red = np.clip(np.array(colour) * rng.normal(1, by, 3), 0, 255)
    return float(blue), float(green), float(red)


_WOODS: Final[tuple[tuple[Colour, Colour], ...]] = (
    ((54, 86, 128), (92, 140, 182)),
    ((38, 62, 96), (66, 104, 150)),
    ((22, 36, 58), (42, 66, 102)),
    ((98, 140, 176), (138, 178, 212)),
    ((26, 42, 84), (48, 78, 138)),
    ((96, 106, 118), (140, 156, 168)),
    ((14, 20, 30), (32, 42, 58)),
    ((150, 180, 200), (190, 212, 226)),
)
_FELTS: Final[tuple[Colour, ...]] = (
    (54, 88, 28),
    (42, 66, 20),
    (70, 112, 42),
    (34, 32, 120),
    (104, 52, 26),
    (42, 40, 40),
    (88, 40, 70),
    (130, 110, 40),
)


def _grain(rng: np.random.Generator) -> Field:
    """Wood grain along y, 0..1."""
    bend = noise(rng, 500, 160, 2) * float(rng.uniform(4, 26))
    columns = np.arange(TEXELS, dtype=np.float32)[None, :] + bend
    rings = np.sin(columns * (2 * math.pi / float(rng.uniform(14, 70))) + float(rng.uniform(0, 6)))
    fibre = noise(rng, float(rng.uniform(3, 8)), float(rng.uniform(120, 500)), 3)
    share = 0.5 + float(rng.uniform(0.05, 0.3)) * rings + float(rng.uniform(0.08, 0.22)) * fibre
    return np.asarray(share, np.float32)


def _wood(rng: np.random.Generator) -> Field:
    dark, light = _WOODS[int(rng.integers(len(_WOODS)))]
    picture = _mix(_around(rng, dark, 0.04), _around(rng, light, 0.04), _grain(rng))
    return np.ascontiguousarray(np.rot90(picture, int(rng.integers(4))))


def _planks(rng: np.random.Generator) -> Field:
    dark, light = _WOODS[int(rng.integers(len(_WOODS)))]
    picture = _mix(_around(rng, dark, 0.04), _around(rng, light, 0.04), _grain(rng))
    width = float(rng.uniform(60, 260))
    edge = float(rng.uniform(-width, 0))
    joint = int(rng.integers(1, 4))
    while edge < TEXELS:
        left, right = max(0, round(edge)), max(0, round(edge + width))
        picture[:, left:right] = np.roll(picture[:, left:right], int(rng.integers(TEXELS)), axis=0) * rng.normal(
            1, 0.08
        )
        picture[:, right : right + joint] *= float(rng.uniform(0.3, 0.7))
        edge += width
    return np.ascontiguousarray(np.rot90(picture, int(rng.integers(4))))


def _felt(rng: np.random.Generator) -> Field:
    colour = _FELTS[int(rng.integers(len(_FELTS)))] if rng.random() < 0.8 else _hsv(rng.random(), 0.6, 0.4)
    share = 0.5 + 0.5 * float(rng.uniform(0.04, 0.14)) * noise(rng, 3, octaves=1) + 0.02 * noise(rng, 60)
    return _mix((0, 0, 0), _scaled(_around(rng, colour, 0.15), 2), share)


def _weave(rng: np.random.Generator) -> Field:
    """Threads, 0..1."""
    period = float(rng.uniform(3, 9))
    ys, xs = np.mgrid[:TEXELS, :TEXELS].astype(np.float32)
    wobble = noise(rng, 90, octaves=2)
    across = np.sin((xs + wobble) * (2 * math.pi / period))
    along = np.sin((ys + wobble) * (2 * math.pi / period))
    thread = noise(rng, 40, 3, 1) + noise(rng, 3, 40, 1)
    return np.asarray(0.5 + 0.12 * across * along + float(rng.uniform(0.03, 0.12)) * thread, np.float32)


def _plain_colour(rng: np.random.Generator) -> Colour:
    return _hsv(rng.random(), float(rng.beta(1.3, 2.2)), float(rng.uniform(0.12, 0.92)))


def _cloth(rng: np.random.Generator) -> Field:
    colour = _plain_colour(rng)
    return _mix(_scaled(colour, 0.7), _scaled(colour, 1.25), _weave(rng))


def _printed(rng: np.random.Generator) -> Field:
    """A cloth with a pattern: checks, stripes, dots, flowers, zigzags."""
    ys, xs = np.mgrid[:TEXELS, :TEXELS].astype(np.float32)
    turn = float(rng.choice([0.0, 0.25, 0.5])) * math.pi + float(rng.normal(0, 0.05))
    u, v = xs * math.cos(turn) + ys * math.sin(turn), ys * math.cos(turn) - xs * math.sin(turn)
    period = float(np.exp(rng.uniform(math.log(10), math.log(150))))
    duty = float(rng.uniform(0.25, 0.6))
    pattern = int(rng.integers(5))
    if pattern == 0:
        share = 0.5 * ((u / period) % 1 < duty) + 0.5 * ((v / period) % 1 < duty)
    elif pattern == 1:
        share = (u / period % 1 < duty).astype(np.float32)
    elif pattern == 2:
        shift = np.floor(v / period) % 2 / 2
        share = np.hypot((u / period + shift) % 1 - 0.5, v / period % 1 - 0.5) < 0.42 * duty + 0.1
    elif pattern == 3:
        share = _flowers(rng, period)
    else:
        share = (v / period + np.abs(u / period % 1 - 0.5) * float(rng.uniform(0.5, 2))) % 1 < duty
    ground, ink = _plain_colour(rng), _plain_colour(rng)
    if rng.random() < 0.4:
        ground = _around(rng, (226, 232, 234), 0.04)
    smooth = np.asarray(cv2.GaussianBlur(share.astype(np.float32), (5, 5), 0), np.float32)
    return np.asarray(_mix(ground, ink, smooth) * (0.75 + 0.5 * _weave(rng))[:, :, None], np.float32)


def _flowers(rng: np.random.Generator, period: float) -> Field:
    picture = np.zeros((TEXELS, TEXELS), np.float32)
    size = 0.3 * period + 6
    for _ in range(int(min(90, 2.2 * (TEXELS / (period + 20)) ** 2)) + 3):
        x, y = rng.uniform(0, TEXELS, 2)
        petals, first, ink = int(rng.integers(4, 8)), float(rng.uniform(0, 360)), float(rng.uniform(0.35, 1))
        for petal in range(petals):
            angle = first + 360 * petal / petals
            middle = (x + 0.6 * size * math.cos(math.radians(angle)), y + 0.6 * size * math.sin(math.radians(angle)))
            cv2.ellipse(picture, (middle, (1.1 * size, 0.55 * size), angle), ink, -1)
        cv2.circle(picture, (round(x), round(y)), max(1, round(0.25 * size)), 0.0, -1)
    return picture


def _plastic(rng: np.random.Generator) -> Field:
    colour = _plain_colour(rng)
    share = 0.5 + 0.02 * noise(rng, 200) + float(rng.uniform(0, 0.05)) * noise(rng, 3, octaves=1)
    return _mix((0, 0, 0), _scaled(colour, 2), share)


def _stone(rng: np.random.Generator) -> Field:
    value, hue = float(rng.uniform(0.15, 0.85)), rng.random()
    veins = np.abs(noise(rng, float(rng.uniform(60, 300)), octaves=4)) * float(rng.uniform(0.4, 1.2))
    speckle = float(rng.uniform(0, 0.25)) * noise(rng, float(rng.uniform(3, 9)), octaves=2)
    share = np.clip(veins + speckle, 0, 1.3)
    return _mix(_hsv(hue, 0.12, value), _hsv(hue + 0.1, 0.2, value * float(rng.uniform(0.4, 1.4))), share)


def _white(rng: np.random.Generator) -> Field:
    colour = _hsv(float(rng.uniform(0.05, 0.65)), float(rng.uniform(0, 0.08)), float(rng.uniform(0.8, 0.97)))
    share = 0.5 + 0.01 * noise(rng, 100) + float(rng.uniform(0, 0.03)) * noise(rng, 3, octaves=1)
    if rng.random() < 0.4:
        share = share + 0.12 * (_weave(rng) - 0.5)
    return _mix((0, 0, 0), _scaled(colour, 2), share)


def _from_photo(rng: np.random.Generator, photo: Image) -> Field:
    """A piece of a picture, turned, scaled and dyed a little; a small picture is repeated."""
    wanted = round(TEXELS / float(rng.uniform(0.8, 1.6)))
    height, width = photo.shape[:2]
    if min(height, width) < wanted:
        times = (-(-wanted // height), -(-wanted // width), 1)
        photo = np.tile(photo, times)
        height, width = photo.shape[:2]
    cut = min(height, width, round(wanted * float(rng.uniform(1, 2))))
    x, y = int(rng.integers(width - cut + 1)), int(rng.integers(height - cut + 1))
    piece = np.ascontiguousarray(np.rot90(photo[y : y + cut, x : x + cut], int(rng.integers(4))))
    filter_ = cv2.INTER_AREA if cut > TEXELS else cv2.INTER_CUBIC
    picture = np.asarray(cv2.resize(piece, (TEXELS, TEXELS), interpolation=filter_), np.float32)
    return np.asarray(picture * rng.normal(1, 0.08, 3).astype(np.float32) * float(rng.uniform(0.6, 1.2)), np.float32)


def _mat(rng: np.random.Generator) -> Field:
    """A cloth or plain sheet with places printed on it: frames or fields as large as cards or as columns of them.

    Fields may have a sign in them; rows of fields of other sizes may follow one another.
    """
    grounds = (_felt, _cloth, _plastic)
    picture = np.ascontiguousarray(grounds[int(rng.choice(3, p=(0.4, 0.25, 0.35)))](rng), np.float32)
    ground = picture.mean(axis=(0, 1))
    ink = ground * float(rng.choice([rng.uniform(0.4, 0.8), rng.uniform(1.3, 2.6)])) if rng.random() < 0.6 else None
    colour = _plain_colour(rng) if ink is None else (float(ink[0]), float(ink[1]), float(ink[2]))
    heights = rng.uniform(82, 100, 4) if rng.random() < 0.5 else rng.uniform(30, 220, 4)
    width = float(rng.uniform(54, 72) if rng.random() < 0.6 else rng.uniform(25, 120)) * TEXELS_PER_MM
    gap = rng.uniform(6, 60, 2) * TEXELS_PER_MM
    radius, line = float(rng.uniform(0, 14)), int(rng.integers(1, 7))
    filled, sign, twice = rng.random() < 0.55, rng.random() < 0.4, rng.random() < 0.25
    cover = np.zeros((TEXELS, TEXELS), np.float32)
    left, top = float(rng.uniform(-width, 0)), float(rng.uniform(-heights[0] * TEXELS_PER_MM, 0))
    for height in heights * TEXELS_PER_MM:
        size = np.array([width, height])
        for column in range(-(-TEXELS // int(width + gap[0])) + 1):
            corner = np.array([left + column * (width + gap[0]), top])
            cv2.fillPoly(cover, [_rounded(corner, size, radius)], 1.0, cv2.LINE_AA)
            if not filled:
                cv2.fillPoly(cover, [_rounded(corner + line, size - 2 * line, max(0, radius - line))], 0.0, cv2.LINE_AA)
            if twice:
                inset = line + float(rng.integers(4, 12))
                other = 0.0 if filled else 1.0
                rim = _rounded(corner + inset, size - 2 * inset, max(0, radius - inset))
                cv2.polylines(cover, [rim], True, other, line, cv2.LINE_AA)
            if sign:
                centre = corner + size / 2
                reach = 0.22 * size[0]
                corners = centre + reach * np.array([[0, -1], [0.7, 0], [0, 1], [-0.7, 0]])
                cv2.fillPoly(cover, [np.rint(corners).astype(np.int32)], 0.0 if filled else 1.0, cv2.LINE_AA)
        top += height + float(gap[1])
    share = (cover * float(rng.uniform(0.4, 1.0)))[:, :, None]
    picture = picture * (1 - share) + np.array(colour, np.float32) * share
    return np.ascontiguousarray(np.rot90(picture, int(rng.integers(4))), np.float32)


def _rounded(corner: Points, size: Points, radius: float) -> npt.NDArray[np.int32]:
    """The rim of a rectangle with round corners."""
    turns = np.linspace(0, math.pi / 2, 6)
    rim = []
    for quarter, (x, y) in enumerate(((1, 1), (0, 1), (0, 0), (1, 0))):
        middle = corner + size * (x, y) + radius * np.array([1 - 2 * x, 1 - 2 * y])
        angles = turns + quarter * math.pi / 2
        rim.append(middle + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1))
    return np.rint(np.concatenate(rim)).astype(np.int32)


_KINDS: Final[dict[str, tuple[float, Callable[[np.random.Generator], Field], tuple[float, float]]]] = {
    # Share of all pieces, how it is drawn, how glossy it is.
    "wood": (0.20, _wood, (0.05, 0.8)),
    "planks": (0.10, _planks, (0.05, 0.6)),
    "felt": (0.14, _felt, (0.0, 0.02)),
    "cloth": (0.12, _cloth, (0.0, 0.05)),
    "printed": (0.12, _printed, (0.0, 0.2)),
    "mat": (0.08, _mat, (0.0, 0.2)),
    "plastic": (0.08, _plastic, (0.2, 1.0)),
    "stone": (0.05, _stone, (0.1, 1.0)),
    "white": (0.11, _white, (0.0, 0.8)),
}
