"""The table from the cards of a fresh deal: no markers, no clicks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import numpy as np
import numpy.typing as npt

from referee.calibrate.deal.card_lines import card_corners
from referee.calibrate.deal.card_plane import BRIDGE_MM, POKER_MM, mapped
from referee.calibrate.deal.pile_fit import PileFit, fit_piles
from referee.calibrate.deal.piles import Spot, best_reading
from referee.calibrate.deal.plane import SeenCards, see_cards
from referee.calibrate.deal.read_through import Misread
from referee.calibrate.deal.reading import Reads, lean_of
from referee.calibrate.deal.rows import Expected, find_rows, turned
from referee.calibrate.deal.seats import half_turn, reserve_sides
from referee.calibrate.deal.zones import saved_table, zone_boxes
from referee.calibrate.lens import Lens
from referee.calibrate.saved_table import SavedTable
from referee.errors import UserError
from referee.table import Seat
from referee.vision.rectify import Image

_SOME, _MANY = 3, 11
"""Cards in a stock pile of which is not known how many it has, and in a reserve."""

_STEEPEST: Final = 42.0


@dataclass(frozen=True, slots=True)
class Dealt:
    """A table found from its cards.

    Attributes:
        table: the table.
        cards: cards the fit rests on.
        card_width: 63 for poker cards, 57 for bridge cards, mm.
        tilt: angle between the camera's view and the vertical, degrees.
        notes: what the user should know, each a sentence.
    """

    table: SavedTable
    cards: int
    card_width: float
    tilt: float
    notes: tuple[str, ...]


def find_deal(
    image: Image,
    expected: Expected,
    *,
    camera: str = "",
    card_width: float | None = None,
    reserves: tuple[str | None, str | None] = (None, None),
    seat_a: str | None = None,
    reader: Reads | None = None,
    lens: Lens | None = None,
    borne_out: Callable[[SavedTable], SavedTable] | None = None,
) -> Dealt:
    """The table from a freshly dealt layout.

    Args:
        image: uint8 (H, W, 3) BGR.
        expected: what the ruleset lays out.
        camera: what the picture is from, for the saved table.
        card_width: 63 or 57 mm, where it is known.
        reserves: for seat A and seat B, ``left`` or ``right`` of the player; None: whichever the picture shows.
        seat_a: the edge of the picture, one of ``SIDES``, that seat A sits at; None: the lower of the two rows.
        reader: tells backs from faces, so that a reserve is known by its back where its distance does not tell.
        lens: what bends the picture, where it was measured; a bend that is not small is told by the cards otherwise.
        borne_out: makes a table exact by what is read in it, or raises ``Misread``: then others are looked for.

    Raises:
        UserError: the cards do not give the table for certain; says what to do.
    """
    failure: UserError | None = None
    widths = (POKER_MM, BRIDGE_MM) if card_width is None else (card_width,)
    for cards in see_cards(image, 2 * expected.row, card_width, reader):
        try:
            dealt = _dealt(image, cards, expected, widths, camera, reserves, seat_a, reader, lens)
        except UserError as error:
            failure = failure or error
            continue
        try:
            return dealt if borne_out is None else replace(dealt, table=borne_out(dealt.table))
        except Misread as error:
            failure = failure or error
    raise failure or UserError(
        "no cards can be made out for certain: deal the cards in two facing rows, light the table evenly, use a cloth "
        "that is not of the cards' colour or pattern, or give --corners"
    )


def _dealt(
    image: Image,
    cards: SeenCards,
    expected: Expected,
    widths: Sequence[float],
    camera: str,
    reserves: tuple[str | None, str | None],
    seat_a: str | None,
    reader: Reads | None,
    lens: Lens | None,
) -> Dealt:
    """The table, if these cards are a deal.

    Raises:
        UserError: they are not for certain.
    """
    if cards.plane.tilt > _STEEPEST:
        raise UserError(
            f"the camera looks at the table from {cards.plane.tilt:.0f} degrees off the vertical, too flat to read "
            "cards: put it above the table, at most 35 degrees off, or give --corners"
        )
    rows, spots = best_reading(image, cards, find_rows(cards.poses, cards.plane.card_width, expected), reader)
    lost = sum(not spot.seen for row in spots for spot in row)
    notes: list[str] = []
    turn = rows.turn
    half, note = half_turn(cards.plane, turn, spots, seat_a)
    if half:
        turn += math.pi
        spots = [[spot.turned_round() for spot in reversed(row)] for row in reversed(spots)]
    far, near = spots
    sides, told = reserve_sides(image, cards.plane, turn, (near, far), expected, reserves, reader)
    notes += told
    cards, fit, turn, (near, far) = _exactly(image, cards, turn, (near, far), sides, expected, widths, lens)
    boxes = zone_boxes((near, far), sides, cards, turn, expected)
    if note:
        notes.append(note)
    if lost:
        notes.append("one pile could not be seen; its place is where the others suggest")
    if not cards.width_sure:
        kind = "poker cards, 63 mm wide" if cards.plane.card_width == POKER_MM else "bridge cards, 57 mm wide"
        notes.append(f"taken for {kind}, which this view does not tell for certain: say --card if they are others")
    if fit.pale:
        notes.append(
            "the table is nearly as bright as the cards, so that its scale may be off by some per cent: on a darker "
            "cloth it is exact"
        )
    saved = saved_table(cards.plane, fit.lens, turn, boxes, camera, (image.shape[1], image.shape[0]))
    return Dealt(saved, 2 * expected.row - lost, cards.plane.card_width, cards.plane.tilt, tuple(notes))


def _exactly(
    image: Image,
    cards: SeenCards,
    turn: float,
    rows: tuple[Sequence[Spot], Sequence[Spot]],
    sides: tuple[str, str],
    expected: Expected,
    widths: Sequence[float],
    lens: Lens | None,
) -> tuple[SeenCards, PileFit, float, tuple[list[Spot], list[Spot]]]:
    """Cards and piles in the plane as all piles give it, with that fit and how cards are turned."""
    spots = [spot for row in rows for spot in row]
    places = turned(np.array([(spot.u, spot.v) for spot in spots]), turn)
    poses = np.column_stack([places, [turn + math.radians(spot.lean) for spot in spots]])
    there = np.array([spot.seen for spot in spots])
    outlines = mapped(cards.plane.plane_to_image, np.array([card_corners(p, cards.plane.card_width) for p in poses]))
    for i, spot in enumerate(spots):
        if spot.card is not None:
            outlines[i] = cards.quads[spot.card]
    fit = fit_piles(image, cards.plane, poses[there], outlines[there], _counts(there, sides, expected), widths, lens)
    moved = fit.placed(cards.plane, poses)
    off = moved[:, 2] - poses[:, 2]
    turn += float(np.median((off + math.pi) % (2 * math.pi) - math.pi))
    moved[there] = fit.poses
    upright = turned(moved[:, :2], -turn)
    found = [
        Spot(float(u), float(v), lean_of(float(angle) - turn), spot.shown)
        for (u, v), angle, spot in zip(upright, moved[:, 2], spots, strict=True)
    ]
    poses = fit.placed(cards.plane, cards.poses)
    exact = replace(cards, plane=fit.plane, poses=poses, width_sure=fit.width_sure)
    return exact, fit, turn, (found[: len(rows[0])], found[len(rows[0]) :])


def _counts(there: npt.NDArray[np.bool_], sides: tuple[str, str], expected: Expected) -> list[list[int]]:
    """How many cards lie in each pile that is seen, near row before far one and from left to right, in every way."""
    stock = expected.piles or (_SOME,) * expected.stock
    ways: list[list[list[int]]] = []
    for seat, side in zip(Seat, sides, strict=True):
        ways.append([])
        for piles in dict.fromkeys((stock, stock[::-1])):
            reserve = [_MANY] * expected.reserve
            row = [*piles, *reserve] if side == "right" else [*reserve, *piles]
            ways[-1].append(row if seat is Seat.A else row[::-1])
    return [[one for one, seen in zip([*near, *far], there, strict=True) if seen] for near, far in product(*ways)]
