"""One camera over one table: takes a script's snapshots and makes pictures.

What moves is drawn at several instants of the exposure over the backdrop of what does not, and only the parts of the
picture that it or its shadow touches are made anew.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from referee.simulate.render.backdrop import SHAKEN_SAMPLES, STILL_SAMPLES, Backdrop, exposed, open_light
from referee.simulate.render.bodies import Actor, make_actor, sources
from referee.simulate.render.look import Look
from referee.simulate.render.pipe import Floats, Rect
from referee.simulate.render.sensor import Chip, Image
from referee.simulate.render.stage import Body, Stage
from referee.simulate.render.surfaces import Surface, lay_mat, make_surface
from referee.simulate.render.view import View, area_of, common
from referee.simulate.scene import CardPose, HandPose, Script, Snapshot
from referee.train.decks.deck import Deck

_FEWEST: Final = 3
_MOST: Final = 5
_PIXELS_APART: Final = 10.0
"""About so far apart, px, are the places where a moving hand is drawn."""

_LYING_BELOW: Final = 30.0
"""A card held still higher than this, mm, is not drawn as part of the table."""

_UNSEEN_STEP: Final = 1.5
"""Exposures no further apart than this, px, blend by themselves."""

_STILL_FOR: Final = 0.2
"""A hand is part of the backdrop when it does not move for so long before and after, s."""

_WITHIN_REACH: Final = 130.0
"""A card whose middle is further from the pinch point than this, mm, is not held."""

_OUT_OF_SIGHT: Final = 90.0
"""A hand further outside the picture than this, px, throws no shadow into it either."""


@dataclass(frozen=True, slots=True, eq=False)
class _Instant:
    """What moves at one instant of the exposure, and where its parts are, by what they are."""

    cards: tuple[CardPose, ...]
    bodies: tuple[Body, ...]
    places: dict[object, tuple[float, float, float]]


class Studio:
    """Films one script with one look.

    Args:
        script: the game.
        look: how it looks.
        deck: the cards' pictures.
        size: width and height of the pictures, px.
        top: the table top, ``top_extent(look)`` large; ``None`` for the one that the look describes.

    Attributes:
        look: how it looks.
        camera: the camera, as it stands at the start.
        exposure: how long a picture is exposed, s.

    Raises:
        UserError: there is no way to draw on this machine; says what to install.
    """

    def __init__(
        self, script: Script, look: Look, deck: Deck, size: tuple[int, int], top: Surface | None = None
    ) -> None:
        self._script = script
        self.look = look
        self.exposure = look.sensor.exposure
        self.camera = look.camera(size)
        self._stage = Stage(self.camera, look, top or _table_top(look), deck)
        self._card_size = (float(deck.width_mm), float(deck.height_mm))
        self._view = View(self.camera, self._card_size)
        self._backdrop = Backdrop(self._stage, self._view, look.lights)
        self._shift = (0.0, 0.0, 0.0)
        self._lamp = 1.0
        self._clean: Image = np.zeros((size[1], size[0], 3), np.uint8)
        cards = {id(card): card for card in script.snapshot(0.0).cards if _lies(card)}
        # The camera sets its exposure by the table as it is dealt, before any hand comes.
        self._backdrop.draw_all(cards, {}, 1)
        self._chip = Chip(look, size, self._backdrop.ambient + self._backdrop.direct)
        self._backdrop.expose(self._chip.gain, self._chip.blur)
        self._stale = self._backdrop.draw_all(cards, {}, STILL_SAMPLES)
        self._drawn_until = -math.inf

    def picture(self, t: float) -> Image:
        """What the camera shows for time ``t``: uint8 (H, W, 3) BGR, exposed around ``t``; noise differs every call."""
        self.clean(t)
        return self._chip.expose(self._clean)

    def clean(self, t: float) -> Image:
        """The same without noise and flicker; overwritten by the next call."""
        start, end = max(0.0, t - self.exposure / 2), min(self._script.duration, t + self.exposure / 2)
        if 0 <= self._drawn_until <= end and not self._script.moving(self._drawn_until - self.exposure, end):
            return self._clean
        first, last = self._script.snapshot(start), self._script.snapshot(end)
        count = self._instants(first, last)
        times = [start + (end - start) * (i + 0.5) / count for i in range(count)]
        snapshots = [self._script.snapshot(moment) for moment in times]
        actors = self._settle(t, snapshots)
        instants = [self._instant(snapshot, actors) for snapshot in snapshots]
        self._compose(instants, snapshots[-1].lamp)
        self._drawn_until = end
        return self._clean

    def _instants(self, first: Snapshot, last: Snapshot) -> int:
        """How many instants make a smooth blur of the motion between two snapshots."""
        scale = self.camera.focal / self.camera.position[2]
        before = {(hand.seat, hand.right): hand for hand in first.hands}
        reach = 0.0
        for hand in last.hands:
            old = before.get((hand.seat, hand.right), hand)
            reach = max(reach, math.dist((hand.x, hand.y, hand.z), (old.x, old.y, old.z)) * scale)
        return min(_MOST, _FEWEST + int(reach / _PIXELS_APART))

    def _settle(self, t: float, snapshots: Sequence[Snapshot]) -> dict[int, Actor]:
        """Brings the backdrop up to date; returns the hands and things that are not part of it, by identity."""
        cards = {id(card): card for card in snapshots[0].cards if _lies(card)}
        for snapshot in snapshots[1:]:
            here = {id(card) for card in snapshot.cards}
            cards = {key: card for key, card in cards.items() if key in here}
        known = self._backdrop.actors
        every = {id(source): source for snapshot in snapshots for source in sources(snapshot)}
        always = set.intersection(*({id(source) for source in sources(snapshot)} for snapshot in snapshots))
        around = [self._script.snapshot(min(max(t + d, 0.0), self._script.duration)) for d in (-_STILL_FOR, _STILL_FOR)]
        long = set.intersection(*({id(source) for source in sources(snapshot)} for snapshot in around))
        actors = {key: known[key] if key in known else make_actor(source, self.look) for key, source in every.items()}
        actors = {key: actor for key, actor in actors.items() if self._in_sight(actor)}
        still = {key: actor for key, actor in actors.items() if key in always and (key in known or key in long)}
        # A hand and the cards it holds hide parts of each other: both are drawn as what moves, or neither.
        aloft = [card for snapshot in snapshots for card in snapshot.cards if id(card) not in cards]
        still = {key: actor for key, actor in still.items() if not _holds(actor, aloft)}
        shift = snapshots[len(snapshots) // 2].shift
        if shift != self._shift:
            self._shift = shift
            self._view = View(self.camera.shifted(shift), self._card_size)
            self._backdrop.look_through(self._view)
            shaken = snapshots[0].shift != snapshots[-1].shift
            self._stale += self._backdrop.draw_all(cards, still, SHAKEN_SAMPLES if shaken else STILL_SAMPLES)
        else:
            self._stale += self._backdrop.update(cards, still)
        return {key: actor for key, actor in actors.items() if key not in still}

    def _in_sight(self, actor: Actor) -> bool:
        width, height = self.camera.size
        for body in actor.bodies:
            x, y = self._view.camera.project(body.vertices[::16, :3]).T
            room = _OUT_OF_SIGHT
            if x.max() > -room and x.min() < width + room and y.max() > -room and y.min() < height + room:
                return True
        return False

    def _instant(self, snapshot: Snapshot, actors: dict[int, Actor]) -> _Instant:
        cards = tuple(card for card in snapshot.cards if id(card) not in self._backdrop.cards)
        here = [actors[id(source)] for source in sources(snapshot) if id(source) in actors]
        places: dict[object, tuple[float, float, float]] = {card.card: (card.x, card.y, card.z) for card in cards}
        places |= {(hand.seat, hand.right): (hand.x, hand.y, hand.z) for hand in snapshot.hands if id(hand) in actors}
        return _Instant(cards, tuple(body for actor in here for body in actor.bodies), places)

    def _compose(self, instants: Sequence[_Instant], lamp: float) -> None:
        """Makes anew what changed since the picture before."""
        if lamp != self._lamp:
            self._lamp = lamp
            self._stale = [self._view.whole]
        self._stage.set_lamp(lamp)
        moving = any(instant.cards or instant.bodies for instant in instants)
        touched = self._view.merged(r for i in instants for r in self._view.rects(i.cards, i.bodies, 3.0))
        light: tuple[Floats, Floats] | None = None
        shots: list[Floats] = []
        shaded: list[Rect] = []
        if moving:
            light, shots = self._shoot(instants, touched)
            shaded = self._view.shaded(np.minimum(*light))
        layers = list(zip(touched, shots, strict=True))
        for rect in self._view.merged([*touched, *shaded, *self._stale]):
            self._develop(rect, light, layers)
        # What moved must be cleared away in the next picture.
        self._stale = [*touched, *shaded]

    def _shoot(
        self, instants: Sequence[_Instant], touched: Sequence[Rect]
    ) -> tuple[tuple[Floats, Floats], list[Floats]]:
        """The light that what moves leaves to the table, and itself in the touched parts, over the whole exposure."""
        count = len(instants)
        lying = list(self._backdrop.cards.values())
        lamp_map, above_map = (np.zeros((*self._stage.map_shape, 2), np.float32) for _ in range(2))

        def shoot(sample: int) -> list[Floats]:
            self._stage.load(instants[sample].cards, instants[sample].bodies)
            for total, shadow in zip((lamp_map, above_map), self._stage.shadows(), strict=True):
                cv2.accumulate(shadow, total)
            return self._stage.shoot(lying, touched, sample, count) if touched else []

        shots = exposed(shoot, touched, count)
        steps = self._steps(instants)
        for shot, (x, y, width, height) in zip(shots, touched, strict=True):
            inside = [step for (px, py), step in steps if x <= px < x + width and y <= py < y + height]
            if inside:
                shot[:] = _smeared(shot, max(inside, key=lambda step: math.hypot(*step)))
        share = np.float32(1 / count)
        return open_light(lamp_map * share, above_map * share, self.look.lights), shots

    def _steps(self, instants: Sequence[_Instant]) -> list[tuple[tuple[float, float], tuple[float, float]]]:
        """Where in the picture each moving part is, and how far it moves from one instant to the next, px."""
        first, last = instants[0].places, instants[-1].places
        both = [key for key in last if key in first]
        if not both or len(instants) < 2:
            return []
        here, there = (self._view.camera.project([places[key] for key in both]) for places in (first, last))
        steps = (there - here) / (len(instants) - 1)
        return [((float(x), float(y)), (float(dx), float(dy))) for (x, y), (dx, dy) in zip(there, steps, strict=True)]

    def _develop(self, rect: Rect, open_: tuple[Floats, Floats] | None, layers: Sequence[tuple[Rect, Floats]]) -> None:
        area = area_of(rect)
        ambient, direct = self._backdrop.ambient[area], self._backdrop.direct[area]
        lamp = np.float32(self._lamp)
        if open_ is None:
            light = ambient + direct * lamp
        else:
            for_lamp, for_sky = (self._view.seen(plane, area) for plane in open_)
            light = ambient * for_sky[..., None] + direct * (for_lamp * lamp)[..., None]
        for place, shot in layers:
            shared = common(rect, place)
            if shared is None:
                continue
            soft = self._backdrop.soften(shot)[area_of((shared[0] - place[0], shared[1] - place[1], *shared[2:]))]
            part = light[area_of((shared[0] - rect[0], shared[1] - rect[1], *shared[2:]))]
            part *= 1 - soft[..., 3:]
            part += soft[..., :3] * self._chip.gain[area_of(shared)]
        self._clean[area] = self._chip.develop(np.asarray(light, np.float32))

    def close(self) -> None:
        """Gives the graphics pipe back."""
        self._stage.close()


def top_extent(look: Look) -> tuple[float, float]:
    """Width and height of the whole table top, mm."""
    left, top, right, bottom = look.table_margin
    return look.table_mm[0] + left + right, look.table_mm[1] + top + bottom


def _table_top(look: Look) -> Surface:
    rng = np.random.default_rng((look.seed, 0x70))
    surface = make_surface(look.surface, rng, top_extent(look))
    if look.mat is None:
        return surface
    # A mat is bought large enough for the game and not much larger.
    room = rng.uniform(5, 60, 4)
    corner = (look.table_margin[0] - float(room[0]), look.table_margin[1] - float(room[1]))
    size = (look.table_mm[0] + float(room[0] + room[2]), look.table_mm[1] + float(room[1] + room[3]))
    return lay_mat(surface, look.mat, rng, corner, size)


def _smeared(shot: Floats, step: tuple[float, float]) -> Floats:
    """The mean of a few exposures ``step`` pixels apart, made smooth: each is drawn out to where the next begins."""
    length = math.hypot(*step)
    if length < _UNSEEN_STEP:
        return shot
    half = math.ceil(length / 2) + 1
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    for share in np.linspace(-0.5, 0.5, 4 * half + 1):
        x, y = half + share * step[0], half + share * step[1]
        left, top = math.floor(x), math.floor(y)
        weights = np.outer((top + 1 - y, y - top), (left + 1 - x, x - left))
        kernel[top : top + 2, left : left + 2] += weights
    return np.asarray(cv2.filter2D(shot, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE), np.float32)


def _holds(actor: Actor, cards: Sequence[CardPose]) -> bool:
    """Whether one of the cards is so close to a hand that it may be held."""
    hand = actor.source
    if not isinstance(hand, HandPose):
        return False
    return any(math.hypot(card.x - hand.x, card.y - hand.y) < _WITHIN_REACH for card in cards)


def _lies(card: CardPose) -> bool:
    flat = abs(card.pitch) < 1 and abs(card.roll) < 1 and card.flip % 180 == 0
    return flat and card.z < _LYING_BELOW
