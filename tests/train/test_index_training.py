"""The second network learns on tiny crops, is taken up where it stopped, and its export reads alike."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from referee.errors import UserError
from referee.train.drawing.arrange import CropSpec
from referee.train.drawing.cropstore import fill_store
from referee.train.index_batches import Located, Views, draw_views, drawn_poses, faces_of
from referee.train.index_learning import IndexRecipe, export_indexes, index_loss, learn_indexes, share_read
from referee.train.shelves import Shelf, drawn_shelf
from referee.vision.index_reader import NO_INDEX, IndexReader
from referee.vision.indexes import VIEW
from tests.train import toys

if TYPE_CHECKING:
    from referee.train.index_network import IndexNetwork

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'spit-referee[train]'")
pytest.importorskip("ultralytics", reason="ultralytics is not installed: pip install 'spit-referee[train]'")

TINY = IndexRecipe(cards=800, batch=16)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """Crops of cards that lie still and show, half of them with a hand about."""
    store = tmp_path_factory.mktemp("store") / "crops"
    spec = CropSpec(size=224, states=(1, 0, 0), hands=0.5, motion=0, disturbed=False, ranks=(1, 2))
    fill_store(store, 3, 160, toys.toy_pool(), spec)
    return drawn_shelf(store)


@pytest.fixture(scope="module")
def cards(shelf: Shelf) -> Located:
    return Located(shelf, drawn_poses(shelf.quads), faces_of(shelf), 1.0)


def _some(cards: Located, count: int, seed: int = 1) -> Views:
    return draw_views([cards], [(0, n % len(cards.places)) for n in range(count)], np.random.default_rng(seed))


@pytest.fixture(scope="module")
def learnt(cards: Located, tmp_path_factory: pytest.TempPathFactory) -> tuple[IndexNetwork, Path, list[float]]:
    folder, losses = tmp_path_factory.mktemp("run"), []
    asked = _some(cards, 100)
    network = learn_indexes(
        folder, TINY, [cards], lambda now: share_read(now, asked), progress=lambda run: losses.append(run.loss)
    )
    return network, folder, losses


def test_a_network_learns_to_read_indexes(learnt: tuple[IndexNetwork, Path, list[float]]) -> None:
    _, folder, losses = learnt
    assert losses[-1] < 0.7 * losses[0]
    (line,) = [json.loads(line) for line in (folder / "indexes.jsonl").read_text().splitlines()]
    assert line["done"] == TINY.cards
    # Eight cards of the toy deck; by chance it would be an eighth of them.
    assert line["right"] > 0.4


def test_weights_and_their_export_read_alike(
    learnt: tuple[IndexNetwork, Path, list[float]], cards: Located, tmp_path: Path
) -> None:
    from referee.train.index_network import evened, log_probabilities

    views = _some(cards, 8).images
    told = IndexReader(export_indexes(learnt[0], tmp_path / "new" / "indexes.onnx")).read(views)
    assert np.exp(told).sum(axis=1) == pytest.approx(1, abs=1e-4)
    with torch.inference_mode():
        faces, none = log_probabilities(learnt[0](evened(torch.from_numpy(views))))
    assert told[:, :NO_INDEX] == pytest.approx(faces.numpy(), abs=1e-3)
    assert told[:, NO_INDEX] == pytest.approx(none.numpy(), abs=1e-3)


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(cards: Located, tmp_path: Path) -> None:
    recipe = replace(TINY, cards=96, batch=16)

    def stop(_progress: Any) -> None:
        raise KeyboardInterrupt

    def run(folder: Path) -> dict[str, Any]:
        learn_indexes(folder, recipe, [cards], lambda _: 0.0)
        kept: dict[str, Any] = torch.load(folder / "indexes-last.pt", weights_only=True)
        return kept

    straight = run(tmp_path / "straight")
    with pytest.raises(KeyboardInterrupt):
        learn_indexes(tmp_path / "again", replace(recipe), [cards], lambda _: 0.0, checkpoint_seconds=0, progress=stop)
    again = run(tmp_path / "again")
    assert straight["done"] == again["done"] == 96
    for name, weights in straight["averaged"].items():
        assert torch.allclose(weights.float(), again["averaged"][name].float(), atol=2e-3), name


def test_a_run_of_another_recipe_is_not_gone_on_with(
    learnt: tuple[IndexNetwork, Path, list[float]], cards: Located
) -> None:
    with pytest.raises(UserError, match="another recipe"):
        learn_indexes(learnt[1], replace(TINY, rate=0.5), [cards], lambda _: 0.0)


def test_drawn_cards_lie_as_their_corners_say() -> None:
    # A card 50 wide and 100 high, lying on its right side: its own top left corner is at the top right.
    quad = np.array([[[100, 0], [100, 50], [0, 50], [0, 0]]], np.float32)
    x, y, turn, height = drawn_poses(quad)[0]
    assert (x, y) == (50, 25)
    assert turn == pytest.approx(90)
    assert height == pytest.approx(150 / (1 + 63 / 88))


def test_corners_under_a_hand_are_shown_as_having_no_index(cards: Located) -> None:
    views = _some(cards, 400)
    hidden = views.shows == NO_INDEX
    assert 0.05 < hidden.mean() < 0.5
    assert set(views.shows[~hidden].tolist()) <= set(cards.shelf.classes.tolist())
    assert views.images.shape[1:] == (VIEW[1], VIEW[0], 3)
    assert views.labelled.all()


def test_of_a_photographed_card_all_corners_are_shown(cards: Located) -> None:
    photographed = replace(cards, labelled=False)
    views = draw_views([photographed], [(0, 0), (0, 1)], np.random.default_rng(0))
    assert len(views.images) == 8
    assert not views.labelled.any()
    assert views.shows.tolist() == [int(cards.shelf.classes[place]) for place in cards.places[:2] for _ in range(4)]


def test_a_photographed_card_costs_nothing_when_any_two_corners_show_it() -> None:
    logits = torch.full((4, 18), -12.0)
    logits[:, 17] = 12.0
    logits[0, [6, 13]] = logits[2, [6, 13]] = 12.0
    logits[[0, 2], 17] = -12.0
    unlabelled = torch.zeros(4, dtype=torch.bool)
    right = index_loss(logits, torch.full((4,), 6), unlabelled)
    wrong = index_loss(logits, torch.full((4,), 7), unlabelled)
    assert float(right) < 0.01
    assert float(wrong) > 5


def test_what_is_no_index_costs_nothing_when_it_is_called_none() -> None:
    logits = torch.zeros(1, 18)
    logits[0, 17] = 12.0
    labelled = torch.ones(1, dtype=torch.bool)
    assert float(index_loss(logits, torch.tensor([NO_INDEX]), labelled)) < 0.01
    assert float(index_loss(logits, torch.tensor([6]), labelled)) > 5
