"""How large a card is where in a photograph, as cards found in it tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from referee.vision.photo_outline import Tilt, card_heights, find_tilt, level_view
from referee.vision.rectify import Points, TableView

_ENOUGH: Final = 5


@dataclass(frozen=True, slots=True, eq=False)
class PhotoScale:
    """Size and tilt of cards in a photograph.

    Attributes:
        tilt: how the table is foreshortened.
        plane: float64 array (3,): a card about (x, y) is ``plane @ (1, x, y)`` pixels high, were it not for the tilt.
        smallest, largest: limits of that.
    """

    tilt: Tilt
    plane: npt.NDArray[np.float64]
    smallest: float
    largest: float

    @classmethod
    def of(cls, quads: Sequence[Points]) -> PhotoScale:
        """The scale that whole cards with these quads (4, 2), one at least, tell."""
        stack = np.array(quads)
        tilt = find_tilt(stack)
        heights = card_heights(tilt.undo(stack))
        usual = float(np.median(heights))
        level = np.array([usual, 0.0, 0.0])
        if len(stack) < _ENOUGH:
            return cls(tilt, level, 0.8 * usual, 1.25 * usual)
        places = np.hstack([np.ones((len(stack), 1)), stack.mean(axis=1)])
        fits = np.abs(np.log(heights / usual)) < 0.7
        # Cards in a row tell nothing of what lies across it: a little is taken for a level table.
        weight = 0.3 * usual * len(stack) ** 0.5
        pull = np.diag([0.0, weight, weight]) * 0.5
        plane = np.linalg.lstsq(
            np.vstack([places[fits], pull]), np.concatenate([heights[fits], np.zeros(3)]), rcond=None
        )[0]
        return cls(
            tilt, np.asarray(plane, np.float64), 0.6 * float(heights[fits].min()), 1.6 * float(heights[fits].max())
        )

    @classmethod
    def level(cls, height: float, tilt: Tilt) -> PhotoScale:
        """Cards ``height`` pixels high everywhere."""
        return cls(tilt, np.array([height, 0.0, 0.0]), height, height)

    def height(self, x: float, y: float) -> float:
        """Height of a card about image point (x, y), pixels, were it not for the tilt."""
        return float(np.clip(self.plane @ np.array([1.0, x, y]), self.smallest, self.largest))

    def view(self, x: float, y: float) -> TableView:
        """The table about image point (x, y), which is the centre of an upright card there."""
        return level_view((x, y), self.height(x, y), self.tilt)

    def grid(self, width: int, height: int, step: float) -> list[tuple[float, float]]:
        """Image points all over a picture, ``step`` card heights apart on the table."""
        spots = []
        y = 0.0
        while y < height:
            widest = self.height(width / 2, y)
            x = 0.0
            while x < width:
                spots.append((x, y))
                x += step * self.height(x, y) * self._shrink(0)
            y += step * widest * self._shrink(1)
        return spots

    def _shrink(self, axis: int) -> float:
        """How much shorter a length along the picture's x (0) or y (1) axis looks."""
        unit = np.eye(2)[axis]
        return 1 / float(np.linalg.norm(self.tilt.undo(unit)))
