"""Pictures are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.errors import UserError
from referee.pictures import write_picture

PICTURE = np.full((8, 12, 3), 90, np.uint8)


@pytest.mark.parametrize("name", ["sheet.png", "sheet.jpg"])
def test_a_picture_is_written_in_the_format_its_name_says(name: str, tmp_path: Path) -> None:
    write_picture(tmp_path / name, PICTURE)
    assert cv2.imread(str(tmp_path / name)).shape == (8, 12, 3)
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["sheet", "sheet.txt", "sheet.mp4"])
def test_another_format_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"end the name in \.png or \.jpg"):
        write_picture(tmp_path / name, PICTURE)


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[: len(data) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(UserError, match=r"cannot write .*sheet\.png: No space left on device"):
        write_picture(tmp_path / "sheet.png", PICTURE)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot write .*nowhere"):
        write_picture(tmp_path / "nowhere" / "sheet.png", PICTURE)
