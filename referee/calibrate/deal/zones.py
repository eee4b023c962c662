"""The zones and the table's rectangle around the piles of a deal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from referee.calibrate.deal.card_plane import LONG_MM, CardPlane
from referee.calibrate.deal.piles import Spot
from referee.calibrate.deal.plane import SeenCards
from referee.calibrate.deal.reading import lean_of
from referee.calibrate.deal.rows import Expected, turned
from referee.calibrate.lens import Lens, bent
from referee.calibrate.saved_table import SavedTable, as_corners
from referee.table import CENTRES, RESERVES, STOCKS, Box, Seat, TableLayout, Zone
from referee.vision.rectify import project

_MARGIN: Final = 62.0
"""The table rectangle reaches so far beyond the middle of every zone, mm: half a crop."""

_CENTRE_GAP: Final = 37.0
"""Between the centre piles, mm, where none lie there yet."""


def zone_boxes(
    rows: tuple[Sequence[Spot], Sequence[Spot]],
    sides: tuple[str, str],
    cards: SeenCards,
    turn: float,
    expected: Expected,
) -> dict[Zone, Box]:
    """The zones, in upright coordinates."""
    width = cards.plane.card_width
    boxes: dict[Zone, Box] = {}
    for seat, row, side in zip(Seat, rows, sides, strict=True):
        # From each player's own left.
        own = list(row) if seat is Seat.A else list(reversed(row))
        if expected.reserve:
            reserve = own.pop(-1 if side == "right" else 0)
            boxes[RESERVES[seat]] = pile_box(reserve, width, seat)
        for i, spot in enumerate(own):
            boxes[STOCKS[seat][i]] = pile_box(spot, width, seat)
    middle_u = float(np.mean([box.x for box in boxes.values()]))
    middle_v = float(np.mean([np.mean([spot.v for spot in row]) for row in rows]))
    centres = [Spot(middle_u + side * (width + _CENTRE_GAP) / 2, middle_v, 0.0, 0.0) for side in (-1, 1)]
    lying = _centre_cards(cards, turn, rows, (middle_u, middle_v))
    for i, spot in enumerate(centres):
        near = [card for card in lying if math.hypot(card.u - spot.u, card.v - spot.v) < 0.75 * width]
        boxes[CENTRES[i]] = pile_box(near[0] if near else spot, width, Seat.A)
    return boxes


def _centre_cards(
    cards: SeenCards, turn: float, rows: tuple[Sequence[Spot], Sequence[Spot]], middle: tuple[float, float]
) -> list[Spot]:
    """Cards that lie between the rows, those nearest the middle first."""
    upright = turned(cards.poses[:, :2], -turn)
    near, far = (float(np.mean([spot.v for spot in row])) for row in rows)
    spots = [
        Spot(float(u), float(v), lean_of(float(angle) - turn), 1.0)
        for (u, v), angle in zip(upright, cards.poses[:, 2], strict=True)
        if far + LONG_MM < v < near - LONG_MM
    ]
    return sorted(spots, key=lambda spot: math.hypot(spot.u - middle[0], spot.v - middle[1]))


def pile_box(spot: Spot, width: float, seat: Seat) -> Box:
    return Box(spot.u, spot.v, width, LONG_MM, spot.lean + (180.0 if seat is Seat.B else 0.0))


def saved_table(
    plane: CardPlane,
    lens: Lens | None,
    turn: float,
    boxes: dict[Zone, Box],
    camera: str,
    picture: tuple[int, int],
) -> SavedTable:
    """The table whose rectangle reaches around all zones."""
    left, right = (pick(box.x for box in boxes.values()) for pick in (min, max))
    top, bottom = (pick(box.y for box in boxes.values()) for pick in (min, max))
    width, height = (math.ceil((high - low + 2 * _MARGIN) / 10) * 10.0 for low, high in ((left, right), (top, bottom)))
    x, y = (left + right - width) / 2, (top + bottom - height) / 2
    rectangle = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
    straight = project(plane.plane_to_image, turned(rectangle, turn))
    corners = as_corners(straight if lens is None else bent(lens, straight))
    moved = {
        zone: Box(box.x - x, box.y - y, box.width, box.height, box.angle)
        for zone, box in sorted(boxes.items(), key=lambda item: item[0].name)
    }
    return SavedTable(camera, picture, corners, TableLayout(width, height, moved), "deal", lens)
