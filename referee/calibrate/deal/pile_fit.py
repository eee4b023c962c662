"""The table's plane once more, exactly: from piles of which is known how many cards lie in each.

A pile's outline is no card's. Nobody squares cards to the millimetre, so an outline is larger than a card, and the
more so the more cards there are; a pile has a wall, which shows on the side that is turned away from the middle of the
view; and the edge of white paper appears a little further out or in than it is, by as many pixels on every card. What a
single card lacks in number, the others give together, once they are not taken for single cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from referee.calibrate.deal.card_plane import LONG_MM, POKER_MM, CardPlane, Floats, homography_of, mapped
from referee.calibrate.deal.card_tops import card_poses
from referee.calibrate.deal.outlines import Quads
from referee.calibrate.deal.sharp_edges import light, sampled, sharpen
from referee.calibrate.lens import Lens, radial_lens, straightened
from referee.errors import UserError
from referee.vision.rectify import Image, project

THICK_MM: Final = 0.3
"""Thickness of a card."""

_REACHES: Final = (0.01, 0.006)
"""How far beside an outline's side the edge is looked for in light, as a share of its size, first and again."""

_WIDER: Final = (0.0, 0.0, 1.13, 1.69, 2.06, 2.33, 2.53, 2.7, 2.85, 2.97, 3.08, 3.17, 3.26)
"""The mean range of so many numbers from a normal distribution of deviation 1: how much wider piles are than cards."""

_RANGE_SPREAD: Final = 0.85
"""The deviation of that range, about the same for any number of them."""

_LOOSE_MM: Final = (0.15, 0.4, 0.7, 1.1, 1.7)
"""How far off their pile cards lie; the likeliest is taken."""

_DARK_PX, _BRIGHT_PX, _EDGE_SPREAD = -0.2, -0.85, 0.3
"""How much larger a card appears in the picture than it is on a dark table and on one nearly as bright as the card (of
which only the shadow along its rim tells it), and the deviation of either; measured on rendered pictures."""

_BRIGHT: Final = (0.3, 0.6)
"""Light of a table, as a share of the cards', from which it counts as less and less dark, and as bright."""

_PALE: Final = 0.75
"""From this share on, a card's edge and the shadow along it are told apart only with luck."""

_ASIDE_MM: Final = 2.5

_SIDE_MM, _SIDE_PX = 0.12, 0.15
"""Deviation with which the width of a single card is measured."""

_FOCAL: Final = (float(np.log(0.8)), 0.28)
_OFF_MODEL: Final = 0.002
_BEND: Final = 0.02
"""Deviation of an ordinary camera's distortion k1."""

_BENT: Final = 4.0
"""By so much the distortion must better the fit to be believed, in halves of chi squared: piles laid loosely feign a
slight one, and a straight picture taken for bent is worse off than one whose slight bend is not told."""

_ASTRAY_MM: Final = 3.0
"""An outline that lies so far from where its pile was found before is not its."""

_POKER_FIRST: Final = 2.0
"""Poker cards are the commoner ones; others have to fit better by so much."""

_SURE: Final = 4.0
"""By so much one width must fit better than the other to be sure of it."""

_NO_CARDS: Final = (60.0, 54.0)
"""What no card is wide, mm, but a frame printed on one is when it is taken for 88 mm long."""

_USUAL_TILT: Final = (35.0, 3.0)
"""Cameras look at tables from no flatter than this, with a deviation, degrees."""

_FREEDOM: Final = 4.0
_ROUNDS: Final = 12


@dataclass(frozen=True, slots=True, eq=False)
class PileFit:
    """The plane by its piles.

    Attributes:
        plane: from the straightened picture to mm.
        lens: what bends the picture; None where it bends too little to tell.
        poses: (N, 3), where a card fits each pile best: x, y in mm and turn in radians.
        width_sure: whether the picture tells the width of the cards.
        pale: whether the table is so bright that cards may be a few per cent smaller or larger than they seem.
    """

    plane: CardPlane
    lens: Lens | None
    poses: Floats
    width_sure: bool
    pale: bool

    def placed(self, before: CardPlane, poses: Floats) -> Floats:
        """The same poses (N, 3), told in a plane of the bent picture, in this one."""
        up = np.column_stack([np.sin(poses[:, 2]), -np.cos(poses[:, 2])]) * LONG_MM / 2
        ends = project(before.plane_to_image, np.concatenate([poses[:, :2] - up, poses[:, :2] + up]))
        if self.lens is not None:
            ends = straightened(self.lens, ends)
        low, high = np.split(project(self.plane.image_to_plane, ends), 2)
        ahead = high - low
        return np.column_stack([(low + high) / 2, np.arctan2(ahead[:, 0], -ahead[:, 1])])


def fit_piles(
    image: Image,
    plane: CardPlane,
    poses: Floats,
    outlines: Quads,
    counts: Sequence[Sequence[int]],
    widths: Sequence[float],
    known: Lens | None = None,
) -> PileFit:
    """The plane anew, from about where the piles lie.

    Args:
        image: uint8 (H, W, 3) BGR.
        plane: the plane by single cards, exact to a few per cent.
        poses: (N, 3), where the piles lie in it: x, y in mm and turn in radians.
        outlines: (N, 4, 2), px, of the piles, exact to about a mm.
        counts: how many cards may lie in each of the N piles; of several the likeliest.
        widths: those that the cards may have, mm.
        known: the lens, where it was measured; it is told from the cards otherwise.

    Raises:
        UserError: the outlines have not the proportions of cards.
    """
    size = (image.shape[1], image.shape[0])
    seen = sharpen(image, outlines, _REACHES, linear=True).quads
    bright = _brightness(image, plane, mapped(plane.image_to_plane, outlines))
    low, high = _BRIGHT
    edge_px = _DARK_PX + (_BRIGHT_PX - _DARK_PX) * float(np.clip((bright - low) / (high - low), 0, 1))
    problem = _Problem(seen, size, known, edge_px)
    fits = [problem.fitted(plane.values, width, counts) for width in widths]
    fits.sort(key=lambda fit: fit.cost)
    best = fits[0]
    if any(problem.again(best, width) < problem.again(best, best.width) - _SURE for width in _NO_CARDS):
        raise UserError(
            "the edges of the cards cannot be told from frames printed on them or from what they lie on: use a cloth "
            "that is darker than the cards and has no pattern, light the table evenly, or give --corners"
        )
    sure = len(fits) < 2 or fits[1].cost - fits[0].cost > _SURE
    return problem.told(best, sure, bright > _PALE, plane, poses)


def _brightness(image: Image, plane: CardPlane, corners: Quads) -> float:
    """The light of the table beside the cards, as a share of theirs."""
    after = np.roll(corners, -1, axis=1)
    sides = after - corners
    outward = np.stack([sides[..., 1], -sides[..., 0]], axis=2) / np.linalg.norm(sides, axis=2)[..., None]
    along = (corners[:, :, None] + np.linspace(0.2, 0.8, 7)[:, None] * sides[:, :, None]).reshape(-1, 2)
    beside = np.repeat(outward.reshape(-1, 2), 7, axis=0) * _ASIDE_MM
    inside, outside = (
        sampled(image, project(plane.plane_to_image, along + side)[None])[0] for side in (-beside, beside)
    )
    ratio = light(outside).mean(axis=1) / np.maximum(light(inside).mean(axis=1), 1.0)
    return float(np.median(ratio))


@dataclass(frozen=True, slots=True)
class _Solution:
    """The likeliest values.

    Attributes:
        values: as in ``_Problem``.
        width: that of the cards they hold for, mm.
        cost: in halves of chi squared.
        piles: how many cards lie in each pile.
        loose: how far off their pile cards lie, mm.
    """

    values: Floats
    width: float
    cost: float
    piles: Sequence[int]
    loose: float


class _Problem:
    """Outlines and what is known of them.

    The values are: lean about two axes, log of the focal length, log of the distance, stretch, shear, distortion k1,
    and how much larger cards appear, px.
    """

    def __init__(self, quads: Quads, size: tuple[int, int], known: Lens | None, edge_px: float) -> None:
        self._edge_px = edge_px
        self._size, self._known = size, known
        self._longest = float(max(size))
        self._middle = (np.array(size) - 1) / 2
        straight = quads if known is None else straightened(known, quads.reshape(-1, 2)).reshape(quads.shape)
        self._seen = (straight - self._middle) / self._longest
        self._long = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)

    def fitted(self, start: Floats, width: float, counts: Sequence[Sequence[int]]) -> _Solution:
        """The likeliest of all for cards of one width."""
        first = np.array([*start[:6], 0.0, self._edge_px])
        solved = [(*self._solved(first, width, counts[0], loose), counts[0], loose) for loose in _LOOSE_MM]
        loose = min(solved, key=lambda one: one[0])[3]
        solved += [(*self._solved(first, width, other, loose), other, loose) for other in counts[1:]]
        cost, values, piles, loose = min(solved, key=lambda one: one[0])
        if self._known is None:
            bent_cost, bent_values = self._solved(values, width, piles, loose, bend=True)
            if cost - bent_cost > _BENT:
                cost, values = bent_cost, bent_values
        steep = max(0.0, float(np.degrees(np.hypot(values[0], values[1]))) - _USUAL_TILT[0]) / _USUAL_TILT[1]
        cost += 0.5 * steep**2 + (_POKER_FIRST if width < POKER_MM else 0.0)
        return _Solution(values, width, cost, piles, loose)

    def again(self, solution: _Solution, width: float) -> float:
        """What the likeliest values cost for cards of some width that lie as in a solution."""
        bend = float(solution.values[6]) != 0.0
        return self._solved(solution.values, width, solution.piles, solution.loose, bend=bend)[0]

    def _solved(
        self, start: Floats, width: float, counts: Sequence[int], loose: float, *, bend: bool = False
    ) -> tuple[float, Floats]:
        """What the likeliest values cost, and those, for piles of so many cards that lie so loosely, mm."""
        piles = np.array(counts)
        free = [0, 1, 2, 3, 4, 5, 7, *([6] if bend else [])]
        values = start.copy()
        means = np.array([0.0, 0.0, _FOCAL[0], 0.0, 0.0, 0.0, 0.0, self._edge_px])
        spreads = np.array([np.inf, np.inf, _FOCAL[1], np.inf, _OFF_MODEL, _OFF_MODEL, _BEND, _EDGE_SPREAD])
        for _ in range(_ROUNDS):
            off, _ = self._residuals(values, width, piles, loose)
            weight = (_FREEDOM + 1) / (_FREEDOM + off**2)
            slopes = np.empty((len(free), *off.shape))
            for k, i in enumerate(free):
                nudged = values.copy()
                nudged[i] += 1e-5
                slopes[k] = (self._residuals(nudged, width, piles, loose)[0] - off) / 1e-5
            curve = np.einsum("inj,nj,knj->ik", slopes, weight, slopes)
            pull = np.einsum("inj,nj,nj->i", slopes, weight, off)
            curve += np.diag(1 / spreads[free] ** 2)
            pull += (values[free] - means[free]) / spreads[free] ** 2
            move = np.clip(-np.linalg.solve(curve + 1e-4 * np.diag(np.diag(curve)), pull), -0.3, 0.3)
            values[free] += move
            if float(np.abs(move).max()) < 1e-6:
                break
        off, spread_mm = self._residuals(values, width, piles, loose)
        cost = float((0.5 * (_FREEDOM + 1) * np.log1p(off**2 / _FREEDOM) + np.log(spread_mm)).sum())
        return cost + 0.5 * float((((values - means) / spreads) ** 2).sum()), values

    def _straight(self, bend: float) -> Quads:
        if bend == 0.0:
            return self._seen
        square = (2 * self._longest / self._size[0]) ** 2
        flat = self._seen
        for _ in range(8):
            flat = self._seen / (1 + bend * square * (flat**2).sum(axis=2, keepdims=True))
        return flat

    def _residuals(
        self, values: Floats, width: float, piles: npt.NDArray[np.int64], loose: float
    ) -> tuple[Floats, Floats]:
        """What each outline is off, (N, 5) in deviations: two sizes, two pairs of sides, its skew; and those, mm."""
        flat = mapped(homography_of(values), self._straight(float(values[6])))
        after = np.roll(flat, -1, axis=1)
        sides = after - flat
        long = np.linalg.norm(sides, axis=2)
        outward = np.stack([sides[..., 1], -sides[..., 0]], axis=2) / long[..., None]
        distance = np.exp(values[3])
        high = np.minimum(piles, 12) * THICK_MM
        beyond = np.maximum(0.0, ((flat + after) / 2 * outward).sum(axis=2))
        wall = beyond * (high / (distance - high))[:, None]
        scale = long / self._long
        extent = (long[:, :2] + long[:, 2:]) / 2
        appears = values[7] * (scale[:, :2] + scale[:, 2:]) / 2
        walls = (wall[:, :2] + wall[:, 2:])[:, ::-1]
        upright = extent[:, 0] < extent[:, 1]
        nominal = np.where(upright[:, None], (width, LONG_MM), (LONG_MM, width))
        wider = loose * np.array(_WIDER)[np.minimum(piles, len(_WIDER) - 1)]
        size = extent - walls - appears - nominal - wider[:, None]
        pairs = long[:, :2] - long[:, 2:]
        diagonals = np.linalg.norm(flat[:, 2] - flat[:, 0], axis=1) - np.linalg.norm(flat[:, 3] - flat[:, 1], axis=1)
        exact = _SIDE_MM + _SIDE_PX * scale.mean(axis=1)
        slack = np.where(piles > 1, loose, 0.0)
        spread = np.stack(
            [np.hypot(_RANGE_SPREAD * slack, 1.4 * exact)] * 2
            + [np.hypot(1.5 * slack, 3.0 * exact)] * 2
            + [np.hypot(1.6 * slack, 3.3 * exact)],
            axis=1,
        )
        return np.column_stack([size, pairs, diagonals]) / spread, spread

    def told(self, solution: _Solution, sure: bool, pale: bool, before: CardPlane, poses: Floats) -> PileFit:
        """The fit that a solution makes, with the piles that were about at ``poses`` in the plane ``before``."""
        values = solution.values
        bend = float(values[6])
        x, y = self._middle
        normal = np.array([[1, 0, -x], [0, 1, -y], [0, 0, self._longest]], np.float64) / self._longest
        image_to_plane = homography_of(values) @ normal
        plane = CardPlane(
            image_to_plane,
            np.asarray(np.linalg.inv(image_to_plane), np.float64),
            solution.width,
            float(np.degrees(np.hypot(values[0], values[1]))),
            float(np.exp(values[2]) * self._longest),
            solution.cost,
            values,
        )
        lens = self._known if self._known is not None or bend == 0.0 else radial_lens(self._size, bend)
        fit = PileFit(plane, lens, poses, sure, pale)
        expected = fit.placed(before, poses)
        straight = self._straight(bend).reshape(-1, 2) * self._longest + self._middle
        found = card_poses(plane, straight.reshape(self._seen.shape))
        turn = (found[:, 2] - expected[:, 2] + np.pi / 2) % np.pi - np.pi / 2
        found[:, 2] = expected[:, 2] + turn
        # A side that was caught by a shadow or a line of the table takes its pile away with it.
        astray = np.hypot(*(found[:, :2] - expected[:, :2]).T) + np.abs(turn) * LONG_MM / 2 > _ASTRAY_MM
        found[astray] = expected[astray]
        return replace(fit, poses=found)
