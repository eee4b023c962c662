"""Photographs of plain toy cards for tests, with the place of every card known."""

from __future__ import annotations

import csv
from pathlib import Path

import cv2
import numpy as np

from referee.vision.rectify import Image, Points

INKS = {"AS": (40, 40, 40), "9H": (40, 40, 220), "5D": (30, 120, 240), "KC": (60, 160, 40)}
"""A card's text and the BGR colour of the blot that tells it from the others."""


def lay(image: Image, quad: Points, text: str) -> None:
    """Draw the card ``text`` on ``image`` with its corners at ``quad``, clockwise from its own top left."""
    face = np.full((880, 630, 3), 245, np.uint8)
    cv2.rectangle(face, (0, 0), (629, 879), (190, 190, 190), 12)
    cv2.rectangle(face, (190, 290), (440, 590), INKS[text], -1)
    to_quad = cv2.getPerspectiveTransform(
        np.array([[0, 0], [630, 0], [630, 880], [0, 880]], np.float32), np.asarray(quad, np.float32)
    )
    size = (image.shape[1], image.shape[0])
    drawn = cv2.warpPerspective(face, to_quad, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), to_quad, size, flags=cv2.INTER_LINEAR)
    cv2.copyTo(drawn, mask, image)


def card_quad(x: float, y: float, height: float, turn: float, squeeze: float = 1.0) -> Points:
    """Corners of a card about (x, y), turned by degrees, its picture pressed flat in the y direction."""
    angle = np.radians(turn)
    rotation = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [height * 63 / 176, height / 2]
    return np.asarray(flat @ rotation * [1, squeeze] + [x, y], np.float64)


def table(height: int = 480, width: int = 640) -> Image:
    """A bare greenish table."""
    grain = np.random.default_rng(5).normal(0, 4, (height, width, 3))
    return np.asarray(np.clip(np.array([60, 90, 50]) + grain, 0, 255), np.uint8)


def box_of(quad: Points) -> tuple[float, float, float, float]:
    """x1, y1, x2, y2 about ``quad``."""
    (x1, y1), (x2, y2) = quad.min(axis=0), quad.max(axis=0)
    return float(x1), float(y1), float(x2), float(y2)


def write_folder(folder: Path, image: Image, cards: dict[str, Points]) -> None:
    """A folder of one photograph and its labels."""
    cv2.imwrite(str(folder / "p.png"), image)
    with (folder / "labels.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["image", "card", "x1", "y1", "x2", "y2", "kind"])
        for text, quad in cards.items():
            rows.writerow(["p.png", text, *(round(edge, 1) for edge in box_of(quad)), "card"])
