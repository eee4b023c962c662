"""What telling one card from another costs, beside ultralytics' own loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from referee.train.shelves import NOTHING, Batch

if TYPE_CHECKING:
    import torch

_BESIDE: Final = 0.75
"""Cells from an index within which a place has to tell what it says."""

_INNER: Final = 0.25
"""Places nearer to a card's middle than this share of its box's sides have to tell which card it is."""


def apart(found: Any, batch: Batch, strides: Sequence[int]) -> torch.Tensor:
    """How badly the places about each card's middle, and those at its indexes, tell it from other cards.

    Ultralytics asks of each class alone whether it is there, which most of the time it is not; what one rank has that
    another lacks is learnt faster where they stand against each other. And it asks the places about the middle, where
    the picture is: a letter in the corner is learnt faster where it stands.

    Args:
        found: what the network answers in training.
        batch: what it looked at.
        strides: pixels from place to place, for each grid that reports.

    Returns:
        The sum of both mean cross entropies, over the crops that show anything.
    """
    import torch

    scores = found.get("one2many", found)["scores"].float()
    there = np.flatnonzero(batch.classes != NOTHING)
    if not there.size:
        return torch.zeros((), device=scores.device)
    weights = torch.from_numpy(_asked(batch, there, strides)).to(scores.device)
    surprise = torch.nn.functional.cross_entropy(
        scores[torch.from_numpy(there).to(scores.device)],
        torch.from_numpy(batch.classes[there])[:, None].expand(-1, scores.shape[2]).to(scores.device),
        reduction="none",
    )
    return (surprise * weights).sum() / len(batch.classes)


def _asked(batch: Batch, there: npt.NDArray[np.intp], strides: Sequence[int]) -> npt.NDArray[np.float32]:
    """Weight (crops, places) of every place's opinion about the crops ``there``."""
    x, y, cell = _places(batch.images.shape[1], strides)
    boxes, indexes = batch.boxes[there], batch.indexes[there]
    middle, half = (boxes[:, :2] + boxes[:, 2:]) / 2, _INNER * (boxes[:, 2:] - boxes[:, :2])
    inner = np.abs(x - middle[:, :1]) <= np.maximum(half[:, :1], cell)
    inner &= np.abs(y - middle[:, 1:]) <= np.maximum(half[:, 1:], cell)
    # Comparisons with NaN are false, so indexes that do not show ask nothing.
    beside = np.hypot(x - indexes[:, :, :1], y - indexes[:, :, 1:]) <= _BESIDE * cell
    weights = np.zeros(inner.shape, np.float32)
    for chosen in (inner, beside.any(axis=1)):
        weights += chosen / np.maximum(chosen.sum(axis=1, keepdims=True), 1)
    return weights


def _places(side: int, strides: Sequence[int]) -> tuple[npt.NDArray[np.float64], ...]:
    """Where the places of all grids lie in a crop: x (places,) and y (places,), px; and how far apart they are."""
    grids = []
    for stride in strides:
        at = (np.arange(side // stride) + 0.5) * stride
        grids.append((np.tile(at, len(at)), np.repeat(at, len(at)), np.full(len(at) ** 2, float(stride))))
    x, y, cell = (np.concatenate(parts) for parts in zip(*grids, strict=True))
    return x, y, cell
