"""Places from which the last card went: they look like the table round them, and no part of the arm that took it.

A place that has been bare is remembered as it looked then, pixel by pixel. Where it looks so again the card is gone,
be there a hand above it or not. One that has not been seen bare has to lie still, and is told by what is round it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.foreground import Mask, Picture, most, unlike

STILL: Final = 0.1
"""A place has to lie still for so long before it is looked at, s."""

AGAIN: Final = 0.2
"""A place that goes on lying still is looked at again after so long at most, s; at first sooner: parts still move."""

MOST: Final = 0.5
"""Share of a place's pixels that have to look no longer as before, and share of these that look like the table."""

SOME: Final = 0.3
"""Share of a card's pixels that have to look as they did when the place was bare: a hand may be over the others."""

AS_BARE: Final = 12
"""What differs by no more than this in any colour, grey levels, looks as it did."""

CARD: Final = 40
"""What differs by more than this in some colour from the bare table, grey levels, is a card there."""

FEWEST: Final = 8
"""Pixels of a card below which nothing can be told."""


class BarePlaces:
    """The cards' places in the coarse view."""

    def __init__(self, places: Sequence[Mask]) -> None:
        """Watch ``places``, each a mask (H, W) of the pixels on which a card lies."""
        self._insides, self._rings, self._cores = [], [], []
        others = np.asarray(cv2.dilate(np.max(places, axis=0).astype(np.uint8), np.ones((3, 3), np.uint8))) > 0
        for place in places:
            near = cv2.dilate(place.astype(np.uint8), np.ones((3, 3), np.uint8))
            round_it = np.asarray(cv2.dilate(near, np.ones((5, 5), np.uint8))) > 0
            self._insides.append(np.flatnonzero(near))
            self._cores.append(np.flatnonzero(place))
            self._rings.append(np.flatnonzero(round_it & ~others))
        counts = np.array([len(inside) for inside in self._insides])
        filled = np.arange(counts.max()) < counts[:, None]
        self._pixels = np.zeros(filled.shape, np.intp)
        self._pixels[filled] = np.concatenate(self._insides)
        self._nobody = ~filled
        self._middles = np.stack([(counts - 1) // 2, counts // 2], axis=1)
        self._ringed = np.array([len(ring) > 0 for ring in self._rings])
        self._looked = np.full(len(places), -AGAIN)
        self._settled = np.zeros(len(places), np.bool_)
        self._all = np.concatenate(self._insides)
        self._place_of = np.repeat(np.arange(len(places)), counts)
        self._starts = np.concatenate([[0], counts.cumsum()])
        self._remembered = np.zeros(len(self._all), np.bool_)
        self._bare: Picture = np.zeros((len(self._all), 3), np.uint8)

    def renew(self, table: Picture, picture: Picture, still: npt.NDArray[np.float64]) -> None:
        """Write every place as ``picture`` has it into the remembered ``table`` if it has just become bare.

        Args:
            table, picture: uint8 (H, W, 3) BGR.
            still: for how long each pixel (H, W) has not changed, s.
        """
        known, seen = table.reshape(-1, 3), picture.reshape(-1, 3)
        lying = still.reshape(-1)[self._pixels]
        lying[self._nobody] = np.inf
        lying.sort(axis=1)
        moved = lying[:, 0] == 0.0
        if moved.any():
            self._uncover(known, seen, moved)
        lain = np.take_along_axis(lying, self._middles, axis=1).mean(axis=1)
        rests = (lain >= STILL) & self._ringed
        self._looked[~rests] = -AGAIN
        self._settled &= rests
        since = lain - self._looked
        due = rests & ((since < 0) | (since >= np.clip(self._looked / 2, 0.0, AGAIN)))
        self._looked[due] = lain[due]
        for place in np.flatnonzero(due):
            inside = self._insides[place]
            now = seen[inside]
            gone = unlike(now, known[inside])
            if gone.mean() > MOST:
                like = gone & ~unlike(now, np.broadcast_to(self._round(place, known), now.shape))
                if like.sum() > MOST * gone.sum():
                    known[inside[like]] = now[like]
            elif not self._settled[place] and not gone.any():
                self._settled[place] = True
                self._remember(place, seen, self._round(place, known))

    def _round(self, place: np.intp, known: Picture) -> Picture:
        """The colour (3,) of the table round a place."""
        return np.asarray(np.median(known[self._rings[place]], axis=0), np.uint8)

    def _remember(self, place: np.intp, seen: Picture, bare: Picture) -> None:
        """Remember a place that has come to rest if it looks like the table round it."""
        core = seen[self._cores[place]]
        if unlike(core, np.broadcast_to(bare, core.shape)).mean() < 1 - MOST:
            here = slice(self._starts[place], self._starts[place + 1])
            self._bare[here] = seen[self._insides[place]]
            self._remembered[here] = True

    def _uncover(self, known: Picture, seen: Picture, moved: npt.NDArray[np.bool_]) -> None:
        """Take the cards of places that ``moved`` out of the remembered table where they look bare again."""
        some = np.flatnonzero(self._remembered & moved[self._place_of])
        if not len(some):
            return
        here, bare, place_of = self._all[some], self._bare[some], self._place_of[some]
        card = _apart(known[here], bare) > CARD
        if not card.any():
            return
        now = seen[here]
        back = card & (_apart(now, bare) <= AS_BARE)
        cards = np.bincount(place_of[card], minlength=len(moved))
        counts = np.bincount(place_of[back], minlength=len(moved))
        back &= ((counts >= FEWEST) & (counts >= SOME * cards))[place_of]
        known[here[back]] = now[back]


def _apart(one: Picture, other: Picture) -> npt.NDArray[np.uint8]:
    """By how much pixels (N, 3) differ in the colour in which they differ most: (N,)."""
    return np.asarray(most(cv2.absdiff(one[None], other[None]))[0], np.uint8)
