"""The colours of each player's arm and sleeve, learnt while it is alone, to tell arms apart where they overlap."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from referee.table import Seat
from referee.vision.foreground import Mask, Picture

SHADES: Final = 12
"""Levels that are told apart in each of the three colours."""

FORGET: Final = 0.97
"""What is left of what was learnt after each further picture."""

RARE: Final = 0.005
"""Share of an arm's pixels that any colour may have without having been seen."""

CLEAR: Final = 1.5
"""How much likelier one player's colour is, as a logarithm, before it says whose a pixel is."""

NEAR: Final = 2.0
"""What being at a player's own edge weighs against the colour, as a logarithm; in the middle it says nothing."""

Values: TypeAlias = npt.NDArray[np.float64]

_SHADE: Final = np.minimum((SHADES * np.log2((np.arange(256) + 8) / 8) / 5.05).astype(np.int64), SHADES - 1)


class ArmColours:
    """What colours the arms have."""

    def __init__(self) -> None:
        self._counts = np.zeros((len(Seat), SHADES**3))

    def learn(self, seat: int, picture: Picture, arm: Mask) -> None:
        """Take in the pixels of ``picture``, uint8 (H, W, 3), that are surely the arm of ``seat``."""
        self._counts[seat] *= FORGET
        self._counts[seat] += np.bincount(_shades(picture[arm]), minlength=SHADES**3)

    def alike(self, picture: Picture, region: Mask) -> tuple[Mask, Mask]:
        """The pixels of ``region`` whose colour is clearly A's, and clearly B's."""
        shares = [_smooth(counts) for counts in self._counts]
        evidence = np.zeros(region.shape)
        if all(one.any() for one in shares):
            here = _shades(picture[region])
            place = np.broadcast_to(np.linspace(-NEAR, NEAR, len(region))[:, None], region.shape)[region]
            evidence[region] = np.log((shares[0][here] + RARE) / (shares[1][here] + RARE)) + place
        return evidence > CLEAR, evidence < -CLEAR


def _shades(pixels: Picture) -> npt.NDArray[np.int64]:
    """For pixels (N, 3) the numbers (N,) of their colours."""
    blue, green, red = _SHADE[pixels].T
    return np.asarray((blue * SHADES + green) * SHADES + red, np.int64)


def _smooth(counts: Values) -> Values:
    """The shares of colours, neighbours taken in."""
    grid = counts.reshape(SHADES, SHADES, SHADES) / max(counts.sum(), 1.0)
    for axis in range(3):
        near = np.roll(grid, 1, axis) + np.roll(grid, -1, axis)
        grid = 0.5 * grid + 0.25 * near
    return np.asarray(grid.reshape(-1), np.float64)
