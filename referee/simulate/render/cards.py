"""The card as a body: a rounded rectangle of 0.3 mm board that can bend."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from referee.simulate.scene import CardPose

THICKNESS: Final = 0.3
"""Thickness of a card, mm."""

CORNER: Final = 3.2
"""Radius of a card's corners, mm."""

_ARC: Final = 4

Floats = npt.NDArray[np.float32]

POSE_FLOATS: Final = 15
"""Floats a card takes in ``pose_rows``."""


def card_mesh(width: float, height: float, *, bends: bool) -> tuple[Floats, npt.NDArray[np.int32]]:
    """The mesh of a card lying face up, read by seat A.

    Args:
        width, height: of the card, mm.
        bends: whether the mesh is fine enough to be bent; a flat one has few triangles.

    Returns:
        Vertices float32 (N, 6): x, y, z mm (z from 0 to ``THICKNESS``), texture u, v (0 to 1 from the top left of the
        face), side (0 face, 1 back, 2 edge); and triangles int32 (M, 3).
    """
    rows: list[tuple[float, float]] = []
    for step in range(_ARC + 1):
        turn = math.pi / 2 * step / _ARC
        rows.append((-height / 2 + CORNER * (1 - math.sin(turn)), width / 2 - CORNER * (1 - math.cos(turn))))
    rows = sorted(rows)
    # Between the rounded ends a few rows more let the card bend smoothly.
    rows_between = 6 if bends else 0
    places = np.linspace(-height / 2 + CORNER, height / 2 - CORNER, rows_between + 2)[1:-1]
    inner = [(float(y), width / 2) for y in places]
    columns = 5 if bends else 2
    outline = [(y, half) for y, half in rows] + inner + [(-y, half) for y, half in reversed(rows)]
    vertices: list[tuple[float, ...]] = []
    triangles: list[tuple[int, int, int]] = []
    for side, z in ((0.0, THICKNESS), (1.0, 0.0)):
        first = len(vertices)
        for y, half in outline:
            for x in np.linspace(-half, half, columns):
                vertices.append((float(x), y, z, float(x) / width + 0.5, y / height + 0.5, side))
        for row in range(len(outline) - 1):
            for column in range(columns - 1):
                a = first + row * columns + column
                triangles += [(a, a + 1, a + columns), (a + 1, a + columns + 1, a + columns)]
    rim = [(half, y) for y, half in outline] + [(-half, y) for y, half in reversed(outline)]
    first = len(vertices)
    for x, y in rim:
        for z in (THICKNESS, 0.0):
            vertices.append((x, y, z, x / width + 0.5, y / height + 0.5, 2.0))
    for i in range(len(rim)):
        a, b = first + 2 * i, first + 2 * ((i + 1) % len(rim))
        triangles += [(a, b, a + 1), (b, b + 1, a + 1)]
    return np.asarray(vertices, np.float32), np.asarray(triangles, np.int32)


def rotation(pose: CardPose) -> Floats:
    """How the pose turns the card about its centre: float32 (3, 3), table direction = matrix @ card direction."""
    yaw, flip, pitch, roll = (math.radians(a) for a in (pose.yaw, pose.flip, pose.pitch, pose.roll))
    turned = np.array([[math.cos(yaw), -math.sin(yaw), 0], [math.sin(yaw), math.cos(yaw), 0], [0, 0, 1]])
    # The card's y runs down its face, so a raised top end is z falling with y.
    pitched = np.array([[1, 0, 0], [0, math.cos(pitch), math.sin(pitch)], [0, -math.sin(pitch), math.cos(pitch)]])
    about = -(flip + roll)
    rolled = np.array([[math.cos(about), 0, math.sin(about)], [0, 1, 0], [-math.sin(about), 0, math.cos(about)]])
    return np.asarray(turned @ pitched @ rolled, np.float32)


def pose_rows(poses: Sequence[CardPose]) -> Floats:
    """The poses as the renderer takes them, float32 (N, 15): centre, rotation by rows, card code, bend, unevenness."""
    rows = np.empty((len(poses), POSE_FLOATS), np.float32)
    for row, pose in zip(rows, poses, strict=True):
        row[0:3] = (pose.x, pose.y, pose.z + THICKNESS / 2)
        row[3:12] = rotation(pose).ravel()
        row[12] = pose.card.code
        row[13] = pose.bend
        # Every card is bent its own way by use, which shows in its sheen.
        row[14] = math.sin(12.9898 * pose.card.code + 4.1)
    return rows


def corners(pose: CardPose, width: float, height: float) -> Floats:
    """The pose's four corners, float32 (4, 3): top left, top right, bottom right, bottom left of the face as read."""
    flat = np.array(
        [
            (-width / 2, -height / 2, 0),
            (width / 2, -height / 2, 0),
            (width / 2, height / 2, 0),
            (-width / 2, height / 2, 0),
        ],
        np.float32,
    )
    return np.asarray(flat @ rotation(pose).T + np.array([pose.x, pose.y, pose.z], np.float32), np.float32)
