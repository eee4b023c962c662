from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee.cards import Card
from referee.errors import UserError
from referee.evaluate.reader import Miss, SourceScore, compare, photo_folders, score_crops, score_photos
from referee.evaluate.reader_score import CropScore, agrees
from referee.evaluate.reader_sheet import TILE, miss_sheet
from referee.readings import BACK, EMPTY, OUTCOMES, Reading, Sight
from referee.train.labels import Label, Photo
from referee.vision.photograph import FoundCard
from referee.vision.rectify import Points
from tests.photo_scenes import card_quad, lay, table, write_folder
from tests.toy_reader import ToyReader, toy_photo_reader


def reading(place: int, chance: float, state: Sight = Sight.CARD) -> Reading:
    probs = np.full(OUTCOMES, (1 - chance) / (OUTCOMES - 1))
    probs[place] = chance
    return Reading(state, np.log(probs).astype(np.float32), 0.0, None, None)


def found(text: str, quad: Points, confidence: float = 0.9) -> FoundCard:
    return FoundCard(None if text == "back" else Card(text), confidence, quad, True)


def ring(x: float, y: float) -> Points:
    return np.array([[x, y], [x + 50, y], [x + 50, y + 70], [x, y + 70]], np.float64)


def test_readings_of_crops_are_counted() -> None:
    score = CropScore()
    seven = Card("7C").code
    assert score.count("7C", reading(seven, 0.9))
    assert not score.count("7S", reading(seven, 0.9))
    assert not score.count("8C", reading(BACK, 0.9, Sight.BACK))
    assert not score.count("8C", reading(EMPTY, 0.9, Sight.EMPTY))
    assert not score.count("8C", reading(0, 1 / OUTCOMES, Sight.HIDDEN))
    assert score.count("back", reading(BACK, 0.9, Sight.BACK))
    assert not score.count("back", reading(seven, 0.9))
    assert score.count("7?", reading(seven, 0.9))
    figures = score.figures()
    assert (score.faces, score.ranked, score.backs) == (5, 6, 2)
    assert figures["rank"] == pytest.approx(3 / 6)
    assert figures["card"] == pytest.approx(1 / 5)
    assert figures["back_face"] == pytest.approx(2 / 8)
    assert (figures["unread"], figures["read_as_empty"]) == (1, 1)
    assert ["7S", "7C", 1] in figures["confusions"]


def test_a_card_on_a_bare_place_is_false_and_a_covered_one_is_not() -> None:
    score = CropScore()
    assert score.count("empty", reading(EMPTY, 0.99, Sight.EMPTY))
    assert score.count("empty", reading(0, 1 / OUTCOMES, Sight.HIDDEN))
    assert not score.count("empty", reading(3, 0.7))
    assert score.figures()["false_cards"] == pytest.approx(1 / 3)


def test_the_calibration_error_is_how_far_confidence_is_from_what_is_right() -> None:
    score = CropScore()
    for number in range(10):
        score.count("7C" if number < 6 else "8C", reading(Card("7C").code, 0.8))
    assert score.calibration_error == pytest.approx(0.2, abs=1e-6)
    both = CropScore()
    both.add(score)
    both.add(score)
    assert both.calibration_error == pytest.approx(0.2, abs=1e-6)
    assert both.confusions["8C", "7C"] == 8


@pytest.mark.parametrize(
    ("truth", "said", "right"),
    [("7C", "7C", True), ("7?", "7S", True), ("?S", "7S", True), ("?S", "7H", False), ("7?", "back", False)],
)
def test_a_label_that_is_partly_unreadable_agrees_with_what_it_could_be(truth: str, said: str, right: bool) -> None:
    assert agrees(truth, said) is right


def test_cards_of_a_photograph_are_found_by_name_and_place() -> None:
    labels = (
        Label("7C", (0, 0, 50, 70)),
        Label("8D", (100, 0, 150, 70)),
        Label("9S", (200, 0, 250, 70)),
        Label("KH", None),
        Label("QH", None),
    )
    cards = [
        found("7C", ring(3, 3)),
        found("8H", ring(100, 0)),
        found("9S", ring(240, 0)),
        found("KH", ring(400, 0)),
        found("2C", ring(500, 0), 0.7),
    ]
    score, wrong = compare(Photo(Path("p.jpg"), labels), cards)
    assert (score.boxed, score.found, score.listed, score.named, score.said) == (3, 1, 2, 1, 5)
    assert [(truth, said) for truth, said, *_ in wrong] == [
        ("8D", "8H"),
        ("9S", "nothing"),
        ("QH", "nothing"),
        ("nothing", "9S"),
        ("nothing", "2C"),
    ]
    assert score.figures()["precision"] == pytest.approx(2 / 5)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cards = {"AS": card_quad(120, 120, 130, 20), "9H": card_quad(400, 130, 130, 80), "5D": card_quad(200, 340, 130, 5)}
    image = table()
    for text, quad in cards.items():
        lay(image, quad, text)
    # One label is wrong.
    cards["KC"] = cards.pop("5D")
    home = tmp_path / "home"
    home.mkdir()
    write_folder(home, image, cards)
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "t.png").write_bytes((home / "p.png").read_bytes())
    return tmp_path


def test_a_folder_is_scored_by_crops_and_by_photographs(folder: Path) -> None:
    source = score_crops(folder / "home", ToyReader(), lambda _: None)
    score_photos(folder / "home", toy_photo_reader(), source, lambda _: None)
    assert (source.crops.faces, source.crops.cards, source.whole.cards) == (3, 2, 2)
    assert (source.photos.boxed, source.photos.found, source.photos.said) == (3, 2, 3)
    assert [(miss.truth, miss.said) for miss in source.misses] == [("KC", "5D")] * 2
    both = SourceScore()
    both.add(source)
    both.add(source)
    assert both.photos.boxed == 6


def test_pictures_without_labels_count_as_bare(folder: Path) -> None:
    source = score_crops(folder / "bare", ToyReader(), lambda _: None)
    assert source.crops.empties > 20
    assert source.crops.ghosts > 0
    assert source.misses[0].truth == "empty"


def test_a_folder_of_folders_stands_for_those_with_pictures(folder: Path) -> None:
    (folder / "notes").mkdir()
    assert photo_folders([folder]) == [folder / "home", folder / "bare"]
    with pytest.raises(UserError, match="neither"):
        photo_folders([folder / "notes"])
    with pytest.raises(UserError, match="no such folder"):
        photo_folders([folder / "gone"])


def test_misses_are_drawn_on_a_sheet() -> None:
    misses = [Miss(np.zeros((30, 60, 3), np.uint8), "7C", "8C", 0.9, "home/p.png")] * 11
    sheet = miss_sheet(misses)
    assert sheet.shape[1] == 8 * TILE
    assert sheet[:30, :60].max() == 0
    assert miss_sheet([]).shape[1] == TILE
