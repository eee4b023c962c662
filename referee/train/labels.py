"""Photographs with labels: a folder of pictures and its ``labels.csv``.

Columns: ``image,card,x1,y1,x2,y2,kind``. ``card`` is a card, with ``?`` for a part that cannot be read, or ``back``.
``kind`` is ``card`` for a card with a box in pixels of the stored picture (of an overlapped card, about what shows of
it), and ``image`` for a card that lies somewhere in the picture.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.cards import RANKS, SUITS, Card
from referee.errors import UserError

BACK_TEXT: Final = "back"
COLUMNS: Final = ("image", "card", "x1", "y1", "x2", "y2", "kind")
PICTURES: Final = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})


@dataclass(frozen=True, slots=True)
class Label:
    """One card in a picture.

    Attributes:
        text: the card's text, ``?`` for a part of it that cannot be read, or ``back``.
        box: x1, y1, x2, y2 in pixels of the stored picture; None where only the picture is known.
    """

    text: str
    box: tuple[float, float, float, float] | None

    @property
    def card(self) -> Card | None:
        """The card, if all of it is known."""
        return Card(self.text) if "?" not in self.text and self.text != BACK_TEXT else None


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture and what is in it.

    Attributes:
        path: the picture.
        labels: its cards; none at all for a picture of a bare table.
    """

    path: Path
    labels: tuple[Label, ...]

    @property
    def boxed(self) -> tuple[Label, ...]:
        """The cards whose places are known."""
        return tuple(label for label in self.labels if label.box is not None)


def read_photos(folder: Path) -> list[Photo]:
    """The labelled pictures of ``folder``, by name; without a ``labels.csv`` all its pictures, as showing no card.

    Raises:
        UserError: there is no such folder, nothing is in it, or a row of the labels is wrong.
    """
    if not folder.is_dir():
        raise UserError(f"{folder}: there is no such folder of photographs: check the name")
    table = folder / "labels.csv"
    if not table.exists():
        bare = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
        if not bare:
            raise UserError(f"{folder} holds neither labels.csv nor pictures")
        return [Photo(path, ()) for path in bare]
    found: dict[str, list[Label]] = {}
    try:
        with table.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file)
            missing = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
            if missing:
                raise UserError(f"{table} has no column {', '.join(missing)}: its first line is {','.join(COLUMNS)}")
            for number, row in enumerate(rows, start=2):
                found.setdefault(row["image"], []).append(_label(row, f"{table}, line {number}"))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"{table} cannot be read: {error}") from None
    return [Photo(folder / name, tuple(labels)) for name, labels in sorted(found.items())]


def _label(row: dict[str, str], place: str) -> Label:
    text = row["card"]
    plain = text == BACK_TEXT or (len(text) == 2 and text[0] in RANKS + "?" and text[1] in SUITS + "?")
    if not plain:
        raise UserError(f"{place}: {text!r} is no card: write a rank of {RANKS}, a suit of {SUITS}, or back")
    if row["kind"] == "image":
        return Label(text, None)
    if row["kind"] != "card":
        raise UserError(f"{place}: the kind {row['kind']!r} is neither card nor image")
    try:
        x1, y1, x2, y2 = (float(row[name]) for name in COLUMNS[2:6])
    except (TypeError, ValueError):
        raise UserError(f"{place}: a card needs a box of four numbers") from None
    if not (x1 < x2 and y1 < y2):
        raise UserError(f"{place}: the box {x1:g},{y1:g},{x2:g},{y2:g} has no inside")
    return Label(text, (x1, y1, x2, y2))
