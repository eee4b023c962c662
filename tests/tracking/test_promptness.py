"""How soon faults are said: nothing is waited for that would tell more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.readings import Evidence
from referee.rules.actions import Kind
from referee.rules.state import Reason
from referee.tracking.commits import Commit
from tests.tracking.readings import change, reach, reading
from tests.tracking.situations import begun, say

TICK = 0.051


def fault(evidence: Sequence[Evidence], reason: Reason, until: float = 8.0) -> Commit:
    """The fault that is found, which is not put right later."""
    said = say([*begun(), *evidence], until)
    (found,) = [one for one in said if one.ruling is not None and one.ruling.reason is reason]
    return found


def came(kind: Kind, evidence: Sequence[Evidence]) -> Commit:
    """What is said of the one thing of a kind that was done."""
    (found,) = [one for one in say([*begun(), *evidence], 8.0) if one.action is not None and one.action.kind is kind]
    return found


def test_a_fault_is_said_sooner_than_what_is_as_sure_and_legal() -> None:
    # The card that was turned up at A2 may be another one.
    turned = [change("A2", "back", 2.5, arms="A"), change("C1", "QD", 2.8, arms="A")]
    shows = reading("KD", 0.95, instead="KH")
    legal = came(Kind.TURN_UP, [*turned, change("A2", shows, 5.0, told=5.1, arms="A")])
    assert legal.t_said - 5.1 > 0.3
    wrong = [change("A1", "empty", 5.05, told=5.1, arms="A"), change("C1", "7C", 5.05, told=5.1, arms="A")]
    illegal = fault([*turned, change("A2", shows, 5.0, told=5.1, arms="A"), *wrong], Reason.NOT_ADJACENT)
    assert illegal.t_said - 5.1 <= 0.2 + TICK


def test_a_hand_that_leaves_the_others_card_as_it_was_is_told_of_soon_after_it_left() -> None:
    touched = fault([reach("A", "B1", 4.0, 4.3)], Reason.OWN_CARDS_ONLY)
    assert touched.t_said - 4.3 <= 0.3 + TICK


def test_a_card_put_on_a_pile_under_a_hand_that_stays_is_no_card_in_that_hand_for_long() -> None:
    gone = replace(change("A1", "empty", 3.0, arms="A"), settled=False)
    there = replace(change("A2", "7C", 3.2, told=3.6, arms="A"), settled=False)
    stacked = fault([gone, there], Reason.NO_GAP)
    assert stacked.t_said - 3.6 <= 0.7


def test_a_fault_that_stands_whatever_lies_below_waits_for_no_other_hand() -> None:
    # B's hand is at the pile, too, and may have put a card below the ten, which nobody had turned up all the same.
    played: list[Evidence] = [change("A2", "back", 2.5, arms="A"), change("C1", "QD", 2.8, arms="A")]
    evidence = [*played, change("A2", "empty", 4.0, told=4.2, arms="A"), reach("B", "C1", 4.25, 4.35)]
    found = fault([*evidence, change("C1", "TH", 4.3, told=4.4, arms="A")], Reason.FACE_DOWN)
    assert found.t_said - 4.4 <= 0.4
