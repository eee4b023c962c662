"""What stands out from the bare table: hands, sleeves and things, but neither their shadows nor a change of the light.

Shadows and exposure make everything darker or brighter, all three colours alike; skin on a table of the same brightness
differs in colour alone.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

Mask: TypeAlias = npt.NDArray[np.bool_]
Picture: TypeAlias = npt.NDArray[np.uint8]
Values: TypeAlias = npt.NDArray[np.float32]

COLOUR: Final = 0.085
"""Difference between the logarithms of the three colours' ratios that is no shadow's."""

BLUER: Final = 0.25
"""The same where everything is darker and red is gone more than blue: a lamp is warmer than what lights its shadows."""

DEEP: Final = -0.4
"""What is darker than this, as a logarithm, is no such shadow: a dark hand on brown wood looks like one."""

BRIGHTER: Final = 0.16
"""What is brighter than the table by this, as a logarithm, stands out; shadows are darker."""

SHADE: Final = -0.8
"""A shadow leaves more of the light than this, as a logarithm."""

NEUTRAL: Final = 0.05
"""Logarithms of ratios that differ by less are alike."""

NOISES: Final = 6.0
"""What stands out does so by so many times the sensor's noise at least."""

LEAST: Final = 12.0
"""And by so many grey levels at least."""

WOVEN: Final = 0.125
"""Neighbouring pixels of a woven cloth differ so much in the logarithms of their colours' ratios, half of them more."""

SHARED: Final = 0.7
"""What stands out from a woven cloth does so by this share of what it must, taken over its neighbours, too.

The coding of a film draws the weave anew wherever something moves or casts a shadow.
"""

FLOOR: Final = 4.0
"""Grey levels added to all, because ratios of black tell nothing."""

_LOG: Final = np.log(np.arange(256, dtype=np.float32) + np.float32(FLOOR))


class Foreground:
    """Tells what stands out from a table, and learns how noisy the pictures are."""

    def __init__(self) -> None:
        self._noise = 1.0
        self._woven: bool | None = None

    def of(self, picture: Picture, table: Picture, seen: Mask) -> Mask:
        """Where ``picture`` shows something else than ``table``, both uint8 (H, W, 3) BGR; only where ``seen``."""
        some = np.flatnonzero(seen)[::3]
        if not len(some):
            return np.zeros(seen.shape, np.bool_)
        ratios, expected = [], []
        for now, then in zip(cv2.split(picture), cv2.split(table), strict=True):
            logs = np.asarray(cv2.LUT(then, _LOG), np.float32)
            ratio = np.asarray(cv2.LUT(now, _LOG), np.float32) - logs
            # Most of a table is bare at any moment, so the median is what exposure and white balance did.
            ratios.append(ratio - middle(ratio.reshape(-1)[some]))
            expected.append(then + np.float32(FLOOR))
        light = (ratios[0] + ratios[1] + ratios[2]) / 3
        levels = _levels(ratios, light, expected)
        self._noise += 0.05 * (float(middle(levels.reshape(-1)[some])) - self._noise)
        least = max(LEAST, NOISES * self._noise)
        level = (expected[0] + expected[1] + expected[2]) / 3
        out = _stands_out(ratios, light, levels, level, least)
        if self._woven is None:
            self._woven = float(middle(_weave(table).reshape(-1)[some])) > WOVEN
        if self._woven:
            ratios = [np.asarray(cv2.blur(one, (3, 3)), np.float32) / np.float32(SHARED) for one in ratios]
            light = (ratios[0] + ratios[1] + ratios[2]) / 3
            out &= _stands_out(ratios, light, _levels(ratios, light, expected), level, least)
        closed = cv2.morphologyEx((out & seen).view(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        return np.asarray(closed, np.uint8).view(np.bool_)


def _stands_out(ratios: list[Values], light: Values, levels: Values, level: Values, least: float) -> Mask:
    """Where the ratios of the three colours, and the grey levels they amount to, are no shadow's."""
    blue, green, red = ratios
    bluer = (cv2.max(cv2.max(blue, green), red) < NEUTRAL) & (red < blue + NEUTRAL) & (light > DEEP)
    out = (_spread(ratios) > np.where(bluer, np.float32(BLUER), np.float32(COLOUR))) & (levels > least)
    out |= (light > BRIGHTER) & (light * level > 2 * least)
    out |= (light < SHADE) & (-light * level > least)
    return np.asarray(out, np.bool_)


def _levels(ratios: list[Values], light: Values, expected: list[Values]) -> Values:
    """The difference in colour in grey levels: ratios of a dark colour are noise."""
    return _spread([level * (ratio - light) for level, ratio in zip(expected, ratios, strict=True)])


def _weave(table: Picture) -> Values:
    """How much the colour of each pixel differs from its neighbours'."""
    logs = [np.asarray(cv2.LUT(one, _LOG), np.float32) for one in cv2.split(table)]
    return _spread([np.asarray(cv2.subtract(one, cv2.blur(one, (3, 3))), np.float32) for one in logs])


def middle(values: Values) -> np.float32:
    """The median of values (N,), at least one."""
    places = ((len(values) - 1) // 2, len(values) // 2)
    low, high = np.partition(values, places)[list(places)]
    return np.float32((low + high) / 2)


def unlike(pixels: Picture, others: Picture) -> npt.NDArray[np.bool_]:
    """Which of ``pixels`` (N, 3) differ from ``others`` (N, 3) by more than a shadow or a little light."""
    ratio = _LOG[pixels] - _LOG[others]
    light = ratio.mean(axis=1)
    out = (np.ptp(ratio, axis=1) > 2 * COLOUR) | (light > 2 * BRIGHTER) | (light < SHADE)
    return np.asarray(out, np.bool_)


def _spread(channels: list[Values]) -> Values:
    """The largest of three channels less the smallest, pixel by pixel."""
    high = cv2.max(cv2.max(channels[0], channels[1]), channels[2])
    low = cv2.min(cv2.min(channels[0], channels[1]), channels[2])
    return np.asarray(cv2.subtract(high, low), np.float32)


def most(difference: npt.NDArray[np.uint8] | cv2.typing.MatLike) -> npt.NDArray[np.uint8]:
    """The largest of three channels, (H, W)."""
    blue, green, red = cv2.split(np.asarray(difference, np.uint8))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)
