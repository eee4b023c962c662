"""The Polish text: dealing, spitting and playing (PL-1 to PL-16)."""

from __future__ import annotations

import pytest

from referee.cards import DECK
from referee.rules import Impossible, Remedy, parse_action, parse_ruleset, start
from referee.rules.telling import tell_key
from referee.table import Seat
from tests.rules.openings import DEAL, TOPS_DOWN, opening, phases
from tests.rules.table import after, do, lay, reason, rule


@pytest.mark.parametrize("name", ["spit", "speed", "slam"])
def test_pl_1_the_other_names_of_the_game_can_be_the_call(name: str) -> None:
    rules = parse_ruleset(f"pl,call_word={name}")
    assert f"'{name}'" in tell_key(rules, "call_word").text
    assert rule(opening(str(rules)), "both call spit").legal


def test_pl_2_two_players_sit_at_the_table() -> None:
    assert [seat.name for seat in Seat] == ["A", "B"]
    with pytest.raises(ValueError, match="the seats are A and B"):
        parse_action("C play 7C A1 C1")


def test_pl_3_one_pack_of_52() -> None:
    cards = [card for _, _, pile in opening("pl").places() for card in pile]
    assert sorted(cards, key=DECK.index) == list(DECK)


def test_pl_3_ace_is_high_and_two_is_low() -> None:
    assert rule(lay("AD", "9H", "KS/JH", rules="pl"), "A play AD A1 C1").legal
    assert reason(lay("2D", "9H", "KS/JH", rules="pl"), "A play 2D A1 C1") == "not_adjacent"


def test_pl_4_who_is_rid_of_all_cards_has_won() -> None:
    won = after(lay("7C", "9H", "-/8S", rules="pl", reserves=("-", "#3")), "A play 7C A1 C2")
    assert won.result is not None
    assert won.result.winner is Seat.A


def test_pl_5_each_player_has_26_cards() -> None:
    position = start(parse_ruleset("pl"))
    assert [len(side.gathered) for side in position.sides] == [26, 26]
    with pytest.raises(Impossible, match="25"):
        do(position, "deal A:xx/xxxx/xxxxxx/xxxxxxxx/xxxxxxxxxx:#10")


def test_pl_6_five_stock_piles_with_their_tops_up_before_any_spit() -> None:
    position = opening("pl")
    for side in position.sides:
        assert [len(pile) for pile in side.stock] == [1, 2, 3, 4, 5]
        assert [[one.up for one in pile] for pile in side.stock] == [[False] * depth + [True] for depth in range(5)]


def test_pl_6_tops_laid_face_down_are_turned_up_before_the_spit() -> None:
    position = opening("pl", TOPS_DOWN)
    assert rule(position, "A turn_up 7C A1").legal
    assert reason(opening("pt", TOPS_DOWN), "A turn_up 7C A1") == "wrong_order"


def test_pl_6_no_card_but_the_top_is_shown() -> None:
    wrong = DEAL.replace("jcQD", "JCQD")
    assert reason(start(parse_ruleset("pl")), wrong) == "wrong_order"


def test_pl_7_nobody_looks_at_the_eleven_reserve_cards() -> None:
    position = opening("pl")
    assert [len(side.reserve) for side in position.sides] == [11, 11]
    ruling = rule(position, "A turn_up 8S AR")
    assert ruling.reason is not None
    assert (ruling.reason.value, ruling.remedy) == ("from_reserve", Remedy.WARNING)
    assert "PL-7" in ruling.rules


def test_pl_8_two_spit_cards_are_the_centre_piles() -> None:
    position = after(opening("pl"), "both call spit", "A spit 8S AR C1")
    assert reason(position, "A play 7C A1 C1") == "wrong_order"
    position = after(position, "B spit JH BR C2")
    assert [len(pile) for pile in position.centre] == [1, 1]
    assert rule(position, "A play 7C A1 C1").legal


def test_pl_8_a_spit_card_starts_its_owners_pile() -> None:
    position = after(opening("pl"), "both call spit")
    assert reason(position, "A spit 8S AR C2") == "wrong_pile"
    assert reason(position, "A spit JH BR C2") == "own_cards_only"


@pytest.mark.parametrize("fault", ["two_cards", "two_hands"])
def test_pl_9_one_hand_and_one_card_at_a_time(fault: str) -> None:
    position = lay("7C/9H", "KD", "8S/JH", rules="pl", reserves=("#3", "#4"))
    ruling = rule(position, f"A play 7C A1 C1 !{fault}")
    assert ruling.reason is not None
    assert ruling.reason.value == fault
    assert "PL-9" in ruling.rules
    assert rule(position, "A play 7C A1 C1").legal


def test_pl_9_nobody_waits_for_the_other() -> None:
    position = lay("7C/6C/5C", "KD", "8S/JH", rules="pl", reserves=("#3", "#4"))
    assert do(position, "A play 7C A1 C1", "A play 6C A2 C1", "A play 5C A3 C1").ruling.legal


@pytest.mark.parametrize("card", ["7C", "7D", "7H", "9C", "9D", "9S"])
def test_pl_10_next_rank_up_or_down_whatever_the_suit(card: str) -> None:
    assert rule(lay(card, "KD", "8S/JH", rules="pl", reserves=("#3", "#4")), f"A play {card} A1 C1").legal


@pytest.mark.parametrize("card", ["8D", "6C", "TH", "KS"])
def test_pl_10_no_other_rank(card: str) -> None:
    assert reason(lay(card, "2D", "8S/4H", rules="pl"), f"A play {card} A1 C1") == "not_adjacent"


def test_pl_10_the_round_is_for_the_stock_cards() -> None:
    position = after(lay("7C", "9H/KD", "8S/JH", rules="pl", reserves=("#3", "#4")), "A play 7C A1 C1")
    assert position.round_end is not None
    assert position.round_end.winner is Seat.A
    assert position.result is None


@pytest.mark.parametrize(
    ("card", "top", "fits"),
    [("KD", "AS", True), ("2D", "AS", True), ("AD", "KS", True), ("AD", "2S", True), ("QD", "AS", False)],
)
def test_pl_11_king_and_two_go_on_an_ace(card: str, top: str, fits: bool) -> None:
    position = lay(f"{card}/4C", "9H", f"{top}/6H", rules="pl", reserves=("#3", "#4"))
    assert rule(position, f"A play {card} A1 C1").legal is fits


def test_pl_12_the_next_card_may_be_turned_up_or_left() -> None:
    position = after(lay("9d7C/8D", "KD", "8S/JH", rules="pl", reserves=("#3", "#4")), "A play 7C A1 C1")
    assert rule(position, "A turn_up 9D A1").legal
    assert rule(position, "A play 8D A2 C1").legal


def test_pl_12_a_card_not_turned_up_cannot_be_played() -> None:
    position = lay("6d7C", "KD", "8S/JH", rules="pl", reserves=("#3", "#4"))
    assert reason(after(position, "A play 7C A1 C1"), "A play 6D A1 C1") == "face_down"


def test_pl_13_a_face_up_card_fills_a_gap_and_the_next_may_be_turned_up() -> None:
    position = lay("7C/9d2D", "KD", "8S/JH", rules="pl", reserves=("#3", "#4"))
    assert reason(position, "A stack 2D A2 A1") == "no_gap"
    position = after(position, "A play 7C A1 C1", "A fill 2D A2 A1")
    assert rule(position, "A turn_up 9D A2").legal


def test_pl_13_a_face_down_card_fills_no_gap() -> None:
    position = lay("-/2d9d/3D", "KD", "8S/JH", rules="pl", reserves=("#3", "#4"))
    assert reason(position, "A fill 9D A2 A1") == "face_down"


def test_pl_13_a_place_never_dealt_is_no_gap_where_the_text_is_taken_at_its_word() -> None:
    strict = "pl,gap_from_short_deal=false"
    position = lay("7C/9d2D/3D", "KD", "8S/JH", rules=strict, reserves=("-", "#4"), sides=(";slots=3", ""))
    assert reason(position, "A fill 3D A3 A4") == "no_gap"
    assert rule(after(position, "A play 7C A1 C1"), "A fill 3D A3 A1").legal


def test_pl_14_there_is_no_sixth_stock_pile() -> None:
    with pytest.raises(ValueError, match="there is no zone 'A6'"):
        parse_action("A fill 2D A2 A6")
    with pytest.raises(Impossible, match="cannot deal 6 stock piles"):
        do(start(parse_ruleset("pl")), "deal A:xx/xxxx/xxxxxx/xxxxxxxx/xxxxxxxxxx/xx:#10")


def test_pl_15_the_card_that_touched_first_is_played() -> None:
    position = lay("7C/KH", "7H/KD", "8S/JH", rules="pl", reserves=("#3", "#4"))
    position = after(position, "B play 7H B1 C1 @1.000")
    ruling = rule(position, "A play 7C A1 C1 @1.001")
    assert ruling.reason is not None
    assert (ruling.reason.value, ruling.remedy) == ("late", Remedy.RETURN_CARD)
    assert "PL-15" in ruling.rules


def test_pl_16_a_card_played_cannot_be_removed() -> None:
    position = after(lay("7C/KH", "7H/KD", "8S/JH", rules="pl", reserves=("#3", "#4")), "A play 7C A1 C1")
    ruling = rule(position, "A take_back 7C C1 A1")
    assert ruling.reason is not None
    assert ruling.reason.value == "taken_back"
    assert "PL-16" in ruling.rules
    position = after(position, "A take_back 7C C1 A1")
    assert str(position.owed[0].back_to) == "C1"
    assert phases(position) == ("play", "play")
