"""Pictures out of the files art comes in: PNG, SVG (also gzipped), PDF, and the patterns of a paint program."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.errors import UserError
from referee.train.decks.deck import Image


def read_picture(path: Path, height: int, fonts: Path | None = None) -> Image:
    """The picture in ``path`` as uint8 BGRA (H, W, 4) with straight alpha.

    Vector art is drawn ``height`` px high; a bitmap keeps its own size. Text in an SVG is drawn in the fonts under
    ``fonts``, or not at all. A UserError says what is missing or unreadable.
    """
    suffix = path.suffix.lower()
    try:
        if suffix in (".svg", ".svgz"):
            return _read_svg(path, height, fonts)
        if suffix == ".pdf":
            return _read_pdf(path, height)
        if suffix == ".pat":
            return _read_pattern(path)
        return _decode(np.frombuffer(path.read_bytes(), np.uint8), path)
    except OSError as error:
        raise UserError(f"cannot read the picture {path}: {error.strerror or error}") from None


def _decode(data: Any, path: Path) -> Image:
    picture = cv2.imdecode(data, cv2.IMREAD_UNCHANGED) if data.size else None
    if picture is None or picture.dtype not in (np.uint8, np.uint16):
        raise UserError(f"{path} is not a picture that can be read; fetch it again")
    if picture.dtype == np.uint16:
        picture = np.asarray(picture // 256, np.uint8)
    if picture.ndim == 2:
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGRA), np.uint8)
    if picture.shape[2] == 3:
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA), np.uint8)
    return np.asarray(picture, np.uint8)


def _read_svg(path: Path, height: int, fonts: Path | None) -> Image:
    try:
        import resvg_py
    except ImportError:
        raise UserError("drawing SVG cards needs resvg_py: pip install 'spit-referee[train]'") from None
    # Without a density, files measured in inches or millimetres are refused; with the system's fonts, a deck would look
    # different on every machine.
    folders = [] if fonts is None else [str(fonts)]
    try:
        data = resvg_py.svg_to_bytes(
            svg_path=str(path), height=height, dpi=96, skip_system_fonts=True, font_dirs=folders
        )
    except ValueError as error:
        raise UserError(f"cannot draw {path}: {error}") from None
    return _decode(np.frombuffer(bytes(data), np.uint8), path)


def _read_pdf(path: Path, height: int) -> Image:
    try:
        import pymupdf
    except ImportError:
        raise UserError("drawing PDF cards needs pymupdf: pip install 'spit-referee[train]'") from None
    # pymupdf brings no types.
    library: Any = pymupdf
    with library.open(path) as document:
        page = document[0]
        scale = height / page.rect.height
        drawn = page.get_pixmap(matrix=library.Matrix(scale, scale), alpha=True)
        pixels = np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.width, 4).astype(np.float32)
    alpha = pixels[..., 3:]
    # The drawing comes premultiplied.
    colour = np.where(alpha > 0, pixels[..., 2::-1] * 255 / np.maximum(alpha, 1), 0)
    return np.concatenate([np.clip(colour, 0, 255), alpha], axis=2).astype(np.uint8)


def _read_pattern(path: Path) -> Image:
    """A GIMP pattern: a header of big-endian words, the name, then rows of grey, grey-alpha, RGB or RGBA bytes."""
    data = path.read_bytes()
    broken = UserError(f"{path} is not a pattern that can be read; fetch it again")
    if len(data) < 24:
        raise broken
    header, _version, width, height, channels, magic = struct.unpack(">5I4s", data[:24])
    if magic != b"GPAT" or channels not in (1, 2, 3, 4) or len(data) < header + width * height * channels:
        raise broken
    pixels = np.frombuffer(data, np.uint8, width * height * channels, header).reshape(height, width, channels)
    alpha = pixels[..., -1:] if channels in (2, 4) else np.full((height, width, 1), 255, np.uint8)
    colour = pixels[..., 2::-1] if channels >= 3 else np.repeat(pixels[..., :1], 3, axis=2)
    return np.ascontiguousarray(np.concatenate([colour, alpha], axis=2))
