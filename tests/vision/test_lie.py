"""How a card lies, from its box and its edges."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.vision.lie import angle_of


def _card(angle: float) -> tuple[np.ndarray, tuple[float, float, float, float]]:
    """A white card with some print, turned clockwise by ``angle`` on a dark table, and its box."""
    size, width, height = 224, 114, 159
    face = np.full((height, width, 3), 235, np.uint8)
    cv2.rectangle(face, (30, 40), (80, 115), (40, 40, 200), -1)
    cv2.putText(face, "7", (6, 28), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (0, 0, 0), 2)
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), -angle, 1)
    turn[:, 2] += (size - width) / 2, (size - height) / 2
    crop = cv2.warpAffine(face, turn, (size, size), borderValue=(60, 70, 50))
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]]) @ turn[:, :2].T + turn[:, 2]
    (x1, y1), (x2, y2) = corners.min(axis=0), corners.max(axis=0)
    return crop, (float(x1), float(y1), float(x2), float(y2))


@pytest.mark.parametrize("angle", [-80, -52, -45, -36, -20, -4, 0, 3, 12, 30, 41, 45, 60, 85, 90])
def test_the_turn_of_a_card_is_told_with_its_direction(angle: float) -> None:
    crop, box = _card(angle)
    off = (angle_of(crop, box) - angle + 90) % 180 - 90
    assert abs(off) < 3


def test_a_card_upside_down_lies_as_one_that_is_upright() -> None:
    crop, box = _card(20)
    assert angle_of(np.ascontiguousarray(crop[::-1, ::-1]), box) == pytest.approx(angle_of(crop, box), abs=2)


@pytest.mark.parametrize("box", [(-5.0, -5.0, 1.0, 1.0), (300.0, 300.0, 400.0, 500.0), (50.0, 50.0, 50.0, 50.0)])
def test_a_box_outside_the_crop_still_has_some_turn(box: tuple[float, float, float, float]) -> None:
    assert -90 <= angle_of(np.zeros((224, 224, 3), np.uint8), box) <= 90
