"""A player's arm: how it waits, reaches for a card, lets go and strikes, told to the track of its hand."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

from referee.simulate.motion import Carry, Point
from referee.simulate.placement import HELD_MM, Place
from referee.simulate.scene import CardPose, HandShape
from referee.simulate.tracks import Glide, HandTrack, Hold, Hover, Still
from referee.table import CARD_MM, Seat, TableLayout, ZoneKind

_WAIT_ON_THE_WAY = 0.12
"""A pause no longer than this is spent going slower, s."""

_GO_HOME = 1.6
"""A hand with nothing to do for longer than this is drawn back and rests, s."""

_BACK = 0.36
"""A hand takes so long to draw back, s."""

_GRIP_IN = 7.0
"""The fingertips reach so far in over the edge of a card, mm."""


@dataclass(frozen=True, slots=True)
class Grip:
    """The point of a card that is held: ``u``, ``v`` as in ``CardPose.point``."""

    u: float
    v: float


def towards(seat: Seat) -> int:
    """Which way along y that player sits: 1 for A, -1 for B."""
    return 1 if seat is Seat.A else -1


def between(start: Point, end: Point, share: float) -> Point:
    """The point that share of the way from one to the other."""
    x, y, z = (a + (b - a) * share for a, b in zip(start, end, strict=True))
    return x, y, z


def grip_at(pose: CardPose, point: Point) -> Grip:
    """The point of a card lying flat that is under a point of the table."""
    yaw = math.radians(pose.yaw)
    x, y = point[0] - pose.x, point[1] - pose.y
    return Grip(x * math.cos(yaw) + y * math.sin(yaw), x * math.sin(yaw) - y * math.cos(yaw))


def home_of(seat: Seat, off_hand: bool, layout: TableLayout, held: Place | None) -> Point:
    """Where a hand rests: off the table's edge, or round the reserve or the fan that is kept in this hand."""
    side = towards(seat)
    if held is not None and off_hand:
        if held.zone.kind is ZoneKind.HAND:
            return held.box.x, held.box.y, held.ground + 10
        return held.box.x, held.box.y + side * 34, HELD_MM + 2
    across, out = (-125, 34) if off_hand else (95, 18)
    return layout.width / 2 + side * across, layout.height / 2 + side * (layout.height / 2 + out), 20.0


class Arm:
    """One arm over the length of a film; its moves are told in order of time.

    Attributes:
        track: the way of its hand.
        free: from when on it has nothing to do, s.
    """

    def __init__(self, track: HandTrack, layout: TableLayout, rng: Random) -> None:
        self.track = track
        self.free = 0.0
        self._seat = track.seat
        self._edge = layout.height if track.seat is Seat.A else 0.0
        self._rng = rng

    def grip(self, pose: CardPose) -> Grip:
        """Where this arm takes a card that lies so: by the edge that is nearest to its player."""
        if abs(pose.pitch) > 45.0:
            return self.corner_grip()
        # The top of the card as it is read points up the view at yaw 0, so there seat A holds the lower end.
        away = math.cos(math.radians(pose.yaw)) * towards(self._seat)
        v = CARD_MM[1] / 2 - _GRIP_IN
        return Grip(self._rng.uniform(-8, 8), -v if away > 0 else v)

    def corner_grip(self) -> Grip:
        """Where this arm takes a card out of a fan, or puts one in: by its upper right corner."""
        return Grip(self._rng.uniform(20, 26), self._rng.uniform(12, 24))

    def hold(self, start: float, t: float) -> None:
        """Closes its fingers round cards that are brought to where it rests, from ``start`` to ``t``."""
        begin = self.wait(start, None)
        self.track.shape(begin, t, HandShape.CARRY)
        self.free = begin

    def wait(self, until: float, beyond: Point | None, *, stay: bool = False) -> float:
        """Spends the time from ``free`` to ``until``.

        Args:
            until: when the next reach should begin, s.
            beyond: where that reach goes; ``None``: nowhere, the film is over for this hand.
            stay: whether the hand stays where it is.

        Returns:
            When the next reach begins, s: a short pause is better spent on the way.
        """
        start, here = self.free, self.track.point(self.free)
        pause = until - start
        if pause <= _WAIT_ON_THE_WAY:
            return min(start, until)
        if stay or here == self.track.home:
            self.track.add(Still(start, here))
        elif pause > _GO_HOME or beyond is None:
            self._draw_back(start, here)
        else:
            self._hover(start, until, here, beyond)
        return until

    def _draw_back(self, start: float, here: Point) -> None:
        home = self.track.home
        if math.dist(here, home) > 1.0:
            took = _BACK + math.dist(here, home) / 2400
            self.track.add(Glide(start, start + took, here, home, 20.0))
            self.track.add(Still(start + took, home))
            self.track.shape(start, start + took, HandShape.REST)

    def _hover(self, start: float, until: float, here: Point, beyond: Point) -> None:
        """Waits in the air by the player's own row, so that the centre stays in view."""
        side = towards(self._seat)
        y = beyond[1] + side * 48
        row = self._edge - side * 62
        y = max(y, row) if side > 0 else min(y, row)
        spot = (beyond[0] + side * self._rng.uniform(-8, 22), y + self._rng.uniform(-6, 6), self._rng.uniform(34, 60))
        needed, there_is = 0.14 + math.dist(here, spot) / 1100, 0.8 * (until - start)
        if there_is < needed:
            share = there_is / needed
            spot = between(here, spot, share)
        arrive = start + min(needed, there_is)
        self.track.add(Glide(start, arrive, here, spot, 14.0))
        self.track.shape(start, arrive, HandShape.HOVER)
        if until - arrive > 0.2:
            self.track.add(Hover(arrive, until, spot, self._rng.uniform(0, 6)))
        else:
            self.track.add(Still(arrive, spot))

    def reach(self, start: float, arrive: float, point: Point, *, shape: HandShape = HandShape.REACH) -> None:
        """The empty hand goes to a point, and is there at ``arrive``; a slapping hand strikes it."""
        here = self.track.point(start)
        way = math.dist(here, point)
        strike = shape is HandShape.SLAP
        # Far across the table a hand goes high, over the other player's arm.
        hump = 34.0 if strike else 6.0 + 0.09 * way + 0.2 * max(0.0, way - 300)
        self.track.add(Glide(start, arrive, here, point, hump, strike))
        self.track.shape(start, start + 0.75 * (arrive - start), shape)

    def pinch(self, start: float, end: float, point: Point) -> None:
        """The fingers close on an edge."""
        self.track.add(Still(start, point))
        self.track.shape(start, end, HandShape.PINCH)

    def follow(self, move: Carry, grip: Grip, shape: HandShape = HandShape.CARRY) -> None:
        """The hand goes with a card."""
        self.track.add(Hold(move.t0, move, grip.u, grip.v))
        self.track.shape(move.t0, move.t0 + min(0.06, 0.5 * (move.touch - move.t0)), shape)

    def let_go(self, touch: float, free: float) -> None:
        """Opens after a touch and is off the card at ``free``."""
        start = touch + 0.4 * (free - touch)
        x, y, z = self.track.point(start)
        clear = (x + self._rng.uniform(-3, 3), y + towards(self._seat) * 9.0, z + 9.0)
        self.track.add(Glide(start, free, (x, y, z), clear, 0.0))
        self.track.shape(start, free, HandShape.RELEASE)
        self.free = free

    def move_thing(self, start: float, end: float, here: Point, there: Point) -> None:
        """Fetches a thing and puts it somewhere else, sliding it over the table."""
        begin = self.wait(start - 0.2 - math.dist(self.track.home, here) / 900, here)
        self.reach(begin, start, here)
        self.track.add(Glide(start, end, here, there, 0.0))
        self.track.shape(start, start + 0.1, HandShape.CARRY)
        self.let_go(end, end + 0.2)

    def press(self, t: float, point: Point) -> None:
        """Lies still where it came down."""
        self.track.add(Still(t, point))

    def brush(self, t: float, free: float, out: tuple[float, float]) -> None:
        """Goes on in the direction it knocked a card, and up."""
        x, y, z = self.track.point(t)
        end = (x + 0.6 * out[0], y + 0.6 * out[1] + towards(self._seat) * 20.0, z + 40.0)
        self.track.add(Glide(t, free, (x, y, z), end, 0.0))
        self.track.shape(t, free, HandShape.HOVER)
        self.free = free

    def lift_off(self, free: float, until: float) -> None:
        """A flat hand stays down until nearly ``free`` and then rises; ``until``: when it came down."""
        start = max(until, free - 0.1)
        x, y, z = self.track.point(start)
        self.track.add(Glide(start, free, (x, y, z), (x, y + towards(self._seat) * 10.0, z + 14.0), 0.0))
        self.free = free
