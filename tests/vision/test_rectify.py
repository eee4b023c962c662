"""The crop geometry that training and play share."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import UserError
from referee.table import Box, Zone, standard_layout
from referee.vision.rectify import (
    CROP_MM,
    Cutter,
    TableView,
    crop_outline,
    crop_to_table,
    image_to_crop,
    project,
    rectify,
    table_to_crop,
)

CORNERS = [[243.0, 74.1], [1670.4, 64.2], [1768.6, 1058.4], [158.7, 1069.7]]


def test_the_corners_lie_where_they_were_said_to_be() -> None:
    view = TableView.from_corners(CORNERS, 900, 600)
    table = view.to_table(CORNERS)
    assert table == pytest.approx(np.array([[0, 0], [900, 0], [900, 600], [0, 600]]), abs=1e-6)
    assert view.to_image(table) == pytest.approx(np.array(CORNERS), abs=1e-6)


@given(
    x=st.floats(100, 800),
    y=st.floats(100, 500),
    angle=st.floats(-360, 360),
    size=st.integers(32, 640),
)
def test_a_crop_is_centred_on_its_zone_and_covers_its_side(x: float, y: float, angle: float, size: int) -> None:
    box = Box(x, y, 63, 88, angle)
    corners = project(crop_to_table(box, size), [[0, 0], [size, 0], [size, size], [0, size]])
    assert corners.mean(axis=0) == pytest.approx([x, y])
    assert np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1) == pytest.approx([CROP_MM] * 4)
    assert project(table_to_crop(box, size), corners) == pytest.approx(
        np.array([[0, 0], [size, 0], [size, size], [0, size]]), abs=1e-6
    )


def test_the_top_left_of_a_zone_is_the_top_left_of_its_crop_for_either_seat() -> None:
    layout = standard_layout()
    for name in ("A1", "B1"):
        box = layout.boxes[Zone(name)]
        left, top = project(table_to_crop(box, 224), [box.corners()[0]])[0]
        assert left == pytest.approx(112 - 31.5 * 224 / CROP_MM)
        assert top == pytest.approx(112 - 44 * 224 / CROP_MM)


@pytest.mark.parametrize("angle", [0.0, 180.0, 33.0])
@pytest.mark.parametrize("size", [160, 224])
@pytest.mark.parametrize("scale", [1.0, 3.0])
def test_what_is_painted_on_the_table_appears_where_the_geometry_says(angle: float, size: int, scale: float) -> None:
    view = TableView.from_corners(np.array(CORNERS) * scale, 900, 600)
    box = Box(450, 300, 63, 88, angle)
    spots = project(crop_to_table(box, size), [[0.2 * size, 0.3 * size], [0.7 * size, 0.6 * size]])
    image = np.zeros((round(1080 * scale), round(1920 * scale), 3), np.uint8)
    for spot, colour in zip(spots, ((0, 0, 255), (255, 0, 0)), strict=True):
        around = [spot + offset for offset in ((-3, -3), (3, -3), (3, 3), (-3, 3))]
        cv2.fillConvexPoly(image, np.round(view.to_image(around) * 16).astype(np.int32), colour, cv2.LINE_AA, 4)
    crop = rectify(image, view, box, size).astype(np.float64)
    assert crop.shape == (size, size, 3)
    for channel, expected in ((2, (0.2, 0.3)), (0, (0.7, 0.6))):
        weight = crop[:, :, channel]
        ys, xs = np.mgrid[:size, :size] + 0.5
        centre = (float((weight * xs).sum() / weight.sum()), float((weight * ys).sum() / weight.sum()))
        assert centre == pytest.approx((expected[0] * size, expected[1] * size), abs=0.4)
    found = project(image_to_crop(view, box, size), view.to_image(spots))
    assert found == pytest.approx(np.array([[0.2, 0.3], [0.7, 0.6]]) * size)


def test_a_camera_finer_than_the_crop_is_averaged() -> None:
    rng = np.random.default_rng(1)
    image = rng.integers(0, 2, (2400, 3600, 1), np.uint8).repeat(3, axis=2) * np.uint8(255)
    view = TableView.from_corners([[0, 0], [3600, 0], [3600, 2400], [0, 2400]], 900, 600)
    crop = rectify(image, view, Box(450, 300, 63, 88, 0), 124)
    # Sixteen pixels of coin tosses in each pixel of the crop.
    assert crop.std() < 255 / 2 / 3


def test_a_crop_that_reaches_over_the_picture_repeats_its_edge() -> None:
    image = np.full((600, 900, 3), 90, np.uint8)
    view = TableView.from_corners([[0, 0], [900, 0], [900, 600], [0, 600]], 900, 600)
    assert (rectify(image, view, Box(5, 5, 63, 88, 20), 100) == 90).all()
    assert crop_outline(view, Box(5, 5, 63, 88, 0))[0] == pytest.approx([-57, -57])


def test_a_part_of_the_picture_gives_the_same_crop() -> None:
    image = np.random.default_rng(2).integers(0, 256, (1080, 1920, 3), np.uint8)
    view, box = TableView.from_corners(CORNERS, 900, 600), Box(450, 300, 63, 88, 12)
    part = rectify(np.ascontiguousarray(image[200:900, 500:1400]), view.cut(500, 200), box)
    assert np.abs(part.astype(int) - rectify(image, view, box)).max() <= 1


@pytest.mark.parametrize(
    "corners",
    [
        CORNERS[:3],
        [[0, 0], [1, 0], [1, float("nan")], [0, 1]],
        [CORNERS[1], CORNERS[0], CORNERS[3], CORNERS[2]],
        [CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3]],
        [[0, 0], [0, 0], [0, 0], [0, 0]],
    ],
    ids=["three corners", "not a number", "mirrored", "crossed", "one point"],
)
def test_corners_that_cannot_be_a_table_are_refused(corners: list[list[float]]) -> None:
    with pytest.raises(UserError):
        TableView.from_corners(corners, 900, 600)


@pytest.mark.parametrize("size", [(0, 600), (900, -1), (float("inf"), 600)])
def test_a_table_without_size_is_refused(size: tuple[float, float]) -> None:
    with pytest.raises(UserError):
        TableView.from_corners(CORNERS, *size)


def test_a_halved_picture_shows_the_table_in_the_same_place() -> None:
    view = TableView.from_corners([[100, 60], [1150, 40], [1200, 700], [80, 690]], 900, 600)
    points = np.array([[0.0, 0.0], [450.0, 300.0], [880.0, 20.0]])
    # The first pixel of a picture reaches from -0.5 to 0.5.
    assert np.allclose((view.shrunk(4).to_image(points) + 0.5) * 4, view.to_image(points) + 0.5)
    assert np.allclose(view.shrunk(4).to_table(view.shrunk(4).to_image(points)), points)


@pytest.mark.parametrize("scale", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("x", [450, -300, 20_000])
def test_cutting_one_zone_out_of_many_pictures_gives_the_crops_of_rectify(scale: float, x: float) -> None:
    view = TableView.from_corners(np.array(CORNERS) * scale, 900, 600)
    box = Box(x, 300, 63, 88, 33.0)
    cutter = Cutter(view, box)
    for seed in range(2):
        shape = (round(1080 * scale), round(1920 * scale), 3)
        image = np.random.default_rng(seed).integers(0, 256, shape, np.uint8)
        assert (cutter.cut(image) == rectify(image, view, box)).all()
