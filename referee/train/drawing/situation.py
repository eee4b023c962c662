"""What lies in and over a zone when a crop is taken: cards at rest, cards in motion, hands, table, light, camera.

A ``Situation`` decides the whole crop and holds no pictures. ``compose`` draws it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from referee.cards import Card
from referee.table import Box
from referee.train.drawing.light import Colour, Light
from referee.train.drawing.sensor import Sensor
from referee.train.drawing.viewpoint import Viewpoint
from referee.vision.rectify import Points, image_to_crop, project

CARD_THICKNESS: Final = 0.3
"""Height in mm that a card adds to a loose pile."""

CORNER_RADIUS: Final = 3.5
"""Radius of a card's corners, mm."""

State: TypeAlias = Literal["card", "back", "empty"]
Motion: TypeAlias = Literal["rest", "sliding", "lifted", "turning"]
ClutterKind: TypeAlias = Literal["sheet", "slab", "disc", "cup"]
Vector: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LyingCard:
    """The side of a card that the camera sees.

    Attributes:
        card: its face; ``None`` if its back shows.
        centre: world coordinates of its middle, mm.
        across, down: unit vectors along the visible side's width and height.
        below: height of what lies under it, mm; its shadow falls there.
        tone: its brightness beside a plain card's.
        slope: how much brighter it gets to its right and bottom edges; a card is never quite flat.
        gloss: strength of its sheen.
    """

    card: Card | None
    centre: Vector
    across: Vector
    down: Vector
    below: float
    tone: float = 1.0
    slope: tuple[float, float] = (0.0, 0.0)
    gloss: float = 0.5


@dataclass(frozen=True, slots=True)
class LyingHand:
    """A hand and its arm.

    Attributes:
        shape: number of its shape in the pool of hands.
        x, y, z: where its fingertips touch, mm.
        turn: turn of its arm, degrees; at 0 the arm comes from +y.
        rise: how steeply the arm rises from the table, degrees.
        skin: colour of the skin, BGR of 0..255.
        sleeve: two colours of the sleeve.
    """

    shape: int
    x: float
    y: float
    z: float
    turn: float
    rise: float
    skin: Colour
    sleeve: tuple[Colour, Colour]

    @property
    def place(self) -> Vector:
        """World coordinates of its fingertips, mm."""
        return np.array([self.x, self.y, self.z])


@dataclass(frozen=True, slots=True, eq=False)
class Mover:
    """Things that move (or hang still) together over the pile.

    Attributes:
        card: the card, or ``None``.
        hand: the hand, or ``None``. One that holds the card has fingers under it.
        sweep: how far they move while the picture is exposed, mm.
    """

    card: LyingCard | None
    hand: LyingHand | None
    sweep: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        if self.card is None and self.hand is None:
            raise ValueError("something has to move: a card, a hand or both")

    @property
    def place(self) -> Vector:
        """World coordinates of the card's middle or, without a card, of the fingertips, mm."""
        if self.card is not None:
            return self.card.centre
        assert self.hand is not None
        return self.hand.place


@dataclass(frozen=True, slots=True)
class Stack:
    """A neat stack of which only the top and the sides can be seen.

    Attributes:
        x, y: its middle, mm.
        turn: degrees.
        cards: how many.
    """

    x: float
    y: float
    turn: float
    cards: int


@dataclass(frozen=True, slots=True)
class Clutter:
    """Something on the table that is no card.

    Attributes:
        kind: ``sheet`` (of paper, with lines of writing), ``slab`` (a phone, a card box), ``disc`` (a coin, a chip, a
            coaster) or ``cup``, which stands over the cards.
        x, y: its middle, mm.
        turn: degrees.
        width, length: its size, mm.
        height: how high it is, mm.
        colours: of its top, and of what is on or in it, BGR.
    """

    kind: ClutterKind
    x: float
    y: float
    turn: float
    width: float
    length: float
    height: float
    colours: tuple[Colour, Colour]


@dataclass(frozen=True, slots=True)
class Print:
    """A place for cards printed on the table.

    Attributes:
        box: where, on the table.
        width, height: size in mm; the box is that of a card.
        colour: albedo, BGR.
        line: width of its frame in mm, or ``None`` for a filled field.
    """

    box: Box
    width: float
    height: float
    colour: Colour
    line: float | None


@dataclass(frozen=True, slots=True)
class Surface:
    """The table under the zone.

    Attributes:
        piece: number of its piece in the pool of table tops.
        x, y: where the zone lies on the piece, mm from its middle.
        turn: degrees.
        dye: gains of blue, green and red.
        mat: another piece that covers part of the table, or ``None``.
        edge: the mat's edge: its distance from the zone's middle in mm and its direction in degrees.
        outline: colour of an outline printed around the zone, or ``None``.
        prints: other places for cards that are printed on it.
    """

    piece: int
    x: float
    y: float
    turn: float
    dye: Colour = (1.0, 1.0, 1.0)
    mat: int | None = None
    edge: tuple[float, float] = (0.0, 0.0)
    outline: Colour | None = None
    prints: tuple[Print, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """One crop to be.

    Attributes:
        box: the zone.
        view: the camera.
        state: what the zone's top shows.
        card: the face, if it shows one.
        motion: what the top card does.
        upright: whether the top card was laid about 0 or 180 degrees, and not anywhere.
        surface: the table.
        clutter: things on the table that are no cards.
        stacks: neat stacks under the cards, drawn first.
        resting: cards at rest, lowest first. The zone's top card is the last of them unless it moves.
        movers: what moves or hangs over them, lowest first.
        top: where the top card is: ("resting", i), ("mover", i), or ``None`` if the zone is empty.
        light, sensor: how it is seen.
    """

    box: Box
    view: Viewpoint
    state: State
    card: Card | None
    motion: Motion
    upright: bool
    surface: Surface
    light: Light
    sensor: Sensor
    clutter: tuple[Clutter, ...] = ()
    stacks: tuple[Stack, ...] = ()
    resting: tuple[LyingCard, ...] = ()
    movers: tuple[Mover, ...] = field(default=())
    top: tuple[Literal["resting", "mover"], int] | None = None

    @property
    def top_card(self) -> LyingCard | None:
        """The card that the crop is labelled with."""
        if self.top is None:
            return None
        place, number = self.top
        return self.resting[number] if place == "resting" else self.movers[number].card


def orient(turn: float, pitch: float = 0.0, roll: float = 0.0) -> tuple[Vector, Vector]:
    """Unit vectors along a card's width and height.

    Args:
        turn: degrees clockwise on the table.
        pitch: turn about its own width, degrees; positive lifts the top edge.
        roll: turn about its own height, degrees; positive lifts the right edge.
    """
    a, p, r = math.radians(turn), math.radians(pitch), math.radians(roll)
    cos_a, sin_a, cos_r, sin_r, cos_p, sin_p = (f(x) for x in (a, r, p) for f in (math.cos, math.sin))
    across = np.array([cos_a * cos_r, sin_a * cos_r, sin_r])
    # Down is across's level normal, turned by the pitch towards the card's own normal.
    down = np.array([-sin_a * cos_p + cos_a * sin_r * sin_p, cos_a * cos_p + sin_a * sin_r * sin_p, -cos_r * sin_p])
    return across, down


def outline(card: LyingCard, width: float, height: float) -> Points:
    """World coordinates (16, 3) of the card's outline, its rounded corners included."""
    flat = _rounded(width, height)
    return np.asarray(card.centre + flat[:, :1] * card.across + flat[:, 1:] * card.down, np.float64)


@cache
def _rounded(width: float, height: float) -> Points:
    half_w, half_h, r = width / 2 - CORNER_RADIUS, height / 2 - CORNER_RADIUS, CORNER_RADIUS
    points = []
    for sign_x, sign_y, first in ((-1, -1, 180), (1, -1, 270), (1, 1, 0), (-1, 1, 90)):
        for step in range(4):
            angle = math.radians(first + 30 * step)
            points.append((sign_x * half_w + r * math.cos(angle), sign_y * half_h + r * math.sin(angle)))
    return np.array(points)


def corners(card: LyingCard, width: float, height: float) -> Points:
    """World coordinates (4, 3) of the card's corners as they would be without rounding, clockwise from its top left."""
    flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, height / 2]
    return np.asarray(card.centre + flat[:, :1] * card.across + flat[:, 1:] * card.down, np.float64)


def in_picture(view: Viewpoint, points: Points) -> Points:
    """Pixels (N, 2) of world points (N, 3)."""
    mapped = points @ view.matrix[:, :3].T + view.matrix[:, 3]
    return np.asarray(mapped[:, :2] / mapped[:, 2:], np.float64)


def in_crop(view: Viewpoint, box: Box, size: int, points: Points) -> Points:
    """Crop pixels (N, 2) at which world points (N, 3) appear."""
    return project(image_to_crop(view.view, box, size), in_picture(view, points))
