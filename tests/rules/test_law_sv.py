"""The Swedish text (SV-1 to SV-10)."""

from __future__ import annotations

import pytest

from referee.cards import Card
from referee.rules import PRESETS, parse_ruleset, step
from referee.table import Seat
from tests.rules.openings import opening, phases, redeal
from tests.rules.table import after, do, lay, reason, rule


def test_sv_1_both_play_at_once_onto_the_same_two_piles() -> None:
    position = lay("7C/TD/4C", "6C/QD/4H", "8S/JH", rules="sv", reserves=("#3", "#4"))
    assert do(position, "A play 7C A1 C1", "A play TD A2 C2", "B play 6C B1 C1").ruling.legal
    assert rule(position, "B play QD B2 C2").legal


def test_sv_2_five_stock_piles_and_a_reserve_pile_of_eleven() -> None:
    position = opening("sv")
    for side in position.sides:
        assert [len(pile) for pile in side.stock] == [1, 2, 3, 4, 5]
        assert [sum(one.up for one in pile) for pile in side.stock] == [1] * 5
        assert all(pile[-1].up for pile in side.stock)
        assert len(side.reserve) == 11
    assert position.rules.reserve_place == "table"


def test_sv_3_both_spit_and_the_two_cards_are_the_centre_piles() -> None:
    position = after(opening("sv"), "both call spit", "A spit 8S AR C1", "B spit JH BR C2")
    assert [str(position.top(index)) for index in (0, 1)] == ["8S", "JH"]
    assert phases(position) == ("play", "play")


@pytest.mark.parametrize(
    ("card", "top", "fits"),
    [
        ("7C", "8S", True),
        ("9C", "8S", True),
        ("6C", "8S", False),
        ("AC", "KS", True),
        ("KC", "AS", True),
        ("2C", "AS", True),
        ("2C", "KS", False),
    ],
)
def test_sv_4_one_step_up_or_down_and_no_ends(card: str, top: str, fits: bool) -> None:
    for piles in (f"{top}/5D", f"5D/{top}"):
        pile = "C1" if piles.startswith(top) else "C2"
        position = lay(f"{card}/JC", "9H", piles, rules="sv", reserves=("#3", "#4"))
        assert rule(position, f"A play {card} A1 {pile}").legal is fits


def test_sv_5_an_exposed_card_is_turned_up_before_another_card_moves() -> None:
    position = after(lay("6d7C/9D/2C", "KD", "8S/JH", rules="sv", reserves=("#3", "#4")), "A play 7C A1 C1")
    ruling = rule(position, "A play 9D A2 C1")
    assert ruling.reason is not None
    assert ruling.reason.value == "wrong_order"
    assert "SV-5" in ruling.rules
    assert do(position, "A turn_up 6D A1", "A play 6D A1 C1").ruling.legal


def test_sv_5_elsewhere_it_may_wait() -> None:
    position = after(lay("6d7C/9D/2C", "KD", "8S/JH", rules="pl", reserves=("#3", "#4")), "A play 7C A1 C1")
    assert reason(position, "A fill 9D A2 A4") == "legal"


def test_sv_5_an_emptied_pile_may_receive_one_face_up_card() -> None:
    position = after(lay("7C/9d2D/3D", "KD", "8S/JH", rules="sv", reserves=("#3", "#4")), "A play 7C A1 C1")
    assert rule(position, "A fill 2D A2 A1").legal
    position = after(position, "A fill 2D A2 A1", "A turn_up 9D A2")
    assert reason(position, "A stack 3D A3 A1") == "no_gap"


@pytest.mark.parametrize("fault", ["two_hands", "two_cards"])
def test_sv_6_one_hand_and_one_card(fault: str) -> None:
    position = lay("7C/6C", "KD", "8S/JH", rules="sv", reserves=("#3", "#4"))
    assert reason(position, f"A play 7C A1 C1 !{fault}") == fault
    assert do(position, "A play 7C A1 C1", "A play 6C A2 C1").ruling.legal


def test_sv_7_when_both_are_stuck_each_pile_gets_a_new_card() -> None:
    position = lay("2D/KD", "2C/KC", "8S/8H", rules="sv", reserves=("#3", "#4"))
    position = after(position, "both call spit", "A spit 7D AR C1")
    assert reason(position, "B spit 7H BR C1") == "wrong_pile"
    sizes = [len(pile) for pile in position.centre]
    position = after(position, "B spit 7H BR C2")
    assert [len(pile) for pile in position.centre] == [sizes[0], sizes[1] + 1]
    assert [str(position.top(index)) for index in (0, 1)] == ["7D", "7H"]
    assert phases(position) == ("play", "play")


def test_sv_8_the_first_to_clear_chooses_and_the_other_takes_what_is_left() -> None:
    position = after(lay("7C", "9H/KD", "8S/JH", rules="sv", reserves=("#3", "#4")), "A play 7C A1 C1")
    assert reason(position, "B slap C2") == "wrong_order"
    position = after(position, "A slap C2")
    assert reason(position, "B claim C2") == "wrong_pile"
    position = after(position, "B claim C1", "A claim C2")
    assert phases(position) == ("redeal", "redeal")
    assert Card("JH") in position.sides[Seat.A].gathered
    assert Card("7C") in position.sides[Seat.B].gathered


@pytest.mark.parametrize(
    ("cards", "stock", "reserve"),
    [
        (1, (1,), 0),
        (2, (1,), 1),
        (3, (1, 2), 0),
        (5, (1, 2), 2),
        (6, (1, 2, 3), 0),
        (9, (1, 2, 3), 3),
        (10, (1, 2, 3, 4), 0),
        (14, (1, 2, 3, 4), 4),
        (15, (1, 2, 3, 4, 5), 0),
    ],
)
def test_sv_9_as_many_stock_piles_as_can_be_made(cards: int, stock: tuple[int, ...], reserve: int) -> None:
    sizes = parse_ruleset("sv").deal_sizes(cards)
    assert (sizes.stock, sizes.reserve) == (stock, reserve)


def test_sv_9_what_is_left_over_can_be_spat() -> None:
    position = after(
        lay("7C", "9H/KD", "8S/JH", rules="sv", reserves=("#4", "#4")),
        *("A play 7C A1 C1", "A slap C2", "A claim C2", "B claim C1"),
    )
    position = step(position, redeal(position)).position
    assert [len(pile) for pile in position.sides[Seat.A].stock] == [1, 2, 0, 0, 0]
    assert position.due == tuple(Seat)


def test_sv_10_who_has_no_card_left_has_won() -> None:
    position = after(lay("7C", "9H/KD", "8S/JH", rules="sv", reserves=("-", "#4")), "A play 7C A1 C1")
    assert position.result is not None
    assert position.result.winner is Seat.A


def test_sv_10_with_a_reserve_card_the_game_goes_on() -> None:
    position = after(lay("7C", "9H/KD", "8S/JH", rules="sv", reserves=("#1", "#4")), "A play 7C A1 C1")
    assert position.result is None
    assert PRESETS["sv"]["win_when"] == "no_cards_left"
