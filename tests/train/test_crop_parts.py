"""What crops are made of: table tops, hands, light, cameras, printed faces."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.cards import Card
from referee.table import Box
from referee.train.drawing.faces import FaceSet, Print
from referee.train.drawing.hands import POSES, make_hand
from referee.train.drawing.light import NAMES, PLAIN, Blob, Light, draw_light, glare_field, kelvin, key_field
from referee.train.drawing.sensor import Sensor, draw_sensor, expose
from referee.train.drawing.situation import LyingCard, corners, in_crop, orient, outline
from referee.train.drawing.surfaces import TEXELS, make_tabletop, table_photos
from referee.train.drawing.viewpoint import SOURCES, stand
from tests.train.toys import toy_deck

GREY = np.full((60, 80, 3), 128, np.uint8)
LIT = np.ones((60, 80), np.float32)


def test_table_tops_are_decided_by_their_seed_and_of_many_kinds() -> None:
    pieces = [make_tabletop(np.random.default_rng([1, number])) for number in range(40)]
    again = make_tabletop(np.random.default_rng([1, 7]))
    assert (again.levels[0] == pieces[7].levels[0]).all()
    assert {piece.kind for piece in pieces} >= {"wood", "felt", "cloth", "printed", "white"}
    for piece in pieces:
        assert piece.levels[0].shape == (TEXELS, TEXELS, 3)
        assert piece.levels[1].shape == (TEXELS // 2, TEXELS // 2, 3)
        assert 0 <= piece.gloss <= 1


def test_a_mat_shows_places_as_large_as_cards() -> None:
    edges = []
    for seed in range(200):
        piece = make_tabletop(np.random.default_rng([2, seed]))
        if piece.kind == "mat":
            grey = cv2.GaussianBlur(cv2.cvtColor(piece.levels[0], cv2.COLOR_BGR2GRAY), (5, 5), 0).astype(float)
            # A printed line runs straight across the piece: a row or column unlike the one beside it.
            steps = [np.abs(np.diff(grey.mean(axis=axis))).max() for axis in (0, 1)]
            edges.append(max(steps))
    assert len(edges) > 5
    assert np.median(edges) > 2


def test_table_tops_are_cut_from_pictures_too(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for name, side in (("tiny", 20), ("small", 100), ("large", 1500)):
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.full((side, side, 3), (10, 200, 60), np.uint8))
    (tmp_path / "broken.png").write_bytes(b"not a picture")
    with caplog.at_level(logging.WARNING):
        photos = table_photos([tmp_path / f"{name}.png" for name in ("tiny", "small", "broken", "large")])
    assert "broken.png" in caplog.text
    assert [photo.shape[0] for photo in photos] == [100, 768]
    kinds = [make_tabletop(np.random.default_rng([2, number]), photos) for number in range(20)]
    cut = [piece for piece in kinds if piece.kind == "photo"]
    assert cut
    blue, green, red = cut[0].levels[0].reshape(-1, 3).mean(axis=0)
    assert green > red > blue


def test_hands_lie_where_their_fingertips_are_said_to_be() -> None:
    shapes = [make_hand(np.random.default_rng([3, number])) for number in range(30)]
    assert {shape.pose for shape in shapes} == set(POSES)
    assert {shape.sleeve is None for shape in shapes} == {True, False}
    for shape in shapes:
        assert (shape.below is not None) == (shape.pose == "pinch")
        reach = shape.above.extent()
        # The origin is at the fingertips, within a fingertip's size; the arm goes to +y.
        assert -60 < reach[0, 1] < 12
        assert shape.shadow.extent()[2, 1] > 250
        assert shape.above.texels[:, :, 3].max() == 255


def test_light_keeps_its_strength_whatever_its_colour() -> None:
    drawn = [draw_light(np.random.default_rng([4, number])) for number in range(80)]
    assert {light.name for light in drawn} == set(NAMES)
    for light in drawn:
        assert light.key[1] + light.ambient[1] == pytest.approx(1)
        assert np.linalg.norm(light.direction) == pytest.approx(1)
        assert light.direction[2] > 0.3
    warm, cold = kelvin(2700), kelvin(8000)
    assert warm[2] > 1 > warm[0]
    assert cold[2] < 1 < cold[0]


def test_a_cast_shadow_takes_the_key_light_where_it_falls() -> None:
    blob = Blob(0.25, 0.5, 0.1, 0.1, 0.0, 0.8, 0.01)
    light = Light("sun", (0.0, 0.0, 1.0), 0.1, (0.5,) * 3, (0.5,) * 3, (0.0, 0.0), shadows=(blob,))
    field = key_field(light, (90, 120))
    assert field[45, 30] == pytest.approx(0.2, abs=0.03)
    assert field[45, 100] == pytest.approx(1, abs=0.01)
    assert glare_field(light, (90, 120)) is None


def test_a_perfect_camera_in_plain_light_shows_colours_as_they_are() -> None:
    assert np.abs(expose(GREY, LIT, None, PLAIN, Sensor()).astype(int) - 128).max() <= 1


@pytest.mark.parametrize(
    ("sensor", "seen"),
    [
        (Sensor(exposure=0.5), lambda picture: picture.mean() < 70),
        (Sensor(exposure=3.0), lambda picture: (picture == 255).all()),
        (Sensor(balance=(1.5, 1.0, 1.0)), lambda picture: picture[..., 0].mean() > picture[..., 2].mean() + 10),
        (Sensor(noise=6.0), lambda picture: 3 < picture.std() < 12),
        (Sensor(noise=6.0, coarse=True), lambda picture: 3 < picture.std() < 12),
    ],
    ids=["under", "over", "cast", "noise", "coarse noise"],
)
def test_a_camera_has_the_faults_it_is_given(sensor: Sensor, seen: Callable[[np.ndarray], bool]) -> None:
    assert seen(expose(GREY, LIT, None, PLAIN, sensor))


@pytest.mark.parametrize(
    "sensor",
    [Sensor(blur=1.5), Sensor(shake=(4.0, 3.0)), Sensor(codec="jpeg", quality=20), Sensor(codec="video", quality=20)],
    ids=["blur", "shake", "jpeg", "video"],
)
def test_blur_and_compression_lose_detail(sensor: Sensor) -> None:
    fine = np.random.default_rng(5).integers(60, 200, (60, 80, 1), np.uint8).repeat(3, axis=2)
    lost = expose(fine, LIT, None, PLAIN, sensor)
    assert lost.std() < 0.9 * fine.std()
    assert lost.mean() == pytest.approx(fine.mean(), abs=4)


def test_cameras_in_the_dark_are_noisier() -> None:
    lights = [draw_light(np.random.default_rng([6, number])) for number in range(300)]
    noise: dict[bool, list[float]] = {True: [], False: []}
    for number, light in enumerate(lights):
        noise[light.name == "dim"].append(draw_sensor(np.random.default_rng([7, number]), light, 1080).noise)
    assert np.mean(noise[True]) > 1.3 * np.mean(noise[False])


@pytest.mark.parametrize("source", SOURCES)
def test_a_camera_sees_the_whole_table_and_the_crop_with_room(source: int) -> None:
    box = Box(450, 300, 63, 88, 10)
    views = [stand(np.random.default_rng([8, number]), box, (900, 600), source, (0, 35)) for number in range(20)]
    for view in views:
        places = in_crop(view, box, 100, np.array([[450.0, 300.0, 0.0]]))
        assert places[0] == pytest.approx([50, 50], abs=1e-6)
        # A point of the table appears where the table's own geometry says.
        x, y, depth = view.level(0) @ [430, 320, 1]
        assert view.view.to_image([[430, 320]])[0] == pytest.approx([x / depth, y / depth])
    scale = np.mean([view.px_per_mm for view in views])
    assert scale == pytest.approx(source / 1080 * 1.5, rel=0.25)


def test_a_card_turned_half_over_appears_half_as_wide() -> None:
    for pitch, roll, wide, high in ((0, 60, 31.5, 88), (60, 0, 63, 44)):
        across, down = orient(0, pitch, roll)
        card = LyingCard(None, np.array([0.0, 0.0, 50.0]), across, down, 0.0)
        points = corners(card, 63, 88)
        assert np.ptp(points[:, 0]) == pytest.approx(wide)
        assert np.ptp(points[:, 1]) == pytest.approx(high)
        assert len(outline(card, 63, 88)) == 16


def test_faces_are_printed_in_ink_on_paper() -> None:
    faces = FaceSet(toy_deck(), Print((20.0, 20.0, 20.0), (200.0, 220.0, 240.0)))
    for height in (480, 200, 90):
        picture, to_texels = faces.picture(Card("AC"), height)
        assert picture.shape[0] >= height
        x, y, _ = np.round(to_texels @ [0, -43, 1]).astype(int)
        assert picture[y + 4, x] == pytest.approx([196, 216, 236, 255], abs=3)
        assert picture[0, 0, 3] == 0, "outside the card there is nothing"


def test_the_indexes_of_a_face_are_in_their_corners() -> None:
    faces = FaceSet(toy_deck(), Print((0.0,) * 3, (255.0,) * 3))
    numbers, points = faces.index_points(Card("KS"))
    assert numbers == [0, 2]
    assert (points[0].max(axis=0) < 0).all()
    assert (points[1].min(axis=0) > 0).all()
