"""The piles of both rows, each where the picture bears it out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from referee.calibrate.deal.card_plane import Floats
from referee.calibrate.deal.card_tops import fit_cards, likely_cards
from referee.calibrate.deal.plane import SeenCards
from referee.calibrate.deal.reading import Reads, lean_of, read_places
from referee.calibrate.deal.rows import Row, Rows, turned
from referee.errors import UserError
from referee.vision.rectify import Image

_SHOWN: Final = (0.35, 0.15)
"""A card that was looked for shows so much of its outline, and so much more than the bare table does."""

_CLEAR: Final = 0.5

_CLEARER: Final = 0.15
"""Where rows can be read in two ways, the faintest pile of the better one shows so much, and so much more."""

_UNTOLD: Final = 0.8
"""The share of it that a card shows of which is read that it lies there, but not which one it is."""

_BARE: Final = 110.0
"""So far from a row towards the other one no card lies in a fresh deal, mm."""

_LIKELIEST: Final = 8
"""So many places about one are looked at closely."""

_MISSING: Final = 5
"""Rows of which more piles gave no outline are none: so many are not found by looking."""

_APART_MM: Final = 45.0
"""A pile that is read nearer than this to another one is that one."""

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


def best_reading(
    image: Image, cards: SeenCards, readings: list[Rows], reader: Reads | None = None
) -> tuple[Rows, list[list[Spot]]]:
    """The reading of the rows that the picture bears out, with its piles.

    What shows no outline is read, where there is a reader: a network knows cards on cloth that looks like them.

    Raises:
        UserError: none is, or two are.
    """
    places = sum(len(row.slots) for row in (readings[0].upper, readings[0].lower))
    missing = min(len(rows.upper.missing) + len(rows.lower.missing) for rows in readings)
    if missing > _MISSING:
        raise UserError(_not_made_out(missing, places))
    # Readings share their rows.
    each: dict[int, list[Spot] | None] = {}
    for rows in readings:
        for row in (rows.upper, rows.lower):
            if id(row) not in each:
                each[id(row)] = _spots(image, cards, rows, row, reader)
    tried = []
    for rows in readings:
        upper, lower = each[id(rows.upper)], each[id(rows.lower)]
        if upper is not None and lower is not None:
            tried.append((rows, [upper, lower]))
    if not tried:
        raise UserError(_not_made_out(1, places))
    piles = [[spot for row in spots for spot in row] for _, spots in tried]
    lost = [sum(not spot.seen for spot in every) for every in piles]
    faintest = [min(spot.shown for spot in every) for every in piles]
    order = sorted(range(len(tried)), key=lambda i: (lost[i], -faintest[i]))
    best = order[0]
    rivals = [i for i in order[1:] if lost[i] == lost[best] and faintest[i] > faintest[best] - _CLEARER]
    if lost[best] > 1 or rivals or (len(tried) > 1 and faintest[best] < _CLEAR):
        raise UserError(_not_made_out(max(1, lost[best]), places))
    return tried[best]


def _not_made_out(lost: int, places: int) -> str:
    return (
        f"{lost} or more of {places} piles could not be made out: see that all are in the picture, that no hand, glare "
        "or shadow lies on them and nothing beside them, or give --corners"
    )


def _spots(image: Image, cards: SeenCards, rows: Rows, row: Row, reader: Reads | None) -> list[Spot] | None:
    """The row's piles, those that gave no outline where the others suggest; None if the table is bare at one."""
    unseen = [(row.u[i], row.v[i], 0.0) for i in row.missing]
    read = [None] * len(unseen) if reader is None else read_places(image, cards.plane, rows.turn, unseen, reader)
    if any(place is not None and place.bare for place in read):
        return None
    spots = []
    for slot, u, v in zip(row.slots, row.u, row.v, strict=True):
        lean = 0.0 if slot is None else lean_of(float(cards.poses[slot, 2]) - rows.turn)
        spots.append(Spot(float(u), float(v), lean, 0.0 if slot is None else 1.0, slot))
    for i, place in zip(row.missing, read, strict=True):
        others = [spot for j, spot in enumerate(spots) if j != i and spot.seen]
        if place is not None and place.lies:
            if all(math.hypot(place.u - spot.u, place.v - spot.v) > _APART_MM for spot in others):
                shown = place.card if place.told else _UNTOLD * place.card
                spots[i] = _fitted(image, cards, rows.turn, Spot(place.u, place.v, place.lean, shown))
        else:
            spots[i] = _looked_for(image, cards, rows, row, i) or spots[i]
    return spots


def _fitted(image: Image, cards: SeenCards, turn: float, spot: Spot) -> Spot:
    """A pile that was read, put where its outline shows, if it does."""
    pose = np.column_stack([turned(np.array([[spot.u, spot.v]]), turn), [turn + math.radians(spot.lean)]])
    better, support = fit_cards(image, cards.plane, pose)
    if support[0] < _SHOWN[0]:
        return spot
    ((u, v),) = turned(better[:, :2], -turn)
    return replace(spot, u=float(u), v=float(v), lean=lean_of(float(better[0, 2]) - turn))


def _looked_for(image: Image, cards: SeenCards, rows: Rows, row: Row, i: int) -> Spot | None:
    """The pile in a place of a row by what shows of a card's outline there; None where too little does."""
    u, v = row.u[i], row.v[i]
    inward = _BARE if row is rows.upper else -_BARE
    (fitted, support, _), (_, bare, _) = (
        likely_cards(image, cards.plane, _around(u, v, downs, rows.turn), _LIKELIEST)
        for downs in ((-8.0, 0.0, 8.0), (inward, 1.15 * inward))
    )
    best = int(support.argmax())
    least, more = _SHOWN
    shown = float(support[best])
    if shown < max(least, float(bare.max()) + more):
        return None
    ((u, v),) = turned(fitted[best : best + 1, :2], -rows.turn)
    return Spot(float(u), float(v), lean_of(float(fitted[best, 2]) - rows.turn), shown)


def _around(u: float, v: float, downs: Sequence[float], turn: float) -> Floats:
    """Poses (N, 3) about a place in upright coordinates, in the plane's."""
    grid = np.array([(u + du, v + dv, math.radians(lean)) for du in _GRID for dv in downs for lean in (-4, 0, 4)])
    return np.column_stack([turned(grid[:, :2], turn), grid[:, 2] + turn])
