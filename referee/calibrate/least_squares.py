"""Least squares for a handful of unknowns, by Levenberg and Marquardt's method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

ROUNDS: Final = 40
STEP: Final = 1e-6


def least_squares(missing: Callable[[Floats], Floats], start: Floats, scale: Floats) -> Floats:
    """The unknowns for which the sum of squares of ``missing`` is least.

    Args:
        missing: residuals (M,) for unknowns (N,), M >= N.
        start: where the search begins, (N,).
        scale: about by how much each unknown may change, (N,), positive.

    Returns:
        The unknowns (N,), at the nearest minimum.
    """
    values, damping = start, 1e-3
    residual = missing(values)
    for _ in range(ROUNDS):
        steps = np.diag(STEP * scale)
        slopes = np.stack([(missing(values + step) - residual) / STEP for step in steps], axis=1)
        normal = slopes.T @ slopes
        damped = normal + damping * np.diag(np.diag(normal) + 1e-12)
        tried = values - np.linalg.solve(damped, slopes.T @ residual) * scale
        after = missing(tried)
        gain = float(residual @ residual - after @ after)
        if not gain > 0:
            damping *= 8
            if damping > 1e12:
                break
            continue
        values, residual, damping = tried, after, damping / 4
        if gain < 1e-9 * float(after @ after) + 1e-15:
            break
    return values
