"""A script made by hand, from functions of time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.simulate.scene import CardPose, HandPose, Prop, Snapshot


@dataclass(frozen=True)
class HandMade:
    """A script whose parts are given as functions of time."""

    duration: float = 1.0
    cards: Callable[[float], tuple[CardPose, ...]] = lambda _t: ()
    hands: Callable[[float], tuple[HandPose, ...]] = lambda _t: ()
    props: tuple[Prop, ...] = ()
    lamp: Callable[[float], float] = lambda _t: 1.0
    shift: Callable[[float], tuple[float, float, float]] = lambda _t: (0.0, 0.0, 0.0)

    def snapshot(self, t: float) -> Snapshot:
        return Snapshot(t, self.cards(t), self.hands(t), self.props, self.lamp(t), self.shift(t))

    def moving(self, t0: float, t1: float) -> bool:
        return t1 > t0
