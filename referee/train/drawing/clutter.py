"""Things on the table that are no cards: paper, phones, coins, cups."""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np

from referee.table import Box
from referee.train.drawing.canvas import Canvas
from referee.train.drawing.light import Colour
from referee.train.drawing.situation import Clutter, ClutterKind, in_picture, orient
from referee.vision.rectify import Points

_KINDS: Final[tuple[ClutterKind, ...]] = ("sheet", "slab", "disc", "cup")
_ROUND: Final = np.array([[math.cos(turn), math.sin(turn)] for turn in np.linspace(0, 2 * math.pi, 32, endpoint=False)])
_SQUARE: Final = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def draw_clutter(rng: np.random.Generator, box: Box) -> Clutter:
    """Something that lies about the zone ``box``."""
    kind = _KINDS[int(rng.choice(4, p=(0.4, 0.25, 0.2, 0.15)))]
    away, side = float(rng.uniform(25, 95)), float(rng.uniform(0, 2 * math.pi))
    plain = rng.uniform(15, 225, 3)
    if kind == "sheet":
        width, length, height = float(rng.uniform(70, 210)), float(rng.uniform(90, 300)), 0.1
        plain = np.full(3, rng.uniform(205, 245)) * rng.normal(1, 0.03, 3)
        # A sheet as small as a card would have to be told from one: keep it away from the zone's middle.
        away += width / 2
    elif kind == "slab":
        width, length, height = float(rng.uniform(60, 80)), float(rng.uniform(90, 160)), float(rng.uniform(6, 22))
        plain = np.full(3, rng.uniform(10, 60)) if rng.random() < 0.5 else plain
        away += 40
    elif kind == "disc":
        width = length = float(rng.uniform(18, 95))
        height = float(rng.uniform(1, 5))
    else:
        width = length = float(rng.uniform(60, 95))
        height = float(rng.uniform(60, 120))
        away = float(rng.uniform(45, 105))
    other = np.clip(plain * float(rng.uniform(0.3, 0.9)), 0, 255) if rng.random() < 0.6 else rng.uniform(10, 230, 3)
    return Clutter(
        kind=kind,
        x=box.x + away * math.cos(side),
        y=box.y + away * math.sin(side),
        turn=float(rng.uniform(0, 360)),
        width=width,
        length=length,
        height=height,
        colours=(_colour(plain), _colour(other)),
    )


def _colour(parts: Points) -> Colour:
    blue, green, red = np.clip(parts, 0, 255).tolist()
    return blue, green, red


def lay_clutter(canvas: Canvas, item: Clutter) -> None:
    """Draw ``item`` over what lies there."""
    direction = np.array(canvas.light.direction)
    fallen = -direction[:2] / direction[2] * item.height
    blur = (0.4 + 0.4 * canvas.light.penumbra * item.height) * canvas.view.px_per_mm
    foot = _rim(item, 0.0)
    shift = np.array([*fallen, 0.0])
    cast = np.vstack([foot, foot + shift])
    canvas.shade(_hull(in_picture(canvas.view, cast)), blur, key=0.85, ambient=0.25)
    top, inner = item.colours
    if item.kind == "cup":
        foot = _rim(item, 0.0, 0.78)
    upper = in_picture(canvas.view, _rim(item, item.height))
    canvas.fill(_hull(np.vstack([in_picture(canvas.view, foot), upper])), _scaled(top, 0.7))
    canvas.fill(upper, top)
    if item.kind == "cup":
        canvas.fill(in_picture(canvas.view, _rim(item, item.height, 0.9)), _scaled(top, 0.55))
        canvas.fill(in_picture(canvas.view, _rim(item, 0.75 * item.height, 0.82)), inner)
    elif item.kind == "sheet":
        for line in np.arange(-0.85, 0.85, 9 / item.length * 2):
            ends = _place(item, np.array([[-0.8, line], [0.75 * math.cos(40 * line), line]]), item.height)
            pixels = np.round(in_picture(canvas.view, ends) * 16).astype(np.int32)
            cv2.line(canvas.albedo, pixels[0].tolist(), pixels[1].tolist(), inner, 1, cv2.LINE_AA, 4)
    else:
        canvas.fill(in_picture(canvas.view, _rim(item, item.height, 0.82)), inner)


def _rim(item: Clutter, z: float, share: float = 1.0) -> Points:
    """World points around ``item`` at height ``z``, drawn in to a ``share`` of its size."""
    return _place(item, share * (_ROUND if item.kind in ("disc", "cup") else _SQUARE), z)


def _place(item: Clutter, flat: Points, z: float) -> Points:
    across, down = orient(item.turn)
    middle = np.array([item.x, item.y, z])
    scaled = flat * [item.width / 2, item.length / 2]
    return np.asarray(middle + scaled[:, :1] * across + scaled[:, 1:] * down, np.float64)


def _hull(points: Points) -> Points:
    return np.asarray(cv2.convexHull(points.astype(np.float32)).reshape(-1, 2), np.float64)


def _scaled(colour: Colour, by: float) -> Colour:
    return by * colour[0], by * colour[1], by * colour[2]
