"""What is read at a card's corner indexes has a say in which card it is."""

from __future__ import annotations

import numpy as np
import pytest

from referee.vision.opinion import index_places, opinions

SIDE, GRID, CLASSES = 224, 14, 54
FACES = np.arange(CLASSES) < 52
SEVEN, KING, BACK = 6, 12, 52


def _crop() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A white card, 108 x 151 px, upright in the middle of a dark crop."""
    crop = np.full((SIDE, SIDE, 3), 40, np.uint8)
    crop[37:188, 58:166] = 240
    return crop


def _rows(
    middle: tuple[int, float], index: tuple[int, float] | None
) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """What a network says: a class and its score at the four middle places, and at the top left index."""
    rows = np.full((4 + CLASSES, GRID, GRID), 0.001, np.float32)
    rows[0], rows[1], rows[2], rows[3] = 112, 112.5, 108, 151
    rows[4 + middle[0], 6:8, 6:8] = middle[1]
    if index is not None:
        rows[4 + index[0], 3, 4] = index[1]
    return rows.reshape(4 + CLASSES, GRID * GRID)


@pytest.mark.parametrize(
    ("middle", "index", "told"),
    [
        ((KING, 0.6), None, KING),
        ((KING, 0.2), (SEVEN, 0.6), SEVEN),
        ((KING, 0.6), (SEVEN, 0.01), KING),
    ],
    ids=["no index shows", "the index is surer", "the index is dim"],
)
def test_an_index_that_is_read_surely_outweighs_a_middle_that_is_not(
    middle: tuple[int, float], index: tuple[int, float] | None, told: int
) -> None:
    (evidence,), (box,), (angle,) = opinions(_rows(middle, index)[None], [_crop()], FACES)
    assert int(evidence.argmax()) == told
    assert box.tolist() == pytest.approx([58, 37, 166, 188])
    assert angle == pytest.approx(0, abs=2)


def test_indexes_say_nothing_about_whether_there_is_a_card() -> None:
    rows = _rows((KING, 0.4), (SEVEN, 0.9))
    with_, without = (opinions(rows[None], [_crop()], faces)[0][0] for faces in (FACES, None))
    assert np.logaddexp.reduce(with_[FACES]) == pytest.approx(np.logaddexp.reduce(without[FACES]))
    assert with_[BACK] == without[BACK]
    assert int(without.argmax()) == KING


def test_a_network_of_several_grids_is_not_asked_about_indexes() -> None:
    rows = np.concatenate([_rows((KING, 0.4), (SEVEN, 0.9)), _rows((KING, 0.4), None)[:, :49]], axis=1)
    assert int(opinions(rows[None], [_crop()], FACES)[0][0].argmax()) == KING


@pytest.mark.parametrize("turn", [0, 30, 90, -60])
def test_indexes_turn_with_the_card(turn: float) -> None:
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    width, height = 63.0, 88.0
    half = np.array([width * abs(cos) + height * abs(sin), width * abs(sin) + height * abs(cos)]) / 2
    box = np.array([[100 - half[0], 100 - half[1], 100 + half[0], 100 + half[1]]])
    places = np.concatenate(index_places(box, np.array([turn]))).T
    upright = (places - 100) @ np.array([[cos, -sin], [sin, cos]])
    assert upright[0] == pytest.approx([-0.4 * width, -0.37 * height], abs=0.01)
    assert upright[2] == pytest.approx([0.4 * width, 0.37 * height], abs=0.01)
