"""What is read at a card's corner indexes has a say in which card it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from referee.vision.evidence import HIDDEN
from referee.vision.opinion import opinions

SIDE, GRID, CLASSES = 224, 14, 54
FACES = np.arange(CLASSES) < 52
MEANS = np.array([*range(53), HIDDEN])
SEVEN, KING, BACK = 6, 12, 52


def _crop() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A white card, 108 x 151 px, upright in the middle of a dark crop."""
    crop = np.full((SIDE, SIDE, 3), 40, np.uint8)
    crop[37:188, 58:166] = 240
    return crop


def _rows(middle: tuple[int, float]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """What the first network says of one crop: a class and its score at the four middle places."""
    rows = np.full((4 + CLASSES, GRID, GRID), 0.001, np.float32)
    rows[0], rows[1], rows[2], rows[3] = 112, 112.5, 108, 151
    rows[4 + middle[0], 6:8, 6:8] = middle[1]
    return rows.reshape(1, 4 + CLASSES, GRID * GRID)


class _Told:
    """A second network that gives the same answer about every index, and remembers what it was shown."""

    def __init__(self, card: int | None) -> None:
        self.card, self.share = card, 1 - 52e-4
        self.shown = np.zeros((0, 64, 48, 3), np.uint8)

    def read(self, views: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> np.ndarray[Any, np.dtype[np.float64]]:
        self.shown = np.concatenate([self.shown, views])
        told = np.full((len(views), 53), 1e-4)
        told[:, 52 if self.card is None else self.card] = self.share
        return np.asarray(np.log(told), np.float64)


def test_an_index_that_is_read_upright_outweighs_a_middle_that_is_not_sure() -> None:
    rows = _rows((KING, 0.2))
    (evidence,), _, _ = opinions(rows, [_crop()], MEANS, _Told(SEVEN))
    assert int(evidence.argmax()) == SEVEN


def test_a_middle_that_is_sure_outweighs_an_index_that_is_not() -> None:
    unsure = _Told(None)
    unsure.card, unsure.share = SEVEN, 0.3
    (evidence,), _, _ = opinions(_rows((KING, 0.9)), [_crop()], MEANS, unsure)
    assert int(evidence.argmax()) == KING


def test_without_a_second_network_the_first_decides() -> None:
    (evidence,), (box,), (angle,) = opinions(_rows((KING, 0.6)), [_crop()], MEANS)
    assert int(evidence.argmax()) == KING
    assert box.tolist() == pytest.approx([58, 37, 166, 188])
    assert angle == pytest.approx(0, abs=2)


def test_a_second_look_is_at_the_indexes_either_way_round() -> None:
    told = _Told(SEVEN)
    opinions(_rows((KING, 0.4)), [_crop()], MEANS, told, either_way=True)
    assert told.shown.shape == (4, 64, 48, 3)


def test_corners_without_an_index_speak_for_no_card() -> None:
    rows = _rows((KING, 0.6))
    (asked,), _, _ = opinions(rows, [_crop()], MEANS, _Told(None))
    assert int(asked.argmax()) == KING
    others = np.delete(asked[FACES], KING)
    assert others == pytest.approx(others[0])


def test_the_second_network_says_nothing_about_whether_there_is_a_card() -> None:
    rows = _rows((KING, 0.4))
    with_, without = (opinions(rows, [_crop()], MEANS, told)[0][0] for told in (_Told(SEVEN), None))
    assert np.logaddexp.reduce(with_[FACES]) == pytest.approx(np.logaddexp.reduce(without[FACES]))
    assert with_[BACK] == without[BACK]


def test_indexes_are_not_looked_for_where_no_card_lies() -> None:
    told = _Told(SEVEN)
    opinions(_rows((KING, 0.001)), [_crop()], MEANS, told)
    assert len(told.shown) == 0
    opinions(_rows((KING, 0.4)), [_crop()], MEANS, told)
    assert told.shown.shape == (2, 64, 48, 3)


def test_indexes_are_not_looked_at_where_the_first_network_leaves_no_doubt() -> None:
    told = _Told(SEVEN)
    (evidence,), _, _ = opinions(_rows((KING, 0.999)), [_crop()], MEANS, told)
    assert len(told.shown) == 0
    assert int(evidence.argmax()) == KING


def test_classes_in_another_order_are_told_apart_too() -> None:
    means = MEANS.copy()
    means[[SEVEN, KING]] = KING, SEVEN
    (evidence,), _, _ = opinions(_rows((3, 0.2)), [_crop()], means, _Told(SEVEN))
    assert int(evidence.argmax()) == KING
