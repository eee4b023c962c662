"""The piles of both rows, each where the picture bears it out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from referee.calibrate.card_plane import Floats
from referee.calibrate.card_tops import likely_cards
from referee.calibrate.deal_plane import SeenCards
from referee.calibrate.deal_rows import Row, Rows, turned
from referee.errors import UserError
from referee.vision.rectify import Image

_SHOWN: Final = (0.35, 0.15)
"""A card that was looked for shows so much of its outline, and so much more than the bare table does."""

_CLEAR: Final = 0.5

_CLEARER: Final = 0.15
"""Where rows can be read in two ways, the faintest pile of the better one shows so much, and so much more."""

_BARE: Final = 110.0
"""So far from a row towards the other one no card lies in a fresh deal, mm."""

_LIKELIEST: Final = 8
"""So many places about one are looked at closely."""

_GRID: Final = (-12.0, -6.0, 0.0, 6.0, 12.0)


@dataclass(frozen=True, slots=True)
class Spot:
    """A pile in coordinates that have the cards upright.

    Attributes:
        u, v: its middle, mm.
        lean: degrees clockwise.
        shown: how much of its outline was seen; 1 where it was found without being looked for, 0 where it was not.
        card: its index among the cards; None where it was looked for.
    """

    u: float
    v: float
    lean: float
    shown: float
    card: int | None = None

    @property
    def seen(self) -> bool:
        return self.shown > 0

    def turned_round(self) -> Spot:
        return replace(self, u=-self.u, v=-self.v)


def best_reading(image: Image, cards: SeenCards, readings: list[Rows]) -> tuple[Rows, list[list[Spot]]]:
    """The reading of the rows that the picture bears out, with its piles.

    Raises:
        UserError: none is, or two are.
    """
    # Readings share their rows.
    each: dict[int, list[Spot]] = {}
    for rows in readings:
        for row in (rows.upper, rows.lower):
            if id(row) not in each:
                each[id(row)] = _spots(image, cards, rows, row)
    tried = [(rows, [each[id(rows.upper)], each[id(rows.lower)]]) for rows in readings]
    piles = [[spot for row in spots for spot in row] for _, spots in tried]
    lost = [sum(not spot.seen for spot in every) for every in piles]
    faintest = [min(spot.shown for spot in every) for every in piles]
    order = sorted(range(len(tried)), key=lambda i: (lost[i], -faintest[i]))
    best = order[0]
    rivals = [i for i in order[1:] if lost[i] == lost[best] and faintest[i] > faintest[best] - _CLEARER]
    if lost[best] > 1 or rivals or (len(tried) > 1 and faintest[best] < _CLEAR):
        raise UserError(
            f"{max(1, lost[best])} or more of {len(piles[0])} piles could not be made out: see that all are in the "
            "picture, that no hand, glare or shadow lies on them and nothing beside them, or give --corners"
        )
    return tried[best]


def _spots(image: Image, cards: SeenCards, rows: Rows, row: Row) -> list[Spot]:
    """The row's piles; those that gave no outline are looked for where the others suggest."""
    spots = []
    for slot, u, v in zip(row.slots, row.u, row.v, strict=True):
        shown, lean = 1.0, 0.0
        if slot is not None:
            lean = lean_of(float(cards.poses[slot, 2]) - rows.turn)
        else:
            inward = _BARE if row is rows.upper else -_BARE
            (fitted, support, _), (_, bare, _) = (
                likely_cards(image, cards.plane, _around(u, v, downs, rows.turn), _LIKELIEST)
                for downs in ((-8.0, 0.0, 8.0), (inward, 1.15 * inward))
            )
            best = int(support.argmax())
            least, more = _SHOWN
            shown = float(support[best])
            if shown < max(least, float(bare.max()) + more):
                shown = 0.0
            else:
                ((u, v),) = turned(fitted[best : best + 1, :2], -rows.turn)
                lean = lean_of(float(fitted[best, 2]) - rows.turn)
        spots.append(Spot(float(u), float(v), lean, shown, slot))
    return spots


def _around(u: float, v: float, downs: Sequence[float], turn: float) -> Floats:
    """Poses (N, 3) about a place in upright coordinates, in the plane's."""
    grid = np.array([(u + du, v + dv, math.radians(lean)) for du in _GRID for dv in downs for lean in (-4, 0, 4)])
    return np.column_stack([turned(grid[:, :2], turn), grid[:, 2] + turn])


def lean_of(angle: float) -> float:
    """An angle as degrees in -90 to 90, for a card looks the same upside down."""
    return math.degrees((angle + math.pi / 2) % math.pi - math.pi / 2)
