"""Rules found only outside the three texts: adopted as a variant, or said not to be offered (X1 to X21)."""

from __future__ import annotations

import pytest

from referee.cards import DECK
from referee.rules import (
    PRESETS,
    Impossible,
    Phase,
    Remedy,
    build,
    law,
    parse_action,
    parse_ruleset,
    stalemate,
    start,
    step,
    stuck,
)
from referee.rules.layouts import LAYOUTS
from referee.rules.record import GameRecord, Line, parse_record, replay, write_record
from referee.rules.ruleset import KEYS, valid_values
from referee.simulate.match import Limits, play_match
from referee.table import Seat
from tests.rules.openings import opening, phases, redeal, worked_game
from tests.rules.table import after, do, lay, reason, rule

NOW = ("#3", "#4")


def test_outside_rules_are_the_law_of_no_preset() -> None:
    for x, value in (
        *(("same_rank_stack", False), ("same_rank_play", False), ("wrap", True), ("must_play", False)),
        *(("both_hands", False), ("illegal_play", "return_card"), ("double_empty", "slap_race")),
    ):
        assert {preset[x] for preset in PRESETS.values()} == {value}
    assert {law(f"X{number}").kind for number in range(1, 22)} == {"outside"}


STACK = "house,same_rank_stack=true"


def test_x1_equal_ranks_may_be_stacked_where_a_table_wants_it() -> None:
    plain = lay("9d7C/7D/6H", "KD", "8S/JH", reserves=NOW)
    assert reason(plain, "A stack 7C A1 A2") == "no_gap"
    position = lay("9d7C/7D/6H", "KD", "8S/JH", rules=STACK, reserves=NOW)
    assert reason(position, "A stack 6H A3 A2") == "no_gap"
    assert do(position, "A stack 7C A1 A2", "A turn_up 9D A1").ruling.legal


def test_x1_both_cards_lie_face_up_and_are_ones_own() -> None:
    position = lay("9d7C/7d/7h", "7S", "8S/JH", rules=STACK, reserves=NOW)
    assert reason(position, "A stack 7C A1 A2") == "no_gap"
    assert reason(position, "A stack 7D A2 A1") == "face_down"
    assert reason(position, "A stack 7C A1 B1") == "own_cards_only"


def test_x1_before_play_too() -> None:
    position = lay(
        *("9d7C/7D", "KD"),
        rules=STACK,
        reserves=("#10", "#11"),
        phases=("before_spit", "before_spit"),
        more="due=AB",
    )
    assert rule(position, "A stack 7C A1 A2").legal
    assert reason(after(position, "A stack 7C A1 A2"), "A fill 7C A2 A3") == "wrong_order"


def test_x1_a_stack_that_exposes_a_card_is_a_way_on() -> None:
    position = lay("4d7C/7D/2H/2S/KC", "KD", "TS/TH", rules=STACK, reserves=NOW)
    witness = stuck(position, Seat.A).witness
    assert str(witness) == "A stack 7C A1 A2"
    assert stalemate(lay("4d7C/7D/2H/2S/KC", "KD", "TS/TH", reserves=NOW))


@pytest.mark.parametrize(("value", "expected"), [("false", "not_adjacent"), ("true", "legal")])
def test_x2_doubles(value: str, expected: str) -> None:
    position = lay("8C", "KD", "8S/JH", rules=f"house,same_rank_play={value}", reserves=NOW)
    assert reason(position, "A play 8C A1 C1") == expected


def test_x2_doubles_keep_to_alternating_colours() -> None:
    rules = "house,same_rank_play=true,alternate_colours=true"
    position = lay("8C/8D", "KD", "8S/JH", rules=rules, reserves=NOW)
    assert reason(position, "A play 8C A1 C1") == "colour"
    assert rule(position, "A play 8D A2 C1").legal


@pytest.mark.parametrize(("card", "top", "with_ends"), [("AD", "KS", False), ("KD", "AS", False), ("QD", "KS", True)])
def test_x3_king_and_ace_apart(card: str, top: str, with_ends: bool) -> None:
    round_table = lay(card, "4D", f"{top}/6H", reserves=NOW)
    cut = lay(card, "4D", f"{top}/6H", rules="house,wrap=false", reserves=NOW)
    assert rule(round_table, f"A play {card} A1 C1").legal
    assert rule(cut, f"A play {card} A1 C1").legal is with_ends


def test_x4_who_can_play_must_so_nobody_agrees_to_pass() -> None:
    assert build("house", {"must_play": True}).mutual_pass == "refused"
    with pytest.raises(ValueError, match="must_play=true and mutual_pass=allowed"):
        build("house", {"must_play": True, "mutual_pass": "allowed"})
    position = lay("7C/2D", "KD", "8S/JH", rules="house,must_play=true", reserves=NOW)
    assert reason(position, "both call spit") == "not_stuck"


def test_x5_four_piles_are_a_layout_and_gaps_are_not_refilled_from_the_reserve() -> None:
    assert LAYOUTS["triangle4"].piles == (1, 2, 3, 4)
    position = lay("-/2D", "KD", "8S/JH", reserves=("3h4h", "#4"))
    assert reason(position, "A fill 4H AR A1") == "from_reserve"


def test_x6_four_single_cards_and_a_stack_of_eleven() -> None:
    sizes = parse_ruleset("house,layout=eleven_plus_four").deal_sizes(26)
    assert sorted(sizes.stock) == [1, 1, 1, 1, 11]
    assert sizes.reserve == 11


def test_x7_a_deck_for_each_player_is_another_game() -> None:
    with pytest.raises(Impossible, match="7C cannot"):
        do(opening(), "both call spit", "A spit 7C AR C1")


@pytest.mark.parametrize(("value", "expected"), [("false", "two_hands"), ("true", "legal")])
def test_x8_both_hands_if_the_table_agrees(value: str, expected: str) -> None:
    position = lay("7C/2D", "KD", "8S/JH", rules=f"house,both_hands={value}", reserves=NOW)
    assert reason(position, "A play 7C A1 C1 !two_hands") == expected


def test_x9_no_third_player_and_no_second_deck() -> None:
    with pytest.raises(ValueError, match="the seats are A and B"):
        parse_action("deal A:QH:- B:QD:- C:QS:-")
    assert len(DECK) == 52


def test_x10_the_hand_alone_claims_a_pile() -> None:
    position = after(lay("7C", "9H/KD", "8S/JH", reserves=NOW), "A play 7C A1 C1")
    assert reason(position, "A call spit") == "wrong_order"
    position = after(position, "A call spit", "B slap C2")
    assert position.claims is not None
    assert position.claims.piles == (0, 1)


@pytest.mark.parametrize(("value", "expected"), [("allowed", "legal"), ("refused", "not_stuck")])
def test_x11_a_spit_that_both_want(value: str, expected: str) -> None:
    position = lay("7C/2D", "KD", "8S/JH", rules=f"house,mutual_pass={value}", reserves=NOW)
    assert reason(position, "both call spit") == expected
    assert reason(position, "A call spit") == "not_stuck"


@pytest.mark.parametrize(("b", "winner"), [("2C/KC", Seat.A), ("2C", None)])
def test_x12_fewer_cards_win_and_equal_counts_are_a_draw(b: str, winner: Seat | None) -> None:
    rules = "house,double_empty=fewer_cards_wins"
    position = after(lay("7C/2D", b, "8S/8H", rules=rules), "A play 7C A1 C1")
    assert position.result is not None
    assert (position.result.winner, position.result.reason) == (winner, "fewer_cards")


def test_x13_only_the_finisher_may_claim_unhurried() -> None:
    rules = "house,pile_claim=finisher_choice"
    position = after(lay("7C", "9H/KD", "8S/JH", rules=rules, reserves=NOW), "A play 7C A1 C1")
    position = after(position, "B slap C2 @1.0")
    assert position.claims is not None
    assert position.claims.piles == (None, None)
    assert rule(position, "A slap C2 @9.0").legal


def test_x14_nobody_borrows_a_card_for_a_second_pile() -> None:
    position = lay("2D/KD", "2H/KH", "-/8S", reserves=("-", "3h4h"))
    assert reason(position, "A spit 4H BR C1") == "own_cards_only"
    assert reason(after(position, "B call spit"), "B spit 4H BR C1") == "wrong_pile"


def test_x15_actions_in_order_each_accepted_or_refused_with_a_reason() -> None:
    position = lay("7C/2D", "7H/KD", "8S/JH", reserves=NOW)
    first = step(position, parse_action("A play 7C A1 C1"))
    second = step(first.position, parse_action("B play 7H B1 C1"))
    assert (first.ruling.legal, second.ruling.legal) == (True, False)
    assert second.ruling.reason is not None
    assert reason(position, "A spit ?? AR C1") == "not_stuck"
    assert reason(position, "A slap C1") == "early_slap"


def test_x15_the_log_replays_the_game_with_all_52_cards_accounted_for() -> None:
    positions = [done.after for done in replay(worked_game())]
    assert all(position.defects() == () for position in positions)
    assert positions == [done.after for done in replay(worked_game())]


def test_x15_a_log_of_unseen_cards_is_read_as_it_was_written() -> None:
    unseen = step(start(build()), redeal(start(build())))
    lines = (Line(unseen.ruling.action, "legal"), Line(parse_action("A spit 8S AR C1 @2.5"), "legal"))
    record = GameRecord(build(), start(build()), ("Ada", "Bo"), lines)
    read = parse_record(write_record(record))
    assert [line.action for line in read.lines] == [line.action for line in lines]


def test_x15_an_unread_card_leaves_the_ledger_sound() -> None:
    second_deal = next(done.before for done in replay(worked_game()) if done.before.sides[0].phase is Phase.REDEAL)
    position = step(second_deal, redeal(second_deal)).position
    position = after(position, "both call spit", "A spit ?? AR C1", "B spit ?? BR C2", "A play ?? A1 C1")
    assert position.defects() == ()


def test_x15_a_layout_dealt_anew_owes_nothing() -> None:
    position = after(opening(), "A stack QD A2 A1", "deal A:xx/xxxx/xxxxxx/xxxxxxxx/xxxxxxxxxx:#11")
    assert position.owed == ()


def test_x16_a_lock_out_after_an_illegal_play() -> None:
    rules = "house,illegal_play=lockout"
    before = lay("7C/2D", "9H/KD", "8S/JH", rules=rules, reserves=NOW)
    assert rule(before, "A play 2D A2 C1 @1.0").remedy is Remedy.LOCKOUT
    position = after(before, "A play 2D A2 C1 @1.0", "A take_back 2D C1 A2 @1.8")
    assert reason(position, "A play 7C A1 C1 @10.9") == "wrong_order"
    assert rule(position, "A play 7C A1 C1 @11.0").legal
    assert rule(position, "B play 9H B1 C1 @2.0").legal


def test_x16_ten_seconds_unless_the_table_says_otherwise() -> None:
    assert build().lockout_seconds == 10.0
    assert build("house", {"lockout_seconds": "15"}).lockout_seconds == 15.0


def test_x17_speed_is_not_among_the_layouts() -> None:
    assert {plan.full + plan.hand for plan in LAYOUTS.values()} == {15, 10, 20}
    assert all(plan.piles for plan in LAYOUTS.values())
    assert not any("joker" in key or "announce" in key for key in KEYS)
    assert "speed" not in {value for key in KEYS for value in valid_values(key)} | set(PRESETS)


@pytest.mark.parametrize("preset", PRESETS)
def test_x18_a_reserve_never_feeds_the_opponents_pile(preset: str) -> None:
    position = lay("2D/KD", "2C/KC", "8S/8H", rules=preset, reserves=("-", "#4"))
    position = after(position, "B call spit")
    assert reason(position, "B spit 5D BR C1") == "wrong_pile"
    top = position.top(0)
    position = after(position, "B spit 5D BR C2")
    assert position.top(0) is top
    assert phases(position) == ("play", "play")


@pytest.mark.parametrize(
    ("stock", "is_stuck"),
    [("2D/KD", True), ("2D/4dKD", False), ("2D/KD/3C/4C/4dQC", True), ("2D/4d", False)],
)
def test_x19_stuck_only_if_no_further_card_can_be_turned_up(stock: str, is_stuck: bool) -> None:
    assert stuck(lay(stock, "2C/KC", "8S/8H", reserves=NOW), Seat.A).stuck is is_stuck


def test_x20_a_card_just_played_may_be_played_upon_at_once() -> None:
    position = lay("7C/2D", "6H/KD", "8S/JH", reserves=NOW)
    assert do(position, "A play 7C A1 C1 @1.0", "B play 6H B1 C1 @1.0").ruling.legal


def test_x21_once_the_opponent_has_replied_an_illegal_card_stands() -> None:
    rules = "house,illegal_play=stands_if_unchallenged"
    position = after(lay("7C/2D", "TH/KD", "8S/JH", rules=rules, reserves=NOW), "A play 2D A2 C1")
    assert rule(position, "A take_back 2D C1 A2").correction
    replied = after(position, "B play TH B1 C2")
    assert reason(replied, "A take_back 2D C1 A2") == "taken_back"
    # His own next play is no reply.
    own = lay("7C/2D/QD", "TH/KD", "8S/JH", rules=rules, reserves=NOW)
    own = after(own, "A play 2D A2 C1", "A play QD A3 C2")
    assert rule(own, "A take_back 2D C1 A2").correction


@pytest.mark.parametrize("rules", ["house,same_rank_stack=true,same_rank_play=true,wrap=false", STACK])
def test_x15_matches_under_outside_rules_keep_all_52_cards(rules: str) -> None:
    record = play_match(parse_ruleset(rules), 5, limits=Limits(actions=150))
    assert all(done.after.defects() == () for done in replay(record))
    assert len(record.lines) >= 100
