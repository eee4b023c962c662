"""A small deck drawn in place, so that the camera's tests need no art."""

from __future__ import annotations

import numpy as np
import pytest

from referee.cards import DECK
from referee.errors import UserError
from referee.train.decks.deck import FACE_HEIGHT, Deck, Face, face_width


@pytest.fixture(scope="session")
def deck() -> Deck:
    """White faces, each with a coloured middle of its own, and a blue back."""
    width = face_width(63)

    def side(colour: tuple[int, int, int]) -> np.ndarray:
        image = np.full((FACE_HEIGHT, width, 4), 255, np.uint8)
        image[60:-60, 60:-60, :3] = colour
        return image

    faces = {
        card: Face(side((30 + 4 * card.code, 240 - 4 * card.code, 128)), ((5.0, 5.0, 50.0, 90.0),)) for card in DECK
    }
    return Deck("plain", "plain", "train", "CC0", "drawn in place", faces, Face(side((200, 30, 20))))


@pytest.fixture(scope="session")
def pipe() -> None:
    """Skips what needs to draw where nothing can be drawn."""
    from referee.simulate.render.pipe import open_context

    try:
        context = open_context()
    except UserError as problem:
        pytest.skip(f"nothing can be rendered here: {problem}")
    context.release()
