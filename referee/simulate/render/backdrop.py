"""What lies still: table, cards, resting hands and things, drawn once and kept until it changes.

It is kept as two layers of light, the main lamp's and all other light, so that a moving shadow can take away either.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import cv2
import numpy as np

from referee.simulate.render import veil
from referee.simulate.render.bodies import Actor
from referee.simulate.render.look import Lights
from referee.simulate.render.pipe import Floats, Rect
from referee.simulate.render.stage import MAP_MM, Body, Stage
from referee.simulate.render.view import View, area_of, common
from referee.simulate.scene import CardPose

STILL_SAMPLES: Final = 8
"""How often a part of the backdrop is drawn, for smooth edges."""

SHAKEN_SAMPLES: Final = 3
"""The same while the camera shakes and all of it changes with every picture."""

_CARD_ROOM_MM: Final = 9.0


def open_light(lamp_map: Floats, above_map: Floats, lights: Lights) -> tuple[Floats, Floats]:
    """How much of the lamp's and of all other light reaches the table, 0 to 1, from ``Stage.shadows``."""
    for_lamp = 1 - veil.cover(lamp_map, MAP_MM, 0.55 * lights.lamp_radius / lights.lamp[2])
    return for_lamp, 1 - np.float32(0.75) * veil.cover(above_map, MAP_MM, 0.8)


class Backdrop:
    """The still part of the picture.

    Args:
        stage: draws it.
        view: where the camera looks.
        lights: the light.

    Attributes:
        ambient, direct: float32 (H, W, 3), linear light times the sensor's gain.
        cards: the cards in it, by identity.
        actors: the hands and things in it, by identity.
    """

    def __init__(self, stage: Stage, view: View, lights: Lights) -> None:
        self._stage, self._view, self._lights = stage, view, lights
        width, height = view.camera.size
        self.ambient = np.zeros((height, width, 3), np.float32)
        self.direct = np.zeros((height, width, 3), np.float32)
        self.cards: dict[int, CardPose] = {}
        self.actors: dict[int, Actor] = {}
        self._bodies: tuple[Body, ...] = ()
        ones = np.ones(stage.map_shape, np.float32)
        self._open = (ones, ones)
        self._gain = np.ones((height, width, 3), np.float32)
        self._blur = 0.0

    def expose(self, gain: Floats, blur: float) -> None:
        """Sets the sensor's gain, float32 (H, W, 3), and blur, px; counts from the next drawing on."""
        self._gain, self._blur = gain, blur

    def look_through(self, view: View) -> None:
        """Takes another view; everything must be drawn anew."""
        self._view = view
        self._stage.set_camera(view.camera)

    def draw_all(self, cards: Mapping[int, CardPose], actors: Mapping[int, Actor], samples: int) -> list[Rect]:
        """Draws the whole picture with these in it."""
        self.cards, self.actors = dict(cards), dict(actors)
        self._gather()
        self._draw(self._view.whole, samples)
        return [self._view.whole]

    def update(self, cards: Mapping[int, CardPose], actors: Mapping[int, Actor]) -> list[Rect]:
        """Draws what differs from before; returns the parts of the picture that did."""
        changed = [self.cards[key] for key in self.cards.keys() - cards.keys()]
        changed += [cards[key] for key in cards.keys() - self.cards.keys()]
        rects = self._view.rects(changed, (), _CARD_ROOM_MM)
        self.cards = dict(cards)
        if self.actors.keys() != actors.keys():
            rects += self._view.rects((), self._bodies, 0.0)
            before = self._open
            self.actors = dict(actors)
            self._gather()
            rects += self._view.rects((), self._bodies, 0.0)
            for old, new in zip(before, self._open, strict=True):
                rects += self._view.shaded(1 - np.abs(old - new))
        rects = self._view.merged(rects)
        for rect in rects:
            self._draw(rect, STILL_SAMPLES)
        return rects

    def soften(self, light: Floats) -> Floats:
        """What the lens and the sensor make of sharp light."""
        return np.asarray(cv2.GaussianBlur(light, (0, 0), self._blur), np.float32) if self._blur else light

    def _gather(self) -> None:
        self._bodies = tuple(body for actor in self.actors.values() for body in actor.bodies)
        if self._bodies:
            self._stage.load((), self._bodies)
            self._open = open_light(*self._stage.shadows(), self._lights)
        else:
            ones = np.ones(self._stage.map_shape, np.float32)
            self._open = (ones, ones)

    def _draw(self, rect: Rect, samples: int) -> None:
        wide = self._view.grown(rect, math.ceil(3 * self._blur) + 1)
        cards = list(self.cards.values())
        ambient, direct = self._stage.bake(cards, wide, samples)
        if self._bodies:
            for_lamp, for_sky = (self._view.seen(light, area_of(wide)) for light in self._open)
            direct *= for_lamp[..., None]
            ambient *= for_sky[..., None]
            # Skin and cloth have no fine print: half as many drawings make their edges smooth enough.
            self._add_bodies(wide, ambient, direct, cards, (samples + 1) // 2)
        inner = area_of((rect[0] - wide[0], rect[1] - wide[1], rect[2], rect[3]))
        area = area_of(rect)
        self.ambient[area] = self.soften(ambient)[inner] * self._gain[area]
        self.direct[area] = self.soften(direct)[inner] * self._gain[area]

    def _add_bodies(self, rect: Rect, ambient: Floats, direct: Floats, cards: Sequence[CardPose], samples: int) -> None:
        shared = (common(rect, other) for other in self._view.rects((), self._bodies, 0.0))
        parts = self._view.merged(part for part in shared if part is not None)
        parts = [part for part in (common(part, rect) for part in parts) if part is not None]
        if not parts:
            return
        self._stage.load((), self._bodies)
        self._stage.shadows()
        unlit, lit = (self._shots(cards, parts, samples, level) for level in (0.0, 1.0))
        for part, dark, light in zip(parts, unlit, lit, strict=True):
            inside = area_of((part[0] - rect[0], part[1] - rect[1], part[2], part[3]))
            through = 1 - light[..., 3:]
            ambient[inside] = ambient[inside] * through + dark[..., :3]
            direct[inside] = direct[inside] * through + np.maximum(light - dark, 0)[..., :3]

    def _shots(self, cards: Sequence[CardPose], parts: Sequence[Rect], samples: int, level: float) -> list[Floats]:
        self._stage.set_lamp(level)
        return exposed(lambda sample: self._stage.shoot(cards, parts, sample, samples), parts, samples)


def exposed(shoot: Callable[[int], list[Floats]], parts: Sequence[Rect], samples: int) -> list[Floats]:
    """The mean of ``samples`` shots of parts of the picture."""
    totals = [np.zeros((height, width, 4), np.float32) for _, _, width, height in parts]
    for sample in range(samples):
        for total, shot in zip(totals, shoot(sample), strict=True):
            cv2.accumulate(shot, total)
    return [total * np.float32(1 / samples) for total in totals]
