"""What is measured, and how: rates that are compared within one run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

REPEATS: Final = 5
"""Each figure is the best of so many runs: the least disturbed one."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the result.

    Attributes:
        name: what was done.
        rate: how often a second.
        unit: what is counted.
        ratio: of this rate to the first of the same unit, in the same run.
    """

    name: str
    rate: float
    unit: str
    ratio: float


@dataclass(frozen=True, slots=True)
class Stage:
    """Something to time.

    Attributes:
        name: what it is.
        unit: what it makes.
        count: how many in a run.
        run: does it.
    """

    name: str
    unit: str
    count: int
    run: Callable[[], object]


def measure(stages: Sequence[Stage], repeats: int = REPEATS) -> list[Figure]:
    """Time the stages, taken in turn so that a busy moment of the machine falls on all alike."""
    best = [float("inf")] * len(stages)
    for _ in range(repeats):
        for index, stage in enumerate(stages):
            begun = time.perf_counter()
            stage.run()
            best[index] = min(best[index], time.perf_counter() - begun)
    rates = [stage.count / seconds for stage, seconds in zip(stages, best, strict=True)]
    first: dict[str, float] = {}
    for stage, rate in zip(stages, rates, strict=True):
        first.setdefault(stage.unit, rate)
    return [
        Figure(stage.name, rate, stage.unit, rate / first[stage.unit])
        for stage, rate in zip(stages, rates, strict=True)
    ]
