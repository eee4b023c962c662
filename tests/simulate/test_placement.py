"""Loose human placement: near its place, askew, on the table."""

import math
from random import Random

import pytest

from referee.cards import Card
from referee.rules.settings import parse_ruleset
from referee.simulate.motion import THICKNESS
from referee.simulate.placement import FACE_DOWN, FAN_MM, HELD_MM, held_by, loose_layout, places_on, resting
from referee.simulate.production import table_for
from referee.table import HANDS, RESERVES, Seat, Zone, standard_layout


@pytest.mark.parametrize("stock_piles", [5, 4, 1])
@pytest.mark.parametrize("reserves", [True, False])
@pytest.mark.parametrize("card", [(63.0, 88.0), (57.0, 88.0)])
def test_loose_zones_fit_the_table_and_keep_apart(stock_piles: int, reserves: bool, card: tuple[float, float]) -> None:
    meant = standard_layout(stock_piles, reserves=reserves, card=card)
    for seed in range(50):
        layout = loose_layout(meant, Random(seed))
        assert layout.outside() == ()
        boxes = list(layout.boxes.values())
        for index, box in enumerate(boxes):
            for other in boxes[:index]:
                assert max(abs(box.x - other.x) / card[0], abs(box.y - other.y) / card[1]) > 1.05


def test_zones_lie_near_where_they_are_meant_to_but_not_exactly() -> None:
    meant = standard_layout()
    layout = loose_layout(meant, Random(3))
    for zone, box in meant.boxes.items():
        away = math.hypot(layout.boxes[zone].x - box.x, layout.boxes[zone].y - box.y)
        assert 0 < away < 12
        assert 0 < abs(layout.boxes[zone].angle - box.angle) < 6


def test_reserves_without_a_place_are_held_over_the_edge() -> None:
    places = places_on(standard_layout(reserves=False))
    for zone in RESERVES:
        assert places[zone].ground == HELD_MM
    assert places[RESERVES[Seat.A]].box.y > 600
    assert places[RESERVES[Seat.B]].box.y < 0


def test_cards_are_put_down_looser_on_the_centre_and_the_way_their_player_reads_them() -> None:
    places = places_on(standard_layout())
    rng = Random(1)
    card = Card("7C")

    def spread(zone: str, reader: Seat) -> float:
        poses = [resting(card, places[Zone(zone)], 0, rng, up=True, reader=reader) for _ in range(200)]
        yaw = sum(pose.yaw for pose in poses) / len(poses)
        return math.sqrt(sum((pose.yaw - yaw) ** 2 for pose in poses) / len(poses))

    assert spread("C1", Seat.A) > 2 * spread("A1", Seat.A) > 1
    theirs = resting(card, places[Zone("C1")], 0, rng, up=True, reader=Seat.B)
    assert 150 < theirs.yaw < 210


def test_each_card_of_a_pile_lies_a_thickness_higher() -> None:
    place = places_on(standard_layout())[Zone("C2")]
    pose = resting(Card("7C"), place, 20, Random(1), up=False, reader=Seat.A)
    assert pose.z == pytest.approx(20 * THICKNESS)
    assert pose.flip == FACE_DOWN


@pytest.mark.parametrize(
    ("rules", "piles", "reserves"),
    [
        ("house", 5, True),
        ("pt", 5, False),
        ("house,layout=triangle4", 4, True),
        ("pl,layout=eleven_plus_four", 5, False),
        ("pt,layout=hand5", 5, True),
        ("pt,layout=single10_hand", 1, True),
    ],
)
def test_the_table_is_laid_as_the_law_wants(rules: str, piles: int, reserves: bool) -> None:
    boxes = table_for(parse_ruleset(rules)).boxes
    assert sum(zone in boxes for zone in (Zone(f"A{n}") for n in range(1, 6))) == piles
    assert (RESERVES[0] in boxes) is reserves


def test_a_hand_of_cards_is_held_over_the_edge_and_the_reserve_lies_on_the_table() -> None:
    places = places_on(table_for(parse_ruleset("pt,layout=single10_hand")), hands=True)
    for seat, zone in zip(Seat, HANDS, strict=True):
        assert places[zone].ground == FAN_MM
        assert abs(places[zone].box.y - (600, 0)[seat]) < 20
        assert places[RESERVES[seat]].ground == 0
        assert held_by(seat, places) is places[zone]


def test_the_off_hand_is_free_when_everything_lies_on_the_table() -> None:
    places = places_on(standard_layout())
    assert held_by(Seat.A, places) is held_by(Seat.B, places) is None
