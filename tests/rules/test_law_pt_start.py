"""The Portuguese rules PT-1 to PT-7: the aim, the cards, the deal and the start."""

from __future__ import annotations

from itertools import pairwise

import pytest

from referee.rules import Impossible, Phase, Position, build, parse_action, parse_position, start, step
from referee.rules.telling import tell_key
from referee.table import CENTRES, Seat
from tests.rules.table import after, do, lay, reason, rule

DOWN = "xx/xxxx/xxxxxx/xxxxxxxx/xxxxxxxxxx"
A_UP = "KC/xx2C/xxxx9C/xxxxxx4C/xxxxxxxx6C"
B_UP = "KD/xx2D/xxxx9D/xxxxxx4D/xxxxxxxx6D"


def dealt(rules: str) -> Position:
    """Both layouts on the table, tops up or down as the rules have it; 8S and JH on top of the reserves."""
    a, b = (DOWN, DOWN) if build(rules).reveal == "after_spit" else (A_UP, B_UP)
    return after(start(build(rules)), f"deal A:{a}:{'xx' * 10}8s B:{b}:{'xx' * 10}jh")


def test_pt_1_who_first_gets_every_card_onto_the_centre_piles_wins() -> None:
    last_card = lay("9C", "2D/3D", "8S/JH", rules="pt", reserves=("-", "#3"))
    won = after(last_card, "A play 9C A1 C1")
    assert won.result is not None
    assert (won.result.winner, won.result.reason) == (Seat.A, "no_cards")
    assert not won.sides[Seat.A].held


def test_pt_1_the_reserve_has_to_go_too() -> None:
    with_reserve = lay("9C", "2D/3D", "8S/JH", rules="pt", reserves=("#1", "#3"))
    assert after(with_reserve, "A play 9C A1 C1").result is None


def test_pt_1_nobody_waits_for_a_turn() -> None:
    table = lay("9C/TC/KC", "QD/KD/2D", "8S/JH", rules="pt", reserves=("#3", "#3"))
    for action in ("A play 9C A1 C1", "A play TC A2 C1", "B play QD B1 C2", "B play KD B2 C2"):
        done = do(table, action)
        assert done.ruling.legal, done.ruling.text
        table = done.position


@pytest.mark.parametrize(("low", "high"), list(pairwise("A23456789TJQK")))
def test_pt_2_the_ranks_go_from_the_ace_up_to_the_king(low: str, high: str) -> None:
    straight = "pt,wrap=false"
    assert reason(lay(f"{low}C/QD", "3D", f"{high}S/3H", rules=straight), f"A play {low}C A1 C1") == "legal"
    assert reason(lay(f"{high}C/4D", "3D", f"{low}S/3H", rules=straight), f"A play {high}C A1 C1") == "legal"


def test_pt_2_ace_and_king_are_the_ends_of_that_order() -> None:
    assert reason(lay("AC/QD", "3D", "KS/3H", rules="pt,wrap=false"), "A play AC A1 C1") == "not_adjacent"


def test_pt_3_the_pack_is_split_equally() -> None:
    position = start(build("pt"))
    assert [side.held for side in position.sides] == [26, 26]
    assert rule(position, f"deal A:{DOWN}:#11 B:{DOWN}:#11").legal


def test_pt_3_nobody_can_deal_from_more_or_fewer_cards() -> None:
    for a, b in ((10, 11), (12, 10)):
        with pytest.raises(Impossible, match="the ledger gives 26"):
            rule(start(build("pt")), f"deal A:{DOWN}:#{a} B:{DOWN}:#{b}")


def test_pt_4_five_stock_piles_of_one_to_five_and_eleven_in_reserve() -> None:
    sizes = build("pt").deal_sizes(26)
    assert (sizes.stock, sizes.reserve) == ((1, 2, 3, 4, 5), 11)
    side = dealt("pt").sides[Seat.A]
    assert [len(pile) for pile in side.stock] == [1, 2, 3, 4, 5]
    assert len(side.reserve) == 11


@pytest.mark.parametrize(
    "wrong",
    [
        "xxxxxxxxxx/xxxxxxxx/xxxxxx/xxxx/xx:#11",
        "xxxxxx/xxxxxx/xxxxxx/xxxxxx/xxxxxx:#11",
        "xx/xxxx/xxxxxx/xxxxxxxx/xxxxxxxx:#12",
        "xx/xxxx/xxxxxx/xxxxxxxx:#16",
    ],
)
def test_pt_4_any_other_layout_is_a_misdeal(wrong: str) -> None:
    ruling = rule(start(build("pt")), f"deal A:{wrong} B:{DOWN}:#11")
    assert not ruling.legal
    assert "G15" in ruling.rules


def test_pt_4_the_reserve_is_held_in_one_hand() -> None:
    assert "held in the hand" in tell_key(build("pt"), "reserve_place").text


def test_pt_5_both_call_and_each_starts_a_centre_pile() -> None:
    table = dealt("pt")
    assert table.due == (Seat.A, Seat.B)
    for action in ("both call spit", "A spit 8S AR C1"):
        done = do(table, action)
        assert done.ruling.legal
        assert "PT-5" in done.ruling.rules
        table = done.position
    assert table.phase is Phase.BEFORE_SPIT
    table = after(table, "B spit JH BR C2")
    assert table.phase is Phase.PLAY
    assert [table.cards_at(zone)[-1].text for zone in CENTRES] == ["8S", "JH"]
    assert [len(side.reserve) for side in table.sides] == [10, 10]


def test_pt_5_before_both_cards_lie_there_nothing_is_played() -> None:
    table = dealt("house")
    assert reason(table, "A play KC A1 C1") == "wrong_order"
    assert reason(after(table, "A spit 8S AR C1"), "A play 9C A3 C1") == "wrong_order"
    begun = after(table, "A spit 8S AR C1", "B spit JH BR C2")
    assert reason(begun, "A play 9C A3 C1") == "legal"


def test_pt_5_only_the_top_reserve_card_and_one_each() -> None:
    table = after(start(build("pt")), f"deal A:{DOWN}:{'xx' * 9}7s8s B:{DOWN}:{'xx' * 10}jh")
    assert reason(table, "A spit 7S AR C1") == "not_top"
    once = after(table, "A spit 8S AR C1")
    assert reason(once, "A spit 7S AR C1") == "wrong_order"


def test_pt_5_the_two_cards_start_two_piles() -> None:
    ruling = rule(after(dealt("pt"), "A spit 8S AR C1"), "B spit JH BR C1")
    assert ruling.reason is not None
    assert ruling.reason.value == "wrong_pile"
    assert "PT-5" in ruling.rules


def test_pt_6_tops_are_turned_up_after_the_spit_only() -> None:
    table = dealt("pt")
    early = rule(table, "A turn_up KC A1")
    assert early.reason is not None
    assert early.reason.value == "wrong_order"
    assert "PT-6" in early.rules
    half = after(table, "A spit 8S AR C1")
    assert reason(half, "A turn_up KC A1") == "wrong_order"
    begun = after(half, "B spit JH BR C2")
    turned = after(begun, "A turn_up KC A1", "A turn_up 2C A2", "A turn_up 9C A3", "A turn_up 4C A4", "A turn_up 6C A5")
    assert all(pile[-1].up and not any(card.up for card in pile[:-1]) for pile in turned.sides[Seat.A].stock)


def test_pt_6_the_layout_is_not_dealt_with_its_tops_up() -> None:
    ruling = rule(start(build("pt")), f"deal A:{A_UP}:#11 B:{DOWN}:#11")
    assert ruling.reason is not None
    assert (ruling.reason.value, "PT-6" in ruling.rules) == ("wrong_order", True)


def test_pt_6_no_card_under_a_top_is_turned_up() -> None:
    begun = after(dealt("pt"), "A spit 8S AR C1", "B spit JH BR C2", "A turn_up 2C A2")
    with pytest.raises(Impossible, match="not a face-down top"):
        rule(begun, "A turn_up 3C A2")


def test_pt_7_both_play_at_the_same_instant_and_as_fast_as_they_can() -> None:
    table = lay("9C/TC/KC", "QD/KD/2D", "8S/JH", rules="pt", reserves=("#3", "#3"))
    actions = ("A play 9C A1 C1 @1.0", "B play QD B1 C2 @1.0", "A play TC A2 C1 @1.03", "B play KD B2 C2 @1.03")
    for text in actions:
        done = step(table, parse_action(text))
        assert done.ruling.legal, done.ruling.text
        table = done.position


def test_pt_7_play_begins_with_the_spit_cards() -> None:
    before = parse_position("pt A=dealing;;-;gathered=#26 B=dealing;;-;gathered=#26 C=-/-")
    assert before.phase is Phase.DEALING
    assert reason(dealt("pt"), "A play KC A1 C1") == "wrong_order"
