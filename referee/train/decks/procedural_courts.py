"""Court cards of drawn decks: two-headed figures, crowns, big letters and big suit signs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np

from referee.cards import Card, Suit
from referee.train.decks.deck import Image
from referee.train.decks.ink import Colour, any_colour, hsv, stamp_centred, turned
from referee.train.decks.lettering import Letters
from referee.train.decks.pips import PipCut, pip_mask

CourtKind = Literal["figure", "crown", "letter", "sign"]

_SCALE: Final = 2
_JACK, _QUEEN, _KING = 11, 12, 13


@dataclass(frozen=True, slots=True)
class CourtStyle:
    """How a deck draws its jacks, queens and kings.

    Attributes:
        kind: two-headed figure, head-gear alone, the index letter large, or one large suit sign.
        ground: colour of the picture's ground.
        line: colour of outlines.
        outline: their width in pixels of the finished card.
        palette: colours of robes and trimmings.
        seed: what the deck's figures are drawn from; each card has its own.
    """

    kind: CourtKind
    ground: Colour
    line: Colour
    outline: int
    palette: tuple[Colour, ...]
    seed: int


def random_court(rng: np.random.Generator, paper: Colour, inks: dict[Suit, Colour]) -> CourtStyle:
    """A way to draw courts that suits a deck of this ``paper`` and these ``inks``."""
    kinds: tuple[CourtKind, ...] = ("figure", "crown", "letter", "sign")
    tinted = rng.random() < 0.25 and max(paper) > 128
    usual = (inks[Suit.HEARTS], inks[Suit.SPADES], hsv(45, 0.75, 0.9), hsv(225, 0.8, 0.6))
    palette = usual if rng.random() < 0.5 else tuple(any_colour(rng) for _ in range(4))
    return CourtStyle(
        kind=kinds[int(rng.choice(4, p=[0.66, 0.12, 0.12, 0.1]))],
        ground=hsv(rng.uniform(0, 360), rng.uniform(0.03, 0.25), rng.uniform(0.85, 1.0)) if tinted else paper,
        line=hsv(rng.uniform(0, 360), rng.uniform(0, 0.6), rng.uniform(0.05, 0.35)),
        outline=int(rng.integers(1, 3)),
        palette=palette,
        seed=int(rng.integers(2**32)),
    )


def draw_court(
    card: Card, size: tuple[int, int], style: CourtStyle, ink: Colour, text: str, letters: Letters, cut: PipCut
) -> Image:
    """The picture of a court ``card`` in a frame of ``size`` (width, height): uint8 BGR (height, width, 3).

    ``text`` is the card's index letter, ``ink`` its suit's colour, ``letters`` and ``cut`` the deck's own.
    """
    width, height = size
    assert card.suit is not None
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = np.rint(style.ground)
    if style.kind == "figure":
        half = _half_figure(card, (width, height // 2), style, ink)
        picture[: half.shape[0]] = half
        picture[height - half.shape[0] :] = half[::-1, ::-1]
    elif style.kind == "letter":
        high = int(min(height * 0.6, width * 0.8))
        stamp_centred(picture, letters.mask(text, high), width / 2, height / 2, ink)
    elif style.kind == "sign":
        high = int(min(height * 0.7, width * 0.75))
        stamp_centred(picture, pip_mask(card.suit, high, cut), width / 2, height / 2, ink)
    else:
        gear = _head_gear_mask(card.rank, int(width * 0.6))
        stamp_centred(picture, gear, width / 2, height * 0.32, ink)
        stamp_centred(picture, turned(gear), width / 2, height * 0.68, ink)
    return picture


def _head_gear_mask(rank: int, width: int) -> Image:
    height = int(width * 0.62)
    mask = np.zeros((height * _SCALE, width * _SCALE), np.uint8)
    points = _head_gear(rank, 5) * np.array([mask.shape[1] - 1, mask.shape[0] - 1])
    cv2.fillPoly(mask, [points.astype(np.int32)], 255, cv2.LINE_AA)
    return np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _head_gear(rank: int, spikes: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Outline in the unit square: a king's crown, a queen's tiara, a jack's cap with its feather."""
    if rank == _JACK:
        return np.array([
            *((0.05, 1.0), (0.0, 0.72), (0.12, 0.45), (0.4, 0.32), (0.62, 0.36), (0.7, 0.1), (0.95, 0.0)),
            *((1.0, 0.14), (0.82, 0.28), (0.78, 0.5), (0.95, 0.7), (0.95, 1.0)),
        ])  # fmt: skip
    valley = 0.6 if rank == _KING else 0.8
    x = np.linspace(0, 1, 2 * spikes - 1)
    tip = 0.0 if rank == _KING else 0.45
    # A tiara rises to its middle, a crown is level.
    rise = tip * np.abs(2 * x - 1)
    y = np.where(np.arange(x.size) % 2 == 0, rise, valley)
    return np.concatenate([np.stack([x, y], axis=1), [(0.92, 1.0), (0.08, 1.0)]])


def _half_figure(card: Card, size: tuple[int, int], style: CourtStyle, ink: Colour) -> Image:
    """The upper half of a two-headed figure, waist at the lower edge: uint8 BGR."""
    assert card.suit is not None
    rng = np.random.default_rng([style.seed, card.code])
    w, h = size[0] * _SCALE, size[1] * _SCALE
    line = style.outline * _SCALE
    art = np.empty((h, w, 3), np.uint8)
    art[:] = np.rint(style.ground)
    robe, trim, third, fourth = (style.palette[int(i)] for i in rng.permutation(4))
    unit = min(w, h)
    cx, head_y, head = w * rng.uniform(0.44, 0.56), h * rng.uniform(0.4, 0.47), unit * rng.uniform(0.13, 0.17)

    def fill(points: list[tuple[float, float]], colour: Colour, lined: bool = True) -> None:
        at = [np.array(points).astype(np.int32)]
        cv2.fillPoly(art, at, colour, cv2.LINE_AA)
        if lined:
            cv2.polylines(art, at, True, style.line, line, cv2.LINE_AA)

    def oval(x: float, y: float, rx: float, ry: float, colour: Colour, lined: bool = True) -> None:
        where = (int(x), int(y)), (max(1, int(rx)), max(1, int(ry)))
        cv2.ellipse(art, *where, 0, 0, 360, colour, -1, cv2.LINE_AA)
        if lined:
            cv2.ellipse(art, *where, 0, 0, 360, style.line, line, cv2.LINE_AA)

    shoulder = head_y + head * 1.15
    broad = w * rng.uniform(0.3, 0.46)
    outline = [
        (cx - head * 0.5, shoulder),
        (cx - broad, shoulder + head * rng.uniform(0.5, 1.0)),
        (cx - broad * rng.uniform(0.9, 1.15), h),
        (cx + broad * rng.uniform(0.9, 1.15), h),
        (cx + broad, shoulder + head * rng.uniform(0.5, 1.0)),
        (cx + head * 0.5, shoulder),
    ]
    fill(outline, robe)
    _weave(rng, art, outline, trim)
    if rng.random() < 0.7:
        band = w * rng.uniform(0.06, 0.12)
        side = rng.choice([-1, 1])
        fill(
            [
                (cx - side * broad, shoulder + head * 0.6),
                (cx - side * broad + band, shoulder + head * 0.4),
                (cx + side * broad * 0.6 + band, h),
                (cx + side * broad * 0.6 - band, h),
            ],
            third,
        )
    _attribute(rng, art, card.rank, (cx, head_y, head), (third, fourth, style.line), line)
    hair = hsv(rng.uniform(15, 50), rng.uniform(0.1, 0.8), rng.uniform(0.15, 0.95))
    wide = 1.5 if card.rank == _QUEEN else 1.25
    oval(cx, head_y + head * 0.3, head * wide, head * 1.25, hair)
    oval(cx, shoulder + head * 0.1, head * 0.9, head * 0.35, fourth)
    skin = hsv(rng.uniform(18, 34), rng.uniform(0.08, 0.5), rng.uniform(0.6, 1.0))
    oval(cx, head_y, head * 0.82, head * 1.08, skin)
    if card.rank == _KING:
        fill(
            [
                (cx - head * 0.75, head_y + head * 0.35),
                (cx + head * 0.75, head_y + head * 0.35),
                (cx, head_y + head * 1.9),
            ],
            hair,
        )
    for side in (-1, 1):
        oval(cx + side * head * 0.32, head_y - head * 0.12, head * 0.09 + 1, head * 0.07 + 1, style.line, False)
    cv2.line(
        art, (int(cx), int(head_y)), (int(cx + head * 0.1), int(head_y + head * 0.25)), style.line, line, cv2.LINE_AA
    )
    oval(cx, head_y + head * 0.5, head * 0.2, head * 0.06 + 1, hsv(0, 0.7, 0.7), False)
    gear = _head_gear(card.rank, int(rng.integers(3, 6)))
    gear_width, gear_height = head * rng.uniform(1.9, 2.3), head * rng.uniform(1.1, 1.5)
    corner = np.array([cx - gear_width / 2, head_y - head * 0.72 - gear_height])
    fill(
        [(float(x), float(y)) for x, y in gear * [gear_width, gear_height] + corner],
        fourth if rng.random() < 0.5 else ink,
    )
    return np.asarray(cv2.resize(art, size, interpolation=cv2.INTER_AREA), np.uint8)


def _weave(rng: np.random.Generator, art: Image, outline: list[tuple[float, float]], colour: Colour) -> None:
    """Cloth pattern within ``outline``: stripes, dots or a lattice."""
    h, w = art.shape[:2]
    pattern, inside = np.zeros((h, w), np.uint8), np.zeros((h, w), np.uint8)
    cv2.fillPoly(inside, [np.array(outline).astype(np.int32)], 255)
    pitch = int(rng.integers(10, 36))
    kind = int(rng.integers(4))
    if kind == 0:
        for x in range(-h, w, pitch):
            cv2.line(pattern, (x, 0), (x + h, h), 255, max(1, pitch // 3), cv2.LINE_AA)
    elif kind == 1:
        for y in range(0, h, pitch):
            cv2.line(pattern, (0, y), (w, y), 255, max(1, pitch // 3), cv2.LINE_AA)
    elif kind == 2:
        for y in range(0, h, pitch):
            for x in range(0, w, pitch):
                cv2.circle(pattern, (x + y // pitch % 2 * pitch // 2, y), max(1, pitch // 4), 255, -1, cv2.LINE_AA)
    else:
        for x in range(-h, w + h, pitch):
            cv2.line(pattern, (x, 0), (x + h, h), 255, 2, cv2.LINE_AA)
            cv2.line(pattern, (x, 0), (x - h, h), 255, 2, cv2.LINE_AA)
    share = (np.minimum(pattern, inside)[..., None] / 255).astype(np.float32)
    art[:] = np.rint(art + (np.asarray(colour, np.float32) - art) * share)


def _attribute(
    rng: np.random.Generator,
    art: Image,
    rank: int,
    face: tuple[float, float, float],
    colours: tuple[Colour, Colour, Colour],
    line: int,
) -> None:
    """What the figure holds beside its face: a king's sword, a queen's flower, a jack's halberd."""
    cx, head_y, head = face
    side = int(rng.choice([-1, 1]))
    x, top, foot = int(cx + side * head * 2.2), int(head_y - head * 1.6), art.shape[0]
    shaft, ornament, dark = colours
    cv2.line(art, (x, top), (x, foot), dark, 3 * line, cv2.LINE_AA)
    cv2.line(art, (x, top), (x, foot), shaft, line, cv2.LINE_AA)
    r = int(head * 0.45)
    if rank == _QUEEN:
        for angle in np.linspace(0, 2 * np.pi, 6)[:-1]:
            at = (int(x + r * 0.6 * np.cos(angle)), int(top + r * 0.6 * np.sin(angle)))
            cv2.circle(art, at, max(1, r // 2), ornament, -1, cv2.LINE_AA)
        cv2.circle(art, (x, top), max(1, r // 3), dark, -1, cv2.LINE_AA)
    elif rank == _KING:
        cv2.line(art, (x - r, foot - 2 * r), (x + r, foot - 2 * r), ornament, 2 * line, cv2.LINE_AA)
    else:
        blade = [(x, top), (x + side * r, top - r // 2), (x + side * r, top + r), (x, top + r // 2)]
        cv2.fillPoly(art, [np.array(blade)], ornament, cv2.LINE_AA)
        cv2.polylines(art, [np.array(blade)], True, dark, line, cv2.LINE_AA)
