"""Places from which the last card went: they look like the table round them, and no part of the arm that took it."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.foreground import Mask, Picture, unlike

STILL: Final = 0.1
"""A place has to lie still for so long before it is looked at, s."""

AGAIN: Final = 0.2
"""A place that goes on lying still is looked at again after so long, s: until then nothing can have changed."""

MOST: Final = 0.5
"""Share of a place's pixels that have to look like the table round it and no longer as before."""


class BarePlace:
    """One card's place in the coarse view."""

    def __init__(self, place: Mask, places: Mask) -> None:
        """Watch the pixels ``place``; those of ``places`` hold cards."""
        near = cv2.dilate(place.astype(np.uint8), np.ones((3, 3), np.uint8))
        round_it = np.asarray(cv2.dilate(near, np.ones((5, 5), np.uint8))) > 0
        others = np.asarray(cv2.dilate(places.astype(np.uint8), np.ones((3, 3), np.uint8))) > 0
        self._inside = np.nonzero(near)
        self._ring = np.nonzero(round_it & ~others)
        self._looked = -AGAIN

    def renew(self, table: Picture, picture: Picture, still: npt.NDArray[np.float64]) -> None:
        """Write the place as ``picture`` has it into the remembered ``table`` if it has just become bare.

        Args:
            table, picture: uint8 (H, W, 3) BGR.
            still: for how long each pixel (H, W) has not changed, s.
        """
        lain = float(np.median(still[self._inside]))
        if lain < STILL or not len(self._ring[0]):
            self._looked = -AGAIN
            return
        if 0 <= lain - self._looked < AGAIN:
            return
        self._looked = lain
        now, then = picture[self._inside], table[self._inside]
        bare = np.broadcast_to(np.median(table[self._ring], axis=0).astype(np.uint8), now.shape)
        gone = unlike(now, then) & ~unlike(now, bare)
        if gone.mean() > MOST:
            rows, columns = self._inside
            table[rows[gone], columns[gone]] = now[gone]
