"""Every kind of incident can be planted, is seen in the film, and stands in the truth as the law judges it."""

import math

import pytest

from referee.errors import UserError
from referee.rules.contract import read_events
from referee.rules.record import replay, ruling_words
from referee.rules.state import Reason
from referee.simulate.incidents import BUMP, CUP, DUEL, DUELS, FALSE_SPIT, KINDS, KNOCK, LAMP, SLEEVE, parse_incident
from referee.simulate.production import Production
from tests.simulate.films import made, made_planted, pose_of, truth_lines, truth_text

COLOURS = "house,alternate_colours=true"


def film_of(kind: str) -> tuple[Production, str]:
    """A film in which an incident of that kind was planted, and its rules."""
    rules = COLOURS if kind == Reason.COLOUR.value else "house"
    at = "0.8" if kind in (Reason.WRONG_ORDER.value, Reason.WRONG_PILE.value) else "6"
    gap = ":80" if kind in DUELS else ""
    return made_planted(f"{kind}@{at}{gap}", rules=rules), rules


@pytest.mark.parametrize("reason", list(Reason), ids=lambda reason: reason.value)
def test_every_reason_of_the_contract_can_be_planted_and_is_in_the_truth(reason: Reason) -> None:
    film, rules = film_of(reason.value)

    faults = [line for line in truth_lines(film, rules) if line.get("reason") == reason.value]
    assert faults
    assert all(line["verdict"] == "illegal" for line in faults)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_rulings_with_an_incident_are_those_of_the_law(kind: str) -> None:
    film, rules = film_of(kind)
    record = read_events(truth_text(film, rules))

    played = list(replay(record))

    assert len(played) == sum(event.action is not None for event in film.events)
    assert all(not done.line.ruling or done.line.ruling == ruling_words(done.ruling) for done in played)


@pytest.mark.parametrize(
    "kind", [Reason.NOT_ADJACENT, Reason.TWO_CARDS, Reason.FROM_RESERVE, Reason.NO_GAP], ids=lambda kind: kind.value
)
def test_what_was_wrongly_moved_goes_back_unless_it_is_played_upon(kind: Reason) -> None:
    film, _ = film_of(kind.value)
    for wrong in (event for event in film.events if event.fault is kind):
        after = [event for event in film.events if event.t > wrong.t and event.action is not None]
        back = [event for event in after if event.correction and event.action.card is wrong.action.card]
        upon = [
            event
            for event in after
            if event.name == "play" and event.fault is None and event.action.target is wrong.action.target
        ]
        assert back or upon, wrong


def test_two_cards_touch_at_once_and_lie_on_one_another() -> None:
    film, _ = film_of("two_cards")
    low, high = (event for event in film.events if event.fault is Reason.TWO_CARDS)
    assert low.t == high.t
    assert low.action is not None
    assert high.action is not None
    assert low.action.card is not None
    assert high.action.card is not None
    below, above = (pose_of(film, event.action.card, low.t + 0.1) for event in (low, high))
    assert below is not None
    assert above is not None
    assert above.z > below.z


def test_two_hands_are_both_over_the_table() -> None:
    film, _ = film_of("two_hands")
    fault = next(event for event in film.events if event.fault is Reason.TWO_HANDS)
    hands = [hand for hand in film.script.snapshot(fault.t).hands if hand.seat is fault.seat]
    edge = film.script.layout.height
    assert all(0 < hand.y < edge + 10 for hand in hands)


@pytest.mark.parametrize("gap", [15, 80, 250])
@pytest.mark.parametrize("kind", DUELS)
def test_the_second_card_comes_when_it_was_asked_for(kind: str, gap: int) -> None:
    film = made_planted(f"{kind}@4:{gap}", seconds=40.0)
    plays = [event for event in film.events if event.name == "play" and event.action is not None]
    pairs = [
        second.t - first.t
        for first in plays
        for second in plays
        if first.seat is not second.seat
        and first.action.target is second.action.target
        and (second.fault is Reason.LATE if kind == "late" else second.fault is None)
        and first.fault is None
    ]
    assert any(math.isclose(pair, gap / 1000, abs_tol=2e-4) for pair in pairs)


def test_a_false_call_is_a_call_that_is_not_stuck() -> None:
    film, _ = film_of(FALSE_SPIT)
    calls = [line for line in truth_lines(film) if line["kind"] == "event" and line["action"] == "call"]
    assert any(line["verdict"] == "illegal" and line["reason"] == "not_stuck" for line in calls)


def test_a_hand_on_the_other_players_cards_moves_them() -> None:
    film, _ = film_of("own_cards_only")
    fault = next(event for event in film.events if event.fault is Reason.OWN_CARDS_ONLY)
    assert fault.action is not None
    assert fault.action.target is not None
    box = film.script.layout.boxes[fault.action.target]
    hand = next(hand for hand in film.script.snapshot(fault.t).hands if hand.seat is fault.seat and hand.right)
    assert math.hypot(hand.x - box.x, hand.y - box.y) < 40
    before, after = (
        {
            pose.card: (pose.x, pose.y)
            for pose in film.script.snapshot(t).cards
            if math.hypot(pose.x - box.x, pose.y - box.y) < 30
        }
        for t in (fault.t - 0.05, fault.t + 0.6)
    )
    assert before != after


def test_a_card_knocked_off_lies_beside_its_pile_and_comes_back() -> None:
    film, _ = film_of(KNOCK)
    swept = next(event for event in film.events if event.name == "disturbed")
    assert swept.detail == "cards swept"
    before = {pose.card: pose for pose in film.script.snapshot(swept.t - 0.01).cards}
    off = [
        pose.card
        for pose in film.script.snapshot(swept.t + 0.4).cards
        if pose.z == 0 and 80 < math.hypot(pose.x - before[pose.card].x, pose.y - before[pose.card].y) < 130
    ]
    assert len(off) == 1
    back = pose_of(film, off[0], swept.t + 1.7)
    assert back is not None
    assert math.hypot(back.x - before[off[0]].x, back.y - before[off[0]].y) < 15


def test_a_bump_moves_the_view_for_good() -> None:
    film, _ = film_of(BUMP)
    assert film.script.snapshot(5.99).shift == (0.0, 0.0, 0.0)
    after = film.script.snapshot(7.0).shift
    assert abs(after[0]) > 4
    assert film.script.snapshot(20.0).shift == after
    assert film.script.moving(5.9, 6.1)
    assert any(event.detail == "camera moved" and event.t == 6.0 for event in film.events)


def test_a_lamp_changes_the_light() -> None:
    film, _ = film_of(LAMP)
    assert film.script.snapshot(5.99).lamp == 1.0
    assert film.script.snapshot(6.2).lamp < 0.7
    assert any(event.detail == "lights changed" for event in film.events)


@pytest.mark.parametrize("kind", [CUP, SLEEVE])
def test_a_thing_comes_to_lie_on_the_table_and_goes(kind: str) -> None:
    film, _ = film_of(kind)
    assert film.script.snapshot(5.0).props == ()
    (prop,) = film.script.snapshot(7.0).props
    assert prop.kind == kind
    assert film.script.snapshot(14.0).props == ()
    assert f"a {kind} lies across" in film.notes


def test_an_incident_that_never_fits_is_refused() -> None:
    with pytest.raises(UserError, match="colour finds no place"):
        made(2, "house", 10.0, 1.0, 0.0, "colour@2")


def test_an_incident_after_the_end_is_refused() -> None:
    with pytest.raises(UserError, match="comes after the film"):
        made(2, "house", 10.0, 1.0, 0.0, "bump@12")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sneeze@3", "there is no incident 'sneeze'"),
        ("late", "does not say when"),
        ("bump@3:20", "does not say when"),
        ("bump@soon", "'soon' is not a time"),
        ("late@3:-5", "'-5' is not a gap"),
        ("late@nan", "'nan' is not a time"),
    ],
)
def test_a_wrong_incident_is_told_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_incident(text)


def test_an_incident_reads_its_time_and_gap() -> None:
    late = parse_incident("late@12.5:80")
    assert (late.kind, late.t, late.gap) == ("late", 12.5, 0.08)
    assert parse_incident(f"{DUEL}@3").gap > 0


def test_a_cup_is_brought_by_a_hand() -> None:
    film = made_planted("cup@5", seconds=20.0)
    for t in (4.7, 4.85, 4.99):
        (cup,) = film.script.snapshot(t).props
        near = min(math.hypot(hand.x - cup.x, hand.y - cup.y) for hand in film.script.snapshot(t).hands)
        assert near < cup.size
