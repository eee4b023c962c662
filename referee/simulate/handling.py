"""How a card that was lifted is carried: how high, how tilted, round which side."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

from referee.simulate.arms import Grip, towards
from referee.simulate.motion import Manner, Tilt, turn_between
from referee.simulate.scene import CardPose
from referee.simulate.schedule import Move
from referee.table import Seat


@dataclass(frozen=True, slots=True)
class InHand:
    """A card that was lifted: how it lay, where it is held, and whether others lay on it."""

    start: CardPose
    grip: Grip
    covered: bool


def manner_of(rng: Random, seat: Seat, held: InHand, end: CardPose, move: Move) -> Manner:
    """How ``seat`` carries the card it holds to where it is to lie.

    Args:
        rng: for what the hand leaves to chance.
        seat: whose hand.
        held: the card.
        end: how it is to lie.
        move: what is done with it.
    """
    start = held.start
    way = math.dist((start.x, start.y), (end.x, end.y))
    side = towards(seat)
    # The held edge is the higher one, the far edge comes down first.
    pitch = rng.uniform(2.5, 9.0) * (-1 if held.grip.v < 0 else 1)
    tilt = Tilt(pitch, rng.gauss(0.0, 5.0), rng.uniform(0.0, 3.0))
    aside = min(max(rng.gauss(0.0, 0.07), -0.12), 0.12) * way
    bow = (aside, side * (22.0 if way < 30 else rng.uniform(0.0, 0.06) * way))
    out = (0.0, side * 96.0) if held.covered else (0.0, 0.0)
    turning = rng.choice((-180.0, 180.0)) if move.turned else 0.0
    if start.pitch or end.pitch:
        turning = turn_between(start.flip, end.flip)
    height = rng.uniform(22.0, 34.0) + 0.05 * way
    return Manner(height, tilt, rng.uniform(0.3, 0.7), bow, turning, out)
