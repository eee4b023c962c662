"""What the camera sees at an instant: cards, hands, things lying about, the light.

Choreography makes a ``Script``; the renderer films it. Lengths are millimetres in table coordinates (x right, y down
in the calibrated view) with z up, off the table and towards the camera; angles are degrees.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from referee.cards import Card
from referee.table import CARD_MM, Seat


class HandShape(Enum):
    """What the fingers do."""

    REST = "lying off the table edge"
    REACH = "open, approaching"
    PINCH = "fingers closing on a card's edge"
    CARRY = "holding a card by its near edge, fingers above, thumb below"
    RELEASE = "opening just after a card was put down"
    SLAP = "flat palm"
    HOVER = "relaxed, above the table"
    GATHER = "both hands round a heap"


@dataclass(frozen=True, slots=True)
class CardPose:
    """One card in space; ``point`` is the exact meaning of its numbers.

    Attributes:
        card: which card.
        x, y: its centre.
        z: height of its lower face at the centre.
        yaw: reading direction, clockwise as seen in the view; 0 is read by seat A, 180 by seat B.
        flip: turn about the card's long axis, its right edge rising first: 0 face up, 180 face down, between while it
            is being turned; negative when it turns the other way round.
        pitch: tilt about the card's short axis, positive when the end at the top of its reading direction is higher.
        roll: tilt about the card's long axis, added to ``flip``.
        bend: curl: how far the two short ends are bent away from the face, mm; 0 is flat.
    """

    card: Card
    x: float
    y: float
    z: float
    yaw: float
    flip: float
    pitch: float
    roll: float
    bend: float

    def point(self, u: float, v: float, height: float = CARD_MM[1]) -> tuple[float, float, float]:
        """Where a point of the card's sheet is.

        Args:
            u, v: the point as one reads the card, mm from its centre: right and up.
            height: length of the card, mm.

        Returns:
            x, y, z on the table, mm. The card is bent, turned about its long axis, pitched, then yawed.
        """
        turn, pitch, yaw = math.radians(self.flip + self.roll), math.radians(self.pitch), math.radians(self.yaw)
        w = -self.bend * (2 * v / height) ** 2
        u, w = u * math.cos(turn) - w * math.sin(turn), u * math.sin(turn) + w * math.cos(turn)
        v, w = v * math.cos(pitch) - w * math.sin(pitch), v * math.sin(pitch) + w * math.cos(pitch)
        cos, sin = math.cos(yaw), math.sin(yaw)
        return self.x + u * cos + v * sin, self.y + u * sin - v * cos, self.z + w


@dataclass(frozen=True, slots=True)
class HandPose:
    """One hand in space.

    Attributes:
        seat: whose hand.
        right: a right hand, else a left one.
        x, y, z: the pinch point, where the tips of thumb and forefinger meet; the palm's centre for ``SLAP``.
        yaw: direction of the forearm; 0 reaches from seat A straight up the view, 180 from seat B straight down.
        shape: what the fingers are becoming.
        blend: progress from ``previous`` to ``shape``, 0 to 1.
        previous: the shape before.
        curl: how much further than the shape's own the fingers are curled, 0 to 1.
    """

    seat: Seat
    right: bool
    x: float
    y: float
    z: float
    yaw: float
    shape: HandShape
    blend: float
    previous: HandShape
    curl: float


@dataclass(frozen=True, slots=True)
class Prop:
    """A thing that lies on the table for a while.

    Attributes:
        kind: ``cup`` or ``sleeve``.
        x, y: its centre; for a sleeve the end of the cuff.
        yaw: for a sleeve the direction of the arm, as in ``HandPose``.
        size: a cup's diameter, a sleeve's width.
    """

    kind: str
    x: float
    y: float
    yaw: float
    size: float


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The scene at one instant.

    Attributes:
        t: seconds from the start.
        cards: every card on or above the table, in drawing order: what lies beneath comes first. A card that lies
            still is the same ``CardPose`` object from one snapshot to the next.
        hands: every hand that reaches over the table or rests beside it.
        props: things that lie on the table.
        lamp: level of the main lamp, 1 as at the start.
        shift: how far the camera's view has moved since the start: x mm, y mm, degrees clockwise.
    """

    t: float
    cards: tuple[CardPose, ...]
    hands: tuple[HandPose, ...]
    props: tuple[Prop, ...]
    lamp: float
    shift: tuple[float, float, float]


class Script(Protocol):
    """A game as a play for the camera."""

    @property
    def duration(self) -> float:
        """Length in seconds."""

    def snapshot(self, t: float) -> Snapshot:
        """The scene at ``t``, between 0 and ``duration``."""

    def moving(self, t0: float, t1: float) -> bool:
        """Whether anything changes between the two instants."""
