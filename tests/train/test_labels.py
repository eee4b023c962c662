from __future__ import annotations

from pathlib import Path

import pytest

from referee.errors import UserError
from referee.train.labels import Label, read_photos

HEAD = "image,card,x1,y1,x2,y2,kind\n"


def test_labels_are_read_by_picture(tmp_path: Path) -> None:
    rows = "b.jpg,TD,1,2,30.5,40,card\na.jpg,back,0,0,5,5,card\nb.jpg,7?,,,,,image\n"
    (tmp_path / "labels.csv").write_text(HEAD + rows)
    first, second = read_photos(tmp_path)
    assert first.path.name == "a.jpg"
    assert first.labels[0].card is None
    assert second.labels == (Label("TD", (1, 2, 30.5, 40)), Label("7?", None))
    assert second.boxed == (second.labels[0],)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HEAD + "a.jpg,1X,0,0,5,5,card\n", "'1X' is no card"),
        (HEAD + "a.jpg,7C,0,0,5,,card\n", "line 2: a card needs a box"),
        (HEAD + "a.jpg,7C,9,0,5,5,card\n", "has no inside"),
        (HEAD + "a.jpg,7C,0,0,5,5,pile\n", "neither card nor image"),
        ("image,card\n", "has no column x1"),
    ],
)
def test_wrong_labels_are_named(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "labels.csv").write_text(text)
    with pytest.raises(UserError, match=says):
        read_photos(tmp_path)


def test_pictures_without_labels_show_no_card(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"neither labels\.csv nor pictures"):
        read_photos(tmp_path)
    (tmp_path / "bare.PNG").write_bytes(b"")
    assert read_photos(tmp_path)[0].labels == ()


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such folder"):
        read_photos(tmp_path / "gone")
