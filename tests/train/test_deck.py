"""A deck refuses to be anything but 52 faces and a back of one size."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from referee.cards import DECK, Card
from referee.train.decks.deck import Deck, Face, face_width

CORNER = (10.0, 10.0, 40.0, 80.0)


def face(width: int = 358, *indexes: tuple[float, float, float, float]) -> Face:
    return Face(np.full((500, width, 4), 255, np.uint8), indexes)


def deck(**changes: Any) -> Deck:
    values: dict[str, Any] = {
        "name": "plain",
        "family": "plain",
        "split": "train",
        "licence": "CC0-1.0",
        "source": "drawn by the test",
        "faces": {card: face(358, CORNER) for card in DECK},
        "back": face(),
    }
    return Deck(**(values | changes))


def test_widths_follow_the_size_in_millimetres() -> None:
    assert (face_width(63), face_width(57)) == (358, 324)
    assert deck().size == (358, 500)


def test_faces_iterate_in_deck_order_whatever_order_they_came_in() -> None:
    shuffled = {card: face(358, CORNER) for card in reversed(DECK)}
    assert tuple(deck(faces=shuffled).faces) == DECK


def test_the_picture_of_a_face_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        face().image[0, 0] = 0


def test_a_deck_survives_pickling() -> None:
    again = pickle.loads(pickle.dumps(deck()))
    assert tuple(again.faces) == DECK
    assert again.faces[Card("7C")].indexes == (CORNER,)


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((500, 358, 3), np.uint8),
        np.zeros((499, 358, 4), np.uint8),
        np.zeros((500, 358), np.uint8),
        np.zeros((500, 358, 4), np.float32),
    ],
)
def test_a_picture_of_another_shape_or_type_is_refused(image: Any) -> None:
    with pytest.raises(ValueError, match="BGRA"):
        Face(image)


@pytest.mark.parametrize(
    "box", [(10, 10, 10, 80), (-1, 10, 40, 80), (10, 10, 359, 80), (10, 10, 40, 501), (10, float("nan"), 40, 80)]
)
def test_an_index_outside_the_card_is_refused(box: tuple[float, float, float, float]) -> None:
    with pytest.raises(ValueError, match="does not lie inside the card"):
        face(358, box)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"split": "test"}, "'train' or 'val'"),
        ({"width_mm": 60}, "63 or 57 mm"),
        ({"height_mm": 90}, "63 or 57 mm"),
        ({"width_mm": 57}, "358 px wide"),
        ({"faces": {card: face(358, CORNER) for card in DECK[1:]}}, "missing: AC"),
        ({"faces": {card: face() for card in DECK}}, "no corner index is known for AC 2C"),
        ({"back": face(358, CORNER)}, "a back has no index"),
        ({"back": face(324)}, "the back is 324 px wide"),
    ],
)
def test_a_deck_that_is_no_deck_is_refused_with_a_reason(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        deck(**changes)
