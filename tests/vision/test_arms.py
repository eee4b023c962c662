"""Arms: whose they are is told by the edge they reach in over."""

from __future__ import annotations

import numpy as np
import pytest

from referee.table import Seat, Zone
from referee.vision.arms import ABSORBED, Arms, ArmWatch
from tests.vision.painted import BORDER, LAYOUT, Image, arm, box_of, card, dealt, felt, frame, view

ZONES = tuple(LAYOUT.boxes)


def watch_after(*images: Image) -> tuple[ArmWatch, Arms]:
    watch = ArmWatch(view(), LAYOUT.boxes, (LAYOUT.width, LAYOUT.height))
    for index in range(3):
        watch.look(frame(index, dealt()))
    seen = None
    for index, image in enumerate(images, 3):
        seen = watch.look(frame(index, image))
    assert seen is not None
    return watch, seen


def share(arms: Arms, seat: Seat, zone: str) -> float:
    return float(arms.covered[seat, ZONES.index(Zone(zone))])


@pytest.mark.parametrize(("from_below", "seat"), [(True, Seat.A), (False, Seat.B)])
@pytest.mark.parametrize("zone", ["C1", "A2", "B2", "A5"])
def test_an_arm_belongs_to_the_side_it_comes_from(from_below: bool, seat: Seat, zone: str) -> None:
    image = dealt()
    arm(image, zone, from_below=from_below)
    _, seen = watch_after(image)
    assert share(seen, seat, zone) > 0.2
    assert share(seen, seat.other, zone) == 0


def test_a_bare_table_has_no_arms() -> None:
    _, seen = watch_after(dealt())
    assert not seen.covered.any()
    assert not seen.hands.any()


def test_arms_that_touch_each_other_are_told_apart() -> None:
    image = dealt()
    arm(image, "C1", from_below=True, length=20)
    arm(image, "C2", from_below=False, length=20)
    image[340 + BORDER - 44 : 340 + BORDER - 36, 400 + BORDER : 500 + BORDER] = (120, 150, 205)
    _, seen = watch_after(image)
    assert share(seen, Seat.A, "C1") > 3 * share(seen, Seat.B, "C1")
    assert share(seen, Seat.B, "C2") > 3 * share(seen, Seat.A, "C2")


def test_the_hand_is_at_the_far_end_of_the_arm() -> None:
    image = dealt()
    arm(image, "B3", from_below=True)
    _, seen = watch_after(image)
    under = box_of("B3")
    own = next(zone for zone in ZONES if zone.seat is Seat.A and abs(LAYOUT.boxes[zone].x - under.x) < 45)
    assert share(seen, Seat.A, own.name) > 0.2
    assert seen.hands[Seat.A, ZONES.index(own)] == 0
    assert seen.hands[Seat.A, ZONES.index(Zone("B3"))] > 0.2


def bar(image: Image, left: int, right: int, top: int, bottom: int, colour: tuple[int, int, int]) -> None:
    """An arm of one colour, given in table mm."""
    image[max(top + BORDER, 0) : bottom + BORDER, left + BORDER : right + BORDER] = colour


def test_a_hand_under_the_arm_of_the_other_is_told_by_its_colour() -> None:
    fair, dark = (150, 170, 215), (40, 50, 75)
    one, other, both = dealt(), dealt(), dealt()
    a4 = box_of("A4")
    x = round(a4.x)
    bar(one, x - 20, x + 20, 250, 700, fair)
    bar(other, x - 70, x - 25, -60, 300, dark)
    bar(both, x - 60, x - 15, -60, round(a4.y) + 10, dark)
    bar(both, x - 20, x + 20, 250, 700, fair)
    bar(both, x + 20, x + 45, round(a4.y) - 60, round(a4.y) + 40, dark)
    _, seen = watch_after(one, one, dealt(), other, other, dealt(), one, both)
    assert share(seen, Seat.B, "A4") > 0.05
    assert share(seen, Seat.A, "A4") > 0.3


def test_a_place_that_has_become_bare_beside_an_arm_is_not_covered() -> None:
    empty = felt()
    for number, (zone, box) in enumerate(LAYOUT.boxes.items()):
        if zone != Zone("A2"):
            card(empty, box, number)
    taken, away = dealt(), empty.copy()
    arm(taken, "A2", from_below=True)
    x, y = round(box_of("A2").x) + 30, round(box_of("A2").y)
    bar(away, x, x + 50, y - 150, 700, (120, 150, 205))
    _, seen = watch_after(taken, taken, *[away] * 6)
    assert share(seen, Seat.A, "A2") < 0.2


def test_a_place_that_was_bare_before_is_known_to_be_so_again_as_its_card_leaves() -> None:
    bare = felt()
    for number, (zone, box) in enumerate(LAYOUT.boxes.items()):
        if zone != Zone("C1"):
            card(bare, box, number)
    covered = bare.copy()
    card(covered, box_of("C1"), 77)
    drawn = [covered.copy(), bare.copy(), bare.copy()]
    y = round(box_of("C1").y)
    for number, image in enumerate(drawn):
        # The other player's hand lies half over the place, and moves on and on.
        arm(image, "C1", from_below=False, dx=-30.0 - 9 * number, length=-10.0)
        bar(image, round(box_of("C1").x) - 15, round(box_of("C1").x) + 15, y + 60, 700, (120, 150, 205))
    _, seen = watch_after(*[bare] * 10, *[covered] * (round(ABSORBED * 30) + 5), *drawn)
    assert share(seen, Seat.A, "C1") < 0.1
    assert share(seen, Seat.B, "C1") < 0.5


def test_a_card_that_was_let_go_of_is_no_hand() -> None:
    put, left = dealt(), dealt()
    for image in (put, left):
        card(image, box_of("C1"), 77)
    arm(put, "C1", from_below=True, length=-20)
    images = [left.copy() for _ in range(3)]
    for number, image in enumerate(images):
        arm(image, "A3", from_below=True, length=-30.0 * number)
    watch, seen = watch_after(put, put, *images)
    assert seen.hands[Seat.A, watch.zones.index(Zone("C1"))] == 0
    assert not share(seen, Seat.A, "C1")


def test_a_card_left_behind_is_no_arm_for_long() -> None:
    image = dealt()
    card(image, box_of("C1"), 77)
    _, seen = watch_after(*[image] * (round(ABSORBED * 30) + 3))
    assert not seen.covered.any()


def test_a_shadow_is_no_arm() -> None:
    image = dealt()
    image[300:, 300:420] = (image[300:, 300:420] * 0.75).astype(np.uint8)
    _, seen = watch_after(image)
    assert seen.covered.max() < 0.05


def test_a_lamp_switched_on_is_no_arm() -> None:
    bright = np.clip(dealt().astype(np.float32) * 1.6, 0, 255).astype(np.uint8)
    _, seen = watch_after(bright, bright)
    assert not seen.covered.any()


def test_a_hand_that_rested_there_from_the_start_leaves_no_arm_behind() -> None:
    watch = ArmWatch(view(), LAYOUT.boxes, (LAYOUT.width, LAYOUT.height))
    resting = dealt()
    arm(resting, "A2", from_below=True)
    for index in range(3):
        watch.look(frame(index, resting))
    for index in range(3, 45):
        seen = watch.look(frame(index, dealt()))
    assert not seen.covered.any()
