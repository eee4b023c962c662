"""Where exactly a card lies in a photograph: the four sides fitted to the edges in the picture.

Points are x, y in pixels of the photograph as OpenCV counts them. A quad is a float64 array (4, 2) that goes round
the card clockwise as the picture shows it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.table import CARD_MM
from referee.vision.rectify import Image, Points, TableView

Field: TypeAlias = npt.NDArray[np.float32]

ASPECT: Final = CARD_MM[0] / CARD_MM[1]
"""Width of a card over its height."""

_STEPS: Final = 21
_SAMPLES: Final = 24
_SEEN: Final = 0.05
"""A change as weak as that of a white card on white paper."""
_GLARING: Final = 0.4


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """How sharply a photograph changes, and across which direction.

    Attributes:
        across: float32 array (H, W, 2), x and y of the steepest change over the three colours, 1 being a sharp change
            from black to what is bright thereabouts.
    """

    across: Field


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """A card's outline.

    Attributes:
        quad: its corners.
        sides: for each side, from corner i to the next, the share of it along which the picture has an edge, 0..1.
    """

    quad: Points
    sides: tuple[float, float, float, float]

    @property
    def worst(self) -> float:
        """The share of the side that shows least."""
        return min(self.sides)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """x1, y1, x2, y2 about the quad."""
        (x1, y1), (x2, y2) = self.quad.min(axis=0), self.quad.max(axis=0)
        return float(x1), float(y1), float(x2), float(y2)


def find_edges(image: Image, scale: float) -> Edges:
    """The edges of ``image``, uint8 (H, W, 3) BGR, for cards ``scale`` pixels high."""
    blur = max(0.6, scale / 150)
    smooth = cv2.GaussianBlur(image, (0, 0), blur).astype(np.float32)
    # A card in the shade has edges as good as one in the light.
    light = cv2.blur(image.max(axis=2), (2 * round(scale / 4) + 1,) * 2).astype(np.float32)
    smooth /= np.maximum(light, 40)[..., None]
    x = cv2.Scharr(smooth, cv2.CV_32F, 1, 0, scale=1 / 32)
    y = cv2.Scharr(smooth, cv2.CV_32F, 0, 1, scale=1 / 32)
    steepest = np.argmax(x * x + y * y, axis=2)[..., None]
    pair = [np.take_along_axis(part, steepest, axis=2)[..., 0] for part in (x, y)]
    # Unit of a step from black to white, whatever the blur.
    return Edges(np.stack(pair, axis=2) * np.float32(2.5 * blur))


def side_shares(edges: Edges, quads: Points) -> npt.NDArray[np.float64]:
    """For quads (N, 4, 2), the share (N, 4) of each side along which there is an edge in its direction."""
    return np.asarray((_along(edges, quads) > _SEEN).mean(axis=2), np.float64)


def _along(edges: Edges, quads: Points) -> Field:
    """Strength of the edge at points of each side: float32 (N, 4, samples). Beyond the picture there is none."""
    start, way = quads, np.roll(quads, -1, axis=1) - quads
    # The corners of cards are round, so the ends of a side say nothing.
    at = np.linspace(0.1, 0.9, _SAMPLES)
    points = start[:, :, None] + way[:, :, None] * at[:, None]
    length = np.maximum(np.linalg.norm(way, axis=2, keepdims=True), 1e-6)
    normal = np.stack([-way[..., 1], way[..., 0]], axis=2) / length
    columns, rows = np.rint(points).astype(np.intp).transpose(3, 0, 1, 2)
    height, width = edges.across.shape[:2]
    inside = (columns >= 0) & (rows >= 0) & (columns < width) & (rows < height)
    found = edges.across[rows.clip(0, height - 1), columns.clip(0, width - 1)]
    strength = np.abs(found[..., 0] * normal[:, :, None, 0] + found[..., 1] * normal[:, :, None, 1])
    return np.asarray(np.where(inside, strength, 0), np.float32)


def _quality(edges: Edges, quads: Points, tilt: Tilt | None) -> npt.NDArray[np.float64]:
    """How well quads (N, 4, 2) lie on edges: what matters is that every side has one, not that one is glaring."""
    along = _along(edges, quads)
    seen = np.minimum(along * (1 / _SEEN), 1.5).mean(axis=2)
    glaring = np.minimum(along * (1 / _GLARING), 1).mean(axis=2)
    likely = unlikeness(quads if tilt is None else tilt.undo(quads)) * (0.2 if tilt is None else 0.4)
    return np.asarray(seen.mean(axis=1) + seen.min(axis=1) + glaring.mean(axis=1) - likely, np.float64)


def fit_in_box(edges: Edges, box: Sequence[float], tilt: Tilt | None = None) -> Outline:
    """The card that touches all four sides of ``box`` (x1, y1, x2, y2), seen flat or at an angle.

    ``tilt`` tells how the table is foreshortened, if that is known. A card that is not seen whole has sides of small
    share; its quad means little.
    """
    x1, y1, x2, y2 = box
    corner, size = np.array([x1, y1]), np.array([x2 - x1, y2 - y1])
    parts = np.array(list(product(np.linspace(0, 1, _STEPS), repeat=2)))
    top, left = parts.T
    one, zero = np.ones_like(top), np.zeros_like(top)
    # Parallelograms: what the top and left sides are touched at settles the other two.
    shapes = np.stack([top, zero, one, 1 - left, 1 - top, one, zero, left], axis=1).reshape(-1, 4, 2)
    quads = corner + shapes * size
    quads = quads[_card_like(quads)]
    quads = np.concatenate([corner + np.array([[[0, 0], [1, 0], [1, 1], [0, 1]]]) * size, quads])
    found = quads[int(_quality(edges, quads, tilt).argmax())]
    margin = max(4.0, 0.03 * float(size.max()))
    return refine(edges, found, tilt, (x1 - margin, y1 - margin, x2 + margin, y2 + margin))


def _card_like(quads: Points) -> npt.NDArray[np.bool_]:
    """Which parallelograms (N, 4, 2) a card can look like at up to some 55 degrees of tilt."""
    first, second = quads[:, 1] - quads[:, 0], quads[:, 2] - quads[:, 1]
    one, two = np.linalg.norm(first, axis=1), np.linalg.norm(second, axis=1)
    short, long = np.minimum(one, two), np.maximum(one, two)
    square = np.abs((first * second).sum(axis=1)) <= 0.5 * one * two
    return np.asarray(square & (short > 0.38 * long) & (short > 4))


def refine(edges: Edges, quad: Points, tilt: Tilt | None = None, limits: Sequence[float] | None = None) -> Outline:
    """The outline near ``quad`` that fits the edges best, within ``limits`` (x1, y1, x2, y2) if they are given."""
    quad = np.array(quad, np.float64)
    scale = float(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).max())
    best = float(_quality(edges, quad[None], tilt)[0])
    step = max(1.0, 0.05 * scale)
    smallest = max(0.35, 0.004 * scale)
    while step >= smallest:
        moved = np.repeat(quad[None], len(_MOVES), axis=0) + step * _moves(quad)
        found = _quality(edges, moved, tilt)
        if limits is not None:
            beyond = (moved < limits[:2]).any(axis=(1, 2)) | (moved > limits[2:]).any(axis=(1, 2))
            found[beyond] = -math.inf
        place = int(found.argmax())
        if found[place] > best + 1e-6:
            best, quad = float(found[place]), moved[place]
        else:
            step *= 0.6
    shares = side_shares(edges, quad[None])[0]
    return Outline(quad, (float(shares[0]), float(shares[1]), float(shares[2]), float(shares[3])))


_MOVES: Final = [(side, way) for side in range(4) for way in (-1.0, 1.0)] + [
    (corner, way) for corner in range(4, 8) for way in (-1.0, 1.0, -2.0, 2.0)
]
"""Sides pushed out or in, then corners slid along either of their sides."""


def _moves(quad: Points) -> Points:
    ways = np.roll(quad, -1, axis=0) - quad
    ways /= np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-6)
    moves = np.zeros((len(_MOVES), 4, 2))
    for move, (what, way) in zip(moves, _MOVES, strict=True):
        if what < 4:
            normal = np.array([-ways[what, 1], ways[what, 0]])
            move[[what, (what + 1) % 4]] = way * normal
        else:
            corner = what - 4
            along = ways[corner] if abs(way) == 1 else ways[corner - 1]
            move[corner] = math.copysign(1, way) * along
    return moves


@dataclass(frozen=True, slots=True)
class Tilt:
    """How the table is foreshortened in a photograph, taken alike all over it.

    Attributes:
        squeeze: how much shorter lengths look in the direction of ``angle``, 0..1; 1 is a camera straight above.
        angle: degrees clockwise from the picture's x axis.
    """

    squeeze: float
    angle: float

    def undo(self, points: Points) -> Points:
        """Points (..., 2) stretched to what a camera straight above would see."""
        turn = math.radians(self.angle)
        way = np.array([math.cos(turn), math.sin(turn)])
        return np.asarray(points + (points @ way)[..., None] * way * (1 / self.squeeze - 1), np.float64)


def find_tilt(quads: Points) -> Tilt:
    """The foreshortening under which quads (N, 4, 2) of whole cards look most like cards."""
    best, lowest = Tilt(1.0, 90.0), math.inf
    for squeeze in np.arange(1.0, 0.49, -0.05):
        for angle in np.arange(0.0, 180.0, 10.0) if squeeze < 0.99 else (90.0,):
            tilt = Tilt(float(squeeze), float(angle))
            # Cameras look down a table more often than across it, and straight down most often.
            off = abs(angle - 90) / 90
            cost = float(np.median(unlikeness(tilt.undo(quads)))) + (1 - tilt.squeeze) * (0.06 + 0.12 * off)
            if cost < lowest - 1e-9:
                best, lowest = tilt, cost
    return best


def unlikeness(quads: Points) -> npt.NDArray[np.float64]:
    """How far quads (N, 4, 2) are from the shape of a card seen from above: 0 is one, 0.3 is none."""
    short, long, cosine = _sides(quads)
    return np.asarray(np.abs(np.log(short / long / ASPECT)) + np.abs(cosine), np.float64)


def card_heights(quads: Points) -> npt.NDArray[np.float64]:
    """Length of the long sides of cards with these quads (N, 4, 2), from their areas."""
    short, long, cosine = _sides(quads)
    return np.asarray(np.sqrt(short * long * np.sqrt(np.maximum(1 - cosine**2, 1e-6)) / ASPECT), np.float64)


def _sides(quads: Points) -> tuple[Points, Points, Points]:
    first = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    second = (quads[:, 2] - quads[:, 1] + quads[:, 3] - quads[:, 0]) / 2
    one, two = np.linalg.norm(first, axis=1), np.linalg.norm(second, axis=1)
    cosine = (first * second).sum(axis=1) / np.maximum(one * two, 1e-6)
    return np.minimum(one, two), np.maximum(np.maximum(one, two), 1e-6), cosine


def card_view(quad: Points, tilt: Tilt) -> TableView:
    """The table as a card with this quad shows it: table millimetres from the card's own top left corner."""
    flat = tilt.undo(quad)
    sides = np.linalg.norm(np.roll(flat, -1, axis=0) - flat, axis=1)
    upright = sides[1] + sides[3] >= sides[0] + sides[2]
    corners = quad if upright else np.roll(quad, -1, axis=0)
    return TableView.from_corners(corners, *CARD_MM)


def level_view(centre: Sequence[float], height: float, tilt: Tilt) -> TableView:
    """A table seen under ``tilt`` with cards ``height`` pixels high (were it not for the tilt), on which image point
    ``centre`` is the centre of an upright card whose top left corner is the origin."""
    turn = math.radians(tilt.angle)
    way = np.array([math.cos(turn), math.sin(turn)])
    corners = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) - 0.5) * np.array(CARD_MM) * (height / CARD_MM[1])
    pressed = corners + (corners @ way)[:, None] * way * (tilt.squeeze - 1)
    return TableView.from_corners(np.asarray(centre) + pressed, *CARD_MM)


def height_in_box(width: float, height: float) -> float:
    """Height of the card that, turned somehow and seen from above, just fits a box of this size."""
    long, short = max(width, height), min(width, height)
    # long = card * (cos + aspect sin), short = card * (aspect cos + sin), the turn being 45 degrees at most.
    shares = np.radians(np.linspace(0, 45, 91))
    spans = np.cos(shares) + ASPECT * np.sin(shares)
    ratios = (ASPECT * np.cos(shares) + np.sin(shares)) / spans
    return long / float(spans[int(np.abs(ratios - short / long).argmin())])
