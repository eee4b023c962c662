"""The table: seats, zones, and where the zones lie, in millimetres.

Table coordinates have their origin at the top left corner of the calibrated rectangle, x to the right, y down.
Seat A sits at the bottom edge of that view, seat B at the top edge. Stock piles are numbered left to right from
their player's own chair, so ``A1`` is bottom left and ``B1`` top right.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from types import MappingProxyType
from typing import Final

MAX_STOCK_PILES: Final = 5
"""No player ever has more stock piles than this (PT-14, PL-14)."""

CARD_MM: Final = (63.0, 88.0)
"""Width and height of a poker-size card; bridge cards are 57 mm wide and as high."""


class Seat(IntEnum):
    """A player's chair; the value indexes pairs such as ``Position.sides``."""

    A = 0
    B = 1

    @property
    def other(self) -> Seat:
        """The seat across the table."""
        return Seat.B if self is Seat.A else Seat.A

    def __str__(self) -> str:
        return self.name


class ZoneKind(Enum):
    """What lies in a zone."""

    STOCK = "stock pile"
    RESERVE = "reserve"
    HAND = "hand"
    CENTRE = "centre pile"


class Zone:
    """One place where cards lie. Immutable and interned: ``Zone("A1")`` always answers the same object.

    Attributes:
        name: ``A1``..``A5`` and ``B1``..``B5`` (stock piles), ``AR`` ``BR`` (reserves), ``AH`` ``BH`` (hands, in the
            variants that have them; no place on the table), ``C1`` ``C2`` (centre piles).
        kind: what lies there.
        seat: whose it is; ``None`` for a centre pile.
        index: which one of its kind, from 0.
    """

    __slots__ = ("index", "kind", "name", "seat")

    name: str
    kind: ZoneKind
    seat: Seat | None
    index: int

    def __new__(cls, name: str) -> Zone:
        """The zone called ``name``; a ValueError lists the names there are."""
        try:
            return _BY_NAME[name]
        except KeyError:
            raise ValueError(f"there is no zone {name!r}: the zones are {', '.join(_BY_NAME)}") from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"zones cannot be changed (tried to set {name})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"zones cannot be changed (tried to delete {name})")

    def __reduce__(self) -> tuple[type[Zone], tuple[str]]:
        return (Zone, (self.name,))

    def __repr__(self) -> str:
        return f"Zone({self.name!r})"

    def __str__(self) -> str:
        return self.name


def _make(name: str, kind: ZoneKind, seat: Seat | None, index: int) -> Zone:
    zone = object.__new__(Zone)
    for attribute, value in (("name", name), ("kind", kind), ("seat", seat), ("index", index)):
        object.__setattr__(zone, attribute, value)
    return zone


STOCKS: Final[tuple[tuple[Zone, ...], tuple[Zone, ...]]] = (
    tuple(_make(f"A{i + 1}", ZoneKind.STOCK, Seat.A, i) for i in range(MAX_STOCK_PILES)),
    tuple(_make(f"B{i + 1}", ZoneKind.STOCK, Seat.B, i) for i in range(MAX_STOCK_PILES)),
)
"""Each seat's stock piles, from that player's left."""

RESERVES: Final = (_make("AR", ZoneKind.RESERVE, Seat.A, 0), _make("BR", ZoneKind.RESERVE, Seat.B, 0))
"""Each seat's reserve."""

HANDS: Final = (_make("AH", ZoneKind.HAND, Seat.A, 0), _make("BH", ZoneKind.HAND, Seat.B, 0))
"""Each seat's hand of playable cards, in the variants PT-V5 and PT-V6."""

CENTRES: Final = (_make("C1", ZoneKind.CENTRE, None, 0), _make("C2", ZoneKind.CENTRE, None, 1))
"""The shared piles: A's spit cards go to ``C1``, B's to ``C2``."""

ZONES: Final[tuple[Zone, ...]] = (*STOCKS[0], *STOCKS[1], *RESERVES, *HANDS, *CENTRES)
"""Every zone there is."""

_BY_NAME: Final = {zone.name: zone for zone in ZONES}


@dataclass(frozen=True, slots=True)
class Box:
    """A zone's rectangle on the table.

    Attributes:
        x, y: the centre, mm.
        width, height: across and along the reading direction of a card, mm.
        angle: turn of that reading direction, degrees clockwise as seen in the view; 0 for seat A, 180 for seat B.
    """

    x: float
    y: float
    width: float
    height: float
    angle: float

    def __post_init__(self) -> None:
        if not all(math.isfinite(value) for value in (self.x, self.y, self.width, self.height, self.angle)):
            raise ValueError(f"a zone's box needs five finite numbers, not {self}")
        if self.width <= 0 or self.height <= 0:
            raise ValueError(f"a zone's box needs a positive width and height, not {self.width} x {self.height} mm")

    def corners(self) -> tuple[tuple[float, float], ...]:
        """Its four corners in mm: top left, top right, bottom right, bottom left as its player reads the card."""
        angle = math.radians(self.angle)
        cos, sin = math.cos(angle), math.sin(angle)
        half_w, half_h = self.width / 2, self.height / 2
        return tuple(
            (self.x + dx * cos - dy * sin, self.y + dx * sin + dy * cos)
            for dx, dy in ((-half_w, -half_h), (half_w, -half_h), (half_w, half_h), (-half_w, half_h))
        )


@dataclass(frozen=True, slots=True)
class TableLayout:
    """A table rectangle and the zones on it.

    Attributes:
        width, height: the calibrated rectangle, mm.
        boxes: each zone that has a place on the table, with its rectangle.
    """

    width: float
    height: float
    boxes: Mapping[Zone, Box]

    def __post_init__(self) -> None:
        object.__setattr__(self, "boxes", MappingProxyType(dict(self.boxes)))

    def outside(self) -> tuple[Zone, ...]:
        """The zones that reach over the edge of the table."""
        return tuple(
            zone
            for zone, box in self.boxes.items()
            if any(not (0 <= x <= self.width and 0 <= y <= self.height) for x, y in box.corners())
        )


def standard_layout(
    stock_piles: int = MAX_STOCK_PILES,
    *,
    reserves: bool = True,
    width: float = 900.0,
    height: float = 600.0,
    card: tuple[float, float] = CARD_MM,
) -> TableLayout:
    """Where a right-handed pair lays the cards out: two facing rows, the reserve at each player's right.

    Args:
        stock_piles: stock piles to a player, 1 to 5.
        reserves: whether the reserves lie on the table (C27).
        width, height: the table rectangle, mm.
        card: width and height of a card, mm.

    Raises:
        ValueError: the number of piles is not 1 to 5, or the rows do not fit the table.
    """
    if not 1 <= stock_piles <= MAX_STOCK_PILES:
        raise ValueError(f"a player has 1 to {MAX_STOCK_PILES} stock piles, not {stock_piles}")
    card_width, card_height = card
    pitch = card_width + 24
    middle = (width / 2, height / 2)
    row = height / 2 - card_height / 2 - 54
    step_to_reserve = pitch + 28
    left = -((stock_piles - 1) * pitch + (step_to_reserve if reserves else 0)) / 2
    near: dict[int, tuple[float, float]] = {i: (left + i * pitch, row) for i in range(stock_piles)}
    boxes: dict[Zone, Box] = {}
    for seat, sign, angle in ((Seat.A, 1, 0.0), (Seat.B, -1, 180.0)):
        spots = {STOCKS[seat][i]: spot for i, spot in near.items()}
        if reserves:
            spots[RESERVES[seat]] = (left + (stock_piles - 1) * pitch + step_to_reserve, row)
        for zone, (x, y) in spots.items():
            boxes[zone] = Box(middle[0] + sign * x, middle[1] + sign * y, card_width, card_height, angle)
    for zone, side in zip(CENTRES, (-1, 1), strict=True):
        boxes[zone] = Box(middle[0] + side * (card_width + 37) / 2, middle[1], card_width, card_height, 0.0)
    layout = TableLayout(width, height, boxes)
    if layout.outside():
        raise ValueError(
            f"{stock_piles} stock piles of {card_width:g} x {card_height:g} mm cards do not fit a table of "
            f"{width:g} x {height:g} mm"
        )
    return layout
