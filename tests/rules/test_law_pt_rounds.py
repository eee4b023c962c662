"""The Portuguese rules PT-21 to PT-30: stuck players, piles taken, new deals and the end of the game."""

from __future__ import annotations

import pytest

from referee.rules import (
    Happening,
    Impossible,
    Phase,
    Position,
    Verdict,
    happenings,
    parse_action,
    parse_position,
    stalemate,
    step,
    stuck,
)
from referee.table import Seat
from tests.rules.table import after, do, lay, reason, rule

BOTH_STUCK = lay("KC/QC", "2D", "8S/8H", rules="pt", reserves=("3c9c", "5d6d"))
ONE_RESERVE = lay("KC/QC", "2D", "8S/8H", rules="pt", reserves=("-", "5d6d"))
A_CLEARS = lay("9C", "TD/2D/3D", "8SA/TSB", rules="pt", reserves=("#4", "#6"))


def down(piles: tuple[int, ...]) -> str:
    """Stock piles of these sizes, all face down."""
    return "/".join("xx" * size for size in piles)


def last_play(position: Position, action: str) -> tuple[tuple[Happening, ...], Position]:
    """What comes about by itself with ``action``, and the position then."""
    done = step(position, parse_action(action))
    return happenings(position, done.position), done.position


def test_pt_21_a_stuck_player_waits_and_may_be_freed() -> None:
    table = lay("TC/QC", "9D/2D", "8S/8H", rules="pt", reserves=("#3", "#6"))
    assert stuck(table, Seat.A)
    assert not stuck(table, Seat.B)
    assert not stalemate(table)
    freed = after(table, "B play 9D B1 C1")
    assert not stuck(freed, Seat.A)
    assert rule(freed, "A play TC A1 C1").legal


def test_pt_21_a_stuck_player_does_not_spit_while_the_other_can_play() -> None:
    table = lay("TC/QC", "9D/2D", "8S/8H", rules="pt", reserves=("3c4c", "#6"))
    ruling = rule(table, "A spit 4C AR C1")
    assert ruling.reason is not None
    assert ruling.reason.value == "not_stuck"
    assert ruling.witness is not None
    assert (ruling.witness.seat, str(ruling.witness.card)) == (Seat.B, "9D")


def test_pt_21_who_can_turn_up_a_card_is_not_stuck() -> None:
    assert not stuck(lay("4ckc/QC", "2D", "8S/8H", rules="pt"), Seat.A)
    assert stuck(lay("4cKC/QC/2C/3C/5C", "2D", "8S/8H", rules="pt"), Seat.A)


def test_pt_22_both_stuck_spit_again_each_onto_the_own_pile_and_play_goes_on() -> None:
    assert stalemate(BOTH_STUCK)
    done = do(BOTH_STUCK, "both call spit")
    assert done.ruling.legal
    assert "PT-22" in done.ruling.rules
    assert done.position.due == (Seat.A, Seat.B)
    spat = after(done.position, "A spit 9C AR C1", "B spit 6D BR C2")
    assert [str(spat.top(index)) for index in (0, 1)] == ["9C", "6D"]
    assert [len(side.reserve) for side in spat.sides] == [1, 1]
    assert spat.due == ()
    again = lay("TC", "2D", "8S/8H", rules="pt", reserves=("3c9c", "5d6d"))
    assert rule(after(again, "both call spit", "A spit 9C AR C1", "B spit 6D BR C2"), "A play TC A1 C1").legal


@pytest.mark.parametrize(("home", "a_pile", "b_pile"), [("12", "C1", "C2"), ("21", "C2", "C1")])
def test_pt_22_the_other_players_pile_is_wrong(home: str, a_pile: str, b_pile: str) -> None:
    table = lay("KC/QC", "2D", "8S/8H", rules="pt", reserves=("3c9c", "5d6d"), more=f"home={home}")
    called = after(table, "both call spit")
    ruling = rule(called, f"A spit 9C AR {b_pile}")
    assert ruling.reason is not None
    assert ruling.reason.value == "wrong_pile"
    assert "PT-22" in ruling.rules
    assert rule(called, f"A spit 9C AR {a_pile}").legal
    assert rule(called, f"B spit 6D BR {b_pile}").legal


def test_pt_22_nobody_spits_again_while_the_other_deals_anew() -> None:
    table = lay("9C", "2D/3D", "8S/8H", rules="pt", reserves=("#4", "5c6c"))
    for done in (after(table, "A play 9C A1 C1"), after(table, "A play 9C A1 C1", "A claim C2")):
        assert stuck(done, Seat.B)
        assert reason(done, "B call spit") == "wrong_order"
        assert rule(done, "B spit 6C BR C1").verdict is Verdict.ILLEGAL


def test_pt_23_one_without_reserve_the_other_spits_alone_onto_the_own_pile() -> None:
    called = after(ONE_RESERVE, "B call spit")
    assert called.due == (Seat.B,)
    assert reason(called, "B spit 6D BR C1") == "wrong_pile"
    spat = after(called, "B spit 6D BR C2")
    assert spat.due == ()
    assert [str(spat.top(index)) for index in (0, 1)] == ["8S", "6D"]
    assert spat.phase is Phase.PLAY


def test_pt_23_the_lone_spitter_may_decline() -> None:
    done = do(ONE_RESERVE, "B call pass")
    assert done.ruling.legal
    assert [side.phase for side in done.position.sides] == [Phase.CLAIM, Phase.CLAIM]
    assert reason(ONE_RESERVE, "A call pass") == "wrong_order"
    assert reason(BOTH_STUCK, "B call pass") == "wrong_order"


@pytest.mark.parametrize(
    "table",
    [
        parse_position("house A=before_spit;QH/9hJC/-/-/-;#41 B=before_spit;AD/xxKS/xxxxxxxx3D/-/-;- C=-/- due=A"),
        lay("QH/KC", "2D/3D", "-/JH", rules="pt", reserves=("#12", "-"), phases=("before_spit", "play"), more="due=A"),
    ],
    ids=["a new round", "dealt anew alone"],
)
def test_pt_23_the_card_that_starts_a_pile_cannot_be_declined(table: Position) -> None:
    assert reason(table, "A call pass") == "wrong_order"


def test_pt_24_both_stuck_without_reserves_take_the_piles() -> None:
    came, stuck_for_good = last_play(lay("9C/KC", "2D", "8S/5H", rules="pt"), "A play 9C A1 C1")
    assert [happening.kind for happening in came] == ["stalemate", "round_over"]
    assert came[1].winner is None
    assert [side.phase for side in stuck_for_good.sides] == [Phase.CLAIM, Phase.CLAIM]
    assert reason(stuck_for_good, "A play KC A2 C2") == "wrong_order"
    assert rule(stuck_for_good, "A slap C1").legal
    assert rule(stuck_for_good, "B slap C1").legal


def test_pt_24_not_while_one_of_them_can_play() -> None:
    came, position = last_play(lay("9C/KC", "2D", "8S/3H", rules="pt"), "A play 9C A1 C1")
    assert came == ()
    assert rule(position, "B play 2D B1 C2").legal


def test_pt_25_a_cleared_layout_with_reserve_takes_a_pile_and_the_other_plays_on() -> None:
    came, cleared = last_play(A_CLEARS, "A play 9C A1 C1")
    assert [(happening.kind, happening.winner) for happening in came] == [("round_over", Seat.A)]
    assert cleared.result is None
    assert [side.phase for side in cleared.sides] == [Phase.CLAIM, Phase.PLAY]
    assert rule(cleared, "B play TD B1 C1").legal
    assert reason(cleared, "B slap C2") == "early_slap"


@pytest.mark.parametrize("pile", ["C1", "C2"])
def test_pt_25_either_pile_may_be_taken_but_one_must(pile: str) -> None:
    cleared = after(A_CLEARS, "A play 9C A1 C1")
    assert rule(cleared, f"A slap {pile}").legal
    size = len(cleared.centre[int(pile[1]) - 1])
    taken = after(cleared, f"A slap {pile}", f"A claim {pile}")
    assert len(taken.sides[Seat.A].gathered) == size + 4
    with pytest.raises(Impossible, match="no cards to deal"):
        rule(cleared, "deal A:xx/xxxx/xx:#1")
    assert reason(cleared, "A spit ?? AR C1") == "wrong_order"


@pytest.mark.parametrize(("first", "second"), [("A", "B"), ("B", "A")])
def test_pt_26_the_first_hand_on_a_pile_has_it_and_the_other_takes_the_other(first: str, second: str) -> None:
    claiming = after(lay("9C/KC", "2D", "8S/5H", rules="pt"), "A play 9C A1 C1")
    slapped = after(claiming, f"{first} slap C2", f"{second} slap C2")
    ruling = rule(slapped, f"{second} claim C2")
    assert ruling.reason is not None
    assert ruling.reason.value == "wrong_pile"
    assert "PT-26" in ruling.rules
    taken = after(slapped, f"{first} claim C2", f"{second} claim C1")
    assert len(taken.sides[Seat[first]].gathered) < len(taken.sides[Seat[second]].gathered)


def test_pt_26_a_hand_on_a_pile_still_counts_when_the_other_clears_too() -> None:
    table = lay("9C", "9D", "8S/8H", rules="pt", reserves=("#4", "#4"))
    slapped = after(table, "A play 9C A1 C1", "A slap C1", "B play 9D B1 C2", "B slap C1")
    assert reason(slapped, "B claim C1") == "wrong_pile"
    assert rule(slapped, "A claim C1").legal
    assert rule(after(slapped, "A claim C1"), "B claim C2").legal


def test_pt_27_pile_and_reserve_are_shuffled_dealt_turned_up_and_spat() -> None:
    cleared = after(A_CLEARS, "A play 9C A1 C1", "A slap C1")
    taken = after(cleared, "A claim C1")
    cards = taken.sides[Seat.A].held
    assert cards == len(cleared.centre[0]) + 4
    # Dealing alone, the player may have the tops up before the spit card.
    tops_up = f"deal A:KC/xxKH/xxxxKD/xxxxxxKS/{down((5,))}:{'xx' * (cards - 16)}4h"
    tops_down = f"deal A:{down((1, 2, 3, 4, 5))}:{'xx' * (cards - 16)}4h"
    for deal in (tops_up, tops_down):
        dealt = after(taken, deal)
        assert dealt.due == (Seat.A,)
        turned = do(dealt, "A turn_up QC A5")
        assert turned.ruling.legal
        spat = after(turned.position, "A spit 4H AR C1")
        assert str(spat.top(0)) == "4H"
        assert [side.phase for side in spat.sides] == [Phase.PLAY, Phase.PLAY]


def test_pt_27_leftover_stock_cards_join_the_pile_taken() -> None:
    claiming = after(lay("9C/KC", "2D", "8S/5H", rules="pt"), "A play 9C A1 C1", "A slap C2", "A claim C2")
    assert sorted(str(card) for card in claiming.sides[Seat.A].gathered) == ["5H", "KC"]


def test_pt_28_both_having_taken_piles_spit_before_any_top_is_turned_up() -> None:
    gathered = "pt A=redeal;;-;gathered=#26 B=redeal;;-;gathered=#26 C=-/- round=2"
    layout = down((1, 2, 3, 4, 5))
    table = after(parse_position(gathered), f"deal A:{layout}:#11 B:{layout}:#11")
    early = rule(table, "A turn_up KC A1")
    assert early.reason is not None
    assert (early.reason.value, "PT-6" in early.rules) == ("wrong_order", True)
    spat = after(table, "both call spit", "A spit 4H AR C1", "B spit 9D BR C2")
    assert rule(spat, "A turn_up KC A1").legal


def test_pt_28_a_pile_just_started_stays_when_the_other_clears_meanwhile() -> None:
    table = lay("KC", "9D", "-/8H", rules="pt", reserves=("3c3d", "#4"), phases=("before_spit", "play"), more="due=A")
    waiting = after(table, "B play 9D B1 C2", "A spit 3D AR C1", "B claim C2")
    assert str(waiting.top(0)) == "3D"
    assert waiting.sides[Seat.B].phase is Phase.REDEAL


@pytest.mark.parametrize(
    ("cards", "piles"), [(13, (1, 2, 3, 4, 3)), (7, (1, 2, 3, 1)), (2, (1, 1)), (14, (1, 2, 3, 4, 4))]
)
def test_pt_29_too_few_cards_are_dealt_pile_by_pile_until_they_run_out(cards: int, piles: tuple[int, ...]) -> None:
    table = parse_position(f"pt A=redeal;;-;gathered=#{cards} B=redeal;;-;gathered=#{52 - cards} C=-/-")
    full = f"{down((1, 2, 3, 4, 5))}:#{37 - cards}"
    assert after(table, f"deal A:{down(piles)}:- B:{full}").due == (Seat.B,)
    kept_one_back = (*piles[:-1], piles[-1] - 1) if piles[-1] > 1 else piles[:-1]
    misdealt = rule(table, f"deal A:{down(kept_one_back)}:#1 B:{full}")
    assert not misdealt.legal


def test_pt_29_without_reserve_there_is_one_centre_pile_the_opponents() -> None:
    table = parse_position("pt A=redeal;;-;gathered=#7 B=redeal;;-;gathered=#45 C=-/-")
    dealt = after(table, "deal A:xx/xxxx/xxxxxx/xx:- B:xx/xxxx/xxxxxx/xxxxxxxx/xxxxxxxxxx:#30")
    with pytest.raises(Impossible, match="there is none"):
        rule(dealt, "A spit ?? AR C1")
    playing = after(dealt, "B spit 8S BR C2", "A turn_up 9C A1")
    assert playing.open_piles == (1,)
    assert playing.phase is Phase.PLAY
    ruling = rule(playing, "A play 9C A1 C1")
    assert ruling.reason is not None
    assert (ruling.reason.value, "PT-29" in ruling.rules) == ("wrong_pile", True)
    assert rule(playing, "A play 9C A1 C2").legal


@pytest.mark.parametrize("centre", ["8S/JH", "8S/-"])
def test_pt_30_no_reserve_and_the_last_stock_card_to_the_centre_wins_the_game(centre: str) -> None:
    came, won = last_play(lay("9C", "2D/3D", centre, rules="pt", reserves=("-", "#9")), "A play 9C A1 C1")
    assert came[-1] == Happening("game_over", Seat.A, "no_cards")
    assert won.phase is Phase.OVER
    assert reason(won, "B play 2D B1 C1") == "wrong_order"


def test_pt_30_not_with_a_card_that_does_not_fit() -> None:
    came, position = last_play(lay("QC", "2D/3D", "8S/4H", rules="pt", reserves=("-", "#9")), "A play QC A1 C1")
    assert came == ()
    assert position.result is None
    assert after(position, "A take_back QC C1 A1").result is None


def test_pt_27_a_lone_deal_leaves_the_other_players_duty_to_spit() -> None:
    table = lay("9C", "2D/3D", "8S/6S", rules="pt,spit_freeze=false", reserves=("3c4c", "5c6c"), more="due=B landed=1")
    cleared = after(table, "A play 9C A1 C1", "A claim C2")
    assert cleared.due == (Seat.B,)
    assert after(cleared, "deal A:3C/4c6S:-").due == (Seat.B,)
