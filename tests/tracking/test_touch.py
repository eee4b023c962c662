"""First touch: looking back at a card that slides into its place, with and without hands over it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from referee.tracking.touch import Interval, arrival, departure

FPS = 30.0
SHAPE = (51, 38)

Image = npt.NDArray[np.uint8]


def face(seed: int) -> Image:
    """A card of 32 x 44 pixels with spots."""
    rng = np.random.default_rng(seed)
    image = np.full((44, 32), 230, np.uint8)
    for _ in range(8):
        y, x = int(rng.integers(3, 36)), int(rng.integers(3, 24))
        image[y : y + 5, x : x + 5] = 40
    return image


def place(card: Image | None, dx: int = 0, dy: int = 0, under: Image | None = None) -> Image:
    """A zone's picture with a card in it, shifted by pixels."""
    image = np.full(SHAPE, 90, np.uint8) if under is None else under.copy()
    if card is not None:
        wide = np.pad(image, 60, mode="edge")
        wide[60 + 3 + dy : 60 + 47 + dy, 60 + 3 + dx : 60 + 35 + dx] = card
        image = wide[60:-60, 60:-60]
    return image


def hand(image: Image, rows: int) -> Image:
    """The same under a hand that covers the lowest ``rows``."""
    image = image.copy()
    if rows:
        image[-rows:, 4:34] = 150
    return image


def film(before: Image, card: Image, slide: list[int], fingers: list[int]) -> tuple[list[float], npt.NDArray[np.uint8]]:
    """Six frames at rest, then a card that slides in from below under fingers that then leave."""
    pictures = [before] * 6
    pictures += [hand(place(card, dy=dy, under=before), 10) for dy in slide]
    pictures += [hand(place(card, under=before), rows) for rows in fingers]
    return [number / FPS for number in range(len(pictures))], np.stack(pictures)


@pytest.mark.parametrize("before", [place(None), place(face(1))], ids=["empty table", "another card"])
def test_a_card_touches_in_the_frame_in_which_it_reaches_its_pose(before: Image) -> None:
    times, pictures = film(before, face(2), [40, 28, 17, 9, 4], [10, 10, 10, 6, 2, 0, 0])
    when = arrival(times, pictures, before, pictures[-1], len(times) - 1)
    assert when.t_to == pytest.approx(11 / FPS)
    assert when.t_from == pytest.approx(10 / FPS)


def test_fingers_that_stay_on_the_card_do_not_delay_it() -> None:
    before = place(face(3))
    times, pictures = film(before, face(4), [30, 14, 5], [16, 16, 16, 16])
    when = arrival(times, pictures, before, pictures[-1], len(times) - 1)
    assert when.t_to == pytest.approx(9 / FPS)


def test_a_card_that_came_under_an_arm_touched_before_it_was_uncovered() -> None:
    before, card = place(None), face(5)
    under_arm = np.full(SHAPE, 150, np.uint8)
    pictures = np.stack([before] * 4 + [under_arm] * 15 + [place(card)] * 5)
    times = [number / FPS for number in range(len(pictures))]
    assert arrival(times, pictures, before, pictures[-1], len(times) - 1).t_to == pytest.approx(19 / FPS)


@pytest.mark.parametrize(("hidden", "since"), [(15, 3), (3, 6)], ids=["an arm", "the card that comes down"])
def test_what_an_arm_hid_is_known_no_better_than_from_when_to_when_it_did(hidden: int, since: int) -> None:
    before, card = place(face(2)), face(5)
    pictures = np.stack([before] * 4 + [np.full(SHAPE, 150, np.uint8)] * hidden + [place(card)] * 5)
    times = [number / FPS for number in range(len(pictures))]
    when = arrival(times, pictures, before, pictures[-1], len(times) - 1)
    assert (when.t_from, when.t_to) == pytest.approx((since / FPS, (4 + hidden) / FPS))
    # Over a card that is turned over where it lies there is a hand long before.
    turned = arrival(times, pictures, before, pictures[-1], len(times) - 1, turned=True)
    assert turned == Interval(times[3 + hidden], times[4 + hidden])


def test_an_arm_over_a_card_that_lies_already_does_not_make_it_later() -> None:
    before, card = place(None), face(6)
    lying = place(card)
    pictures = np.stack([before] * 4 + [lying] * 12 + [np.full(SHAPE, 150, np.uint8)] * 2 + [lying] * 4)
    times = [number / FPS for number in range(len(pictures))]
    assert arrival(times, pictures, before, pictures[-1], len(times) - 1).t_to == pytest.approx(4 / FPS)


def test_a_card_leaves_after_the_last_picture_that_shows_it_untouched() -> None:
    card = face(7)
    lying = place(card)
    pictures = np.stack(
        [lying] * 5 + [hand(lying, 9)] * 2 + [hand(place(card, dy=dy), 10) for dy in (6, 20, 40)] + [place(None)] * 4
    )
    times = [number / FPS for number in range(len(pictures))]
    when = departure(times, pictures, lying, len(times) - 1)
    assert when.t_from <= 6 / FPS
    assert when.t_to <= 8 / FPS
    assert when.t_to - when.t_from == pytest.approx(1 / FPS)


def test_pictures_that_tell_nothing_give_the_whole_time() -> None:
    plain = place(None)
    pictures = np.stack([plain] * 6)
    times = [number / FPS for number in range(6)]
    assert arrival(times, pictures, plain, plain, 5) == departure(times, pictures, plain, 5)
    assert arrival(times, pictures, plain, plain, 5).t_from == 0


def test_what_is_gone_in_the_first_picture_after_a_gap_went_by_then() -> None:
    card, table = face(3), place(None)
    assert departure([7.5], np.stack([table]), place(card), 0) == Interval(7.5, 7.5)
