"""How much of a line there is beside a card's sides: what tells a card's edge from print and from the table's pattern.

A card's edge is a change of colour that is the same all along a side. Print and wood, cloth and stone change as
strongly, but now this way and now that way; along a side most of it cancels.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from referee.calibrate.deal.card_plane import LONG_MM, CardPlane, Floats, mapped
from referee.calibrate.deal.outlines import Quads
from referee.calibrate.deal.sharp_edges import sampled
from referee.vision.rectify import Image, project

STEP: Final = 0.25
"""Offsets at which a line is looked for lie so far apart, mm."""

_ALONG: Final = (0.1, 0.9)
"""The part of a side along which it is looked at; the corners are round."""

_NARROW: Final = (3, 8)
_EDGE_PX: Final = 0.6
"""Over how many steps a colour changes at an edge, at least and at most; so many pixels between."""

_HALF: Final = 2.5
"""A mean change that is so many times its own uncertainty counts half as much as any clearer one."""

_NOISE: Final = 1.0
"""What is added to that uncertainty, grey levels: smaller changes may be the camera's."""


def card_corners(pose: Floats, width: float, beyond: tuple[float, float] = (0.0, 0.0)) -> Floats:
    """Corners (4, 2), mm, of the card at a pose x, y, turn: top left, top right, bottom right, bottom left.

    Those of a larger rectangle reach ``beyond`` the card so far to either side, and to top and bottom.
    """
    cos, sin = np.cos(pose[2]), np.sin(pose[2])
    x, y = width / 2 + beyond[0], LONG_MM / 2 + beyond[1]
    half = np.array([[-x, -y], [x, -y], [x, y], [-x, y]])
    return np.asarray(half @ np.array([[cos, sin], [-sin, cos]]) + pose[:2], np.float64)


def side_lines(
    image: Image,
    plane: CardPlane,
    poses: Floats,
    inward: float,
    outward: float,
    turns: Floats,
    *,
    thin: bool = False,
    points: int = 24,
) -> Floats:
    """How much of a line there is beside every side of cards.

    Args:
        image: uint8 (H, W, 3) BGR.
        plane: the table plane, cards of exact size in it.
        poses: (N, 3) of x, y in mm and turn in radians.
        inward, outward: how far from a side lines are looked for, mm.
        turns: by which the cards may be turned further, radians, (T,).
        thin: leave of each line only where it is strongest.
        points: how many along each side are looked at.

    Returns:
        float64 (N, T, 4 sides, offsets from inward to outward in steps of ``STEP``), 0 to 1.
    """
    offsets = np.arange(-inward, outward + STEP / 2, STEP)
    at_shares = np.linspace(*_ALONG, points)
    corners = np.array([card_corners(pose, plane.card_width) for pose in poses])
    sides = np.roll(corners, -1, axis=1) - corners
    lengths = np.linalg.norm(sides, axis=2)
    away = np.stack([sides[..., 1], -sides[..., 0]], axis=2) / lengths[..., None]
    gap = int(np.clip(round(_EDGE_PX * _mm_per_px(plane, corners) / STEP), *_NARROW))
    slack = np.ceil(0.5 * LONG_MM * float(np.tan(np.abs(turns).max())) / STEP + gap) * STEP
    reach = np.arange(-inward - slack, outward + slack + STEP / 2, STEP)
    at = corners[:, :, None] + at_shares[:, None] * sides[:, :, None]
    grid = at[..., None, :] + reach[:, None] * away[:, :, None, None, :]
    at_px = project(plane.plane_to_image, grid.reshape(-1, 2)).reshape(-1, len(reach), 2)
    seen = sampled(image, at_px)
    change = (seen[:, gap:] - seen[:, :-gap]).reshape(*at.shape[:3], -1, 3)
    first = reach[0] + 0.5 * gap * STEP
    card, side, along = np.ogrid[: len(poses), :4, :points]
    lines = np.empty((len(poses), len(turns), 4, len(offsets)))
    for i, turn in enumerate(turns):
        # A card turned clockwise leaves each side's line outward where the side begins and inward where it ends.
        shift = np.tan(turn) * (0.5 - at_shares) * lengths[..., None]
        place = np.rint((offsets + shift[..., None] - first) / STEP).astype(int)
        there = change[card[..., None], side[..., None], along[..., None], place]
        mean = there.mean(axis=2)
        square = (mean**2).sum(axis=-1)
        spread = np.maximum(0.0, (there**2).sum(axis=-1).mean(axis=2) - square)
        clear = square / (np.sqrt(spread / points) + _NOISE) ** 2
        lines[:, i] = clear / (clear + _HALF**2)
        if thin:
            flat = square.reshape(-1, len(offsets)).astype(np.float32)
            strongest = cv2.dilate(flat, np.ones((1, 2 * gap + 1), np.uint8)).reshape(square.shape)
            lines[:, i] *= square / np.maximum(strongest, 1e-6)
    return lines


def _mm_per_px(plane: CardPlane, corners: Quads) -> float:
    """How large a pixel is where cards with these ``corners`` (N, 4, 2), mm, lie."""
    seen = mapped(plane.plane_to_image, corners)
    px, mm = (np.linalg.norm(quads[:, 2] - quads[:, 0], axis=1) for quads in (seen, corners))
    return float(np.median(mm / np.maximum(px, 1e-6)))
