"""Cards looked for where they should be: how well the picture bears out a card of exact size at about some place.

This finds cards that gave no outline of their own, because they are white on white, lie on a loud pattern or touch
something.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from referee.calibrate.deal.card_lines import STEP, side_lines
from referee.calibrate.deal.card_plane import CardPlane, Floats, card_errors, mapped
from referee.calibrate.deal.outlines import Quads
from referee.vision.rectify import Image

_TURNS: Final = np.radians(np.arange(-3.0, 3.01, 0.75))
_FEW_TURNS: Final = np.radians([-2.0, 0.0, 2.0])
_POINTS, _FEW_POINTS = 24, 10
_REACH: Final = 4.0


def fit_cards(image: Image, plane: CardPlane, poses: Floats) -> tuple[Floats, Floats]:
    """Where near each pose a card lies, if one does.

    Args:
        image: uint8 (H, W, 3) BGR.
        plane: the table plane, cards of exact size in it.
        poses: (N, 3) of x, y in mm and turn in radians, exact to ``_REACH`` mm and 3 degrees.

    Returns:
        the better poses (N, 3), and how much of its outline each shows, float64 (N,), 0 to 1.
    """
    return _fitted(image, plane, poses, _TURNS, _POINTS)


def likely_cards(image: Image, plane: CardPlane, poses: Floats, most: int) -> tuple[Floats, Floats, float]:
    """As ``fit_cards``, of many poses the ``most`` likeliest; also what the median of all of them shows."""
    _, rough = _fitted(image, plane, poses, _FEW_TURNS, _FEW_POINTS)
    best = np.argsort(-rough, kind="stable")[:most]
    return *fit_cards(image, plane, poses[best]), float(np.median(rough))


def _fitted(image: Image, plane: CardPlane, poses: Floats, turns: Floats, points: int) -> tuple[Floats, Floats]:
    lines = side_lines(image, plane, poses, _REACH, _REACH, turns, points=points)
    # How far towards its first and second side a card of exact size lies best between opposite sides.
    pairs = lines[:, :, :2] + lines[:, :, 2:, ::-1]
    shift = pairs.argmax(axis=3) * STEP - _REACH
    total = pairs.max(axis=3).sum(axis=2)
    best = total.argmax(axis=1)
    each = np.arange(len(poses))
    dx, dy = shift[each, best, 1], -shift[each, best, 0]
    cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    better = np.column_stack(
        [poses[:, 0] + dx * cos - dy * sin, poses[:, 1] + dx * sin + dy * cos, poses[:, 2] + turns[best]]
    )
    return better, total[each, best] / 4


def card_poses(plane: CardPlane, quads: Quads) -> Floats:
    """Where a card fits each outline best: (N, 3) of x, y (mm) and the turn of its long axis (radians)."""
    flat = mapped(plane.image_to_plane, quads)
    model = flat - card_errors(flat, plane.card_width)
    sides = np.roll(model, -1, axis=1) - model
    lengths = np.linalg.norm(sides, axis=2)
    # Up the card is the way of one of its long sides.
    up = np.where((lengths[:, 1] > lengths[:, 0])[:, None], -sides[:, 1], sides[:, 0])
    return np.column_stack([model.mean(axis=1), np.arctan2(up[:, 0], -up[:, 1])])
