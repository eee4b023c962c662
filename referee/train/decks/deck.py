"""A deck of cards as pictures: 52 faces and a back at one scale, with the corner indices located.

Everything that renders cards (crops for the reader, footage) takes its cards from here, whether they were fetched
or drawn. A picture is cut to the card's outline: what lies outside the rounded corners is transparent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from referee.cards import DECK, Card

FACE_HEIGHT: Final = 500
"""Height in pixels of every card picture."""

HEIGHT_MM: Final = 88
"""Height in millimetres of every card; widths differ."""

WIDTHS_MM: Final = (63, 57)
"""Widths in millimetres: poker size and bridge size."""

Image: TypeAlias = npt.NDArray[np.uint8]
Box: TypeAlias = tuple[float, float, float, float]
Split: TypeAlias = Literal["train", "val"]
Width: TypeAlias = Literal[63, 57]


def face_width(width_mm: int) -> int:
    """Width in pixels of a card picture: 358 for a 63 mm card, 324 for a 57 mm card."""
    return round(FACE_HEIGHT * width_mm / HEIGHT_MM)


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """The picture of one side of a card.

    Attributes:
        image: uint8 array (500, W, 4), BGRA with straight (not premultiplied) alpha, upright, read-only.
        indexes: boxes (x1, y1, x2, y2) in pixels of ``image``, one for each corner index (rank and suit together),
            the one nearest the top left corner first; empty for a back.
    """

    image: Image
    indexes: tuple[Box, ...] = ()

    def __post_init__(self) -> None:
        image = self.image
        if image.dtype != np.uint8 or image.ndim != 3 or image.shape[0] != FACE_HEIGHT or image.shape[2] != 4:
            raise ValueError(
                f"a card picture is a uint8 array ({FACE_HEIGHT}, W, 4) in BGRA, not {image.dtype} {image.shape}"
            )
        for box in self.indexes:
            x1, y1, x2, y2 = box
            inside = 0 <= x1 < x2 <= image.shape[1] and 0 <= y1 < y2 <= FACE_HEIGHT
            if not (inside and all(math.isfinite(side) for side in box)):
                raise ValueError(f"index box {box} does not lie inside the card of {image.shape[1]} x {FACE_HEIGHT} px")
        image.setflags(write=False)


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """52 faces and a back that were made to go together.

    Attributes:
        name: unique name, such as ``anglo_bitmap`` or ``drawn-17``.
        family: name shared by decks that look too much alike to be on different sides of a split.
        split: ``train`` or ``val``; the same for a whole family.
        licence: licence of the art, as its source states it.
        source: package and version the art came from, or how it was drawn.
        faces: the picture of each of the 52 cards.
        back: the picture of the back, as large as the faces.
        width_mm: width of the card, 63 or 57.
        height_mm: height of the card, 88.
    """

    name: str
    family: str
    split: Split
    licence: str
    source: str
    faces: Mapping[Card, Face]
    back: Face
    width_mm: Width = 63
    height_mm: int = HEIGHT_MM

    def __post_init__(self) -> None:
        if self.split not in ("train", "val"):
            raise ValueError(f"deck {self.name}: the split is 'train' or 'val', not {self.split!r}")
        if self.width_mm not in WIDTHS_MM or self.height_mm != HEIGHT_MM:
            raise ValueError(
                f"deck {self.name}: a card is 63 or 57 mm wide and {HEIGHT_MM} mm high, "
                f"not {self.width_mm} x {self.height_mm}"
            )
        missing = [card.text for card in DECK if card not in self.faces]
        if missing or len(self.faces) != len(DECK):
            raise ValueError(
                f"deck {self.name} has {len(self.faces)} faces, not one for each of the 52 cards"
                + (f" (missing: {' '.join(missing)})" if missing else "")
            )
        width = face_width(self.width_mm)
        for label, face in (*((card.text, face) for card, face in self.faces.items()), ("the back", self.back)):
            if face.image.shape[1] != width:
                raise ValueError(
                    f"deck {self.name}: {label} is {face.image.shape[1]} px wide; "
                    f"a card of {self.width_mm} mm is {width} px"
                )
        without = [card.text for card in DECK if not self.faces[card].indexes]
        if without:
            raise ValueError(f"deck {self.name}: no corner index is known for {' '.join(without)}")
        if self.back.indexes:
            raise ValueError(f"deck {self.name}: a back has no index")
        # A copy of our own, in deck order, so that nothing changes under the deck and iteration is always the same.
        object.__setattr__(self, "faces", {card: self.faces[card] for card in DECK})

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures in pixels."""
        return face_width(self.width_mm), FACE_HEIGHT
