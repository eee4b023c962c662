"""Hands that reach over a zone: whose arm, in what skin and sleeve, how it holds a card, how fast it moves."""

from __future__ import annotations

import math
from typing import Final, TypeAlias

import numpy as np

from referee.table import Seat, Zone
from referee.train.drawing.light import Colour
from referee.train.drawing.situation import LyingCard, LyingHand, Vector

Size: TypeAlias = tuple[float, float]
"""Width and height of a card, mm."""

HANDS: Final = 120
"""Hand shapes in a pool."""

_SKINS: Final[tuple[Colour, ...]] = (
    (196, 212, 240),
    (170, 192, 232),
    (146, 176, 222),
    (120, 152, 204),
    (98, 130, 184),
    (74, 102, 156),
    (54, 78, 124),
    (40, 58, 96),
    (32, 44, 72),
)
"""Skin from light to dark, BGR."""


def pointing(turn: float) -> tuple[Vector, Vector]:
    """Unit vectors (2,) on the table: where a hand points whose arm is turned by ``turn`` degrees, and to its side."""
    towards = np.array([math.sin(math.radians(turn)), -math.cos(math.radians(turn))])
    return towards, np.array([towards[1], -towards[0]])


def arm_turn(rng: np.random.Generator, zone: Zone) -> float:
    """Where an arm comes from: mostly the zone's owner, at times the player across."""
    seat = zone.seat if zone.seat is not None else (Seat.A if rng.random() < 0.5 else Seat.B)
    if rng.random() < 0.12:
        seat = seat.other
    return (0.0 if seat is Seat.A else 180.0) + float(rng.normal(0, 28))


def some_hand(rng: np.random.Generator, x: float, y: float, z: float, turn: float) -> LyingHand:
    """A hand whose fingertips touch at (``x``, ``y``, ``z``) mm."""
    place = float(rng.uniform(0, len(_SKINS) - 1))
    lighter, darker = np.array(_SKINS[int(place)]), np.array(_SKINS[math.ceil(place)])
    skin = (lighter + place % 1 * (darker - lighter)) * rng.normal(1, 0.04, 3)
    dark = rng.uniform(8, 200, 3) if rng.random() < 0.7 else np.full(3, rng.uniform(8, 60))
    light = np.clip(dark + rng.uniform(-40, 140, 3), 0, 250)
    return LyingHand(
        shape=int(rng.integers(HANDS)),
        x=x,
        y=y,
        z=z,
        turn=turn,
        rise=float(rng.uniform(0, 18)),
        skin=_colour(skin),
        sleeve=(_colour(dark), _colour(light)),
    )


def holder(rng: np.random.Generator, zone: Zone, card: LyingCard, card_mm: Size) -> LyingHand:
    """A hand at the card's edge nearest its arm, fingertips some way in."""
    turn = arm_turn(rng, zone)
    towards, aside = pointing(turn)
    inwards = np.abs(np.stack([card.across[:2], card.down[:2]]) @ towards)
    edge = float((np.array(card_mm) / 2 / np.maximum(inwards, 1e-6)).min())
    at = card.centre[:2] + towards * (float(rng.uniform(6, 34)) - edge) + aside * float(rng.normal(0, 9))
    return some_hand(rng, float(at[0]), float(at[1]), float(card.centre[2]) + 2, turn)


def sweep(rng: np.random.Generator, lift: float, fastest: float) -> tuple[float, float, float]:
    """Movement in mm over an exposure of a few to some thirty milliseconds; ``lift`` is the height over the table."""
    length = fastest * float(rng.beta(0.55, 2.4))
    side = float(rng.uniform(0, 2 * math.pi))
    return length * math.cos(side), length * math.sin(side), float(rng.normal(0, 0.2)) * min(length, lift)


def _colour(parts: Vector) -> Colour:
    return float(parts[0]), float(parts[1]), float(parts[2])
