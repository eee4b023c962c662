"""From a picture to cards of exact size in the plane of the table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from referee.calibrate.card_plane import (
    BRIDGE_MM,
    POKER_MM,
    CardPlane,
    Floats,
    find_plane,
    mapped,
    one_per_place,
    refit,
)
from referee.calibrate.card_tops import card_poses, fit_cards, framed
from referee.calibrate.outlines import Quads, find_outlines
from referee.calibrate.pile_size import card_growth
from referee.calibrate.sharp_edges import sharpen
from referee.vision.rectify import Image

_PILE_SLACK: Final = 0.75
_DEVIATION_MM: Final = 0.5
_FRAMED: Final = 0.93
"""Where larger rectangles show around cards so much as the cards themselves do, those are frames within cards."""

_ATTEMPTS: Final = 3
_SURE: Final = 5.0
"""By so much the fit of one width of cards must be better than the other to be sure of it."""

_POKER_FIRST: Final = 3.0
"""Poker cards are the commoner ones; bridge cards have to fit better by so much."""

_USUAL_TILT: Final = (35.0, 2.0)
"""Cameras look at tables from no flatter than this, with a deviation, degrees."""

_SHOWN: Final = (0.3, 0.15)
"""A card that had no outline of its own shows so much of it, and so much more than places without cards do."""

_SWEEP_MM: Final = 8.0
_SWEEP_PLACES: Final = 48


@dataclass(frozen=True, slots=True, eq=False)
class SeenCards:
    """Cards on the table.

    Attributes:
        plane: the table plane, in which cards have their exact size.
        quads: outlines (N, 4, 2) of cards or piles that the plane rests on, image pixels.
        poses: (M, 3) of x, y in mm and turn of the long axis in radians, in ``plane``; those of ``quads`` first.
        framed: how much larger rectangles show around them; near 1 they may be frames printed on cards.
        width_sure: whether the picture tells poker from bridge cards.
    """

    plane: CardPlane
    quads: Quads
    poses: Floats
    framed: float
    width_sure: bool

    @property
    def doubtful(self) -> bool:
        """Whether these may be frames printed on cards."""
        return self.framed > _FRAMED


def see_cards(image: Image, card_width: float | None = None) -> SeenCards | None:
    """The cards in ``image``, uint8 (H, W, 3) BGR; ``card_width`` in mm where it is known.

    Returns:
        None where there are not three of one size.
    """
    size = (image.shape[1], image.shape[0])
    outlines = sharpen(image, find_outlines(image))
    quads = outlines.clear()
    attempts: list[SeenCards] = []
    for _ in range(_ATTEMPTS):
        plane = find_plane(quads, size, card_width)
        if plane is None:
            break
        seen = _exact(image, plane, quads, size, card_width)
        if seen is None:
            break
        attempts.append(seen)
        if not seen.doubtful:
            break
        # What was found may be frames within cards: look again without all that is of their size or smaller.
        flat = mapped(seen.plane.image_to_plane, quads)
        lengths = np.linalg.norm(np.roll(flat, -1, axis=1) - flat, axis=2).sum(axis=1)
        quads = quads[lengths > 1.03 * 2 * (seen.plane.card_width + 88.0)]
    if not attempts:
        return None
    best = min(attempts, key=lambda seen: (seen.doubtful, -len(seen.quads), seen.framed))
    return _with_faint(image, best, outlines.quads)


def _exact(
    image: Image, plane: CardPlane, quads: Quads, size: tuple[int, int], card_width: float | None
) -> SeenCards | None:
    sure = True
    chosen = one_per_place(plane, quads)
    for _ in range(2):
        if len(chosen) < 3:
            return None
        widths = (POKER_MM, BRIDGE_MM) if card_width is None else (card_width,)
        fits = [refit(plane, quads[chosen], size, width, _DEVIATION_MM, _PILE_SLACK) for width in widths]
        fits.sort(key=_unlikely)
        plane = fits[0]
        sure = len(fits) < 2 or _unlikely(fits[1]) - _unlikely(fits[0]) > _SURE
        chosen = one_per_place(plane, quads)
    if len(chosen) < 3:
        return None
    quads = quads[chosen]
    grown = 1 + card_growth(mapped(plane.image_to_plane, quads), plane.card_width)
    shrink = np.diag([1 / grown, 1 / grown, 1.0])
    plane = replace(
        plane,
        image_to_plane=shrink @ plane.image_to_plane,
        plane_to_image=plane.plane_to_image @ np.diag([grown, grown, 1.0]),
    )
    poses = card_poses(plane, quads)
    return SeenCards(plane, quads, poses, framed(image, plane, poses), sure)


def _unlikely(plane: CardPlane) -> float:
    """The cost of a fit, with what is known of cards and cameras beforehand."""
    usual, deviation = _USUAL_TILT
    steep = max(0.0, plane.tilt - usual) / deviation
    return plane.cost + 0.5 * steep**2 + (_POKER_FIRST if plane.card_width == BRIDGE_MM else 0.0)


def _with_faint(image: Image, seen: SeenCards, quads: Quads) -> SeenCards:
    """The cards, and those that gave a poor outline or none: in line with the others, and of exact size."""
    plane = seen.plane
    near = quads[one_per_place(plane, quads)]
    guesses = [*card_poses(plane, near)] if len(near) else []
    turn = _common_turn(seen.poses[:, 2])
    cos, sin = np.cos(turn), np.sin(turn)
    steps = (np.arange(_SWEEP_PLACES) - _SWEEP_PLACES // 2) * _SWEEP_MM
    for v in _levels(seen.poses[:, 1] * cos - seen.poses[:, 0] * sin, plane.card_width):
        # The row's cards, and as many places beyond them as a row is long.
        middle = float(np.median(seen.poses[:, 0] * cos + seen.poses[:, 1] * sin))
        guesses += [np.array([u * cos - v * sin, u * sin + v * cos, turn]) for u in middle + 1.6 * steps]
    poses = list(seen.poses)
    fitted, support = fit_cards(image, plane, np.array(guesses))
    least, more = _SHOWN
    for i in np.argsort(-support, kind="stable"):
        if support[i] < max(least, float(np.median(support)) + more):
            break
        if all(np.hypot(*(fitted[i, :2] - pose[:2])) > 0.97 * plane.card_width for pose in poses):
            poses.append(fitted[i])
    return replace(seen, poses=np.array(poses))


def _common_turn(turns: Floats) -> float:
    """The direction most cards share, half a turn being none."""
    off = (turns[:, None] - turns + np.pi / 2) % np.pi - np.pi / 2
    near = np.abs(off) < np.radians(9)
    best = int(near.sum(axis=0).argmax())
    return float(turns[best] + np.median(off[near[:, best], best]))


def _levels(v: Floats, apart: float) -> list[float]:
    """Heights at which cards lie, those closer than ``apart`` taken together."""
    levels: list[list[float]] = []
    for value in np.sort(v):
        if levels and value - levels[-1][-1] < apart / 2:
            levels[-1].append(float(value))
        else:
            levels.append([float(value)])
    return [float(np.median(level)) for level in levels if len(level) > 1]
