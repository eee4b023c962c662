"""What no text answers: stalemates, clears, faults, calls and races (G1 to G9)."""

from __future__ import annotations

import pytest

from referee.rules import Position, Remedy, happenings, sentence, stalemate, stuck
from referee.rules.ruleset import build
from referee.table import Seat
from tests.rules.openings import phases
from tests.rules.table import after, lay, reason, rule

NOW = ("#3", "#4")


@pytest.mark.parametrize(
    ("stock", "is_stuck", "why"),
    [
        ("7C", False, "a card fits"),
        ("2D/9d", False, "a card can be turned up"),
        ("2D/4dKD", False, "the gap can take a card off another"),
        ("2D/KD", True, "only lone cards beside the gaps"),
        ("2D/4dKD/3D/KC/2C", True, "no gap to move a card to"),
        ("-", True, "nothing left"),
    ],
    ids=lambda value: value.replace(" ", "_") if isinstance(value, str) and " " in value else None,
)
def test_g1_when_a_player_is_stuck(stock: str, is_stuck: bool, why: str) -> None:
    position = lay(stock, "2H", "8S/8H", reserves=NOW)
    assert stuck(position, Seat.A).stuck is is_stuck, why
    assert (stuck(position, Seat.A).witness is None) is is_stuck


def test_g1_both_have_to_be_stuck() -> None:
    assert stalemate(lay("2D/KD", "2H", "8S/8H", reserves=NOW))
    assert not stalemate(lay("2D/KD", "7C", "8S/8H", reserves=NOW))
    assert not stalemate(lay("7C", "2H", "8S/8H", reserves=NOW))


def test_g1_a_lone_card_may_be_moved_to_a_gap_but_stays_a_stalemate() -> None:
    position = lay("2D/KD", "2H", "8S/8H", reserves=NOW)
    assert rule(position, "A fill 2D A1 A3").legal
    assert stalemate(after(position, "A fill 2D A1 A3"))


def test_g1_a_place_that_is_no_gap_frees_nobody() -> None:
    rules = "house,gap_from_short_deal=false"
    position = lay("2D/4dKD", "2H", "8S/8H", rules=rules, reserves=NOW, sides=(";slots=2", ";slots=1"))
    assert stalemate(position)


def test_g1_a_face_up_card_under_another_of_its_rank_can_be_freed() -> None:
    rules = "house,same_rank_stack=true,alternate_colours=true"
    position = lay("5D5C/KH/KS/2D", "9H/9S", "6S/6C", rules=rules, reserves=NOW)
    assert not stuck(position, Seat.A)
    assert rule(after(position, "A fill 5C A1 A5"), "A play 5D A1 C1").legal


def test_g1_the_stalemate_has_to_hold_for_a_while() -> None:
    assert build().stalemate_hold == 1.0


def test_g2_no_spit_while_somebody_can_play_unless_both_ask_for_it() -> None:
    position = lay("7C/2D", "9H", "8S/JH", reserves=NOW)
    for action in ("A call spit", "B call spit", "A spit ?? AR C1"):
        assert reason(position, action) == "not_stuck"
    assert after(position, "both call spit").due == tuple(Seat)


def test_g2_where_it_is_refused_both_may_not_either() -> None:
    position = lay("7C/2D", "9H", "8S/JH", rules="house,mutual_pass=refused", reserves=NOW)
    assert reason(position, "both call spit") == "not_stuck"
    assert after(position, "both call spit") == position


def test_g3_with_one_pile_the_reserve_holder_spits_alone_on_it() -> None:
    for pile, other in (("C1", "C2"), ("C2", "C1")):
        centre = "8S/-" if pile == "C1" else "-/8S"
        position = lay("2D/KD", "2H/KH", centre, reserves=("-", "#4"))
        assert stalemate(position)
        position = after(position, "B call spit")
        assert position.due == (Seat.B,)
        assert reason(position, f"B spit ?? BR {other}") == "wrong_pile"
        assert rule(position, f"B spit 5D BR {pile}").legal


def one_pile(a: str, b: str, rules: str = "house") -> Position:
    return after(lay(a, b, "6S/-", rules=rules), "A play 7C A1 C1")


def test_g4_with_one_pile_and_no_reserve_fewer_stock_cards_win_the_round() -> None:
    position = one_pile("7C/2D", "2H/KH")
    assert position.round_end is not None
    assert (position.round_end.winner, position.round_end.reason) == (Seat.A, "no_reserve")
    assert position.result is None
    assert not rule(position, "A slap C1").legal
    assert rule(position, "B claim C1").legal
    assert len(after(position, "B claim C1").sides[Seat.A].gathered) == 1


def test_g4_equal_counts_are_a_draw() -> None:
    position = one_pile("7C/2D", "2H")
    assert position.result is not None
    assert (position.result.winner, position.result.reason) == (None, "fewer_cards")


def test_g5_of_two_who_clear_the_earlier_touch_has_finished() -> None:
    position = lay("7C", "TC", "8S/JH", reserves=NOW)
    first = after(position, "B play TC B1 C2 @2.00")
    ended = after(first, "A play 7C A1 C1 @2.01").round_end
    assert ended is not None
    assert ended.winner is Seat.B
    assert reason(first, "A play 7C A1 C1 @2.01") == "wrong_order"


ILLEGAL = "A play 2D A2 C1 @1.0"


def faulty(rules: str) -> Position:
    return after(lay("7C/2D/QC", "3H/TC/5C", "8S/JH", rules=rules, reserves=NOW), ILLEGAL)


@pytest.mark.parametrize(
    ("value", "remedy"),
    [
        ("return_card", Remedy.RETURN_CARD),
        ("stands_if_unchallenged", Remedy.STANDS_IF_UNCHALLENGED),
        ("lockout", Remedy.LOCKOUT),
    ],
)
def test_g6_what_follows_an_illegal_play(value: str, remedy: Remedy) -> None:
    before = lay("7C/2D/QC", "3H/TC/5C", "8S/JH", rules=f"house,illegal_play={value}", reserves=NOW)
    assert rule(before, ILLEGAL).remedy is remedy
    debt = after(before, ILLEGAL).owed[0]
    assert (str(debt.card), str(debt.at), str(debt.back_to)) == ("2D", "C1", "A2")


def test_g6_the_card_goes_back_where_it_came_from() -> None:
    position = faulty("house")
    assert reason(position, "A take_back 2D C1 A4") == "wrong_pile"
    assert reason(position, "B take_back 2D C1 A2") == "own_cards_only"
    ruling = rule(position, "A take_back 2D C1 A2")
    assert ruling.legal
    assert ruling.correction
    position = after(position, "A take_back 2D C1 A2")
    assert position.owed == ()
    assert str(position.top(0)) == "8S"


def test_g6_a_card_legally_played_upon_stands() -> None:
    position = after(faulty("house"), "B play 3H B1 C1")
    assert position.owed == ()
    assert reason(position, "A take_back 2D C1 A2") == "taken_back"


@pytest.mark.parametrize(("value", "stands"), [("return_card", False), ("stands_if_unchallenged", True)])
def test_g6_if_the_opponent_plays_on_elsewhere(value: str, stands: bool) -> None:
    position = after(faulty(f"house,illegal_play={value}"), "B play TC B2 C2")
    assert (position.owed == ()) is stands


def test_g6_a_layout_is_not_cleared_by_an_illegal_card() -> None:
    position = after(lay("2D", "3H/TC", "8S/JH", reserves=NOW), "A play 2D A1 C1")
    assert position.round_end is None
    position = after(position, "B play 3H B1 C1")
    assert position.round_end is not None
    assert position.round_end.winner is Seat.A


def test_g6_a_locked_out_player_may_not_play() -> None:
    position = faulty("house,illegal_play=lockout,lockout_seconds=4")
    position = after(position, "A take_back 2D C1 A2 @2.0")
    assert reason(position, "A play 7C A1 C1 @4.9") == "wrong_order"
    assert rule(position, "A play 7C A1 C1 @5.0").legal
    assert rule(position, "B play TC B2 C2 @2.5").legal


@pytest.mark.parametrize(("value", "remedy"), [("ignored", Remedy.IGNORED), ("opponent_chooses", Remedy.FIRST_CHOICE)])
def test_g7_a_slap_too_early_counts_for_nothing(value: str, remedy: Remedy) -> None:
    position = lay("7C", "9H/KD", "8S/JH", rules=f"house,early_slap={value}", reserves=NOW)
    ruling = rule(position, "A slap C2")
    assert ruling.reason is not None
    assert (ruling.reason.value, ruling.remedy) == ("early_slap", remedy)
    position = after(position, "A slap C2", "A play 7C A1 C1")
    assert rule(position, "A slap C2").legal is (value == "ignored")
    assert rule(position, "B slap C2").legal


def test_g7_the_first_choice_is_for_one_claim() -> None:
    rules = "house,early_slap=opponent_chooses"
    position = after(lay("7C", "9H/KD", "8S/JH", rules=rules, reserves=NOW), "A slap C2", "A play 7C A1 C1")
    position = after(position, "B slap C2", "B claim C2", "A claim C1")
    assert position.first_choice is None


def test_g7_a_hand_after_all_is_taken_is_no_early_slap_of_the_finisher() -> None:
    position = after(lay("7C", "9H/KD", "8S/JH", reserves=NOW), "A play 7C A1 C1", "A claim C1")
    ruling = rule(position, "A slap C2")
    assert not ruling.legal
    assert "PL-23" not in ruling.rules


def test_g8_who_calls_too_soon_is_told_who_can_play() -> None:
    position = lay("2D/KD", "7H/KC", "8S/8H", reserves=NOW)
    ruling = rule(position, "A call spit")
    assert ruling.witness is not None
    assert ruling.witness.seat is Seat.B
    assert rule(position, str(ruling.witness)).legal
    assert "Bo can play 7♥ on C1" in sentence(ruling, ("Ada", "Bo"))


def test_g8_or_only_that_it_is_too_soon() -> None:
    position = lay("2D/KD", "7H/KC", "8S/8H", rules="house,no_hint=true", reserves=NOW)
    ruling = rule(position, "A call spit")
    assert ruling.witness is None
    assert sentence(ruling, ("Ada", "Bo")) == "Ada calls spit: illegal, not stuck."


def test_g8_the_call_changes_nothing() -> None:
    position = lay("2D/KD", "7H/KC", "8S/8H", reserves=NOW)
    assert after(position, "A call spit") == position
    assert rule(position, "A call spit").remedy is Remedy.IGNORED


def test_g8_nobody_is_accused_while_an_unread_card_might_fit() -> None:
    position = lay("2D/3D", "??", "8S/8H", reserves=NOW)
    assert reason(position, "A call spit") == "undecided"
    position = after(position, "A call spit")
    assert reason(position, "A spit 4C AR C1") == "undecided"
    # Stuck or not, that is the other player's pile.
    assert reason(position, "A spit 4C AR C2") == "wrong_pile"
    assert reason(after(position, "A spit 4C AR C1"), "B spit 9D BR C2") != "not_stuck"


@pytest.mark.parametrize(
    ("card", "expected"), [("6C", "legal"), ("8C", "legal"), ("9C", "late"), ("2C", "not_adjacent")]
)
def test_g9_a_card_that_comes_second_is_judged_against_the_new_top(card: str, expected: str) -> None:
    position = after(lay(f"{card}/KH", "7H/KD", "8S/JH", reserves=NOW), "B play 7H B1 C1 @1.0")
    assert reason(position, f"A play {card} A1 C1 @1.2") == expected


@pytest.mark.parametrize(("t", "expected"), [("1.5", "late"), ("1.6", "not_adjacent")])
def test_g9_late_only_within_the_window(t: str, expected: str) -> None:
    position = after(lay("9C/KH", "7H/KD", "8S/JH", reserves=NOW), "B play 7H B1 C1 @1.0")
    assert reason(position, f"A play 9C A1 C1 @{t}") == expected


def test_g9_nobody_is_late_for_his_own_card() -> None:
    position = after(lay("9C/7H", "KD", "8S/JH", reserves=NOW), "A play 7H A2 C1 @1.0")
    assert reason(position, "A play 9C A1 C1 @1.2") == "not_adjacent"


@pytest.mark.parametrize("value", ["return_card", "lockout", "stands_if_unchallenged"])
def test_g9_the_late_card_just_goes_back(value: str) -> None:
    rules = f"house,illegal_play={value}"
    position = after(lay("9C/KH", "7H/KD", "8S/JH", rules=rules, reserves=NOW), "B play 7H B1 C1 @1.0")
    assert rule(position, "A play 9C A1 C1 @1.2").remedy is Remedy.RETURN_CARD
    position = after(position, "A play 9C A1 C1 @1.2", "A take_back 9C C1 A1 @1.9")
    assert phases(position) == ("play", "play")
    assert position.sides[Seat.A].locked_until is None


def test_g9_a_late_card_is_not_what_stops_a_stalemate_from_being_seen() -> None:
    before = after(lay("9C/KH", "7H/KD", "8S/2H", reserves=NOW), "B play 7H B1 C1 @1.0")
    late = after(before, "A play 9C A1 C1 @1.2")
    assert not stalemate(late)
    returned = after(late, "A take_back 9C C1 A1 @2.0")
    assert [one.kind for one in happenings(late, returned)] == ["stalemate"]
