"""What batches are picked from: portions of the drawn crops, and what goes into them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.readings import BACK, EMPTY
from referee.table import Box
from referee.train.decks.deck_pool import lettered_pool, letters_of
from referee.train.decks.procedural import procedural_deck
from referee.train.diet import drawn_portions, relettered_portions
from referee.train.drawing.arrange import CropSpec, arrange
from referee.train.drawing.crops import CropPainter
from referee.train.drawing.cropstore import fill_store, open_store
from referee.train.drawing.mats import printed_mat
from referee.train.learning import Recipe, _picks
from referee.train.shelves import Portion, Shelf
from tests.train import toys


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store")
    fill_store(folder, 4, 160, toys.toy_pool(), CropSpec(size=48))
    return folder


def _shelf(count: int) -> Shelf:
    boxes, quads = np.zeros((count, 4), np.float32), np.zeros((count, 4, 2), np.float32)
    return Shelf(np.zeros((count, 8, 8, 3), np.uint8), np.zeros(count, np.int64), boxes, quads, quads[..., 0] > 0)


def test_portions_weigh_together_what_is_asked_and_hold_what_they_are_for(store: Path) -> None:
    labels = open_store(store).labels
    portions = drawn_portions(store, 0.5, lambda _deck: "de")
    assert sum(portion.share for portion in portions) == pytest.approx(0.5)
    everything, plain, single, letters = portions
    assert len(everything) == len(labels)
    assert everything.place(7) == 7
    for portion in (plain, single, letters):
        assert 0 < len(portion) < len(labels)
        assert (labels["state"][portion.places] == 0).all()
    assert labels["upright"][plain.places].all()
    assert (labels["corners"][single.places].sum(axis=1) == 1).all()
    assert set(labels["card"][letters.places] % 13) <= {0, 10, 11, 12}


def test_english_decks_add_nothing_to_the_portions_of_other_letters(store: Path) -> None:
    assert len(drawn_portions(store, 1.0, lambda _deck: "en")) == 3


def test_half_of_the_relettered_crops_are_aces_and_courts() -> None:
    shelf = replace(_shelf(30), classes=np.array([*range(26), BACK, EMPTY, 51, 4]))
    everything, letters = relettered_portions(shelf, 0.2)
    assert (everything.share, letters.share) == (0.1, 0.1)
    assert len(everything) == 30
    assert shelf.classes[letters.places].tolist() == [0, 10, 11, 12, 13, 23, 24, 25, 51]
    assert [len(portion) for portion in relettered_portions(_shelf(3), 0.2)] == [3, 3]
    assert len(relettered_portions(replace(_shelf(3), classes=np.full(3, 5)), 0.2)) == 1


def test_a_portion_gives_its_own_crops_and_all_of_them_before_any_twice() -> None:
    some = np.array([3, 5, 8, 13])
    portions = [Portion(_shelf(20), 0.5, some), Portion(_shelf(6), 0.5)]
    picks = _picks(portions, Recipe(batch=16), 0)
    for _ in range(4):
        next(picks)
    from_some = [place for _ in range(8) for which, place in next(picks) if which == 0]
    assert set(from_some) == set(some.tolist())
    counts = np.bincount(from_some, minlength=14)[some]
    assert counts.max() - counts.min() <= 2
    again = _picks(portions, Recipe(batch=16), 3)
    whole = _picks(portions, Recipe(batch=16), 0)
    assert [next(whole) for _ in range(4)][3] == next(again)


def test_the_letters_of_a_deck_are_those_that_it_was_drawn_with(tmp_path: Path) -> None:
    for seed in (1, 2, 3):
        assert procedural_deck(seed, tmp_path).source.endswith(f"letters: {letters_of(f'drawn-{seed}', tmp_path)}")
    assert letters_of("anglo", tmp_path) == "en"


def test_decks_with_a_countrys_letters_are_found(tmp_path: Path) -> None:
    pool = lettered_pool("train", tmp_path, {"de", "se"}, 3)
    assert len(set(pool.names)) == 3
    assert {letters_of(name, tmp_path) for name in pool.names} <= {"de", "se"}


def test_only_ranks_that_are_asked_for_lie_on_top() -> None:
    spec = CropSpec(states=(1, 0, 0), ranks=(11, 1))
    cards = [arrange(np.random.default_rng(seed), spec, (63.0, 88.0)).card for seed in range(20)]
    assert {card.rank for card in cards if card is not None} == {1, 11}
    assert len({card.suit for card in cards if card is not None}) == 4
    with pytest.raises(ValueError, match="ranks are 1 to 13"):
        CropSpec(ranks=(14,))


def test_places_for_cards_are_printed_on_as_many_tables_as_asked() -> None:
    spec = CropSpec(printed=0.5)
    surfaces = [arrange(np.random.default_rng(seed), spec, (63.0, 88.0)).surface for seed in range(60)]
    printed = [surface for surface in surfaces if surface.prints]
    assert 15 < len(printed) < 45
    lines = [surface.prints[0].line for surface in printed]
    assert None in lines
    assert any(line is not None for line in lines)
    bare = [arrange(np.random.default_rng(seed), CropSpec(), (63.0, 88.0)).surface for seed in range(20)]
    assert not any(surface.prints for surface in bare)


def test_what_is_printed_about_an_empty_zone_shows_and_leaves_it_empty() -> None:
    painter = CropPainter(9, toys.toy_pool(), CropSpec(size=96, states=(0, 0, 1), hands=0, printed=1.0))
    changed = 0
    for number in range(6):
        situation = painter.situation(number)
        plain = replace(situation, surface=replace(situation.surface, prints=()))
        crop, bare = painter.paint(situation, number), painter.paint(plain, number)
        assert crop.state == bare.state == "empty"
        changed += int((cv2.absdiff(crop.image, bare.image).max(axis=2) > 25).sum() > 40)
    assert changed >= 4


def test_a_mat_is_a_ground_with_fields_alike_on_it() -> None:
    box = Box(300.0, 200.0, 63.0, 88.0, 180.0)
    sizes = set()
    for seed in range(30):
        mat = printed_mat(np.random.default_rng(seed), box)
        fields = [place for place in mat if place.width < 200]
        assert mat[0].line is None
        assert mat[0].width > 400
        assert len({(place.width, place.height, place.colour, place.line) for place in fields}) <= 1
        assert len({(place.box.x, place.box.y) for place in fields}) == len(fields)
        sizes |= {round(place.width) for place in fields}
    assert min(sizes) < 40 < 100 < max(sizes)
