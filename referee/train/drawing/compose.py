"""Draw a ``Situation`` as the camera sees it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from referee.train.drawing.canvas import Canvas, Field, Image
from referee.train.drawing.clutter import lay_clutter
from referee.train.drawing.faces import FaceSet
from referee.train.drawing.hands import HandShape
from referee.train.drawing.sensor import expose
from referee.train.drawing.situation import LyingCard, Mover, Situation, in_picture
from referee.train.drawing.surfaces import Tabletop

INDEX_SHOWS: Final = 0.75
"""Share of an index that must be uncovered for its corner to count as showing."""

_STEP_MM: Final = 1.4
_MOST_STEPS: Final = 5


@dataclass(frozen=True, slots=True, eq=False)
class Composed:
    """A drawn situation.

    Attributes:
        image: uint8 array (H, W, 3), BGR, the camera's picture about the zone.
        share: share that shows of the top card, or of the bare zone where there is none.
        corners: which of its corner indexes show: top left, top right, bottom right, bottom left.
    """

    image: Image
    share: float
    corners: tuple[bool, bool, bool, bool]


def compose(
    situation: Situation, faces: FaceSet, tabletop: Callable[[int], Tabletop], hand: Callable[[int], HandShape]
) -> Composed:
    """Draw ``situation`` with the cards of ``faces``, the pool of table tops and the pool of hands."""
    canvas = Canvas(situation.view, situation.light, faces)
    canvas.lay_table(situation.surface, situation.box, tabletop)
    for item in situation.clutter:
        if item.kind != "cup":
            lay_clutter(canvas, item)
    for stack in situation.stacks:
        canvas.lay_stack(stack)
    for number, card in enumerate(situation.resting):
        canvas.lay_card(card, top=situation.top == ("resting", number))
    for item in situation.clutter:
        if item.kind == "cup":
            lay_clutter(canvas, item)
    if situation.top is None:
        canvas.watch(situation.box)
    for number, mover in enumerate(situation.movers):
        shape = hand(mover.hand.shape) if mover.hand else None
        _sweep(canvas, mover, shape, top=situation.top == ("mover", number))
    image = expose(canvas.albedo, canvas.key, canvas.glare(), situation.light, situation.sensor)
    share = float(canvas.seen.sum()) / max(canvas.full, 1e-6)
    top = situation.top_card
    corners = _corners(canvas, top) if top else (False, False, False, False)
    return Composed(image, min(share, 1.0), corners)


def _sweep(canvas: Canvas, mover: Mover, shape: HandShape | None, top: bool) -> None:
    """Draw a mover at several moments of the exposure and keep the mean."""
    moved = np.array(mover.sweep)
    most = _MOST_STEPS if mover.card else _MOST_STEPS - 2
    steps = min(most, 2 * int(float(np.linalg.norm(moved)) / _STEP_MM / 2) + 1)
    if steps == 1:
        canvas.lay_mover(mover, shape, top)
        return
    # Each moment stands for a stretch of the way, so what is drawn is smeared over it.
    ends = in_picture(canvas.view, np.stack([mover.place, mover.place + moved / steps]))
    across, down = np.abs(ends[1] - ends[0])
    canvas.smear = (round(float(across)) | 1, round(float(down)) | 1)
    before = canvas.copy()
    total: list[Field] = [np.zeros(part.shape, np.float32) for part in canvas.parts()]
    full = 0.0
    for step in range(steps):
        by = moved * ((step + 0.5) / steps - 0.5)
        canvas.restore(before)
        canvas.lay_mover(_moved(mover, by), shape, top)
        for sum_, part in zip(total, canvas.parts(), strict=True):
            sum_ += part
        full += canvas.full
    canvas.restore([np.multiply(sum_, 1 / steps, out=sum_) for sum_ in total])
    canvas.full = full / steps
    canvas.smear = (1, 1)


def _moved(mover: Mover, by: npt.NDArray[np.float64]) -> Mover:
    card = replace(mover.card, centre=mover.card.centre + by) if mover.card else None
    hand = mover.hand
    if hand:
        hand = replace(hand, x=hand.x + float(by[0]), y=hand.y + float(by[1]), z=hand.z + float(by[2]))
    return Mover(card, hand)


def _corners(canvas: Canvas, top: LyingCard) -> tuple[bool, bool, bool, bool]:
    shows = [False] * 4
    if top.card is not None:
        numbers, points = canvas.faces.index_points(top.card)
        flat = points.reshape(-1, 2)
        pixels = in_picture(canvas.view, top.centre + flat[:, :1] * top.across + flat[:, 1:] * top.down)
        columns, rows = np.round(pixels).astype(np.intp).T
        height, width = canvas.seen.shape
        inside = (columns >= 0) & (rows >= 0) & (columns < width) & (rows < height)
        seen = np.where(inside, canvas.seen[rows % height, columns % width], 0)
        for corner, share in zip(numbers, seen.reshape(len(numbers), -1).mean(axis=1), strict=True):
            shows[corner] |= bool(share >= INDEX_SHOWS)
    return shows[0], shows[1], shows[2], shows[3]
