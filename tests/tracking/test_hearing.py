"""A decoder that is told things by the players."""

from __future__ import annotations

import pytest

from referee.readings import Evidence
from referee.rules.actions import Action, Kind, parse_action
from referee.rules.ruling import Verdict
from referee.rules.state import Phase
from referee.simulate.seen import IDEAL
from referee.table import Seat
from referee.tracking import commits
from referee.tracking.commits import Commit
from referee.tracking.decoder import Decoder
from tests.tracking.games import HOUSE, known_at, played, seen, zones_of
from tests.tracking.readings import change
from tests.tracking.situations import SPITS, TOPS, begun, dealt, deeds, watched

QUEEN = [change("A2", "back", 3.0, arms="A"), change("C1", "QD", 3.3, arms="A")]
SEVEN = [change("A1", "empty", 3.0, arms="A"), change("C1", "7C", 3.3, arms="A")]
AGREED = Action(Kind.CALL, word="spit")


def at_the_table(evidence: list[Evidence], until: float) -> tuple[Decoder, list[Commit]]:
    decoder = Decoder(HOUSE, zones_of(HOUSE))
    return decoder, watched(decoder, evidence, until)


@pytest.mark.parametrize("later", [4.5, 12.0])
def test_a_ruling_taken_back_was_not_given_on_anything(later: float) -> None:
    decoder, said = at_the_table([*begun(), *SEVEN], later)
    before = next(one for one in said if one.action is not None and one.action.kind is Kind.PLAY)
    taken = decoder.undo(later)
    assert [(one.what, one.corrects, one.action) for one in taken] == [(commits.CORRECTION, before.number, None)]
    assert decoder.position == before.before
    assert deeds([*said, *taken]) == SPITS


def test_the_card_put_back_after_that_is_no_news() -> None:
    decoder, said = at_the_table([*begun(), *SEVEN], 4.5)
    said += decoder.undo(4.5)
    back = [change("C1", "JH", 5.6, arms="A"), change("A1", "7C", 5.9, arms="A")]
    said += watched(decoder, [*back, change("A2", "back", 8.0, arms="A"), change("C1", "QD", 8.3, arms="A")], 20.0)
    assert deeds(said) == [*SPITS, "A play QD A2 C1"]
    assert not any(one.what == commits.DESYNC for one in said)


def test_a_table_that_goes_on_showing_what_was_taken_back_is_followed() -> None:
    decoder, said = at_the_table([*begun(), *QUEEN], 4.5)
    said += decoder.undo(4.5)
    assert decoder.position.top(0) is not None
    said += watched(decoder, [], 30.0)
    assert [one.what for one in said if one.what in (commits.DESYNC, commits.HEALED)] == ["desync", "healed"]
    assert str(decoder.position.top(0)) == "QD"


def test_taking_back_goes_on_to_the_ruling_before_and_stops_at_the_deal() -> None:
    decoder, said = at_the_table([*begun(), *QUEEN], 5.0)
    corrected = [one.corrects for _ in range(5) for one in decoder.undo(5.0)]
    acted = [one.number for one in said if one.action is not None and one.action.kind is not Kind.DEAL]
    assert corrected == acted[::-1]
    assert not any(decoder.position.centre)


@pytest.mark.parametrize("later", [6.0, 10.5])
def test_a_fault_found_lately_is_what_is_taken_back_though_play_went_on(later: float) -> None:
    wrong = [change("A4", "back", 3.0, arms="A"), change("C1", "9H", 3.3, arms="A")]
    right = [change("B2", "back", 4.2, arms="B"), change("C2", "5H", 4.5, arms="B")]
    decoder, said = at_the_table([*begun(), *wrong, *right], later)
    fault = next(one for one in said if one.ruling is not None and one.ruling.verdict is Verdict.ILLEGAL)
    taken = decoder.undo(later)
    assert [(one.what, one.corrects) for one in taken] == [(commits.CORRECTION, fault.number)]
    assert deeds([*said, *taken]) == [*SPITS, "B play 5H B2 C2"]
    assert [str(decoder.position.top(pile)) for pile in (0, 1)] == ["JH", "5H"]
    assert decoder.position.defects() == ()


def test_nothing_said_is_nothing_to_take_back() -> None:
    assert Decoder(HOUSE, zones_of(HOUSE)).undo(1.0) == []


def test_what_is_told_is_said_at_once_and_as_certain() -> None:
    decoder, _ = at_the_table(begun(), 4.0)
    [told] = decoder.told(parse_action("A play QD A2 C1 @4.5"))
    assert (told.what, str(told.action), told.confidence, told.t_said) == ("action", "A play QD A2 C1 @4.5", 1.0, 4.5)
    assert told.ruling is not None
    assert told.ruling.legal
    assert watched(decoder, [change("A2", "back", 6.0), change("C1", "QD", 6.3)], 9.0) == []


def test_what_is_told_of_what_was_seen_already_is_said_once() -> None:
    decoder, said = at_the_table([*begun(), *QUEEN], 5.0)
    said += decoder.told(parse_action("A play QD A2 C1 @3.4"), 5.0)
    assert deeds(said) == [*SPITS, "A play QD A2 C1"]


def test_what_cannot_have_been_done_changes_nothing() -> None:
    decoder, _ = at_the_table(begun(), 4.0)
    before = decoder.position
    assert decoder.told(parse_action("A play 3S A2 C1 @4.5")) == []
    assert decoder.position == before


SPAT = [change("C1", "2H", 6.0, arms="A"), change("C2", "7H", 6.1, arms="B")]


def test_spits_after_both_have_agreed_are_legal() -> None:
    decoder, said = at_the_table(begun(), 5.0)
    said += decoder.told(AGREED, 5.0)
    said += watched(decoder, SPAT, 9.0)
    assert deeds(said) == [*SPITS, "both call spit", "A spit 2H AR C1", "B spit 7H BR C2"]


def test_spits_found_fault_with_are_put_right_when_both_say_that_they_agreed() -> None:
    decoder, said = at_the_table([*begun(), SPAT[0]], 7.6)
    first = next(one for one in said if one.t > 5.0 and one.action is not None)
    assert first.ruling is not None
    assert first.ruling.verdict is not Verdict.LEGAL
    said += decoder.told(AGREED, 7.6)
    said += watched(decoder, [change("C2", "7H", 8.0, arms="B")], 10.0)
    assert any(one.corrects == first.number for one in said)
    assert sorted(deeds(said)[2:]) == ["A spit 2H AR C1", "B spit 7H BR C2", "both call spit"]


def gathered(t: float) -> list[Evidence]:
    """All cards are taken off the table."""
    return [change(zone, "empty", t) for zone in (*TOPS, "AR", "BR", "C1", "C2")]


def test_a_round_ended_by_the_players_is_over_and_the_next_deal_recognised() -> None:
    decoder, said = at_the_table([*begun(), *QUEEN], 5.0)
    over = decoder.new_round(5.1)
    assert [(one.what, one.winner, one.t_said) for one in over] == [(commits.ROUND_OVER, None, 5.1)]
    assert [side.phase for side in decoder.position.sides] == [Phase.REDEAL, Phase.REDEAL]
    assert decoder.position.defects() == ()
    moved = {**TOPS, "A1": "KD", "B1": "2S", "AR": "back", "BR": "back"}
    again: list[Evidence] = [*gathered(7.0), *(change(zone, shows, 12.0) for zone, shows in moved.items())]
    said += watched(decoder, [*again, change("C1", "8H", 15.0, arms="A"), change("C2", "9C", 15.1, arms="B")], 18.0)
    deal = next(one for one in said if one.action is not None and one.action.kind is Kind.DEAL and one.t > 5.0)
    assert deal.after.round == 2
    assert deeds(said)[-2:] == ["A spit 8H AR C1", "B spit 9C BR C2"]


def test_a_misdeal_is_dealt_again_in_the_same_round_without_anything_being_over() -> None:
    decoder, _ = at_the_table(dealt(), 1.0)
    assert decoder.new_round(1.0) == []
    assert decoder.position.round == 1
    assert {side.phase for side in decoder.position.sides} == {Phase.REDEAL}
    shown = {**TOPS, "A1": "KD", "AR": "back", "BR": "back"}
    again = [*gathered(3.0), *(change(zone, shows, 8.0) for zone, shows in shown.items())]
    [deal] = watched(decoder, again, 11.0)
    assert deal.action is not None
    assert deal.action.kind is Kind.DEAL


def test_a_new_game_follows_one_that_is_over() -> None:
    decoder = Decoder(HOUSE, zones_of(HOUSE))
    position = decoder.position
    assert decoder.new_round(1.0) == []
    assert decoder.position == position
    assert [decoder.position.sides[seat].held for seat in Seat] == [26, 26]


def test_whenever_the_players_interfere_no_card_is_lost() -> None:
    decoder = Decoder(HOUSE, zones_of(HOUSE))
    events = played(HOUSE, 4, 30.0)
    for number, one in enumerate(seen(events, HOUSE, IDEAL, 4)):
        decoder.push(one)
        if number % 17 == 9:
            decoder.undo(known_at(one))
        if number % 60 == 31:
            decoder.told(AGREED, known_at(one))
        if number % 90 == 62:
            decoder.new_round(known_at(one))
        assert decoder.position.defects() == ()
    decoder.finish()
