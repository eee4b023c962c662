"""What stands out from the bare table: colour does, shadows and exposure do not."""

from __future__ import annotations

import numpy as np
import pytest

from referee.vision.foreground import Foreground, Mask, Picture

SHAPE = (40, 50)
SEEN: Mask = np.ones(SHAPE, np.bool_)


def plain(colour: tuple[float, float, float], seed: int = 0) -> Picture:
    """A table of one colour under a sensor's grain."""
    grain = np.random.default_rng(seed).normal(0, 1.0, (*SHAPE, 3))
    return np.clip(np.array(colour) + grain, 0, 255).astype(np.uint8)


def stands_out(table: Picture, inside: tuple[float, float, float], light: float = 1.0) -> float:
    """The share of a patch of the colour ``inside`` that stands out, the whole picture being so much brighter."""
    picture = plain((0, 0, 0)).astype(np.float64) + np.array(table) * light
    picture[10:20, 10:20] = np.array(inside) * light
    out = Foreground().of(np.clip(picture, 0, 255).astype(np.uint8), table, SEEN)
    assert not out[25:].any()
    return float(out[10:20, 10:20].mean())


@pytest.mark.parametrize(
    ("table", "skin"),
    [
        ((160, 174, 182), (138, 152, 184)),  # fair skin on beige
        ((72, 100, 130), (46, 55, 70)),  # dark skin on brown wood
        ((60, 110, 70), (120, 150, 205)),  # fair skin on green felt
        ((26, 45, 86), (50, 75, 120)),  # a hand on dark wood by lamplight
    ],
)
def test_skin_stands_out_though_it_may_be_as_bright_as_the_table(
    table: tuple[int, int, int], skin: tuple[int, int, int]
) -> None:
    assert stands_out(plain(table), skin) > 0.95


@pytest.mark.parametrize("share", [0.9, 0.7, 0.5])
def test_a_shadow_does_not_stand_out(share: float) -> None:
    table = plain((150, 165, 175))
    assert stands_out(table, (150 * share, 165 * share, 175 * share)) == 0


def test_the_shadow_of_a_warm_lamp_is_bluer_and_does_not_stand_out() -> None:
    assert stands_out(plain((60, 90, 150)), (55, 76, 122)) == 0


@pytest.mark.parametrize("light", [0.8, 0.95, 1.1])
def test_exposure_changes_nothing(light: float) -> None:
    table = plain((140, 150, 160))
    assert stands_out(table, (120, 130, 165), light) > 0.95


def test_grain_does_not_stand_out() -> None:
    foreground, table = Foreground(), plain((30, 50, 90))
    assert not any(foreground.of(plain((30, 50, 90), seed), table, SEEN).any() for seed in range(1, 6))


def woven(seed: int) -> Picture:
    """A cloth of two colours of thread, as a film shows it whose coding draws the weave anew in every picture."""
    threads = np.random.default_rng(0).random((*SHAPE, 1)) < 0.5
    cloth = np.where(threads, np.array((20.0, 28.0, 50.0)), np.array((60.0, 90.0, 110.0)))
    return np.clip(cloth * np.random.default_rng(seed).normal(1, 0.12, (*SHAPE, 3)), 0, 255).astype(np.uint8)


def test_the_weave_of_a_cloth_drawn_anew_does_not_stand_out_but_a_hand_on_it_does() -> None:
    foreground, table = Foreground(), woven(1)
    picture = woven(2)
    picture[10:20, 10:20] = (70, 100, 160)
    out = foreground.of(picture, table, SEEN)
    assert out[11:19, 11:19].mean() > 0.9
    assert out[25:].mean() < 0.3
