from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee.readings import BACK
from referee.vision.engine import Floats
from referee.vision.evidence import Calibration
from referee.vision.model_file import ModelFile
from referee.vision.photo_outline import Tilt
from referee.vision.photo_scale import CARD_PX, PhotoScale, all_scales, scales_of
from referee.vision.photo_scan import Scanner
from tests.photo_scenes import card_quad


class Engine:
    """Sees a card about every white pixel: blue ones are 7C, others backs."""

    classes = ("7C", "back", "hidden")
    size = 224

    def __init__(self, fixed: bool) -> None:
        self.fixed = fixed
        self.shapes: list[tuple[int, ...]] = []

    def run(self, batch: Floats) -> Floats:
        if self.fixed and batch.shape != (1, 3, 224, 224):
            raise ValueError("only crops")
        self.shapes.append(batch.shape)
        ys, xs = np.nonzero(batch[0].max(axis=0) > 0.9)
        rows = np.zeros((1, 7, max(1, len(xs))), np.float32)
        for number, (x, y) in enumerate(zip(xs, ys, strict=True)):
            rows[0, :4, number] = x, y, 100, 150
            rows[0, 5 if batch[0, 0, y, x] > 0.9 else 4, number] = 0.8
            rows[0, 6, number] = 0.99
        return rows


@pytest.mark.parametrize("fixed", [False, True])
def test_a_picture_of_any_size_is_scanned_in_pieces(fixed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(fixed)
    monkeypatch.setattr("referee.vision.photo_scan.open_engine", lambda _path: engine)
    scanner = Scanner(ModelFile(Path("m.onnx"), "", (), 0, Calibration()))
    image = np.zeros((500, 1000, 3), np.uint8)
    image[120, 150] = image[125, 152] = (255, 0, 0)
    image[400, 900] = 255
    found = scanner.scan(image)
    assert [glimpse.place for glimpse in found] == [6, BACK]
    assert found[0].box == pytest.approx((100, 45, 200, 195), abs=4)
    assert found[1].box == pytest.approx((850, 325, 950, 475))
    assert found[1].score == pytest.approx(0.8)
    assert all(height % 32 == 0 and width % 32 == 0 for _, _, height, width in engine.shapes)


def test_sizes_to_look_for_reach_from_the_picture_to_what_can_just_be_read() -> None:
    heights = [scale.height for scale in all_scales(1000, 700)]
    assert heights[0] == pytest.approx(950)
    assert 80 <= heights[-1] < 110
    assert all_scales(100, 100)[-1].height >= 36


def test_found_cards_tell_sizes_and_tilt() -> None:
    quads = [card_quad(100, 100, height, turn, 0.8) for height, turn in ((100, 0), (110, 40), (180, 80), (900, 0))]
    scales = scales_of(quads)
    assert all(scale.tilt.squeeze == pytest.approx(0.8, abs=0.11) for scale in scales)
    assert 80 < scales[0].height < 125
    assert 140 < scales[-1].height < 220


def test_the_photograph_is_brought_to_the_scale_of_crops() -> None:
    image = np.zeros((200, 300, 3), np.uint8)
    image[99:102, 199:202] = 255
    for tilt in (Tilt(1.0, 90.0), Tilt(0.7, 30.0)):
        picture, back = PhotoScale(CARD_PX / 2, tilt).straightened(image)
        y, x = np.argwhere(picture[..., 0] > 200).mean(axis=0)
        assert back @ [x, y, 1] == pytest.approx([200, 100], abs=0.5)
        assert picture.shape[0] >= 400
