"""Where the signs of number cards stand, as printers lay them out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

import numpy as np

Layout: TypeAlias = tuple[tuple[int, float], ...]
"""Column (0, 1, 2) and height of each sign, heights from the top row (0) to the bottom row (1)."""

_SIDES: Final = (0, 2)

_LAYOUTS: Final[Mapping[int, Layout]] = {
    1: ((1, 0.5),),
    2: ((1, 0.0), (1, 1.0)),
    3: ((1, 0.0), (1, 0.5), (1, 1.0)),
    4: tuple((c, r) for c in _SIDES for r in (0.0, 1.0)),
    5: (*((c, r) for c in _SIDES for r in (0.0, 1.0)), (1, 0.5)),
    6: tuple((c, r) for c in _SIDES for r in (0.0, 0.5, 1.0)),
    7: (*((c, r) for c in _SIDES for r in (0.0, 0.5, 1.0)), (1, 0.25)),
    8: (*((c, r) for c in _SIDES for r in (0.0, 0.5, 1.0)), (1, 0.25), (1, 0.75)),
    9: (*((c, r) for c in _SIDES for r in (0.0, 1 / 3, 2 / 3, 1.0)), (1, 0.5)),
    10: (*((c, r) for c in _SIDES for r in (0.0, 1 / 3, 2 / 3, 1.0)), (1, 1 / 6), (1, 5 / 6)),
}
"""As nearly all do it."""

_OTHER_LAYOUTS: Final[Mapping[int, tuple[Layout, ...]]] = {
    7: (
        (*((c, r) for c in _SIDES for r in (0.0, 0.5, 1.0)), (1, 0.5)),
        (*((c, r) for c in _SIDES for r in (0.0, 1 / 3, 2 / 3)), (1, 1.0)),
    ),
    8: (
        (*((c, r) for c in _SIDES for r in (0.0, 0.5, 1.0)), (1, 0.0), (1, 1.0)),
        tuple((c, r) for c in _SIDES for r in (0.0, 1 / 3, 2 / 3, 1.0)),
    ),
    9: (
        (*((c, r) for c in _SIDES for r in (0.0, 1 / 3, 2 / 3, 1.0)), (1, 1 / 6)),
        tuple((c, r) for c in range(3) for r in (0.0, 0.5, 1.0)),
    ),
    10: (
        (*((c, r) for c in _SIDES for r in (0.0, 1 / 3, 2 / 3, 1.0)), (1, 1 / 3), (1, 2 / 3)),
        (*((c, r) for c in _SIDES for r in (0.0, 1 / 3, 2 / 3, 1.0)), (1, 0.0), (1, 1.0)),
        tuple((c, r) for c in _SIDES for r in (0.0, 0.25, 0.5, 0.75, 1.0)),
    ),
}
"""Layouts of printers who did it otherwise."""


def random_layouts(rng: np.random.Generator) -> dict[int, Layout]:
    """The layouts of a deck's number cards, ace to ten: mostly the usual ones."""
    layouts = dict(_LAYOUTS)
    for rank, others in _OTHER_LAYOUTS.items():
        other = others[int(rng.integers(len(others)))]
        if rng.random() < 0.18:
            layouts[rank] = other
    return layouts
