from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from referee.cards import Card
from referee.errors import UserError
from referee.readings import EMPTY
from referee.train.photos import photo_crops, write_photo_crops
from tests.photo_scenes import INKS, card_quad, lay, table, write_folder

PHOTOS = Path(os.environ.get("REFEREE_PHOTOS", Path(__file__).parents[3] / "shared" / "photos"))
"""Labelled photographs that do not ship."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two cards apart, seen at an angle, and a third on top of a fourth."""
    cards = {
        "AS": card_quad(120, 120, 130, 20, 0.8),
        "9H": card_quad(300, 130, 130, 80, 0.8),
        "5D": card_quad(440, 330, 130, 0, 0.8),
        "KC": card_quad(490, 340, 130, 0, 0.8),
    }
    image = table()
    for text, quad in cards.items():
        lay(image, quad, text)
    left, top = cards["5D"].min(axis=0)
    right, bottom = cards["KC"][0, 0], cards["5D"][:, 1].max()
    cards["5D"] = np.array([[left, top], [right, bottom]])
    write_folder(tmp_path, image, cards)
    return tmp_path


def test_plain_crops_show_each_card_upright_in_the_middle(folder: Path) -> None:
    crops = list(photo_crops(folder, None))
    assert [crop.place for crop in crops] == [Card(text).code for text in ("AS", "9H", "5D", "KC")]
    for text, crop in zip(INKS, crops, strict=True):
        if text == "5D":
            assert not crop.whole
            continue
        assert crop.whole
        assert crop.box == pytest.approx((55.1, 32.5, 168.9, 191.5), abs=5)
        assert crop.image[112, 112] == pytest.approx(INKS[text], abs=12)


def test_drawn_crops_hold_the_card_where_their_box_says(folder: Path) -> None:
    crops = list(photo_crops(folder, np.random.default_rng(3), 6))
    faces = [crop for crop in crops if crop.box is not None]
    assert {crop.place for crop in faces} >= {Card(text).code for text in ("AS", "9H", "KC")}
    assert Card("5D").code not in {crop.place for crop in faces}
    inks = {Card(text).code: ink for text, ink in INKS.items()}
    for crop in faces:
        assert crop.box is not None
        x1, y1, x2, y2 = crop.box
        assert 0 <= x1 < x2 <= 224
        assert 0 <= y1 < y2 <= 224
        centre = crop.image[round((y1 + y2) / 2), round((x1 + x2) / 2)]
        assert centre == pytest.approx(inks[crop.place], abs=25)
    bare = [crop for crop in crops if crop.place == EMPTY]
    assert bare
    assert all(crop.box is None for crop in bare)


def test_the_same_seed_draws_the_same_crops(folder: Path) -> None:
    first, again = (list(photo_crops(folder, np.random.default_rng(3), 2)) for _ in range(2))
    assert [crop.image.tobytes() for crop in first] == [crop.image.tobytes() for crop in again]


def test_crops_are_written_as_arrays(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert write_photo_crops(photo_crops(folder, None), out, "toys") == 4
    images = np.load(out / "images.npy", mmap_mode="r")
    assert images.shape == (4, 224, 224, 3)
    assert np.load(out / "cls.npy")[0] == Card("AS").code
    assert np.load(out / "box.npy").shape == (4, 4)
    assert (out / "rows.csv").read_text().splitlines()[1] == "toys,p.png,1"
    assert (images[1] == list(photo_crops(folder, None))[1].image).all()


def test_nothing_to_crop_is_said(tmp_path: Path) -> None:
    write_folder(tmp_path, table(), {})
    with pytest.raises(UserError, match="gives no crops"):
        write_photo_crops(photo_crops(tmp_path, None), tmp_path / "out", "bare")


def test_real_photographs_give_crops() -> None:
    folder = PHOTOS / "val" / "anima_overlap"
    if not folder.is_dir():
        pytest.skip(f"there are no labelled photographs in {PHOTOS}: name their folder with REFEREE_PHOTOS")
    crops = list(photo_crops(folder, None))
    assert len(crops) == 20
    assert sum(crop.whole for crop in crops) >= 18
