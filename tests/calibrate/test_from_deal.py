"""The table found from the cards of a deal, however the camera stands; and refused where it cannot be certain."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.calibrate.deal.from_deal import Dealt, find_deal
from referee.calibrate.deal.plane import see_cards
from referee.calibrate.deal.rows import Expected
from referee.calibrate.layouts import layout_for
from referee.calibrate.lens import bent, radial_lens, straightened
from referee.errors import UserError
from referee.table import Box, Zone, standard_layout
from referee.vision.rectify import Image
from tests.calibrate.dealt import HOUSE, Drawn, draw, even_row, loose, off_mm, places, without


def test_a_deal_seen_from_above_gives_zones_scale_and_card_size() -> None:
    boxes = loose(standard_layout().boxes, 1)
    drawn = draw(boxes)
    dealt = find_deal(drawn.image, HOUSE, camera="0")
    assert max(off_mm(dealt.table, drawn, boxes).values()) < 1.5
    assert (dealt.cards, dealt.card_width, dealt.table.camera, dealt.table.way) == (12, 63, "0", "deal")
    a1, a2 = (dealt.table.layout.boxes[Zone(name)] for name in ("A1", "A2"))
    assert math.dist((a1.x, a1.y), (a2.x, a2.y)) == pytest.approx(
        math.dist((boxes[Zone("A1")].x, boxes[Zone("A1")].y), (boxes[Zone("A2")].x, boxes[Zone("A2")].y)), rel=0.01
    )
    assert dealt.table.layout.outside() == ()


@settings(max_examples=4)
@given(
    tilt=st.floats(0, 35),
    aside=st.floats(0, 360),
    roll=st.floats(-60, 60),
    focal=st.floats(0.65, 1.1),
    seed=st.integers(0, 10**6),
)
@example(tilt=35.0, aside=0.0, roll=0.0, focal=0.8, seed=1)
@example(tilt=35.0, aside=180.0, roll=-45.0, focal=0.7, seed=2)
def test_wherever_the_camera_stands_the_zones_are_where_the_cards_are(
    tilt: float, aside: float, roll: float, focal: float, seed: int
) -> None:
    boxes = loose(standard_layout().boxes, seed)
    # Turned pictures have to hold the table's length in their height.
    drawn = draw(boxes, tilt=tilt, aside=aside, roll=roll, focal=focal, seed=seed, reach=1150 + 650 * abs(roll) / 60)
    # Shape and scale hold over the whole layout, for the width of the cards is told.
    dealt = find_deal(drawn.image, HOUSE, card_width=63.0)
    assert max(off_mm(dealt.table, drawn, boxes).values()) < 3
    table = dealt.table.view.to_table(list(places(drawn, boxes).values()))
    truth = np.array([(box.x, box.y) for box in boxes.values()])
    spread = [np.linalg.norm(points - points.mean(axis=0), axis=1).mean() for points in (table, truth)]
    assert spread[0] == pytest.approx(spread[1], rel=0.02)


@pytest.mark.parametrize(
    ("expected", "reserves"),
    [
        (Expected(5, False), ("right", "right")),
        (Expected(4, True), ("left", "right")),
        (Expected(4, False), ("right", "right")),
        (HOUSE, ("left", "left")),
    ],
)
def test_the_layout_of_every_ruleset_and_hand_is_found(expected: Expected, reserves: tuple[str, str]) -> None:
    boxes = loose(layout_for(expected, (900, 600), 63, reserves).boxes, 5)
    drawn = draw(boxes, tilt=12, aside=20)
    assert max(off_mm(find_deal(drawn.image, expected).table, drawn, boxes).values()) < 2


def test_bridge_cards_are_told_from_poker_cards() -> None:
    boxes = loose(layout_for(HOUSE, (900, 600), 57).boxes, 4)
    dealt = find_deal(draw(boxes).image, HOUSE)
    assert dealt.card_width == 57
    assert not any("--card" in note for note in dealt.notes)


def test_a_card_width_that_a_tilted_view_does_not_tell_is_said() -> None:
    boxes = standard_layout().boxes
    notes = find_deal(draw(boxes, tilt=30, reach=1150).image, HOUSE).notes
    assert any("say --card" in note for note in notes)


def test_cards_on_the_centre_piles_give_their_places() -> None:
    boxes = dict(loose(standard_layout().boxes, 8))
    boxes[Zone("C1")] = replace(boxes[Zone("C1")], x=boxes[Zone("C1")].x - 12, angle=11)
    drawn = draw(boxes, centres=True)
    found = find_deal(drawn.image, HOUSE).table
    ((x, y),) = found.view.to_image([[found.layout.boxes[Zone("C1")].x, found.layout.boxes[Zone("C1")].y]])
    assert math.dist((x, y), places(drawn, boxes)[Zone("C1")]) < 2
    assert found.layout.boxes[Zone("C1")].angle % 360 == pytest.approx(11, abs=1)


def test_seat_a_is_put_where_it_is_said_to_sit() -> None:
    boxes = loose(standard_layout().boxes, 9)
    drawn = draw(boxes, roll=90, reach=1700)
    left = find_deal(drawn.image, HOUSE, seat_a="left")
    right = find_deal(drawn.image, HOUSE, seat_a="right")
    assert max(off_mm(left.table, drawn, boxes).values()) < 2
    box = right.table.layout.boxes[Zone("A1")]
    ((x, _),) = right.table.view.to_image([[box.x, box.y]])
    assert x > drawn.image.shape[1] / 2
    assert any("--seat-a" in note for note in find_deal(drawn.image, HOUSE).notes)


@pytest.mark.parametrize(
    ("table", "paper"),
    [((40, 40, 40), (235, 238, 240)), ((215, 220, 222), (240, 240, 240)), ((120, 150, 190), (215, 225, 235))],
    ids=["black", "white", "wood"],
)
def test_the_colour_of_the_table_does_not_matter(table: tuple[int, int, int], paper: tuple[int, int, int]) -> None:
    boxes = loose(standard_layout().boxes, 3)
    drawn = draw(boxes, tilt=15, table=table, paper=paper, reach=1050)
    assert max(off_mm(find_deal(drawn.image, HOUSE).table, drawn, boxes).values()) < 3


def test_a_table_as_bright_as_the_cards_is_said_to_leave_the_scale_in_doubt() -> None:
    boxes = loose(standard_layout().boxes, 3)
    doubts = []
    for table in ((60, 110, 50), (215, 220, 222)):
        notes = find_deal(draw(boxes, table=table, paper=(240, 240, 240)).image, HOUSE).notes
        doubts.append(any("as bright as the cards" in note for note in notes))
    assert doubts == [False, True]


def spread_of(points: np.ndarray) -> float:
    return float(np.linalg.norm(points - points.mean(axis=0), axis=1).mean())


def told_size(dealt: Dealt, drawn: Drawn, boxes: Mapping[Zone, Box]) -> float:
    """How large the layout is said to be, as a share of what it is."""
    table = dealt.table.view.to_table(list(places(drawn, boxes).values()))
    return spread_of(table) / spread_of(np.array([(box.x, box.y) for box in boxes.values()]))


def test_frames_printed_on_cards_are_not_taken_for_their_edges() -> None:
    boxes = loose(standard_layout().boxes, 21)
    drawn = draw(boxes, tilt=8, table=(196, 204, 208), size=(1920, 1080), frame=4.5, seed=2)
    # Taken for cards, the frames would make the table 11 % too large.
    assert told_size(find_deal(drawn.image, HOUSE), drawn, boxes) == pytest.approx(1, abs=0.02)


def test_rectangles_without_the_proportions_of_cards_are_refused() -> None:
    boxes = {zone: replace(box, width=60.0) for zone, box in standard_layout().boxes.items()}
    drawn = draw(boxes, size=(1920, 1080))
    with pytest.raises(UserError, match="cannot be told from frames"):
        find_deal(drawn.image, HOUSE)


def test_loose_piles_do_not_make_the_table_smaller() -> None:
    boxes = loose(standard_layout().boxes, 12)
    drawn = draw(boxes, tilt=12, seed=4, piles=True, size=(1920, 1080))
    dealt = find_deal(drawn.image, Expected(5, True, (1, 2, 3, 4, 5)), card_width=63.0)
    seen = [(x, y) for zone, (x, y) in places(drawn, boxes).items() if not zone.name.startswith("C")]
    truth = np.array([(box.x, box.y) for zone, box in boxes.items() if not zone.name.startswith("C")])
    told = spread_of(dealt.table.view.to_table(seen)) / spread_of(truth)
    # Taken for single cards, the piles would be 2 % too large, and so the table 2 % too small.
    assert told == pytest.approx(1, abs=0.008)


def test_cards_all_over_the_table_tell_a_lens_that_bends() -> None:
    boxes = loose(standard_layout().boxes, 13)
    drawn = draw(boxes, tilt=10, size=(1920, 1080), reach=930)
    lens = radial_lens((1920, 1080), -0.06)
    height, width = drawn.image.shape[:2]
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2).astype(np.float64)
    maps = straightened(lens, grid).reshape(height, width, 2).astype(np.float32)
    image = np.asarray(cv2.remap(drawn.image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR), np.uint8)
    table = find_deal(image, HOUSE, card_width=63.0).table
    assert table.lens is not None
    assert table.lens.distortion[0] == pytest.approx(-0.06, abs=0.015)
    truth = np.array([(box.x, box.y) for box in boxes.values()])
    seen = bent(lens, np.array(list(places(drawn, boxes).values())))
    assert spread_of(table.view.to_table(seen)) == pytest.approx(spread_of(truth), rel=0.015)


@pytest.mark.parametrize("seed", [6, 19, 27])
def test_piles_laid_loosely_are_no_lens_that_bends(seed: int) -> None:
    # A bend would better these fits by 2 to 3 halves of chi squared, and the picture has none.
    drawn = draw(loose(standard_layout().boxes, seed), tilt=8 + seed % 20, aside=seed * 40 % 360, piles=True, seed=seed)
    assert find_deal(drawn.image, HOUSE, card_width=63.0).table.lens is None


def blank() -> Image:
    return np.full((720, 1280, 3), 90, np.uint8)


@pytest.mark.parametrize(
    ("image", "error"),
    [
        (blank(), "no cards can be made out"),
        (draw(without(standard_layout().boxes, "B1", "B2", "B3", "B4", "B5", "BR")).image, "facing rows of 6"),
        (draw(standard_layout(4).boxes).image, "could not be made out|facing rows"),
        (draw(without(standard_layout().boxes, "A2", "A3", "B2")).image, "could not be made out|facing rows"),
        (draw(standard_layout().boxes, tilt=52, reach=1500, focal=0.9).image, "too flat|no cards|facing rows"),
        (cv2.GaussianBlur(draw(standard_layout().boxes).image, (0, 0), 14), "could not be made out|no cards"),
        ((draw(standard_layout().boxes).image // 200).astype(np.uint8), "no cards can be made out"),
    ],
    ids=["bare", "one row", "a pile too few", "piles missing", "flat", "blurred", "dark"],
)
def test_what_is_no_certain_deal_is_refused_with_what_to_do(image: Image, error: str) -> None:
    with pytest.raises(UserError, match=error) as caught:
        find_deal(image, HOUSE)
    assert "--corners" in str(caught.value)


def test_a_reserve_that_nothing_tells_is_asked_for() -> None:
    drawn = draw(even_row())
    with pytest.raises(UserError, match="--reserve right"):
        find_deal(drawn.image, HOUSE)
    assert max(off_mm(find_deal(drawn.image, HOUSE, reserves=("right", "right")).table, drawn, even_row()).values()) < 2


def test_each_plane_in_which_there_may_be_cards_is_looked_at_once() -> None:
    rng = np.random.default_rng(4)
    image = np.full((1080, 1920, 3), 60, np.uint8)
    # Blank cards of several sizes, whose planes would otherwise come back once faint outlines are added.
    for row, width in enumerate((60, 75, 95, 120)):
        for column in range(7):
            left, top = 60 + column * 260, 40 + row * 250
            cv2.rectangle(image, (left, top), (left + width, top + width * 88 // 63), (230, 232, 235), -1)
            cv2.rectangle(image, (left + 150, top), (left + 200, top + 70), (63, 63, 63), -1)
    image = np.clip(image + rng.normal(0, 1.0, image.shape), 0, 255).astype(np.uint8)
    sizes = [float(np.median(np.ptp(seen.quads, axis=1).max(axis=1))) for seen in see_cards(image, 12)]
    assert len(sizes) > 1
    assert np.diff(np.sort(sizes)).min() > 3
