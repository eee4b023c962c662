"""The frames around a touch side by side: the pile enlarged, seen from above, and the whole table under each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from referee.record.overlay import CALM, DARK, DIM, LIGHT, TOUCH, Span, outline, wrapped, write
from referee.record.sight import Sight
from referee.record.stills import Still
from referee.table import Zone
from referee.vision.frames import Image

TILE: Final = 320
"""Width of a frame on the sheet, px; the pile is shown as high as wide."""

FRAMES: Final = 8
ROW: Final = 4
GAP: Final = 8
HEAD: Final = 30
TEXT: Final = 14.0

CERTAIN_S: Final = 0.1
"""A wider interval of first touch has many frames in which it may be."""


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """A frame as the sheet shows it: uint8 BGR pictures, ``closeup`` (TILE, TILE, 3) where the zones are known."""

    t: float
    closeup: Image | None
    whole: Image


def tile(still: Still, sight: Sight | None, zone: Zone | None) -> Tile:
    """The two pictures of a frame, the zone outlined in both."""
    height, width = still.image.shape[:2]
    scale = TILE / width
    whole = np.asarray(cv2.resize(still.image, (TILE, round(height * scale)), interpolation=cv2.INTER_AREA), np.uint8)
    if sight is None or zone is None or zone not in sight.boxes:
        return Tile(still.t, None, whole)
    outline(whole, sight.outline(zone) * scale, CALM, 1)
    return Tile(still.t, sight.closeup(still.image, zone, TILE), whole)


def chosen(tiles: Sequence[Tile], span: Span) -> list[Tile]:
    """The frames worth showing: as many before the touch as after it, none left out between."""
    if len(tiles) <= FRAMES:
        return list(tiles)
    inside = [number for number, one in enumerate(tiles) if span.touch_from <= one.t <= span.touch_to]
    if not inside:
        inside = [max((number for number, one in enumerate(tiles) if one.t <= span.touch_to), default=0)]
    if len(inside) > FRAMES - 2:
        # Too many to show: evenly spread, with one before and one after.
        spread = np.linspace(inside[0] - 1, inside[-1] + 1, FRAMES).round().astype(int)
        return [tiles[number] for number in np.unique(spread.clip(0, len(tiles) - 1))]
    first = inside[0] - (FRAMES - len(inside)) // 2
    first = min(max(first, 0), len(tiles) - FRAMES)
    return list(tiles[first : first + FRAMES])


def sheet(tiles: Sequence[Tile], span: Span, text: str) -> Image:
    """The sheet.

    Args:
        tiles: frames in order of time, one at least.
        span: says when the touch was.
        text: written above.

    Returns:
        uint8 array (H, W, 3), BGR.
    """
    columns = min(ROW, len(tiles))
    rows = -(-len(tiles) // columns)
    tall = HEAD + (0 if tiles[0].closeup is None else TILE + 2) + tiles[0].whole.shape[0]
    width = columns * (TILE + GAP) + GAP
    lines = wrapped(text, width - 2 * GAP, TEXT)
    top = GAP + round(len(lines) * TEXT * 2)
    image = np.full((top + rows * (tall + GAP) + GAP, width, 3), DARK, np.uint8)
    for number, line in enumerate(lines):
        write(image, line, GAP, GAP + TEXT * (1.3 + 2 * number), TEXT)
    mark = "touch" if span.touch_to - span.touch_from <= CERTAIN_S else "touch?"
    for number, one in enumerate(tiles):
        x, y = GAP + number % columns * (TILE + GAP), top + number // columns * (tall + GAP)
        until = tiles[number + 1].t if number + 1 < len(tiles) else one.t
        touching = span.touching(one.t, until)
        _draw(image, one, x, y, mark if touching else "", f"{(one.t - span.touch_from) * 1000:+.0f} ms")
    return image


def _draw(image: Image, one: Tile, x: int, y: int, mark: str, since: str) -> None:
    write(image, f"{one.t:.3f} s", x, y + HEAD - 9, 13.0, TOUCH if mark else LIGHT)
    write(image, since, x + TILE * 0.42, y + HEAD - 9, 11.0, TOUCH if mark else DIM)
    if mark:
        write(image, mark, x + TILE * 0.78, y + HEAD - 9, 13.0, TOUCH)
    y += HEAD
    for part in (one.closeup, one.whole):
        if part is not None:
            image[y : y + part.shape[0], x : x + TILE] = part
            if mark:
                cv2.rectangle(image, (x, y), (x + TILE - 1, y + part.shape[0] - 1), TOUCH, 2)
            y += part.shape[0] + 2
