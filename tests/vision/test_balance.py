"""White balance of crops."""

import numpy as np
import numpy.typing as npt
import pytest

from referee.vision.balance import balanced


def _card_under(light: tuple[float, float, float]) -> npt.NDArray[np.uint8]:
    """A white card with a black sign on a brown table, under a coloured light (B, G, R)."""
    crop = np.empty((224, 224, 3))
    crop[:] = (60, 90, 130)
    crop[30:200, 50:170] = 230
    crop[90:130, 90:130] = 25
    return np.clip(crop * light, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("light", [(1, 0.8, 0.7), (0.6, 0.9, 1), (0.8, 1, 0.8)])
def test_paper_under_a_coloured_light_becomes_nearly_white(light: tuple[float, float, float]) -> None:
    before = _card_under(light)
    after = balanced(before)
    assert np.ptp(after[60, 60].astype(int)) < 0.45 * np.ptp(before[60, 60].astype(int))
    assert np.ptp(after[110, 110].astype(int)) < np.ptp(before[110, 110].astype(int))
    assert (after >= before).all()


def test_a_crop_under_white_light_stays_as_it_is() -> None:
    crop = _card_under((0.9, 0.9, 0.9))
    assert balanced(crop) is crop


def test_a_coloured_table_without_a_card_keeps_its_colour_in_part() -> None:
    felt = np.empty((224, 224, 3), np.uint8)
    felt[:] = (40, 120, 30)
    after = balanced(felt)
    assert after[0, 0].tolist() == [64, 120, 48]


def test_black_pictures_stay_black() -> None:
    black = np.zeros((224, 224, 3), np.uint8)
    assert not balanced(black).any()
