"""The camera maps the table to the picture and back."""

from __future__ import annotations

import math

import numpy as np
import pytest

from referee.simulate.render.camera import Lens, aim

TABLE = (900.0, 600.0)


@pytest.mark.parametrize("tilt", [0, 12, 35])
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (640, 480)])
def test_the_whole_table_is_in_the_picture(tilt: float, size: tuple[int, int]) -> None:
    camera = aim(TABLE, size, height=900, tilt=tilt, roll=1, margin=0.04, offset=(0.8, -0.8))
    for x, y in camera.corners_px(TABLE):
        assert 0 < x < size[0]
        assert 0 < y < size[1]


def test_corners_come_top_left_first_and_clockwise() -> None:
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = aim(TABLE, (1280, 720), height=900, tilt=20).corners_px(TABLE)
    assert x1 < x2
    assert x4 < x3
    assert y1 < y4
    assert y2 < y3


def test_what_is_nearer_looks_larger() -> None:
    (x1, _), (x2, _), (x3, _), (x4, _) = aim(TABLE, (1280, 720), height=900, tilt=30).corners_px(TABLE)
    assert x3 - x4 > 1.1 * (x2 - x1)  # tilted from seat A's side, at the bottom
    (x1, _), (x2, _), (x3, _), (x4, _) = aim(TABLE, (1280, 720), height=900, tilt=30, aside=180).corners_px(TABLE)
    assert x2 - x1 > 1.1 * (x3 - x4)


@pytest.mark.parametrize("lens", [Lens(), Lens(-0.05), Lens(0.03, -0.01)])
def test_a_pixel_leads_back_to_the_place_it_shows(lens: Lens) -> None:
    camera = aim(TABLE, (1280, 720), height=800, tilt=25, roll=-2, lens=lens)
    places = np.array([(0, 0), (900, 0), (450, 300), (123, 555)], float)
    pixels = camera.project(np.column_stack([places, np.zeros(4)]))
    assert camera.table_points(pixels) == pytest.approx(places, abs=1e-3)


def test_barrel_distortion_pulls_the_corners_in() -> None:
    straight = aim(TABLE, (1280, 720), height=900, tilt=0)
    barrel = aim(TABLE, (1280, 720), height=900, tilt=0, lens=Lens(-0.05))
    for (x0, y0), (x1, y1) in zip(straight.corners_px(TABLE), barrel.corners_px(TABLE), strict=True):
        assert math.dist((x1, y1), (640, 360)) < math.dist((x0, y0), (640, 360)) - 5


def test_the_pinhole_ignores_the_lens() -> None:
    straight = aim(TABLE, (1280, 720), height=900, tilt=10)
    bent = aim(TABLE, (1280, 720), height=900, tilt=10, lens=Lens(-0.05))
    points = [(100, 100, 0), (800, 500, 40)]
    assert bent.pinhole(points) == pytest.approx(straight.project(points))


def test_a_bump_moves_the_picture_as_a_whole() -> None:
    camera = aim(TABLE, (1280, 720), height=900, tilt=0)
    moved = camera.shifted((10, 0, 0))
    steps = moved.project([(0, 0, 0), (900, 600, 0)]) - camera.project([(0, 0, 0), (900, 600, 0)])
    assert steps[0] == pytest.approx(steps[1])
    assert steps[0][0] == pytest.approx(-10 * camera.focal / 900)
    assert camera.shifted((0, 0, 0)) is camera


def test_a_camera_under_the_table_is_refused() -> None:
    with pytest.raises(ValueError, match="from above"):
        aim(TABLE, (1280, 720), height=-1, tilt=0)
