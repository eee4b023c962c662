"""The skin of an arm at rest: a smooth surface grown round the bones, made once.

The surface is where a distance field is zero. The field is a smooth union of tapering capsules for fingers and bones
of the hand, and of ellipsoids for the balls of thumb and hand; naive surface nets turn it into triangles.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from referee.simulate.render.skeleton import BONES

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]

_CELL: Final = 4.0
_LOW: Final = (-92.0, -64.0, -46.0)
_HIGH: Final = (72.0, 200.0, 36.0)
_WRIST_END: Final = -58.0
"""Where the hand's own surface ends and the forearm's tube takes over."""

_ARM_END: Final = -640.0

_ELLIPSOIDS: Final = (
    # Centre, half axes, softness of the union.
    ((-30.0, 40.0, -15.0), (15.0, 27.0, 13.0), 12.0),  # ball of the thumb
    ((27.0, 34.0, -13.0), (13.0, 31.0, 12.0), 12.0),  # ball of the little finger
    ((0.0, 42.0, -1.0), (33.0, 42.0, 14.0), 10.0),  # palm
    ((-2.0, -2.0, -2.0), (26.0, 40.0, 16.5), 20.0),  # wrist
    ((-26.0, 62.0, -6.0), (8.0, 20.0, 10.0), 10.0),  # web of the thumb
)


@dataclass(frozen=True, slots=True, eq=False)
class Flesh:
    """A surface bound to bones.

    Attributes:
        points: float32 (N, 3), at rest.
        normals: float32 (N, 3), at rest.
        weights: float32 (N, bones), how much each vertex follows each bone; rows sum to 1.
        tones: float32 (N, 3), what the skin's colour is multiplied with, blue first.
        triangles: int32 (M, 3).
    """

    points: Floats
    normals: Floats
    weights: Floats
    tones: Floats
    triangles: Ints


def arm_section(along: Floats) -> tuple[Floats, Floats, Floats]:
    """Half width, half height and middle's height of the forearm at each y (0 at the wrist, negative to the elbow)."""
    back = np.clip(-along / 250.0, 0, 1)
    swell = np.sin(np.minimum(back * 1.25, 1) * np.pi / 2)
    wide = 27.0 + 15.5 * swell + 5.0 * np.clip(-along - 250, 0, 200) / 200
    high = 18.5 + 17.5 * swell + 8.0 * np.clip(-along - 250, 0, 200) / 200
    return wide.astype(np.float32), high.astype(np.float32), (-2.0 - 6.0 * swell).astype(np.float32)


def _smooth_min(a: Floats, b: Floats, softness: float) -> Floats:
    blend = np.maximum(softness - np.abs(a - b), 0) / softness
    return np.asarray(np.minimum(a, b) - blend * blend * (softness / 4), np.float32)


def _capsule(
    points: Floats, head: npt.ArrayLike, tail: npt.ArrayLike, r0: float, r1: float, waist: float = 0.0
) -> Floats:
    start = np.asarray(head, np.float32)
    axis = np.asarray(tail, np.float32) - start
    share = np.clip((points - start) @ axis / np.float32(axis @ axis), 0, 1)
    away = np.linalg.norm(points - start - share[:, None] * axis, axis=1)
    return np.asarray(away - (r0 + (r1 - r0) * share - waist * np.sin(np.pi * share)), np.float32)


def field(points: Floats) -> Floats:
    """Signed distance to the skin at rest, mm, about right near the skin; float32 (N,), negative inside."""
    flat = points * np.array([1, 1, 1.12], np.float32)  # the hand's bones lie in flesh that is wider than thick
    hand = np.full(len(points), 1e3, np.float32)
    for bone in BONES[2:14:3]:
        knuckle = np.asarray(bone.head)
        direction = np.subtract(bone.tail, bone.head) / np.linalg.norm(np.subtract(bone.tail, bone.head))
        start = np.array([knuckle[0] * 0.45, 6.0, -1.0])
        web = knuckle + direction * 13 - np.array([0, 0, 3.0])
        hand = _smooth_min(hand, _capsule(flat, start, web, 13.0, bone.radii[0] - 0.8), 9.0)
        bump = np.linalg.norm(points - np.add(knuckle, (0, 0, 3.2)).astype(np.float32), axis=1) - (bone.radii[0] - 1.4)
        hand = _smooth_min(hand, np.asarray(bump, np.float32), 5.0)
    for centre, half, softness in _ELLIPSOIDS:
        scaled = np.linalg.norm((points - np.asarray(centre, np.float32)) / np.asarray(half, np.float32), axis=1)
        hand = _smooth_min(hand, np.asarray((scaled - 1) * min(half), np.float32), softness)
    fingers = np.full(len(points), 1e3, np.float32)
    for first in (2, 5, 8, 11):
        chain = np.full(len(points), 1e3, np.float32)
        for bone in BONES[first : first + 3]:
            chain = _smooth_min(chain, _capsule(points, bone.head, bone.tail, *bone.radii, waist=0.7), 2.0)
        fingers = np.minimum(fingers, chain)
    thumb = np.full(len(points), 1e3, np.float32)
    for bone in BONES[14:17]:
        thumb = _smooth_min(thumb, _capsule(points, bone.head, bone.tail, *bone.radii, waist=0.8), 3.0)
    wide, high, middle = arm_section(points[:, 1])
    round_ = np.hypot(points[:, 0] / wide, (points[:, 2] - middle) / high)
    arm = np.maximum((round_ - 1) * high, points[:, 1] - 8)
    hand = _smooth_min(hand, thumb, 9.0)
    hand = _smooth_min(hand, np.asarray(arm, np.float32), 10.0)
    return _smooth_min(hand, fingers, 5.0)


def _gradient(points: Floats) -> Floats:
    step = 0.4
    slopes = [
        field(points + np.eye(3, dtype=np.float32)[axis] * step)
        - field(points - np.eye(3, dtype=np.float32)[axis] * step)
        for axis in range(3)
    ]
    slope = np.stack(slopes, axis=1)
    return np.asarray(slope / np.maximum(np.linalg.norm(slope, axis=1, keepdims=True), 1e-6), np.float32)


def _surface_nets() -> tuple[Floats, Ints]:
    """Vertices near the skin, one in each cell it passes, and triangles between them."""
    axes = [np.arange(low, high, _CELL, dtype=np.float32) for low, high in zip(_LOW, _HIGH, strict=True)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    shape = grid.shape[:3]
    value = field(grid.reshape(-1, 3)).reshape(shape)
    inside = value < 0
    total = np.zeros((*(n - 1 for n in shape), 3), np.float32)
    count = np.zeros(total.shape[:3], np.float32)
    corner = [slice(0, -1), slice(1, None)]
    for axis in range(3):
        # Each cell has four edges along each axis: where the field changes sign on one, the skin crosses it.
        for first in range(2):
            for second in range(2):
                ends = []
                for end in range(2):
                    pick = [corner[first], corner[second]]
                    pick.insert(axis, corner[end])
                    ends.append(tuple(pick))
                a, b = value[ends[0]], value[ends[1]]
                cross = inside[ends[0]] != inside[ends[1]]
                share = np.where(cross, a / np.where(cross, a - b, 1), 0)[..., None]
                total += np.where(cross[..., None], grid[ends[0]] * (1 - share) + grid[ends[1]] * share, 0)
                count += cross
    used = count > 0
    number = np.full(count.shape, -1, np.int64)
    number[used] = np.arange(int(used.sum()))
    points = total[used] / count[used][:, None]
    quads = []
    for axis in range(3):
        low, high = [slice(1, -1)] * 3, [slice(1, -1)] * 3
        low[axis], high[axis] = slice(0, -1), slice(1, None)
        cross = inside[tuple(low)] != inside[tuple(high)]
        places = np.argwhere(cross) + [0 if axis == other else 1 for other in range(3)]
        u, v = np.eye(3, dtype=np.int64)[[other for other in range(3) if other != axis]]
        around = [places, places - u, places - u - v, places - v]
        quads.append(np.stack([number[tuple(cell.T)] for cell in around], axis=1))
    quad = np.concatenate(quads)
    quad = quad[(quad >= 0).all(axis=1)]
    return np.asarray(points, np.float32), np.concatenate([quad[:, [0, 1, 2]], quad[:, [0, 2, 3]]]).astype(np.int32)


def _bound(points: Floats) -> Floats:
    """How much each point follows each bone."""
    near = np.empty((len(points), len(BONES)), np.float32)
    for number, bone in enumerate(BONES):
        radius = 0.5 * (bone.radii[0] + bone.radii[1])
        near[:, number] = (_capsule(points, bone.head, bone.tail, 0, 0) / radius) ** 2 + 0.02
    palm = [_capsule(points, (b.head[0] * 0.45, 4, -1), np.asarray(b.head), 0, 0) / 13.0 for b in BONES[2:14:3]]
    near[:, 1] = np.min(palm, axis=0) ** 2 + 0.02
    weights = near**-4.0
    # A finger's skin must not follow its neighbour: only the nearest finger counts, however close the next one is.
    chains = np.stack(
        [near[:, [n for n, b in enumerate(BONES) if b.finger == f]].min(axis=1) for f in range(5)], axis=1
    )
    share = chains**-9.0
    share /= share.sum(axis=1, keepdims=True)
    for number, bone in enumerate(BONES):
        if bone.finger >= 0:
            weights[:, number] *= share[:, bone.finger]
    weights /= weights.sum(axis=1, keepdims=True)
    return np.asarray(weights, np.float32)


def _mottle(points: Floats) -> Floats:
    """Smooth irregular pattern of about unit size, float32 (N,)."""
    waves = ((0.061, 0.043, 0.078), (-0.112, 0.087, 0.031), (0.203, -0.161, 0.124), (0.35, 0.41, -0.27))
    return np.asarray(
        sum(np.sin(points @ np.array(w, np.float32) + 2.3 * i) for i, w in enumerate(waves)) / 2, np.float32
    )


def _tones(points: Floats, normals: Floats) -> Floats:
    """Redder knuckles and fingertips, paler palm and nails, irregular everywhere; multiplies the skin's colour."""
    red = np.zeros(len(points), np.float32)
    crease = np.zeros(len(points), np.float32)
    nail = np.zeros(len(points), np.float32)
    for number, bone in enumerate(BONES[2:], start=2):
        head, tail = np.asarray(bone.head, np.float32), np.asarray(bone.tail, np.float32)
        along = (tail - head) / np.linalg.norm(tail - head)
        out = -np.cross(np.asarray(bone.axis, np.float32), along)
        local = points - head
        back = np.clip(normals @ out, 0, 1)
        near_joint = np.exp(-np.sum(local**2, axis=1) / (2 * 7.0**2))
        red += 0.55 * near_joint * back
        last = (number - 2) % 3 == 2
        if (number - 2) % 3 and number < 14:
            step = local @ along
            close = np.linalg.norm(local, axis=1) < 13
            crease += close * back * sum(np.exp(-((step - at) ** 2) / 1.2) for at in (-3.0, 0.5, 3.5))
        if last:
            from_tip = (points - tail) @ along
            side = np.abs((points - tail) @ np.asarray(bone.axis, np.float32))
            close = np.linalg.norm(points - tail, axis=1) < 16
            red += 0.5 * close * np.exp(-((from_tip - 3) ** 2) / 60)
            reach = bone.radii[1]
            window = (np.abs(from_tip - 0.15 * reach) < 0.95 * reach) & (side < 0.72 * reach) & (normals @ out > 0.25)
            nail = np.maximum(nail, (close & window).astype(np.float32))
    red = np.clip(red, 0, 1)[:, None]
    tone = np.ones((len(points), 3), np.float32)
    tone *= 1 + np.array([0.03, 0.03, 0.025], np.float32) * _mottle(points)[:, None]
    tone *= 1 - red * np.array([0.22, 0.20, 0.05], np.float32)
    tone *= 1 - 0.16 * np.clip(crease, 0, 1)[:, None]
    palm = np.clip(-normals[:, 2:] * 1.5 - 0.2, 0, 1)
    tone *= 1 + palm * np.array([0.12, 0.10, 0.10], np.float32)
    return np.asarray(tone * (1 + nail[:, None] * np.array([0.50, 0.34, 0.14], np.float32)), np.float32)


def _forearm() -> tuple[Floats, Floats, Ints]:
    along = np.concatenate([np.linspace(_WRIST_END + 10, -250, 16), np.linspace(-280, _ARM_END, 8)]).astype(np.float32)
    turn = np.linspace(0, 2 * np.pi, 25)[:-1].astype(np.float32)
    wide, high, middle = arm_section(along)
    x = np.outer(wide, np.cos(turn))
    z = middle[:, None] + np.outer(high, np.sin(turn))
    y = np.repeat(along[:, None], len(turn), axis=1)
    points = np.stack([x, y, z], axis=-1).reshape(-1, 3)
    normals = np.stack([np.outer(high, np.cos(turn)), 0 * y, np.outer(wide, np.sin(turn))], axis=-1).reshape(-1, 3)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return np.asarray(points, np.float32), np.asarray(normals, np.float32), tube_triangles(len(along), len(turn))


def tube_triangles(rings: int, sides: int) -> Ints:
    """Triangles of a tube of ``rings`` rings with ``sides`` vertices each."""
    ring, side = np.meshgrid(np.arange(rings - 1), np.arange(sides), indexing="ij")
    a, b = ring * sides + side, ring * sides + (side + 1) % sides
    quads = np.stack([a, b, b + sides, a, b + sides, a + sides], axis=-1)
    return quads.reshape(-1, 3).astype(np.int32)


@functools.cache
def arm() -> Flesh:
    """A right arm at rest, palm down, fingers straight."""
    points, triangles = _surface_nets()
    for _ in range(3):
        points = np.asarray(points - 0.8 * field(points)[:, None] * _gradient(points), np.float32)
    keep = (points[triangles][..., 1] > _WRIST_END).all(axis=1)
    used = np.unique(triangles[keep])
    renumber = np.full(len(points), -1, np.int32)
    renumber[used] = np.arange(len(used), dtype=np.int32)
    points, triangles = points[used], renumber[triangles[keep]]
    normals = _gradient(points)
    arm_points, arm_normals, arm_triangles = _forearm()
    weights = _bound(points)
    arm_weights = np.zeros((len(arm_points), len(BONES)), np.float32)
    arm_weights[:, 0] = 1
    # Behind the wrist everything follows the forearm, so that hand and tube meet without a step.
    hold = np.clip((points[:, 1:2] + 12) / -30, 0, 1)
    weights = weights * (1 - hold) + hold * np.eye(len(BONES), dtype=np.float32)[0]
    every_point = np.concatenate([points, arm_points])
    every_normal = np.concatenate([normals, arm_normals])
    return Flesh(
        every_point,
        every_normal,
        np.concatenate([weights, arm_weights]).astype(np.float32),
        _tones(every_point, every_normal),
        np.concatenate([triangles, arm_triangles + len(points)]).astype(np.int32),
    )
