"""Labelled crops of zones, drawn as play shows them to the reader."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from multiprocessing import get_context
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from referee.cards import Card
from referee.train.decks.deck_pool import DeckPool
from referee.train.drawing.arrange import SURFACES, CropSpec, arrange
from referee.train.drawing.compose import compose
from referee.train.drawing.faces import FaceSet, draw_print
from referee.train.drawing.hands import HandShape, make_hand
from referee.train.drawing.reach import HANDS
from referee.train.drawing.situation import Situation, State, corners, in_crop, outline
from referee.train.drawing.surfaces import Tabletop, make_tabletop
from referee.vision.rectify import Points, rectify

Image: TypeAlias = npt.NDArray[np.uint8]

BLOCK: Final = 512
"""Crops in a row that share a deck, which is then loaded or drawn, and its pictures made ready, once."""

ERA: Final = 65536
"""Crops in a row that share the pools of table tops and hands; they are drawn anew afterwards."""

# What each stream of random numbers of a seed is for.
_CROP, _DECK, _SURFACE, _HAND = range(4)


@dataclass(frozen=True, slots=True)
class Conditions:
    """Under what conditions a crop was drawn.

    Attributes:
        deck: the deck's name.
        surface: kind of table top.
        source: height of the camera's picture: 720, 1080 or 2160.
        px_per_mm: scale of that picture at the zone.
        tilt: of the camera, degrees.
        light: kind of light.
        exposure: brightness of a well lit white card, 1 being just below clipping.
        hand: ``none``, ``holding`` the top card, or ``over`` the zone.
        motion: of the top card: ``rest``, ``sliding``, ``lifted`` or ``turning``.
        upright: whether the top card was laid about 0 or 180 degrees.
        pile: cards under the top one that lie loosely, and in neat stacks.
        glare: whether something is reflected.
        blur: deviation of lens blur and defocus, pixels of the camera's picture.
        smear: length of the top card's motion blur, mm.
        noise: deviation in the mid tones, of 255.
        codec: ``none``, ``jpeg`` or ``video``.
    """

    deck: str
    surface: str
    source: int
    px_per_mm: float
    tilt: float
    light: str
    exposure: float
    hand: str
    motion: str
    upright: bool
    pile: int
    glare: bool
    blur: float
    smear: float
    noise: float
    codec: str


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """A labelled crop.

    Attributes:
        image: uint8 array (S, S, 3), BGR, the zone's reading direction up.
        state: what the zone's top shows: ``card``, ``back`` or ``empty``. It is what lies there, whether or not a hand
            hides it: see ``share``.
        card: the face of the top card, if it shows one.
        box: x1, y1, x2, y2 of the top card in crop pixels, hidden parts included; zeros if the zone is empty.
        quad: float array (4, 2), crop pixels of its corners (before rounding) clockwise from the side's own top left;
            zeros if the zone is empty.
        share: share that shows of the top card, or of the zone's bare place if it is empty, 0..1.
        corners: which of its corner indexes show: top left, top right, bottom right, bottom left of the card. A corner
            that bears no index never does.
        conditions: how it was drawn.
    """

    image: Image
    state: State
    card: Card | None
    box: tuple[float, float, float, float]
    quad: Points
    share: float
    corners: tuple[bool, bool, bool, bool]
    conditions: Conditions


class CropPainter:
    """Draws crop ``i`` of a seed, whatever was drawn before."""

    def __init__(self, seed: int, decks: DeckPool, spec: CropSpec, photos: Sequence[Image] = ()) -> None:
        """Args:
        seed: decides every crop.
        decks: the decks to draw with.
        spec: what crops to make.
        photos: pictures of real table tops, uint8 (H, W, 3) BGR, to cut some tables from.
        """
        self.seed, self.decks, self.spec, self.photos = seed, decks, spec, photos
        self._faces = lru_cache(1)(self._make_faces)
        self._tabletop = lru_cache(SURFACES)(self._make_tabletop)
        self._hand = lru_cache(HANDS)(self._make_hand)

    def _stream(self, purpose: int, number: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, purpose, number])

    def _make_faces(self, block: int) -> FaceSet:
        rng = self._stream(_DECK, block)
        name = self.decks.names[int(rng.integers(len(self.decks.names)))]
        return FaceSet(self.decks.load(name), draw_print(rng))

    def _make_tabletop(self, era: int, number: int) -> Tabletop:
        return make_tabletop(self._stream(_SURFACE, era * SURFACES + number), self.photos)

    def _make_hand(self, era: int, number: int) -> HandShape:
        return make_hand(self._stream(_HAND, era * HANDS + number))

    def situation(self, number: int) -> Situation:
        """What crop ``number`` shows."""
        faces = self._faces(number // BLOCK)
        return arrange(self._stream(_CROP, number), self.spec, (faces.width_mm, faces.height_mm))

    def crop(self, number: int) -> Crop:
        """Crop ``number``."""
        return self.paint(self.situation(number), number)

    def paint(self, situation: Situation, number: int) -> Crop:
        """A situation drawn with the deck of crop ``number``."""
        faces = self._faces(number // BLOCK)
        era = number // ERA
        drawn = compose(situation, faces, partial(self._tabletop, era), partial(self._hand, era))
        view, box, size = situation.view, situation.box, self.spec.size
        image = rectify(drawn.image, view.view, box, size)
        top = situation.top_card
        edges = (0.0, 0.0, 0.0, 0.0)
        quad = np.zeros((4, 2))
        if top is not None:
            rim = in_crop(view, box, size, outline(top, faces.width_mm, faces.height_mm))
            (x1, y1), (x2, y2) = rim.min(axis=0), rim.max(axis=0)
            edges = (float(x1), float(y1), float(x2), float(y2))
            quad = in_crop(view, box, size, corners(top, faces.width_mm, faces.height_mm))
        return Crop(
            image=image,
            state=situation.state,
            card=situation.card,
            box=edges,
            quad=quad,
            share=drawn.share,
            corners=drawn.corners,
            conditions=self._conditions(situation, faces.deck.name, self._tabletop(era, situation.surface.piece).kind),
        )

    @staticmethod
    def _conditions(situation: Situation, deck: str, surface: str) -> Conditions:
        top_moves = situation.top is not None and situation.top[0] == "mover"
        holding = top_moves and situation.movers[0].hand is not None
        visiting = len(situation.movers) > int(top_moves)
        sweep = situation.movers[0].sweep if top_moves else (0.0, 0.0, 0.0)
        loose = len(situation.resting) - int(situation.top is not None and not top_moves)
        return Conditions(
            deck=deck,
            surface=surface,
            source=situation.view.source,
            px_per_mm=situation.view.px_per_mm,
            tilt=situation.view.tilt,
            light=situation.light.name,
            exposure=situation.sensor.exposure,
            hand="over" if visiting else "holding" if holding else "none",
            motion=situation.motion,
            upright=situation.upright,
            pile=loose + sum(stack.cards for stack in situation.stacks),
            glare=bool(situation.light.glare),
            blur=situation.sensor.blur,
            smear=float(np.linalg.norm(sweep)),
            noise=situation.sensor.noise,
            codec=situation.sensor.codec,
        )


def generate(
    seed: int,
    count: int,
    decks: DeckPool,
    spec: CropSpec | None = None,
    *,
    workers: int = 1,
    first: int = 0,
    photos: Sequence[Image] = (),
) -> Iterator[Crop]:
    """Crops ``first`` to ``first + count - 1`` of ``seed``, in order.

    Args:
        seed: decides every crop; the same whatever the number of workers.
        count: how many.
        decks: the decks to draw with; with more than one worker each gets the pool by pickling.
        spec: what crops to make.
        workers: processes that draw; 1 draws in this one.
        first: number of the first crop.
        photos: pictures of real table tops, uint8 (H, W, 3) BGR.
    """
    spec = spec or CropSpec()
    if workers <= 1:
        painter = CropPainter(seed, decks, spec, photos)
        yield from (painter.crop(number) for number in range(first, first + count))
        return
    spans = _spans(first, first + count)
    # Fresh processes: one that was forked may inherit locks of threads that it does not have.
    with ProcessPoolExecutor(workers, get_context("spawn"), _start, (seed, decks, spec, photos)) as pool:
        # A few spans ahead keep the workers busy; more would only fill the memory.
        ahead = deque(pool.submit(_paint, *span) for span in islice(spans, 2 * workers))
        while ahead:
            crops = ahead.popleft().result()
            ahead.extend(pool.submit(_paint, *span) for span in islice(spans, 1))
            yield from crops


def _spans(start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Runs of crops that share a deck."""
    while start < stop:
        end = min(stop, (start // BLOCK + 1) * BLOCK)
        yield start, end
        start = end


__all__ = ["BLOCK", "ERA", "Conditions", "Crop", "CropPainter", "CropSpec", "generate"]

_painters: list[CropPainter] = []
"""The painter of this worker process."""


def _start(seed: int, decks: DeckPool, spec: CropSpec, photos: Sequence[Image]) -> None:
    import cv2

    cv2.setNumThreads(1)
    _painters[:] = [CropPainter(seed, decks, spec, photos)]


def _paint(start: int, stop: int) -> list[Crop]:
    return [_painters[0].crop(number) for number in range(start, stop)]
