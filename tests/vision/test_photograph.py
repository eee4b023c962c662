from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from referee.readings import BACK, OUTCOMES, Pose, Reading, Sight
from referee.vision.photo_annotate import annotate
from referee.vision.photo_scan import Glimpse
from referee.vision.photograph import FoundCard, PhotoReader
from referee.vision.rectify import Image, Points
from tests.photo_scenes import box_of, card_quad, lay, table
from tests.toy_reader import toy_photo_reader


def picture(cards: dict[str, Points], height: int = 480, width: int = 640) -> Image:
    image = table(height, width)
    for text, quad in cards.items():
        lay(image, quad, text)
    return image


def by_text(cards: list[FoundCard]) -> dict[str, FoundCard]:
    assert len({card.text for card in cards}) == len(cards)
    return {card.text: card for card in cards}


@pytest.mark.parametrize(("height", "squeeze"), [(110, 1.0), (200, 0.8)])
def test_cards_lying_apart_are_read_where_they_lie(height: float, squeeze: float) -> None:
    cards = {
        "AS": card_quad(150, 130, height, 20, squeeze),
        "9H": card_quad(450, 140, height, 80, squeeze),
        "5D": card_quad(180, 350, height, -35, squeeze),
        "KC": card_quad(470, 340, height, 190, squeeze),
    }
    found = by_text(toy_photo_reader().read(picture(cards)))
    assert found.keys() == cards.keys()
    for text, quad in cards.items():
        assert found[text].box == pytest.approx(box_of(quad), abs=5)
        assert found[text].whole
        assert found[text].confidence == pytest.approx(0.9, abs=0.001)


def test_what_lies_under_a_card_is_read_when_that_is_taken_off() -> None:
    cards = {"AS": card_quad(130, 120, 120, 0), "9H": card_quad(420, 260, 120, 0), "5D": card_quad(452, 285, 120, 4)}
    found = by_text(toy_photo_reader().read(picture(cards)))
    assert {"AS", "5D"} <= found.keys()
    assert found["5D"].whole


def test_a_lone_pair_that_overlaps_tells_its_scale_by_being_read() -> None:
    cards = {"9H": card_quad(300, 230, 150, 0), "5D": card_quad(322, 250, 150, 0)}
    found = by_text(toy_photo_reader().read(picture(cards)))
    assert "5D" in found


def test_a_near_card_that_looks_larger_than_the_others_is_read() -> None:
    image = picture({"AS": card_quad(120, 120, 110, 20), "9H": card_quad(120, 350, 110, 80)})
    near = card_quad(430, 250, 190, 0)
    lay(image, near, "5D")
    # A thing on its corner keeps its outline from being found.
    image[int(near[0, 1]) - 10 : int(near[0, 1]) + 60, int(near[0, 0]) - 10 : int(near[0, 0]) + 50] = (60, 90, 50)
    assert by_text(toy_photo_reader().read(image)).keys() == {"AS", "9H", "5D"}


def test_a_bare_table_has_no_cards() -> None:
    assert toy_photo_reader().read(table()) == []


def test_reading_a_photograph_changes_nothing_in_it_and_is_repeatable() -> None:
    image = picture({"AS": card_quad(150, 130, 120, 20), "KC": card_quad(180, 160, 120, 40)})
    before = image.copy()
    first, second = (toy_photo_reader().read(image) for _ in range(2))
    assert (image == before).all()
    assert [(one.text, one.confidence, one.box) for one in first] == [
        (one.text, one.confidence, one.box) for one in second
    ]


def test_what_was_read_is_drawn_on_a_copy() -> None:
    image = picture({"AS": card_quad(150, 130, 120, 20)})
    cards = toy_photo_reader().read(image)
    drawn = annotate(image, cards)
    assert drawn.shape == image.shape
    changed = np.argwhere((drawn != image).any(axis=2))
    x1, y1, x2, y2 = cards[0].box
    assert changed.min(axis=0) == pytest.approx([y1, x1], abs=4)
    assert changed.max(axis=0) == pytest.approx([y2, x2], abs=4)


class Backs:
    """Takes every crop for that of an upright back."""

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        log_probs = np.full(OUTCOMES, -9, np.float32)
        log_probs[BACK] = -0.01
        box = (55.1, 32.5, 168.9, 191.5)
        return [Reading(Sight.BACK, log_probs, 0.0, box, Pose(0, 0, 0)) for _ in crops]

    def scan(self, _image: Image) -> list[Glimpse]:
        return []


@pytest.mark.parametrize("printed", [False, True])
def test_a_plain_patch_is_no_back_and_a_print_is(printed: bool) -> None:
    image = table()
    quad = card_quad(300, 230, 200, 0)
    x1, y1, x2, y2 = (round(edge) for edge in box_of(quad))
    image[y1:y2, x1:x2] = (200, 120, 90)
    if printed:
        image[y1 + 10 : y2 - 10 : 8, x1 + 10 : x2 - 10] = 255
    found = PhotoReader(Backs(), Backs()).read(image)
    assert [card.text for card in found] == (["back"] if printed else [])


class Gullible(Backs):
    """Sees cards everywhere, of any shape."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def _box(self, size: int) -> tuple[float, float, float, float]:
        x, y, width, height = self.rng.uniform([0, 0, 75, 75], [size, size, 225, 225])
        return (float(x), float(y), float(x + width), float(y + height))

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        log_probs = np.full(OUTCOMES, -9, np.float32)
        log_probs[3] = -0.01
        return [Reading(Sight.CARD, log_probs, 0.0, self._box(150), Pose(0, 0, 0)) for _ in crops]

    def scan(self, image: Image) -> list[Glimpse]:
        return [Glimpse(self._box(min(image.shape[:2])), 3, 0.5) for _ in range(5)]


def test_whatever_is_read_in_whatever_shapes_something_is_answered() -> None:
    rng = np.random.default_rng(1)
    image = table(120, 160)
    for _ in range(12):
        corners = rng.uniform([-20, -20], [180, 140], (4, 2)).astype(np.int32)
        cv2.fillPoly(image, [corners], rng.integers(0, 255, 3).tolist())
    gullible = Gullible(1)
    for card in PhotoReader(gullible, gullible).read(image):
        assert np.isfinite(card.quad).all()
        assert card.text == "4C"
