"""Where a card's corner indexes are, and pictures of them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.vision.indexes import VIEW, card_heights, index_places, index_views

WIDTH, HEIGHT = 114.0, 159.0


def _card() -> np.ndarray:
    """A white card with an L, which no turn or mirror leaves as it is, at its first and third corner."""
    card = np.full((159, 114, 3), 230, np.uint8)
    card[8:32, 8:12] = card[28:32, 8:18] = (20, 20, 200)
    return np.maximum(np.minimum(card, card[::-1, ::-1]), 0)


def _crop(turn: float) -> tuple[np.ndarray, np.ndarray]:
    """A crop in whose middle the card lies turned by ``turn`` degrees clockwise, and the card's box."""
    matrix = cv2.getRotationMatrix2D((56.5, 79), -turn, 1)
    matrix[:, 2] += 112 - np.array([56.5, 79])
    crop = cv2.warpAffine(_card(), matrix, (224, 224), borderValue=(60, 90, 60))
    cos, sin = abs(np.cos(np.radians(turn))), abs(np.sin(np.radians(turn)))
    half = np.array([WIDTH * cos + HEIGHT * sin, WIDTH * sin + HEIGHT * cos]) / 2
    return crop, np.array([[*(112.5 - half), *(112.5 + half)]])


def _views(turn: float) -> np.ndarray:
    crop, box = _crop(turn)
    angles, middle = np.array([turn]), np.array([112.0])
    heights = card_heights(box, angles)
    return index_views(crop, index_places(middle, middle, angles, heights)[0], turn, heights[0])


@pytest.mark.parametrize("turn", [0, 30, 90, -60, -90])
def test_indexes_turn_with_the_card(turn: float) -> None:
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    middle = np.array([100.0])
    places = index_places(middle, middle, np.array([turn]), np.array([88.0]))[0]
    upright = (places - 100) @ np.array([[cos, -sin], [sin, cos]])
    assert upright[0] == pytest.approx([-0.4 * 63, -0.37 * 88], abs=0.01)
    assert upright[1] == pytest.approx([0.4 * 63, -0.37 * 88], abs=0.01)
    assert upright[2] == pytest.approx([0.4 * 63, 0.37 * 88], abs=0.01)


@pytest.mark.parametrize("turn", [0, 20, 45, 90, -70])
def test_the_box_and_the_turn_tell_how_long_a_card_is(turn: float) -> None:
    _, box = _crop(turn)
    assert card_heights(box, np.array([turn]))[0] == pytest.approx(HEIGHT, abs=0.5)


@pytest.mark.parametrize("turn", [0, 25, 90, -60])
def test_pictures_of_indexes_stand_upright_however_the_card_lies(turn: float) -> None:
    views, upright = _views(turn).astype(float), _views(0).astype(float)
    assert views.shape == (4, VIEW[1], VIEW[0], 3)
    for corner in range(4):
        assert np.abs(views[corner] - upright[corner]).mean() < 12, corner
    # The L is tall at the left and has its foot to the right, from either end of the card.
    for corner in (0, 2):
        red = upright[corner, :, :, 2] - upright[corner, :, :, 0] > 60
        rows, columns = np.nonzero(red)
        assert rows.max() - rows.min() > columns.max() - columns.min()
        assert columns[rows == rows.max()].max() > columns[rows == rows.min()].max()


def test_what_is_beyond_the_crop_is_grey() -> None:
    views = index_views(np.zeros((224, 224, 3), np.uint8), np.full((4, 2), -100.0), 0.0, 159.0)
    assert (views == 114).all()
