from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from referee.cards import Card
from referee.evaluate.reader_store import score_store
from referee.train.drawing.cropstore import LABEL, PENDING, VERSION, WORDS
from referee.vision.rectify import Image
from tests.photo_scenes import card_quad, lay, table
from tests.toy_reader import ToyReader


def write_store(folder: Path) -> None:
    """A toy store: two cards, one of them mislabelled and one without an index in sight, a bare place, a gap."""
    shown = table(224, 224)
    lay(shown, card_quad(112, 112, 159, 10), "9H")
    crops: list[Image] = [shown, shown, shown, table(224, 224), shown]
    labels = np.zeros(5, LABEL)
    labels["card"] = [Card("9H").code, Card("9D").code, Card("KC").code, 52, 0]
    labels["state"] = [0, 0, 0, 2, PENDING]
    labels["corners"][:2] = True
    labels["share"] = [1, 0.4, 0.1, 1, 0]
    labels["tilt"] = [5, 25, 25, 5, 0]
    labels["source"] = 1080
    np.save(folder / "crops.npy", np.stack(crops))
    np.save(folder / "labels.npy", labels)
    (folder / "store.json").write_text(json.dumps({"version": VERSION, "decks": ["toys"], "words": WORDS}))


def test_stored_crops_are_scored_by_condition(tmp_path: Path) -> None:
    write_store(tmp_path)
    told: list[tuple[int, int]] = []
    whole, groups, misses = score_store(tmp_path, ToyReader(), lambda *done: told.append(done))
    assert (whole.faces, whole.cards, whole.ranks) == (2, 1, 2)
    assert (whole.empties, whole.ghosts) == (1, 0)
    assert {name: score.faces for name, score in groups["share shown"].items()} == {"whole": 1, "25 to 50 %": 1}
    assert {name: score.cards for name, score in groups["tilt"].items()} == {"up to 10°": 1, "20 to 30°": 0}
    assert groups["corners"]["0 corners"].faces == 1
    assert groups["deck"]["toys"].faces == 2
    assert [(miss.truth, miss.said, miss.where) for miss in misses] == [("9D", "9H", f"{tmp_path.name}/1")]
    assert told == [(4, 4)]
