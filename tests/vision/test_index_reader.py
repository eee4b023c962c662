"""The network that reads a card's corner indexes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.errors import UserError
from referee.vision.index_reader import FACES, IndexReader
from referee.vision.indexes import VIEW
from referee.vision.model_file import shipped_model
from referee.vision.reader import CardReader

CROPS = Path(__file__).parents[1] / "fixtures" / "crops"


@pytest.fixture(scope="module")
def indexes() -> IndexReader:
    path = shipped_model().index_path
    assert path is not None
    return IndexReader(path)


def test_what_it_says_of_a_picture_adds_up_to_one(indexes: IndexReader) -> None:
    views = np.random.default_rng(0).integers(0, 256, (3, VIEW[1], VIEW[0], 3)).astype(np.uint8)
    told = indexes.read(views)
    assert told.shape == (3, FACES + 1)
    assert np.exp(told).sum(axis=1) == pytest.approx(1, abs=1e-4)


def test_a_picture_of_one_colour_shows_no_index(indexes: IndexReader) -> None:
    views = np.stack([np.full((VIEW[1], VIEW[0], 3), shade, np.uint8) for shade in (0, 90, 255)])
    assert (indexes.read(views).argmax(axis=1) == FACES).all()


def test_the_light_makes_no_difference(indexes: IndexReader) -> None:
    rng = np.random.default_rng(1)
    view = cv2.resize(rng.integers(40, 120, (8, 6, 3)).astype(np.uint8), VIEW)
    bright = (view * 2).astype(np.uint8)
    assert indexes.read(view[None])[0] == pytest.approx(indexes.read(bright[None])[0], abs=0.7)


def test_another_network_is_told(tmp_path: Path) -> None:
    first = shipped_model().path
    with pytest.raises(UserError, match="is not a network that reads a card's indexes"):
        IndexReader(first)
    damaged = tmp_path / "indexes.onnx"
    damaged.write_bytes(b"no network")
    with pytest.raises(UserError, match="is not a model"):
        IndexReader(damaged)


def test_a_reader_without_the_second_network_reads_too(tmp_path: Path) -> None:
    shutil.copyfile(shipped_model().path, tmp_path / "own.onnx")
    about = json.loads(shipped_model().path.with_suffix(".json").read_text())
    del about["index_file"], about["index_sha256"]
    (tmp_path / "own.json").write_text(json.dumps(about))
    crops = [cv2.imread(str(path)) for path in sorted(CROPS.glob("[0-9JQKT]*.png"))]
    alone, both = CardReader(tmp_path / "own.onnx").read(crops), CardReader().read(crops)
    assert [reading.card for reading in alone] == [reading.card for reading in both]
    assert max(np.abs(one.log_probs - other.log_probs).max() for one, other in zip(alone, both, strict=True)) > 1e-3
