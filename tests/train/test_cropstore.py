"""Crops on disk can be interrupted, continued and read back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee.cards import DECK
from referee.errors import UserError
from referee.train.decks.deck_pool import DeckPool
from referee.train.drawing.arrange import CropSpec
from referee.train.drawing.crop_sheet import art_crop_sheet, crop_sheet
from referee.train.drawing.crops import generate
from referee.train.drawing.cropstore import PENDING, WORDS, fill_store, open_store
from tests.train import toys

SPEC = CropSpec(size=48)


@pytest.fixture(scope="module")
def toy_pool() -> DeckPool:
    return toys.toy_pool()


class Interrupted(Exception):
    """Stands for whatever ends a run."""


def test_what_was_stored_is_what_was_drawn(tmp_path: Path, toy_pool: DeckPool) -> None:
    store = fill_store(tmp_path / "crops", 3, 20, toy_pool, SPEC)
    assert store.drawn == 20
    assert store.decks == ("toy",)
    for crop, image, label in zip(generate(3, 20, toy_pool, SPEC), store.crops, store.labels, strict=True):
        assert (crop.image == image).all()
        assert WORDS["state"][label["state"]] == crop.state
        assert label["card"] == (crop.card.code if crop.card else 52)
        assert label["box"] == pytest.approx(crop.box, abs=1e-4)
        assert label["quad"] == pytest.approx(crop.quad, abs=1e-4)
        assert label["share"] == pytest.approx(crop.share)
        assert tuple(label["corners"]) == crop.corners
        assert WORDS["light"][label["light"]] == crop.conditions.light
        assert WORDS["motion"][label["motion"]] == crop.conditions.motion
        assert WORDS["surface"][label["surface"]] == crop.conditions.surface
        assert label["source"] == crop.conditions.source
        assert label["noise"] == pytest.approx(crop.conditions.noise)


def test_an_interrupted_store_is_continued(tmp_path: Path, toy_pool: DeckPool) -> None:
    def stop(done: int, _count: int) -> None:
        if done >= 64:
            raise Interrupted

    with pytest.raises(Interrupted):
        fill_store(tmp_path, 3, 67, toy_pool, SPEC, progress=stop)
    partly = open_store(tmp_path)
    assert partly.drawn == 64
    assert (partly.labels["state"][64:] == PENDING).all()
    steps: list[int] = []
    whole = fill_store(tmp_path, 3, 67, toy_pool, SPEC, progress=lambda done, _count: steps.append(done))
    assert steps == [64, 67]
    assert whole.drawn == 67
    for crop, image in zip(generate(3, 5, toy_pool, SPEC, first=62), whole.crops[62:], strict=True):
        assert (crop.image == image).all()


def test_a_store_is_not_mixed_with_other_crops(tmp_path: Path, toy_pool: DeckPool) -> None:
    fill_store(tmp_path, 3, 2, toy_pool, SPEC)
    with pytest.raises(UserError, match="another seed"):
        fill_store(tmp_path, 4, 2, toy_pool, SPEC)
    with pytest.raises(UserError, match="another spec"):
        fill_store(tmp_path, 3, 2, toy_pool, CropSpec(size=64))


def test_a_folder_without_crops_is_said_to_be_one(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no crops"):
        open_store(tmp_path)
    (tmp_path / "store.json").write_text("not json")
    with pytest.raises(UserError, match="cannot be read"):
        open_store(tmp_path)


def test_the_codes_cover_every_card() -> None:
    assert [card.code for card in DECK] == list(range(52))


@pytest.mark.parametrize(("labels", "height"), [(True, 2 * 78), (False, 2 * 48)])
def test_a_sheet_holds_the_crops_it_was_asked_for(toy_pool: DeckPool, labels: bool, height: int) -> None:
    sheet = crop_sheet(toy_pool, seed=1, count=5, spec=SPEC, labels=labels, columns=3)
    assert sheet.shape == (height, 3 * 48, 3)
    assert sheet.dtype == np.uint8
    assert (sheet[height // 2 :, 2 * 48 :] == 255).all()


def test_a_sheet_needs_no_fetched_art(tmp_path: Path) -> None:
    pytest.importorskip("PIL", reason="drawn decks need Pillow: pip install 'spit-referee[train]'")
    assert art_crop_sheet(tmp_path, seed=1, count=1).shape == (254, 2240, 3)
    with pytest.raises(UserError, match="at least one crop"):
        art_crop_sheet(tmp_path, count=0)
    with pytest.raises(UserError, match="not negative"):
        art_crop_sheet(tmp_path, seed=-1)
