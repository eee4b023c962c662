"""The table from its corner markers: every view, any two of them, and words where they do not give it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.calibrate.lens import bent, radial_lens
from referee.calibrate.markers.from_markers import find_markers
from referee.calibrate.markers.seen import marker_places, see_markers
from referee.errors import UserError
from tests.calibrate.marked import camera_view, corners_seen, drawn_table, seen_from

SIZE = (1280, 720)
TABLE = (900.0, 600.0)


def off_mm(found, view, lens=None):
    """How far the corners found lie from the true ones, on the table."""
    truth = corners_seen(view, *TABLE, lens)
    return float(np.abs(found.view.to_table(found.corners) - found.view.to_table(truth)).max())


@pytest.mark.parametrize("roll", [0, 90, 180, -37])
@pytest.mark.parametrize("tilt", [0, 20, 35])
def test_the_table_is_found_from_any_side_at_any_tilt(tilt, roll):
    view = camera_view(SIZE, tilt=tilt, roll=roll)
    found = find_markers(seen_from(view, drawn_table(), SIZE), TABLE)
    assert found.ids == (0, 1, 2, 3)
    assert off_mm(found, view) < 0.7
    assert found.error_mm < 0.5


@pytest.mark.parametrize("lacking", [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2), (1, 3)])
def test_any_two_markers_give_the_table(lacking):
    view = camera_view(SIZE, tilt=15, roll=8)
    found = find_markers(seen_from(view, drawn_table(lacking=lacking), SIZE), TABLE)
    assert found.ids == tuple(sorted({0, 1, 2, 3} - set(lacking)))
    assert off_mm(found, view) < 6


def test_a_half_covered_marker_is_left_out():
    view = camera_view(SIZE, tilt=10)
    image = seen_from(view, drawn_table(), SIZE)
    x, y = view.to_image([[40, 60]])[0].astype(int)
    image[y:, : x + 60] = np.where(np.arange(y, 720)[:, None, None] < y + 200, (60, 90, 150), image[y:, : x + 60])
    found = find_markers(image, TABLE)
    assert 0 not in found.ids
    assert off_mm(found, view) < 1.5


def test_a_marker_that_was_moved_is_named_and_left_out():
    table = drawn_table()
    tile = table[:352, :352].copy()
    table[:352, :352] = 90
    table[80:432, 120:472] = tile
    view = camera_view(SIZE, tilt=12)
    found = find_markers(seen_from(view, table, SIZE), TABLE)
    assert (found.ids, found.stray) == ((1, 2, 3), (0,))
    assert off_mm(found, view) < 1.0


def test_an_unknown_size_is_measured_by_the_markers_own():
    view = camera_view(SIZE, tilt=18, roll=-5)
    found = find_markers(seen_from(view, drawn_table(), SIZE))
    assert found.measured
    assert found.width == pytest.approx(900, rel=0.012)
    assert found.height == pytest.approx(600, rel=0.012)


@pytest.mark.parametrize("k1", [-0.12, -0.03, 0.03])
def test_a_bent_picture_is_understood(k1):
    lens = radial_lens(SIZE, k1)
    view = camera_view(SIZE, tilt=20)
    image = seen_from(view, drawn_table(), SIZE, lens)
    found = find_markers(image, TABLE)
    assert found.lens is not None
    assert found.lens.distortion[0] == pytest.approx(k1, abs=0.004)
    assert off_mm(found, view, lens) < 1.0
    assert np.abs(found.corners - bent(lens, corners_seen(view, *TABLE))).max() < 2.5
    told = find_markers(image, TABLE, lens)
    assert off_mm(told, view, lens) < 1.0


def test_a_straight_picture_is_not_taken_for_a_bent_one():
    view = camera_view(SIZE, tilt=20)
    assert find_markers(seen_from(view, drawn_table(), SIZE), TABLE).lens is None


def test_what_is_missing_is_said():
    view = camera_view(SIZE)
    with pytest.raises(UserError, match="no corner marker is seen"):
        find_markers(np.full((720, 1280, 3), 120, np.uint8), TABLE)
    with pytest.raises(UserError, match=r"only the marker 1 \(top right\).*0 \(top left\), 2"):
        find_markers(seen_from(view, drawn_table(lacking=(0, 2, 3)), SIZE), TABLE)
    with pytest.raises(UserError, match=r"markers 2 \(bottom right\) are not seen.*--size"):
        find_markers(seen_from(view, drawn_table(lacking=(2,)), SIZE))


def test_a_mirrored_picture_is_told_as_such():
    image = seen_from(camera_view(SIZE), drawn_table(), SIZE)
    with pytest.raises(UserError, match="mirrored"):
        find_markers(np.ascontiguousarray(image[:, ::-1]), TABLE)


def test_a_wrong_size_is_refused():
    image = seen_from(camera_view(SIZE), drawn_table(), SIZE)
    with pytest.raises(UserError, match="do not lie on a table of 1200 x 600 mm"):
        find_markers(image, (1200, 600))


def test_markers_in_the_corners_of_no_rectangle_are_refused():
    table = drawn_table()
    tile = table[:352, :352].copy()
    table[:352, :352] = 90
    table[600:952, 700:1052] = tile
    with pytest.raises(UserError, match=r"rectangle: top left is \d+ cm off"):
        find_markers(seen_from(camera_view(SIZE), table, SIZE))


def test_corners_are_found_to_a_fraction_of_a_pixel():
    view = camera_view(SIZE, tilt=25, roll=30)
    for one in see_markers(seen_from(view, drawn_table(), SIZE)):
        truth = view.to_image(marker_places(*TABLE)[one.id])
        assert np.abs(one.corners - truth).max() < 0.4


def test_a_blurred_picture_still_gives_the_table():
    view = camera_view(SIZE, tilt=10)
    image = cv2.GaussianBlur(seen_from(view, drawn_table(), SIZE), (0, 0), 2)
    assert off_mm(find_markers(image, TABLE), view) < 1.0
