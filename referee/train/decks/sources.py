"""The decks made of fetched art: reading each card's drawing out of the package that holds it.

``decks.toml`` lists them and explains its fields.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from referee.cards import DECK, RANKS, SUITS, Card
from referee.errors import UserError
from referee.train.decks.deck import Image
from referee.train.decks.normalise import CardShape
from referee.train.decks.packages import Package, packages
from referee.train.decks.raster import read_picture

_DRAWN_HEIGHT: Final = 560
"""Vector cards are drawn this high, so that cutting their outline off leaves 500 px without enlarging."""


@dataclass(frozen=True, slots=True)
class DeckSource:
    """One entry of ``decks.toml``.

    ``layout`` is its ``sheet``, ``islands`` or ``files`` table, named by ``kind``; ``lettering`` is the package whose
    fonts the drawing's text is set in, if it has any.
    """

    name: str
    family: str
    package: Package
    licence: str
    shape: CardShape
    kind: str
    layout: Mapping[str, Any]
    lettering: Package | None = None

    @property
    def source(self) -> str:
        """Where the art comes from, for people."""
        return f"{self.package.name} {self.package.version} ({self.package.registry})"

    @property
    def packages(self) -> tuple[Package, ...]:
        """All the packages that the deck is made from."""
        return (self.package,) if self.lettering is None else (self.package, self.lettering)

    def drawings(self, cache: Path) -> tuple[dict[Card, Image], Image | None]:
        """The drawing of each card, and of the back if there is one, from the packages unpacked in ``cache``."""
        folder = self.package.folder(cache)
        if self.kind == "sheet":
            return _from_sheet(self.layout, folder, self.lettering.folder(cache) if self.lettering else None)
        if self.kind == "islands":
            return _from_islands(self.layout, folder)
        return _from_files(self.layout, folder)


@lru_cache(maxsize=1)
def deck_sources() -> dict[str, DeckSource]:
    """All decks made of fetched art, by name."""
    text = resources.files("referee.train.decks").joinpath("decks.toml").read_text(encoding="utf-8")
    found: dict[str, DeckSource] = {}
    for entry in tomllib.loads(text)["deck"]:
        (kind,) = {"sheet", "islands", "files"} & set(entry)
        shape = CardShape(entry["width_mm"], entry["inset"], tuple(entry["index"]), entry["corners"])
        found[entry["name"]] = DeckSource(
            entry["name"],
            entry["family"],
            packages()[entry["package"]],
            entry["licence"],
            shape,
            kind,
            entry[kind],
            packages()[entry["lettering"]] if "lettering" in entry else None,
        )
    return found


def _from_sheet(layout: Mapping[str, Any], folder: Path, fonts: Path | None) -> tuple[dict[Card, Image], Image | None]:
    columns, rows = layout["cells"]
    sheet = read_picture(folder / layout["path"], _DRAWN_HEIGHT * rows, fonts)
    width, height = sheet.shape[1] / columns, sheet.shape[0] / rows

    def cell(column: int, row: int) -> Image:
        return sheet[
            round(row * height) : round((row + 1) * height), round(column * width) : round((column + 1) * width)
        ]

    cards = {
        Card(rank + suit): cell(column, row)
        for row, suit in enumerate(layout["rows"])
        for column, rank in enumerate(layout["columns"])
    }
    return cards, cell(*layout["back"]) if "back" in layout else None


def _from_islands(layout: Mapping[str, Any], folder: Path) -> tuple[dict[Card, Image], Image | None]:
    # Seven rows' worth of height: four rows of cards, the gaps between them, and the rest of the page.
    sheet = read_picture(folder / layout["path"], _DRAWN_HEIGHT * 7)
    _, _, stats, _ = cv2.connectedComponentsWithStats(np.where(sheet[..., 3] > 127, 255, 0).astype(np.uint8))
    usual = float(np.median(stats[1:, 4][stats[1:, 4] > 10_000]))
    boxes = [tuple(int(v) for v in s[:4]) for s in stats[1:] if 0.85 * usual < s[4] < 1.15 * usual]
    # Cards of one row differ by a few pixels in height; a row is what starts within half a card.
    boxes.sort(key=lambda box: box[1])
    ordered: list[tuple[int, ...]] = []
    while boxes:
        row = [box for box in boxes if box[1] < boxes[0][1] + boxes[0][3] / 2]
        ordered += sorted(row)
        boxes = boxes[len(row) :]
    if len(ordered) < len(DECK):
        raise UserError(f"{layout['path']} shows {len(ordered)} cards set apart, not 52")
    cut = [sheet[y : y + h, x : x + w] for x, y, w, h in ordered]
    names = enumerate(layout["order"].split())
    cards = {Card(name): cut[place] for place, name in names if name != "--"}
    return cards, cut[layout["back"]] if "back" in layout else None


def _from_files(layout: Mapping[str, Any], folder: Path) -> tuple[dict[Card, Image], Image | None]:
    ranks = dict(zip(RANKS, layout["ranks"].split(), strict=True))
    suits = dict(zip(SUITS, layout["suits"].split(), strict=True))

    def file(card: Card) -> Path:
        pattern = layout.get("courts", layout["path"]) if card.rank > 10 else layout["path"]
        return folder / str(pattern).format(rank=ranks[card.text[0]], suit=suits[card.text[1]])

    cards = {card: read_picture(file(card), _DRAWN_HEIGHT) for card in DECK}
    return cards, read_picture(folder / layout["back"], _DRAWN_HEIGHT) if "back" in layout else None
