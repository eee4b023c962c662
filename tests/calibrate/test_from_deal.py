"""The table found from the cards of a deal, however the camera stands; and refused where it cannot be certain."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

import cv2
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.calibrate.deal.from_deal import Dealt, find_deal
from referee.calibrate.deal.plane import see_cards
from referee.calibrate.deal.rows import Expected
from referee.calibrate.find_table import Wanted, find_table
from referee.calibrate.layouts import layout_for
from referee.calibrate.lens import bent, radial_lens, straightened
from referee.errors import UserError
from referee.readings import BACK, EMPTY, OUTCOMES, LogProbs, Pose, Reading, Sight
from referee.table import Box, Zone, standard_layout
from referee.vision.rectify import CROP_MM, CROP_PX, Image
from tests.calibrate.dealt import Drawn, draw, places

HOUSE = Expected(5, True)


def loose(boxes: Mapping[Zone, Box], seed: int, mm: float = 2.5, degrees: float = 1.8) -> dict[Zone, Box]:
    """The layout as people would lay it, by eye."""
    rng = Random(seed)
    return {
        zone: replace(
            box,
            x=box.x + rng.gauss(0, mm),
            y=box.y + rng.gauss(0, mm),
            angle=box.angle + rng.gauss(0, degrees),
        )
        for zone, box in boxes.items()
    }


def off_mm(dealt: Dealt, drawn: Drawn, boxes: Mapping[Zone, Box]) -> dict[str, float]:
    """How far from where it lies each zone was put, mm on the table; centre piles left out."""
    found = dealt.table.layout.boxes
    assert set(found) == set(boxes)
    to_table = np.linalg.inv(drawn.to_image)
    off = {}
    for zone, box in boxes.items():
        if zone.name.startswith("C"):
            continue
        ((x, y),) = dealt.table.view.to_image([[found[zone].x, found[zone].y]])
        seen = to_table @ (x, y, 1)
        off[zone.name] = math.dist(seen[:2] / seen[2], (box.x, box.y))
    return off


def test_a_deal_seen_from_above_gives_zones_scale_and_card_size() -> None:
    boxes = loose(standard_layout().boxes, 1)
    drawn = draw(boxes)
    dealt = find_deal(drawn.image, HOUSE, camera="0")
    assert max(off_mm(dealt, drawn, boxes).values()) < 1.5
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
    assert max(off_mm(dealt, drawn, boxes).values()) < 3
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
    assert max(off_mm(find_deal(drawn.image, expected), drawn, boxes).values()) < 2


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
    assert max(off_mm(left, drawn, boxes).values()) < 2
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
    assert max(off_mm(find_deal(drawn.image, HOUSE), drawn, boxes).values()) < 3


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


def surely(place: int) -> LogProbs:
    """The probabilities of a reading that is sure of one outcome."""
    sure = np.full(OUTCOMES, -math.log(OUTCOMES), np.float32)
    sure[place] = -0.01
    return sure


class Elsewhere:
    """Reads every card well, A3's as lying 20 mm to the right of where it was thought, until it is looked for there."""

    def __init__(self, found: bool) -> None:
        self._found = found

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        there = [Pose(0.0, 0.0, 0.0)] * len(crops)
        if len(crops) > 2:
            there[2] = Pose(20.0, 0.0, 0.0)
        elif len(crops) == 1 and not self._found:
            there[0] = Pose(20.0, 0.0, 0.0)
        return [Reading(Sight.CARD, surely(i), 0.0, None, pose) for i, pose in enumerate(there)]


def test_a_pile_is_put_where_its_card_is_read_or_refused() -> None:
    image = draw(standard_layout().boxes).image
    wanted = Wanted(HOUSE, reserves=("right", "right"))
    plain = find_table(image, wanted).table.layout.boxes
    moved = find_table(image, wanted, reader=Elsewhere(found=True)).table.layout.boxes
    assert moved[Zone("A3")].x - plain[Zone("A3")].x == pytest.approx(20, abs=0.5)
    assert moved[Zone("A2")] == plain[Zone("A2")]
    with pytest.raises(UserError, match=r"card of A3 is not read where.*--corners"):
        find_table(image, wanted, reader=Elsewhere(found=False))


def without(boxes: Mapping[Zone, Box], *names: str) -> dict[Zone, Box]:
    return {zone: box for zone, box in boxes.items() if zone.name not in names}


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


def even_row() -> dict[Zone, Box]:
    """A row in which the reserve lies as near as the stock piles to each other."""
    boxes = dict(standard_layout().boxes)
    for name, step in (("AR", -28), ("BR", 28)):
        boxes[Zone(name)] = replace(boxes[Zone(name)], x=boxes[Zone(name)].x + step)
    return boxes


class Backs:
    """Reads the right end of A's row and the left end of B's as backs, as they come in pairs."""

    def __init__(self) -> None:
        self._turn = 0

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        self._turn += 1
        states = (Sight.CARD, Sight.BACK) if self._turn == 1 else (Sight.BACK, Sight.CARD)
        flat = np.full(OUTCOMES, -math.log(OUTCOMES), np.float32)
        assert len(crops) == 2
        return [Reading(state, flat, 0.0, None, None) for state in states]


def test_a_reserve_that_nothing_tells_is_asked_for() -> None:
    drawn = draw(even_row())
    with pytest.raises(UserError, match="--reserve right"):
        find_deal(drawn.image, HOUSE)
    assert max(off_mm(find_deal(drawn.image, HOUSE, reserves=("right", "right")), drawn, even_row()).values()) < 2


def test_a_reader_knows_the_reserve_by_its_back() -> None:
    drawn = draw(even_row())
    assert max(off_mm(find_deal(drawn.image, HOUSE, reader=Backs()), drawn, even_row()).values()) < 2


class InAMirror:
    """Reads cards well in crops that are mirrored, which it knows by the order it is asked in."""

    def __init__(self, well: int) -> None:
        self._well = well
        self._turn = 0

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        self._turn += 1
        flat = np.full(OUTCOMES, -math.log(OUTCOMES), np.float32)
        well = self._turn == self._well
        return [Reading(Sight.CARD, surely(i) if well else flat, 0.0, None, None) for i in range(len(crops))]


def test_a_mirrored_picture_is_refused_by_what_the_cards_read() -> None:
    image = draw(standard_layout().boxes).image
    wanted = Wanted(HOUSE, reserves=("right", "right"))
    # The reader is asked for the ends of both rows first, then for the cards as they are, then mirrored.
    with pytest.raises(UserError, match="mirrored"):
        find_table(image, wanted, reader=InAMirror(4))
    assert find_table(image, wanted, reader=InAMirror(3)).table.way == "deal"


class KnowsByDot:
    """Reads a card that it cannot name where a crop shows a magenta dot, there; and bare table where none is."""

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        readings = []
        for crop in crops:
            probabilities = np.full(OUTCOMES, 0.1 / (OUTCOMES - 1), np.float32)
            y, x = np.nonzero((crop[..., 0] > 200) & (crop[..., 1] < 90) & (crop[..., 2] > 200))
            if len(x):
                probabilities[BACK] += 0.9 - 0.1 / (OUTCOMES - 1)
                off = (np.array([x.mean(), y.mean()]) + 0.5 - len(crop) / 2) * CROP_MM / len(crop)
                pose = Pose(float(off[0]), float(off[1]), 0.0)
                readings.append(Reading(Sight.UNKNOWN, np.log(probabilities), 0.0, None, pose))
            else:
                probabilities[EMPTY] += 0.99 - 0.1 / (OUTCOMES - 1)
                probabilities /= probabilities.sum()
                readings.append(Reading(Sight.EMPTY, np.log(probabilities), 0.0, None, None))
        return readings


def without_outlines(boxes: Mapping[Zone, Box], *names: str) -> Drawn:
    """The deal with some cards that show nothing but a magenta dot in the middle."""
    drawn = draw(without(boxes, *names))
    for zone, (x, y) in places(drawn, boxes).items():
        if zone.name in names:
            cv2.circle(drawn.image, (round(x), round(y)), 3, (255, 0, 255), -1)
    return drawn


def test_piles_that_show_no_outline_are_put_where_a_card_is_read() -> None:
    boxes = loose(standard_layout().boxes, 6)
    drawn = without_outlines(boxes, "A3", "B2", "B4")
    dealt = find_deal(drawn.image, HOUSE, reader=KnowsByDot())
    assert max(off_mm(dealt, drawn, boxes).values()) < 2.5
    assert dealt.cards == 12
    with pytest.raises(UserError, match="could not be made out"):
        find_deal(drawn.image, HOUSE)


def test_which_end_of_a_row_shows_no_outline_is_told_by_where_the_table_is_bare() -> None:
    boxes = standard_layout().boxes
    drawn = without_outlines(boxes, "AR")
    # The five other piles lie as they would with the missing one at their other end.
    with pytest.raises(UserError, match="could not be made out"):
        find_deal(drawn.image, HOUSE, reserves=("right", "right"))
    dealt = find_deal(drawn.image, HOUSE, reserves=("right", "right"), reader=KnowsByDot())
    assert max(off_mm(dealt, drawn, boxes).values()) < 2.5


def test_a_pile_is_not_looked_for_where_the_table_is_bare() -> None:
    drawn = draw(without(standard_layout().boxes, "A3"))
    assert any("could not be seen" in note for note in find_deal(drawn.image, HOUSE).notes)
    with pytest.raises(UserError, match="could not be made out"):
        find_deal(drawn.image, HOUSE, reader=KnowsByDot())


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


class Sees:
    """Reads every crop as another card, but what is told of some places otherwise."""

    def __init__(self, told: Mapping[int, tuple[Sight, int]]) -> None:
        self._told = told

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        every = [self._told.get(i, (Sight.CARD, i)) for i in range(len(crops))]
        flat = np.full(OUTCOMES, -math.log(OUTCOMES), np.float32)
        return [Reading(state, flat if place < 0 else surely(place), 0.0, None, None) for state, place in every]


@pytest.mark.parametrize(
    ("told", "error"),
    [
        ({4: (Sight.EMPTY, EMPTY)}, "no card is read where A5 seem"),
        ({4: (Sight.UNKNOWN, -1)}, "no card is read where A5 seem"),
        ({7: (Sight.CARD, 2)}, "same card is read more than once where A3, B2 seem"),
        ({3: (Sight.BACK, BACK)}, "a back instead of a face where AR, BR, A4 seem"),
    ],
    ids=["bare", "unreadable", "twice", "askew"],
)
def test_piles_that_read_as_no_deal_can_are_refused(told: Mapping[int, tuple[Sight, int]], error: str) -> None:
    image = draw(standard_layout().boxes).image
    wanted = Wanted(HOUSE, reserves=("right", "right"))
    assert find_table(image, wanted, reader=Sees({})).table.way == "deal"
    with pytest.raises(UserError, match=error):
        find_table(image, wanted, reader=Sees(told))


@pytest.mark.parametrize(("height_mm", "fits"), [(88.0, True), (66.0, False), (115.0, False)])
def test_cards_that_read_in_another_size_than_their_outlines_are_refused(height_mm: float, fits: bool) -> None:
    high = height_mm * CROP_PX / CROP_MM

    class Sized(Sees):
        def read(self, crops: Sequence[Image]) -> list[Reading]:
            box = (40.0, 112 - high / 2, 184.0, 112 + high / 2)
            return [replace(one, box=box) for one in super().read(crops)]

    image = draw(standard_layout().boxes).image
    wanted = Wanted(HOUSE, reserves=("right", "right"))
    if fits:
        assert find_table(image, wanted, reader=Sized({})).table.way == "deal"
    else:
        with pytest.raises(UserError, match="another size than their outlines"):
            find_table(image, wanted, reader=Sized({}))
