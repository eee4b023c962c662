"""Table tops, card meshes, soft shadows and the sensor: everything that needs no graphics pipe."""

from __future__ import annotations

import numpy as np
import pytest

from referee.cards import Card
from referee.simulate.render import veil
from referee.simulate.render.cards import THICKNESS, card_mesh, corners, pose_rows, rotation
from referee.simulate.render.look import make_look
from referee.simulate.render.sensor import Chip
from referee.simulate.render.surfaces import KINDS, TEXELS_PER_MM, lay_mat, make_floor, make_surface, tiled_surface
from referee.simulate.scene import CardPose


def pose(**change: float) -> CardPose:
    flat = {"x": 100.0, "y": 200.0, "z": 5.0, "yaw": 0.0, "flip": 0.0, "pitch": 0.0, "roll": 0.0, "bend": 0.0}
    return CardPose(Card("7C"), **(flat | change))


@pytest.mark.parametrize("kind", KINDS)
def test_table_tops_cover_the_table_and_repeat_by_seed(kind: str) -> None:
    first, again = (make_surface(kind, np.random.default_rng(4), (300, 200)) for _ in range(2))
    assert first.image.shape == (round(200 * TEXELS_PER_MM), round(300 * TEXELS_PER_MM), 3)
    assert np.array_equal(first.image, again.image)
    assert first.image.std(axis=(0, 1)).max() > 0.5  # nothing real is one flat colour


def test_a_mat_lies_on_the_table_where_it_is_put() -> None:
    bare = make_surface("white", np.random.default_rng(1), (300, 200))
    laid = lay_mat(bare, "felt", np.random.default_rng(2), (100, 50), (100, 80))
    middle, corner = (slice(125, 145), slice(215, 235)), (slice(0, 20), slice(0, 20))
    assert np.abs(laid.image[middle].mean() - bare.image[middle].mean()) > 40
    assert np.array_equal(laid.image[corner], bare.image[corner])


def test_a_picture_of_a_material_is_repeated_without_edges() -> None:
    ramp = np.repeat(np.linspace(60, 200, 64).astype(np.uint8)[None, :, None], 64, axis=0).repeat(3, axis=2)
    surface = tiled_surface(ramp, np.random.default_rng(3), (900, 300))
    assert surface.image.shape == (450, 1350, 3)
    assert np.abs(np.diff(surface.image[..., 0].astype(int), axis=1)).max() < 12


def test_the_floor_shows_what_is_known_to_be_there() -> None:
    floors = [make_floor(np.random.default_rng(5), 6000, blobs) for blobs in ((), ((3000, 3000, 600, (0.9, 0, 0)),))]
    assert floors[1][128, 128, 0] > floors[0][128, 128, 0] + 30 or floors[1][128, 128, 2] < 60
    assert np.array_equal(floors[0][:40, :40], floors[1][:40, :40])


def test_an_unknown_table_top_names_those_there_are() -> None:
    with pytest.raises(ValueError, match="felt"):
        make_surface("ice", np.random.default_rng(0), (10, 10))


def test_the_card_mesh_is_a_rounded_board() -> None:
    vertices, triangles = card_mesh(63, 88, bends=True)
    assert np.abs(vertices[:, 0]).max() == pytest.approx(31.5)
    assert np.abs(vertices[:, 1]).max() == pytest.approx(44)
    assert set(np.unique(vertices[:, 2])) == {np.float32(0), np.float32(THICKNESS)}
    assert not ((np.abs(vertices[:, 0]) > 31) & (np.abs(vertices[:, 1]) > 43.5)).any()
    assert triangles.max() < len(vertices)
    assert set(np.unique(triangles)) == set(range(len(vertices)))


def test_yaw_turns_clockwise_as_seen() -> None:
    top_left, *_ = corners(pose(yaw=90), 63, 88)
    assert top_left == pytest.approx((100 + 44, 200 - 31.5, 5), abs=1e-3)


def test_pitch_lifts_the_top_end_and_roll_the_right_edge() -> None:
    pitched, rolled = corners(pose(pitch=10), 63, 88), corners(pose(roll=10), 63, 88)
    assert pitched[0][2] > 5 > pitched[3][2]
    assert rolled[1][2] > 5 > rolled[0][2]


def test_a_card_is_drawn_where_its_pose_says_however_it_is_turned() -> None:
    turned = pose(yaw=40, flip=-70, pitch=105, roll=7)
    meant = [turned.point(u, v) for u, v in ((-31.5, 44), (31.5, 44), (31.5, -44), (-31.5, -44))]
    assert corners(turned, 63, 88) == pytest.approx(np.array(meant), abs=1e-3)


def test_a_flipped_card_shows_its_back_and_stays_in_place() -> None:
    assert rotation(pose(flip=180)) @ (0, 0, 1) == pytest.approx((0, 0, -1), abs=1e-6)
    assert rotation(pose(flip=180)) @ (0, 1, 0) == pytest.approx((0, 1, 0), abs=1e-6)
    assert pose_rows([pose(flip=180)])[0, 2] == pytest.approx(5 + THICKNESS / 2)


def block(height: float) -> np.ndarray:
    maps = np.zeros((120, 120, 2), np.float32)
    maps[40:80, 40:80] = (1, height)
    return maps


def test_the_higher_a_thing_is_the_softer_its_shadow() -> None:
    low, high = veil.cover(block(4), 2.0, 0.3), veil.cover(block(120), 2.0, 0.3)
    assert low[60, 60] > 0.95
    steepest = [np.abs(np.diff(cover[60])).max() for cover in (low, high)]
    assert steepest[0] > 2 * steepest[1]


def test_without_anything_in_the_way_there_is_no_shadow() -> None:
    assert not veil.cover(np.zeros((50, 60, 2), np.float32), 2.0, 0.3).any()


def test_more_light_is_never_darker_and_exposure_fits_the_scene() -> None:
    look = make_look(2, light="day")
    scene = np.full((72, 128, 3), 0.3, np.float32)
    chip = Chip(look, (128, 72), scene)
    ramp = np.repeat(np.linspace(0, 2, 128, dtype=np.float32)[None, :, None], 72, axis=0).repeat(3, axis=2)
    assert (np.diff(chip.develop(ramp).astype(int), axis=1) >= 0).all()
    assert 70 < chip.develop(scene * chip.gain).mean() < 170


def test_noise_is_new_each_picture_and_the_same_each_run() -> None:
    look = make_look(2)
    scene = np.full((72, 128, 3), 0.3, np.float32)
    chips = [Chip(look, (128, 72), scene) for _ in range(2)]
    grey = np.full((72, 128, 3), 118, np.uint8)
    pictures = [[chip.expose(grey) for _ in range(2)] for chip in chips]
    assert np.array_equal(pictures[0][0], pictures[1][0])
    assert np.array_equal(pictures[0][1], pictures[1][1])
    assert not np.array_equal(pictures[0][0], pictures[0][1])
    assert np.std(pictures[0][0].astype(float)) == pytest.approx(look.sensor.noise, rel=0.35)
