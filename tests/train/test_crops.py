"""Crops for the reader: their labels say what the picture shows, and a seed decides them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from referee.cards import DECK, Card
from referee.train.decks.deck import Deck
from referee.train.decks.deck_pool import DeckPool, pool_of
from referee.train.drawing.arrange import CropSpec
from referee.train.drawing.crops import BLOCK, Crop, CropPainter, generate
from referee.train.drawing.situation import Clutter, ClutterKind, LyingCard, Situation, in_crop, outline
from tests.train import toys

CLEAN = CropSpec(hands=0.0, motion=0.0, disturbed=False)
"""Cards at rest before a perfect camera."""


@pytest.fixture(scope="module")
def toy_deck() -> Deck:
    return toys.toy_deck()


@pytest.fixture(scope="module")
def toy_pool() -> DeckPool:
    return toys.toy_pool()


@pytest.fixture(scope="module")
def white_and_black() -> tuple[Deck, Deck]:
    return toys.white_and_black()


def same(one: Crop, other: Crop) -> bool:
    return bool((one.image == other.image).all()) and one.box == other.box and one.conditions == other.conditions


WIDTH, HEIGHT, RIM = 126, 176, 8


def patterns(deck: Deck) -> dict[Card | None, np.ndarray]:
    """Each face (and the back, ``None``) as a picture to compare with, of zero mean and unit length."""
    found = {}
    for card in (*DECK, None):
        face = deck.back if card is None else deck.faces[card]
        flat = cv2.resize(np.ascontiguousarray(face.image[:, :, :3]), (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
        found[card] = normal(cv2.GaussianBlur(flat, (0, 0), 1))
    return found


def normal(picture: np.ndarray) -> np.ndarray:
    inner = picture.astype(np.float64)[RIM:-RIM, RIM:-RIM]
    inner -= inner.mean()
    return inner / np.sqrt((inner * inner).sum())


def read_ideally(crop: Crop, faces: dict[Card | None, np.ndarray]) -> Card | None:
    """The face most like the picture inside the crop's quad; ``None`` for the back."""
    corners = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
    to_card = cv2.getPerspectiveTransform(crop.quad.astype(np.float32), corners)
    seen = normal(cv2.warpPerspective(crop.image, to_card, (WIDTH, HEIGHT)))
    return max(faces, key=lambda card: float((seen * faces[card]).sum()))


@pytest.mark.parametrize("spec", [CLEAN, replace(CLEAN, motion=1.0)], ids=["at rest", "in motion"])
def test_an_ideal_reader_sees_the_labelled_card(toy_deck: Deck, spec: CropSpec) -> None:
    painter, faces = CropPainter(11, pool_of([toy_deck]), spec), patterns(toy_deck)
    read = 0
    for number in range(32):
        situation = painter.situation(number)
        bare = tuple(replace(mover, hand=None) for mover in situation.movers)
        crop = painter.paint(replace(situation, movers=bare), number)
        # Motion blur wider than a stroke is beyond even an ideal reader.
        if crop.state != "empty" and crop.conditions.smear < 5:
            assert read_ideally(crop, faces) is crop.card, crop.conditions
            read += 1
    assert read > 10


def alone(situation: Situation) -> Situation:
    """The situation without any card but the top one."""
    top = situation.top_card
    assert top is not None
    assert situation.motion == "rest"
    return replace(situation, resting=(top,), stacks=(), top=("resting", 0), movers=())


def mask_of_top(situation: Situation, decks: tuple[Deck, Deck], spec: CropSpec) -> np.ndarray:
    """Where the crop changes when its cards turn from white to black."""
    white, black = (CropPainter(3, pool_of([deck]), spec).paint(situation, 0).image.astype(int) for deck in decks)
    return (white - black).min(axis=2) > 90


def test_box_and_quad_lie_where_the_card_is(white_and_black: tuple[Deck, Deck]) -> None:
    spec = replace(CLEAN, states=(1.0, 0.0, 0.0))
    painter = CropPainter(3, pool_of([white_and_black[0]]), spec)
    for number in range(12):
        situation = alone(painter.situation(number))
        mask = mask_of_top(situation, white_and_black, spec)
        crop = painter.paint(situation, 0)
        ys, xs = np.nonzero(mask)
        assert crop.box == pytest.approx((xs.min(), ys.min(), xs.max() + 1, ys.max() + 1), abs=2.0)
        filled = np.zeros(mask.shape, np.uint8)
        cv2.fillConvexPoly(filled, np.round((crop.quad - 0.5) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        both, either = (mask & (filled > 0)).sum(), (mask | (filled > 0)).sum()
        assert both / either > 0.96


def test_the_share_agrees_with_a_count_of_pixels(white_and_black: tuple[Deck, Deck]) -> None:
    spec = replace(CLEAN, states=(0.5, 0.5, 0.0), hands=1.0)
    painter = CropPainter(3, pool_of([white_and_black[0]]), spec)
    shares = []
    for number in range(10):
        situation = painter.situation(number)
        hands = tuple(replace(mover, card=None, sweep=(0.0, 0.0, 0.0)) for mover in situation.movers)
        covered = replace(alone(situation), movers=hands)
        # A hand's shadow falls on white and black alike; compare what still changes.
        shown = (
            mask_of_top(covered, white_and_black, spec).sum()
            / mask_of_top(alone(situation), white_and_black, spec).sum()
        )
        share = painter.paint(covered, 0).share
        assert share == pytest.approx(shown, abs=0.04)
        shares.append(share)
    assert min(shares) < 0.5
    assert max(shares) > 0.9


@pytest.mark.parametrize(("kind", "covers"), [("cup", True), ("sheet", False), ("slab", False), ("disc", False)])
def test_only_a_cup_covers_cards(toy_pool: DeckPool, kind: ClutterKind, covers: bool) -> None:
    painter = CropPainter(3, toy_pool, replace(CLEAN, states=(1.0, 0.0, 0.0)))
    situation = alone(painter.situation(0))
    middle = situation.box
    item = Clutter(
        kind, middle.x - 20, middle.y - 25, 10.0, 60.0, 60.0, 4.0, ((200.0, 20.0, 20.0), (20.0, 200.0, 20.0))
    )
    bare, crop = (painter.paint(replace(situation, clutter=clutter), 0) for clutter in ((), (item,)))
    assert bare.share == pytest.approx(1, abs=1e-3)
    assert (crop.image != bare.image).any()
    if covers:
        assert 0.3 < crop.share < 0.8
    else:
        assert crop.share == bare.share


def test_corners_show_where_nothing_covers_them(toy_pool: DeckPool) -> None:
    painter = CropPainter(5, toy_pool, replace(CLEAN, states=(1.0, 0.0, 0.0), hands=1.0))
    some = [painter.crop(number) for number in range(24)]
    for crop in some:
        assert not crop.corners[1], "the top right corner bears no index"
        assert not crop.corners[3], "the bottom left corner bears no index"
        if crop.share > 0.99:
            assert crop.corners == (True, False, True, False)
        if crop.share < 0.05:
            assert crop.corners == (False, False, False, False)
    assert len({crop.corners for crop in some}) >= 3


def wholly_inside(situation: Situation, card: LyingCard) -> bool:
    rim = in_crop(situation.view, situation.box, 100, outline(card, 63, 88))
    return bool((rim > 0).all() and (rim < 100).all())


def test_the_labelled_card_is_the_uppermost_that_lies_wholly_inside(toy_pool: DeckPool) -> None:
    painter = CropPainter(9, toy_pool, CropSpec(hands=0.8))
    over = 0
    for number in range(400):
        situation = painter.situation(number)
        lying = [*situation.resting, *(mover.card for mover in situation.movers if mover.card)]
        top = situation.top_card
        first = 0
        if top is not None:
            assert wholly_inside(situation, top)
            first = next(place for place, card in enumerate(lying) if card is top) + 1
        assert not any(wholly_inside(situation, card) for card in lying[first:])
        over += len(lying[first:])
    assert over > 50


def test_what_a_label_says_is_possible(toy_pool: DeckPool) -> None:
    painter = CropPainter(9, toy_pool, CropSpec(size=128))
    for number in range(30):
        crop = painter.crop(number)
        assert crop.image.shape == (128, 128, 3)
        assert crop.image.dtype == np.uint8
        assert (crop.card is not None) == (crop.state == "card")
        if crop.state == "empty":
            assert crop.box == (0, 0, 0, 0)
            assert 0 <= crop.share <= 1
            continue
        x1, y1, x2, y2 = crop.box
        assert 0 <= x1 < x2 <= 128
        assert 0 <= y1 < y2 <= 128
        assert 0 <= crop.share <= 1


def test_crops_do_not_depend_on_where_the_drawing_starts(toy_pool: DeckPool) -> None:
    spec = CropSpec(size=64)
    straight = list(generate(4, 12, toy_pool, spec))
    later = list(generate(4, 4, toy_pool, spec, first=8))
    assert all(same(a, b) for a, b in zip(straight[8:], later, strict=True))
    other = next(generate(5, 1, toy_pool, spec))
    assert not same(straight[0], other)


def test_crops_do_not_depend_on_the_number_of_workers(toy_pool: DeckPool) -> None:
    spec = CropSpec(size=64)
    start = BLOCK - 3
    one = list(generate(4, 6, toy_pool, spec, first=start))
    two = list(generate(4, 6, toy_pool, spec, first=start, workers=2))
    assert all(same(a, b) for a, b in zip(one, two, strict=True))


def test_every_condition_occurs(toy_pool: DeckPool) -> None:
    painter = CropPainter(2, toy_pool, CropSpec())
    drawn = [painter.situation(number) for number in range(1500)]
    states = Counter(situation.state for situation in drawn)
    assert states["card"] / 1500 == pytest.approx(0.72, abs=0.05)
    assert {situation.motion for situation in drawn} == {"rest", "sliding", "lifted", "turning"}
    assert {situation.light.name for situation in drawn} == {"even", "room", "lamp", "mixed", "dim", "sun"}
    assert {situation.view.source for situation in drawn} == {720, 1080, 2160}
    assert {situation.sensor.codec for situation in drawn} == {"none", "jpeg", "video"}
    assert len({situation.card for situation in drawn}) == 53
    tilts = [situation.view.tilt for situation in drawn]
    assert min(tilts) < 2
    assert max(tilts) > 33
    piles = Counter(len(situation.resting) for situation in drawn)
    assert piles[0] > 0
    assert max(piles) >= 10


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"size": 8}, "at least 32"),
        ({"states": (0.5, 0.5, 0.5)}, "add up to 1"),
        ({"sources": ((480, 1.0),)}, "720, 1080, 2160"),
        ({"sources": ()}, "720, 1080, 2160"),
        ({"tilt": (10.0, 5.0)}, "does not see a table"),
        ({"hands": 1.5}, "between 0 and 1"),
    ],
)
def test_a_specification_that_cannot_be_is_refused(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        CropSpec(**changes)
