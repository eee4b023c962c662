"""The picture of a checked table: a card-sized ghost over every zone, its name, and what is read there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

import cv2
import numpy as np

from referee.readings import Reading, Sight
from referee.table import Box, TableLayout, Zone
from referee.vision.rectify import Image, TableView

GOOD: Final = (90, 220, 90)
BAD: Final = (60, 70, 255)
PALE: Final = 0.22
"""How much of a ghost covers what lies below."""

TEXT: Final = cv2.FONT_HERSHEY_SIMPLEX


def ghosts(
    image: Image,
    view: TableView,
    layout: TableLayout,
    readings: Mapping[Zone, Reading],
    faulty: Collection[Zone],
) -> Image:
    """Draw them on a copy of a picture.

    Args:
        image: uint8 array (H, W, 3), BGR.
        view: where the table lies in it.
        layout: the zones.
        readings: what is read in each.
        faulty: the zones to show in red.

    Returns:
        uint8 array (H, W, 3), BGR.
    """
    picture = image.copy()
    tint = image.copy()
    thick = max(1, round(image.shape[1] / 900))
    outlines = {zone: _rounded(view, box) for zone, box in layout.boxes.items()}
    for zone, outline in outlines.items():
        cv2.fillPoly(tint, [outline], BAD if zone in faulty else GOOD, cv2.LINE_AA, shift=4)
    cv2.addWeighted(tint, PALE, picture, 1 - PALE, 0, dst=picture)
    for zone, outline in outlines.items():
        colour = BAD if zone in faulty else GOOD
        cv2.polylines(picture, [outline], True, colour, thick, cv2.LINE_AA, shift=4)
        _label(picture, view, layout.boxes[zone], zone.name, told(readings.get(zone)), colour)
    return picture


def told(reading: Reading | None) -> str:
    """A reading in the fewest words."""
    if reading is None:
        return ""
    if reading.state in (Sight.CARD, Sight.BACK, Sight.EMPTY):
        what = str(reading.card) if reading.state is Sight.CARD else reading.state.value
        return f"{what} {100 * reading.confidence:.0f}%"
    return "?" if reading.state is Sight.UNKNOWN else reading.state.value


def _rounded(view: TableView, box: Box) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    """A card's outline with its rounded corners, in sixteenths of a pixel, (N, 1, 2)."""
    corners = np.array(box.corners())
    radius = 0.055 * box.width
    points = []
    for index, corner in enumerate(corners):
        before, after = corners[index - 1] - corner, corners[(index + 1) % 4] - corner
        before, after = before / np.linalg.norm(before), after / np.linalg.norm(after)
        for angle in np.linspace(0, np.pi / 2, 5):
            points.append(corner + radius * ((1 - np.sin(angle)) * before + (1 - np.cos(angle)) * after))
    return np.asarray(np.round(view.to_image(np.array(points)) * 16), np.int32).reshape(-1, 1, 2)


def _label(picture: Image, view: TableView, box: Box, name: str, text: str, colour: tuple[int, int, int]) -> None:
    """The zone's name above its ghost and the reading below, no wider than the ghost and a little more."""
    corners = view.to_image(box.corners())
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    size = picture.shape[1] / 1920 * 0.75
    for words, below in ((name, False), (text, True)):
        (width, height), _ = cv2.getTextSize(words, TEXT, 1.0, 1)
        fitting = min(size, 1.25 * float(right - left) / max(width, 1))
        thick = max(1, round(fitting * 2.6))
        y = bottom + height * fitting + 5 if below else top - 6
        spot = (round((left + right - width * fitting) / 2), round(min(max(y, height * fitting), picture.shape[0] - 3)))
        cv2.putText(picture, words, spot, TEXT, fitting, (0, 0, 0), thick + 2, cv2.LINE_AA)
        cv2.putText(picture, words, spot, TEXT, fitting, colour, thick, cv2.LINE_AA)
