"""The Polish text: stalemates, the end of a round, short layouts, the end of the game, scores (PL-17 to PL-V1)."""

from __future__ import annotations

import pytest

from referee.cards import Card
from referee.rules import Impossible, Position, happenings, parse_action, stalemate, step
from referee.table import Seat
from tests.rules.openings import opening, phases, redeal
from tests.rules.table import after, do, lay, reason, rule


def stuck_table(rules: str = "pl", reserves: tuple[str, str] = ("#3", "#4")) -> Position:
    return lay("2D/KD", "2C/KC", "8S/8H", rules=rules, reserves=reserves)


@pytest.mark.parametrize(("a_pile", "b_pile"), [("C1", "C2"), ("C2", "C1")])
def test_pl_17_each_turns_a_spit_card_onto_one_of_the_piles(a_pile: str, b_pile: str) -> None:
    position = after(stuck_table(), "both call spit", f"A spit 7D AR {a_pile}")
    assert reason(position, f"B spit 7H BR {a_pile}") == "wrong_pile"
    position = after(position, f"B spit 7H BR {b_pile}")
    assert phases(position) == ("play", "play")
    assert position.due == ()


def test_pl_17_not_while_one_of_them_can_play() -> None:
    position = lay("2D/KD", "7C/KC", "8S/8H", rules="pl", reserves=("#3", "#4"))
    assert reason(position, "both call spit") == "legal"  # they agree to (G2)
    assert reason(position, "A call spit") == "not_stuck"
    assert reason(position, "A spit 7D AR C1") == "not_stuck"


def test_pl_18_a_round_ends_when_a_player_has_played_all_his_stock_cards() -> None:
    before = lay("7C", "9H/KD", "8S/JH", rules="pl", reserves=("#3", "#4"))
    position = after(before, "A play 7C A1 C1")
    assert [(one.kind, one.reason) for one in happenings(before, position)] == [("round_over", "stock_empty")]
    assert phases(position) == ("claim", "claim")


def test_pl_18_a_round_ends_when_nobody_can_play_and_there_is_no_reserve() -> None:
    before = lay("7C/2D/KD", "2C/KC", "8S/8H", rules="pl")
    position = after(before, "A play 7C A1 C1")
    assert [one.kind for one in happenings(before, position)] == ["stalemate", "round_over"]
    assert position.round_end is not None
    assert (position.round_end.winner, position.round_end.reason) == (None, "no_reserve")
    assert phases(position) == ("claim", "claim")


def test_pl_18_a_round_goes_on_while_there_are_reserves() -> None:
    position = after(lay("7C/2D/KD", "2C/KC", "8S/8H", rules="pl", reserves=("#1", "#1")), "A play 7C A1 C1")
    assert stalemate(position)
    assert phases(position) == ("play", "play")


def cleared(rules: str = "pl") -> Position:
    return after(lay("7C", "9H/KD", "8S/JH", rules=rules, reserves=("#3", "#4")), "A play 7C A1 C1")


def stranded() -> Position:
    return after(lay("7C/2D/KD", "2C/KC", "8S/8H", rules="pl"), "A play 7C A1 C1")


@pytest.mark.parametrize("position", [cleared(), stranded()], ids=["cleared", "no reserve"])
def test_pl_19_each_takes_the_pile_he_slapped(position: Position) -> None:
    position = after(position, "B slap C2", "A slap C1")
    assert position.claims is not None
    assert position.claims.piles == (0, 1)


@pytest.mark.parametrize("position", [cleared(), stranded()], ids=["cleared", "no reserve"])
def test_pl_19_the_lower_hand_takes_the_pile_and_the_other_the_other(position: Position) -> None:
    position = after(position, "B slap C2 @5.00", "A slap C2 @5.01")
    assert reason(position, "A claim C2") == "wrong_pile"
    assert rule(position, "B claim C2").legal
    assert rule(position, "A claim C1").legal


def test_pl_20_leftover_cards_join_the_pile_taken() -> None:
    position = after(cleared(), "A slap C2", "B slap C1", "A claim C2", "B claim C1")
    a, b = position.sides
    assert len(a.gathered) == 3 + 1
    assert Card("JH") in a.gathered
    assert len(b.gathered) == 48
    assert {Card("9H"), Card("KD"), Card("7C"), Card("8S")} <= set(b.gathered)
    assert phases(position) == ("redeal", "redeal")


def test_pl_20_the_new_layout_is_as_in_setup_and_reserves_may_differ() -> None:
    position = lay("7C", "9H/KD", "8S/JH", rules="pl", reserves=("#15", "#4"))
    position = after(position, "A play 7C A1 C1", "A slap C2", "B slap C1", "A claim C2", "B claim C1")
    position = step(position, redeal(position)).position
    a, b = position.sides
    assert [len(pile) for pile in a.stock] == [len(pile) for pile in b.stock] == [1, 2, 3, 4, 5]
    assert (len(a.reserve), len(b.reserve)) == (1, 21)


def test_pl_21_when_both_are_ready_they_spit_and_play_on() -> None:
    position = lay("7C", "9H/KD", "8S/JH", rules="pl", reserves=("#15", "#4"))
    position = after(position, "A play 7C A1 C1", "A slap C2", "B slap C1", "A claim C2", "B claim C1")
    position = step(position, redeal(position)).position
    assert position.due == tuple(Seat)
    position = after(position, "both call spit", "A spit 3D AR C1", "B spit 3H BR C2")
    assert phases(position) == ("play", "play")
    assert position.round == 2


def short_round() -> Position:
    """A has nine cards and lays them out; B has the rest."""
    position = lay("7C", "9H/KD", "8S/JH", rules="pl", reserves=("#8", "#4"))
    position = after(position, "A play 7C A1 C1", "A slap C2", "B slap C1", "A claim C2", "B claim C1")
    return step(position, redeal(position)).position


def test_pl_22_fewer_than_fifteen_cards_go_as_far_as_they_reach() -> None:
    side = short_round().sides[Seat.A]
    assert [len(pile) for pile in side.stock] == [1, 2, 3, 3, 0]
    assert all(pile[-1].up for pile in side.stock if pile)
    assert side.reserve == ()


def test_pl_22_who_cannot_spit_starts_no_pile() -> None:
    position = short_round()
    assert position.due == (Seat.B,)
    with pytest.raises(Impossible, match="no card can leave AR"):
        step(position, parse_action("A spit 3D AR C1"))
    position = after(position, "B call spit", "B spit 3H BR C2")
    assert position.open_piles == (1,)
    assert phases(position) == ("play", "play")


def test_pl_23_who_clears_first_takes_nothing_from_the_only_pile() -> None:
    position = after(lay("7C", "9H/KD", "8S/-", rules="pl", reserves=("#3", "-")), "A play 7C A1 C1")
    ruling = rule(position, "A slap C1")
    assert not ruling.legal
    assert "PL-23" in ruling.rules
    position = after(position, "B slap C1", "B claim C1")
    assert len(position.sides[Seat.A].gathered) == 3
    assert {Card("7C"), Card("8S"), Card("9H"), Card("KD")} <= set(position.sides[Seat.B].gathered)


def test_pl_24_the_player_without_reserve_wins_the_game() -> None:
    before = lay("7C", "9H/KD", "-/8S", rules="pl", reserves=("-", "#3"))
    position = after(before, "A play 7C A1 C2")
    assert [one.kind for one in happenings(before, position)] == ["round_over", "game_over"]
    assert position.result is not None
    assert (position.result.winner, position.result.reason) == (Seat.A, "no_cards")


def test_pl_24_if_the_other_player_clears_first_the_game_goes_on() -> None:
    position = after(lay("7C/KD", "9H", "-/8S", rules="pl", reserves=("-", "#3")), "B play 9H B1 C2")
    assert position.result is None
    assert phases(position) == ("claim", "redeal")


SCORED = "pl,scoring=penalty_100"


def test_pl_v1_every_card_held_at_the_end_of_a_round_is_a_point() -> None:
    position = after(lay("7C", "9H/KD", "8S/JH", rules=SCORED, reserves=("#3", "#4")), "A play 7C A1 C1")
    assert [side.score for side in position.sides] == [3, 2 + 4]


@pytest.mark.parametrize(("score", "over"), [(93, False), (94, True), (95, True)])
def test_pl_v1_a_hundred_points_end_the_game(score: int, over: bool) -> None:
    position = lay("7C", "9H/KD", "8S/JH", rules=SCORED, reserves=("#3", "#4"), sides=("", f";score={score}"))
    position = after(position, "A play 7C A1 C1")
    assert (position.result is not None) is over


def test_pl_v1_the_lowest_total_wins_not_the_round() -> None:
    position = lay("7C", "9H/KD", "8S/JH", rules=SCORED, reserves=("#3", "#4"), sides=(";score=99", ";score=10"))
    position = after(position, "A play 7C A1 C1")
    assert position.result is not None
    assert (position.result.winner, position.result.reason) == (Seat.B, "score")


def test_pl_v1_a_game_won_is_only_a_round_of_the_match() -> None:
    position = after(
        lay("7C", "9H/KD", "-/8S", rules=SCORED, reserves=("-", "#3"), sides=(";score=5", ";score=10")),
        "A play 7C A1 C2",
    )
    assert position.result is None
    assert phases(position) == ("dealing", "dealing")
    assert [side.score for side in position.sides] == [5, 15]


def test_pl_v1_nothing_is_scored_in_the_standard_game() -> None:
    assert opening("pl").rules.scoring == "none"
    assert [side.score for side in do(cleared(), "A slap C1").position.sides] == [0, 0]
