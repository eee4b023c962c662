"""Who sits where: which row is seat A's, and at which end of each row the reserve lies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from referee.calibrate.deal.card_plane import CardPlane
from referee.calibrate.deal.piles import Spot
from referee.calibrate.deal.reading import Reads, upright_view
from referee.calibrate.deal.rows import Expected, turned
from referee.calibrate.deal.zones import pile_box
from referee.errors import UserError
from referee.readings import Sight
from referee.table import Seat
from referee.vision.rectify import Image, project, rectify

SIDES: Final = ("bottom", "top", "left", "right")
"""Edges of the picture at which seat A can sit."""

_WIDER_BY: Final = 12.0
"""The step to the reserve is so much wider, mm, than the one at the other end, if it tells where the reserve is."""

_OTHER: Final = {"left": "right", "right": "left"}


def half_turn(plane: CardPlane, turn: float, spots: Sequence[Sequence[Spot]], seat_a: str | None) -> tuple[bool, str]:
    """Whether the upper row is seat A's, and what to say of it."""
    middles = [np.mean([(spot.u, spot.v) for spot in row], axis=0) for row in spots]
    (upper, lower) = project(plane.plane_to_image, turned(np.array(middles), turn))
    across, down = lower - upper
    if seat_a is not None:
        axis, sign = {"bottom": (down, 1), "top": (down, -1), "right": (across, 1), "left": (across, -1)}[seat_a]
        return bool(axis * sign < 0), ""
    if abs(down) > 0.5 * abs(across):
        return bool(down < 0), ""
    half = bool(down < 0)
    side = "right" if (across > 0) != half else "left"
    return half, f"seat A was put at the {side} of the picture: say --seat-a if it is another side"


def reserve_sides(
    image: Image,
    plane: CardPlane,
    turn: float,
    rows: tuple[Sequence[Spot], Sequence[Spot]],
    expected: Expected,
    given: tuple[str | None, str | None],
    reader: Reads | None,
) -> tuple[tuple[str, str], list[str]]:
    """At which hand of each player the reserve lies, and what to say of it.

    Raises:
        UserError: neither the steps of a row nor backs tell.
    """
    if not expected.reserve:
        return ("right", "right"), []
    read = [None, None] if reader is None else _by_backs(image, plane, turn, rows, reader)
    sides: list[str] = []
    notes: list[str] = []
    for seat, row, wanted, by_back in zip(Seat, rows, given, read, strict=True):
        steps = np.diff([spot.u for spot in row])
        lead = float(steps[-1] - steps[0])
        by_step = "right" if lead > _WIDER_BY else "left" if lead < -_WIDER_BY else None
        # Where a row was misread its steps are too, but not a back.
        in_view = by_back or by_step
        # Seat B looks at the table from the other side.
        own = in_view if seat is Seat.A or in_view is None else _OTHER[in_view]
        if wanted is None and own is None:
            if len(row) > 2:
                raise UserError(
                    f"which end of {seat}'s row is the reserve cannot be told: lay it further from the stock piles "
                    "than these are from each other, or say --reserve right (or left)"
                )
            notes.append(f"{seat}'s reserve was taken to lie at the right hand: say --reserve left if it does not")
        sides.append(wanted or own or "right")
    return (sides[0], sides[1]), notes


def _by_backs(
    image: Image, plane: CardPlane, turn: float, rows: tuple[Sequence[Spot], Sequence[Spot]], reader: Reads
) -> list[str | None]:
    """In the view, at which end of each row a back is read and at the other a face; None where that is not so."""
    found: list[str | None] = []
    for row in rows:
        crops = [
            rectify(image, upright_view(plane, turn), pile_box(spot, plane.card_width, Seat.A))
            for spot in (row[0], row[-1])
        ]
        left, right = (reading.state for reading in reader.read(crops))
        ends = {(Sight.BACK, Sight.CARD): "left", (Sight.CARD, Sight.BACK): "right"}
        found.append(ends.get((left, right)))
    return found
