"""First touch (PL-15): when a card came to lie where it was then seen, by looking back at small pictures of its zone.

The first picture in which the card lies in its final pose bounds the touch from above, the last one that shows it
elsewhere bounds it from below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Pictures: TypeAlias = npt.NDArray[np.uint8]
Picture: TypeAlias = npt.NDArray[np.uint8]
Mask: TypeAlias = npt.NDArray[np.bool_]

CONTRAST: Final = 24
"""Least difference in grey that tells two pictures of a place apart."""

LEAST: Final = 0.3
"""Share of the telling pixels that look as in the end, and go on to, once the card lies there; fingers hide others."""

LANDING: Final = 0.07
"""A card that is still coming down looks different so much later, s."""

STEADY: Final = 0.6
"""Once it lies, the share of pixels that look as in the end is at least this part of what it will be then."""

UNTOUCHED: Final = 0.47
"""Share of the telling pixels that look as before while nobody moved what lay there; fingers hide others."""

LASTING: Final = 0.8
"""Share of the pictures up to the end in which a pixel must look as in the end."""

FEWEST: Final = 40
"""Telling pixels below which nothing can be told."""

UNCOVERED: Final = 0.25
"""Share of the telling pixels that look as before while the place is seen at all."""

HIDDEN: Final = 0.2
"""What covers a place for longer than this before a card is seen there is not the card alone, s."""


@dataclass(frozen=True, slots=True)
class Interval:
    """When something happened, s: after ``t_from`` and not after ``t_to``."""

    t_from: float
    t_to: float


def usual(pictures: Pictures) -> Picture:
    """What a place mostly looks like in ``pictures``, (N, height, width): hands that pass are left out."""
    return np.asarray(np.median(pictures, axis=0), np.uint8)


def arrival(
    times: Sequence[float], pictures: Pictures, before: Picture, final: Picture, lying: int, *, turned: bool = False
) -> Interval:
    """When the card that lies there in picture number ``lying`` came to lie there.

    Where an arm hid the place until the card was seen there, that is no better known than from when to when it did.

    Args:
        times: of the pictures, s, in order.
        pictures: uint8 array (N, height, width), grey.
        before: uint8 array (height, width): the place as it was before, with nothing over it.
        final: the same with the card in its final pose.
        lying: number of a picture in which the card surely lies in its final pose.
        turned: whether the card was turned over where it lies, with a hand about it all the time.
    """
    telling = _apart(final, before) & _drawn(final)
    if telling.sum() < FEWEST:
        return Interval(times[0], times[lying])
    as_lying = _alike(pictures[: lying + 1], final, telling)
    # Fingers leave the card later than they put it down: each pixel has its own first moment of looking as in the end.
    counts = np.arange(lying + 1, 0, -1)[:, None]
    lasting = as_lying & (np.cumsum(as_lying[::-1], axis=0)[::-1] >= LASTING * counts)
    shares = _shares(lasting, final, telling)
    first = _first_steady(times, shares, lying)
    last = max(first - 1, 0)
    if not turned and first:
        seen = np.flatnonzero(_alike(pictures[:first], before, telling).mean(axis=1) >= UNCOVERED)
        uncovered = int(seen[-1]) if len(seen) else 0
        if times[first] - times[uncovered] > HIDDEN:
            last = uncovered
    return Interval(times[last], times[first])


def _first_steady(times: Sequence[float], shares: npt.NDArray[np.float64], lying: int) -> int:
    """The first picture in which all is in its place that does not lie under fingers for longer than the landing."""
    for number in np.flatnonzero(shares >= LEAST).tolist():
        soon = min(int(np.searchsorted(times, times[number] + LANDING)), lying)
        if shares[number] >= STEADY * shares[soon]:
            return int(number)
    return lying


def departure(times: Sequence[float], pictures: Pictures, before: Pictures, gone: int) -> Interval:
    """When what lay there ``before`` began to go, if in picture number ``gone`` it surely is gone."""
    telling = _apart(pictures[gone], before) & _drawn(before)
    # After a gap the first picture may show it gone already.
    if not gone or telling.sum() < FEWEST:
        return Interval(times[0], times[gone])
    shares = _shares(_alike(pictures[:gone], before, telling), before, telling)
    untouched = np.flatnonzero(shares >= UNTOUCHED)
    last = int(untouched[-1]) if len(untouched) else 0
    return Interval(times[last], times[last + 1])


def _apart(one: Picture, other: Picture) -> Mask:
    return np.asarray(np.abs(one.astype(np.int16) - other) > CONTRAST, np.bool_)


def _drawn(picture: Picture) -> Mask:
    """Where a picture has edges, so that it looks different when it lies a little elsewhere."""
    padded = np.pad(picture.astype(np.int16), 1, mode="edge")
    across = np.abs(padded[1:-1, 2:] - padded[1:-1, :-2])
    down = np.abs(padded[2:, 1:-1] - padded[:-2, 1:-1])
    return np.asarray(np.maximum(across, down) > CONTRAST, np.bool_)


def _darker_than_around(picture: Picture) -> Mask:
    """Which pixels are darker than the mean of their eight neighbours and themselves."""
    padded = np.pad(picture.astype(np.int16), 1, mode="edge")
    height, width = picture.shape
    around = sum(padded[y : y + height, x : x + width] for y in range(3) for x in range(3))
    return np.asarray(9 * picture.astype(np.int16) < around, np.bool_)


def _alike(pictures: Pictures, picture: Picture, where: Mask) -> npt.NDArray[np.bool_]:
    """Which of the pixels ``where`` look in each of ``pictures`` as in ``picture``: (N, pixels)."""
    return np.asarray(np.abs(pictures[:, where].astype(np.int16) - picture[where]) <= CONTRAST, np.bool_)


def _shares(alike: npt.NDArray[np.bool_], picture: Picture, where: Mask) -> npt.NDArray[np.float64]:
    """The share of pixels that look alike in each picture.

    White moves over white unnoticed: only where light and dark both look alike is it the same thing in the same place.
    """
    dark = _darker_than_around(picture)[where]
    sides = [side for side in (dark, ~dark) if side.any()]
    return np.asarray(np.min([alike[:, side].mean(axis=1) for side in sides], axis=0), np.float64)
