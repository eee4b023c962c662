"""Things that come to lie on the table: a cup, an arm's sleeve."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from referee.errors import UserError
from referee.simulate.render.flesh import tube_triangles
from referee.simulate.render.hands import resting_sleeve
from referee.simulate.render.look import Colour, Look, linear
from referee.simulate.render.stage import Body
from referee.simulate.scene import Prop
from referee.table import Seat

Floats = npt.NDArray[np.float32]

_SIDES: Final = 40
_GLAZES: Final = ((236, 234, 226), (60, 92, 120), (150, 64, 52), (70, 78, 72), (206, 176, 120))
_DRINK: Final = (70, 40, 22)

_PROFILE: Final = (
    # Share of the radius, height as a share of the diameter, whether it is the drink.
    (0.0, 0.0, False), (0.74, 0.0, False), (0.84, 0.06, False), (0.96, 0.5, False), (1.0, 0.98, False),
    (1.0, 1.0, False), (0.95, 1.0, False), (0.93, 0.86, False), (0.92, 0.80, True), (0.0, 0.80, True),
)  # fmt: skip


def prop_bodies(prop: Prop, look: Look) -> tuple[Body, ...]:
    """The triangles of a thing.

    Raises:
        UserError: there is no such thing.
    """
    if prop.kind == "cup":
        glaze = linear(_GLAZES[look.seed % len(_GLAZES)])
        return _wall(prop, glaze), _handle(prop, glaze)
    if prop.kind == "sleeve":
        seat = Seat.B if math.cos(math.radians(prop.yaw)) < 0 else Seat.A
        return (resting_sleeve((prop.x, prop.y), prop.yaw, prop.size, look.player(seat)),)
    raise UserError(f"there is no thing {prop.kind!r} to lie on a table: only cup and sleeve")


def _wall(prop: Prop, glaze: Colour) -> Body:
    """The cup turned on a wheel: outside, rim, inside, and what is in it."""
    turn = np.linspace(0, 2 * np.pi, _SIDES + 1)[:-1]
    radius = np.array([r for r, _, _ in _PROFILE]) * prop.size / 2
    height = np.array([h for _, h, _ in _PROFILE]) * prop.size
    drink = np.array([d for _, _, d in _PROFILE])
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    points = np.empty((len(radius), _SIDES, 3))
    points[..., :2] = radius[:, None, None] * circle
    points[..., 2] = height[:, None]
    # The normal of a turned body stands across its profile.
    out, up = np.gradient(height), -np.gradient(radius)
    normals = np.empty_like(points)
    normals[..., :2] = out[:, None, None] * circle
    normals[..., 2] = up[:, None]
    normals /= np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-9)
    normals[drink] = (0, 0, 1)
    colours = np.where(drink[:, None, None], linear(_DRINK), np.asarray(glaze)) * np.ones((1, _SIDES, 3))
    return _body(prop, points, normals, colours, tube_triangles(len(radius), _SIDES))


def _handle(prop: Prop, glaze: Colour) -> Body:
    """A ring of round rod at the cup's side."""
    bow = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 15)
    turn = np.linspace(0, 2 * np.pi, 11)[:-1]
    reach, thick = 0.30 * prop.size, 0.055 * prop.size
    spine = np.stack([0.46 * prop.size + reach * np.cos(bow), 0 * bow, 0.5 * prop.size + reach * np.sin(bow)], axis=-1)
    out = np.stack([np.cos(bow), 0 * bow, np.sin(bow)], axis=-1)
    normals = out[:, None] * np.cos(turn)[:, None] + np.array([0.0, 1.0, 0.0]) * np.sin(turn)[:, None]
    points = spine[:, None] + thick * normals
    colours = np.ones_like(points) * np.asarray(glaze)
    return _body(prop, points, normals, colours, tube_triangles(len(bow), len(turn)))


def _body(
    prop: Prop,
    points: npt.NDArray[np.float64],
    normals: npt.NDArray[np.float64],
    colours: npt.NDArray[np.float64],
    triangles: npt.NDArray[np.int32],
) -> Body:
    yaw = math.radians(prop.yaw)
    turned = np.array([[math.cos(yaw), -math.sin(yaw), 0], [math.sin(yaw), math.cos(yaw), 0], [0, 0, 1]])
    count = points.shape[0] * points.shape[1]
    vertices = np.hstack(
        [
            points.reshape(-1, 3) @ turned.T + (prop.x, prop.y, 0.0),
            normals.reshape(-1, 3) @ turned.T,
            colours.reshape(-1, 3),
            np.zeros((count, 2)),
        ]
    )
    return Body(vertices.astype(np.float32), triangles, 4)
