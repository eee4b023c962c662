"""Lenses: points bent and straightened, views of zones through them, and lenses measured from pictures."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.calibrate.lens import Lens, bent, moved_view, radial_lens, straightened, view_of, view_through
from referee.calibrate.lens_estimate import lens_from_boards, lens_from_edges
from referee.calibrate.markers.print_sheet import BOARD, BOARD_SQUARE_MM, lens_board
from referee.calibrate.saved_table import SavedTable, as_corners
from referee.calibrate.table_file import parse_table, write_table
from referee.errors import UserError
from referee.readings import OUTCOMES, Look, Reading, Sight
from referee.table import standard_layout
from referee.vision.frames import Frame
from referee.vision.rectify import crop_outline, project
from referee.vision.zone_reading import ZoneReader
from tests.calibrate.marked import camera_view, corners_seen, drawn_table, seen_from

SIZE = (1280, 720)
WHOLE = np.array([[0, 0], [900, 0], [900, 600], [0, 600]], float)


@given(st.floats(-0.3, 0.15), st.floats(-0.05, 0.05), st.floats(-0.004, 0.004), st.floats(0, 1279), st.floats(0, 719))
@settings(max_examples=60)
def test_straightening_undoes_bending(k1, k2, p1, x, y):
    lens = Lens((900.0, 905.0), (640.0, 355.0), (k1, k2, p1, -p1, 0.01))
    point = np.array([[x, y]])
    assert straightened(lens, bent(lens, point)) == pytest.approx(point, abs=0.02)


def test_the_model_is_that_of_opencv():
    lens = Lens((900.0, 905.0), (640.0, 355.0), (-0.2, 0.05, 0.002, -0.001, 0.01))
    points = np.random.default_rng(0).uniform((0, 0), SIZE, (20, 2))
    flat = np.column_stack([(points - lens.centre) / lens.focal, np.ones(20)])
    camera = np.array([[900, 0, 640], [0, 905, 355], [0, 0, 1.0]])
    told, _ = cv2.projectPoints(flat, np.zeros(3), np.zeros(3), camera, np.array(lens.distortion))
    assert bent(lens, points) == pytest.approx(told.reshape(-1, 2), abs=1e-6)


def test_a_zone_s_view_is_right_all_over_its_crop():
    lens = radial_lens(SIZE, -0.12)
    straight = camera_view(SIZE, tilt=25)
    whole = view_of(lens, straight, WHOLE)
    for box in standard_layout().boxes.values():
        view = whole.at(box)
        for part in (0.0, 0.5):
            outline = crop_outline(straight, box) * (1 - part) + part * straight.to_image([[box.x, box.y]])
            truth = bent(lens, outline)
            assert np.linalg.norm(view.to_image(straight.to_table(outline)) - truth, axis=1).max() < 0.6


def test_without_a_lens_a_view_stays_what_it_is():
    straight = camera_view(SIZE)
    assert view_of(None, straight, WHOLE) is straight
    assert straight.at(next(iter(standard_layout().boxes.values()))) is straight


class Crops:
    """Keeps the crops it is given to read."""

    def __init__(self) -> None:
        self.seen: list[np.ndarray] = []

    def read(self, crops):
        self.seen = [crop.astype(float) for crop in crops]
        return [Reading(Sight.EMPTY, np.full(OUTCOMES, -4.0, np.float32), 0.0, None, None) for _ in crops]


def zones_cut(image, view):
    boxes = standard_layout().boxes
    crops = Crops()
    still, arms = np.zeros(len(boxes), np.float32), np.zeros((2, len(boxes)), np.float32)
    look = Look(0.0, 0, still, arms, arms, np.zeros((len(boxes), 2, 2), np.uint8))
    ZoneReader(crops, view, boxes).read(Frame(0, 0.0, image), tuple(boxes), look)
    return np.array(crops.seen)


def test_a_saved_table_with_a_wide_lens_has_its_zones_cut_out_right_and_without_it_wrong():
    lens, straight = radial_lens(SIZE, -0.16), camera_view(SIZE, tilt=20)
    drawing = drawn_table()
    truth = zones_cut(seen_from(straight, drawing, SIZE), straight)
    corners = as_corners(bent(lens, corners_seen(straight)))
    table = SavedTable("", SIZE, corners, standard_layout(), "hand", lens)
    kept = parse_table(write_table(table), "kitchen")
    image = seen_from(straight, drawing, SIZE, lens)
    ends = np.array([[box.x, box.y] for box in kept.layout.boxes.values()])
    places = bent(lens, straight.to_image(ends))
    assert np.linalg.norm(kept.view.to_image(ends) - places, axis=1).max() < 0.3
    assert kept.view.to_table(places) == pytest.approx(ends, abs=0.3)
    without = replace(kept, lens=None).view
    assert np.linalg.norm(without.to_image(ends) - places, axis=1).min() > 4
    right, wrong = (np.abs(zones_cut(image, view) - truth).mean(axis=(1, 2, 3)) for view in (kept.view, without))
    assert (right < 0.5 * wrong).all()


def test_a_bump_moves_the_bent_view_with_the_picture():
    lens, straight = radial_lens(SIZE, -0.16), camera_view(SIZE, tilt=20)
    view = view_of(lens, straight, WHOLE)
    motion = np.array([[1, 0.01, 14], [-0.01, 1, -9], [0, 0, 1.0]])
    moved = moved_view(view, motion, WHOLE)
    points = straight.to_table(straightened(lens, np.array([[300.0, 200], [640, 360], [1000, 500]])))
    assert np.linalg.norm(moved.to_image(points) - project(motion, view.to_image(points)), axis=1).max() < 1.5
    plain = moved_view(straight, motion, WHOLE)
    assert plain.to_image(points) == pytest.approx(project(motion, straight.to_image(points)), abs=1e-6)


def test_points_in_a_line_give_no_view():
    line = np.column_stack([np.arange(4.0), np.arange(4.0)])
    with pytest.raises(ValueError, match="one line"):
        view_through(line, line * 3)


def board_pictures(lens, count):
    """The board held before a camera in several ways."""
    scale = 4
    drawn = lens_board().generateImage((BOARD[0] * 28 * scale, BOARD[1] * 28 * scale))
    rng = np.random.default_rng(2)
    height, width = SIZE[1], SIZE[0]
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2).astype(float)
    flat = straightened(lens, grid)
    for _ in range(count):
        turn, _ = cv2.Rodrigues(rng.normal(0, 0.3, 3))
        place = np.array([*rng.uniform((-90, -50), (90, 50)), rng.uniform(240, 330)])
        middle = np.array([BOARD[0], BOARD[1]]) * BOARD_SQUARE_MM / 2
        shift = place - turn[:, 0] * middle[0] - turn[:, 1] * middle[1]
        camera = np.array([[lens.focal[0], 0, lens.centre[0]], [0, lens.focal[1], lens.centre[1]], [0, 0, 1]])
        to_image = camera @ np.column_stack([turn[:, 0], turn[:, 1], shift])
        on_board = np.column_stack([flat, np.ones(len(flat))]) @ np.linalg.inv(to_image).T
        maps = (on_board[:, :2] / on_board[:, 2:] * scale - 0.5).reshape(height, width, 2).astype(np.float32)
        seen = cv2.remap(drawn, maps[..., 0], maps[..., 1], cv2.INTER_AREA, borderValue=120)
        seen = cv2.GaussianBlur(seen, (0, 0), 0.8) + rng.normal(0, 2, seen.shape)
        yield np.repeat(np.clip(seen, 0, 255).astype(np.uint8)[..., None], 3, axis=2)


def test_the_printed_board_measures_a_wide_lens():
    truth = Lens((820.0, 820.0), (650.0, 352.0), (-0.24, 0.06, 0.0, 0.0, 0.0))
    fit = lens_from_boards(list(board_pictures(truth, 8)))
    assert fit.used >= 6
    assert fit.error_px < 0.5
    points = np.stack(np.meshgrid([40, 640, 1240], [30, 360, 690]), axis=-1).reshape(-1, 2).astype(float)
    flat = straightened(fit.lens, points)
    # Focal length and tilt trade places; what counts is that straight is straight, up to a homography.
    same = view_through(flat, straightened(truth, points))
    assert np.linalg.norm(same.to_image(flat) - straightened(truth, points), axis=1).max() < 1.5


def test_too_few_boards_are_refused():
    lens = radial_lens(SIZE, -0.1)
    blank = [np.full((SIZE[1], SIZE[0], 3), 99, np.uint8)] * 3
    with pytest.raises(UserError, match="2 of 5 pictures show the lens board well enough, and it takes 4"):
        lens_from_boards([*board_pictures(lens, 2), *blank])
    with pytest.raises(UserError, match="all be of one size"):
        lens_from_boards([blank[0], blank[0][:300]])


@pytest.mark.parametrize("k1", [-0.15, -0.035, 0.0, 0.04])
def test_straight_table_edges_measure_the_lens(k1):
    lens = radial_lens(SIZE, k1)
    plain = np.full((2400, 3600), 140, np.uint8)
    image = seen_from(camera_view(SIZE, tilt=10, roll=3), plain, SIZE, lens)
    fit = lens_from_edges(image)
    assert fit.lens.distortion[0] == pytest.approx(k1, abs=0.006)
    assert fit.error_px < 0.8


def test_a_picture_without_edges_says_what_to_do():
    with pytest.raises(UserError, match=r"no two long edges.*or use the printed lens board"):
        lens_from_edges(np.full((SIZE[1], SIZE[0], 3), 99, np.uint8))
