"""From what a network finds to probabilities."""

from __future__ import annotations

import numpy as np
import pytest

from referee.readings import BACK, EMPTY, OUTCOMES
from referee.vision.evidence import HIDDEN, Calibration, gather, probabilities

MEANS = np.array([*range(BACK + 1), HIDDEN], np.intp)


def _rows(*found: tuple[int, float, float]) -> np.ndarray:
    """Places that see a class with a score, at a horizontal position."""
    rows = np.full((4 + len(MEANS), len(found)), 1e-4, np.float32)
    for place, (kind, score, x) in enumerate(found):
        rows[:4, place] = (x, 100, 60, 80)
        rows[4 + kind, place] = score
    return rows


def test_places_that_see_the_same_card_are_averaged() -> None:
    (logits,), (box,) = gather(_rows((5, 0.9, 100), (5, 0.7, 102))[None])
    assert int(logits.argmax()) == 5
    assert np.log(0.7 / 0.3) < logits[5] < np.log(0.9 / 0.1)
    assert box == pytest.approx([70.9, 60, 130.9, 140], abs=0.2)


def test_places_that_see_another_card_have_no_say() -> None:
    alone, _ = gather(_rows((5, 0.9, 60))[None])
    beside, box = gather(_rows((5, 0.9, 60), (9, 0.8, 160))[None])
    assert beside == pytest.approx(alone)
    assert box[0, 0] == pytest.approx(30)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 3.0])
def test_probabilities_add_up_to_one(temperature: float) -> None:
    evidence = np.random.default_rng(1).normal(-4, 3, (20, len(MEANS)))
    log_probs, hidden = probabilities(evidence, MEANS, Calibration(temperature, -2.0, 0.5))
    assert log_probs.shape == (20, OUTCOMES)
    assert np.exp(log_probs).sum(axis=1) == pytest.approx(1)
    assert ((hidden >= 0) & (hidden <= 1)).all()


def test_where_nothing_is_found_the_zone_is_empty() -> None:
    log_probs, hidden = probabilities(np.full((1, len(MEANS)), -9.0), MEANS, Calibration())
    assert int(log_probs[0].argmax()) == EMPTY
    assert hidden[0] < 0.01


def test_a_network_without_a_class_for_hidden_zones_never_calls_one_hidden() -> None:
    _, hidden = probabilities(np.zeros((1, 53)), MEANS[:53], Calibration())
    assert hidden[0] == 0


def test_classes_that_mean_the_same_card_do_not_share_its_probability() -> None:
    means = np.array([3, 3, 4], np.intp)
    log_probs, _ = probabilities(np.array([[2.0, 1.0, -5.0]]), means, Calibration())
    alone, _ = probabilities(np.array([[2.0, -5.0]]), means[1:], Calibration())
    assert log_probs[0, 3] == pytest.approx(alone[0, 3])


def test_a_higher_temperature_is_less_sure() -> None:
    evidence = np.full((1, len(MEANS)), -6.0)
    evidence[0, 7] = 5
    sure, _ = probabilities(evidence, MEANS, Calibration(1.0, -3.0))
    unsure, _ = probabilities(evidence, MEANS, Calibration(3.0, -3.0))
    assert unsure[0, 7] < sure[0, 7]
