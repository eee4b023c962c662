"""How hands and cards move: speed profiles, the path of a carried card, the exact instant it touches."""

from __future__ import annotations

import math
from dataclasses import dataclass

from referee.cards import Card
from referee.simulate.scene import CardPose
from referee.table import CARD_MM

THICKNESS = 0.3
"""Of one card in a loose pile, mm."""

SETTLE = 0.08
"""From first touch until a card lies still, s."""

_SLIDING = 0.3
"""Share of a carry spent sliding a card out from under others."""

_SLIDES_ON = 0.4
"""A card slides on after its touch no longer than this share of its time in the air: a short throw, a short slide."""

Point = tuple[float, float, float]


def ease(progress: float) -> float:
    """Minimum-jerk progress of a human reach: 0 to 1, at rest at both ends."""
    s = min(max(progress, 0.0), 1.0)
    return s * s * s * (10 - 15 * s + 6 * s * s)


def fade(progress: float) -> float:
    """Smooth progress from 0 to 1 with a quicker start than ``ease``."""
    s = min(max(progress, 0.0), 1.0)
    return s * s * (3 - 2 * s)


def turn_between(start: float, end: float) -> float:
    """The shorter way from one direction to another, degrees in -180..180."""
    return (end - start + 180.0) % 360.0 - 180.0


def hang(turn: float, pitch: float, bend: float, size: tuple[float, float] = CARD_MM) -> float:
    """How far a card's lowest point lies below its centre, mm, 0 for a flat card.

    Args:
        turn: ``flip`` plus ``roll``, degrees.
        pitch: degrees.
        bend: as in ``CardPose``, mm.
        size: width and height of the card, mm.
    """
    width, height = size
    a, p = math.radians(turn), math.radians(pitch)
    edge = -abs(math.sin(a) * math.cos(p)) * width / 2
    # Along the card's length the height is slope * v + curve * v**2: lowest at an end, or between if it sags.
    slope = math.sin(p)
    curve = -bend * math.cos(a) * math.cos(p) * (2 / height) ** 2
    ends = [slope * v + curve * v * v for v in (-height / 2, height / 2)]
    if curve > 0:
        v = min(max(-slope / (2 * curve), -height / 2), height / 2)
        ends.append(slope * v + curve * v * v)
    # A bent card leaning sideways also shifts its ends across; that changes the height by nothing.
    return -(edge + min(ends))


@dataclass(frozen=True, slots=True)
class Tilt:
    """How a card leans in the hand: ``pitch`` and ``roll`` in degrees, ``bend`` in mm."""

    pitch: float = 0.0
    roll: float = 0.0
    bend: float = 0.0


@dataclass(frozen=True, slots=True)
class Manner:
    """How a card is carried.

    Attributes:
        height: how high the arc goes, mm.
        tilt: lean in the air.
        landing: the part of that lean left at the touch, 0 to 1.
        bow: how far the path swings out sideways, mm (x, y).
        turning: degrees about the long axis while in the air: 180 or -180 turns the card over, 0 does not; from one
            end's ``flip`` to the other's.
        pull: how far the card is slid straight out from under others before it rises, mm (x, y).
    """

    height: float
    tilt: Tilt = Tilt()
    landing: float = 0.0
    bow: tuple[float, float] = (0.0, 0.0)
    turning: float = 0.0
    pull: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Carry:
    """A card on its way: lifted at ``t0``, first touching at ``touch``, at rest at ``t1``.

    The path is given by the height of the card's LOWEST point over what lies below, so the instant of touch is exact:
    above zero before ``touch``, zero from then on while the card settles.

    Attributes:
        start, end: where it lies before and after.
        t0, touch, t1: s; ``touch`` may equal ``t1`` for a card that does not slide on.
        manner: how it is carried.
    """

    start: CardPose
    end: CardPose
    t0: float
    touch: float
    t1: float
    manner: Manner

    @property
    def card(self) -> Card:
        """The card carried."""
        return self.end.card

    def pose(self, t: float) -> CardPose:
        """Where the card is at ``t``; its resting poses outside ``t0`` to ``t1``."""
        if t <= self.t0:
            return self.start
        if t >= self.t1:
            return self.end
        how = self.manner
        air = min((t - self.t0) / (self.touch - self.t0), 1.0)
        if how.pull != (0.0, 0.0):
            air = max((air - _SLIDING) / (1 - _SLIDING), 0.0)
        settled = fade((t - self.touch) / (self.t1 - self.touch)) if t > self.touch else 0.0
        x, y = self._place(t)
        lean = fade(air / 0.3) * (1 - (1 - how.landing) * fade((air - 0.5) / 0.5)) * (1 - settled)
        pitch, roll, bend = how.tilt.pitch * lean, how.tilt.roll * lean, how.tilt.bend * lean
        turned = fade((air - 0.1) / 0.62)
        flip = self.start.flip + how.turning * turned
        # A card that comes from a fan or goes to one is upright there.
        pitch += self.start.pitch + (self.end.pitch - self.start.pitch) * turned
        low, rest = _lowest(self.start), _lowest(self.end)
        base = low + (rest - low) * fade(air / 0.45)
        z = base + how.height * clearance(air) + hang(flip + roll, pitch, bend)
        yaw = self.start.yaw + turn_between(self.start.yaw, self.end.yaw) * self._progress(t)
        return CardPose(self.end.card, x, y, z, yaw, flip, pitch, roll, bend)

    def _progress(self, t: float) -> float:
        """The share of the way across the table that is behind the card."""
        there = min(self.t1, self.touch + _SLIDES_ON * (self.touch - self.t0))
        return ease((t - self.t0) / (there - self.t0))

    def _place(self, t: float) -> tuple[float, float]:
        how = self.manner
        s = self._progress(t)
        swing = 16 * s * s * (1 - s) * (1 - s)
        air = (t - self.t0) / (self.touch - self.t0)
        out = fade(air / (_SLIDING + 0.05)) * (1 - s)
        x, y = (
            start + (end - start) * s + bow * swing + pull * out
            for start, end, bow, pull in (
                (self.start.x, self.end.x, how.bow[0], how.pull[0]),
                (self.start.y, self.end.y, how.bow[1], how.pull[1]),
            )
        )
        return x, y


def _lowest(pose: CardPose) -> float:
    """Height of a card's lowest point, mm."""
    return pose.z - hang(pose.flip + pose.roll, pose.pitch, pose.bend)


def clearance(air: float) -> float:
    """Height over the ground along a carry, as a share of the highest: 0 at both ends, coming down with some speed."""
    top = 0.45
    return fade(air / top) if air < top else 1 - ((air - top) / (1 - top)) ** 2
