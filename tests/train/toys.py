"""A deck simple enough to draw in a test and different enough to tell its cards apart."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from referee.cards import DECK, Card
from referee.train.decks.deck import Deck, Face
from referee.train.decks.deck_pool import DeckPool, pool_of


def blank(colour: tuple[int, int, int]) -> np.ndarray:
    """A card of one colour, its corners rounded."""
    image = np.zeros((500, 358, 4), np.uint8)
    radius = 20
    for x1, y1, x2, y2 in ((radius, 0, 357 - radius, 499), (0, radius, 357, 499 - radius)):
        cv2.rectangle(image, (x1, y1), (x2, y2), (*colour, 255), -1)
    for x in (radius, 357 - radius):
        for y in (radius, 499 - radius):
            cv2.circle(image, (x, y), radius, (*colour, 255), -1)
    return image


def toy_face(card: Card) -> Face:
    image = blank((250, 250, 250))
    ink = (40, 40, 200, 255) if card.red else (20, 20, 20, 255)
    cv2.putText(image, card.text, (14, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.5, ink, 5)
    image = np.maximum(image[::-1, ::-1], 0).copy()
    cv2.putText(image, card.text, (14, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.5, ink, 5)
    # Six bits of the card's code in big squares.
    for bit in range(6):
        x, y = 80 + 110 * (bit % 2), 100 + 105 * (bit // 2)
        if (card.code + 1) >> bit & 1:
            cv2.rectangle(image, (x, y), (x + 80, y + 80), ink, -1)
    return Face(image, ((10.0, 15.0, 100.0, 70.0), (258.0, 430.0, 348.0, 485.0)))


def toy(faces: dict[Card, Face], back: np.ndarray, name: str = "toy") -> Deck:
    return Deck(
        name=name,
        family=name,
        split="train",
        licence="CC0-1.0",
        source="drawn by the test",
        faces=faces,
        back=Face(back),
    )


@cache
def toy_deck() -> Deck:
    """52 faces with two indexes and squares that spell their code, and a blue back."""
    return toy({card: toy_face(card) for card in DECK}, blank((160, 80, 30)))


@cache
def white_and_black() -> tuple[Deck, Deck]:
    """A deck of white cards and one of black cards, the backs included."""
    decks = []
    for name, colour in (("white", (255, 255, 255)), ("black", (0, 0, 0))):
        face = Face(blank(colour), ((10.0, 15.0, 100.0, 70.0), (258.0, 430.0, 348.0, 485.0)))
        decks.append(toy(dict.fromkeys(DECK, face), blank(colour), name))
    return decks[0], decks[1]


@cache
def toy_pool() -> DeckPool:
    """The toy deck alone."""
    return pool_of([toy_deck()])
