"""Files are written whole or not at all."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from referee.errors import UserError
from referee.files import write_whole


def test_texts_are_utf_8_with_plain_ends_of_lines(tmp_path: Path) -> None:
    write_whole(tmp_path / "a.txt", "Łucja ♠\n")
    assert (tmp_path / "a.txt").read_bytes() == "Łucja ♠\n".encode()
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_what_was_there_stays_until_all_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "a.txt"
    place.write_text("old", encoding="utf-8")

    def full(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[:1])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(UserError, match=r"cannot write .*a\.txt: No space left on device"):
            write_whole(place, "new")
    assert place.read_text(encoding="utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_link_stays_one(tmp_path: Path) -> None:
    place, link = tmp_path / "a.txt", tmp_path / "link.txt"
    place.write_text("old", encoding="utf-8")
    link.symlink_to(place)
    write_whole(link, "new")
    assert link.is_symlink()
    assert place.read_text(encoding="utf-8") == "new"


def test_what_is_no_file_is_written_to_and_stays_what_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"rulings")
    reader.join(10)
    assert got == [b"rulings"]
    assert pipe.is_fifo()


def test_a_folder_in_its_place_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Is a directory"):
        write_whole(tmp_path, "text")
