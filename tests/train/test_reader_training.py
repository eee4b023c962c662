"""A smoke training on tiny crops: it learns, stops early, is taken up where it stopped, and its export reads alike."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.errors import UserError
from referee.readings import BACK
from referee.train import make_reader as making
from referee.train import shelves as shelves_module
from referee.train.apart import apart
from referee.train.drawing.arrange import CropSpec
from referee.train.drawing.cropstore import fill_store
from referee.train.export import MEANS, calibration_error, describe, export, fit
from referee.train.index_learning import IndexRecipe
from referee.train.learning import Progress, Recipe, _Run, learn, load_weights, to_input
from referee.train.make_reader import Plan, make_reader
from referee.train.network import CLASSES, NETWORKS, build_network
from referee.train.shelves import (
    HIDDEN_CLASS,
    NOTHING,
    Batch,
    Portion,
    Shelf,
    _turn_points,
    draw_batch,
    drawn_shelf,
    index_places,
    turn_box,
)
from referee.train.validation import Validation
from referee.vision.balance import balanced
from referee.vision.engine import OnnxEngine, UltralyticsEngine, as_input
from referee.vision.evidence import Calibration, probabilities
from referee.vision.reader import CardReader
from tests.photo_scenes import card_quad, lay, table, write_folder
from tests.train import toys

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'spit-referee[train]'")
pytest.importorskip("ultralytics", reason="ultralytics is not installed: pip install 'spit-referee[train]'")

# Two cards and a back, large and plain, are learnt in seconds.
TINY = Recipe(images=2400, batch=8, rate=0.02, every=800, patience=99)


def _blocks(count: int, size: int = 64) -> Shelf:
    """Crops with a bright block for one class, a dark one for another, or nothing."""
    rng = np.random.default_rng(3)
    images = rng.integers(90, 130, (count, size, size, 3), np.uint8)
    classes = np.arange(count) % 3 - 1
    boxes = np.zeros((count, 4), np.float32)
    for number, kind in enumerate(classes):
        # Something white, as a card is, by which crops are balanced.
        images[number, :, 48:54] = 230
        if kind != NOTHING:
            x, y = rng.integers(4, 18, 2)
            boxes[number] = (x, y, x + 30, y + 34)
            images[number, y : y + 34, x : x + 30] = (30, 30, 200) if kind == 0 else (220, 220, 220)
    none = np.zeros((count, 4), np.bool_)
    return Shelf(images, classes.astype(np.int64), boxes, np.full((count, 4, 2), np.nan, np.float32), none)


@pytest.fixture(scope="module")
def blocks() -> Shelf:
    return _blocks(300)


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory, blocks: Shelf) -> tuple[Path, list[Progress]]:
    folder = tmp_path_factory.mktemp("run")
    told: list[Progress] = []
    learn(folder, TINY, [Portion(blocks, 1.0)], Validation(blocks, np.arange(60), []), progress=told.append)
    return folder, told


def test_a_network_learns(learnt: tuple[Path, list[Progress]]) -> None:
    folder, told = learnt
    assert told[-1].done == TINY.images
    assert told[-1].loss < 0.7 * max(progress.loss for progress in told)
    assert told[-1].scores["card"] > 0.9
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    assert [line["done"] for line in lines] == [800, 1600, 2400]


def test_progress_says_how_long_it_will_take(learnt: tuple[Path, list[Progress]]) -> None:
    left = [progress.seconds_left for progress in learnt[1]]
    assert left[0] > left[-1] == 0


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path, blocks: Shelf) -> None:
    recipe = replace(TINY, images=192, every=96)
    scores: Mapping[str, float] = {"score": 1.0}

    def run(folder: Path, stop: int | None) -> dict[str, Any]:
        def told(progress: Progress) -> None:
            if stop is not None and progress.done >= stop:
                raise KeyboardInterrupt

        try:
            learn(folder, recipe, [Portion(blocks, 1.0)], lambda _: scores, checkpoint_seconds=0, progress=told)
        except KeyboardInterrupt:
            learn(folder, recipe, [Portion(blocks, 1.0)], lambda _: scores)
        kept: dict[str, Any] = torch.load(folder / "last.pt", weights_only=True)
        return kept

    straight, again = run(tmp_path / "straight", None), run(tmp_path / "again", 16)
    assert straight["done"] == again["done"] == 192
    for name, weights in straight["model"].items():
        assert torch.allclose(weights.float(), again["model"][name].float(), atol=2e-3), name


def test_training_starts_from_weights_it_is_given(learnt: tuple[Path, list[Progress]], tmp_path: Path) -> None:
    best = learnt[0] / "best.pt"
    run = _Run(tmp_path / "next", TINY, best, "cpu")
    given = load_weights(best).state_dict()
    for name, weights in run.model.state_dict().items():
        assert torch.equal(weights, given[name])
    with pytest.raises(UserError, match="another network than 'yolo11n'"):
        _Run(tmp_path / "other", replace(TINY, network="yolo11n"), best, "cpu")


def test_a_run_of_another_recipe_is_not_gone_on_with(learnt: tuple[Path, list[Progress]], blocks: Shelf) -> None:
    with pytest.raises(UserError, match="another rate"):
        learn(learnt[0], replace(TINY, rate=0.5), [Portion(blocks, 1.0)], lambda _: {"score": 0.0})


def test_training_ends_when_validation_gets_no_better(tmp_path: Path, blocks: Shelf) -> None:
    seen: list[int] = []

    def validate(_model: Any) -> Mapping[str, float]:
        seen.append(1)
        return {"score": 1.0 / len(seen)}

    learn(tmp_path, replace(TINY, every=32, patience=2), [Portion(blocks, 1.0)], validate)
    assert len(seen) == 3


def test_weights_and_their_export_read_alike(
    learnt: tuple[Path, list[Progress]], blocks: Shelf, tmp_path: Path
) -> None:
    crops = as_input([np.asarray(image) for image in blocks.images[:4]])
    model = export(learnt[0] / "best.pt", 64, tmp_path)
    exported = OnnxEngine(model)
    assert exported.classes == CLASSES
    assert exported.size == 64
    straight, through = UltralyticsEngine(learnt[0] / "best.pt").run(crops), exported.run(crops)
    assert np.abs(straight[:, 4:] - through[:, 4:]).max() < 0.02
    assert np.abs(straight[:, :4] - through[:, :4]).max() < 0.5
    # Weights do not tell the size of crops they were trained on; a description beside them does.
    (learnt[0] / "best.json").write_text('{"size": 64}')
    by_own = CardReader(model).read([np.asarray(blocks.images[1])])[0]
    by_torch = CardReader(learnt[0] / "best.pt").read([np.asarray(blocks.images[1])])[0]
    assert by_own.card == by_torch.card


@pytest.mark.parametrize("network", NETWORKS)
def test_every_network_learns_and_is_exported_in_the_form_that_is_read(
    network: str, tmp_path: Path, blocks: Shelf
) -> None:
    recipe = replace(TINY, network=network, images=16, batch=8, every=16)
    best = learn(tmp_path / "run", recipe, [Portion(blocks, 1.0)], Validation(blocks, np.arange(8), []))
    model = export(best, 64, tmp_path)
    describe(model, 64, Calibration(), {})
    assert len(CardReader(model).read([np.asarray(image) for image in blocks.images[:2]])) == 2


def test_weights_are_loaded_by_ultralytics_itself(learnt: tuple[Path, list[Progress]]) -> None:
    from ultralytics.models.yolo.model import YOLO

    assert YOLO(learnt[0] / "best.pt").names[52] == "back"


def test_a_face_is_the_sum_of_its_rank_and_its_suit() -> None:
    torch.manual_seed(0)
    model: Any = build_network("reader")
    (head,) = (branch[-1] for branch in model.model[-1].cv3)
    logits = head(torch.randn(1, 128, 2, 2))[0, :, 0, 0].detach()
    at = {name: float(logit) for name, logit in zip(CLASSES, logits, strict=True)}
    assert at["KH"] - at["KS"] == pytest.approx(at["7H"] - at["7S"], abs=1e-5)
    assert at["KH"] - at["QH"] == pytest.approx(at["KC"] - at["QC"], abs=1e-5)
    assert len({round(logit, 5) for logit in at.values()}) == len(CLASSES)


def test_what_a_network_takes_for_another_card_costs_more_than_what_it_gets_right() -> None:
    box = np.array([[12, 12, 52, 52]], np.float32)
    unknown = np.full((1, 4, 2), np.nan, np.float32)
    batch = Batch(np.zeros((1, 64, 64, 3), np.uint8), np.array([5]), box, unknown)
    right, wrong, astray = (torch.zeros(1, len(CLASSES), 16) for _ in range(3))
    right[:, 5], wrong[:, 6] = 4.0, 4.0
    # What places at the rim say is not asked.
    astray[:, 6, [0, 3, 12, 15]], astray[:, 5, [5, 6, 9, 10]] = 4.0, 4.0
    costs = [float(apart({"scores": scores}, batch, (16,))) for scores in (right, astray, wrong)]
    assert costs[0] == pytest.approx(costs[1])
    assert costs[2] > costs[0] + 3
    marked = unknown.copy()
    marked[0, 0] = (12, 12)
    cornered = Batch(batch.images, batch.classes, box, marked)
    assert float(apart({"scores": right}, cornered, (16,))) == pytest.approx(2 * costs[0])
    assert float(apart({"scores": astray}, cornered, (16,))) > costs[0] + 3
    nothing = Batch(batch.images, np.array([NOTHING]), box, unknown)
    assert float(apart({"scores": wrong}, nothing, (16,))) == 0


def test_a_middle_is_lent_by_cards_of_the_same_suit_only(monkeypatch: pytest.MonkeyPatch) -> None:
    lent: list[tuple[int, int]] = []

    def note(image: Any, _quad: Any, donor: Any, _others: Any, _rng: Any) -> None:
        if donor is not None:
            lent.append((int(image[0, 0, 0]), int(donor[0][0, 0, 0])))

    monkeypatch.setattr(shelves_module, "_change_middle", note)
    classes = np.arange(52)
    images = np.broadcast_to(classes[:, None, None, None], (52, 8, 8, 3)).astype(np.uint8)
    quads = np.broadcast_to(np.array([[1, 1], [6, 1], [6, 7], [1, 7]], np.float32), (52, 4, 2))
    shelf = Shelf(images, classes, np.zeros((52, 4), np.float32), quads, np.ones((52, 4), np.bool_))
    draw_batch([shelf], [(0, place) for place in range(52)] * 4, np.random.default_rng(0))
    assert len(lent) > 20
    for card, donor in lent:
        assert card // 13 == donor // 13
        assert (card % 13 >= 10) == (donor % 13 >= 10)


def test_frozen_layers_stay_as_they_were_given(
    learnt: tuple[Path, list[Progress]], blocks: Shelf, tmp_path: Path
) -> None:
    before = load_weights(learnt[0] / "best.pt").state_dict()
    recipe = replace(TINY, images=64, every=64, frozen=3)
    start = learnt[0] / "best.pt"
    best = learn(tmp_path, recipe, [Portion(blocks, 1.0)], lambda _: {"score": 1.0}, start=start)
    after = load_weights(best).state_dict()
    same = {name for name in before if torch.equal(before[name], after[name])}
    assert {name for name in before if name.split(".")[1] in {"0", "1", "2"}} <= same
    assert {name.split(".")[1] for name in before if name not in same} >= {"5", "9", "13"}


def test_what_holds_no_weights_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.pt"
    path.write_bytes(b"no weights")
    with pytest.raises(UserError, match="holds no weights"):
        load_weights(path)


def test_pictures_go_to_the_network_in_red_green_blue() -> None:
    image = np.zeros((1, 32, 32, 3), np.uint8)
    image[..., 2] = 255
    assert to_input(image, "cpu")[0, :, 0, 0].tolist() == [1, 0, 0]
    assert as_input(list(image))[0, :, 0, 0].tolist() == [1, 0, 0]


@pytest.mark.parametrize("quarters", [0, 1, 2, 3, 4])
def test_boxes_turn_with_their_pictures(quarters: int) -> None:
    image = np.zeros((40, 40), np.uint8)
    image[5:20, 8:12] = 1
    rows, columns = np.nonzero(np.rot90(image, quarters))
    box = turn_box(np.array([8, 5, 12, 20], np.float32), quarters, 40)
    assert box.tolist() == [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]


@pytest.mark.parametrize("quarters", range(4))
def test_indexes_turn_with_their_pictures(quarters: int) -> None:
    image = np.zeros((40, 40), np.uint8)
    image[12, 7] = 1
    (row,), (column,) = np.nonzero(np.rot90(image, quarters))
    points = _turn_points(np.array([[7.5, 12.5], [np.nan, np.nan]], np.float32), quarters, 40)
    assert points[0].tolist() == [column + 0.5, row + 0.5]
    assert np.isnan(points[1]).all()


def test_indexes_are_looked_for_near_the_corners_that_show_one() -> None:
    # A card 50 wide and 100 high, lying on its right side: its own top left corner is at the top right.
    quad = np.array([[100, 0], [100, 50], [0, 50], [0, 0]], np.float32)
    places = index_places(quad, np.array([True, False, True, False]))
    assert places[0].tolist() == pytest.approx([87, 5])
    assert places[2].tolist() == pytest.approx([13, 45])
    assert np.isnan(places[[1, 3]]).all()


def test_some_crops_are_varied_and_keep_their_labels(tmp_path: Path) -> None:
    store = tmp_path / "store"
    fill_store(store, 1, 60, toys.toy_pool(), CropSpec(size=96, states=(1, 0, 0), hands=0, motion=0, disturbed=False))
    shelf = drawn_shelf(store)
    rng = np.random.default_rng(0)
    changed = 0
    for place in range(60):
        batch = draw_batch([shelf], [(0, place)], rng)
        assert batch.classes[0] == shelf.classes[place]
        turned = [balanced(np.rot90(shelf.images[place], quarters).copy()) for quarters in range(4)]
        changed += not any((batch.images[0] == image).all() for image in turned)
    assert 10 < changed < 50


def test_crops_of_which_nothing_shows_are_labelled_hidden(tmp_path: Path) -> None:
    store = tmp_path / "store"
    fill_store(store, 2, 100, toys.toy_pool(), CropSpec(size=64, hands=1.0))
    kept = np.load(store / "labels.npy")
    shelf = drawn_shelf(store)
    hidden = shelf.classes == HIDDEN_CLASS
    assert hidden.any()
    assert (kept["share"][hidden] < 0.3).all()
    assert not kept["corners"][hidden].any()
    assert (shelf.classes[kept["state"] == 1] >= BACK).all()


def test_a_reader_is_made_from_art_to_model_in_one_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "prepare", lambda *_: None)
    monkeypatch.setattr(making, "art_pool", lambda *_: toys.toy_pool())
    monkeypatch.setattr(making, "lettered_pool", lambda *_: toys.toy_pool())
    monkeypatch.setattr(making, "relettered_pool", lambda *_: toys.toy_pool())
    few = {"crops": 48, "validation": 24, "bare": 24, "jacks": 24, "relettered": 24}
    plan = Plan(Recipe(images=64, batch=16, every=32), size=64, indexes=IndexRecipe(cards=32, batch=16), **few)
    for split in ("train", "val"):
        photographs = tmp_path / "photos" / split / "home"
        photographs.mkdir(parents=True)
        quad = card_quad(320, 240, 200, 10)
        image = table()
        lay(image, quad, "9H")
        write_folder(photographs, image, {"9H": quad})
    about = make_reader(plan, tmp_path / "cache", tmp_path / "work", tmp_path / "out", tmp_path / "photos")
    assert np.load(tmp_path / "work" / "photos-train-64" / "home" / "images.npy").shape[1:] == (64, 64, 3)
    described = json.loads(about.read_text())
    assert described["classes"] == list(CLASSES)
    assert described["size"] == 64
    assert described["index_file"] == "indexes.onnx"
    reader = CardReader(about.with_name("reader.onnx"))
    assert reader.model.index_path == about.with_name("indexes.onnx")
    reading = reader.read([np.zeros((64, 64, 3), np.uint8)])[0]
    assert np.exp(reading.log_probs).sum() == pytest.approx(1, abs=1e-4)


def test_calibration_is_found_again() -> None:
    rng = np.random.default_rng(4)
    truth = Calibration(2.0, -3.0, 1.0)
    evidence = rng.normal(-8, 1.5, (1500, len(CLASSES)))
    evidence[np.arange(1500), rng.integers(0, len(CLASSES), 1500)] += rng.normal(6, 3, 1500)
    log_probs, hidden = probabilities(evidence, MEANS, truth)
    drawn = np.array([rng.choice(54, p=np.exp(row) / np.exp(row).sum()) for row in log_probs])
    classes = np.where(drawn == 53, NOTHING, drawn)
    classes[rng.random(1500) < hidden] = HIDDEN_CLASS
    found = fit(evidence, classes)
    assert found.temperature == pytest.approx(2.0, rel=0.1)
    assert found.empty == pytest.approx(-3.0, abs=0.4)
    assert found.hidden == pytest.approx(1.0, abs=1.0)


def test_confidence_that_is_kept_has_no_calibration_error() -> None:
    rng = np.random.default_rng(5)
    confidence = rng.uniform(0.2, 1, 20000)
    right = (rng.random(20000) < confidence).astype(float)
    assert calibration_error(confidence, right) < 0.01
    assert calibration_error(confidence, np.zeros(20000)) > 0.5
