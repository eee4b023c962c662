"""A film script: exact touches, nothing teleports, each hand does one thing at a time, the same seed the same film."""

import math

import pytest

from referee.cards import DECK
from referee.rules.actions import Kind
from referee.simulate.choreography import Choreography
from referee.simulate.events import Event
from referee.simulate.motion import SETTLE
from referee.simulate.production import Production
from referee.simulate.scene import HandShape
from referee.table import Seat, ZoneKind
from tests.simulate.films import lowest, made, made_planted, made_with, pose_of

CARDS_MM_S = 4000.0
HANDS_MM_S = 4500.0
"""Faster moves no card and no hand, mm a second: hurried reaches of the whole table peak near there."""

FILMS = [
    ("house", 0, 1.0),
    ("house", 5, 4.0),
    ("house", 1, 8.0),
    ("pt", 1, 2.0),
    ("sv", 2, 2.0),
    ("house,layout=triangle4", 3, 2.0),
    ("pl,layout=eleven_plus_four", 4, 3.0),
    ("pt,layout=hand5", 2, 2.0),
    ("pt,layout=single10_hand", 3, 4.0),
]


@pytest.fixture(params=FILMS, ids=lambda film: f"{film[0]}-{film[1]}")
def film(request: pytest.FixtureRequest) -> Production:
    rules, seed, pace = request.param
    return made(seed, rules, 45.0, pace, 0.1)


def carried(film: Production) -> list[Event]:
    return [event for event in film.events if event.action is not None and event.action.card is not None]


def test_a_card_touches_its_pile_exactly_when_the_truth_says(film: Production) -> None:
    for event in carried(film):
        assert event.action is not None
        assert event.action.card is not None
        before, at, still = (
            pose_of(film, event.action.card, event.t + delta) for delta in (-0.002, 0.0, SETTLE + 0.001)
        )
        assert before is not None
        assert at is not None
        assert still is not None
        assert lowest(at) == pytest.approx(lowest(still), abs=0.31), event
        assert lowest(before) > lowest(at) + 0.02, event


def test_a_card_lies_still_in_its_place_after_it_settled(film: Production) -> None:
    for event in carried(film):
        action = event.action
        assert action is not None
        assert action.card is not None
        assert action.target is not None
        box = film.script.layout.boxes.get(action.target)
        pose = pose_of(film, action.card, event.t + SETTLE)
        if box is not None and pose is not None:
            assert math.hypot(pose.x - box.x, pose.y - box.y) < 16
            assert pose.flip % 360 == (180.0 if action.target.kind is ZoneKind.RESERVE else 0.0)


def test_nothing_teleports(film: Production) -> None:
    step = 1 / 250
    cards = {pose.card: pose for pose in film.script.snapshot(0.0).cards}
    hands = film.script.snapshot(0.0).hands
    for number in range(1, int(film.script.duration / step)):
        snapshot = film.script.snapshot(number * step)
        for pose in snapshot.cards:
            old = cards.get(pose.card)
            if old is not None and old is not pose:
                speed = math.dist((pose.x, pose.y, pose.z), (old.x, old.y, old.z)) / step
                assert speed < CARDS_MM_S, (pose.card, number * step)
        for hand, last in zip(snapshot.hands, hands, strict=True):
            speed = math.dist((hand.x, hand.y, hand.z), (last.x, last.y, last.z)) / step
            assert speed < HANDS_MM_S, (hand.seat, hand.right, number * step)
        cards, hands = {pose.card: pose for pose in snapshot.cards}, snapshot.hands


def test_no_card_goes_through_the_table(film: Production) -> None:
    for number in range(int(film.script.duration * 20)):
        for pose in film.script.snapshot(number / 20).cards:
            if pose.flip % 180 or pose.pitch or pose.roll:
                assert lowest(pose) > -0.01
            else:
                assert pose.z >= 0


def test_arms_do_not_go_through_each_other() -> None:
    film = made_planted("own_cards_only@6", "early_slap@10")
    for number in range(int(film.script.duration * 25)):
        hands = film.script.snapshot(number / 25).hands
        mine, theirs = ([hand for hand in hands if hand.seat is seat] for seat in Seat)
        for a in mine:
            for b in theirs:
                assert math.dist((a.x, a.y, a.z), (b.x, b.y, b.z)) > 15, number / 25


def test_one_hand_carries_and_the_other_rests() -> None:
    film = made(0, "house", 25.0)
    for number in range(int(film.script.duration * 30)):
        for hand in film.script.snapshot(number / 30).hands:
            if not hand.right:
                assert hand.shape is HandShape.REST


def test_a_hand_holds_the_card_it_carries(film: Production) -> None:
    for event in carried(film):
        action = event.action
        assert action is not None
        assert action.card is not None
        t = event.t - 0.03
        pose = pose_of(film, action.card, t)
        assert pose is not None
        near = min(
            math.dist((hand.x, hand.y, hand.z), (pose.x, pose.y, pose.z))
            for hand in film.script.snapshot(t).hands
            if hand.seat is action.seat
        )
        assert near < 60, event


def test_all_cards_are_there_and_lie_in_drawing_order(film: Production) -> None:
    snapshot = film.script.snapshot(0.0)
    assert {pose.card for pose in snapshot.cards} == set(DECK)
    heights = [pose.z for pose in snapshot.cards]
    assert heights == sorted(heights)


def test_cards_at_rest_are_the_same_objects_and_nothing_moves_then() -> None:
    script = made(0).script
    first, second = script.snapshot(0.05), script.snapshot(0.10)
    assert all(a is b for a, b in zip(first.cards, second.cards, strict=True))
    assert all(a is b for a, b in zip(first.hands, second.hands, strict=True))
    assert not script.moving(0.05, 0.10)


def test_whatever_changes_counts_as_moving() -> None:
    script = made(3, "house", 20.0).script
    for number in range(19 * 40):
        t0, t1 = number / 40, (number + 1) / 40
        a, b = script.snapshot(t0), script.snapshot(t1)
        if a.cards != b.cards or a.hands != b.hands:
            assert script.moving(t0, t1), t0


def test_a_slap_is_a_flat_hand_on_the_pile_at_its_instant() -> None:
    film = made_with("slap")
    slaps = [event for event in film.events if event.action is not None and event.action.kind is Kind.SLAP]
    assert slaps
    for slap in slaps:
        assert slap.action is not None
        assert slap.action.target is not None
        box = film.script.layout.boxes[slap.action.target]
        hand = next(hand for hand in film.script.snapshot(slap.t).hands if hand.seat is slap.action.seat and hand.right)
        before = next(
            hand for hand in film.script.snapshot(slap.t - 0.02).hands if hand.seat is slap.seat and hand.right
        )
        assert hand.shape is HandShape.SLAP
        assert math.hypot(hand.x - box.x, hand.y - box.y) < 40
        assert before.z > hand.z + 1


def test_a_claimed_pile_starts_to_move_at_its_instant_and_leaves_the_table() -> None:
    film = made_with("claim", "deal")
    claims = [event for event in film.events if event.action is not None and event.action.kind is Kind.CLAIM]
    assert claims
    for claim in claims:
        assert claim.action is not None
        assert claim.action.target is not None
        box = film.script.layout.boxes[claim.action.target]
        before = {
            pose.card: pose
            for pose in film.script.snapshot(claim.t).cards
            if math.hypot(pose.x - box.x, pose.y - box.y) < 30
        }
        assert before
        moved = {pose.card: pose for pose in film.script.snapshot(claim.t + 0.2).cards}
        assert all(moved[card].y != pose.y for card, pose in before.items())
        assert not {pose.card for pose in film.script.snapshot(claim.t + 1.0).cards} & set(before)


def test_a_new_deal_lies_on_the_table_at_its_instant() -> None:
    film = made_with("claim", "deal")
    deal = next(event for event in film.events if event.name == "deal" and event.t > 0)
    assert deal.action is not None
    poses = {pose.card: pose for pose in film.script.snapshot(deal.t + SETTLE).cards}
    for dealt in deal.action.deal:
        assert dealt is not None
        for pile in dealt.stock:
            assert all((poses[one.card].flip == 0) is one.up for one in pile)
            heights = [poses[one.card].z for one in pile]
            assert heights == sorted(heights)


def test_a_reserve_kept_in_the_hand_is_held_over_the_edge() -> None:
    film = made(1, "pt", 45.0, 2.0, 0.1)
    snapshot = film.script.snapshot(0.0)
    held = [pose for pose in snapshot.cards if pose.z > 40]
    assert len(held) == 22
    off = [hand for hand in snapshot.hands if not hand.right]
    assert all(hand.shape is HandShape.CARRY for hand in off)


def test_the_same_seed_makes_the_same_film_and_another_seed_another() -> None:
    films = [made.__wrapped__(seed, "house", 12.0) for seed in (6, 6, 7)]
    times = [number / 10 for number in range(120)]
    first, second, other = ([film.script.snapshot(t) for t in times] for film in films)
    assert first == second
    assert first != other
    assert films[0].events == films[1].events


def test_a_film_must_begin_with_a_deal() -> None:
    film = made(0)
    with pytest.raises(ValueError, match="begins with the deal"):
        Choreography(film.events[1:], film.script.layout, 0, 10.0)
