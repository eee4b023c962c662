"""What cannot have happened is not judged: the sentence says what speaks against it."""

from __future__ import annotations

import pytest

from referee.cards import Card
from referee.rules import Action, Impossible, Kind, Phase, Reason, judge, parse_action, parse_position, start, step
from referee.rules.actions import touch, turn_up, unseen_deal
from referee.rules.layouts import Sizes
from referee.rules.moves import legal_actions
from referee.rules.ruleset import build
from referee.table import CENTRES, STOCKS, Seat
from tests.rules.table import after, do, lay, reason, rule

TABLE = lay("7C/9hJC/xx/-/8D", "AD/4DKS", "8S,9S/JH", reserves=("2c3c", "#4"))


@pytest.mark.parametrize(
    ("action", "says"),
    [
        ("A play 7C A1 A3", "is no play: A3 is no centre pile"),
        ("A play QD A1 C1", "QD cannot leave A1: the ledger has 7C there"),
        ("A play 7C A4 C1", "no card can leave A4: there is none"),
        ("A play JC A3 C1", "JC cannot be at A3: the ledger has it at A2"),
        ("A play 8S C1 C1", "moves nothing"),
        ("A turn_up 7C A1", "is not a face-down top there"),
        ("A turn_up 9H A2", "is not a face-down top there"),
        ("A turn_up 9S C1", "turns up nothing"),
        ("A fill 7C A1 C1", "fills no gap: C1 is no stock pile"),
        ("A fill 7C A1 A2", "A2 has cards, so this would be a stack"),
        ("A stack 7C A1 AR", "stacks on nothing: AR is no stock pile"),
        ("A spit 7C A1 C1", "is no spit: a reserve card goes onto a centre pile"),
        ("A spit 3C AR A4", "is no spit"),
        ("A take_back 9S C1 C2", "takes nothing back: C2 is a centre pile"),
        ("A take_back 7C A1 AR", "takes nothing back: A1 is no centre pile, and 7C is not owed"),
        ("deal A:7C:-", "A has no cards to deal: they lie on the table"),
    ],
)
def test_impossible_in_this_position(action: str, says: str) -> None:
    with pytest.raises(Impossible) as error:
        judge(TABLE, parse_action(action))
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("action", "says"),
    [
        (Action(Kind.PLAY, Seat.A, Card("7C"), STOCKS[0][0]), "does not say what card went from where to where"),
        (Action(Kind.PLAY, None, Card("7C"), STOCKS[0][0], CENTRES[0]), "has no player"),
        (Action(Kind.TOUCH, Seat.A), "does not say what was touched"),
        (Action(Kind.SLAP, Seat.A, target=STOCKS[0][0]), "claims no centre pile"),
        (Action(Kind.TURN_UP, Seat.A), "turns up nothing"),
    ],
)
def test_an_action_that_lacks_a_part_is_impossible(action: Action, says: str) -> None:
    with pytest.raises(Impossible) as error:
        judge(TABLE, action)
    assert says in str(error.value)


FIRST_DEAL = "deal A:xx/xxxx/xxxxxx/xxxxxxxx/xxxxxxxxxx:#11 B:xx/xxxx/xxxxxx/xxxxxxxx/xxxxxxxxxx:#11"


@pytest.mark.parametrize(
    ("deal", "says"),
    [
        (FIRST_DEAL.replace("#11", "#10", 1), "A cannot deal 25 cards: the ledger gives 26"),
        (FIRST_DEAL.replace("A:xx", "A:7C").replace("B:xx", "B:7C"), "a card cannot be dealt twice"),
        (FIRST_DEAL.replace("A:xx/", "A:xx/-/-/-/"), "there are places for 5"),
    ],
)
def test_a_first_deal_that_cannot_be(deal: str, says: str) -> None:
    with pytest.raises(Impossible) as error:
        judge(start(build()), parse_action(deal))
    assert says in str(error.value)


def test_a_redeal_holds_the_cards_that_were_gathered() -> None:
    position = lay(
        *("-", "AD/4DKS"),
        "8S,9S/JH",
        phases=("redeal", "play"),
        sides=(";gathered=2c3c", ""),
        rules="pt",
        reserves=("-", "#4"),
    )
    with pytest.raises(Impossible, match="cannot deal QD: those are not among A's cards"):
        judge(position, parse_action("deal A:QD/2C:-"))
    partly = lay("-", "AD", "8S/JH", phases=("redeal", "play"), sides=(";gathered=2cxx", ""), rules="pt")
    with pytest.raises(Impossible, match="AD cannot be at AR: the ledger has it at B1"):
        judge(partly, parse_action("deal A:AD/2C:-"))
    assert rule(partly, "deal A:QD/2C:-").legal


def test_in_the_single_pile_game_only_a_reserve_is_dealt_anew() -> None:
    rules = "pt,layout=single10_hand"
    position = lay(
        "7C",
        "AD",
        "8S/JH",
        rules=rules,
        phases=("redeal", "before_spit"),
        sides=(";gathered=2c3c", ""),
        reserves=("-", "#9"),
    )
    with pytest.raises(Impossible, match="lays out no new stock piles"):
        judge(position, parse_action("deal A:2C:3c"))
    assert rule(position, "deal A::3c2c").legal


def test_a_card_known_to_be_the_other_players_cannot_come_to_light_here() -> None:
    position = lay("xx/7C", "xx/9D", "8S/JH", sides=("", ";pool=2h"))
    with pytest.raises(Impossible, match="2H cannot be at A1: it is among the unseen cards of B"):
        judge(position, parse_action("A turn_up 2H A1"))
    assert rule(position, "B turn_up 2H B1").legal


def test_with_nothing_unseen_there_is_nothing_a_player_could_hold() -> None:
    assert lay("7C", "9D", "8S/JH").could_hold(Seat.A) == 0
    known = lay("xx", "9D", "8S/JH", sides=(";pool=2h", ""))
    assert known.could_hold(Seat.A) == Card("2H").bit


def test_an_action_can_be_made_as_well_as_read() -> None:
    assert touch(Seat.A, STOCKS[1][3]) == parse_action("A touch B4")
    assert turn_up(Seat.B, Card("7C"), STOCKS[1][0], 1.5) == parse_action("B turn_up 7C B1 @1.5")


def test_a_card_turned_up_with_the_other_hand_is_warned_of() -> None:
    assert reason(TABLE, "A turn_up 5D A3 !two_hands") == "two_hands"
    assert do(TABLE, "A turn_up 5D A3 !two_hands").position.sides[0].stock[2][-1].up


def test_moving_a_played_card_into_the_layout_is_taking_it_back() -> None:
    assert reason(TABLE, "A fill 9S C1 A4") == "taken_back"


def test_a_play_that_shows_that_somebody_could_go_on_ends_an_unproven_spit() -> None:
    position = lay("7C/??", "KS/KD", "8C/9S", reserves=("2c", "3c"))
    assert judge(position, parse_action("A play 7C A1 C1")).legal
    blind = lay("??/2D", "KS/KD", "8S/9H", reserves=("5c", "3c"))
    spat = do(blind, "A spit 5C AR C1")
    assert spat.ruling.verdict.value == "undecided"
    assert spat.position.unproven
    played = do(spat.position, "A play 6D A1 C1")
    assert played.ruling.legal
    assert (played.position.unproven, played.position.due) == (False, ())


def test_agreeing_to_pass_without_reserves_ends_the_round() -> None:
    position = after(lay("7C", "AD", "8S/JH"), "both call spit")
    assert position.round_end is not None
    assert position.round_end.reason == "passed"
    assert {side.phase for side in position.sides} == {Phase.CLAIM}


def test_calling_again_while_spit_cards_are_due_changes_nothing() -> None:
    position = after(lay("KC/KD", "KH/4D", "8S/JH", reserves=("2c", "3c")), "both call spit")
    assert step(position, parse_action("A call spit")).position == position


def test_a_penalty_match_can_end_with_a_double_stalemate() -> None:
    rules = "pl,scoring=penalty_100"
    position = lay("KC/KD", "KH/4D", "8S,9S/JH,TH", rules=rules, sides=(";score=99", ";score=40"), reserves=("2c", "-"))
    passed = after(position, "A call pass")
    assert passed.result is not None
    assert (passed.result.winner, passed.result.reason) == (Seat.B, "score")


def test_an_owed_card_of_a_gone_zone_is_not_owed_any_more() -> None:
    position = after(lay("7C", "KD/4D", "8S/JH", reserves=("2c", "3c")), "B play KD B1 C2", "A play 7C A1 C1")
    assert [debt.reason for debt in position.owed] == [Reason.NOT_ADJACENT]
    assert after(position, "A claim C1", "B claim C2").owed == ()


def test_sizes_of_a_deal_are_those_of_its_cards() -> None:
    assert unseen_deal(Sizes((1, 2), 3), tops_up=True).sizes == Sizes((1, 2), 3)


def test_a_card_coming_off_a_centre_pile_unread_until_now_is_checked_against_the_ledger() -> None:
    position = lay("7C", "9D", "8S,??/JH")
    with pytest.raises(Impossible, match="7C cannot be at C1: the ledger has it at A1"):
        judge(position, parse_action("A take_back 7C C1 A2"))
    assert reason(position, "A take_back 2H C1 A2") == "taken_back"


def test_a_card_wrongly_taken_back_has_one_way_only() -> None:
    played = lay("7C/KC", "9D/4D", "8S,9SA/JH", reserves=("2c", "#3"))
    in_the_layout = after(played, "A take_back 9S C1 A3")
    assert "A play 9S A3 C1" in [str(action) for action in legal_actions(in_the_layout)]
    in_the_reserve = after(played, "A take_back 9S C1 AR")
    assert "A spit 9S AR C1" in [str(action) for action in legal_actions(in_the_reserve)]
    assert reason(in_the_reserve, "A spit 9S AR C2") == "wrong_pile"


def test_an_owed_reserve_card_is_no_spit_card_even_when_one_is_due() -> None:
    position = after(
        lay("KC/KD", "KH/4D", "8S,9SA/JH", reserves=("2c", "3c")), "both call spit", "A take_back 9S C1 AR"
    )
    assert [str(action) for action in legal_actions(position) if action.kind is Kind.SPIT] == [
        "A spit 9S AR C1",
        "B spit 3C BR C2",
    ]


def test_a_reshuffled_reserve_rightly_dealt_is_not_dealt_again() -> None:
    rules = "pt,layout=single10_hand"
    position = lay(
        *("7C", "AD", "8S/JH"),
        rules=rules,
        phases=("before_spit", "redeal"),
        reserves=("2c3c", "-"),
        sides=("", ";gathered=#9"),
    )
    again = do(position, "deal A::3c2c")
    assert (again.ruling.reason, again.ruling.note) == (Reason.WRONG_ORDER, "dealt")
    assert again.position.sides[0].reserve == (Card("3C"), Card("2C"))


def test_a_second_finisher_finds_no_pile_left() -> None:
    position = lay("7C", "9C", "8S/-", rules="pt", reserves=("#4", "#5"))
    position = after(position, "A play 7C A1 C1")
    assert position.claims is not None
    assert position.claims.piles == (0, None)
    waiting = parse_position(str(position).replace("B=play;9C", "B=play;8C").replace("9C", "8C"))
    cleared = after(waiting, "B play 8C B1 C1")
    assert [side.phase for side in cleared.sides] == [Phase.CLAIM, Phase.REDEAL]
    assert cleared.claims is not None
    assert cleared.claims.piles == (0, None)
