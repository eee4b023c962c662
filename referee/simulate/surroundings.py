"""What disturbs a camera that watches a table: bumps, lamps, a cup or a sleeve lying across the cards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from referee.simulate.motion import ease
from referee.simulate.scene import Prop

_SWING = 0.5
"""How long a camera swings, s."""

_LAMP = 0.05
"""How long a lamp takes to change, s."""

SLIDE = 0.6
"""How long a thing takes to come and to go, s."""


@dataclass(frozen=True, slots=True)
class Bump:
    """The camera is knocked at ``t`` (s), swings half a second and stays off by ``x``, ``y`` (mm) and ``degrees``."""

    t: float
    x: float
    y: float
    degrees: float

    def share(self, t: float) -> float:
        """How much of the lasting shift there is at ``t``; more than 1 while it swings."""
        since = t - self.t
        if since <= 0:
            return 0.0
        if since >= _SWING:
            return 1.0
        return 1 - math.cos(2 * math.pi * since / 0.14) * math.exp(-since / 0.09) * (1 - since / _SWING)


@dataclass(frozen=True, slots=True)
class Switch:
    """The main lamp goes to ``level`` (1 = as at the start) at ``t`` (s)."""

    t: float
    level: float


@dataclass(frozen=True, slots=True)
class Cover:
    """A thing that comes to lie on the table for a while.

    Attributes:
        prop: what, where it lies.
        t0, t1: from when to when it lies there, s; it slides in before and out after.
        dx, dy: which way it comes from, mm.
    """

    prop: Prop
    t0: float
    t1: float
    dx: float
    dy: float

    def at(self, t: float) -> Prop | None:
        """The thing at ``t``; ``None`` while it is out of sight."""
        if not self.t0 - SLIDE < t < self.t1 + SLIDE:
            return None
        away = 1 - ease((t - self.t0 + SLIDE) / SLIDE) if t < self.t0 else ease((t - self.t1) / SLIDE)
        if away == 0.0:
            return self.prop
        prop = self.prop
        return Prop(prop.kind, prop.x + self.dx * away, prop.y + self.dy * away, prop.yaw, prop.size)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """All that goes on around the cards."""

    bumps: Sequence[Bump] = ()
    switches: Sequence[Switch] = ()
    covers: Sequence[Cover] = ()

    def shift(self, t: float) -> tuple[float, float, float]:
        """How far the camera's view has moved: x mm, y mm, degrees."""
        shares = [(bump, bump.share(t)) for bump in self.bumps]
        return (
            sum(share * bump.x for bump, share in shares),
            sum(share * bump.y for bump, share in shares),
            sum(share * bump.degrees for bump, share in shares),
        )

    def lamp(self, t: float) -> float:
        """Level of the main lamp."""
        level = 1.0
        for switch in self.switches:
            level += (switch.level - level) * ease((t - switch.t) / _LAMP)
        return level

    def props(self, t: float) -> tuple[Prop, ...]:
        """The things that lie on the table."""
        return tuple(prop for cover in self.covers if (prop := cover.at(t)) is not None)

    def moving(self, t0: float, t1: float) -> bool:
        """Whether anything changes between the two instants."""
        spans = [
            *((bump.t, bump.t + _SWING) for bump in self.bumps),
            *((switch.t, switch.t + _LAMP) for switch in self.switches),
            *((cover.t0 - SLIDE, cover.t0) for cover in self.covers),
            *((cover.t1, cover.t1 + SLIDE) for cover in self.covers),
        ]
        return any(start < t1 and t0 < end for start, end in spans)
