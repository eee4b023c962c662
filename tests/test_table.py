"""Seats, zones and where the zones lie."""

from __future__ import annotations

import copy
import math
import pickle

import pytest

from referee.cards import Card
from referee.rules import PRESETS, build
from referee.rules.piles import laid
from referee.table import CENTRES, RESERVES, STOCKS, ZONES, Box, Seat, TableLayout, Zone, ZoneKind, standard_layout


def test_there_is_one_object_a_zone() -> None:
    zone = Zone("A1")
    assert zone is Zone("A1")
    assert copy.deepcopy(zone) is zone
    assert pickle.loads(pickle.dumps(zone)) is zone
    assert (zone.kind, zone.seat, zone.index) == (ZoneKind.STOCK, Seat.A, 0)
    assert (repr(zone), str(zone)) == ("Zone('A1')", "A1")
    assert Zone("C2").seat is None


def test_the_zones_are_those_of_the_contract() -> None:
    names = {zone.name for zone in ZONES}
    assert names == {*(f"{s}{i}" for s in "AB" for i in "12345"), "AR", "BR", "AH", "BH", "C1", "C2"}


def test_an_unknown_zone_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="there is no zone 'A6': the zones are A1, A2"):
        Zone("A6")


@pytest.mark.parametrize("thing", [Zone("A1"), laid(Card("7C"), True)])
def test_zones_and_laid_cards_cannot_be_changed(thing: object) -> None:
    with pytest.raises(AttributeError, match="cannot be changed"):
        thing.name = "B1"  # type: ignore[attr-defined]  # that it cannot be set is what is tested
    with pytest.raises(AttributeError, match="cannot be changed"):
        del thing.kind  # type: ignore[attr-defined]  # as above
    assert pickle.loads(pickle.dumps(thing)) is thing


def test_laid_cards_show_which_side_is_up() -> None:
    assert (repr(laid(Card("TD"), True)), repr(laid(Card("TD"), False))) == ("Laid('TD')", "Laid('td')")


def test_each_seat_is_across_from_the_other() -> None:
    assert (Seat.A.other, Seat.B.other) == (Seat.B, Seat.A)
    assert [str(seat) for seat in Seat] == ["A", "B"]


@pytest.mark.parametrize("stock_piles", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("reserves", [True, False])
@pytest.mark.parametrize("card", [(63.0, 88.0), (57.0, 88.0)])
def test_zones_of_a_standard_layout_fit_and_do_not_touch(
    stock_piles: int, reserves: bool, card: tuple[float, float]
) -> None:
    layout = standard_layout(stock_piles, reserves=reserves, card=card)
    assert layout.outside() == ()
    assert len(layout.boxes) == 2 * stock_piles + 2 * reserves + 2
    boxes = list(layout.boxes.values())
    for index, one in enumerate(boxes):
        for other in boxes[:index]:
            apart = abs(one.x - other.x) >= card[0] + 10 or abs(one.y - other.y) >= card[1] + 10
            assert apart


def test_every_ruleset_has_a_layout_of_zones() -> None:
    for preset in PRESETS:
        for name in ("triangle5", "triangle4", "eleven_plus_four", "hand5", "single10_hand"):
            rules = build(preset, {"layout": name})
            layout = standard_layout(len(rules.plan.piles), reserves=rules.reserve_place == "table")
            assert {STOCKS[0][0], STOCKS[1][0], *CENTRES} <= set(layout.boxes)
            assert (RESERVES[0] in layout.boxes) == (rules.reserve_place == "table")


def test_piles_are_numbered_from_each_players_own_left() -> None:
    boxes = standard_layout().boxes
    assert boxes[Zone("A1")].x < boxes[Zone("A5")].x < boxes[Zone("AR")].x
    assert boxes[Zone("B1")].x > boxes[Zone("B5")].x > boxes[Zone("BR")].x
    assert boxes[Zone("A1")].y > boxes[Zone("C1")].y > boxes[Zone("B1")].y
    assert boxes[Zone("C1")].x < boxes[Zone("C2")].x
    assert (boxes[Zone("A1")].angle, boxes[Zone("B1")].angle) == (0.0, 180.0)


def test_corners_go_round_from_the_top_left_as_the_player_reads() -> None:
    assert Box(100, 50, 60, 80, 0).corners() == ((70, 10), (130, 10), (130, 90), (70, 90))
    turned = Box(100, 50, 60, 80, 180).corners()
    assert all(
        math.dist(one, two) < 1e-9 for one, two in zip(turned, ((130, 90), (70, 90), (70, 10), (130, 10)), strict=True)
    )
    quarter = Box(0, 0, 60, 80, 90).corners()
    assert math.dist(quarter[0], (40, -30)) < 1e-9


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: standard_layout(0), "1 to 5 stock piles, not 0"),
        (lambda: standard_layout(6), "1 to 5 stock piles, not 6"),
        (lambda: standard_layout(width=400), "do not fit a table of 400 x 600 mm"),
        (lambda: Box(0, 0, 0, 88, 0), "a positive width and height"),
        (lambda: Box(0, math.nan, 63, 88, 0), "five finite numbers"),
    ],
)
def test_what_cannot_lie_on_a_table_is_refused(make: object, says: str) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match=says):
        make()


def test_a_layout_cannot_be_changed_and_tells_what_reaches_over_the_edge() -> None:
    layout = TableLayout(100, 100, {Zone("C1"): Box(50, 50, 63, 88, 0), Zone("C2"): Box(90, 50, 63, 88, 0)})
    assert layout.outside() == (Zone("C2"),)
    with pytest.raises(TypeError):
        layout.boxes[Zone("A1")] = Box(0, 0, 1, 1, 0)  # type: ignore[index]  # that it cannot be set is tested
