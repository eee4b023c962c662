"""The model's file: found, checked, and its classes understood."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from referee.cards import DECK, Card
from referee.errors import UserError
from referee.readings import BACK
from referee.vision import model_file
from referee.vision.evidence import HIDDEN
from referee.vision.model_file import meanings, own_model, shipped_model

HERE = Path("model.onnx")
FILES = ("reader.onnx", "indexes.onnx", "reader.json")


def test_the_shipped_model_is_whole() -> None:
    model = shipped_model()
    assert model.path.name == "reader.onnx"
    assert model.index_path is not None
    assert model.path.stat().st_size + model.index_path.stat().st_size < 12e6
    assert model.classes[:52] == tuple(card.text for card in DECK)


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = shipped_model().path.parent
    for name in FILES:
        shutil.copyfile(folder / name, tmp_path / name)
    monkeypatch.setattr(model_file, "shipped", lambda _folder, name: tmp_path / name)
    return tmp_path


@pytest.mark.parametrize("name", ["reader.onnx", "indexes.onnx"])
def test_an_altered_model_is_told(copied: Path, name: str) -> None:
    with (copied / name).open("ab") as file:
        file.write(b"!")
    with pytest.raises(UserError, match=rf"{name} is not the one that was described"):
        shipped_model()


def test_a_model_is_another_one_with_another_second_network(copied: Path) -> None:
    before = shipped_model().checksum
    described = json.loads((copied / "reader.json").read_text())
    shutil.copyfile(copied / "reader.onnx", copied / "indexes.onnx")
    (copied / "reader.json").write_text(json.dumps({**described, "index_sha256": described["sha256"]}))
    assert shipped_model().checksum != before
    described.pop("index_file")
    (copied / "reader.json").write_text(json.dumps(described))
    assert shipped_model().checksum == described["sha256"]


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_told(copied: Path, name: str) -> None:
    (copied / name).unlink()
    with pytest.raises(UserError, match=name):
        shipped_model()


@pytest.mark.parametrize("text", ["", "[", '{"file": 3}', "{}"])
def test_a_damaged_description_is_told(copied: Path, text: str) -> None:
    (copied / "reader.json").write_text(text)
    with pytest.raises(UserError, match=r"reader\.json"):
        shipped_model()


@pytest.mark.parametrize(
    ("name", "card"),
    [("7C", "7C"), ("10h", "TH"), ("ace of spades", "AS"), ("Queen_of_Hearts", "QH"), ("DT", "TD"), ("1s", "AS")],
)
def test_classes_are_understood_as_people_write_them(name: str, card: str) -> None:
    assert meanings([name], HERE) == (Card(card).code,)


def test_backs_and_hidden_zones_have_classes_of_their_own() -> None:
    assert meanings(["back", "hidden"], HERE) == (BACK, HIDDEN)


@pytest.mark.parametrize("name", ["joker", "", "11H", "person"])
def test_a_class_that_is_no_card_is_told(name: str) -> None:
    with pytest.raises(UserError, match="is no card"):
        meanings([name], HERE)


def test_a_model_of_another_kind_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"\.onnx or a \.pt"):
        own_model(tmp_path / "model.tflite")


def test_a_model_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        own_model(tmp_path / "model.onnx")


@pytest.mark.parametrize("text", ["[1]", "{", '{"temperature": "warm"}', '{"size": null}'])
def test_a_description_that_makes_no_sense_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "mine.onnx").write_bytes(b"weights")
    (tmp_path / "mine.json").write_text(text)
    with pytest.raises(UserError, match=r"mine\.json"):
        own_model(tmp_path / "mine.onnx")


def test_a_description_beside_a_model_of_ones_own_counts(tmp_path: Path) -> None:
    (tmp_path / "mine.onnx").write_bytes(b"weights")
    (tmp_path / "mine.json").write_text(json.dumps({"temperature": 2.5, "size": 192}))
    model = own_model(tmp_path / "mine.onnx")
    assert (model.calibration.temperature, model.size) == (2.5, 192)
