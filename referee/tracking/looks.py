"""The short memory of what was looked at, which first touch looks back on."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from referee.readings import Look
from referee.tracking.touch import Pictures

MEMORY: Final = 2.5
"""How far back pictures are kept, s."""


@dataclass(frozen=True, slots=True, eq=False)
class Past:
    """The last seconds of one zone.

    Attributes:
        times: of the frames, s, in order.
        pictures: uint8 array (N, height, width).
        covered: float32 array (N, 2), by arms of A and of B.
    """

    times: Sequence[float]
    pictures: Pictures
    covered: npt.NDArray[np.float32]

    def number(self, t: float) -> int:
        """The number of the frame at ``t``, or of the last before it."""
        return max(int(np.searchsorted(self.times, t + 1e-6)) - 1, 0)


class LookBack:
    """The looks of the last ``MEMORY`` seconds; memory is bounded by that."""

    def __init__(self) -> None:
        self._looks: deque[Look] = deque()

    def push(self, look: Look) -> None:
        """Remember ``look``, which is later than all before."""
        self._looks.append(look)
        while look.t - self._looks[0].t > MEMORY:
            self._looks.popleft()

    def since(self, t: float, zone: int) -> Past:
        """What zone number ``zone`` looked like from ``t`` on, and one frame before."""
        looks = list(self._looks)
        first = 0
        while first + 1 < len(looks) and looks[first + 1].t <= t:
            first += 1
        looks = looks[first:]
        return Past(
            [look.t for look in looks],
            np.stack([look.pictures[zone] for look in looks]),
            np.stack([look.covered[:, zone] for look in looks]),
        )
