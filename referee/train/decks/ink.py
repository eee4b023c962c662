"""Printing masks onto pictures, and colours as printers choose them."""

from __future__ import annotations

import colorsys
from typing import TypeAlias

import numpy as np

from referee.train.decks.deck import Box, Image

Colour: TypeAlias = tuple[float, float, float]
"""B, G, R from 0 to 255."""


def hsv(hue: float, saturation: float, value: float) -> Colour:
    """The colour with ``hue`` in degrees, saturation and value from 0 to 1."""
    red, green, blue = colorsys.hsv_to_rgb(hue % 360 / 360, min(1.0, max(0.0, saturation)), min(1.0, max(0.0, value)))
    return (blue * 255, green * 255, red * 255)


def any_colour(rng: np.random.Generator) -> Colour:
    """A colour a card might be printed in: neither pale nor black."""
    return hsv(rng.uniform(0, 360), rng.uniform(0.45, 1.0), rng.uniform(0.35, 0.95))


def stamp(picture: Image, mask: Image, x: int, y: int, colour: Colour) -> Box:
    """Print ``mask`` (uint8 coverage) with its top left pixel at (x, y) of ``picture`` (uint8 BGR), in place.

    What would lie outside the picture is cut off. The box of what was printed is returned.
    """
    left, top = max(0, x), max(0, y)
    right, bottom = min(picture.shape[1], x + mask.shape[1]), min(picture.shape[0], y + mask.shape[0])
    if left < right and top < bottom:
        part = picture[top:bottom, left:right]
        cover = mask[top - y : bottom - y, left - x : right - x, None].astype(np.float32) / 255
        part[:] = np.rint(part + (np.asarray(colour, np.float32) - part) * cover)
    return (float(left), float(top), float(right), float(bottom))


def stamp_centred(picture: Image, mask: Image, x: float, y: float, colour: Colour) -> Box:
    """Print ``mask`` with its middle at (x, y); see ``stamp``."""
    return stamp(picture, mask, round(x - mask.shape[1] / 2), round(y - mask.shape[0] / 2), colour)


def turned(mask: Image) -> Image:
    """``mask`` turned by half a circle."""
    return mask[::-1, ::-1]
