"""From what a network finds in a crop to probabilities of what lies there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from referee.readings import EMPTY, OUTCOMES

Floats: TypeAlias = npt.NDArray[np.float32]
Doubles: TypeAlias = npt.NDArray[np.float64]
Places: TypeAlias = npt.NDArray[np.intp]

HIDDEN: Final = -1
"""What a class means that says that nothing of the zone can be seen; other classes mean places in ``readings``."""

_VOICES: Final = 8
"""How many of the network's places have a say in what the card is."""

_SAME: Final = 0.5
"""Overlap of boxes, intersection over union, from which two places speak of the same card."""

_LEAST: Final = 1e-7
"""Nearest to 0 and 1 that a score is taken to be: single precision tells no nearer."""

_NEVER: Final = -30.0
"""Logit of an outcome that the network has no class for."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What turns a network's logits into probabilities, found on crops it was not trained on.

    Attributes:
        temperature: what logits are divided by.
        empty: logit of an empty zone, which has no class of its own.
        hidden: what is added to the logit of the class that says that nothing shows.
    """

    temperature: float = 1.0
    empty: float = -1.0
    hidden: float = 0.0


def gather(found: Floats) -> tuple[Doubles, Doubles]:
    """The logits (N, classes) and boxes (N, 4), x1, y1, x2, y2, of what the network is surest of in each of N crops.

    Neighbouring places see the same card each in its own way; their opinions are averaged.

    Args:
        found: float32 array (N, 4 + classes, places) as `referee.vision.engine.Engine` gives it.
    """
    order = (-found[:, 4:].max(axis=1)).argsort(axis=1, kind="stable")[:, :_VOICES]
    # Few and plain steps: with one crop at a time each costs as much as what it works on.
    voices = found.transpose(0, 2, 1)[np.arange(len(found))[:, None], order].astype(np.float64)
    boxes, scores = np.empty((*order.shape, 4)), voices[:, :, 4:]
    half = voices[:, :, 2:4] / 2
    np.subtract(voices[:, :, :2], half, out=boxes[:, :, :2])
    np.add(voices[:, :, :2], half, out=boxes[:, :, 2:])
    same = _overlap(boxes, boxes[:, :1]) >= _SAME
    same[:, 0] = True
    weights = scores.max(axis=2) * same
    weights /= np.maximum(weights.sum(axis=1, keepdims=True), _LEAST)
    each = weights[:, None]
    return (each @ log_odds(scores))[:, 0], (each @ boxes)[:, 0]


def log_odds(scores: npt.NDArray[np.floating]) -> Doubles:
    """Logits of scores of 0..1."""
    clipped = np.minimum(np.maximum(scores.astype(np.float64), _LEAST), 1 - _LEAST)
    return np.asarray(np.log(clipped) - np.log1p(-clipped), np.float64)


def probabilities(evidence: Doubles, means: Places, calibration: Calibration) -> tuple[Doubles, Doubles]:
    """What the logits of crops say.

    Args:
        evidence: (N, classes) logits.
        means: (classes,) what each class means, places in ``readings`` or ``HIDDEN``.
        calibration: how to take them.

    Returns:
        Natural logarithms (N, OUTCOMES) of the probabilities of what lies there, given that it can be seen, and the
        probabilities (N,) that nothing can be seen.
    """
    logits = np.full((len(evidence), OUTCOMES), _NEVER)
    cards = means != HIDDEN
    np.maximum.at(logits.T, means[cards], evidence[:, cards].T)
    logits[:, EMPTY] = calibration.empty
    logits /= calibration.temperature
    seen = np.logaddexp.reduce(logits, axis=1)
    hidden = np.zeros(len(evidence))
    if not cards.all():
        over = (evidence[:, ~cards].max(axis=1) + calibration.hidden) / calibration.temperature
        hidden = np.exp(over - np.logaddexp(over, seen))
    return logits - seen[:, None], hidden


def _overlap(boxes: Doubles, others: Doubles) -> Doubles:
    """Intersection over union (N, places) of boxes (N, places, 4) with others (N, places or 1, 4)."""
    shared = _area(np.maximum(boxes[:, :, :2], others[:, :, :2]), np.minimum(boxes[:, :, 2:], others[:, :, 2:]))
    whole = _area(boxes[:, :, :2], boxes[:, :, 2:]) + _area(others[:, :, :2], others[:, :, 2:]) - shared
    return np.asarray(shared / np.maximum(whole, 1e-9), np.float64)


def _area(low: Doubles, high: Doubles) -> Doubles:
    """The areas (N, places) of boxes from their corners (N, places, 2)."""
    sides = np.maximum(0, high - low)
    return np.asarray(sides[:, :, 0] * sides[:, :, 1], np.float64)
