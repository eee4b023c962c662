"""The decoder where not everything that was done was seen, or was seen rightly."""

from __future__ import annotations

from dataclasses import replace

from referee.readings import ZoneChange, ZoneReading
from referee.table import Zone
from referee.tracking import commits
from referee.tracking.decoder import Decoder
from referee.tracking.results import settled
from tests.tracking.games import HOUSE, zones_of
from tests.tracking.readings import change, reach, reading
from tests.tracking.situations import SPITS, begun, dealt, deeds, say, watched

QUEEN = [change("A2", "back", 3.0, arms="A"), change("C1", "QD", 3.3, arms="A")]


def glimpsed(seen: ZoneChange, shows: str, t: float) -> ZoneChange:
    """A change before which something else was glimpsed."""
    return replace(seen, glimpses=(ZoneReading(Zone(seen.zone.name), t, 0, reading(shows), None, 1.0),))


def test_a_card_glimpsed_on_its_pile_was_turned_up_before_it_was_played() -> None:
    gone = glimpsed(change("A2", "empty", 4.4, arms="A"), "KH", 4.1)
    said = say([*begun(), *QUEEN, gone, change("C1", "KH", 4.7, arms="A")], 7.0)
    assert deeds(said) == [*SPITS, "A play QD A2 C1", "A turn_up KH A2", "A play KH A2 C1"]


def test_a_card_glimpsed_on_a_centre_pile_lies_under_the_one_that_is_seen() -> None:
    covered = glimpsed(change("C1", "QC", 3.45, arms="AB"), "QD", 3.4)
    losses = [change("A2", "back", 3.0, arms="A"), change("B2", "4D", 2.5), change("B2", "QC", 2.9, arms="B")]
    said = say([*begun(), *losses, change("B2", "back", 3.2, arms="B"), covered], 6.0)
    assert "A play QD A2 C1" in deeds(said)


def test_a_card_that_left_before_the_next_was_turned_up_was_played() -> None:
    hands = [reach("A", "A2", 2.9, 3.0), reach("A", "C1", 3.2, 3.3), reach("A", "A2", 3.9, 4.1)]
    king = [change("B1", "empty", 3.2, arms="B"), change("C1", "KS", 3.5, arms="B")]
    said = say([*begun(), *hands[:2], *king, change("A2", "5S", 4.0, arms="A"), hands[2]], 7.0)
    assert deeds(said) == [*SPITS, "A play QD A2 C1", "B play KS B1 C1", "A turn_up 5S A2"]


def test_a_card_nobody_saw_may_lie_between_two_that_do_not_fit() -> None:
    # Only an ace goes on the king and under the two, and a hand was where it can have come from.
    king = [change("B1", "empty", 3.6, arms="B"), change("C1", "KS", 3.9, arms="B")]
    hands = [reach("A", "A2", 4.1, 4.35), reach("A", "C1", 4.5, 4.6)]
    two = [change("A5", "back", 4.65, arms="A"), change("C1", "2D", 4.9, arms="A")]
    said = say([*begun(), *QUEEN, *king, *hands, *two], 8.0)
    assert "A play 2D A5 C1: illegal" not in deeds(said)
    assert any(one.startswith("A play ?? A2 C1") for one in deeds(said))


def test_without_a_hand_there_no_card_is_thought_to_lie_between() -> None:
    king = [change("B1", "empty", 3.6, arms="B"), change("C1", "KS", 3.9, arms="B")]
    two = [change("A5", "back", 4.65, arms="A"), change("C1", "2D", 4.9, arms="A")]
    assert deeds(say([*begun(), *QUEEN, *king, *two], 8.0))[-1] == "A play 2D A5 C1: illegal"


def test_a_spit_card_taken_back_from_a_pile_that_then_is_empty_goes_to_the_reserve() -> None:
    wrong = [change("C2", "2C", 2.0, arms="A"), change("C2", "empty", 3.0, arms="A")]
    right = [change("C1", "2C", 3.6, arms="A"), change("C2", "6S", 3.7, arms="B")]
    said = deeds(say([*dealt(), reach("A", "AR", 1.7, 1.8), *wrong, *right], 7.0))
    assert said[:2] == ["A spit 2C AR C2: illegal", "A take_back 2C C2 AR"]
    assert sorted(said[2:]) == ["A spit 2C AR C1", "B spit 6S BR C2"]


def test_what_reserves_look_like_does_not_undo_the_ledger() -> None:
    gone = [change("AR", "empty", 4.0, moved=True), change("BR", "empty", 4.5, moved=True)]
    said = say([*begun(), *gone], 25.0)
    assert not any(one.what == commits.DESYNC for one in said)


def test_a_card_that_turns_out_to_be_another_long_after_is_corrected() -> None:
    turned = change("A2", reading("KD", 0.7, instead="KH"), 4.0, arms="A")
    played = [change("A2", "empty", 14.0, arms="A"), change("C1", "KH", 14.3, arms="A")]
    said = say([*begun(), *QUEEN, turned, *played], 17.0)
    assert [one.what for one in said if one.corrects is not None] == [commits.CORRECTION]
    assert deeds(said) == [*SPITS, "A play QD A2 C1", "A turn_up KH A2", "A play KH A2 C1"]


def test_a_card_that_lay_in_a_gap_for_a_moment_was_moved_there_if_a_hand_came_there_twice() -> None:
    seven = [change("A1", "empty", 3.0, arms="A"), change("C2", "7C", 3.3, arms="A")]
    hands = [reach("A", "A1", 4.25, 4.35), reach("A", "A1", 4.4, 4.5)]
    lost, queen = change("A2", "back", 4.0, arms="A"), change("C1", "QD", 4.7, arms="A")
    passed = deeds(say([*begun(), *seven, lost, *hands, queen], 7.0))
    assert passed == [*SPITS, "A play 7C A1 C2", "A fill QD A2 A1", "A play QD A1 C1"]
    assert deeds(say([*begun(), *seven, lost, queen], 7.0))[-1] == "A play QD A2 C1"


def test_what_lies_under_a_card_that_is_taken_back_was_there_before_it() -> None:
    # B turned up a nine and played it, which nobody saw: A's nine lay over it at once, and was late.
    ten = [change("B3", "back", 3.0, arms="B"), change("C1", "TC", 3.3, arms="B")]
    hands = [reach("B", "B3", 3.6, 3.85), reach("B", "C1", 3.95, 4.05), reach("A", "C1", 4.0, 4.15)]
    nine = [change("A4", "back", 3.75, arms="A"), change("C1", "9H", 4.07, told=4.2, arms="AB")]
    back = [change("C1", "9S", 5.1, arms="A"), change("A4", "9H", 5.3, arms="A")]
    said = deeds(say([*begun(), *ten, nine[0], *hands, nine[1], *back], 8.0))
    late = ["A play 9H A4 C1: illegal", "B turn_up 9S B3", "B play 9S B3 C1", "A take_back 9H C1 A4"]
    assert sorted(said) == sorted([*SPITS, "B play TC B3 C1", *late])


def test_a_card_held_over_a_pile_while_the_next_is_taken_lies_nowhere() -> None:
    held = replace(change("A3", "7C", 3.3, arms="A"), settled=False)
    taken = [change("A1", "empty", 3.0, arms="A"), held, change("A3", "back", 3.6, arms="A")]
    back = [change("C2", "3S", 5.0, arms="A"), change("A1", "7C", 5.2, arms="A")]
    said = deeds(say([*begun(), *taken, change("C2", "7C", 3.9, arms="A"), *back], 8.0))
    both = ["A play 3S A3 C2: illegal", "A play 7C A1 C2: illegal"]
    assert said == [*SPITS, *both, "A take_back 7C C2 A1"]


def test_a_card_seen_in_the_hand_that_takes_the_next_one_is_played_together_with_it() -> None:
    # What the hand laid bare is read a second late, when the upper card is on its way back already.
    held = replace(change("A3", "7C", 3.33, told=3.63, arms="A"), settled=False)
    cards = [change("A1", "empty", 3.0, told=3.23, arms="A"), held, change("C1", "7C", 4.05, told=4.15, arms="A")]
    seen_late = [change("C1", "3S", 5.25, told=5.35, arms="A"), change("A3", "back", 3.75, told=5.4, arms="A")]
    said = deeds(say([*begun(), *cards, *seen_late, change("A1", "7C", 5.6, arms="A")], 8.0))
    both = ["A play 3S A3 C1: illegal", "A play 7C A1 C1: illegal"]
    assert said == [*SPITS, *both, "A take_back 7C C1 A1"]


def test_a_card_turned_up_under_a_resting_hand_is_not_taken_for_one_in_the_hand() -> None:
    turned = replace(change("A2", "KH", 4.0, arms="A"), settled=False)
    gone = change("A2", "back", 4.25, told=5.2, arms="A")
    said = say([*begun(), *QUEEN, turned, gone, change("C1", "KH", 5.35, arms="A")], 8.0)
    assert deeds(said) == [*SPITS, "A play QD A2 C1", "A turn_up KH A2", "A play KH A2 C1"]
    assert not any(one.corrects is not None for one in said)


def test_a_gap_that_was_filled_before_it_was_seen_had_been_left_by_a_card_played() -> None:
    # B's eight fits only if A's seven lay there first, and it did: another card lies now where it was.
    eight = [change("B4", "back", 3.0, arms="B"), change("C2", "8D", 3.4, arms="AB")]
    filled = [change("A3", "back", 3.75, arms="A"), change("A1", "3S", 4.0, arms="A")]
    said = say([*begun(), *eight, *filled], 7.0)
    assert sorted(deeds(said)[2:]) == ["A fill 3S A3 A1", "A play 7C A1 C2", "B play 8D B4 C2"]
    times = {str(one.action.card): one.t for one in settled(said) if one.action is not None}
    assert times["7C"] < times["8D"]


def test_a_card_taken_before_its_player_put_down_another_lies_under_one_that_was_then_late() -> None:
    # B's ten and A's queen both go on the jack. B has played the king since, so the ten is in no hand.
    taken = [change("B3", "back", 3.0, told=3.13, arms="B"), change("A2", "back", 3.05, told=3.15, arms="A")]
    queen = change("C1", "QD", 3.3, told=3.42, arms="AB")
    king = [change("B1", "empty", 3.45, told=3.6, arms="B"), change("C1", "KS", 3.75, told=3.85, arms="B")]
    said = say([*begun(), *taken, queen, *king], 6.0)
    assert deeds(said) == [*SPITS, "B play TC B3 C1", "A play QD A2 C1: illegal", "B play KS B1 C1"]


def test_a_card_outrun_in_a_race_makes_the_other_late_before_either_is_taken_back() -> None:
    losses = [change("A2", "back", 3.0, arms="A"), change("B3", "back", 3.05, arms="B")]
    race = [*begun(), *losses, change("C1", "TC", 3.3, arms="AB")]
    said = watched(Decoder(HOUSE, zones_of(HOUSE)), race, until=3.95)
    assert deeds(said) == [*SPITS, "A play QD A2 C1", "B play TC B3 C1: illegal"]


def test_a_card_that_is_taken_elsewhere_after_a_lost_race_was_not_put_down() -> None:
    losses = [change("A2", "back", 3.0, arms="A"), change("B3", "back", 3.05, arms="B")]
    race = [*begun(), *losses, change("C1", "TC", 3.3, arms="AB"), change("A2", "QD", 3.5, arms="A")]
    assert deeds(say(race, 6.0)) == [*SPITS, "B play TC B3 C1"]


def test_of_two_cards_nobody_saw_that_lies_lowest_whose_hand_came_first() -> None:
    losses = [change("A2", "back", 2.9, arms="A"), change("B3", "back", 2.95, arms="B")]
    hands = [reach("A", "C1", 3.1, 3.2), reach("B", "C1", 3.15, 3.3), reach("A", "C1", 3.45, 3.6)]
    nine = [change("A4", "back", 3.35, arms="A"), change("C1", "9H", 3.55, arms="A")]
    said = say([*begun(), *losses, hands[0], hands[1], *nine, hands[2]], 6.0)
    assert deeds(said) == [*SPITS, "A play QD A2 C1", "B play TC B3 C1: illegal", "A play 9H A4 C1"]


def test_nobody_is_accused_of_a_misfit_where_the_other_hand_may_have_put_a_card_below() -> None:
    nine = [change("A4", "back", 3.0, arms="A"), change("C1", "9H", 3.3, arms="AB")]
    alone = deeds(say([*begun(), *nine], 7.0))
    with_another = deeds(say([*begun(), nine[0], reach("B", "C1", 3.2, 3.35), nine[1]], 7.0))
    assert alone == [*SPITS, "A play 9H A4 C1: illegal"]
    assert with_another == [*SPITS, "A play 9H A4 C1: undecided"]


def test_a_card_on_one_that_did_not_fit_is_left_undecided_if_it_does_not_fit_either() -> None:
    nine = [change("A4", "back", 3.0, arms="A"), change("C1", "9H", 3.3, arms="A")]
    four = [change("B5", "back", 4.4, arms="B"), change("C1", "4C", 4.7, arms="B")]
    said = deeds(say([*begun(), *nine, *four], 9.0))
    assert said == [*SPITS, "A play 9H A4 C1: illegal", "B play 4C B5 C1: undecided"]


def test_a_card_that_a_hand_brings_from_its_reserve_is_a_reserve_card() -> None:
    # It might as well have been turned up on A2, where the hand was before.
    gone = [reach("A", "A2", 3.35, 3.65), reach("A", "AR", 3.7, 3.95), reach("A", "C1", 4.05, 4.3)]
    said = say([*begun(), *QUEEN, *gone, change("C1", "KH", 4.15, arms="A")], 8.0)
    assert deeds(said) == [*SPITS, "A play QD A2 C1", "A play KH AR C1: illegal"]


def test_a_card_that_is_seen_lying_again_where_it_was_has_not_come_down_elsewhere() -> None:
    # For a moment nothing was seen on B4, under the arm that took a card from the reserve.
    hands = [reach("B", "BR", 2.9, 3.2), reach("B", "C2", 3.35, 3.6)]
    bare = change("B4", "empty", 3.2, told=3.65, arms="B")
    again = change("B4", "8D", 3.75, told=3.8, arms="B")
    said = say([*begun(), *hands, change("C2", "5D", 3.5, arms="B"), bare, again], 8.0)
    assert deeds(said) == [*SPITS, "B play 5D BR C2: illegal"]


def test_what_was_revealed_explains_all_that_was_seen_where_it_came_from() -> None:
    # Ten on jack, and late the queen on it, which goes back; on the bare ten's pile the next card was turned up.
    losses = [change("A2", "back", 3.0, arms="A"), change("B3", "back", 3.0, arms="B")]
    turned = change("B3", "9S", 3.9, arms="B")
    hands = [reach("B", "C1", 3.2, 3.35), reach("A", "C1", 3.25, 3.4)]
    back = [change("C1", "TC", 4.4, arms="A"), change("A2", "QD", 4.7, arms="A")]
    covered = glimpsed(back[0], "QD", 3.5)
    said = say([*begun(), *losses, *hands, turned, covered, back[1]], 7.0)
    assert sorted(deeds(said)) == sorted(
        [*SPITS, "B play TC B3 C1", "A play QD A2 C1: illegal", "B turn_up 9S B3", "A take_back QD C1 A2"]
    )


def test_a_card_comes_down_no_earlier_than_it_can_have_come_from_where_it_was_seen_to_leave() -> None:
    # Under a hand it looked as if the queen lay there long before.
    gone, came = change("A2", "back", 3.3, told=3.42, arms="A"), change("C1", "QD", 3.0, told=3.5, arms="AB")
    said = settled(say([*begun(), gone, came], 7.0))
    [queen] = [one for one in said if one.action is not None and one.action.source is Zone("A2")]
    assert queen.t_from > 3.3
    assert queen.t < 3.5
