"""What people write on command lines and in calls, read once and in one way."""

from __future__ import annotations

import math
import re
from typing import Final, TypeAlias

from referee.errors import UserError

Points: TypeAlias = tuple[tuple[float, float], ...]

_LEAST_MM: Final = 200
_MOST_MM: Final = 3000


def parse_names(text: str) -> tuple[str, str]:
    """The two players' names, written ``Ada,Bo``; a UserError if these are not two."""
    names = tuple(name.strip() for name in text.split(","))
    if len(names) != 2 or not all(names) or '"' in text:
        raise UserError(f'{text!r} are not the names of two players: write --names "Ada,Bo"')
    return names[0], names[1]


def parse_corners(text: str) -> Points:
    """Four corners in pixels, written ``x,y x,y x,y x,y``; a UserError if these are not four pairs of numbers."""
    try:
        points = tuple((float(x), float(y)) for x, y in (pair.split(",") for pair in text.replace(";", " ").split()))
    except ValueError:
        points = ()
    if len(points) != 4 or not all(math.isfinite(value) for point in points for value in point):
        raise UserError(
            f"{text!r} are not four corners: write those of the table in pixels, top left, top right, bottom right and "
            'bottom left as seat A sees it, "154,19 1095,13 1144,673 94,662"'
        )
    return points


def parse_size(text: str) -> tuple[float, float]:
    """A table's width and height in mm, written ``900x600``; a UserError if it is none, or one that no table has."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*[xX×]\s*(\d+(?:\.\d+)?)\s*", text)
    size = (float(found[1]), float(found[2])) if found else (0.0, 0.0)
    if not all(_LEAST_MM <= side <= _MOST_MM for side in size):
        wanted = f"{_LEAST_MM} to {_MOST_MM}"
        raise UserError(
            f"{text!r} is no size of a table: write width x height in mm, each {wanted}, for example 900x600"
        )
    return size
