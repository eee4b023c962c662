"""Places from which the last card went: they look like the table round them, and no part of the arm that took it."""

from __future__ import annotations

from collections.abc import Sequence
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


class BarePlaces:
    """The cards' places in the coarse view."""

    def __init__(self, places: Sequence[Mask]) -> None:
        """Watch ``places``, each a mask (H, W) of the pixels on which a card lies."""
        self._insides, self._rings = [], []
        others = np.asarray(cv2.dilate(np.max(places, axis=0).astype(np.uint8), np.ones((3, 3), np.uint8))) > 0
        for place in places:
            near = cv2.dilate(place.astype(np.uint8), np.ones((3, 3), np.uint8))
            round_it = np.asarray(cv2.dilate(near, np.ones((5, 5), np.uint8))) > 0
            self._insides.append(np.flatnonzero(near))
            self._rings.append(np.flatnonzero(round_it & ~others))
        counts = np.array([len(inside) for inside in self._insides])
        filled = np.arange(counts.max()) < counts[:, None]
        self._pixels = np.zeros(filled.shape, np.intp)
        self._pixels[filled] = np.concatenate(self._insides)
        self._nobody = ~filled
        self._middles = np.stack([(counts - 1) // 2, counts // 2], axis=1)
        self._ringed = np.array([len(ring) > 0 for ring in self._rings])
        self._looked = np.full(len(places), -AGAIN)

    def renew(self, table: Picture, picture: Picture, still: npt.NDArray[np.float64]) -> None:
        """Write every place as ``picture`` has it into the remembered ``table`` if it has just become bare.

        Args:
            table, picture: uint8 (H, W, 3) BGR.
            still: for how long each pixel (H, W) has not changed, s.
        """
        lying = still.reshape(-1)[self._pixels]
        lying[self._nobody] = np.inf
        lying.sort(axis=1)
        lain = np.take_along_axis(lying, self._middles, axis=1).mean(axis=1)
        rests = (lain >= STILL) & self._ringed
        self._looked[~rests] = -AGAIN
        since = lain - self._looked
        due = rests & ((since < 0) | (since >= AGAIN))
        self._looked[due] = lain[due]
        known, seen = table.reshape(-1, 3), picture.reshape(-1, 3)
        for place in np.flatnonzero(due):
            inside = self._insides[place]
            now = seen[inside]
            gone = unlike(now, known[inside])
            if gone.mean() <= MOST:
                continue
            bare = np.median(known[self._rings[place]], axis=0).astype(np.uint8)
            gone &= ~unlike(now, np.broadcast_to(bare, now.shape))
            if gone.mean() > MOST:
                known[inside[gone]] = now[gone]
