"""Whether the table looks as it did right beside its zones, where no cards lie.

When the players gather the cards, a plain table has nothing left to hold on to, and yet it has not moved: what has gone
lay in the zones. When the camera is knocked the cards come to lie beside their zones, all at once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.table import TableLayout
from referee.vision.rectify import Image, TableView

Floats: TypeAlias = npt.NDArray[np.float32]

FROM_MM: Final = 6.0
TO_MM: Final = 30.0
"""A zone's ring begins and ends so far beyond its box."""

UNLIKE: Final = 12.0
"""Grey levels by which a place differs, once the lamp's change is taken off."""

CHANGED: Final = 0.2
"""Share of a ring that must differ for it to count as changed: a fingertip is less."""

PLAIN: Final = 3.0
"""Deviation of grey levels up to which a ring has no pattern."""

PATTERN_GONE: Final = 0.75
"""A pattern is gone where the difference deviates by so much of it."""

DIMMED: Final = 0.5
"""A lamp that is switched leaves so much of the light; a covered lens does not."""

MOST: Final = 0.6
"""Share of the rings that players with both hands on the table change at most."""


class Rings:
    """The surroundings of a table's zones.

    Args:
        shape: of the pictures, as (H, W).
        view: where the table lies in them.
        layout: its zones.
    """

    def __init__(self, shape: tuple[int, ...], view: TableView, layout: TableLayout) -> None:
        boxes = list(layout.boxes.values())

        def filled(beyond: float) -> list[Image]:
            masks = []
            for box in boxes:
                wide = replace(box, width=box.width + 2 * beyond, height=box.height + 2 * beyond)
                mask = np.zeros(shape[:2], np.uint8)
                cv2.fillConvexPoly(mask, view.to_image(wide.corners()).round().astype(np.int32), 1)
                masks.append(mask)
            return masks

        taken = np.max(filled(FROM_MM), axis=0)
        self._rings = [np.flatnonzero((mask > 0) & (taken == 0)) for mask in filled(TO_MM)]

    def changed(self, before: Image, now: Image) -> bool:
        """Whether most of them have changed between two pictures, uint8 arrays (H, W)."""
        pairs = [(np.ravel(before)[ring].astype(np.float32), np.ravel(now)[ring]) for ring in self._rings if len(ring)]
        if not pairs:
            return True
        level = float(np.mean([old.mean() for old, _ in pairs]))
        # A lamp that is switched changes all places alike, and a hand only some.
        lamp = float(np.median(np.concatenate([new - old for old, new in pairs])))
        if abs(lamp) > DIMMED * level:
            return True
        return float(np.mean([_changed(old, new - lamp) for old, new in pairs])) > MOST


def _changed(old: Floats, new: Floats) -> bool:
    """Whether a ring looks different; one with a pattern also if that has gone."""
    difference = new - old
    pattern = float(old.std())
    gone = pattern > PLAIN and float(difference.std()) > PATTERN_GONE * pattern
    return gone or float(np.mean(np.abs(difference) > UNLIKE)) > CHANGED
