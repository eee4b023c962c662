"""The variants PT-V1 to PT-V7 of the Portuguese text."""

from __future__ import annotations

import pytest

from referee.rules import (
    Action,
    Impossible,
    Kind,
    Phase,
    Position,
    SeatDeal,
    build,
    parse_action,
    stalemate,
    start,
    stuck,
)
from referee.table import Seat
from tests.rules.table import after, do, lay, reason, rule

HAND = "pt,layout=hand5"
SINGLE = "pt,layout=single10_hand"
LAYOUT = "xx/xxxx/xxxxxx/xxxxxxxx/xxxxxxxxxx"


def hand(position: Position, seat: Seat = Seat.A) -> str:
    """The sizes of the hand and the reserve, ``5+10``."""
    side = position.sides[seat]
    return f"{len(side.hand)}+{len(side.reserve)}"


def test_pt_v1_four_stock_piles_and_sixteen_in_reserve() -> None:
    rules = build("pt", {"layout": "triangle4"})
    sizes = rules.deal_sizes(26)
    assert (sizes.stock, sizes.reserve) == ((1, 2, 3, 4), 16)
    assert rule(start(rules), "deal A:xx/xxxx/xxxxxx/xxxxxxxx:#16 B:xx/xxxx/xxxxxx/xxxxxxxx:#16").legal
    assert not rule(start(rules), f"deal A:{LAYOUT}:#11 B:{LAYOUT}:#11").legal


def test_pt_v1_there_is_no_fifth_place() -> None:
    table = lay("9C/8d7D", "KD", "8S/JH", rules="pt,layout=triangle4")
    assert reason(table, "A fill 7D A2 A3") == "legal"
    strayed = do(table, "A fill 7D A2 A5")
    assert reason(table, "A fill 7D A2 A5") == "no_gap"
    assert do(strayed.position, "A stack 7D A5 A2").ruling.correction


@pytest.mark.parametrize(("cards", "stock"), [(10, (1, 2, 3, 4)), (9, (1, 2, 3, 3))])
def test_pt_v1_ten_cards_make_a_full_layout(cards: int, stock: tuple[int, ...]) -> None:
    sizes = build("pt", {"layout": "triangle4"}).deal_sizes(cards)
    assert (sizes.stock, sizes.reserve) == (stock, 0)


def test_pt_v2_eleven_cards_and_four_single_ones() -> None:
    rules = build("pt", {"layout": "eleven_plus_four"})
    sizes = rules.deal_sizes(26)
    assert (sizes.stock, sizes.reserve) == ((11, 1, 1, 1, 1), 11)
    deep_first = f"{'xx' * 11}/xx/xx/xx/xx:#11"
    deep_last = f"xx/xx/xx/xx/{'xx' * 11}:#11"
    assert rule(start(rules), f"deal A:{deep_first} B:{deep_first}").legal
    assert not rule(start(rules), f"deal A:{deep_last} B:{deep_first}").legal


@pytest.mark.parametrize(
    ("card", "top", "expected"),
    [
        ("7S", "8D", "legal"),
        ("7C", "8H", "legal"),
        ("9H", "8S", "legal"),
        ("7H", "8D", "colour"),
        ("9C", "8S", "colour"),
        ("6S", "8D", "not_adjacent"),
    ],
)
def test_pt_v3_colours_alternate_on_top_of_the_rank(card: str, top: str, expected: str) -> None:
    action = f"A play {card} A1 C1"
    assert reason(lay(card, "KD", f"{top}/3H", rules="pt,alternate_colours=true"), action) == expected
    assert reason(lay(card, "KD", f"{top}/3H", rules="pt"), action) == expected.replace("colour", "legal")


def test_pt_v3_whom_only_colours_hinder_is_stuck() -> None:
    assert stuck(lay("7H", "KD", "8D/3H", rules="pt,alternate_colours=true"), Seat.A)
    assert not stuck(lay("7H", "KD", "8D/3H", rules="pt"), Seat.A)


@pytest.mark.parametrize("claim", ["finisher_choice", "slap_race"])
def test_pt_v4_both_take_piles_even_if_the_other_could_play(claim: str) -> None:
    table = lay("9C", "TD/2D", "8S/JH", rules=f"pt-both,pile_claim={claim}", reserves=("#4", "#6"))
    cleared = after(table, "A play 9C A1 C1")
    assert [side.phase for side in cleared.sides] == [Phase.CLAIM, Phase.CLAIM]
    assert reason(cleared, "B play TD B1 C1") == "wrong_order"


def test_pt_v4_is_about_a_finisher_with_a_reserve() -> None:
    table = lay("9C", "TD/2D", "8S/JH", rules="pt-both", reserves=("-", "#6"))
    assert after(table, "A play 9C A1 C1").result is not None


def test_pt_v4a_the_finisher_chooses_and_the_other_takes_what_is_left() -> None:
    table = lay("9C", "TD/2D", "8S/JH", rules="pt-both", reserves=("#4", "#6"))
    cleared = after(table, "A play 9C A1 C1")
    early = rule(cleared, "B slap C2")
    assert early.reason is not None
    assert early.reason.value == "wrong_order"
    chosen = after(cleared, "A slap C2")
    assert reason(chosen, "B claim C2") == "wrong_pile"
    taken = after(chosen, "B claim C1", "A claim C2")
    assert "JH" in map(str, taken.sides[Seat.A].gathered)
    assert "8S" in map(str, taken.sides[Seat.B].gathered)


@pytest.mark.parametrize("first", ["A", "B"])
def test_pt_v4b_the_hand_underneath_gets_the_pile(first: str) -> None:
    table = lay("9C", "TD/2D", "8S/JH", rules="pt-both,pile_claim=slap_race", reserves=("#4", "#6"))
    cleared = after(table, "A play 9C A1 C1")
    second = "B" if first == "A" else "A"
    slapped = after(cleared, f"{first} slap C2", f"{second} slap C2")
    assert reason(slapped, f"{second} claim C2") == "wrong_pile"
    taken = after(slapped, f"{first} claim C2", f"{second} claim C1")
    assert "JH" in map(str, taken.sides[Seat[first]].gathered)


def test_pt_v4b_different_piles_are_no_race() -> None:
    table = lay("9C", "TD/2D", "8S/JH", rules="pt-both,pile_claim=slap_race", reserves=("#4", "#6"))
    slapped = after(table, "A play 9C A1 C1", "B slap C2", "A slap C1")
    assert rule(slapped, "A claim C1").legal
    assert rule(slapped, "B claim C2").legal


def test_pt_v5_after_the_spit_each_draws_five_of_the_ten_left() -> None:
    rules = build("pt", {"layout": "hand5"})
    assert rules.reserve_place == "table"
    dealt = after(start(rules), f"deal A:{LAYOUT}:#11 B:{LAYOUT}:#11")
    assert hand(dealt) == "0+11"
    begun = after(dealt, "A spit 8S AR C1", "B spit JH BR C2")
    assert [hand(begun, seat) for seat in Seat] == ["5+5", "5+5"]


@pytest.mark.parametrize(("reserve", "left"), [("5c4c3c", "5+2"), ("3c", "5+0"), ("-", "4+0")])
def test_pt_v5_a_hand_card_played_is_replaced_while_the_reserve_lasts(reserve: str, left: str) -> None:
    table = lay("KC/QC", "2D", "8S/JH", rules=HAND, reserves=(reserve, "#6"), sides=(";hand=9c7h6d4hac", ""))
    for card in ("9C", "7H"):
        done = do(table, f"A play {card} AH C1")
        assert done.ruling.legal
        assert hand(done.position) == left


def test_pt_v5_the_stock_piles_do_not_draw() -> None:
    table = lay("9S/QC", "2D", "8S/JH", rules=HAND, reserves=("#3", "#6"), sides=(";hand=9c7h6d4hac", ""))
    assert hand(after(table, "A play 9S A1 C1")) == "5+3"


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("A play 6D AH C1", "not_adjacent"),
        ("A fill 9C AH A3", "no_gap"),
        ("B play 9C AH C1", "own_cards_only"),
        ("A play 5C AR C1", "from_reserve"),
    ],
)
def test_pt_v5_a_hand_card_obeys_the_rules_and_the_reserve_stays_closed(action: str, expected: str) -> None:
    table = lay("KC/QC", "2D", "8S/JH", rules=HAND, reserves=("4c5c", "#6"), sides=(";hand=9c7h6d4hac", ""))
    assert reason(table, action) == expected


def test_pt_v5_a_card_that_goes_back_to_the_hand_was_not_replaced() -> None:
    table = lay("KC/QC", "2D", "8S/JH", rules=HAND, reserves=("4c5c", "#6"), sides=(";hand=9c7h4hac6d", ""))
    done = do(table, "A play 6D AH C1", "A take_back 6D C1 AH")
    assert done.ruling.correction
    assert done.position.sides[Seat.A] == table.sides[Seat.A]


def test_pt_v5_whoever_holds_a_fitting_hand_card_is_not_stuck() -> None:
    with_nine = lay("KC/QC", "2D", "8S/8H", rules=HAND, reserves=("#2", "#6"), sides=(";hand=9c2h", ""))
    without = lay("KC/QC", "2D", "8S/8H", rules=HAND, reserves=("#2", "#6"), sides=(";hand=tc2h", ""))
    assert not stalemate(with_nine)
    assert stalemate(without)


def test_pt_v5_otherwise_as_usual_an_empty_layout_with_cards_left_takes_a_pile() -> None:
    table = lay("9S", "2D/3D", "8S/JH", rules=HAND, reserves=("-", "#6"), sides=(";hand=4h", ""))
    cleared = after(table, "A play 9S A1 C1")
    assert cleared.result is None
    taken = after(cleared, "A claim C2")
    assert sorted(map(str, taken.sides[Seat.A].gathered)) == ["4H", "JH"]


def test_pt_v6_one_stock_pile_of_ten_a_reserve_of_fifteen_and_one_card_to_the_centre() -> None:
    rules = build("pt", {"layout": "single10_hand"})
    sizes = rules.deal_sizes(26)
    assert (sizes.stock, sizes.reserve) == ((10,), 16)
    begun = after(start(rules), f"deal A:{'xx' * 10}:#16 B:{'xx' * 10}:#16", "A spit 8S AR C1", "B spit JH BR C2")
    # The hand of five is drawn from the fifteen.
    assert [hand(begun, seat) for seat in Seat] == ["5+10", "5+10"]


def test_pt_v6_play_from_the_stock_pile_or_the_hand_and_draw_after_a_hand_card() -> None:
    table = lay("5dTC", "2D", "8S/JH", rules=SINGLE, reserves=("#3", "#6"), sides=(";hand=9c7h6d4hac", ""))
    assert reason(table, "A play 5D A1 C1") == "not_top"
    assert hand(after(table, "A play TC A1 C2")) == "5+3"
    assert hand(after(table, "A play 9C AH C1")) == "5+2"


def test_pt_v6_an_empty_stock_pile_is_not_the_end() -> None:
    table = lay("TC", "2D", "8S/JH", rules=SINGLE, reserves=("#3", "#6"), sides=(";hand=9c7h6d4hac", ""))
    cleared = after(table, "A play TC A1 C2")
    assert [side.phase for side in cleared.sides] == [Phase.PLAY, Phase.PLAY]
    assert rule(cleared, "A play 9C AH C2").legal


def test_pt_v6_makes_no_sense_with_what_needs_several_piles_or_hides_the_reserve() -> None:
    for key, value in (("same_rank_stack", True), ("reserve_place", "hand")):
        with pytest.raises(ValueError, match=f"layout=single10_hand and {key}="):
            build("pt", {"layout": "single10_hand", key: value})


def claiming() -> Position:
    """Both stuck with empty reserves: a pile of three on C2, the others on C1."""
    table = lay("KC", "QD", "8S/4H,5H,TH", rules=SINGLE, sides=(";hand=9c6c", ";hand=6d"))
    return after(table, "A play 9C AH C1")


def test_pt_v7_a_pile_that_is_reshuffled_leaves_its_top_on_the_table() -> None:
    stuck_for_good = claiming()
    assert [side.phase for side in stuck_for_good.sides] == [Phase.CLAIM, Phase.CLAIM]
    taken = after(stuck_for_good, "A slap C2", "B slap C1", "A claim C2", "B claim C1")
    assert [len(pile) for pile in taken.centre] == [1, 1]
    assert [str(taken.top(index)) for index in (0, 1)] == ["9C", "TH"]
    assert list(map(str, taken.sides[Seat.A].gathered)) == ["4H", "5H"]
    assert list(map(str, taken.sides[Seat.A].hand)) == ["6C"]


def test_pt_v7_the_cards_taken_are_the_new_reserve_and_play_goes_on() -> None:
    taken = after(claiming(), "A slap C2", "B slap C1", "A claim C2", "B claim C1")
    reserves = [tuple(side.gathered) for side in taken.sides]
    deal = Action(Kind.DEAL, deal=(SeatDeal((), reserves[0]), SeatDeal((), reserves[1])))
    assert parse_action(str(deal)) == deal
    going_on = after(taken, str(deal))
    assert going_on.phase is Phase.PLAY
    assert [hand(going_on, seat)[0] for seat in Seat] == ["3", "5"]
    with pytest.raises(Impossible, match="no new stock piles"):
        rule(taken, "deal A:xx:#1")


def test_pt_v7_what_is_left_of_the_reserve_is_shuffled_in() -> None:
    table = lay("KC", "QD", "8S/4H,5H,TH", rules=SINGLE, reserves=("-", "#4"), sides=(";hand=6c", ";hand=6d"))
    taken = after(table, "B call pass", "B slap C2", "B claim C2")
    assert len(taken.sides[Seat.B].gathered) == 2 + 4
    assert not taken.sides[Seat.B].reserve


@pytest.mark.parametrize(
    ("scores", "held", "total", "over"),
    [((0, 0), ("#3", "6d7d"), 5, False), ((20, 3), ("#3", "6d7d"), 25, True), ((19, 3), ("#3", "6d7d"), 24, False)],
)
def test_pt_v7_a_point_for_each_card_in_the_others_hand_and_reserve_up_to_25(
    scores: tuple[int, int], held: tuple[str, str], total: int, over: bool
) -> None:
    reserve, other_hand = held
    table = lay(
        "-",
        "2D",
        "8S/JH",
        rules=SINGLE,
        reserves=("-", reserve),
        sides=(f";hand=9c;score={scores[0]}", f";hand={other_hand};score={scores[1]}"),
    )
    won = after(table, "A play 9C AH C1")
    assert [side.score for side in won.sides] == [total, scores[1]]
    assert (won.result is not None) is over
    # Below 25 points the match goes on with a new game.
    assert won.phase is (Phase.OVER if over else Phase.DEALING)


def test_pt_v7_is_the_scoring_of_pt_v6_in_the_portuguese_game_only() -> None:
    assert build("pt", {"layout": "single10_hand"}).scoring == "gain_25"
    assert build("pt").scoring == "none"
    assert build("pt", {"layout": "hand5"}).scoring == "none"
