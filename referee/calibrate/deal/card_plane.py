"""The plane in which cards lie, from outlines alone: the view in which as many as can be are cards of one size.

Every playing card in use is 88 mm long, and either about 63 (poker) or 57 mm wide (bridge). So each outline that
belongs to a card says how large a millimetre is where it lies, and its slant says how the plane leans there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from referee.calibrate.deal.outlines import Quads
from referee.vision.rectify import Matrix, Points, project

LONG_MM: Final = 88.0
POKER_MM: Final = 63.0
BRIDGE_MM: Final = 57.0

Floats: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]

FITS_MM: Final = 3.0
"""An outline whose corners are off by less than this, root mean square, is a card or a pile of cards."""

_FEWEST: Final = 3

# The cameras people own see 50 to 95 degrees; one that is not told its lens is taken for something in the middle.
_USUAL_FOCAL: Final = 0.8
_FOCAL_SPREAD: Final = 0.28
# How far a real picture departs from a pinhole with its axis in the middle: deviation of its stretch and shear.
_OFF_MODEL: Final = 0.006

_PLANES: Final = 4
_OTHER_SIZE: Final = 0.06
"""Cards count as of another size when it differs by this share."""

_ROUGH_MM: Final = 1.0
_START_TILTS: Final = ((0.0, (0,)), (16.0, tuple(range(0, 360, 60))), (30.0, tuple(range(0, 360, 45))))
_SCALES_TRIED: Final = 5
_STARTS_A_SCALE: Final = 2
_PARALLEL: Final = 9.0


@dataclass(frozen=True, slots=True, eq=False)
class CardPlane:
    """The table plane in some place and turn.

    Attributes:
        image_to_plane: homography (3, 3) from image pixels to millimetres.
        plane_to_image: its inverse.
        card_width: that of the cards for which it was fitted, mm.
        tilt: angle between the camera's view and the vertical, degrees.
        focal: focal length, px; well known only where the view is tilted.
        cost: half of chi squared of the fit, what is known of cameras included; comparable between card widths.
        values: the fitted numbers, for fitting again.
    """

    image_to_plane: Matrix
    plane_to_image: Matrix
    card_width: float
    tilt: float
    focal: float
    cost: float
    values: Floats

    def errors(self, quads: Quads) -> Floats:
        """Root mean square corner error of each of ``quads`` (N, 4, 2) in image pixels, taken for a card, mm."""
        flat = mapped(self.image_to_plane, quads)
        return _rms(card_errors(flat, self.card_width))


def find_planes(quads: Quads, size: tuple[int, int], enough: int, card_width: float | None = None) -> list[CardPlane]:
    """The planes in which many of ``quads`` are cards, exact to a few per cent, each for cards of another size.

    Args:
        quads: outlines (N, 4, 2), px, clockwise.
        size: width and height of the picture, px.
        enough: so many cards are expected; more make a plane no likelier, for patterns repeat more often.
        card_width: mm, where it is known.

    Returns:
        the likeliest first; empty where not even three outlines agree.
    """
    if len(quads) < _FEWEST:
        return []
    normal = _normaliser(size)
    flat = mapped(normal, quads)
    widths = (POKER_MM, BRIDGE_MM) if card_width is None else (card_width,)
    fits = []
    for start, near in _starts(flat):
        for width in widths:
            # Only what voted for the start is fitted, or a larger crowd of another size would draw the fit to itself.
            values, cost = _fitted(flat[near], start, width, _ROUGH_MM)
            fitting = flat[_rms(card_errors(mapped(homography_of(values), flat), width)) < FITS_MM]
            if (count := _places(fitting)) >= _FEWEST:
                fits.append((count, float(np.median(_sides(fitting)[1])), -cost, values))
    planes: list[CardPlane] = []
    while fits and len(planes) < _PLANES:
        most = min(enough, max(count for count, *_ in fits))
        # Frames printed on cards agree with each other as cards do, but lie inside of them: the larger cards win.
        many = [fit for fit in fits if fit[0] >= 0.7 * most]
        largest = max(fit[1] for fit in many)
        _, median, cost, values = max(
            (fit for fit in many if fit[1] > 0.95 * largest), key=lambda fit: (fit[0], fit[2])
        )
        planes.append(_plane(values, -cost, normal))
        fits = [fit for fit in fits if abs(np.log(fit[1] / median)) > _OTHER_SIZE]
    return planes


def refit(
    plane: CardPlane, quads: Quads, size: tuple[int, int], width: float, deviation: float, slack: float
) -> CardPlane:
    """The plane fitted again, from ``plane``, to outlines that are exact to ``deviation`` mm.

    Args:
        plane: where to begin.
        quads: outlines of single cards (N, 4, 2), px, clockwise.
        size: width and height of the picture, px.
        width: of a card, mm.
        deviation: of a corner, mm.
    """
    normal = _normaliser(size)
    values, cost = _fitted(mapped(normal, quads), plane.values, width, deviation, slack)
    return _plane(values, cost, normal)


def one_per_place(plane: CardPlane, quads: Quads) -> npt.NDArray[np.intp]:
    """Indices of the outlines that are cards in ``plane``: of several about the same place the largest."""
    flat = mapped(plane.image_to_plane, quads)
    middles = flat.mean(axis=1)
    good = np.flatnonzero(plane.errors(quads) < FITS_MM)
    short, long = _sides(flat)
    sizes = short + long
    chosen: list[int] = []
    for i in good[np.argsort(-sizes[good], kind="stable")]:
        if all(float(np.hypot(*(middles[i] - middles[j]))) > 0.4 * plane.card_width for j in chosen):
            chosen.append(int(i))
    return np.array(sorted(chosen), np.intp)


def mapped(homography: Matrix, quads: Quads) -> Quads:
    """``quads`` (N, 4, 2) through a homography (3, 3)."""
    return project(homography, quads.reshape(-1, 2)).reshape(quads.shape)


def card_errors(flat: Quads, width: float, slack: float = 0.0) -> Quads:
    """Corner errors (..., 4, 2), mm, of outlines in the plane, each with a card laid over it as well as can be.

    With ``slack`` that share of an outline's excess over a card's size is no error: piles are not square.
    """
    seen = flat[..., 0] + 1j * flat[..., 1]
    lengths = np.abs(seen[..., [1, 2, 3, 0]] - seen)
    across, down = (lengths[..., 0] + lengths[..., 2]) / 2, (lengths[..., 1] + lengths[..., 3]) / 2
    upright = across < down
    wide = np.where(upright, width, LONG_MM)
    high = np.where(upright, LONG_MM, width)
    wide, high = wide + slack * np.maximum(across - wide, 0), high + slack * np.maximum(down - high, 0)
    corner, next_corner = (-wide - 1j * high) / 2, (wide - 1j * high) / 2
    model = np.stack([corner, next_corner, -corner, -next_corner], axis=-1)
    seen = seen - seen.mean(axis=-1, keepdims=True)
    turn = (seen * model.conj()).sum(axis=-1, keepdims=True)
    off = seen - model * turn / np.maximum(np.abs(turn), 1e-12)
    return np.stack([off.real, off.imag], axis=-1)


def _rms(off: Quads) -> Floats:
    return np.asarray(np.sqrt((off**2).sum(axis=2).mean(axis=1)), np.float64)


def _plane(values: Floats, cost: float, normal: Matrix) -> CardPlane:
    image_to_plane = homography_of(values) @ normal
    return CardPlane(
        image_to_plane=image_to_plane,
        plane_to_image=np.asarray(np.linalg.inv(image_to_plane), np.float64),
        card_width=float(values[6]),
        tilt=float(np.degrees(np.hypot(values[0], values[1]))),
        focal=float(np.exp(values[2]) / normal[0, 0]),
        cost=cost,
        values=values,
    )


def _normaliser(size: tuple[int, int]) -> Matrix:
    """From pixels to widths of the picture, counted from its middle."""
    width, height = size
    longest = max(width, height)
    return np.array(
        [[1 / longest, 0, -(width - 1) / 2 / longest], [0, 1 / longest, -(height - 1) / 2 / longest], [0, 0, 1]]
    )


def homography_of(values: Floats) -> Matrix:
    """From normalised picture coordinates to mm: (..., 3, 3) of values (..., 7).

    The values are: lean about two axes, log of the focal length, log of the distance, stretch, shear, card width.
    """
    a, b, log_focal, log_scale, stretch, shear = np.moveaxis(values[..., :6], -1, 0)
    ray = np.swapaxes(_rotation(a, b), -1, -2).copy()
    ray[..., 2] *= np.exp(log_focal)[..., None]
    scale = np.exp(log_scale)
    plane = np.zeros_like(ray)
    plane[..., 0, 0], plane[..., 0, 1] = scale * (1 + stretch), scale * shear
    plane[..., 1, 1], plane[..., 2, 2] = scale * (1 - stretch), 1.0
    return np.asarray(plane @ ray, np.float64)


def _rotation(a: Floats, b: Floats) -> Matrix:
    angle = np.hypot(a, b)
    safe = np.maximum(angle, 1e-12)
    x, y = a / safe, b / safe
    cross = np.zeros((*np.shape(a), 3, 3))
    cross[..., 0, 2], cross[..., 1, 2] = y, -x
    cross[..., 2, 0], cross[..., 2, 1] = -y, x
    sin, cos = np.sin(angle)[..., None, None], np.cos(angle)[..., None, None]
    return np.asarray(np.eye(3) + sin * cross + (1 - cos) * cross @ cross, np.float64)


def _sides(flat: Quads) -> tuple[Floats, Floats]:
    """Mean lengths of the two pairs of opposite sides, the shorter first."""
    lengths = np.linalg.norm(np.roll(flat, -1, axis=1) - flat, axis=2)
    pairs = (lengths[:, :2] + lengths[:, 2:]) / 2
    return pairs.min(axis=1), pairs.max(axis=1)


def _turns(flat: Quads) -> Floats:
    """Direction of each outline's long axis, degrees, a half turn being none."""
    sides = np.roll(flat, -1, axis=1) - flat
    one, other = sides[:, 0] - sides[:, 2], sides[:, 1] - sides[:, 3]
    long = np.where((np.linalg.norm(one, axis=1) > np.linalg.norm(other, axis=1))[:, None], one, other)
    return np.asarray(np.degrees(np.arctan2(long[:, 1], long[:, 0])) % 180, np.float64)


def _starts(flat: Quads) -> Iterator[tuple[Floats, Flags]]:
    """Leans and distances of the plane at which outlines in many places come out as cards, of several sizes.

    Yields:
        the numbers to begin with, and which outlines voted for them.
    """
    votes: list[tuple[float, float, Floats, Flags]] = []
    for tilt, ways in _START_TILTS:
        for way in ways:
            lean = np.radians(tilt) * np.array([np.cos(np.radians(way)), np.sin(np.radians(way))])
            votes += _votes(flat, np.array([*lean, np.log(_USUAL_FOCAL), 0.0, 0.0, 0.0, POKER_MM]))
    votes.sort(key=lambda vote: -vote[0])
    taken: list[tuple[float, int]] = []
    for _, size, values, voters in votes:
        near = [i for i, (other, _) in enumerate(taken) if abs(np.log(size / other)) < 0.06]
        if not near and len(taken) < _SCALES_TRIED:
            taken.append((size, 1))
            yield values, voters
        elif near and taken[near[0]][1] < _STARTS_A_SCALE:
            taken[near[0]] = (taken[near[0]][0], taken[near[0]][1] + 1)
            yield values, voters


def _votes(flat: Quads, values: Floats) -> list[tuple[float, float, Floats, Flags]]:
    """Places agreeing, size in the picture, values and voters, for each distance that makes cards of some outlines."""
    plane = mapped(homography_of(values), flat)
    short, long = _sides(plane)
    shape = short / long
    likely = np.minimum(np.abs(shape - POKER_MM / LONG_MM), np.abs(shape - BRIDGE_MM / LONG_MM)) < 0.07
    logs = np.log(long)
    middles = plane.mean(axis=1)
    sizes = _sides(flat)[1]
    turns = _turns(plane)
    votes: list[tuple[float, float, Floats, Flags]] = []
    for level in np.unique(np.round(logs[likely] / 0.03)) * 0.03:
        alike = likely & (np.abs(logs - level) < 0.05)
        # Most cards of a layout lie nearly parallel, and what is no card lies any way.
        for turn in np.unique(np.round(turns[alike] / _PARALLEL)) * _PARALLEL:
            near = alike & (np.abs((turns - turn + 90) % 180 - 90) < _PARALLEL)
            chosen = values.copy()
            chosen[3] = np.log(LONG_MM) - level
            votes.append((_places_at(middles[near], 0.3 * np.exp(level)), float(np.median(sizes[near])), chosen, near))
    return votes


def _places(flat: Quads) -> int:
    """How many outlines there are, those about the same place counted once."""
    return _places_at(flat.mean(axis=1), float(_sides(flat)[0].mean()) * 0.4) if len(flat) else 0


def _places_at(middles: Points, near: float) -> int:
    count = 0
    left = middles
    while len(left):
        count += 1
        left = left[np.abs(left - left[0]).max(axis=1) > near]
    return count


_PRIORS: Final[Sequence[tuple[int, float, float]]] = (
    (2, float(np.log(_USUAL_FOCAL)), _FOCAL_SPREAD),
    (4, 0.0, _OFF_MODEL),
    (5, 0.0, _OFF_MODEL),
)
"""Place among the values, mean and deviation of what is known beforehand."""

_FREE: Final = 6
_STEP: Final = 1e-6


def _fitted(flat: Quads, start: Floats, width: float, deviation: float, slack: float = 0.0) -> tuple[Floats, float]:
    """Gauss and Newton's best fit, with outliers counted less and less; the values and the cost."""
    values = start.copy()
    values[6] = width

    corners = flat.reshape(-1, 2)
    steps = _STEP * np.eye(len(values))[:_FREE]

    def residuals(at: Floats) -> Floats:
        homographies = homography_of(at)
        there = corners @ np.swapaxes(homographies[..., :2], -1, -2) + homographies[..., None, :, 2]
        there = (there[..., :2] / there[..., 2:]).reshape(*at.shape[:-1], *flat.shape)
        return card_errors(there, width, slack).reshape(*at.shape[:-1], len(flat), 8) / deviation

    loose = max(2.0, 4 * _ROUGH_MM / deviation)
    for _ in range(30):
        # All at once: what each step costs is mostly numpy's overhead.
        off, *nudged = residuals(values + np.concatenate([np.zeros((1, len(values))), steps]))
        weight = 1 / (1 + (off**2).mean(axis=1) / loose**2) ** 2
        slopes = (np.array(nudged) - off) / _STEP
        curve = np.einsum("inj,n,knj->ik", slopes, weight, slopes)
        pull = np.einsum("inj,n,nj->i", slopes, weight, off)
        for i, mean, spread in _PRIORS:
            curve[i, i] += 1 / spread**2
            pull[i] += (values[i] - mean) / spread**2
        move = np.clip(-np.linalg.solve(curve + 1e-3 * np.diag(np.diag(curve)), pull), -0.3, 0.3)
        values[:_FREE] += move
        values[:2] = np.clip(values[:2], -1.0, 1.0)
        values[2] = np.clip(values[2], -2.0, 2.0)
        if loose == 2.0 and float(np.abs(move).max()) < 1e-7:
            break
        loose = max(2.0, loose * 0.8)
    off = residuals(values)
    # The cost that belongs to the weights: bounded, so that an outlier costs the same wherever it lies.
    squared = (off**2).mean(axis=1) / loose**2
    cost = float(4 * loose**2 * (squared / (1 + squared)).sum())
    return values, cost + sum(0.5 * ((values[i] - mean) / spread) ** 2 for i, mean, spread in _PRIORS)
