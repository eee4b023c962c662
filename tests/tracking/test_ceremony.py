"""What is done around the play: spitting, getting stuck, taking the piles."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.cards import Card
from referee.readings import Evidence, Pose, ZoneChange
from referee.rules.actions import Action, Kind
from referee.rules.position import Position
from referee.rules.ruling import Verdict
from referee.table import CENTRES, RESERVES, STOCKS, Seat
from referee.tracking import commits
from referee.tracking.deciding import ready
from referee.tracking.decoder import Decoder
from referee.tracking.doing import done
from referee.tracking.hands import Hands
from referee.tracking.hypothesis import Hypothesis, Span
from referee.tracking.settings import USUAL
from referee.tracking.states import States
from tests.tracking.games import HOUSE, known_at, zones_of
from tests.tracking.readings import change, reach
from tests.tracking.situations import begun, deeds, say, watched

LOW = {
    "A1": "2C", "A2": "2D", "A3": "3S", "A4": "3H", "A5": "2S",
    "B1": "3C", "B2": "3D", "B3": "4C", "B4": "4D", "B5": "4H",
}  # fmt: skip
"""Tops of which none goes on an eight or a nine."""


def stuck() -> list[Evidence]:
    """Both have spat, and neither can play."""
    shown = {**LOW, "AR": "back", "BR": "back", "C1": "empty", "C2": "empty"}
    table = [change(zone, shows, 0.0, told=0.2) for zone, shows in shown.items()]
    return [*table, change("C1", "8H", 2.0, arms="A"), change("C2", "9S", 2.05, arms="B")]


def in_order(*evidence: Evidence) -> list[Evidence]:
    """Evidence in the order it becomes known in."""
    return sorted(evidence, key=known_at)


def test_the_card_that_comes_while_one_spit_is_due_is_that_spit_even_under_the_other_players_arm() -> None:
    hands = [reach("A", "AR", 4.0, 4.5), reach("B", "BR", 4.1, 4.6), reach("A", "C2", 5.0, 5.1)]
    turned = [change("C1", "KD", 5.0, arms="A"), change("C2", "TC", 5.05, arms="A")]
    said = say([*stuck(), *in_order(*hands, *turned)], 6.0)
    assert deeds(said) == ["A spit 8H AR C1", "B spit 9S BR C2", "A spit KD AR C1", "B spit TC BR C2"]
    assert not any(one.corrects is not None for one in said)


def test_whose_hand_was_at_its_reserve_as_one_fetches_a_card_does_not_tell_who_of_two_has_spat() -> None:
    # A's hand rested at its reserve before, B's did not; at the pile both are.
    hands = [reach("A", "AR", 2.5, 4.7), reach("B", "BR", 4.3, 4.7)]
    turned = [change("C1", "KD", 5.0, arms="B"), change("C2", "TC", 5.3, arms="B")]
    said = say([*stuck(), *in_order(*hands, *turned)], 6.5)
    assert deeds(said) == ["A spit 8H AR C1", "B spit 9S BR C2", "A spit KD AR C1", "B spit TC BR C2"]
    assert not any(one.corrects is not None for one in said)


@pytest.mark.parametrize(
    ("doubt", "seen", "verdict"),
    [(-3.0, True, Verdict.ILLEGAL), (-0.2, True, Verdict.UNDECIDED), (-3.0, False, Verdict.UNDECIDED)],
)
def test_nobody_is_accused_of_what_may_not_have_been_done_at_all(doubt: float, seen: bool, verdict: Verdict) -> None:
    table = Hypothesis(frozenset(zones_of(HOUSE)), both_stuck())
    card = table.position.sides[Seat.A].stock[0][-1].card
    span = Span(3.0, 3.03, 3.1, (90, 93), (change("C1" if seen else "A1", card.text, 3.0),))
    wrong = done(table, Action(Kind.PLAY, Seat.A, card, STOCKS[Seat.A][0], CENTRES[0]), span)
    assert wrong is not None
    beam = [replace(wrong, score=0.0, expected=()), table.plus(doubt)]
    assert ready(beam, 3.15, USUAL, Hands()) is None
    said = ready(beam, 5.0, USUAL, Hands())
    assert said is not None
    assert said[2].verdict is verdict


def both_stuck() -> Position:
    """The table of ``stuck``."""
    decoder = Decoder(HOUSE, zones_of(HOUSE))
    for one in stuck():
        decoder.push(one)
    return decoder.position


SPIT_TOGETHER = in_order(
    reach("A", "AR", 4.5, 5.0),
    reach("B", "BR", 4.6, 5.1),
    change("C1", "KD", 5.4, arms="A"),
    change("C2", "3D", 5.55, arms="B"),
)


def test_both_spit_together_by_agreement_whatever_could_be_played() -> None:
    said = deeds(say([*begun(), *SPIT_TOGETHER], 8.0))
    assert {"A spit KD AR C1", "B spit 3D BR C2"} < set(said)


def test_nobody_is_accused_where_both_spit_against_the_ledger_which_then_owes_nothing() -> None:
    # By the ledger the seven has yet to go back.
    wrong = [change("A1", "empty", 3.0, arms="A"), change("C1", "7C", 3.3, arms="A")]
    played = [change("B5", "back", 6.5, arms="B"), change("C2", "4C", 6.8, arms="B")]
    decoder = Decoder(HOUSE, zones_of(HOUSE))
    said = deeds(watched(decoder, [*begun(), *wrong, *SPIT_TOGETHER, *played], 8.0))
    assert said[3:] == ["A spit KD AR C1: undecided", "B spit 3D BR C2: undecided", "B play 4C B5 C2"]
    assert decoder.position.owed == ()


def test_a_mended_ledger_loses_nothing_that_was_on_its_way_to_be_said() -> None:
    strange = [change(zone, "back", 5.0, told=5.1) for zone in ("A1", "A3")]
    late = [change("B1", "empty", 7.7, arms="B"), change("C2", "KS", 8.0, told=8.05, arms="B")]
    said = say([*begun(), *strange, *late], 12.0)
    assert commits.HEALED in [one.what for one in said]
    assert "B play KS B1 C2: illegal" in deeds(said)


def test_after_both_have_spat_the_next_stalemate_is_told_whatever_is_thought_to_have_followed() -> None:
    states = States(USUAL.stalemate)
    hypothesis = Hypothesis(frozenset(zones_of(HOUSE)), both_stuck())
    assert [one.what for one in states.reached(hypothesis, 4.0)] == [commits.STALEMATE]
    # The second of the spits B is thought to have made is one card read twice.
    for number, (seat, card) in enumerate(((Seat.A, "KD"), (Seat.B, "TC"), (Seat.B, "TS"))):
        spit = Action(Kind.SPIT, seat, Card(card), RESERVES[seat], CENTRES[seat])
        after = done(hypothesis, spit, Span(5.0 + number / 10, 5.0 + number / 10, 5.2, (150, 156)))
        assert after is not None
        hypothesis = after
    spits = [replace(deed, said=number) for number, deed in enumerate(hypothesis.deeds[:2])]
    for deed in spits:
        states.after(deed, replace(hypothesis, deeds=(*spits, hypothesis.deeds[2])))
    rightly = replace(hypothesis, deeds=tuple(spits), expected=())
    assert [one.what for one in states.reached(rightly, 8.0)] == [commits.STALEMATE]


def test_after_both_have_spat_the_next_stalemate_is_told_though_the_later_spit_was_said_first() -> None:
    states = States(USUAL.stalemate)
    stuck_both = Hypothesis(frozenset(zones_of(HOUSE)), both_stuck())
    states.reached(stuck_both, 4.0)
    spits = [
        Action(Kind.SPIT, seat, Card(card), RESERVES[seat], CENTRES[seat])
        for seat, card in ((Seat.A, "KD"), (Seat.B, "TC"))
    ]
    alone = done(stuck_both, spits[1], Span(5.1, 5.1, 5.2, (153, 156)))
    first = done(stuck_both, spits[0], Span(5.0, 5.0, 5.4, (150, 162)))
    assert alone is not None
    assert first is not None
    both = done(first, spits[1], Span(5.1, 5.1, 5.2, (153, 156)))
    assert both is not None
    alone = replace(alone, deeds=tuple(replace(deed, said=1) for deed in alone.deeds))
    both = replace(
        both, deeds=tuple(replace(deed, said=2 - number) for number, deed in enumerate(both.deeds)), expected=()
    )
    states.after(alone.deeds[0], alone)
    states.after(both.deeds[0], both)
    assert [one.what for one in states.reached(both, 8.0)] == [commits.STALEMATE]


def test_a_hand_that_is_about_its_own_cards_meanwhile_has_not_touched_the_others() -> None:
    there = reach("A", "B3", 4.0, 4.6)
    assert deeds(say([*begun(), there], 8.0))[2:] == ["A touch B3: illegal"]
    home = reach("A", "A4", 4.1, 4.5)
    assert deeds(say([*begun(), *in_order(there, home)], 8.0)) == ["A spit JH AR C1", "B spit 6S BR C2"]


def pushed(zone: str, shows: str, t: float) -> ZoneChange:
    """A card is told to lie 9 mm from where it lay."""
    one = change(zone, shows, t, moved=True)
    return replace(
        one, before=replace(one.after, pose=Pose(0.0, 0.0, 0.0)), after=replace(one.after, pose=Pose(8.0, 4.0, 0.0))
    )


def test_a_hand_over_two_piles_of_the_others_touched_the_one_whose_card_was_pushed() -> None:
    over = [reach("A", "B3", 4.0, 4.6), reach("A", "B4", 4.02, 4.6)]
    assert deeds(say([*begun(), *over], 8.0))[2:] == ["A touch B3: illegal"]
    moved = pushed("B4", "8D", 4.3)
    assert deeds(say([*begun(), *in_order(*over, moved)], 8.0))[2:] == ["A touch B4: illegal"]


def test_a_hand_that_may_have_put_a_thing_there_touched_a_card_only_if_that_was_pushed() -> None:
    there = replace(reach("A", "B4", 4.0, 4.6), certainty=0.7)
    assert deeds(say([*begun(), there], 8.0)) == ["A spit JH AR C1", "B spit 6S BR C2"]
    assert deeds(say([*begun(), *in_order(there, pushed("B4", "8D", 4.3))], 8.0))[2:] == ["A touch B4: illegal"]


def test_a_stalemate_that_a_card_ends_which_does_not_fit_is_told_first_however_short_it_was() -> None:
    hands = [reach("A", "A2", 2.15, 2.25), reach("A", "C1", 2.3, 2.45)]
    wrong = [change("A2", "back", 2.22, arms="A"), change("C1", "2D", 2.4, arms="A")]
    said = say([*stuck(), *in_order(*hands, *wrong)], 5.0)
    assert deeds(said)[2].startswith("A play 2D A2 C1: ")
    [jam] = [one for one in said if one.what == commits.STALEMATE]
    assert jam.t == pytest.approx(2.13)


def test_a_spit_that_was_called_wrong_is_left_open_once_the_other_player_spits_as_well() -> None:
    hands = [reach("A", "AR", 3.5, 3.8), reach("A", "C1", 3.9, 4.1), reach("B", "BR", 4.5, 4.8)]
    turned = [change("C1", "8H", 4.0, arms="A"), change("C2", "2H", 5.0, told=5.2, arms="B")]
    said = say([*begun(), *in_order(*hands, *turned)], 7.0)
    first = next(one for one in said if one.ruling is not None and one.ruling.verdict is Verdict.ILLEGAL)
    assert str(first.action).startswith("A spit 8H AR C1")
    spat = [one for one in deeds(said)[2:] if " spit " in one and not one.startswith("both")]
    assert spat == ["A spit 8H AR C1: undecided", "B spit 2H BR C2"]
