"""Cards looked for where they should be: how well the picture bears out a card of exact size at about some place.

This finds cards that gave no outline of their own, because they are white on white, lie on a loud pattern or touch
something; and it notices that what was taken for cards are frames printed on cards, for then larger rectangles of
cards' proportions lie around them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from referee.calibrate.card_plane import LONG_MM, CardPlane, Floats, card_errors, mapped
from referee.calibrate.outlines import Quads
from referee.calibrate.sharp_edges import sampled
from referee.vision.rectify import Image

_STEP: Final = 0.25
_ALONG: Final = np.linspace(0.1, 0.9, 24)
_TURNS: Final = np.radians(np.arange(-3.0, 3.01, 0.5))
_REACH: Final = 4.0
_FAINT: Final = 10.0
"""An edge of so many grey levels over three quarters of a millimetre counts half as much as any stronger one."""

_FRAME_MARGINS: Final = np.arange(2.5, 10.1, 0.5)
_OFF_CENTRE: Final = 1.5
"""A frame is printed so exactly in the middle of its card, mm."""


def fit_cards(image: Image, plane: CardPlane, poses: Floats) -> tuple[Floats, Floats]:
    """Where near each pose a card lies, if one does.

    Args:
        image: uint8 (H, W, 3) BGR.
        plane: the table plane, cards of exact size in it.
        poses: (N, 3) of x, y in mm and turn in radians, exact to ``_REACH`` mm and 3 degrees.

    Returns:
        the better poses (N, 3), and how much of its outline each shows, float64 (N,), 0 to 1.
    """
    lines = _lines(image, plane, poses, _REACH, _REACH)
    better = np.empty_like(poses)
    support = np.empty(len(poses))
    for i, pose in enumerate(poses):
        across = [_split(lines[i, turn, 1], lines[i, turn, 3], _REACH) for turn in range(len(_TURNS))]
        along = [_split(lines[i, turn, 0], lines[i, turn, 2], _REACH) for turn in range(len(_TURNS))]
        total = [one[1] + other[1] for one, other in zip(across, along, strict=True)]
        best = int(np.argmax(total))
        cos, sin = np.cos(pose[2]), np.sin(pose[2])
        dx, dy = across[best][0], -along[best][0]
        better[i] = (pose[0] + dx * cos - dy * sin, pose[1] + dx * sin + dy * cos, pose[2] + _TURNS[best])
        support[i] = total[best] / 4
    return better, support


def framed(image: Image, plane: CardPlane, poses: Floats) -> float:
    """How much larger rectangles around cards at ``poses`` show, as a share of what the cards' own outlines show."""
    lines = _lines(image, plane, poses, _OFF_CENTRE, float(_FRAME_MARGINS[-1]) + _OFF_CENTRE)

    def shown(margin: float) -> float:
        at = round((margin + _OFF_CENTRE) / _STEP)
        off = round(_OFF_CENTRE / _STEP)
        both = [
            np.max([lines[:, :, one, at + d] + lines[:, :, other, at - d] for d in range(-off, off + 1)], axis=0)
            for one, other in ((0, 2), (1, 3))
        ]
        # The worse of a card's two directions: a shadow or a neighbour makes a line on one side, not all around.
        return float(np.median(np.minimum(*both).max(axis=1)))

    return max(shown(margin) for margin in _FRAME_MARGINS) / max(shown(0.0), 1e-6)


def card_poses(plane: CardPlane, quads: Quads) -> Floats:
    """Where a card fits each outline best: (N, 3) of x, y (mm) and the turn of its long axis (radians)."""
    flat = mapped(plane.image_to_plane, quads)
    model = flat - card_errors(flat, plane.card_width)
    sides = np.roll(model, -1, axis=1) - model
    lengths = np.linalg.norm(sides, axis=2)
    # Up the card is the way of one of its long sides.
    up = np.where((lengths[:, 1] > lengths[:, 0])[:, None], -sides[:, 1], sides[:, 0])
    return np.column_stack([model.mean(axis=1), np.arctan2(up[:, 0], -up[:, 1])])


def card_corners(pose: Floats, width: float) -> Floats:
    """Corners (4, 2), mm, of the card at a pose x, y, turn: top left, top right, bottom right, bottom left."""
    cos, sin = np.cos(pose[2]), np.sin(pose[2])
    half = np.array([[-width, -LONG_MM], [width, -LONG_MM], [width, LONG_MM], [-width, LONG_MM]]) / 2
    return np.asarray(half @ np.array([[cos, sin], [-sin, cos]]) + pose[:2], np.float64)


def _lines(image: Image, plane: CardPlane, poses: Floats, inward: float, outward: float) -> Floats:
    """How much of a line there is beside every side: (cards, turns, 4 sides, offsets outward), 0 to 1."""
    offsets = np.arange(-inward, outward + _STEP / 2, _STEP)
    corners = np.array([card_corners(pose, plane.card_width) for pose in poses])
    sides = np.roll(corners, -1, axis=1) - corners
    lengths = np.linalg.norm(sides, axis=2)
    away = np.stack([sides[..., 1], -sides[..., 0]], axis=2) / lengths[..., None]
    slack = np.ceil(0.5 * LONG_MM * float(np.tan(_TURNS[-1]))) + 3 * _STEP
    reach = np.arange(-inward - slack, outward + slack + _STEP / 2, _STEP)
    at = corners[:, :, None] + _ALONG[:, None] * sides[:, :, None]
    grid = at[..., None, :] + reach[:, None] * away[:, :, None, None, :]
    flat = grid.reshape(-1, 2) @ plane.plane_to_image[:, :2].T + plane.plane_to_image[:, 2]
    seen = sampled(image, (flat[:, :2] / flat[:, 2:]).reshape(-1, len(reach), 2))
    change = np.abs(seen[:, 3:] - seen[:, :-3]).mean(axis=2)
    edge = (change / (change + _FAINT)).reshape(*at.shape[:3], -1)
    first = reach[0] + 1.5 * _STEP
    lines = np.empty((len(poses), len(_TURNS), 4, len(offsets)))
    for i, turn in enumerate(_TURNS):
        # A card turned clockwise leaves each side's line outward where the side begins and inward where it ends.
        shift = np.tan(turn) * (0.5 - _ALONG) * lengths[..., None]
        place = (offsets + shift[..., None] - first) / _STEP
        below = np.clip(np.floor(place).astype(int), 0, edge.shape[-1] - 2)
        part = np.clip(place - below, 0, 1)
        low = np.take_along_axis(edge, below, axis=3)
        high = np.take_along_axis(edge, below + 1, axis=3)
        lines[:, i] = (low * (1 - part) + high * part).mean(axis=2)
    return lines


def _split(one: Floats, other: Floats, reach: float) -> tuple[float, float]:
    """How far towards ``one`` a card of exact size lies best between two opposite sides, and its lines' strength."""
    together = one + other[::-1]
    best = int(together.argmax())
    return best * _STEP - reach, float(together[best])
