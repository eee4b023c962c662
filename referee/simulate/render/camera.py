"""A pinhole camera over the table, with radial lens distortion.

Table coordinates are millimetres, x right, y down in the calibrated view, z up (a left-handed system, like the
picture's own). Picture coordinates are pixels, x right, y down, (0, 0) the top left corner of the top left pixel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Lens:
    """Radial distortion: ``x_d = x_u (1 + k1 r^2 + k2 r^4)``, r in units of half the picture's width."""

    k1: float = 0.0
    k2: float = 0.0

    @property
    def straight(self) -> bool:
        """Whether straight lines stay straight."""
        return self.k1 == 0 and self.k2 == 0


@dataclass(frozen=True, slots=True)
class Camera:
    """Where the camera stands and how it maps the table to its picture.

    Attributes:
        position: x, y, z of the pinhole, mm.
        axes: rows are the directions of the picture's right and down and of the view, in table coordinates.
        focal: focal length, px.
        centre: where the optical axis meets the picture, px.
        size: width and height of the picture, px.
        lens: distortion.
    """

    position: tuple[float, float, float]
    axes: tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
    focal: float
    centre: tuple[float, float]
    size: tuple[int, int]
    lens: Lens = Lens()

    def pinhole(self, points: npt.ArrayLike) -> Floats:
        """Picture positions (N, 2) of the points (N, 3) as a lens without distortion shows them."""
        seen = (np.asarray(points, np.float64) - self.position) @ np.asarray(self.axes).T
        flat: Floats = seen[:, :2] / seen[:, 2:] * self.focal + self.centre
        return flat

    def project(self, points: npt.ArrayLike) -> Floats:
        """Picture positions (N, 2) of the points (N, 3) in mm, distortion included."""
        half = self.size[0] / 2
        offset = (self.pinhole(points) - self.centre) / half
        squared = np.sum(offset * offset, axis=1, keepdims=True)
        bent: Floats = offset * (1 + self.lens.k1 * squared + self.lens.k2 * squared * squared) * half + self.centre
        return bent

    def table_points(self, pixels: npt.ArrayLike) -> Floats:
        """Points (N, 2) of the plane z = 0, mm, that are seen at the picture positions (N, 2)."""
        half = self.size[0] / 2
        bent = (np.asarray(pixels, np.float64) - self.centre) / half
        offset = bent
        for _ in range(8):
            squared = np.sum(offset * offset, axis=1, keepdims=True)
            offset = bent / (1 + self.lens.k1 * squared + self.lens.k2 * squared * squared)
        rays = np.column_stack([offset * half / self.focal, np.ones(len(offset))]) @ np.asarray(self.axes)
        # A ray that never meets the table (above the horizon) is sent far away instead of behind the camera.
        reach = -self.position[2] / np.minimum(rays[:, 2], -1e-3)
        hits: Floats = np.asarray(self.position)[:2] + rays[:, :2] * reach[:, None]
        return hits

    def corners_px(self, table_mm: tuple[float, float]) -> tuple[tuple[float, float], ...]:
        """Where the table's top left, top right, bottom right and bottom left corners appear in the picture, px."""
        width, height = table_mm
        corners = self.project([(0, 0, 0), (width, 0, 0), (width, height, 0), (0, height, 0)])
        return tuple((float(x), float(y)) for x, y in corners)

    def shifted(self, shift: tuple[float, float, float]) -> Camera:
        """The camera after a bump: moved by x and y mm, turned clockwise about its axis by degrees."""
        dx, dy, degrees = shift
        if not (dx or dy or degrees):
            return self
        right, down, forward = (np.asarray(axis) for axis in self.axes)
        turn = math.radians(degrees)
        turned = (
            right * math.cos(turn) + down * math.sin(turn),
            down * math.cos(turn) - right * math.sin(turn),
            forward,
        )
        x, y, z = self.position
        return Camera((x + dx, y + dy, z), _rows(turned), self.focal, self.centre, self.size, self.lens)


def _rows(
    axes: tuple[Floats, Floats, Floats],
) -> tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]:
    rows = [(float(a[0]), float(a[1]), float(a[2])) for a in axes]
    return rows[0], rows[1], rows[2]


def aim(
    table_mm: tuple[float, float],
    size: tuple[int, int],
    *,
    height: float,
    tilt: float,
    aside: float = 0.0,
    roll: float = 0.0,
    margin: float = 0.05,
    offset: tuple[float, float] = (0.0, 0.0),
    lens: Lens = Lens(),
) -> Camera:
    """A camera that looks at the table and sees all of it.

    Args:
        table_mm: width and height of the table rectangle.
        size: width and height of the picture, px.
        height: height of the camera over the table, mm.
        tilt: angle between the view and the vertical, degrees, 0 to 60.
        aside: from which side the camera looks: 0 from seat A's, 180 from seat B's, degrees clockwise as seen.
        roll: turn of the picture, degrees.
        margin: free share of the picture beside the table's tightest corner.
        offset: how far the table's middle lies off the picture's, as a share of the margin (-1 to 1).
        lens: distortion.
    """
    if height <= 0 or not 0 <= tilt <= 60:
        raise ValueError(f"a camera looks from above the table, tilted by 0 to 60 degrees, not {height:g} mm, {tilt:g}")
    width, depth = table_mm
    lean, around = math.radians(tilt), math.radians(aside)
    reach = height * math.tan(lean)
    position = (width / 2 - reach * math.sin(around), depth / 2 + reach * math.cos(around), height)
    corners = [(0, 0, 0), (width, 0, 0), (width, depth, 0), (0, depth, 0)]
    middle = (size[0] / 2, size[1] / 2)
    target = (width / 2, depth / 2)
    # The far side looks smaller, so aiming at the table's middle leaves it off the picture's: aim anew a few times.
    for _ in range(6):
        axes = _axes(position, target, roll)
        flat = Camera(position, axes, 1.0, (0.0, 0.0), size).pinhole(corners)
        low, high = flat.min(axis=0), flat.max(axis=0)
        focal = float(((1 - 2 * margin) * np.asarray(size) / (high - low)).min())
        camera = Camera(position, axes, focal, middle, size)
        slack = (np.asarray(size) - focal * (high - low)) / 2
        error = focal * (low + high) / 2 - np.asarray(offset) * slack * 0.9
        here, there = camera.table_points([middle, np.asarray(middle) + error])
        target = (target[0] + float(there[0] - here[0]), target[1] + float(there[1] - here[1]))
    return Camera(position, axes, focal, middle, size, lens)


def _axes(
    position: tuple[float, float, float], target: tuple[float, float], roll: float
) -> tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]:
    forward = np.array([*target, 0.0]) - position
    forward /= np.linalg.norm(forward)
    right = np.array([1.0, 0.0, 0.0])
    right -= forward * (right @ forward)
    right /= np.linalg.norm(right)
    down = np.array([0.0, 1.0, 0.0])
    down -= forward * (down @ forward) + right * (down @ right)
    down /= np.linalg.norm(down)
    turn = math.radians(roll)
    return _rows(
        (right * math.cos(turn) + down * math.sin(turn), down * math.cos(turn) - right * math.sin(turn), forward)
    )
