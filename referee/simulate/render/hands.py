"""Arms in the scene: from a hand's pose to the triangles of skin and sleeve."""

from __future__ import annotations

import functools
import math

import numpy as np
import numpy.typing as npt

from referee.simulate.render.flesh import Flesh, arm, arm_section, tube_triangles
from referee.simulate.render.look import SLEEVES, Player
from referee.simulate.render.skeleton import PALM, bend, moved, pad, posture
from referee.simulate.render.stage import Body
from referee.simulate.scene import HandPose, HandShape

Floats = npt.NDArray[np.float32]

_SIDES = 28
_RINGS = 36


def arm_bodies(pose: HandPose, player: Player) -> tuple[Body, ...]:
    """The arm of ``player`` in ``pose``: its skin, and its sleeve."""
    angles = posture(pose.previous, pose.curl) * (1 - pose.blend) + posture(pose.shape, pose.curl) * pose.blend
    moves = bend(angles)
    grip = 0.5 * (moved(moves, pad(0)) + moved(moves, pad(4)))
    flat = float(pose.shape is HandShape.SLAP) * pose.blend + float(pose.previous is HandShape.SLAP) * (1 - pose.blend)
    anchor = grip * (1 - flat) + moved(moves, PALM) * flat
    frame, offset = _placed(pose, player, anchor)
    skin = _skin(moves, frame, offset, player)
    if player.sleeve > 245:
        return (skin,)
    return skin, _sleeve(moves, frame, offset, player)


def _placed(pose: HandPose, player: Player, anchor: npt.NDArray[np.float64]) -> tuple[Floats, Floats]:
    """How places in the hand's frame become places on the table: table = frame @ place + offset."""
    yaw = math.radians(pose.yaw)
    side = np.array([math.cos(yaw), math.sin(yaw), 0.0]) * (1 if pose.right else -1)
    forward = np.array([math.sin(yaw), -math.cos(yaw), 0.0])
    frame = np.column_stack([side, forward, [0.0, 0.0, 1.0]]) * player.size
    offset = np.array([pose.x, pose.y, pose.z]) - frame @ anchor
    return frame.astype(np.float32), offset.astype(np.float32)


def _skin(moves: npt.NDArray[np.float64], frame: Floats, offset: Floats, player: Player) -> Body:
    flesh: Flesh = arm()
    bones = moves.reshape(len(moves), 12).astype(np.float32)
    # Not a matrix product: this small, it costs more in waking the threads of a linear algebra library than it saves.
    blended = np.einsum("nb,bk->nk", flesh.weights, bones).reshape(-1, 3, 4)
    points = np.einsum("nij,nj->ni", blended[:, :, :3], flesh.points) + blended[:, :, 3]
    normals = np.einsum("nij,nj->ni", blended[:, :, :3], flesh.normals)
    colours = flesh.tones * np.asarray(player.skin, np.float32)
    return Body(
        _vertices(points, normals, colours, np.zeros((len(points), 2), np.float32), frame, offset), flesh.triangles, 0
    )


def _vertices(points: Floats, normals: Floats, colours: Floats, uv: Floats, frame: Floats, offset: Floats) -> Floats:
    turned = normals @ frame.T
    turned /= np.maximum(np.linalg.norm(turned, axis=1, keepdims=True), 1e-6)
    return np.hstack([points @ frame.T + offset, turned, colours, uv]).astype(np.float32)


@functools.cache
def _cloth(end: float) -> tuple[Floats, Floats, Floats, Floats]:
    """A sleeve at rest that ends ``end`` mm behind the wrist: points, normals, shade as colour, uv."""
    along = np.concatenate([[-end - 3.0], -end - np.linspace(0, 1, _RINGS - 1) ** 1.5 * (630 - end)]).astype(np.float32)
    turn = np.linspace(0, 2 * np.pi, _SIDES + 1)[:-1].astype(np.float32)
    wide, high, middle = arm_section(along)
    y, angle = np.meshgrid(along, turn, indexing="ij")
    # Cloth hangs loose and folds across the arm, more so near the cuff.
    folds = 1.6 * np.sin(y * 0.11 + 1.7 * np.sin(angle * 2 + y * 0.013)) + 1.1 * np.sin(y * 0.23 + 3 * angle)
    loose = 6.5 + folds
    loose[0] -= 5.0  # the cuff is turned in, so that no hollow tube is seen
    x = (wide[:, None] + loose) * np.cos(angle)
    z = middle[:, None] - 1.0 + (high[:, None] + loose) * np.sin(angle)
    points = np.stack([x, y, z], axis=-1).astype(np.float32)
    tangent_y = np.gradient(points, axis=0)
    tangent_a = np.roll(points, -1, axis=1) - np.roll(points, 1, axis=1)
    normals = np.cross(tangent_a, tangent_y)
    normals *= np.sign(
        np.sum(normals * np.stack([np.cos(angle), 0 * y, np.sin(angle)], axis=-1), axis=-1, keepdims=True)
    )
    normals /= np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-6)
    shade = 1 + 0.05 * folds
    shade[0] = 0.55
    uv = np.stack([angle * 38.0, y], axis=-1)
    flat = [a.reshape(-1, a.shape[-1]) for a in (points, normals, np.repeat(shade[..., None], 3, axis=-1), uv)]
    a, b, c, d = (np.asarray(part, np.float32) for part in flat)
    return a, b, c, d


def resting_sleeve(cuff: tuple[float, float], yaw: float, width: float, player: Player) -> Body:
    """An empty sleeve that lies across the table, the end of its cuff at ``cuff``, coming from ``yaw``'s near side."""
    points, normals, shade, uv = _cloth(60)
    turn = math.radians(yaw)
    scale = width / 92.0
    side, forward = np.array([math.cos(turn), math.sin(turn), 0.0]), np.array([math.sin(turn), -math.cos(turn), 0.0])
    # Without an arm in it the cloth lies flat.
    frame = np.column_stack([side * 1.15, forward, [0.0, 0.0, 0.22]]) * scale
    offset = np.array([*cuff, 0.0]) - frame @ np.array([0.0, -60.0, float(points[_SIDES : 2 * _SIDES, 2].min())])
    stuff = 1 + SLEEVES.index(player.pattern)
    vertices = _vertices(points, normals, shade, uv, frame.astype(np.float32), offset.astype(np.float32))
    return Body(vertices, tube_triangles(_RINGS, _SIDES), stuff, player.cloth, player.second)


def _sleeve(moves: npt.NDArray[np.float64], frame: Floats, offset: Floats, player: Player) -> Body:
    points, normals, shade, uv = _cloth(round(player.sleeve))
    turn, shift = moves[0, :, :3].astype(np.float32), moves[0, :, 3].astype(np.float32)
    vertices = _vertices(points @ turn.T + shift, normals @ turn.T, shade, uv, frame, offset)
    stuff = 1 + SLEEVES.index(player.pattern)
    return Body(vertices, tube_triangles(_RINGS, _SIDES), stuff, player.cloth, player.second)
