"""Pictures of every kind that art comes in are read as BGRA bytes, or refused with a sentence."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.errors import UserError
from referee.train.decks.raster import read_picture


@pytest.mark.parametrize(
    "pixels",
    [
        np.full((4, 6), 200, np.uint8),
        np.full((4, 6, 3), 200, np.uint8),
        np.full((4, 6, 4), 200, np.uint8),
        np.full((4, 6), 200 * 257, np.uint16),
        np.full((4, 6, 3), 200 * 257, np.uint16),
    ],
    ids=["grey", "colour", "alpha", "grey 16 bit", "colour 16 bit"],
)
def test_bitmaps_of_every_depth_come_as_bgra_bytes(pixels: np.ndarray, tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    cv2.imwrite(str(path), pixels)
    picture = read_picture(path, 0)
    assert (picture.shape, picture.dtype) == ((4, 6, 4), np.uint8)
    assert picture[..., :3].min() == picture[..., :3].max() == 200


@pytest.mark.parametrize("content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n"])
def test_what_is_no_picture_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(content)
    with pytest.raises(UserError, match="is not a picture that can be read"):
        read_picture(path, 0)


def test_a_picture_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot read the picture .*gone\.png"):
        read_picture(tmp_path / "gone.png", 0)
