"""Where the camera stands over the table when a crop is drawn: a pinhole camera, tilted up to 35 degrees.

World coordinates are table millimetres with z up from the table towards the camera.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from referee.table import Box
from referee.vision.rectify import CROP_MM, TableView, crop_outline, project

Matrix: TypeAlias = npt.NDArray[np.float64]
Points: TypeAlias = npt.NDArray[np.float64]

SOURCES: Final[dict[int, tuple[int, int]]] = {720: (1280, 720), 1080: (1920, 1080), 2160: (3840, 2160)}
"""Width and height of the camera pictures crops are cut from, by height."""

MARGIN_PX: Final = 8
"""Picture drawn beyond the crop's outline, so that blur and compression have surroundings."""


def cross(a: Points, b: Points) -> Points:
    """The vector product of two vectors of three; numpy's own takes twenty times as long for a single pair."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


@dataclass(frozen=True, slots=True, eq=False)
class Viewpoint:
    """The part of a camera's picture about one zone.

    Attributes:
        matrix: float64 array (3, 4) from world (x, y, z, 1) to pixels of that part.
        view: the table as calibration found it in that part.
        width, height: size of that part, pixels.
        source: height of the whole picture: 720, 1080 or 2160.
        tilt: angle between the camera's axis and the plumb line, degrees.
        px_per_mm: scale at the zone.
        eye: the camera, mm.
    """

    matrix: Matrix
    view: TableView
    width: int
    height: int
    source: int
    tilt: float
    px_per_mm: float
    eye: tuple[float, float, float]

    def plane(self, origin: Points, across: Points, down: Points) -> Matrix:
        """The homography (3, 3) from a plane's own (u, v), in mm, to pixels: the point origin + u across + v down."""
        frame = np.zeros((4, 3))
        frame[:3, 0], frame[:3, 1], frame[:3, 2] = across, down, origin
        frame[3, 2] = 1
        return np.asarray(self.matrix @ frame, np.float64)

    def level(self, z: float) -> Matrix:
        """The homography (3, 3) from table millimetres at height ``z`` to pixels."""
        frame = np.zeros((3, 3))
        frame[:, :2] = self.matrix[:, :2]
        frame[:, 2] = self.matrix[:, 2] * z + self.matrix[:, 3]
        return frame


def stand(
    rng: np.random.Generator,
    box: Box,
    table: tuple[float, float],
    source: int,
    tilt: tuple[float, float],
    calibrated: bool = True,
) -> Viewpoint:
    """A camera somewhere over the table that sees all of it, and its picture about ``box``.

    Args:
        rng: decides where.
        box: the zone.
        table: width and height of the table rectangle, mm.
        source: height of the picture, a key of ``SOURCES``.
        tilt: least and greatest tilt, degrees.
        calibrated: whether the view found the table exactly; else it is as far off as measuring a table by hand and a
            lens that bends straight lines put it.
    """
    width, height = SOURCES[source]
    degrees = float(rng.uniform(*tilt))
    # Cameras stand at a player's side or on an arm from the long side, seldom at the ends.
    azimuth = math.radians(float(rng.choice([90, -90, 0, 180], p=[0.4, 0.3, 0.15, 0.15])) + float(rng.normal(0, 20)))
    distance = float(rng.uniform(650, 1500))
    aim = np.array([table[0] / 2 + rng.normal(0, 20), table[1] / 2 + rng.normal(0, 20), 0])
    lean = math.radians(degrees)
    forward = -np.array([math.sin(lean) * math.cos(azimuth), math.sin(lean) * math.sin(azimuth), math.cos(lean)])
    eye = aim - distance * forward
    roll = math.radians((180 if rng.random() < 0.3 else 0) + float(rng.normal(0, 5)))
    right = np.array([math.cos(roll), math.sin(roll), 0])
    right -= forward * (right @ forward)
    right /= np.linalg.norm(right)
    axes = np.stack([right, cross(right, forward), forward])
    bare = np.hstack([axes, -(axes @ eye)[:, None]])
    corners = np.array([[0, 0], [table[0], 0], [table[0], table[1]], [0, table[1]]], np.float64)
    seen = project(bare[:, [0, 1, 3]], corners)
    # The whole table has to be in the picture, with some room about it.
    low, high = seen.min(axis=0), seen.max(axis=0)
    focal = float(rng.uniform(0.82, 0.99)) * float((np.array([width, height]) / (high - low)).min())
    middle = np.array([width, height]) / 2 - focal * (low + high) / 2
    intrinsic = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
    full = intrinsic @ bare
    ground = full[:, [0, 1, 3]]
    found = ground if calibrated else np.asarray(ground @ _misjudged(rng, box), np.float64)
    whole = TableView(np.asarray(np.linalg.inv(found), np.float64), found)
    outline = crop_outline(whole, box)
    offset = np.floor(outline.min(axis=0)) - MARGIN_PX
    size = np.ceil(outline.max(axis=0)) + MARGIN_PX - offset
    shift = np.array([[1, 0, -offset[0]], [0, 1, -offset[1]], [0, 0, 1]])
    sides = [math.dist(outline[i], outline[i - 1]) for i in range(4)]
    return Viewpoint(
        matrix=np.asarray(shift @ full, np.float64),
        view=whole.cut(int(offset[0]), int(offset[1])),
        width=int(size[0]),
        height=int(size[1]),
        source=source,
        tilt=degrees,
        px_per_mm=sum(sides) / 4 / CROP_MM,
        eye=(float(eye[0]), float(eye[1]), float(eye[2])),
    )


def _misjudged(rng: np.random.Generator, box: Box) -> Matrix:
    """Where things about ``box`` really are (table mm, homogeneous) that a rough calibration takes to be elsewhere."""
    stretch = np.eye(3)
    stretch[:2, :2] += rng.normal(0, 0.012, (2, 2))
    there = np.array([[1, 0, box.x + rng.normal(0, 1.5)], [0, 1, box.y + rng.normal(0, 1.5)], [0, 0, 1]])
    back = np.array([[1, 0, -box.x], [0, 1, -box.y], [0, 0, 1]])
    return np.asarray(there @ stretch @ back, np.float64)
