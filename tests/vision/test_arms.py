"""Arms: whose they are is told by the edge they reach in over."""

from __future__ import annotations

import numpy as np
import pytest

from referee.table import Seat, Zone
from referee.vision.arms import ABSORBED, Arms, ArmWatch
from tests.vision.painted import BORDER, LAYOUT, Image, arm, box_of, card, dealt, frame, view

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
