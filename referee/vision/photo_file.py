"""Photographs from files, upright as they were taken, or a sentence on why not."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from referee.errors import UserError
from referee.vision.rectify import Image

MOST_PIXELS: Final = 120_000_000
"""Larger pictures are refused before they fill the memory."""

_SMALLEST: Final = 32
_SIZE_FRAMES: Final = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})


def load_photograph(path: Path) -> Image:
    """The picture in ``path``: uint8 (H, W, 3), BGR, turned upright as its EXIF orientation says.

    Grey pictures, pictures of 16 bits and pictures with transparency (over white) are brought to that form.

    Raises:
        UserError: there is no such file, it is empty or no picture, or the picture is too large or too small.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise UserError(f"{path}: there is no such photograph: check the name") from None
    except IsADirectoryError:
        raise UserError(f"{path} is a folder: name the photographs in it") from None
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}") from None
    if not data:
        raise UserError(f"{path} is empty: copy the photograph again")
    size = _size(data)
    if size is not None and size[0] * size[1] > MOST_PIXELS:
        raise UserError(
            f"{path} is {size[0]} x {size[1]} pixels, more than {MOST_PIXELS // 1_000_000} million: make it smaller"
        )
    image = _decode(data)
    if image is None:
        raise UserError(f"{path} is no picture that can be read: give a .jpg, .png, .webp, .tif or .bmp file")
    height, width = image.shape[:2]
    if min(height, width) < _SMALLEST:
        raise UserError(f"{path} is only {width} x {height} pixels: no card can be read in it")
    return image


def _decode(data: bytes) -> Image | None:
    raw = np.frombuffer(data, np.uint8)
    try:
        # Reading it as it is stored keeps the transparency, but forgets the orientation.
        stored = cv2.imdecode(raw, cv2.IMREAD_UNCHANGED)
        if stored is not None and stored.ndim == 3 and stored.shape[2] == 4:
            top = 255 if stored.dtype == np.uint8 else 65535
            alpha = stored[..., 3:].astype(np.float32) / top
            laid = stored[..., :3].astype(np.float32) / top * alpha + (1 - alpha)
            return np.asarray(np.rint(laid * 255), np.uint8)
        image = cv2.imdecode(raw, cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)


def _size(data: bytes) -> tuple[int, int] | None:
    """Width and height as the head of a PNG or JPEG file says, before anything is decoded."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return int(width), int(height)
    if not data.startswith(b"\xff\xd8"):
        return None
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        if data[at + 1] in _SIZE_FRAMES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return int(width), int(height)
        at += 1 if data[at + 1] == 0xFF else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None
