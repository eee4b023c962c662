"""A hand of cards held as a fan in the off hand: upright over its player's edge of the table, faces to the player."""

from __future__ import annotations

import math
from random import Random

from referee.cards import Card
from referee.simulate.motion import Point, hang
from referee.simulate.placement import Place
from referee.simulate.scene import CardPose
from referee.table import CARD_MM

SLOTS = 5
"""A hand holds no more cards than this (PT-V5)."""

_LEAN = 97.0
"""Pitch of the middle card, degrees: upright, its face a little down, so that a camera above sees backs and edges."""

_SPREAD = 11.0
"""From one card of the fan to the next, degrees."""

_PIVOT = 22.0
"""The cards are turned about a point so far below their lower ends, mm."""

_APART = 0.7
"""From one card of the fan to the next, across, mm."""


class Fan:
    """The places of one player's hand: a card keeps its own until it is played, a new one takes the first free one."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._slots: list[Card | None] = [None] * SLOTS

    def put(self, card: Card, rng: Random) -> CardPose:
        """Where a card that comes to the hand is held.

        Raises:
            ValueError: the hand is full.
        """
        if None not in self._slots:
            raise ValueError(f"{card} cannot come to {self._place.zone}: {SLOTS} cards are held there")
        slot = self._slots.index(None)
        self._slots[slot] = card
        turn = (slot - (SLOTS - 1) / 2) * _SPREAD + rng.uniform(-2.0, 2.0)
        return _held(card, self._place, turn, slot * _APART)

    def take(self, card: Card) -> None:
        """The card leaves the hand."""
        self._slots[self._slots.index(card)] = None


def _held(card: Card, place: Place, turn: float, along: float) -> CardPose:
    """A card of the fan, turned ``turn`` degrees clockwise as its player sees it, ``along`` mm towards the player."""
    yaw, lean, about = math.radians(place.box.angle), math.radians(_LEAN), math.radians(turn)
    level = (math.cos(yaw), math.sin(yaw), 0.0)
    upright = (math.cos(lean) * math.sin(yaw), -math.cos(lean) * math.cos(yaw), math.sin(lean))
    facing = (-math.sin(lean) * math.sin(yaw), math.sin(lean) * math.cos(yaw), math.cos(lean))
    up = _sum(upright, math.cos(about), level, math.sin(about))
    right = _sum(level, math.cos(about), upright, -math.sin(about))
    # The same three directions as yaw, pitch and flip; the card leans back over the upright, so its pitch is above 90.
    pitch = math.pi - math.asin(up[2])
    steep = math.cos(pitch)
    pose_yaw = math.degrees(math.atan2(up[0] / steep, -up[1] / steep))
    flip = math.degrees(math.atan2(right[2] / steep, facing[2] / steep))
    foot = (place.box.x, place.box.y, place.ground + hang(0.0, _LEAN, 0.0) - (CARD_MM[1] / 2 + _PIVOT) * upright[2])
    x, y, z = _sum(_sum(foot, 1.0, up, CARD_MM[1] / 2 + _PIVOT), 1.0, facing, along)
    return CardPose(card, x, y, z, pose_yaw, flip, math.degrees(pitch), 0.0, 0.0)


def _sum(a: Point, m: float, b: Point, n: float) -> Point:
    """``m`` times ``a`` plus ``n`` times ``b``."""
    return a[0] * m + b[0] * n, a[1] * m + b[1] * n, a[2] * m + b[2] * n
