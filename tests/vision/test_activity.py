"""The gate: what changed is read, a table at rest is not."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from referee.table import Zone
from referee.vision.activity import BUSY_PERIOD, CONFIRMATIONS, ActivityGate
from tests.vision.painted import LAYOUT, Image, arm, box_of, card, dealt, frame, noisy, view


def gate() -> ActivityGate:
    return ActivityGate(view(), LAYOUT.boxes)


def read(watch: ActivityGate, images: list[Image], start: int = 0, fps: float = 30.0) -> Counter[Zone]:
    asked: Counter[Zone] = Counter()
    for index, image in enumerate(images, start):
        asked.update(watch.look(frame(index, image, fps)).wanted)
    return asked


@pytest.mark.parametrize("fps", [24.0, 30.0, 120.0])
def test_a_table_at_rest_is_read_a_few_times_and_never_again(fps: float) -> None:
    table = dealt()
    watch = gate()
    asked = read(watch, [noisy(table, number) for number in range(round(fps * 0.6))], fps=fps)
    assert asked == dict.fromkeys(LAYOUT.boxes, CONFIRMATIONS)


def test_a_changed_zone_is_read_and_no_other() -> None:
    table = dealt()
    watch = gate()
    read(watch, [noisy(table, number) for number in range(10)])
    card(table, box_of("C1"), 99)
    asked = read(watch, [noisy(table, number) for number in range(10)], 10)
    assert set(asked) == {Zone("C1")}
    assert CONFIRMATIONS <= asked[Zone("C1")] <= CONFIRMATIONS + 1


def test_one_spot_more_on_a_card_is_a_change() -> None:
    table = dealt()
    watch = gate()
    read(watch, [table] * 10)
    box = box_of("A2")
    other = table.copy()
    x, y = round(box.x) + 60, round(box.y) + 60
    other[y - 8 : y + 8, x + 12 : x + 26] = (40, 30, 30) if table[y, x + 19].mean() > 100 else (235, 235, 235)
    assert set(read(watch, [other] * 6, 10)) == {Zone("A2")}


def test_a_zone_that_hands_keep_busy_is_read_at_a_bounded_rate() -> None:
    watch = gate()
    table = dealt()
    read(watch, [table] * 10)
    images = []
    for index in range(60):
        image = table.copy()
        arm(image, "A3", from_below=True, dx=20 * np.sin(index))
        images.append(image)
    asked = read(watch, images, 10)
    assert 0.5 * 2.0 / BUSY_PERIOD <= asked[Zone("A3")] <= 2.0 / BUSY_PERIOD + 1


def test_flicker_and_slow_changes_of_exposure_are_no_change() -> None:
    table = dealt().astype(np.float32)
    watch = gate()
    read(watch, [noisy(dealt(), number) for number in range(10)])
    flickering = [
        noisy(np.clip(table * (1 + 0.015 * np.sin(2.1 * index)), 0, 255).astype(np.uint8), index) for index in range(30)
    ]
    assert sum(read(watch, flickering, 10).values()) == 0


def test_a_lamp_switched_off_is_told_and_costs_a_few_readings_only() -> None:
    table = dealt()
    watch = gate()
    read(watch, [table] * 10)
    dark = (table * 0.5).astype(np.uint8)
    first = watch.look(frame(10, dark))
    assert first.lights
    later = read(watch, [dark] * 30, 11)
    assert max(later.values()) <= CONFIRMATIONS + 1
    assert not watch.look(frame(50, dark)).lights


def test_a_lamp_that_goes_out_over_some_frames_is_told() -> None:
    table = dealt()
    watch = gate()
    read(watch, [table] * 10)
    fading = [(table * (1 - 0.07 * min(step, 4))).astype(np.uint8) for step in range(1, 20)]
    told = [watch.look(frame(10 + number, image)).lights for number, image in enumerate(fading)]
    assert any(told[:4])
    assert not any(told[8:])


def test_moved_tells_how_much_of_a_zone_moved() -> None:
    watch = gate()
    table = dealt()
    read(watch, [table] * 4)
    image = table.copy()
    arm(image, "C2", from_below=False)
    activity = watch.look(frame(4, image))
    moved = dict(zip(watch.zones, activity.moved.tolist(), strict=True))
    assert moved[Zone("C2")] > 0.2
    assert moved[Zone("A1")] == 0
