"""One camera over one table: takes a script's snapshots and makes pictures.

What lies still is drawn once and kept, as light from the main lamp and all other light apart. What moves is drawn at
several instants of the exposure, and only the parts of the picture that it or its shadow touches are made anew.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from referee.simulate.render import veil
from referee.simulate.render.bodies import bodies_of
from referee.simulate.render.camera import Camera
from referee.simulate.render.cards import corners
from referee.simulate.render.look import Look
from referee.simulate.render.pipe import Floats, Rect
from referee.simulate.render.sensor import Chip, Image
from referee.simulate.render.stage import MAP_MARGIN, MAP_MM, Body, Stage
from referee.simulate.render.surfaces import make_surface
from referee.simulate.scene import CardPose, Script, Snapshot
from referee.train.deck import Deck

_STILL_SAMPLES: Final = 8
_SHAKEN_SAMPLES: Final = 3
_FEWEST: Final = 3
_MOST: Final = 6
_CELL: Final = 16
"""Grain of the map of what must be made anew, px."""

_LYING_BELOW: Final = 30.0
"""A card held still higher than this, mm, is not drawn as part of the table."""


@dataclass(frozen=True, slots=True, eq=False)
class _Instant:
    """What moves at one instant of the exposure."""

    cards: tuple[CardPose, ...]
    bodies: tuple[Body, ...]


class Studio:
    """Films one script with one look.

    Args:
        script: the game.
        look: how it looks.
        deck: the cards' pictures.
        size: width and height of the pictures, px.

    Raises:
        UserError: there is no way to draw on this machine; says what to install.
    """

    def __init__(self, script: Script, look: Look, deck: Deck, size: tuple[int, int]) -> None:
        self._script, self._deck, self._size = script, deck, size
        self.look = look
        self.exposure = look.sensor.exposure
        self.camera = look.camera(size)
        left, top, right, bottom = look.table_margin
        extent = (look.table_mm[0] + left + right, look.table_mm[1] + top + bottom)
        surface = make_surface(look.surface, np.random.default_rng((look.seed, 0x70)), extent)
        self._stage = Stage(self.camera, look, surface, deck)
        height, width = size[1], size[0]
        self._ambient = np.zeros((height, width, 3), np.float32)
        self._direct = np.zeros((height, width, 3), np.float32)
        self._clean = np.zeros((height, width, 3), np.uint8)
        self._lying: dict[int, CardPose] = {}
        self._shift = (0.0, 0.0, 0.0)
        self._lamp = 1.0
        self._stale = [(0, 0, width, height)]
        first = script.snapshot(0.0)
        lying = [card for card in first.cards if _lies(card)]
        ambient, direct = self._stage.bake(lying, (0, 0, width, height), 1)
        self._chip = Chip(look, size, ambient + direct)
        self._set_view(self.camera)
        self._bake(lying, [(0, 0, width, height)], _STILL_SAMPLES)

    def _set_view(self, camera: Camera) -> None:
        """Works out where each pixel looks in the shadow maps."""
        self._view = camera
        self._stage.set_camera(camera)
        width, height = self._size
        step = 8
        # The place seen changes smoothly over the picture, so a coarse grid enlarged is exact enough.
        xs, ys = np.arange(0, width + step, step) + 0.5, np.arange(0, height + step, step) + 0.5
        grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        texels = (camera.table_points(grid) + MAP_MARGIN) / MAP_MM - 0.5
        coarse = texels.reshape(len(ys), len(xs), 2).astype(np.float32)
        spread = np.array([[step, 0, 0], [0, step, 0]], np.float64)
        fine = cv2.warpAffine(coarse, spread, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        self._texels = [np.ascontiguousarray(np.clip(fine[..., axis], -4000, 4000)) for axis in range(2)]

    def _bake(self, lying: Sequence[CardPose], rects: Sequence[Rect], samples: int) -> None:
        margin = math.ceil(3 * self._chip.blur) + 1
        for rect in rects:
            wide = _grown(rect, margin, self._size)
            x, y, w, h = rect
            inner = (slice(y - wide[1], y - wide[1] + h), slice(x - wide[0], x - wide[0] + w))
            area = (slice(y, y + h), slice(x, x + w))
            for layer, light in zip((self._ambient, self._direct), self._stage.bake(lying, wide, samples), strict=True):
                layer[area] = self._softened(light)[inner] * self._chip.gain[area]
        self._lying = {id(card): card for card in lying}
        self._stale += rects

    def _softened(self, light: Floats) -> Floats:
        return np.asarray(cv2.GaussianBlur(light, (0, 0), self._chip.blur), np.float32)

    def picture(self, t: float) -> Image:
        """What the camera shows for time ``t``: uint8 (H, W, 3) BGR, exposed around ``t``; noise differs every call."""
        self.clean(t)
        return self._chip.expose(self._clean)

    def clean(self, t: float) -> Image:
        """The same without noise and flicker; overwritten by the next call."""
        half = self.exposure / 2
        start, end = max(0.0, t - half), min(self._script.duration, t + half)
        first, last = self._script.snapshot(start), self._script.snapshot(end)
        count = self._instants(first, last)
        times = [start + (end - start) * (i + 0.5) / count for i in range(count)]
        snapshots = [self._script.snapshot(moment) for moment in times]
        self._settle(snapshots)
        instants = [self._instant(snapshot) for snapshot in snapshots]
        self._compose(instants, snapshots[-1].lamp)
        return self._clean

    def _instants(self, first: Snapshot, last: Snapshot) -> int:
        """How many instants make a smooth blur of the motion between two snapshots."""
        scale = self.camera.focal / self.camera.position[2]
        before = {(hand.seat, hand.right): hand for hand in first.hands}
        reach = 0.0
        for hand in last.hands:
            old = before.get((hand.seat, hand.right), hand)
            reach = max(reach, math.dist((hand.x, hand.y, hand.z), (old.x, old.y, old.z)) * scale)
        return min(_MOST, _FEWEST + int(reach / 6))

    def _settle(self, snapshots: Sequence[Snapshot]) -> None:
        """Draws anew what lies differently from before, or all of it when the camera was pushed."""
        lying = {id(card): card for card in snapshots[0].cards if _lies(card)}
        for snapshot in snapshots[1:]:
            here = {id(card) for card in snapshot.cards}
            lying = {key: card for key, card in lying.items() if key in here}
        shift = snapshots[len(snapshots) // 2].shift
        if shift != self._shift:
            self._set_view(self.camera.shifted(shift))
            self._shift = shift
            shaken = snapshots[0].shift != snapshots[-1].shift
            self._bake(list(lying.values()), [(0, 0, *self._size)], _SHAKEN_SAMPLES if shaken else _STILL_SAMPLES)
            return
        changed = [self._lying[key] for key in self._lying.keys() - lying.keys()]
        changed += [lying[key] for key in lying.keys() - self._lying.keys()]
        if changed:
            rects = self._merged([self._card_rect(card, 9.0) for card in changed])
            self._bake(list(lying.values()), rects, _STILL_SAMPLES)

    def _instant(self, snapshot: Snapshot) -> _Instant:
        cards = tuple(card for card in snapshot.cards if id(card) not in self._lying)
        return _Instant(cards, bodies_of(snapshot, self.look))

    def _compose(self, instants: Sequence[_Instant], lamp: float) -> None:
        if lamp != self._lamp:
            self._stage.set_lamp(lamp)
            self._lamp = lamp
            self._stale = [(0, 0, *self._size)]
        count = len(instants)
        moving = any(instant.cards or instant.bodies for instant in instants)
        touched = self._merged([rect for instant in instants for rect in self._rects(instant)])
        shots: list[Floats] = [np.zeros((h, w, 4), np.float32) for _, _, w, h in touched]
        lamp_maps, above_maps = (np.zeros((*self._stage.map_shape, 2), np.float32) for _ in range(2))
        for sample, instant in enumerate(instants if moving else ()):
            self._stage.load(instant.cards, instant.bodies)
            for total, shadow in zip((lamp_maps, above_maps), self._stage.shadows(), strict=True):
                cv2.accumulate(shadow, total)
            if touched:
                for total, shot in zip(
                    shots, self._stage.shoot(list(self._lying.values()), touched, sample, count), strict=True
                ):
                    cv2.accumulate(shot, total)
        lit = opened = None
        shaded: list[Rect] = []
        share = np.float32(1 / count)
        if moving:
            lights = self.look.lights
            lit = 1 - veil.cover(lamp_maps * share, MAP_MM, 0.55 * lights.lamp_radius / lights.lamp[2])
            opened = 1 - 0.75 * veil.cover(above_maps * share, MAP_MM, 0.8)
            shaded = self._shaded(np.minimum(lit, opened))
        for rect in self._merged([*touched, *shaded, *self._stale]):
            self._develop(rect, lit, opened, [(r, s * share) for r, s in zip(touched, shots, strict=True)])
        self._stale = self._merged([*touched, *shaded])

    def _develop(
        self, rect: Rect, lit: Floats | None, opened: Floats | None, shots: Sequence[tuple[Rect, Floats]]
    ) -> None:
        x, y, w, h = rect
        area = (slice(y, y + h), slice(x, x + w))
        ambient, direct = self._ambient[area], self._direct[area]
        if lit is not None and opened is not None:
            for_lamp, for_sky = self._seen(lit, area), self._seen(opened, area)
            light = ambient * for_sky[..., None] + direct * (for_lamp * np.float32(self._lamp))[..., None]
        else:
            light = ambient + direct * np.float32(self._lamp)
        for (sx, sy, sw, sh), shot in shots:
            x1, y1, x2, y2 = max(x, sx), max(y, sy), min(x + w, sx + sw), min(y + h, sy + sh)
            if x1 >= x2 or y1 >= y2:
                continue
            soft = self._softened(shot)[y1 - sy : y2 - sy, x1 - sx : x2 - sx]
            part = light[y1 - y : y2 - y, x1 - x : x2 - x]
            part *= 1 - soft[..., 3:]
            part += soft[..., :3] * self._chip.gain[y1:y2, x1:x2]
        self._clean[area] = self._chip.develop(np.asarray(light, np.float32))

    def _shaded(self, open_: Floats) -> list[Rect]:
        """The parts of the picture that a shadow falls on."""
        width, height = self._size
        every = slice(_CELL // 2, None, _CELL)
        shade = (self._seen(open_, (every, every)) < 0.985).astype(np.uint8)
        return self._components(np.asarray(cv2.dilate(shade, np.ones((3, 3), np.uint8)), np.uint8), width, height)

    def _seen(self, light: Floats, area: tuple[slice, slice]) -> Floats:
        """A map of the table plane as the camera sees it in a part of the picture."""
        x, y = (np.ascontiguousarray(texels[area]) for texels in self._texels)
        return np.asarray(cv2.remap(light, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)

    @staticmethod
    def _components(found: npt.NDArray[np.uint8], width: int, height: int) -> list[Rect]:
        count, _, stats, _ = cv2.connectedComponentsWithStats(found, connectivity=8)
        rects = []
        for x, y, w, h, _area in stats[1:count]:
            x1, y1 = int(x) * _CELL, int(y) * _CELL
            x2, y2 = min(width, int(x + w) * _CELL), min(height, int(y + h) * _CELL)
            if x2 > x1 and y2 > y1:
                rects.append((x1, y1, x2 - x1, y2 - y1))
        return rects

    def _merged(self, rects: Sequence[Rect]) -> list[Rect]:
        """Rectangles that cover the same, none touching another."""
        if not rects:
            return []
        width, height = self._size
        found = np.zeros((math.ceil(height / _CELL), math.ceil(width / _CELL)), np.uint8)
        while True:
            for x, y, w, h in rects:
                found[y // _CELL : math.ceil((y + h) / _CELL), x // _CELL : math.ceil((x + w) / _CELL)] = 1
            merged = self._components(found, width, height)
            # Filling a component's rectangle may make it touch another: repeat until nothing changes.
            if len(merged) == len(rects) and set(merged) == set(rects):
                return merged
            rects = merged

    def _rects(self, instant: _Instant) -> list[Rect]:
        """Where in the picture what moves is seen."""
        rects = [self._card_rect(card, 3.0) for card in instant.cards]
        for body in instant.bodies:
            # Fingers are round and dense in vertices: every fourth one bounds them, with a little room.
            rects.append(self._bounds(self._view.project(body.vertices[::4, :3]), 8))
        return [rect for rect in rects if rect[2] > 0 and rect[3] > 0]

    def _card_rect(self, card: CardPose, room_mm: float) -> Rect:
        points = corners(card, self._deck.width_mm, self._deck.height_mm)
        room = room_mm * self.camera.focal / self.camera.position[2]
        return self._bounds(self._view.project(points), math.ceil(room) + 2)

    def _bounds(self, points: npt.NDArray[np.float64], room: int) -> Rect:
        low, high = points.min(axis=0), points.max(axis=0)
        x1, y1 = max(0, math.floor(low[0]) - room), max(0, math.floor(low[1]) - room)
        x2, y2 = min(self._size[0], math.ceil(high[0]) + room), min(self._size[1], math.ceil(high[1]) + room)
        return x1, y1, max(0, x2 - x1), max(0, y2 - y1)

    def close(self) -> None:
        """Gives the graphics pipe back."""
        self._stage.close()


def _lies(card: CardPose) -> bool:
    flat = abs(card.pitch) < 1 and abs(card.roll) < 1 and card.flip % 180 == 0
    return flat and card.z < _LYING_BELOW


def _grown(rect: Rect, margin: int, size: tuple[int, int]) -> Rect:
    x, y, w, h = rect
    x1, y1 = max(0, x - margin), max(0, y - margin)
    x2, y2 = min(size[0], x + w + margin), min(size[1], y + h + margin)
    return x1, y1, x2 - x1, y2 - y1
