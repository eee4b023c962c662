"""The decoder in situations laid out by hand, and on evidence that makes no sense at all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.readings import OUTCOMES, Disturbance, Evidence, Reach, Reading, Sight, ZoneChange
from referee.rules.ruling import Verdict
from referee.table import ZONES, Seat, Zone, ZoneKind
from referee.tracking import commits
from referee.tracking.decoder import Decoder
from tests.tracking.games import HOUSE, zones_of
from tests.tracking.readings import change, reach, reading
from tests.tracking.situations import SPITS, begun, deeds, say


def test_a_play_is_a_loss_and_a_gain() -> None:
    said = say([*begun(), change("A2", "back", 3.0, arms="A"), change("C1", "QD", 3.3, arms="A")])
    assert deeds(said) == [*SPITS, "A play QD A2 C1"]


def test_the_gain_may_be_told_before_the_loss() -> None:
    said = say([*begun(), change("C1", "QD", 3.3, arms="A"), change("A2", "back", 3.0, told=3.6, arms="A")])
    assert deeds(said) == [*SPITS, "A play QD A2 C1"]


def test_a_card_covered_before_it_was_seen_is_inferred_from_what_lies_on_it() -> None:
    # The king goes on no jack: it lies on the queen that has gone from A2.
    losses = [change("A2", "back", 3.0, arms="A"), change("B1", "empty", 3.05, arms="B")]
    said = say([*begun(), *losses, change("C1", "KS", 3.4, arms="AB")])
    assert deeds(said) == [*SPITS, "A play QD A2 C1", "B play KS B1 C1"]


def test_a_second_card_that_no_longer_fits_is_late() -> None:
    # Ten and queen both go on the jack; the queen lies on top, so the ten was first.
    losses = [change("A2", "back", 3.0, arms="A"), change("B3", "back", 3.0, arms="B")]
    hands = [reach("B", "C1", 3.2, 3.35), reach("A", "C1", 3.25, 3.4)]
    back = [change("C1", "TC", 4.4, arms="A"), change("A2", "QD", 4.7, arms="A")]
    said = say([*begun(), *losses, change("C1", "QD", 3.3, arms="AB"), *hands, *back], 6.0)
    assert deeds(said) == [*SPITS, "B play TC B3 C1", "A play QD A2 C1: illegal", "A take_back QD C1 A2"]


def test_a_card_that_does_not_fit_is_said_to_be_illegal_and_its_return_legal() -> None:
    wrong = [change("A1", "empty", 3.0, arms="A"), change("C1", "7C", 3.3, arms="A")]
    back = [change("C1", "JH", 4.2, arms="A"), change("A1", "7C", 4.5, arms="A")]
    said = say([*begun(), *wrong, *back], 6.0)
    assert deeds(said) == [*SPITS, "A play 7C A1 C1: illegal", "A take_back 7C C1 A1"]


def test_a_misread_card_is_put_right_by_a_correction_when_it_is_played() -> None:
    turned = [
        change("A2", "back", 3.0, arms="A"),
        change("C1", "QD", 3.3, arms="A"),
        change("A2", reading("KD", 0.93, instead="KH"), 4.0, arms="A"),
        change("A2", "empty", 6.0, arms="A"),
        change("C1", "KH", 6.3, arms="A"),
    ]
    said = say([*begun(), *turned], 8.0)
    assert any(commit.corrects is not None for commit in said)
    assert deeds(said) == [*SPITS, "A play QD A2 C1", "A turn_up KH A2", "A play KH A2 C1"]


def test_a_card_nobody_could_read_is_named_when_it_is_played() -> None:
    turned = [
        change("A2", "back", 3.0, arms="A"),
        change("C1", "QD", 3.3, arms="A"),
        change("A2", reading("unknown"), 4.0, arms="A"),
        change("A2", "empty", 5.0, arms="A"),
        change("C1", "KH", 5.3, arms="A"),
    ]
    assert deeds(say([*begun(), *turned], 7.0))[2:] == ["A play QD A2 C1", "A turn_up KH A2", "A play KH A2 C1"]


def test_where_legal_and_illegal_are_as_likely_it_is_left_undecided() -> None:
    # The card that came to A1 may be a queen or a nine; only the queen's neighbour goes on the jack.
    open_ = reading("TD", 0.55, instead="9D")
    evidence = [*begun(), change("A2", "back", 3.0, arms="A"), change("C1", "QD", 3.3, arms="A"),
                change("A2", open_, 4.0, arms="A"), change("A2", "empty", 6.0, arms="A"),
                change("C2", reading("TD", 0.5, instead="9D"), 6.3, arms="A")]  # fmt: skip
    said = [one for one in say(evidence, 8.0) if one.action is not None and one.action.target is Zone("C2")]
    assert said[-1].confidence < 0.9


def test_a_stalemate_that_two_spits_follow_is_told_once() -> None:
    said = say(begun(), 4.0)
    assert sum(commit.what == commits.STALEMATE for commit in said) <= 1


def test_two_minutes_of_an_empty_table_give_no_ruling() -> None:
    empty = [change(zone.name, "empty", 0.0, told=0.2) for zone in zones_of(HOUSE)]
    pokes: list[Evidence] = [change("C1", "empty", float(t), moved=True) for t in range(5, 120, 7)]
    assert say([*empty, *pokes], 120.0) == []


def test_a_cup_on_a_zone_gives_no_ruling() -> None:
    covered = [change("A3", "hidden", 4.0), change("A3", "3S", 8.0), change("B2", "hidden", 5.0)]
    before, after = deeds(say(begun(), 10.0)), deeds(say([*begun(), *covered], 10.0))
    assert before == after


def test_a_pile_put_straight_is_no_event() -> None:
    straightened = [change("C1", "JH", 4.0, moved=True), change("A4", "9H", 5.0, moved=True)]
    assert deeds(say([*begun(), *straightened], 7.0)) == SPITS


def test_a_table_that_contradicts_the_ledger_is_said_to_and_then_followed() -> None:
    strange = [change(zone, "back", 5.0) for zone in ("A1", "A3", "B1")]
    said = say([*begun(), *strange], 12.0)
    kinds = [commit.what for commit in said]
    assert commits.DESYNC in kinds
    assert kinds.index(commits.HEALED) == kinds.index(commits.DESYNC) + 1
    healed = next(commit for commit in said if commit.what == commits.HEALED)
    assert healed.after.defects() == ()


def test_a_disturbance_is_told_as_it_comes() -> None:
    said = say([*begun(), Disturbance("camera moved", 3.0, 3.5)])
    told = [commit for commit in said if commit.what == commits.DISTURBED]
    assert [(commit.t, commit.detail) for commit in told] == [(3.0, "camera moved")]


def test_slaps_decide_who_takes_which_pile_however_late_the_first_hand_leaves() -> None:
    decoder = Decoder(HOUSE, zones_of(HOUSE))
    for one in begun():
        decoder.push(one)
    assert decoder.position.top(0) is not None
    assert decoder.push(reach("A", "C1", 3.0, 3.1)) == []


@pytest.mark.parametrize(
    ("hands", "said"),
    [
        ([("A", "C1", 3.0, 3.4)], ["A slap C1: illegal"]),
        ([("A", "A2", 2.5, 2.7), ("A", "C1", 3.0, 3.4)], []),
        ([("A", "C2", 3.0, 3.4), ("A", "C1", 4.0, 4.4)], ["A slap C2: illegal"]),
        ([("A", "C1", 3.0, 4.5)], []),
        ([("A", "C1", 3.0, 3.1)], []),
    ],
    ids=["from elsewhere", "with a card of its own", "hovering", "resting", "passing"],
)
def test_a_hand_on_a_pile_in_play_is_a_slap_only_if_it_can_be_nothing_else(
    hands: list[tuple[str, str, float, float]], said: list[str]
) -> None:
    came = [reach(seat, zone, t, until) for seat, zone, t, until in hands]
    assert deeds(say([*begun(), *came], 8.0)) == [*SPITS, *said]


@pytest.mark.parametrize(
    ("hands", "said"),
    [
        ([reach("A", "A2", 2.5, 2.9), reach("A", "C1", 3.0, 3.6, flat=True)], ["A slap C1: illegal"]),
        ([reach("A", "C1", 2.9, 3.1), reach("A", "C1", 3.0, 3.6, flat=True)], ["A slap C1: illegal"]),
        ([reach("A", "A2", 2.9, 3.7), reach("A", "C1", 3.0, 3.6, flat=True)], []),
        ([reach("A", "C1", 3.0, 3.3, flat=True)], []),
        ([reach("A", "C1", 3.0, 4.5, flat=True)], []),
    ],
    ids=["from its own cards", "told of twice", "while the hand is elsewhere", "going across", "resting"],
)
def test_a_hand_that_lies_flat_on_a_pile_in_play_slaps_it(hands: list[Reach], said: list[str]) -> None:
    assert deeds(say([*begun(), *hands], 8.0)) == [*SPITS, *said]


def test_nothing_illegal_is_said_with_less_than_its_due_confidence() -> None:
    wrong = [change("A1", "empty", 3.0, arms="A"), change("C1", "7C", 3.3, arms="A")]
    for commit in say([*begun(), *wrong], 6.0):
        if commit.ruling is not None and commit.ruling.verdict is Verdict.ILLEGAL:
            assert commit.confidence >= 0.5


TABLE = [zone for zone in ZONES if zone.kind is not ZoneKind.HAND]


@st.composite
def anything(draw: st.DrawFn) -> list[Evidence]:
    """Evidence without rhyme or reason."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    told: list[Evidence] = []
    t = 0.0
    for _ in range(draw(st.integers(1, 25))):
        t += float(rng.exponential(0.3))
        zone = TABLE[int(rng.integers(len(TABLE)))]
        kind = rng.random()
        if kind < 0.1:
            seat = [None, Seat.A, Seat.B][int(rng.integers(3))]
            told.append(Reach(seat, zone, t, t + 0.1, t + float(rng.random()), (0, 1), float(rng.random())))
        elif kind < 0.13:
            told.append(Disturbance("lights changed", t, t + 1))
        else:
            chances = rng.dirichlet(np.full(OUTCOMES, 0.03)) + 1e-9
            logs = np.log(chances / chances.sum()).astype(np.float32)
            state = list(Sight)[int(rng.integers(len(list(Sight))))]
            read = Reading(state, logs, float(rng.random()), None, None)
            arms = (float(rng.random()), float(rng.random()))
            told.append(
                ZoneChange(zone, None, read, (), t - float(rng.random()), t, t, (0, 1), rng.random() < 0.3, arms, True)
            )
    return told


@settings(max_examples=6)
@given(anything(), st.booleans())
def test_nothing_that_is_seen_makes_it_fail_or_lose_a_card(evidence: list[Evidence], in_play: bool) -> None:
    decoder = Decoder(HOUSE, zones_of(HOUSE))
    for one in begun() if in_play else ():
        decoder.push(one)
    for one in evidence:
        decoder.push(one)
        assert decoder.position.defects() == ()
    decoder.finish()
