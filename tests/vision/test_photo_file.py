from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.errors import UserError
from referee.vision.photo_file import load_photograph


def write(path: Path, image: np.ndarray) -> Path:
    done, data = cv2.imencode(path.suffix, image)
    assert done
    path.write_bytes(data.tobytes())
    return path


def test_grey_deep_and_transparent_pictures_become_bgr(tmp_path: Path) -> None:
    grey = load_photograph(write(tmp_path / "grey.png", np.full((50, 60), 90, np.uint8)))
    assert grey.shape == (50, 60, 3)
    assert (grey == 90).all()
    deep = load_photograph(write(tmp_path / "deep.png", np.full((50, 60, 3), 0x8000, np.uint16)))
    assert deep.dtype == np.uint8
    assert deep[0, 0] == pytest.approx([128] * 3, abs=1)
    see_through = np.full((50, 60, 4), 40, np.uint8)
    see_through[:, :30, 3] = 0
    see_through[:, 30:, 3] = 255
    laid = load_photograph(write(tmp_path / "alpha.png", see_through))
    assert laid[0, 0].tolist() == [255] * 3
    assert laid[0, 50].tolist() == [40] * 3


def test_a_photograph_is_turned_as_its_exif_says(tmp_path: Path) -> None:
    image = np.zeros((40, 80, 3), np.uint8)
    image[:, :40] = 255
    plain = write(tmp_path / "p.jpg", image).read_bytes()
    tiff = b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, 6, 0, 0)
    exif = b"Exif\0\0" + tiff
    turned = tmp_path / "turned.jpg"
    turned.write_bytes(plain[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + plain[2:])
    loaded = load_photograph(turned)
    assert loaded.shape == (80, 40, 3)
    assert loaded[5].min() > 200
    assert loaded[-5].max() < 50


def huge_png() -> bytes:
    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 0, 0, 0, 0)
    chunk = b"IHDR" + head
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", len(head)) + chunk + struct.pack(">I", zlib.crc32(chunk))


def huge_jpeg() -> bytes:
    return (
        b"\xff\xd8\xff\xe0"
        + struct.pack(">H", 4)
        + b"ab\xff\xc0"
        + struct.pack(">HBHH", 17, 8, 60_000, 60_000)
        + b"x" * 20
    )


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b"not a picture", "is no picture"),
        (huge_png(), "60000 x 60000 pixels"),
        (huge_jpeg(), "60000 x 60000 pixels"),
        (huge_jpeg()[:8], "is no picture"),
    ],
)
def test_what_is_no_photograph_is_said(tmp_path: Path, data: bytes, says: str) -> None:
    path = tmp_path / "p.jpg"
    path.write_bytes(data)
    with pytest.raises(UserError, match=says):
        load_photograph(path)


def test_missing_tiny_and_folders_are_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such photograph"):
        load_photograph(tmp_path / "p.jpg")
    with pytest.raises(UserError, match="is a folder"):
        load_photograph(tmp_path)
    with pytest.raises(UserError, match="only 8 x 8"):
        load_photograph(write(tmp_path / "tiny.png", np.zeros((8, 8, 3), np.uint8)))
