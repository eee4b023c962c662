"""What no text answers: handling, spitting, misdeals, piles and the hand variants (G10 to G18)."""

from __future__ import annotations

import json

import pytest

from referee.rules import Position, Reason, Remedy, parse_ruleset, stalemate, start, step
from referee.rules.contract import read_events
from referee.rules.layouts import LAYOUTS
from referee.rules.record import replay
from referee.table import Seat
from tests.rules.openings import phases, redeal
from tests.rules.table import after, lay, reason, rule

NOW = ("#3", "#4")


@pytest.mark.parametrize("action", ["A touch B1", "A touch BR", "A touch C1", "A turn_up 3H AR"])
def test_g10_touching_and_peeking_are_only_warned_of(action: str) -> None:
    rules = "house,illegal_play=lockout"
    position = lay("7C", "9H/KD", "8S/JH", rules=rules, reserves=("2h3h", "#4"))
    ruling = rule(position, action)
    assert not ruling.legal
    assert ruling.remedy is Remedy.WARNING
    assert after(position, action) == position


def test_g10_ones_own_cards_may_be_touched() -> None:
    assert rule(lay("7C", "9H", "8S/JH", reserves=NOW), "A touch A1").legal


@pytest.mark.parametrize("fault", ["two_cards", "two_hands"])
def test_g10_the_wrong_hand_is_never_punished(fault: str) -> None:
    position = lay("7C/2D", "9H/KD", "8S/JH", rules="house,illegal_play=lockout", reserves=NOW)
    action = f"A play 7C A1 C1 @1.0 !{fault}"
    ruling = rule(position, action)
    assert ruling.reason is not None
    assert (ruling.reason.value, ruling.remedy) == (fault, Remedy.WARNING)
    position = after(position, action)
    assert position.sides[Seat.A].locked_until is None
    assert not any(debt.binding for debt in position.owed)
    assert rule(position, "A play 2D A2 C1").reason is Reason.NOT_ADJACENT
    assert rule(position, "A take_back 7C C1 A1").correction


@pytest.mark.parametrize(("fault", "expected"), [("two_hands", "legal"), ("two_cards", "two_cards")])
def test_g10_both_hands_may_be_allowed_but_never_two_cards(fault: str, expected: str) -> None:
    position = lay("7C/2D", "9H/KD", "8S/JH", rules="house,both_hands=true", reserves=NOW)
    assert reason(position, f"A play 7C A1 C1 !{fault}") == expected


@pytest.mark.parametrize(("freeze", "expected"), [("true", "wrong_order"), ("false", "legal")])
def test_g11_no_play_counts_between_the_call_and_the_spit_cards(freeze: str, expected: str) -> None:
    rules = f"house,spit_freeze={freeze}"
    position = after(lay("2D/7D", "2C/KC", "TS/TH", rules=rules, reserves=("3h8h", "#4")), "both call spit")
    position = after(position, "A spit 8H AR C1")
    assert reason(position, "A play 7D A2 C1") == expected
    assert rule(after(position, "B spit 5D BR C2"), "A play 7D A2 C1").legal


def test_g11_a_gap_is_not_filled_meanwhile_either() -> None:
    position = after(lay("2D/7D", "2C/KC", "TS/TH", reserves=NOW), "both call spit")
    assert reason(position, "A fill 2D A1 A4") == "wrong_order"


def lone() -> Position:
    return lay("2D/KD", "2H/KH", "8S/8H", reserves=("-", "#4"))


def test_g12_who_spits_alone_may_decline_and_both_take_a_pile() -> None:
    for actions in (("B call pass",), ("B call spit", "B call pass")):
        position = after(lone(), *actions)
        assert position.round_end is not None
        assert position.round_end.reason == "passed"
        assert phases(position) == ("claim", "claim")


def test_g12_nobody_else_can_decline() -> None:
    assert reason(lone(), "A call pass") == "wrong_order"
    both = lay("2D/KD", "2H/KH", "8S/8H", reserves=NOW)
    assert reason(both, "A call pass") == "wrong_order"


def test_g12_there_are_some_seconds_to_decide() -> None:
    assert lone().rules.lone_spit_seconds == 5.0
    assert stalemate(lone())


def test_g13_a_disturbed_table_leaves_the_ledger_as_it_was() -> None:
    sizes = {"stock": [1, 2, 3, 4, 5], "reserve": 11}
    told = [
        {"kind": "header", "ruleset": "house"},
        {"kind": "event", "t": 0.0, "action": "deal", "round": 1, "sizes": {"A": sizes, "B": sizes}},
        {"kind": "event", "t": 1.0, "action": "call", "seat": "both", "word": "spit"},
        {"kind": "event", "t": 1.5, "action": "disturbed", "what": "cards swept"},
        {"kind": "event", "t": 2.0, "action": "spit", "seat": "A", "card": "8S", "from": "AR", "to": "C1"},
    ]
    disturbed = list(replay(read_events("\n".join(map(json.dumps, told)))))
    calm = list(replay(read_events("\n".join(map(json.dumps, told[:3] + told[4:])))))
    assert len(disturbed) == 3
    assert disturbed[-1].after == calm[-1].after


def equal_piles(rules: str = "house") -> Position:
    filler = ",".join(["??"] * 20)
    position = lay("7C", "9H/KD", f"8S/{filler},4S,JH", rules=rules, reserves=("#3", "#3"))
    position = after(position, "A play 7C A1 C1")
    assert [len(pile) for pile in position.centre] == [22, 22]
    return position


def test_g14_with_equal_piles_the_finisher_chooses() -> None:
    position = equal_piles()
    assert not rule(position, "B slap C1").legal
    assert rule(after(position, "A slap C1"), "B claim C2").legal


def test_g14_where_the_finisher_chooses_anyway_equal_piles_change_nothing() -> None:
    position = equal_piles("sv")
    assert not rule(position, "B slap C1").legal
    assert rule(position, "A slap C1").legal


def claimed(rules: str = "house") -> Position:
    position = lay("7C", "9H/KD", "8S/JH", rules=rules, reserves=("#7", "#4"))
    return after(position, "A play 7C A1 C1", "A slap C2", "B slap C1", "A claim C2", "B claim C1")


@pytest.mark.parametrize(
    "deal", ["deal A:??/xx??/xx??/xx??/??:-", "deal A:??/xx??/xxxx??:xxxx", "deal A:??/xxxx??/xx??/xx??:-"]
)
def test_g15_a_misdeal_is_seen_from_the_counts(deal: str) -> None:
    ruling = rule(claimed(), deal)
    assert not ruling.legal
    assert "G15" in ruling.rules


def test_g15_and_can_be_put_right() -> None:
    position = after(claimed(), "deal A:??/xxxx??/xx??/xx??:-")
    assert rule(position, "deal A:??/xx??/xxxx??/xx??:-").legal
    position = after(position, "deal A:??/xx??/xxxx??/xx??:-")
    assert [len(pile) for pile in position.sides[Seat.A].stock] == [1, 2, 3, 2, 0]


def test_g15_a_sound_layout_is_not_dealt_again() -> None:
    position = after(claimed(), "deal A:??/xx??/xxxx??/xx??:-")
    assert reason(position, "deal A:??/xx??/xxxx??/xx??:-") == "wrong_order"


def test_g15_the_first_deal_of_the_single_pile_game_can_be_put_right_too() -> None:
    position = after(start(parse_ruleset(HANDS)), f"deal A:{'xx' * 11}:#15")
    assert rule(position, f"deal A:{'xx' * 10}:#16").legal


@pytest.mark.parametrize(("taking", "taker"), [("takes_nothing", "B"), ("takes_pile", "A")])
def test_g16_when_both_slap_the_only_pile_the_law_decides(taking: str, taker: str) -> None:
    rules = f"house,one_pile_finish={taking}"
    position = after(lay("7C", "9H/KD", "8S/-", rules=rules, reserves=("#3", "-")), "A play 7C A1 C1")
    other = "B" if taker == "A" else "A"
    assert not rule(position, f"{other} slap C1").legal
    position = after(position, f"{other} slap C1")
    assert rule(position, f"{taker} slap C1").legal
    assert rule(position, f"{taker} claim C1").legal


def lone_redeal() -> Position:
    return after(lay("7C", "TD/9D/3D", "8S/JH", rules="pt", reserves=("#30", "#4")), "A play 7C A1 C1", "A claim C1")


def test_g17_the_other_plays_on_with_one_pile_while_the_finisher_deals() -> None:
    position = lone_redeal()
    assert phases(position) == ("redeal", "play")
    assert position.open_piles == (1,)
    assert rule(position, "B play TD B1 C2").legal
    assert reason(position, "B play TD B1 C1") == "wrong_pile"
    assert reason(position, "B call spit") == "wrong_order"


def test_g17_until_the_finisher_spits() -> None:
    position = after(lone_redeal(), "B play TD B1 C2")
    position = step(position, redeal(position)).position
    assert phases(position) == ("before_spit", "play")
    assert rule(position, "B play 9D B2 C2").legal
    position = after(position, "A call spit", "B play 9D B2 C2", "A spit 4C AR C1")
    assert phases(position) == ("play", "play")
    assert position.open_piles == (0, 1)
    assert rule(position, "B play 3D B3 C1").legal


def test_g17_the_finishers_right_to_the_pile_under_his_hand_outlasts_a_second_clear() -> None:
    position = lay("7C", "TC", "8S/JH", rules="pt", reserves=NOW)
    position = after(position, "A play 7C A1 C1", "A slap C1", "B play TC B1 C2", "B slap C1")
    assert reason(position, "B claim C1") == "wrong_pile"
    assert rule(position, "A claim C1").legal
    assert rule(position, "B claim C2").legal


def test_g17_who_has_dealt_and_spat_does_not_wait_for_the_other_to_deal() -> None:
    position = after(lay("7C", "TD", "8S/JH", rules="pt", reserves=("#30", "#4")), "A play 7C A1 C1", "A claim C1")
    position = step(position, redeal(position)).position
    position = after(position, "B play TD B1 C2", "B claim C2", "A call spit", "A spit 4C AR C1")
    assert phases(position) == ("play", "redeal")
    assert rule(position, "A play 5C A3 C1").legal
    position = step(after(position, "A play 5C A3 C1"), redeal(position)).position
    assert position.open_piles == (0,)


HANDS = "pt,layout=single10_hand"


def test_g18_a_hand_of_five_is_drawn_and_filled_up() -> None:
    assert LAYOUTS["single10_hand"].hand == LAYOUTS["hand5"].hand == 5
    position = lay("7C", "TC", "8S/JH", rules=HANDS, reserves=("2h3h", "#4"), sides=(";hand=7d6d5d4d3d", ";hand=qd"))
    position = after(position, "A play 7D AH C1")
    side = position.sides[Seat.A]
    assert [str(card) for card in side.hand] == ["6D", "5D", "4D", "3D", "3H"]
    assert len(side.reserve) == 1


def test_g18_piles_are_reshuffled_when_both_are_stuck_without_reserves() -> None:
    position = lay("2C", "2H", "9S,8S/TH,JH", rules=HANDS, sides=(";hand=7d4d", ";hand=4h"))
    position = after(position, "A play 7D AH C1")
    assert phases(position) == ("claim", "claim")
    position = after(position, "A slap C2", "A claim C2", "B claim C1")
    assert [str(position.top(index)) for index in (0, 1)] == ["7D", "JH"]
    assert [str(card) for card in position.sides[Seat.A].gathered] == ["TH"]
    position = after(position, "deal A::th")
    assert [str(card) for card in position.sides[Seat.A].reserve] == ["TH"]


def test_g18_not_while_one_of_them_can_play_from_the_hand() -> None:
    position = lay("2C", "2H", "9S,8S/TH,JH", rules=HANDS, sides=(";hand=7d4d", ";hand=6h"))
    assert phases(after(position, "A play 7D AH C1")) == ("play", "play")


def test_g18_a_reserve_left_over_stays_with_its_player() -> None:
    hands = (";hand=7d4d", ";hand=4h4c3c3s3h")
    position = lay("2C", "2H", "9S,8S/TH,JH", rules=HANDS, reserves=("-", "5h5s"), sides=hands)
    position = after(position, "A play 7D AH C1", "B call pass")
    assert phases(position) == ("claim", "claim")
    position = after(position, "B slap C2", "B claim C2", "A claim C1", "deal B::#3")
    assert len(position.sides[Seat.B].reserve) == 2 + 1


@pytest.mark.parametrize("fault", ["two_cards", "two_hands"])
@pytest.mark.parametrize(("penalty", "remedy"), [("return_card", Remedy.RETURN_CARD), ("lockout", Remedy.LOCKOUT)])
def test_g10_a_card_that_was_wrong_besides_goes_back_like_any_other(fault: str, penalty: str, remedy: Remedy) -> None:
    position = lay("KC/2D", "9H/KD", "8S/JH", rules=f"house,illegal_play={penalty}", reserves=NOW)
    ruling = rule(position, f"A play KC A1 C1 @1.0 !{fault}")
    assert ruling.reason is not None
    assert (ruling.reason.value, ruling.remedy) == (fault, remedy)
    assert ruling.text.startswith("A plays K♣ on C1: illegal, ")
    owed = after(position, f"A play KC A1 C1 @1.0 !{fault}").owed
    assert [debt.binding for debt in owed] == [True]


def test_g10_two_wrong_cards_thrown_in_at_once_clear_no_layout() -> None:
    wrong = after(lay("KC/2D", "9H/KD", "8S/JH"), "A play KC A1 C1 !two_cards", "A play 2D A2 C1 !two_cards")
    assert phases(wrong) == ("play", "play")
    fitting = after(lay("7C/6D", "9H/KD", "8S/JH"), "A play 7C A1 C1 !two_cards", "A play 6D A2 C1 !two_cards")
    assert fitting.result is not None
    assert fitting.result.winner is Seat.A


def test_g10_two_spit_cards_at_once_before_the_time_go_back() -> None:
    position = lay("7C/2D", "9H/KD", "8S/JH", reserves=("4c5c", "#4"))
    assert rule(position, "A spit 5C AR C1 !two_cards").remedy is Remedy.RETURN_CARD
    stuck_table = lay("KC/KD", "KH/4D", "8S/JH", reserves=("4c5c", "#4"))
    assert rule(stuck_table, "A spit 5C AR C1 !two_cards").remedy is Remedy.WARNING
    assert rule(stuck_table, "A spit 5C AR C1 !two_hands").legal


def test_g6_a_card_nobody_could_read_settles_no_debt() -> None:
    position = after(lay("KC/??", "9H/KD", "8S/JH", reserves=NOW), "A play KC A1 C1")
    unread = after(position, "A play ?? A2 C1")
    assert [debt.card.text for debt in unread.owed] == ["KC"]
