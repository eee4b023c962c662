from __future__ import annotations

import numpy as np
import pytest

from referee.vision.photo_outline import card_heights, card_view, find_edges, find_tilt, fit_in_box, height_in_box
from tests.photo_scenes import box_of, card_quad, lay, table


@pytest.mark.parametrize(("turn", "squeeze"), [(0, 1.0), (25, 1.0), (-70, 1.0), (10, 0.7), (90, 0.7)])
def test_a_card_in_a_box_is_fitted_to_its_edges(turn: float, squeeze: float) -> None:
    quad = card_quad(300, 230, 200, turn, squeeze)
    image = table()
    lay(image, quad, "AS")
    outline = fit_in_box(find_edges(image, 200), box_of(quad))
    assert outline.worst > 0.9
    nearest = np.linalg.norm(outline.quad[:, None] - quad[None], axis=2).min(axis=1)
    assert nearest.max() < 4


def test_a_bare_place_has_no_sides() -> None:
    assert fit_in_box(find_edges(table(), 200), (200, 100, 340, 300)).worst < 0.6


def test_the_tilt_is_found_from_cards_that_lie_in_different_directions() -> None:
    quads = np.array([card_quad(0, 0, 100, turn, 0.7) for turn in (0, 30, 60, 90, 120)])
    tilt = find_tilt(quads)
    assert tilt.squeeze == pytest.approx(0.7, abs=0.06)
    assert tilt.angle == pytest.approx(90, abs=10)
    assert card_heights(tilt.undo(quads)) == pytest.approx(100, rel=0.1)


def test_a_fitted_card_shows_the_table_in_millimetres() -> None:
    quad = card_quad(300, 230, 176, 20)
    tilt = find_tilt(quad[None])
    view = card_view(quad, tilt)
    assert view.to_table([[300, 230]])[0] == pytest.approx([31.5, 44], abs=0.1)


@pytest.mark.parametrize("turn", [0, 15, 45, 80, 90])
def test_a_box_tells_the_height_of_the_card_in_it(turn: float) -> None:
    x1, y1, x2, y2 = box_of(card_quad(0, 0, 100, turn))
    assert height_in_box(x2 - x1, y2 - y1) == pytest.approx(100, rel=0.02)
