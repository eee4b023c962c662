"""How large a card is among outlines of piles: no pile is smaller than a card, and most are somewhat larger."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from referee.calibrate.deal.card_plane import LONG_MM, Floats
from referee.calibrate.deal.outlines import Quads

_MEAN_EXCESS_MM: Final = (0.15, 0.4, 0.7, 1.0, 1.5, 2.2)
_MEASURED_MM: Final = 0.3
"""Deviation of a measured side."""

_STRAY: Final = 0.01
_GROWTHS: Final = np.arange(-0.04, 0.0401, 0.001)


def card_growth(flat: Quads, width: float) -> float:
    """How much larger than ``width`` by 88 a card is, in outlines (N, 4, 2) in mm, as a share.

    Sides are taken for a card's, plus an excess that is never negative and as often small as not (an exponential
    distribution of some mean), plus what is measured wrongly.
    """
    lengths = np.linalg.norm(np.roll(flat, -1, axis=1) - flat, axis=2)
    pairs = (lengths[:, :2] + lengths[:, 2:]) / 2
    measured = np.concatenate([pairs.min(axis=1), pairs.max(axis=1)])
    nominal = np.repeat([width, LONG_MM], len(flat))
    excess = measured - (1 + _GROWTHS[:, None]) * nominal
    likely = np.array([_log_density(excess, mean).sum(axis=1) for mean in _MEAN_EXCESS_MM])
    weights = np.exp(likely - likely.max()).sum(axis=0)
    return float((weights * _GROWTHS).sum() / weights.sum())


def _log_density(excess: Floats, mean: float) -> Floats:
    """Of an exponential excess measured with a normal error, with a few strays anywhere."""
    below = (_MEASURED_MM / mean - excess / _MEASURED_MM) / math.sqrt(2)
    tail = np.array([0.5 * math.erfc(value) for value in below.ravel()]).reshape(below.shape)
    exponent = np.minimum(_MEASURED_MM**2 / (2 * mean**2) - excess / mean, 600.0)
    return np.asarray(np.log(np.exp(exponent) * tail / mean + _STRAY), np.float64)
