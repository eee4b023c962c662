"""A deal with a reader: what is read decides where outlines leave it open, and refuses what is no deal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.calibrate.deal.from_deal import find_deal
from referee.calibrate.deal.read_cards import read_outlines
from referee.calibrate.find_table import Wanted, find_table
from referee.errors import UserError
from referee.readings import BACK, EMPTY, OUTCOMES, LogProbs, Pose, Reading, Sight
from referee.table import Box, Zone, standard_layout
from referee.vision.rectify import CROP_MM, CROP_PX, Image, project
from tests.calibrate.dealt import HOUSE, Drawn, draw, even_row, loose, off_mm, places, without


def surely(place: int) -> LogProbs:
    """The probabilities of a reading that is sure of one outcome."""
    sure = np.full(OUTCOMES, -math.log(OUTCOMES), np.float32)
    sure[place] = -0.01
    return sure


RESERVES = (5, 11)
"""Places of the reserves among the twelve piles, in the order they are read in."""


def sure_of(place: int, pose: Pose | None = None) -> Reading:
    """The reading of another card in every place, and of a back in those of the reserves."""
    if place in RESERVES:
        return Reading(Sight.BACK, surely(BACK), 0.0, None, pose)
    return Reading(Sight.CARD, surely(place), 0.0, None, pose)


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
        return [sure_of(i, pose) for i, pose in enumerate(there)]


def test_a_pile_is_put_where_its_card_is_read_or_refused() -> None:
    image = draw(standard_layout().boxes).image
    wanted = Wanted(HOUSE, reserves=("right", "right"))
    plain = find_table(image, wanted).table.layout.boxes
    moved = find_table(image, wanted, reader=Elsewhere(found=True)).table.layout.boxes
    assert moved[Zone("A3")].x - plain[Zone("A3")].x == pytest.approx(20, abs=0.5)
    assert moved[Zone("A2")] == plain[Zone("A2")]
    with pytest.raises(UserError, match=r"card of A3 is not read where.*--corners"):
        find_table(image, wanted, reader=Elsewhere(found=False))


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


def test_a_reader_knows_the_reserve_by_its_back() -> None:
    drawn = draw(even_row())
    assert max(off_mm(find_deal(drawn.image, HOUSE, reader=Backs()).table, drawn, even_row()).values()) < 2


class InAMirror:
    """Reads cards well in crops that are mirrored, which it knows by the order it is asked in."""

    def __init__(self, well: int) -> None:
        self._well = well
        self._turn = 0

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        self._turn += 1
        flat = np.full(OUTCOMES, -math.log(OUTCOMES), np.float32)
        well = self._turn == self._well
        return [sure_of(i) if well else Reading(Sight.CARD, flat, 0.0, None, None) for i in range(len(crops))]


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
    assert max(off_mm(dealt.table, drawn, boxes).values()) < 2.5
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
    assert max(off_mm(dealt.table, drawn, boxes).values()) < 2.5


def test_a_pile_is_not_looked_for_where_the_table_is_bare() -> None:
    drawn = draw(without(standard_layout().boxes, "A3"))
    assert any("could not be seen" in note for note in find_deal(drawn.image, HOUSE).notes)
    with pytest.raises(UserError, match="could not be made out"):
        find_deal(drawn.image, HOUSE, reader=KnowsByDot())


class Sees:
    """Reads another card in every stock pile and backs in the reserves, but what is told of some places otherwise."""

    def __init__(self, told: Mapping[int, tuple[Sight, int]]) -> None:
        self._told = told

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        flat = np.full(OUTCOMES, -math.log(OUTCOMES), np.float32)
        readings = [sure_of(i) for i in range(len(crops))]
        for i, (state, place) in self._told.items():
            if i < len(crops):
                readings[i] = Reading(state, flat if place < 0 else surely(place), 0.0, None, None)
        return readings


@pytest.mark.parametrize(
    ("told", "error"),
    [
        ({4: (Sight.EMPTY, EMPTY)}, "no card is read where A5 seem"),
        ({4: (Sight.UNKNOWN, -1)}, "no card is read where A5 seem"),
        ({7: (Sight.CARD, 2)}, "same card is read more than once where A3, B2 seem"),
        ({11: (Sight.CARD, 50)}, "a face is read instead of a back .* where BR seem"),
        ({3: (Sight.BACK, BACK), 5: (Sight.CARD, 50)}, "a back instead of a face where AR, A4 seem"),
        ({0: (Sight.BACK, BACK), 5: (Sight.EMPTY, EMPTY)}, "a back instead of a face where A1 seem"),
        ({8: (Sight.HIDDEN, -1)}, "nothing of a card is to be seen where B3 seem"),
    ],
    ids=["bare", "unreadable", "twice", "a face for a reserve", "askew", "a back and no reserve", "hidden"],
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


class KnowsPaper:
    """Reads the white thing in the middle of a crop as a card, by its size and place, or as a back if it is blue."""

    def __init__(self) -> None:
        self.read_so_far = 0

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        self.read_so_far += len(crops)
        return [self._reading(crop, i) for i, crop in enumerate(crops)]

    def _reading(self, crop: Image, face: int) -> Reading:
        count, labels, stats, _ = cv2.connectedComponentsWithStats((crop.min(axis=2) > 222).astype(np.uint8))
        middle = CROP_PX / 2
        for x, y, wide, high in (stats[i, :4] for i in range(1, count) if labels.size):
            box = (float(x), float(y), float(x + wide), float(y + high))
            off = (np.array([box[0] + box[2], box[1] + box[3]]) / 2 - middle) * CROP_MM / CROP_PX
            if wide * high > 3000 and np.abs(off).max() < 30:
                inside = crop[y + high // 2, x + wide // 2].astype(int)
                back = inside[0] - inside[2] > 50
                state, place = (Sight.BACK, BACK) if back else (Sight.CARD, face)
                return Reading(state, surely(place), 0.0, box, Pose(float(off[0]), float(off[1]), 0.0))
        return Reading(Sight.EMPTY, surely(EMPTY), 0.0, None, None)


def test_cards_are_told_from_the_tiles_of_a_table_by_reading() -> None:
    boxes = loose(standard_layout().boxes, 8, degrees=0.8)
    drawn = draw(boxes, tilt=9, table=(145, 150, 155), tiles=(66.0, 92.0), size=(1920, 1080))
    with pytest.raises(UserError):
        find_deal(drawn.image, HOUSE)
    dealt = find_deal(drawn.image, HOUSE, reader=KnowsPaper())
    assert max(off_mm(dealt.table, drawn, boxes).values()) < 2.5


def test_what_only_looks_like_the_end_of_a_row_is_found_out_by_reading() -> None:
    boxes = standard_layout().boxes
    last = boxes[Zone("AR")]
    decoy = replace(last, x=last.x + 116)
    drawn = draw({**without(boxes, "A1"), Zone("AR"): last}, size=(1920, 1080))
    # A1 shows no outline, and beyond the reserve lies something of a card's size: five cards and that make a row.
    first = boxes[Zone("A1")]
    turns = np.linspace(0, 2 * math.pi, 40)
    oval = np.column_stack([first.x + 31 * np.cos(turns), first.y + 44 * np.sin(turns)])
    for colour, outline in (((236, 236, 236), oval), ((150, 175, 185), decoy.corners())):
        cv2.fillPoly(drawn.image, [np.round(project(drawn.to_image, np.array(outline))).astype(np.int32)], colour)
    found = find_table(drawn.image, Wanted(HOUSE), reader=KnowsPaper()).table
    assert max(off_mm(found, drawn, boxes).values()) < 4


@pytest.mark.parametrize(("strange", "fits"), [((1, 7), True), (tuple(range(7)), False)])
def test_a_card_that_cannot_be_told_is_a_card_where_most_others_can_be(strange: Sequence[int], fits: bool) -> None:
    image = draw(standard_layout().boxes).image

    class OfAStrangeDeck(Sees):
        def read(self, crops: Sequence[Image]) -> list[Reading]:
            readings = super().read(crops)
            some_card = np.full(OUTCOMES, -math.log(BACK), np.float32)
            some_card[BACK:] = -9
            return [
                Reading(Sight.UNKNOWN, some_card, 0.0, None, Pose(1.0, 0.0, 0.0)) if i in strange else one
                for i, one in enumerate(readings)
            ]

    wanted = Wanted(HOUSE, reserves=("right", "right"))
    if fits:
        assert find_table(image, wanted, reader=OfAStrangeDeck({})).table.way == "deal"
    else:
        # The cloth is not to blame, and the sentence does not say so.
        with pytest.raises(UserError, match=r"which cards lie at A1, .* needs printed corner markers"):
            find_table(image, wanted, reader=OfAStrangeDeck({}))


def test_slivers_are_not_read() -> None:
    reader = KnowsPaper()
    # A crop of what is no card from any view would be cut out of a picture of any size.
    sliver = np.array([[[100.0, 100], [160, 100], [131, 190], [129, 190]]])
    card = np.array([[[400.0, 100], [463, 100], [463, 188], [400, 188]]])
    read_outlines(np.zeros((720, 1280, 3), np.uint8), np.concatenate([sliver, card]), 12, reader)
    assert reader.read_so_far == 1
