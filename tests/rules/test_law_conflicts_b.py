"""Contradictions between the texts and the option that settles each (C19 to C35)."""

from __future__ import annotations

import pytest

from referee.cards import Card
from referee.rules import PRESETS, Remedy, build, law, parse_ruleset, stalemate, step
from referee.rules.telling import tell_key
from referee.table import Seat
from tests.rules.openings import TOPS_DOWN, opening, phases, redeal
from tests.rules.table import after, do, lay, reason, rule

NOW = ("#3", "#4")


@pytest.mark.parametrize("preset", PRESETS)
def test_c19_one_pile_and_no_reserve_wins_under_every_law(preset: str) -> None:
    for win_when in ("no_cards_left", "only_in_one_pile_round"):
        rules = f"{preset},win_when={win_when}"
        position = after(lay("7C", "9H/KD", "-/8S", rules=rules, reserves=("-", "#4")), "A play 7C A1 C2")
        assert position.result is not None
        assert (position.result.winner, position.result.reason) == (Seat.A, "no_cards")


@pytest.mark.parametrize("preset", ["house", "pt-both", "pl", "sv"])
def test_c20_the_losers_leftovers_are_added_to_his_pile(preset: str) -> None:
    position = after(lay("7C", "9H/kdKC", "8S/JH", rules=preset, reserves=("#3", "2h3h")), "A play 7C A1 C1")
    position = after(position, "A slap C1", "A claim C1", "B claim C2")
    assert {str(card) for card in position.sides[Seat.B].gathered} == {"9H", "KD", "KC", "2H", "3H", "JH"}


def test_c20_the_loser_alone_keeps_his_under_finisher_only() -> None:
    position = after(lay("7C", "9H/KD", "8S/JH", rules="pt", reserves=NOW), "A play 7C A1 C1", "A claim C1")
    assert position.sides[Seat.B].gathered == ()
    assert position.sides[Seat.B].stock_count == 2


@pytest.mark.parametrize("preset", PRESETS)
def test_c21_nobody_has_to_play(preset: str) -> None:
    position = lay("7C/2D", "9H/KD", "8S/JH", rules=preset, reserves=NOW)
    assert do(position, "B play 9H B1 C1").ruling.legal
    assert not parse_ruleset(preset).must_play


def test_c21_who_must_play_may_not_agree_to_spit() -> None:
    free = lay("7C/2D", "9H/KD", "8S/JH", reserves=NOW)
    bound = lay("7C/2D", "9H/KD", "8S/JH", rules="house,must_play=true", reserves=NOW)
    assert rule(free, "both call spit").legal
    assert reason(bound, "both call spit") == "not_stuck"


@pytest.mark.parametrize(
    ("preset", "must"), [("house", False), ("pt", False), ("pt-both", False), ("pl", False), ("sv", True)]
)
def test_c22_an_exposed_card_may_or_must_be_turned_up_first(preset: str, must: bool) -> None:
    position = lay("2d7C/9D", "KD", "8S/JH", rules=preset, reserves=NOW)
    position = after(position, "A play 7C A1 C1")
    ruling = rule(position, "A fill 9D A2 A3")
    assert ruling.legal is not must
    assert ("C22" in ruling.rules) is must


def test_c23_only_face_up_cards_fill_gaps_unless_the_table_takes_any() -> None:
    for source, expected in (("face_up", "face_down"), ("any", "legal")):
        position = lay("-/2d9d", "KD", "8S/JH", rules=f"house,gap_source={source}", reserves=NOW)
        assert reason(position, "A fill 9D A2 A1") == expected


def test_c23_a_card_that_fills_a_gap_face_down_stays_face_down() -> None:
    position = lay("-/2d9d", "KD", "8S/JH", rules="house,gap_source=any", reserves=NOW)
    position = after(position, "A fill 9D A2 A1")
    assert not position.sides[Seat.A].stock[0][-1].up
    assert rule(position, "A turn_up 9D A1").legal


@pytest.mark.parametrize(("value", "expected"), [("true", "legal"), ("false", "no_gap")])
def test_c23_places_left_by_a_short_deal(value: str, expected: str) -> None:
    rules = f"house,gap_from_short_deal={value}"
    position = after(lay("7C", "9H/KD", "8S/JH", rules=rules, reserves=NOW), "A play 7C A1 C1")
    position = after(position, "A slap C2", "A claim C2", "B claim C1")
    position = step(position, redeal(position)).position
    position = after(position, "B call spit", "B spit 3H BR C2", "A touch A1")
    assert [len(pile) for pile in position.sides[Seat.A].stock] == [1, 2, 1, 0, 0]
    assert reason(position, "A fill ?? A2 A4") == expected


@pytest.mark.parametrize(
    ("preset", "stock", "reserve"),
    [("pt", (1, 2, 3, 2), 0), ("pl", (1, 2, 3, 2), 0), ("house", (1, 2, 3, 2), 0), ("sv", (1, 2, 3), 2)],
)
def test_c24_a_short_layout_is_dealt_pile_after_pile(preset: str, stock: tuple[int, ...], reserve: int) -> None:
    sizes = parse_ruleset(preset).deal_sizes(8)
    assert (sizes.stock, sizes.reserve) == (stock, reserve)


def test_c24_a_row_wise_deal_is_no_deal() -> None:
    position = after(lay("7C", "9H/KD", "8S/JH", rules="pl", reserves=("#7", "#4")), "A play 7C A1 C1")
    position = after(position, "A slap C2", "B slap C1", "A claim C2", "B claim C1")
    ruling = rule(position, "deal A:??/xx??/xx??/xx??/??:-")
    assert not ruling.legal
    assert "C14" in ruling.rules


@pytest.mark.parametrize("preset", PRESETS)
def test_c25_every_law_is_for_two(preset: str) -> None:
    position = opening(preset, TOPS_DOWN)
    assert len(position.sides) == len(position.centre) == 2
    assert sum(side.held for side in position.sides) == 52


@pytest.mark.parametrize(
    ("preset", "contact"), [("house", "first_touch"), ("pl", "first_touch"), ("pt", "arrives_first")]
)
def test_c26_what_makes_a_card_played(preset: str, contact: str) -> None:
    rules = parse_ruleset(preset)
    assert rules.contact == contact
    assert ("touches" in tell_key(rules, "contact").text) is (contact == "first_touch")


def test_c26_either_way_the_order_decides() -> None:
    for preset in ("pl", "pt"):
        position = lay("7C/KH", "7H/KD", "8S/JH", rules=preset, reserves=NOW)
        assert reason(after(position, "B play 7H B1 C1 @1.0"), "A play 7C A1 C1 @1.1") == "late"


@pytest.mark.parametrize(
    ("preset", "place"), [("house", "table"), ("sv", "table"), ("pt", "hand"), ("pt-both", "hand"), ("pl", "hand")]
)
def test_c27_where_the_reserve_is(preset: str, place: str) -> None:
    assert parse_ruleset(preset).reserve_place == place


def test_c27_a_hand_to_play_from_leaves_no_hand_for_the_reserve() -> None:
    assert build("pt", {"layout": "hand5"}).reserve_place == "table"
    with pytest.raises(ValueError, match="layout=hand5 and reserve_place=hand do not go together"):
        build("pt", {"layout": "hand5", "reserve_place": "hand"})


@pytest.mark.parametrize("preset", PRESETS)
def test_c28_a_look_at_the_reserve_is_only_mentioned(preset: str) -> None:
    position = lay("7C", "9H/KD", "8S/JH", rules=f"{preset},illegal_play=lockout", reserves=("2h3h", "#4"))
    ruling = rule(position, "A turn_up 3H AR")
    assert ruling.remedy is Remedy.WARNING
    assert "C28" in ruling.rules
    assert after(position, "A turn_up 3H AR") == position


@pytest.mark.parametrize("preset", PRESETS)
def test_c29_no_preset_keeps_a_score(preset: str) -> None:
    assert parse_ruleset(preset).scoring == "none"


def test_c29_the_complex_hand_game_of_the_portuguese_text_is_scored_to_25() -> None:
    assert parse_ruleset("pt,layout=single10_hand").scoring == "gain_25"
    assert parse_ruleset("house,layout=single10_hand").scoring == "none"


@pytest.mark.parametrize(("scoring", "scores"), [("gain_25", [4, 0]), ("penalty_100", [0, 6]), ("none", [0, 0])])
def test_c29_the_winner_gains_or_everybody_pays(scoring: str, scores: list[int]) -> None:
    position = lay("7C", "9H/KD", "8S/JH", rules=f"pt,scoring={scoring}", reserves=("-", "#4"))
    position = after(position, "A play 7C A1 C1")
    assert [side.score for side in position.sides] == scores


@pytest.mark.parametrize(("count", "scores"), [("before_claim", [3, 6]), ("after_claim", [4, 48])])
def test_c30_counted_before_or_after_the_piles_are_taken(count: str, scores: list[int]) -> None:
    rules = f"pl,scoring=penalty_100,penalty_count={count}"
    position = after(lay("7C", "9H/KD", "8S/JH", rules=rules, reserves=NOW), "A play 7C A1 C1")
    position = after(position, "A slap C2", "B slap C1", "A claim C2", "B claim C1")
    assert [side.score for side in position.sides] == scores


def test_c31_nobody_has_a_turn_in_the_complex_hand_game() -> None:
    position = lay(
        *("7C", "TC", "8S/JH"),
        rules="pt,layout=single10_hand",
        reserves=NOW,
        sides=(";hand=6d5d", ";hand=qd"),
    )
    assert do(position, "A play 7C A1 C1", "A play 6D AH C1", "A play 5D AH C1").ruling.legal
    assert do(position, "A play 7C A1 C1", "B play QD BH C2", "A play 6D AH C1").ruling.legal


@pytest.mark.parametrize("word", ["spit", "speed", "spotta"])
def test_c32_the_word_changes_no_ruling(word: str) -> None:
    position = lay("2D/KD", "2C/KC", "8S/8H", rules=f"house,call_word={word}", reserves=NOW)
    plain = lay("2D/KD", "2C/KC", "8S/8H", reserves=NOW)
    for action in ("both call spit", "A play 2D A1 C1", "A spit ?? AR C1"):
        assert rule(position, action) == rule(plain, action)
    assert position.rules.call_word == word


@pytest.mark.parametrize("preset", PRESETS)
def test_c33_a_gap_move_that_exposes_a_card_is_a_way_on(preset: str) -> None:
    buried = lay("-/jd2D", "2C/KC", "8S/8H", rules=preset, reserves=NOW)
    single = lay("-/2D", "2C/KC", "8S/8H", rules=preset, reserves=NOW)
    assert not stalemate(buried)
    assert stalemate(single)


@pytest.mark.parametrize(("rule_key", "goes_on"), [("spit_alone", True), ("end_round", False)])
@pytest.mark.parametrize("preset", ["pl", "house"])
def test_c34_one_of_them_has_a_reserve(preset: str, rule_key: str, goes_on: bool) -> None:
    rules = f"{preset},one_empty_reserve={rule_key}"
    position = after(lay("7C/2D", "2C/KC", "8S/TH", rules=rules, reserves=("-", "#4")), "A play 7C A1 C1")
    if goes_on:
        assert phases(position) == ("play", "play")
        position = after(position, "B call spit")
        assert position.due == (Seat.B,)
        assert rule(position, "B spit 5D BR C2").legal
    else:
        assert position.round_end is not None
        assert position.round_end.reason == "no_reserve"
        assert phases(position) == ("claim", "claim")


@pytest.mark.parametrize("preset", PRESETS)
def test_c35_clearing_the_layout_ends_the_round_and_not_the_game_while_there_is_a_reserve(preset: str) -> None:
    position = after(lay("7C", "9H/KD", "8S/JH", rules=preset, reserves=NOW), "A play 7C A1 C1")
    assert position.round_end is not None
    assert position.round_end.winner is Seat.A
    assert position.result is None
    assert law("C35").keys == ("win_when",)
    assert Card("7C") in {entry.card for entry in position.centre[0]}
