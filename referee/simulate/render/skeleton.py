"""The bones of a right arm and hand, and how each shape of the hand bends them.

Everything here is in the hand's own frame, millimetres: x to the side of the little finger, y towards the fingertips,
z out of the back of the hand, the wrist at the origin. Flat on the table, palm down, it is seen as the right hand of
a player who sits below.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from referee.simulate.scene import HandShape

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Bone:
    """One bone at rest.

    Attributes:
        parent: number of the bone it hangs on; -1 for the forearm.
        finger: 0 to 3 index to little finger, 4 thumb, -1 hand and forearm.
        head, tail: its ends.
        radii: thickness of the flesh at its ends.
        axis: what it turns about when it bends towards the palm.
    """

    parent: int
    finger: int
    head: tuple[float, float, float]
    tail: tuple[float, float, float]
    radii: tuple[float, float]
    axis: tuple[float, float, float]


_KNUCKLES: Final = ((-24.0, 84.0, 3.0), (-3.0, 87.0, 5.0), (17.0, 82.0, 3.5), (34.0, 72.0, -1.0))
_LENGTHS: Final = ((43.0, 26.0, 17.0), (47.0, 30.0, 18.0), (44.0, 28.0, 18.0), (35.0, 21.0, 16.0))
_RADII: Final = ((10.6, 9.5, 8.6, 7.2), (10.8, 9.8, 8.8, 7.4), (10.3, 9.2, 8.3, 7.0), (9.2, 8.1, 7.3, 6.2))
_SPREADS: Final = (-7.0, -1.0, 6.0, 14.0)
_THUMB: Final = ((-20.0, 20.0, -8.0), (-43.0, 55.0, -13.0), (-57.0, 82.0, -14.0), (-64.0, 101.0, -14.0))
_THUMB_RADII: Final = (13.0, 11.6, 10.6, 8.6)


def _bones() -> tuple[Bone, ...]:
    bones = [
        Bone(-1, -1, (0, -600, 0), (0, 0, 0), (40, 22), (1, 0, 0)),
        Bone(0, -1, (0, 0, 0), (0, 80, 0), (22, 18), (-1, 0, 0)),
    ]
    for finger in range(4):
        turn = math.radians(_SPREADS[finger])
        direction = np.array([math.sin(turn), math.cos(turn), 0.0])
        axis = (-math.cos(turn), math.sin(turn), 0.0)
        head = np.array(_KNUCKLES[finger])
        for joint in range(3):
            tail = head + direction * _LENGTHS[finger][joint]
            parent = 1 if joint == 0 else len(bones) - 1
            radii = (_RADII[finger][joint], _RADII[finger][joint + 1])
            bones.append(Bone(parent, finger, _triple(head), _triple(tail), radii, axis))
            head = tail
    for joint in range(3):
        start, end = np.array(_THUMB[joint]), np.array(_THUMB[joint + 1])
        along = (end - start) / np.linalg.norm(end - start)
        # The thumb's pad faces the other fingers and the palm, half and half.
        across = np.array([along[1], -along[0], 0.0]) * 0.75 - np.array([0, 0, 0.65])
        axis = _triple(np.cross(along, across / np.linalg.norm(across)))
        parent = 1 if joint == 0 else len(bones) - 1
        bones.append(
            Bone(parent, 4, _triple(start), _triple(end), (_THUMB_RADII[joint], _THUMB_RADII[joint + 1]), axis)
        )
    return tuple(bones)


def _triple(values: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])


BONES: Final = _bones()
"""Forearm, hand, three bones of each finger from the index to the little finger, three of the thumb."""

ANGLES: Final = 22
"""How many angles, in degrees, make a posture.

0 rise of the forearm towards the elbow, 1 wrist bent down, 2 hand rolled (thumb up), 3 hand bent to the little finger's
side; 4 to 7, 8 to 11, 12 to 15: the fingers' three joints, index to little finger; 16 share of the rest pose's spread
that is taken away; 17 thumb swung under the palm, 18 thumb swung towards the fingers, 19 to 21 its three joints.
"""

_POSTURES: Final[dict[HandShape, tuple[float, ...]]] = {
    HandShape.REST: (4, 4, 4, 0, 24, 26, 30, 34, 30, 32, 34, 36, 16, 18, 18, 20, 0.4, 20, 4, 4, 10, 14),
    HandShape.REACH: (7, 14, 4, 0, 18, 16, 18, 22, 28, 28, 30, 32, 16, 16, 18, 18, 0.1, 30, 4, 4, 8, 10),
    HandShape.HOVER: (7, 12, 4, 0, 24, 24, 28, 32, 30, 32, 34, 36, 18, 18, 20, 20, 0.35, 30, 6, 6, 12, 14),
    HandShape.PINCH: (8, 2, 2, 5, 38, 32, 32, 39, 44, 54, 53, 44, 22, 27, 27, 23, 0.8, 54, -26, 11, 4, 11),
    HandShape.CARRY: (8, 2, 2, 5, 38, 32, 32, 39, 46, 56, 55, 45, 23, 28, 28, 23, 0.85, 56, -26, 12, 4, 12),
    HandShape.RELEASE: (8, 4, 2, 4, 29, 24, 25, 31, 36, 44, 44, 38, 16, 20, 20, 18, 0.6, 45, -24, 4, 2, 6),
    HandShape.SLAP: (5, 0, 0, 0, 2, 2, 2, 3, 4, 4, 4, 5, 2, 2, 2, 3, -0.3, 8, -6, 0, 2, 4),
    HandShape.GATHER: (8, 8, 46, 0, 20, 22, 24, 26, 22, 22, 24, 24, 12, 12, 14, 14, 0.8, 24, 0, 6, 8, 10),
}


def posture(shape: HandShape, curl: float = 0.0) -> npt.NDArray[np.float64]:
    """The angles of a shape, float64 (``ANGLES``,); ``curl`` from 0 to 1 bends the fingers further."""
    angles = np.array(_POSTURES[shape], np.float64)
    angles[4:16] += np.repeat((22.0, 30.0, 16.0), 4) * curl
    return angles


def _turn(axis: npt.ArrayLike, degrees: float) -> npt.NDArray[np.float64]:
    x, y, z = np.asarray(axis, np.float64) / np.linalg.norm(np.asarray(axis, np.float64))
    angle = math.radians(degrees)
    c, s = math.cos(angle), math.sin(angle)
    k = 1 - c
    return np.array(
        [
            [c + x * x * k, x * y * k - z * s, x * z * k + y * s],
            [y * x * k + z * s, c + y * y * k, y * z * k - x * s],
            [z * x * k - y * s, z * y * k + x * s, c + z * z * k],
        ]
    )


def bend(angles: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Where each bone goes: float64 (bones, 3, 4), a place at rest p moves to M[:, :3] @ p + M[:, 3]."""
    moves = np.empty((len(BONES), 3, 4))
    for number, bone in enumerate(BONES):
        if number == 0:
            turn = _turn((-1, 0, 0), angles[0])
        elif number == 1:
            # Roll and bend of the hand are its own, not on top of the forearm's rise.
            turn = _turn((-1, 0, 0), angles[1] - angles[0]) @ _turn((0, 1, 0), angles[2]) @ _turn((0, 0, -1), angles[3])
        elif bone.finger < 4:
            joint = (number - 2) % 3
            turn = _turn(bone.axis, angles[4 + 4 * joint + bone.finger])
            if joint == 0:
                turn = _turn((0, 0, 1), _SPREADS[bone.finger] * angles[16]) @ turn
        else:
            joint = number - 14
            turn = _turn(bone.axis, angles[19 + joint])
            if joint == 0:
                turn = _turn((0, 1, 0), -angles[17]) @ _turn((0, 0, -1), angles[18]) @ turn
        head = np.asarray(bone.head if number else bone.tail)
        local = np.column_stack([turn, head - turn @ head])
        if bone.parent < 0:
            moves[number] = local
        else:
            up = moves[bone.parent]
            moves[number, :, :3] = up[:, :3] @ local[:, :3]
            moves[number, :, 3] = up[:, :3] @ local[:, 3] + up[:, 3]
    return moves


def pad(finger: int) -> tuple[int, npt.NDArray[np.float64]]:
    """The bone and the rest place of a fingertip's pad; 4 is the thumb."""
    number = 4 + 3 * finger if finger < 4 else 16
    bone = BONES[number]
    along = np.subtract(bone.tail, bone.head) / np.linalg.norm(np.subtract(bone.tail, bone.head))
    inward = np.cross(np.asarray(bone.axis), along)
    return number, np.asarray(bone.tail) + inward * bone.radii[1] - along * 1.0


PALM: Final = (1, np.array([4.0, 56.0, -23.0]))
"""The bone and the rest place of the palm's middle, on the skin."""


def moved(moves: npt.NDArray[np.float64], place: tuple[int, npt.NDArray[np.float64]]) -> npt.NDArray[np.float64]:
    """Where a place on a bone has gone, float64 (3,)."""
    number, at = place
    gone: npt.NDArray[np.float64] = moves[number, :, :3] @ at + moves[number, :, 3]
    return gone
