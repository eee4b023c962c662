"""Printed mats: a ground and a grid of fields for another game's cards, which lie about a zone as they happen to."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from referee.table import Box
from referee.train.drawing.light import Colour
from referee.train.drawing.situation import Print

_REACH: Final = 110.0
"""Millimetres from a zone's middle that its crop may show."""

_FINEST: Final = 24.0


def printed_mat(rng: np.random.Generator, box: Box) -> tuple[Print, ...]:
    """The ground first, then its fields, in any size and place about the zone ``box``."""
    turn = box.angle + float(rng.normal(0, 8)) if rng.random() < 0.7 else float(rng.uniform(0, 360))
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def placed(along: float, down: float, width: float, height: float, colour: Colour, line: float | None) -> Print:
        at = Box(box.x + along * cos - down * sin, box.y + along * sin + down * cos, box.width, box.height, turn)
        return Print(at, width, height, colour, line)

    size = 4 * _REACH
    # Of half the mats an edge runs through the crop.
    off = (size / 2 + float(rng.uniform(-60, 60))) if rng.random() < 0.5 else float(rng.uniform(-40, 40))
    aside = float(rng.uniform(-60, 60))
    prints = [placed(off, aside, size, size, _colour(rng), None)]
    if rng.random() < 0.4:
        prints.append(placed(off, aside, size - 12, size - 12, _colour(rng), None))
    across, down = (float(value) for value in np.exp(rng.uniform(math.log(_FINEST), math.log(200), 2)))
    share_x, share_y = rng.uniform(0.45, 0.92, 2).tolist()
    start_x, start_y = rng.uniform(-0.5, 0.5, 2).tolist()
    fields, line = _colour(rng), float(rng.uniform(0.6, 4)) if rng.random() < 0.3 else None
    left = off - size / 2
    for column in range(-math.ceil(_REACH / across), math.ceil(_REACH / across) + 1):
        for row in range(-math.ceil(_REACH / down), math.ceil(_REACH / down) + 1):
            x, y = (column + start_x) * across, (row + start_y) * down
            if x - across / 2 > left:
                prints.append(placed(x, y, share_x * across, share_y * down, fields, line))
    return tuple(prints)


def _colour(rng: np.random.Generator) -> Colour:
    blue, green, red = rng.uniform(10, 240, 3).tolist()
    return (blue, green, red) if rng.random() < 0.8 else (green, green, green)
