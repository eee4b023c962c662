"""Where people really put cards: near the middle of a place, a little askew, looser on the centre piles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from referee.cards import Card
from referee.simulate.motion import THICKNESS
from referee.simulate.scene import CardPose
from referee.table import CARD_MM, HANDS, RESERVES, Box, Seat, TableLayout, Zone, ZoneKind

FACE_DOWN = 180.0
"""``CardPose.flip`` of a card lying on its face."""

HELD_MM = 46.0
"""Height of a packet held in the off hand, over the table."""

FAN_MM = 28.0
"""Height of the lower edge of a fan of cards held in the off hand, over the table."""


@dataclass(frozen=True, slots=True)
class Looseness:
    """Standard deviations of where things come to lie: mm sideways and degrees askew."""

    mm: float
    degrees: float

    def draw(self, rng: Random) -> tuple[float, float, float]:
        """An offset x, y (mm) and a turn (degrees), never further out than two and a half deviations."""

        def one(spread: float) -> float:
            return min(max(rng.gauss(0.0, spread), -2.5 * spread), 2.5 * spread)

        return one(self.mm), one(self.mm), one(self.degrees)


_ZONES = Looseness(3.0, 1.8)
_STOCK = Looseness(0.9, 0.9)
_PUT = Looseness(2.4, 2.2)
_CENTRE = Looseness(3.8, 6.0)


def loose_layout(layout: TableLayout, rng: Random) -> TableLayout:
    """The layout as a pair of people would lay it out by eye: every zone a little off and askew."""
    boxes = {}
    for zone, box in layout.boxes.items():
        dx, dy, turn = _ZONES.draw(rng)
        boxes[zone] = Box(box.x + dx, box.y + dy, box.width, box.height, box.angle + turn)
    return TableLayout(layout.width, layout.height, boxes)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a zone's cards lie.

    Attributes:
        zone: the zone.
        box: its rectangle, mm.
        ground: height of the lowest card over the table, mm; not 0 for cards held in a hand.
    """

    zone: Zone
    box: Box
    ground: float = 0.0


def places_on(layout: TableLayout, *, hands: bool = False) -> dict[Zone, Place]:
    """The place of every zone.

    What has no place on the table is held in the off hand at the table's edge: the reserve, or with ``hands`` the
    cards to play from.
    """
    places = {zone: Place(zone, box) for zone, box in layout.boxes.items()}
    for seat, zone in zip(Seat, RESERVES, strict=True):
        if zone not in places:
            side = 1 if seat is Seat.A else -1
            x = layout.width / 2 - side * 190
            y = layout.height / 2 + side * (layout.height / 2 + 42)
            angle = (0.0 if seat is Seat.A else 180.0) + 14.0
            places[zone] = Place(zone, Box(x, y, *CARD_MM, angle), HELD_MM)
    for seat, zone in zip(Seat, HANDS if hands else (), strict=False):
        side = 1 if seat is Seat.A else -1
        x = layout.width / 2 - side * 345
        y = layout.height / 2 + side * (layout.height / 2 - 6)
        angle = (0.0 if seat is Seat.A else 180.0) + 12.0
        places[zone] = Place(zone, Box(x, y, *CARD_MM, angle), FAN_MM)
    return places


def held_by(seat: Seat, places: Mapping[Zone, Place]) -> Place | None:
    """What the player's off hand holds while playing; ``None``: nothing."""
    held = (places[zone] for zone in (RESERVES[seat], HANDS[seat]) if zone in places)
    return next((place for place in held if place.ground > 0), None)


def resting(
    card: Card, place: Place, level: int, rng: Random, *, up: bool, reader: Seat, neat: bool = False
) -> CardPose:
    """Where a card comes to rest.

    Args:
        card: the card.
        place: where it goes.
        level: how many cards of the pile lie below it.
        rng: for the looseness.
        up: whether it lies face up.
        reader: the seat that put it there; on a centre pile it lies the way that seat reads it.
        neat: part of a squared packet, rather than put down alone.
    """
    centre = place.zone.kind is ZoneKind.CENTRE
    dx, dy, turn = (_CENTRE if centre else _STOCK if neat else _PUT).draw(rng)
    box = place.box
    yaw = box.angle + turn + (180.0 if centre and reader is Seat.B else 0.0)
    z = place.ground + level * THICKNESS
    return CardPose(card, box.x + dx, box.y + dy, z, yaw, 0.0 if up else FACE_DOWN, 0.0, 0.0, 0.0)
