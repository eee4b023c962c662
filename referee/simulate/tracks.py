"""The way of every card and every hand through a film, piece by piece, and where each is at any instant."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass

from referee.simulate.motion import Carry, Point, clearance, ease, fade
from referee.simulate.scene import CardPose, HandPose, HandShape
from referee.table import Seat, TableLayout


class CardTrack:
    """Where one card is over time: at rest, carried, or out of sight (``None``)."""

    def __init__(self) -> None:
        self._starts: list[float] = []
        self._pieces: list[CardPose | Carry | None] = []

    def rest(self, t: float, pose: CardPose | None) -> None:
        """From ``t`` on the card lies there; ``None``: it is off the table, out of the picture."""
        self._add(t, pose)

    def carry(self, move: Carry) -> None:
        """The card moves so, and lies at the move's end from then on."""
        self._add(move.t0, move)

    def still(self, t: float) -> float:
        """When, from ``t`` on, the card lies still: at once, unless it is on its way."""
        last = self._pieces[-1] if self._pieces else None
        return max(t, last.t1) if isinstance(last, Carry) else t

    def _add(self, t: float, piece: CardPose | Carry | None) -> None:
        if self._starts and t < self._starts[-1]:
            raise ValueError(f"a card's way is told in order of time: {t:.3f} s comes after {self._starts[-1]:.3f} s")
        self._starts.append(t)
        self._pieces.append(piece)

    def at(self, t: float) -> CardPose | None:
        """Where it is; the same object for as long as it lies still."""
        index = bisect_right(self._starts, t) - 1
        piece = self._pieces[index] if index >= 0 else None
        return piece.pose(t) if isinstance(piece, Carry) else piece

    def moving(self, t0: float, t1: float) -> bool:
        """Whether it moves, comes or goes between the two instants."""
        first = bisect_right(self._starts, t0) - 1
        last = bisect_right(self._starts, t1) - 1
        piece = self._pieces[first] if first >= 0 else None
        return first != last or (isinstance(piece, Carry) and t0 < piece.t1)


@dataclass(frozen=True, slots=True)
class Glide:
    """A hand's free move, at rest at both ends.

    Attributes:
        t0, t1: s.
        start, end: pinch points.
        hump: how much higher than its ends the way goes, mm.
        strike: whether it comes down with speed at its end, as a slap does.
    """

    t0: float
    t1: float
    start: Point
    end: Point
    hump: float
    strike: bool = False

    def at(self, t: float) -> Point:
        """The pinch point at ``t``."""
        progress = min(max((t - self.t0) / (self.t1 - self.t0), 0.0), 1.0)
        s = ease(progress)
        x, y = (a + (b - a) * s for a, b in zip(self.start[:2], self.end[:2], strict=True))
        if self.strike:
            z = self.start[2] + (self.end[2] - self.start[2]) * fade(progress / 0.45) + self.hump * clearance(progress)
        else:
            z = self.start[2] + (self.end[2] - self.start[2]) * s + self.hump * 16 * s * s * (1 - s) * (1 - s)
        return x, y, z


@dataclass(frozen=True, slots=True)
class Hold:
    """A hand that holds a point of a card and goes where the card goes: ``u``, ``v`` as in ``CardPose.point``."""

    t0: float
    card: Carry
    u: float
    v: float

    def at(self, t: float) -> Point:
        """The pinch point at ``t``."""
        x, y, z = self.card.pose(t).point(self.u, self.v)
        return x, y, z


@dataclass(frozen=True, slots=True)
class Hover:
    """A hand waiting in the air, never quite still; still at ``t0`` and ``t1``."""

    t0: float
    t1: float
    centre: Point
    phase: float

    def at(self, t: float) -> Point:
        """The pinch point at ``t``."""
        envelope = math.sin(math.pi * min(max((t - self.t0) / (self.t1 - self.t0), 0.0), 1.0)) ** 2
        x, y, z = self.centre
        a, b = 4.1 * (t - self.t0) + self.phase, 2.7 * (t - self.t0) + 2 * self.phase
        return x + 3.0 * envelope * math.sin(a), y + 3.5 * envelope * math.sin(b), z + 1.5 * envelope * math.cos(a)


@dataclass(frozen=True, slots=True)
class Still:
    """A hand that does not move."""

    t0: float
    point: Point

    def at(self, _t: float) -> Point:
        """The pinch point."""
        return self.point


Piece = Glide | Hold | Hover | Still


class HandTrack:
    """Where one hand is over time and what its fingers do."""

    def __init__(
        self, seat: Seat, right: bool, home: Point, layout: TableLayout, shape: HandShape = HandShape.REST
    ) -> None:
        self.seat = seat
        self.right = right
        self.home = home
        side = 1 if seat is Seat.A else -1
        # Shoulders are about as far from the table's edge as an upper arm and half a forearm.
        self._elbow = (home[0] + (40 if right else -40) * side, layout.height / 2 + side * (layout.height / 2 + 300))
        self._pieces: list[Piece] = [Still(-math.inf, home)]
        self._starts: list[float] = [-math.inf]
        self._shapes: list[tuple[float, float, HandShape]] = [(-math.inf, -math.inf, shape)]
        self._shape_starts: list[float] = [-math.inf]
        self._still: dict[tuple[int, int], HandPose] = {}

    def add(self, piece: Piece) -> None:
        """The hand's next move; the last point of the one before must be its first."""
        if piece.t0 < self._starts[-1]:
            raise ValueError(f"hand {self.seat}: {piece.t0:.3f} s comes after {self._starts[-1]:.3f} s")
        self._pieces.append(piece)
        self._starts.append(piece.t0)

    def shape(self, t0: float, t1: float, shape: HandShape) -> None:
        """From ``t0`` to ``t1`` the fingers change into ``shape``."""
        if shape is self._shapes[-1][2]:
            return
        # A change that is overtaken by the next one ends early, so that no two overlap.
        start, end, last = self._shapes[-1]
        if end > t0:
            self._shapes[-1] = (start, t0, last)
        self._shapes.append((t0, t1, shape))
        self._shape_starts.append(t0)

    def point(self, t: float) -> Point:
        """The pinch point at ``t``."""
        return self._pieces[bisect_right(self._starts, t) - 1].at(t)

    def at(self, t: float) -> HandPose:
        """The hand at ``t``; the same object for as long as it lies still."""
        index = bisect_right(self._starts, t) - 1
        piece = self._pieces[index]
        number = bisect_right(self._shape_starts, t) - 1
        begun, done, shape = self._shapes[number]
        previous = self._shapes[number - 1][2] if number else shape
        settled = isinstance(piece, Still) and t >= done
        if settled and (index, number) in self._still:
            return self._still[index, number]
        x, y, z = piece.at(t)
        blend = 1.0 if t >= done else fade((t - begun) / (done - begun))
        # The elbow follows the hand sideways, as shoulders lean.
        elbow_x = self._elbow[0] + 0.4 * (x - self.home[0])
        yaw = math.degrees(math.atan2(x - elbow_x, self._elbow[1] - y))
        curl = 0.25 if shape is HandShape.HOVER else 0.0
        pose = HandPose(self.seat, self.right, x, y, z, yaw, shape, blend, previous, curl)
        if settled:
            self._still[index, number] = pose
        return pose

    def moving(self, t0: float, t1: float) -> bool:
        """Whether the hand moves between the two instants."""
        first = bisect_right(self._starts, t0) - 1
        last = bisect_right(self._starts, t1) - 1
        if first != last or not isinstance(self._pieces[first], Still):
            return True
        number = bisect_right(self._shape_starts, t1) - 1
        return number >= 0 and self._shapes[number][1] > t0
