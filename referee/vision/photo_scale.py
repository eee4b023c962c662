"""How large cards are in a photograph: what sizes to look for, and the photograph as it looks at one of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from referee.table import CARD_MM
from referee.vision.photo_outline import Tilt, card_heights, find_tilt, level_view
from referee.vision.rectify import CROP_MM, CROP_PX, Image, Points, TableView

CARD_PX: Final = CARD_MM[1] * CROP_PX / CROP_MM
"""Height of a card in a crop, pixels."""

STEP: Final = 1.28
"""From one size that is looked for to the next: the reader bears an eighth more or less."""

SMALLEST: Final = 36.0
"""Cards less high than this, in pixels of the photograph, cannot be read."""

_SMALLEST_PART: Final = 0.08
_LARGEST_PART: Final = 0.95


@dataclass(frozen=True, slots=True)
class PhotoScale:
    """A size and tilt of cards.

    Attributes:
        height: of a card, pixels of the photograph, were it not for the tilt.
        tilt: how the table is foreshortened.
    """

    height: float
    tilt: Tilt

    def view(self, x: float, y: float) -> TableView:
        """The table about image point (x, y), which is the centre of an upright card there."""
        return level_view((x, y), self.height, self.tilt)

    def straightened(self, image: Image) -> tuple[Image, Points]:
        """The whole photograph, uint8 (H, W, 3) BGR, with cards as large as in a crop and the tilt undone.

        Returns:
            that picture, and the matrix (2, 3) from its pixels to those of the photograph.
        """
        factor = CARD_PX / self.height
        way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
        height, width = (max(1, round(side * factor)) for side in image.shape[:2])
        scaled = np.asarray(cv2.resize(image, (width, height), interpolation=way), np.uint8)
        # Pixels are counted from their centres.
        back = np.array([[1 / factor, 0, 0.5 / factor - 0.5], [0, 1 / factor, 0.5 / factor - 0.5]])
        if self.tilt.squeeze > 0.97:
            return scaled, back
        corners = self.tilt.undo(np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64))
        corner = corners.min(axis=0)
        columns, rows = (math.ceil(side) for side in corners.max(axis=0) - corner)
        unpress = np.column_stack([self.tilt.undo(np.eye(2)).T, -corner])
        flat = cv2.warpAffine(scaled, unpress, (columns, rows), borderMode=cv2.BORDER_REPLICATE)
        press = cv2.invertAffineTransform(unpress)
        return np.asarray(flat, np.uint8), back @ np.vstack([press, [0, 0, 1]])

    def grid(self, width: int, height: int, step: float) -> list[tuple[float, float]]:
        """Image points all over a picture, ``step`` card heights apart."""
        away = step * self.height
        return [(x * away, y * away) for y in range(math.ceil(height / away)) for x in range(math.ceil(width / away))]


def all_scales(width: int, height: int) -> list[PhotoScale]:
    """Every size that cards can have in a picture of this size, seen from straight above; the largest first."""
    longest = max(width, height)
    size, scales = _LARGEST_PART * longest, []
    while size > max(SMALLEST, _SMALLEST_PART * longest):
        scales.append(PhotoScale(size, Tilt(1.0, 90.0)))
        size /= STEP
    return scales


def scales_of(quads: Sequence[Points], farther: float = 1.0) -> list[PhotoScale]:
    """Sizes that reach from the smallest to the largest of whole cards with these quads (4, 2), one at least.

    Args:
        quads: of the cards.
        farther: how many times larger and smaller the others may be besides.
    """
    stack = np.array(quads)
    tilt = find_tilt(stack)
    heights = np.sort(card_heights(tilt.undo(stack)))
    # Cards that are much larger or smaller than most were taken for cards by mistake.
    usual = float(np.median(heights))
    heights = heights[np.abs(np.log(heights / usual)) < math.log(2.2)]
    # Those not found yet may lie a little nearer or farther.
    low = max(SMALLEST, 0.9 * float(heights[0]) / farther)
    high = max(SMALLEST, 1.1 * float(heights[-1]) * farther)
    number = max(1, math.ceil(math.log(high / low) / math.log(STEP)))
    middle = math.sqrt(low * high)
    spread = (high / low) ** (1 / number)
    return [PhotoScale(middle * spread ** (place - (number - 1) / 2), tilt) for place in range(number)]
