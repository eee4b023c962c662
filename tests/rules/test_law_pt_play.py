"""The Portuguese rules PT-8 to PT-20: who may move what, and where to."""

from __future__ import annotations

import pytest

from referee.rules import Impossible, Remedy, parse_action, parse_position, stalemate
from referee.table import Seat
from tests.rules.table import after, do, lay, reason, rule

TABLE = lay("9C/8d7D/QC/-/-", "9D/KD/5h4H", "8S/JH", rules="pt", reserves=("3c4c", "#6"))


@pytest.mark.parametrize("move", ["A play 9C A1 C1", "A fill 9C A1 A4"])
@pytest.mark.parametrize("reserve", ["#5", "-"])
def test_pt_8_only_one_hand_moves_cards_even_after_the_reserve_is_gone(move: str, reserve: str) -> None:
    table = lay("9C/8d7D/QC/-/-", "KD", "8S/JH", rules="pt", reserves=(reserve, "#6"))
    ruling = rule(table, f"{move} !two_hands")
    assert ruling.reason is not None
    assert (ruling.reason.value, "PT-8" in ruling.rules) == ("two_hands", True)
    assert rule(table, move).legal


@pytest.mark.parametrize(
    "action",
    [
        "A play 9D B1 C1",
        "A fill 9D B1 A4",
        "A fill 9D B1 B5",
        "A fill 9C A1 B5",
        "A turn_up 4H B3",
        "A touch B2",
        "A touch BR",
    ],
)
def test_pt_9_the_other_players_cards_are_not_touched(action: str) -> None:
    table = lay("9C/8d7D/QC/-/-", "9D/KD/5h4h", "8S/JH", rules="pt", reserves=("3c4c", "#6"))
    ruling = rule(table, action)
    assert ruling.reason is not None
    assert ruling.reason.value == "own_cards_only"
    assert "PT-9" in ruling.rules


@pytest.mark.parametrize("action", ["A play 9C A1 C1", "A fill 9C A1 A4", "A touch A3", "B play 9D B1 C1"])
def test_pt_9_ones_own_cards_are(action: str) -> None:
    assert rule(TABLE, action).legal


def test_pt_9_touching_is_said_aloud_and_nothing_else() -> None:
    done = do(TABLE, "A touch B1")
    assert done.ruling.remedy is Remedy.WARNING
    assert done.position == TABLE


def test_pt_9_a_card_of_ones_own_that_the_other_moved_may_be_taken_back() -> None:
    moved = after(TABLE, "A play 9D B1 C1")
    ruling = rule(moved, "B take_back 9D C1 B1")
    assert (ruling.legal, ruling.correction) == (True, True)


@pytest.mark.parametrize("move", ["A play 9C A1 C1", "A fill 9C A1 A4"])
def test_pt_10_one_card_is_moved_at_a_time(move: str) -> None:
    ruling = rule(TABLE, f"{move} !two_cards")
    assert ruling.reason is not None
    assert (ruling.reason.value, "PT-10" in ruling.rules) == ("two_cards", True)
    assert rule(TABLE, move).legal


def test_pt_10_one_spit_card_is_turned_at_a_time() -> None:
    stuck = lay("KC", "2D", "8S/8H", rules="pt", reserves=("3c4c", "5c6c"))
    called = after(stuck, "both call spit")
    assert reason(called, "A spit 4C AR C1 !two_cards") == "two_cards"
    assert reason(called, "A spit 4C AR C1") == "legal"


@pytest.mark.parametrize(
    ("first", "second", "pile"),
    [
        ("A play 9C A1 C1 @5.00", "B play 9D B1 C1 @5.02", "C1"),
        ("B play 9D B1 C1 @5.00", "A play 9C A1 C1 @5.02", "C1"),
    ],
)
def test_pt_11_only_the_card_that_arrives_first_may_lie_there(first: str, second: str, pile: str) -> None:
    done = do(TABLE, first)
    assert done.ruling.legal
    late = rule(done.position, second)
    assert late.reason is not None
    assert (late.reason.value, late.remedy) == ("late", Remedy.RETURN_CARD)
    assert "PT-11" in late.rules
    loser = second.split()[0]
    back = after(done.position, second, f"{loser} take_back {second.split()[2]} {pile} {loser}1")
    assert back.top(0) is parse_action(first).card
    assert back.owed == ()


def test_pt_11_there_is_no_race_for_different_piles() -> None:
    other = lay("9C/QC", "QD/KD", "8S/JH", rules="pt")
    assert rule(after(other, "A play 9C A1 C1 @5.0"), "B play QD B1 C2 @5.0").legal


@pytest.mark.parametrize("back", ["A1", "A4"])
def test_pt_12_a_card_that_has_arrived_is_not_taken_back(back: str) -> None:
    played = after(TABLE, "A play 9C A1 C1")
    done = do(played, f"A take_back 9C C1 {back}")
    assert done.ruling.reason is not None
    assert (done.ruling.reason.value, done.ruling.remedy) == ("taken_back", Remedy.RETURN_CARD)
    assert "PT-12" in done.ruling.rules
    assert [debt.at.name for debt in done.position.owed] == [back]


def test_pt_12_nor_is_one_moved_within_the_layout() -> None:
    filled = after(TABLE, "A fill 7D A2 A4")
    assert reason(filled, "A stack 7D A4 A2") == "no_gap"


@pytest.mark.parametrize(
    ("top", "away", "home"),
    [
        ("8S,5HA", "A take_back 5H C1 A3", "A play 5H A3 C1"),
        ("8S,5HA", "A take_back 5H C1 AR", "A spit 5H AR C1"),
    ],
)
def test_pt_12_putting_it_down_again_puts_it_right(top: str, away: str, home: str) -> None:
    table = lay("KC/QC", "2D/3D", f"{top}/JH", rules="pt", reserves=("4c6c", "#4"))
    done = do(table, away, home)
    assert (done.ruling.legal, done.ruling.correction) == (True, True)
    assert done.position == table


def test_pt_12_where_it_fits_it_is_simply_played_again() -> None:
    table = lay("KC/QC", "2D/3D", "8S,9CA/JH", rules="pt", reserves=("4c6c", "#4"))
    done = do(table, "A take_back 9C C1 A3", "A play 9C A3 C1")
    assert done.ruling.legal
    assert done.position == table


def test_pt_13_nobody_is_obliged_to_move() -> None:
    table = lay("9C/8d7D", "TD/JD/2D/3D", "8S/QH", rules="pt", reserves=("#3", "#3"))
    waited = after(table, "B play JD B2 C2", "B play TD B1 C2")
    assert not stalemate(waited)
    assert waited.due == ()
    assert rule(waited, "A play 9C A1 C1").legal
    assert rule(waited, "A play 9C A1 C2").legal


def test_pt_13_both_may_hold_back_and_spit() -> None:
    table = lay("9C/8d7D", "2D", "8S/QH", rules="pt", reserves=("#3", "#3"))
    assert rule(table, "both call spit").legal
    assert reason(table, "A call spit") == "not_stuck"
    obliged = lay("9C/8d7D", "2D", "8S/QH", rules="pt,must_play=true", reserves=("#3", "#3"))
    assert reason(obliged, "both call spit") == "not_stuck"


def test_pt_14_there_are_never_more_than_five_stock_piles() -> None:
    with pytest.raises(ValueError, match="at most 5"):
        parse_position("pt A=play;9C/8C/7C/6C/5C/4C;- B=play;-;#45 C=3S/-")
    with pytest.raises(ValueError, match="no zone 'A6'"):
        parse_action("A fill 9C A1 A6")
    redeal = parse_position("pt A=redeal;;-;gathered=#26 B=redeal;;-;gathered=#26 C=-/-")
    with pytest.raises(Impossible, match="places for 5"):
        rule(redeal, "deal A:xx/xxxx/xxxxxx/xxxxxxxx/xxxx/xxxx:#11")


def test_pt_14_at_first_only_the_tops_lie_face_up() -> None:
    redeal = parse_position("house A=redeal;;-;gathered=#26 B=redeal;;-;gathered=#26 C=-/-")
    rest = "xxxx9C/xxxxxx4C/xxxxxxxx6C:#11"
    assert reason(redeal, f"deal A:KC/5C2C/{rest}") == "wrong_order"
    assert reason(redeal, f"deal A:KC/5c2C/{rest}") == "legal"


def test_pt_15_a_card_may_be_moved_into_an_empty_place() -> None:
    done = do(TABLE, "A fill 7D A2 A4")
    assert done.ruling.legal
    assert "PT-15" in done.ruling.rules
    stock = done.position.sides[Seat.A].stock
    assert [pile[-1].text if pile else "-" for pile in stock] == ["9C", "8d", "QC", "7D", "-"]


def test_pt_15_without_an_empty_place_nothing_moves_within_the_layout() -> None:
    ruling = rule(TABLE, "A stack 7D A2 A1")
    assert ruling.reason is not None
    assert (ruling.reason.value, ruling.remedy) == ("no_gap", Remedy.RETURN_CARD)
    assert "PT-15" in ruling.rules


def test_pt_15_only_a_stock_card_fills_it() -> None:
    assert reason(TABLE, "A fill 4C AR A4") == "from_reserve"
    assert reason(TABLE, "A fill 8D A2 A4") == "not_top"


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("A play 9C A1 C1", "legal"),
        ("A play 7D A2 C1", "legal"),
        ("A play 8D A2 C1", "not_top"),
        ("A play QC A3 C1", "not_adjacent"),
        ("B play KD B2 C2", "not_adjacent"),
    ],
)
def test_pt_16_the_top_of_a_stock_pile_goes_to_the_centre_if_it_fits(action: str, expected: str) -> None:
    assert reason(TABLE, action) == expected


def test_pt_16_a_face_down_top_does_not() -> None:
    table = lay("9c/QC", "KD", "8S/JH", rules="pt")
    ruling = rule(table, "A play 9C A1 C1")
    assert ruling.reason is not None
    assert ruling.reason.value == "face_down"
    assert rule(after(table, "A turn_up 9C A1"), "A play 9C A1 C1").legal


def test_pt_17_a_face_down_top_may_be_turned_up_by_its_owner() -> None:
    table = lay("9c/7D", "5h4h", "8S/JH", rules="pt")
    done = do(table, "A turn_up 9C A1")
    assert done.ruling.legal
    assert "PT-17" in done.ruling.rules
    assert done.position.sides[Seat.A].stock[0][-1].up
    assert reason(table, "A turn_up 4H B1") == "own_cards_only"


def test_pt_17_it_may_also_stay_as_it_is() -> None:
    assert rule(lay("9c/7D", "KD", "8S/JH", rules="pt"), "A play 7D A2 C1").legal


@pytest.mark.parametrize("action", ["A play 9C A1 C1", "A play TC A2 C2", "B play 9D B1 C1", "B play TD B2 C2"])
def test_pt_18_everybody_plays_on_every_pile(action: str) -> None:
    table = lay("9C/TC", "9D/TD", "8SA/JHB", rules="pt")
    assert rule(table, action).legal


def test_pt_19_a_reserve_card_is_not_played() -> None:
    table = lay("9C/KC", "KD", "8S/JH", rules="pt", reserves=("4c7c", "#6"))
    done = do(table, "A play 7C AR C1")
    assert done.ruling.reason is not None
    assert (done.ruling.reason.value, done.ruling.remedy) == ("from_reserve", Remedy.RETURN_CARD)
    assert "PT-19" in done.ruling.rules
    back = do(done.position, "A take_back 7C C1 AR")
    assert back.ruling.correction
    assert back.position == table


def test_pt_19_nor_does_it_get_there_by_way_of_a_gap() -> None:
    table = lay("9C/KC", "KD", "8S/JH", rules="pt", reserves=("4c7c", "#6"))
    filled = do(table, "A fill 7C AR A3")
    assert filled.ruling.reason is not None
    assert filled.ruling.reason.value == "from_reserve"
    assert not rule(filled.position, "A play 7C A3 C1").legal
    back = do(filled.position, "A take_back 7C A3 AR")
    assert back.ruling.correction
    assert back.position == table


@pytest.mark.parametrize(
    ("card", "top", "fits"),
    [
        ("5C", "6S", True),
        ("7C", "6S", True),
        ("4C", "6S", False),
        ("6C", "6S", False),
        ("8C", "6S", False),
        ("2C", "AS", True),
        ("KC", "AS", True),
        ("AC", "KS", True),
        ("QC", "KS", True),
        ("2C", "KS", False),
        ("QC", "AS", False),
        ("TC", "JS", True),
        ("TC", "9S", True),
    ],
)
@pytest.mark.parametrize("colour", ["C", "H"])
def test_pt_20_one_rank_above_or_below_the_ring_of_ranks_and_any_suit(
    card: str, top: str, fits: bool, colour: str
) -> None:
    card = card[0] + colour
    ruling = rule(lay(card, "3D", f"{top}/3H", rules="pt"), f"A play {card} A1 C1")
    assert ruling.legal is fits
    assert "PT-20" in ruling.rules
    if not fits:
        assert ruling.reason is not None
        assert (ruling.reason.value, ruling.remedy) == ("not_adjacent", Remedy.RETURN_CARD)
        assert ruling.against is not None
        assert ruling.against.text == top
