"""Arrange a zone as play leaves it: which cards lie how, who reaches over them, in what light, before which camera.

The card a crop is labelled with is the uppermost one that lies wholly inside it; cards of neighbouring zones and cards
carried past always reach over the crop's edge.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np

from referee.cards import DECK, Card
from referee.table import Box, TableLayout, ZoneKind, standard_layout
from referee.train.drawing.clutter import draw_clutter
from referee.train.drawing.light import PLAIN, draw_light
from referee.train.drawing.mats import printed_mat
from referee.train.drawing.reach import Size, arm_turn, holder, pointing, some_hand, sweep
from referee.train.drawing.sensor import Sensor, draw_sensor
from referee.train.drawing.situation import (
    CARD_THICKNESS,
    LyingCard,
    Motion,
    Mover,
    Print,
    Situation,
    Stack,
    State,
    Surface,
    in_picture,
    orient,
    outline,
)
from referee.train.drawing.viewpoint import SOURCES, Viewpoint, cross, stand
from referee.vision.rectify import CROP_PX, Points, image_to_crop, project

SURFACES: Final = 200
"""Table tops in a pool."""

_MATS: Final = 0.5
"""Share of the printed tables on which a whole mat lies."""

_CLUTTERED: Final = 0.12
_STATES: Final[tuple[State, ...]] = ("card", "back", "empty")
_MOTIONS: Final[tuple[Motion, ...]] = ("sliding", "lifted", "turning")


@dataclass(frozen=True, slots=True)
class CropSpec:
    """What crops to make.

    Attributes:
        size: side of a crop, pixels.
        states: shares of crops whose zone shows a card, shows a back, is empty.
        upright: share of top cards laid about 0 or 180 degrees; the others lie at any angle.
        sources: heights of camera pictures (720, 1080, 2160) and their shares.
        tilt: least and greatest tilt of the camera, degrees.
        motion: share of top cards that move: slide, hang in the air, turn over.
        hands: share of crops with hands or sleeves over the zone, beside the hands that hold moving cards.
        ranks: ranks, 1 to 13, of the top cards that show a face; all of them if there are none here.
        printed: share of tables on which frames or fields for the cards are printed in some colour, beside the few grey
            frames that any table may have.
        disturbed: whether tables, light, camera and calibration are as people's are; without, tables are bare, light is
            even and the others are perfect.
    """

    size: int = CROP_PX
    states: tuple[float, float, float] = (0.72, 0.15, 0.13)
    upright: float = 0.55
    sources: tuple[tuple[int, float], ...] = ((720, 0.33), (1080, 0.57), (2160, 0.1))
    tilt: tuple[float, float] = (0.0, 35.0)
    motion: float = 0.18
    hands: float = 0.3
    ranks: tuple[int, ...] = ()
    printed: float = 0.0
    disturbed: bool = True

    def __post_init__(self) -> None:
        if self.size < 32:
            raise ValueError(f"a crop of {self.size} px shows nothing: at least 32")
        unknown = [source for source, _ in self.sources if source not in SOURCES]
        if unknown or not self.sources:
            raise ValueError(f"camera pictures are {', '.join(map(str, SOURCES))} px high, not {unknown}")
        if not 0 <= self.tilt[0] <= self.tilt[1] <= 45:
            raise ValueError(f"a camera tilted {self.tilt[0]:g} to {self.tilt[1]:g} degrees does not see a table well")
        sources = (share for _, share in self.sources)
        shares = (*self.states, self.upright, self.motion, self.hands, self.printed, *sources)
        if not all(1 <= rank <= 13 for rank in self.ranks):
            raise ValueError(f"ranks are 1 to 13, not {self.ranks}")
        if any(not 0 <= share <= 1 for share in shares) or abs(sum(self.states) - 1) > 1e-6:
            raise ValueError("shares lie between 0 and 1, and those of the states add up to 1")


def arrange(rng: np.random.Generator, spec: CropSpec, card_mm: Size) -> Situation:
    """Some situation, decided by ``rng`` alone."""
    return _Arrangement(rng, spec, card_mm).situation()


@cache
def _layout(stock_piles: int, width: float, height: float, card_mm: Size) -> TableLayout:
    return standard_layout(stock_piles, width=width, height=height, card=card_mm)


class _Arrangement:
    """One situation in the making; the order of draws is part of what a seed means."""

    def __init__(self, rng: np.random.Generator, spec: CropSpec, card_mm: Size) -> None:
        self.rng = rng
        self.spec = spec
        self.card_mm = card_mm
        self.table = (float(rng.integers(70, 101)) * 10, float(rng.integers(54, 69)) * 10)
        layout = _layout(int(rng.integers(3, 6)), *self.table, card_mm)
        zones = list(layout.boxes)
        self.zone = zones[int(rng.integers(len(zones)))]
        self.box = self._loosened(layout.boxes[self.zone])
        self.near = [
            self._loosened(box)
            for zone, box in layout.boxes.items()
            if zone is not self.zone and math.hypot(box.x - self.box.x, box.y - self.box.y) < 112
        ]
        heights, shares = zip(*spec.sources, strict=True)
        source = int(rng.choice(heights, p=np.array(shares) / sum(shares)))
        self.view: Viewpoint = stand(rng, self.box, self.table, source, spec.tilt, not spec.disturbed)
        self.to_hundredths = image_to_crop(self.view.view, self.box, 100)

    def _loosened(self, box: Box) -> Box:
        shift = self.rng.normal(0, 3, 3)
        return replace(box, x=box.x + float(shift[0]), y=box.y + float(shift[1]), angle=box.angle + float(shift[2]) / 2)

    def situation(self) -> Situation:
        rng, spec = self.rng, self.spec
        state = _STATES[int(rng.choice(3, p=spec.states))]
        card = self._asked() if state == "card" else None
        upright = bool(rng.random() < spec.upright)
        motion = self._motion() if state != "empty" else "rest"
        pile, stacks, height = (
            ([], (), 0.0) if state == "empty" else self._pile(state, upright, moving=motion != "rest")
        )
        others = self._neighbours()
        movers: list[Mover] = []
        top: LyingCard | None = None
        if state != "empty":
            top = self._top(card, motion, upright, height)
            if motion != "rest":
                movers.append(self._moving(top))
        if rng.random() < spec.hands:
            movers.append(self._visitor(height))
        resting = [*pile, *([top] if top and motion == "rest" else [])]
        if rng.random() < 0.7:
            resting = [*others, *resting]
            place = len(resting) - 1
        else:
            place = len(resting) - 1
            resting = [*resting, *others]
        clutter = tuple(
            draw_clutter(rng, self.box) for _ in range(int(rng.random() < _CLUTTERED) if spec.disturbed else 0)
        )
        light = draw_light(rng)
        return Situation(
            box=self.box,
            view=self.view,
            state=state,
            card=card,
            motion=motion,
            upright=upright,
            surface=self._surface(),
            light=light if spec.disturbed else PLAIN,
            sensor=draw_sensor(rng, light, self.view.source) if spec.disturbed else Sensor(),
            clutter=clutter,
            stacks=stacks,
            resting=tuple(resting),
            movers=tuple(movers),
            top=None if top is None else (("resting", place) if motion == "rest" else ("mover", 0)),
        )

    def _asked(self) -> Card:
        """The face that the crop is to show."""
        if not self.spec.ranks:
            return DECK[int(self.rng.integers(52))]
        suit, rank = int(self.rng.integers(4)), self.spec.ranks[int(self.rng.integers(len(self.spec.ranks)))]
        return DECK[suit * 13 + rank - 1]

    def _motion(self) -> Motion:
        if self.rng.random() >= self.spec.motion:
            return "rest"
        return _MOTIONS[int(self.rng.choice(3, p=(0.35, 0.45, 0.2)))]

    def _surface(self) -> Surface:
        rng = self.rng
        shade = float(rng.uniform(20, 230))
        blue, green, red = np.exp(rng.normal(0, 0.1, 3)).tolist()
        return Surface(
            piece=int(rng.integers(SURFACES)),
            x=float(rng.uniform(-40, 40)),
            y=float(rng.uniform(-40, 40)),
            turn=float(rng.normal(0, 5)) if rng.random() < 0.6 else float(rng.uniform(0, 360)),
            dye=(blue, green, red),
            mat=int(rng.integers(SURFACES)) if rng.random() < 0.08 else None,
            edge=(float(rng.uniform(-60, 60)), float(rng.integers(4)) * 90 + float(rng.normal(0, 6))),
            outline=(shade, shade, shade) if rng.random() < 0.05 else None,
            # Nothing is drawn from a generator that is not asked for prints: older seeds keep their meaning.
            prints=self._prints() if self.spec.printed and rng.random() < self.spec.printed else (),
        )

    def _prints(self) -> tuple[Print, ...]:
        """Places for cards, all alike, about the zone and its neighbours: some are as large as a card, some larger."""
        rng = self.rng
        if rng.random() < _MATS:
            return printed_mat(rng, self.box)
        blue, green, red = rng.uniform(10, 240, 3).tolist()
        colour = (blue, green, red) if rng.random() < 0.6 else (green, green, green)
        wider, higher = (rng.uniform(-3, 4, 2) if rng.random() < 0.6 else rng.uniform(-15, 30, 2)).tolist()
        line = float(rng.uniform(0.6, 4)) if rng.random() < 0.6 else None
        return tuple(Print(box, box.width + wider, box.height + higher, colour, line) for box in (self.box, *self.near))

    def _card(self, card: Card | None, x: float, y: float, turn: float, z: float) -> LyingCard:
        """A card at rest."""
        pitch, roll, tone, right, low = self.rng.normal(0, (0.7, 0.7, 0.03, 0.03, 0.04)).tolist()
        across, down = orient(turn, pitch, roll)
        return LyingCard(
            card=card,
            centre=np.array([x, y, z + CARD_THICKNESS]),
            across=across,
            down=down,
            below=z,
            tone=1 + tone,
            slope=(right, low),
            gloss=self.rng.uniform(0.25, 1.0),
        )

    def _face(self) -> Card | None:
        return DECK[int(self.rng.integers(52))]

    def _turn(self, upright: bool, spread: float) -> float:
        """A card's turn on the table."""
        rng = self.rng
        if upright:
            return self.box.angle + (180 if rng.random() < 0.5 else 0) + float(rng.normal(0, spread))
        return float(rng.uniform(0, 360))

    def _pile(self, state: State, upright: bool, moving: bool) -> tuple[list[LyingCard], tuple[Stack, ...], float]:
        """What lies under the top card: cards, neat stacks, and their height.

        A card that moves may leave an empty place under it, and lies on a pile otherwise.
        """
        rng = self.rng
        centre = self.zone.kind is ZoneKind.CENTRE or not upright
        counts = 1 + int(rng.geometric(0.28)) if centre else int(rng.integers(1, 6))
        loose = min(12, counts) - 1
        if moving and rng.random() < 0.7:
            loose += 1
        stacks: tuple[Stack, ...] = ()
        middle = rng.normal(0, 4, 2)
        height = 0.0
        cards = []
        if rng.random() < (0.35 if state == "back" else 0.15):
            stack = Stack(
                self.box.x + float(middle[0]),
                self.box.y + float(middle[1]),
                self._turn(upright, 3),
                int(rng.integers(2, 25)),
            )
            stacks, height = (stack,), stack.cards * CARD_THICKNESS
            cards.append(
                self._card(self._face() if state == "card" and centre else None, stack.x, stack.y, stack.turn, height)
            )
        spread = float(rng.uniform(1, 3) if not centre else rng.uniform(2, 11))
        turning = float(rng.uniform(0.5, 4) if not centre else rng.uniform(2, 16))
        # Stock piles lie face down but for the top, centre piles face up, and people are untidy.
        faces = 0.93 if centre and state == "card" else 0.05
        first = self._turn(upright, 4)
        anyhow = centre and rng.random() < 0.4
        for _ in range(loose):
            turn = float(rng.uniform(0, 360)) if anyhow else first + float(rng.normal(0, turning))
            if rng.random() < 0.3:
                turn += 180
            shift = middle + rng.normal(0, spread, 2)
            card = self._face() if rng.random() < faces else None
            cards.append(self._card(card, self.box.x + float(shift[0]), self.box.y + float(shift[1]), turn, height))
            height += CARD_THICKNESS
        return cards, stacks, height

    def _neighbours(self) -> list[LyingCard]:
        """Cards of other zones that reach into the crop."""
        rng = self.rng
        cards: list[LyingCard] = []
        boxes = list(self.near)
        if rng.random() < 0.12:
            # A card that strayed, or a row laid closer than it should be.
            side = float(rng.uniform(0, 2 * math.pi))
            away = float(rng.uniform(70, 98))
            boxes.append(
                Box(
                    self.box.x + away * math.cos(side),
                    self.box.y + away * math.sin(side),
                    63,
                    88,
                    float(rng.uniform(0, 360)),
                )
            )
        for box in boxes:
            if rng.random() < 0.2:
                continue
            face_up = rng.random() < 0.75
            for number in range(int(rng.integers(1, 4))):
                shift = rng.normal(0, 4, 3)
                card = self._card(
                    self._face() if face_up else None,
                    box.x + float(shift[0]),
                    box.y + float(shift[1]),
                    box.angle + float(shift[2]),
                    number * CARD_THICKNESS,
                )
                if self._reaches_over(card):
                    cards.append(card)
        return cards

    def _places(self, card: LyingCard) -> Points:
        """Where the card's outline appears, in hundredths of the crop."""
        return project(self.to_hundredths, in_picture(self.view, outline(card, *self.card_mm)))

    def _inside(self, card: LyingCard) -> bool:
        """Whether the card lies wholly inside the crop."""
        places = self._places(card)
        return bool((places > 0.4).all() and (places < 99.6).all())

    def _reaches_over(self, card: LyingCard) -> bool:
        """Whether the card shows in the crop and does not lie wholly inside it."""
        places = self._places(card)
        low, high = places.min(axis=0), places.max(axis=0)
        return bool((high > 0).all() and (low < 100).all() and not ((low > 0).all() and (high < 100).all()))

    def _top(self, card: Card | None, motion: Motion, upright: bool, height: float) -> LyingCard:
        """The zone's top card, moved towards the zone's middle until it lies wholly inside the crop."""
        rng = self.rng
        shift = rng.normal(0, 6, 2) * (1.6 if motion != "rest" else 1)
        turn = self._turn(upright, 5 if motion == "rest" else 14)
        lying = self._card(card, 0, 0, turn, height)
        lift, pitch, roll = 0.0, 0.0, 0.0
        if motion == "lifted":
            lift = float(rng.uniform(3, 60))
            pitch, roll = float(rng.normal(0, 14)), float(rng.normal(0, 14))
        elif motion == "turning":
            # The side that shows is less than 70 degrees from facing up: nearer to its edge a card tells nothing.
            roll = float(rng.uniform(20, 68)) * (1 if rng.random() < 0.5 else -1)
            if rng.random() < 0.25:
                pitch, roll = roll, float(rng.normal(0, 8))
            lift = float(rng.uniform(0, 25))
        for _ in range(12):
            across, down = orient(turn, pitch, roll)
            if motion in ("lifted", "turning"):
                lying = replace(lying, across=across, down=down)
            clear = abs(across[2]) * self.card_mm[0] / 2 + abs(down[2]) * self.card_mm[1] / 2
            z = height + CARD_THICKNESS + (lift + clear if motion in ("lifted", "turning") else 0)
            lying = replace(lying, centre=np.array([self.box.x + float(shift[0]), self.box.y + float(shift[1]), z]))
            if self._inside(lying) and self._faces_camera(lying):
                return lying
            shift, lift, pitch, roll = 0.6 * shift, 0.6 * lift, 0.75 * pitch, 0.75 * roll
        return self._card(card, self.box.x, self.box.y, turn, height)

    def _faces_camera(self, card: LyingCard) -> bool:
        """Whether the camera sees the card less than 70 degrees from squarely."""
        towards = np.array(self.view.eye) - card.centre
        return float(cross(card.across, card.down) @ towards) > 0.34 * float(np.linalg.norm(towards))

    def _moving(self, card: LyingCard) -> Mover:
        rng = self.rng
        hand = holder(rng, self.zone, card, self.card_mm) if rng.random() < 0.88 else None
        return Mover(card, hand, sweep(rng, float(card.centre[2]), 26))

    def _visitor(self, height: float) -> Mover:
        """A hand over the zone, on its way, at work there or with its arm across; perhaps carrying a card past."""
        rng = self.rng
        turn = arm_turn(rng, self.zone)
        towards, aside = pointing(turn)
        # Fingertips anywhere in the crop, or the hand beyond it and the arm across.
        along = float(rng.uniform(-58, 45) if rng.random() < 0.75 else rng.uniform(45, 190))
        at = np.array([self.box.x, self.box.y]) + along * towards + float(rng.uniform(-70, 70)) * aside
        z = height + float(rng.uniform(0, 8) if rng.random() < 0.4 else rng.uniform(8, 70))
        hand = some_hand(rng, float(at[0]), float(at[1]), z, turn)
        moved = sweep(rng, z, 40) if rng.random() < 0.65 else (0.0, 0.0, 0.0)
        if rng.random() < 0.25:
            carried = self._card(
                self._face() if rng.random() < 0.6 else None, 0, 0, turn + float(rng.normal(0, 25)), 0.0
            )
            centre = np.array([at[0], at[1], z - 1]) + np.array([*(towards * float(rng.uniform(15, 40))), 0])
            across, down = orient(turn + float(rng.normal(0, 25)), float(rng.normal(0, 12)), float(rng.normal(0, 12)))
            carried = replace(carried, centre=centre, across=across, down=down, below=height)
            if self._reaches_over(carried) and self._faces_camera(carried):
                return Mover(carried, hand, moved)
        return Mover(None, hand, moved)
