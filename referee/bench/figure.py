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
        elsewhere: whether it is another process that works, so that only the clock on the wall tells.
    """

    name: str
    unit: str
    count: int
    run: Callable[[], object]
    elsewhere: bool = False


class Stopwatch:
    """Seconds that were worked, or that passed where several cores worked: what other programs take does not count."""

    def __init__(self) -> None:
        self._worked, self._passed = time.process_time(), time.perf_counter()

    def seconds(self, *, elsewhere: bool = False) -> float:
        """Seconds since it was made or last asked; with ``elsewhere`` those that passed, whoever worked."""
        worked, passed = time.process_time(), time.perf_counter()
        since = passed - self._passed if elsewhere else min(worked - self._worked, passed - self._passed)
        self._worked, self._passed = worked, passed
        return since


def measure(stages: Sequence[Stage], repeats: int = REPEATS) -> list[Figure]:
    """Time the stages, taken in turn so that a busy moment of the machine falls on all alike."""
    best = [float("inf")] * len(stages)
    for _ in range(repeats):
        for index, stage in enumerate(stages):
            watch = Stopwatch()
            stage.run()
            best[index] = min(best[index], watch.seconds(elsewhere=stage.elsewhere))
    return compared(
        [(stage.name, stage.unit, stage.count / seconds) for stage, seconds in zip(stages, best, strict=True)]
    )


def compared(rates: Sequence[tuple[str, str, float]]) -> list[Figure]:
    """Figures of names, units and rates, each beside the first of its unit."""
    first: dict[str, float] = {}
    for _, unit, rate in rates:
        first.setdefault(unit, rate)
    return [Figure(name, rate, unit, rate / first[unit]) for name, unit, rate in rates]
