"""The table from the cards of a fresh deal: no markers, no clicks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from referee.calibrate.card_plane import BRIDGE_MM, LONG_MM, POKER_MM, CardPlane
from referee.calibrate.card_tops import fit_cards
from referee.calibrate.deal_plane import SeenCards, see_cards
from referee.calibrate.deal_rows import Expected, Row, Rows, find_rows, turned
from referee.calibrate.lens import Lens, bent
from referee.calibrate.pile_fit import fit_piles
from referee.calibrate.saved_table import SavedTable, as_corners
from referee.errors import UserError
from referee.readings import Reading, Sight
from referee.table import CENTRES, RESERVES, STOCKS, Box, Seat, TableLayout, Zone
from referee.vision.rectify import Image, TableView, project, rectify

SIDES: Final = ("bottom", "top", "left", "right")
"""Edges of the picture at which seat A can sit."""

_MARGIN: Final = 62.0
"""The table rectangle reaches so far beyond the middle of every zone, mm: half a crop."""

_CENTRE_GAP: Final = 37.0
"""Between the centre piles, mm, where none lie there yet."""

_SHOWN: Final = (0.25, 0.1)
"""A card that was looked for shows so much of its outline, and so much more than the bare table does."""

_CLEAR: Final = 0.45
_CLEARER: Final = 0.15
"""Where rows can be read in two ways, the faintest pile of the better one shows so much, and so much more."""

_BARE: Final = 110.0
"""So far from a row towards the other one no card lies in a fresh deal, mm."""

_GRID: Final = (-12.0, -6.0, 0.0, 6.0, 12.0)

_WIDER_BY: Final = 12.0
"""The step to the reserve is so much wider, mm, than the one at the other end, if it tells where the reserve is."""

_OTHER: Final = {"left": "right", "right": "left"}

_SOME, _MANY = 3, 11
"""Cards in a stock pile of which is not known how many it has, and in a reserve."""

_STEEPEST: Final = 42.0


class Reads(Protocol):
    """What reads cards in crops."""

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        """One reading for each crop, uint8 (S, S, 3) BGR."""


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

    Raises:
        UserError: the cards do not give the table for certain; says what to do.
    """
    failure: UserError | None = None
    widths = (POKER_MM, BRIDGE_MM) if card_width is None else (card_width,)
    for cards in see_cards(image, 2 * expected.row, card_width):
        try:
            return _dealt(image, cards, expected, widths, camera, reserves, seat_a, reader, lens)
        except UserError as error:
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
    rows, spots = _best_reading(image, cards, find_rows(cards.poses, cards.plane.card_width, expected))
    lost = sum(not spot.seen for row in spots for spot in row)
    notes: list[str] = []
    turn = rows.turn
    half, note = _half_turn(cards.plane, turn, spots, seat_a)
    if half:
        turn += math.pi
        spots = [[spot.turned_round() for spot in reversed(row)] for row in reversed(spots)]
    far, near = spots
    sides, told = _reserve_sides(image, cards.plane, turn, (near, far), expected, reserves, reader)
    notes += told
    cards, lens, turn, (near, far) = _exactly(image, cards, turn, (near, far), sides, expected, widths, lens)
    boxes = _boxes((near, far), sides, cards, turn, expected)
    if note:
        notes.append(note)
    if lost:
        notes.append("one pile could not be seen; its place is where the others suggest")
    if not cards.width_sure:
        kind = "poker cards, 63 mm wide" if cards.plane.card_width == POKER_MM else "bridge cards, 57 mm wide"
        notes.append(f"taken for {kind}, which this view does not tell for certain: say --card if they are others")
    saved = _saved(cards.plane, lens, turn, boxes, camera, (image.shape[1], image.shape[0]))
    return Dealt(saved, 2 * expected.row - lost, cards.plane.card_width, cards.plane.tilt, tuple(notes))


@dataclass(frozen=True, slots=True)
class _Spot:
    """A pile in coordinates that have the cards upright.

    Attributes:
        u, v: its middle, mm.
        lean: degrees clockwise.
        shown: how much of its outline was seen; 1 where it was found without being looked for, 0 where it was not.
    """

    u: float
    v: float
    lean: float
    shown: float

    @property
    def seen(self) -> bool:
        return self.shown > 0

    def turned_round(self) -> _Spot:
        return _Spot(-self.u, -self.v, self.lean, self.shown)


def _best_reading(image: Image, cards: SeenCards, readings: list[Rows]) -> tuple[Rows, list[list[_Spot]]]:
    """The reading of the rows that the picture bears out, with its piles.

    Raises:
        UserError: none is, or two are.
    """
    tried = [(rows, [_spots(image, cards, rows, row) for row in (rows.upper, rows.lower)]) for rows in readings]
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


def _spots(image: Image, cards: SeenCards, rows: Rows, row: Row) -> list[_Spot]:
    """The row's piles; those that gave no outline are looked for where the others suggest."""
    spots = []
    for slot, u, v in zip(row.slots, row.u, row.v, strict=True):
        shown, lean = 1.0, 0.0
        if slot is not None:
            lean = _lean(float(cards.poses[slot, 2]) - rows.turn)
        else:
            inward = _BARE if row is rows.upper else -_BARE
            near, far = (
                np.array([(u + du, v + dv, math.radians(turn)) for du in _GRID for dv in downs for turn in (-4, 0, 4)])
                for downs in ((-8, 0, 8), (inward, 1.15 * inward))
            )
            grid = np.vstack([near, far])
            at = np.column_stack([turned(grid[:, :2], rows.turn), grid[:, 2] + rows.turn])
            fitted, support = fit_cards(image, cards.plane, at)
            best = int(support[: len(near)].argmax())
            least, more = _SHOWN
            shown = float(support[best])
            if shown < max(least, float(support[len(near) :].max()) + more):
                shown = 0.0
            else:
                ((u, v),) = turned(fitted[best : best + 1, :2], -rows.turn)
                lean = _lean(float(fitted[best, 2]) - rows.turn)
        spots.append(_Spot(float(u), float(v), lean, shown))
    return spots


def _lean(angle: float) -> float:
    """An angle as degrees in -90 to 90, for a card looks the same upside down."""
    return math.degrees((angle + math.pi / 2) % math.pi - math.pi / 2)


def _half_turn(plane: CardPlane, turn: float, spots: Sequence[Sequence[_Spot]], seat_a: str | None) -> tuple[bool, str]:
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


def _reserve_sides(
    image: Image,
    plane: CardPlane,
    turn: float,
    rows: tuple[Sequence[_Spot], Sequence[_Spot]],
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
        in_view = by_step or by_back
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
    image: Image, plane: CardPlane, turn: float, rows: tuple[Sequence[_Spot], Sequence[_Spot]], reader: Reads
) -> list[str | None]:
    """In the view, at which end of each row a back is read and at the other a face; None where that is not so."""
    found: list[str | None] = []
    for row in rows:
        crops = [
            rectify(image, _upright_view(plane, turn), _box(spot, plane.card_width, Seat.A))
            for spot in (row[0], row[-1])
        ]
        left, right = (reading.state for reading in reader.read(crops))
        ends = {(Sight.BACK, Sight.CARD): "left", (Sight.CARD, Sight.BACK): "right"}
        found.append(ends.get((left, right)))
    return found


def _upright_view(plane: CardPlane, turn: float) -> TableView:
    """The view in which cards are upright."""
    cos, sin = math.cos(turn), math.sin(turn)
    upright = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]])
    return TableView(upright @ plane.image_to_plane, plane.plane_to_image @ upright.T)


def _exactly(
    image: Image,
    cards: SeenCards,
    turn: float,
    rows: tuple[Sequence[_Spot], Sequence[_Spot]],
    sides: tuple[str, str],
    expected: Expected,
    widths: Sequence[float],
    lens: Lens | None,
) -> tuple[SeenCards, Lens | None, float, tuple[list[_Spot], list[_Spot]]]:
    """Cards and piles in the plane as all piles give it, with what bends the picture and how cards are turned."""
    spots = [spot for row in rows for spot in row]
    places = turned(np.array([(spot.u, spot.v) for spot in spots]), turn)
    poses = np.column_stack([places, [turn + math.radians(spot.lean) for spot in spots]])
    there = np.array([spot.seen for spot in spots])
    fit = fit_piles(image, cards.plane, poses[there], _counts(there, sides, expected), widths, lens)
    moved = fit.placed(cards.plane, poses)
    off = moved[:, 2] - poses[:, 2]
    turn += float(np.median((off + math.pi) % (2 * math.pi) - math.pi))
    moved[there] = fit.poses
    upright = turned(moved[:, :2], -turn)
    found = [
        _Spot(float(u), float(v), _lean(float(angle) - turn), spot.shown)
        for (u, v), angle, spot in zip(upright, moved[:, 2], spots, strict=True)
    ]
    poses = fit.placed(cards.plane, cards.poses)
    exact = replace(cards, plane=fit.plane, poses=poses, width_sure=fit.width_sure)
    return exact, fit.lens, turn, (found[: len(rows[0])], found[len(rows[0]) :])


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


def _boxes(
    rows: tuple[Sequence[_Spot], Sequence[_Spot]],
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
            boxes[RESERVES[seat]] = _box(reserve, width, seat)
        for i, spot in enumerate(own):
            boxes[STOCKS[seat][i]] = _box(spot, width, seat)
    middle_u = float(np.mean([box.x for box in boxes.values()]))
    middle_v = float(np.mean([np.mean([spot.v for spot in row]) for row in rows]))
    centres = [_Spot(middle_u + side * (width + _CENTRE_GAP) / 2, middle_v, 0.0, 0.0) for side in (-1, 1)]
    lying = _centre_cards(cards, turn, rows, (middle_u, middle_v))
    for i, spot in enumerate(centres):
        near = [card for card in lying if math.hypot(card.u - spot.u, card.v - spot.v) < 0.75 * width]
        boxes[CENTRES[i]] = _box(near[0] if near else spot, width, Seat.A)
    return boxes


def _centre_cards(
    cards: SeenCards, turn: float, rows: tuple[Sequence[_Spot], Sequence[_Spot]], middle: tuple[float, float]
) -> list[_Spot]:
    """Cards that lie between the rows, those nearest the middle first."""
    upright = turned(cards.poses[:, :2], -turn)
    near, far = (float(np.mean([spot.v for spot in row])) for row in rows)
    spots = [
        _Spot(float(u), float(v), _lean(float(angle) - turn), 1.0)
        for (u, v), angle in zip(upright, cards.poses[:, 2], strict=True)
        if far + LONG_MM < v < near - LONG_MM
    ]
    return sorted(spots, key=lambda spot: math.hypot(spot.u - middle[0], spot.v - middle[1]))


def _box(spot: _Spot, width: float, seat: Seat) -> Box:
    return Box(spot.u, spot.v, width, LONG_MM, spot.lean + (180.0 if seat is Seat.B else 0.0))


def _saved(
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
