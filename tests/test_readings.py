"""What readings say of themselves."""

from __future__ import annotations

import math

import numpy as np
import pytest

from referee.cards import Card
from referee.readings import BACK, OUTCOMES, Reading, Sight


def _reading(state: Sight, hidden: float = 0.0, **likely: float) -> Reading:
    rest = (1 - sum(likely.values())) / (OUTCOMES - len(likely))
    probs = np.full(OUTCOMES, rest)
    for name, probability in likely.items():
        probs[BACK if name == "back" else Card(name.removeprefix("c")).code] = probability
    return Reading(state, np.log(probs).astype(np.float32), hidden, None, None)


def test_the_likeliest_face_is_the_card_of_a_reading() -> None:
    reading = _reading(Sight.CARD, c7C=0.8, c7S=0.1)
    assert reading.card is Card("7C")
    assert reading.best == Card("7C").code
    assert reading.confidence == pytest.approx(0.8, abs=1e-5)


def test_a_back_is_no_card() -> None:
    reading = _reading(Sight.BACK, back=0.9)
    assert reading.card is None
    assert reading.best == BACK


def test_a_rank_is_as_likely_as_its_suits_together() -> None:
    ranks = _reading(Sight.CARD, c7C=0.5, c7S=0.3, back=0.1).rank_probs()
    assert ranks.shape == (13,)
    assert ranks[6] == pytest.approx(0.8, abs=0.01)
    assert ranks.sum() < 0.91


def test_a_hidden_zone_is_as_sure_as_its_hiding() -> None:
    everything = np.full(OUTCOMES, -math.log(OUTCOMES), np.float32)
    assert Reading(Sight.HIDDEN, everything, 0.9, None, None).confidence == 0.9


def test_what_may_be_hidden_is_less_sure() -> None:
    assert _reading(Sight.CARD, hidden=0.2, c7C=0.9).confidence == pytest.approx(0.72, abs=1e-5)
