"""The text of positions, actions, piles and rulesets: what is refused, and with what sentence."""

from __future__ import annotations

import pytest

from referee.cards import Card
from referee.rules import parse_action, parse_position, parse_ruleset, start
from referee.rules.piles import parse_cards, parse_pile
from referee.rules.position import write_position
from referee.rules.ruleset import build
from tests.rules.table import lay

GOOD = str(lay("7C/9hJC", "AD", "8SA@1.5,9SB/JH", reserves=("9c8d", "#3")))


def test_a_position_is_one_line_that_people_can_read() -> None:
    text = str(lay("7C/9hJC", "AD/xxKS", "8SA@1.5/JHB", reserves=("9c8d", "#26")))
    assert text == ("house A=play;7C/9hJC/-/-/-;9c8d B=play;AD/xxKS/-/-/-;#26 C=" + "??," * 16 + "8SA@1.5/JHB")
    assert write_position(parse_position(text)) == text


def test_a_new_game_is_written_short() -> None:
    assert str(start(build("sv"))) == "sv A=dealing;;-;gathered=#26 B=dealing;;-;gathered=#26 C=-/-"


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("", "begins with its ruleset"),
        ("hause A=x", "there is no preset 'hause'"),
        ("house A=play;7C;-", "lacks B="),
        (GOOD + " A=play;-;-", "gives A twice"),
        (GOOD + " colour=red", "'colour=red' is no part of a position"),
        (GOOD + " due=X", "cannot be read at 'X'"),
        (GOOD + " home=11", "go to different piles"),
        (GOOD + " home=3", "centre piles are 1 and 2"),
        (GOOD + " landed=0", "centre piles are 1 and 2"),
        (GOOD + " owed=A:7C:A1:late", "from one zone to another"),
        (GOOD + " owed=A:7C:A1>A9:late", "there is no zone 'A9'"),
        (GOOD + " owed=A:7C:C1>A1:rude", "'rude' is no reason"),
        (GOOD + " owed=A:7C:C1>A1:late", "7C is owed from C1 and does not lie there"),
        (GOOD + " owed=A:7C", "4 parts"),
        (GOOD + " claims=A:B:1:-", "a pile or - for each of two seats"),
        (GOOD + " ended=one:A:x", "'one' is no count"),
        (GOOD.replace("7C", "7X"), "'7X' in '7X' is no card"),
        (GOOD.replace("7C", "8S"), "8S is in A1 and in another place too"),
        (GOOD.replace("9c8d", "9c"), "there are 51 cards"),
        (GOOD.replace("play;7C", "plays;7C"), "'plays' is no phase"),
        (GOOD.replace("play;7C/", "play;"), "51 cards"),
        (GOOD.replace("play;7C", "play;-/7C"), "at most 5"),
        (GOOD.replace(";9c8d", ""), "a side is phase;stock;reserve"),
        (GOOD.replace(";9c8d", ";9c8d;age=4"), "'age' is no part of a side"),
        (GOOD.replace(";9c8d", ";9c8d;score=-1"), "'-1' is no count"),
        (GOOD.replace(";9c8d", ";9c8d;locked=soon"), "'soon' is no time"),
        (GOOD.replace(";9c8d", ";9c8d;locked=inf"), "'inf' is no time"),
        (GOOD.replace(";9c8d", ";9c8d;pool=9h"), "is somewhere else"),
        (GOOD.replace(";9c8d", ";9c8d;pool=2h"), "more unseen cards than there are"),
        (GOOD.replace("/JH", ""), "two places for centre piles"),
        (GOOD.replace("@1.5", "@late"), "'late' is no time"),
        (GOOD.replace("8SA", "8SX"), "cannot be read at 'X'"),
    ],
)
def test_a_wrong_position_is_refused_with_a_sentence(wrong: str, says: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011  # the sentence is what is tested
        parse_position(wrong)
    assert says in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "A play 9H A4 C1",
        "A play 9H A4 C1 @4.187",
        "A play QH A1 C2 @8.9009 !two_cards",
        "B fill KH B5 B1 !two_hands",
        "B spit JH BR C2 @2.7985",
        "A turn_up 7H A3",
        "A take_back 9S C2 A3 @0.0",
        "A stack JC A2 A3 @1e-05",
        "A play ?? AH C1",
        "B touch A4",
        "A slap C1",
        "B claim C2",
        "both call spit @2.0",
        "A call pass",
        "deal A:QH/9hJC/xx??/-/-:khxx9d B:#3".replace(" B:#3", " B:AD/xxKS:#9 @38.7"),
        "deal B:AD/xxKS:-",
        "deal A::#5",
    ],
)
def test_an_action_survives_being_written_and_read(text: str) -> None:
    assert str(parse_action(text)) == text


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("", "needs a seat and a kind"),
        ("A", "is no action"),
        ("@3", "needs a seat and a kind"),
        ("C play 9H A4 C1", "'C' is no seat"),
        ("both play 9H A4 C1", "'both' is no seat"),
        ("A jump 9H A4 C1", "'jump' is no kind of action; there are play"),
        ("A play 9H A4", "is not how play is written: SEAT play CARD FROM TO"),
        ("A play 9X A4 C1", "there is no card '9X'"),
        ("A play 9H A6 C1", "there is no zone 'A6'"),
        ("A play 9H A4 C1 @soon", "'@soon' is no time"),
        ("A play 9H A4 C1 @1e999", "is no time"),
        ("A play 9H A4 C1 !rudely", "'rudely' is no manner"),
        ("A call hello", "'hello' is no call; the calls are spit, pass"),
        ("A slap A1", "of a centre pile"),
        ("deal", "a deal is to somebody"),
        ("deal A:7C", "is not how a deal is written"),
        ("deal A:7C:- A:7C:-", "dealt to twice"),
        ("deal A:7:-", "'7' in '7' is no card"),
        ("deal A:7C//9H:-", "a gap is written -"),
    ],
)
def test_a_wrong_action_is_refused_with_a_sentence(wrong: str, says: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011  # the sentence is what is tested
        parse_action(wrong)
    assert says in str(error.value)


def test_capital_suits_lie_face_up_and_small_ones_face_down() -> None:
    down, up, unseen, unread = parse_pile("9hJCxx??")
    assert (down.card, down.up) == (Card("9H"), False)
    assert (up.card, up.up) == (Card("JC"), True)
    assert (unseen.card.known, unseen.up) == (False, False)
    assert (unread.card.known, unread.up) == (False, True)


def test_cards_nobody_sees_can_be_counted_instead_of_named() -> None:
    assert parse_cards("#11") == parse_cards("xx" * 11)
    assert parse_cards("-") == ()


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("house,wrap", "'wrap' is no setting; write key=value"),
        ("house,wrap=1", "wrap cannot be '1'; its values are true, false"),
        ("house,layout=triangle6", "its values are triangle5, triangle4, eleven_plus_four, hand5, single10_hand"),
        ("house,colour=red", "there is no rule key 'colour'; the keys are layout, round_model"),
        ("house,late_window=9", "a number of seconds from 0 to 2"),
        ("house,call_word=spit now", "one word"),
        ("house,layout=hand5,reserve_place=hand", "layout=hand5 and reserve_place=hand do not go together"),
        ("house,layout=triangle4,layout=hand5", "layout=triangle4 and layout=hand5 exclude each other"),
        ("house,must_play=true,mutual_pass=allowed", "must_play=true and mutual_pass=allowed do not go together"),
        ("house,round_model=finisher_only,pile_claim=slap_race", "do not go together"),
        ("house,layout=single10_hand,same_rank_stack=true", "do not go together"),
    ],
)
def test_a_wrong_ruleset_is_refused_naming_keys_and_values(wrong: str, says: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011  # the sentence is what is tested
        parse_ruleset(wrong)
    assert says in str(error.value)


def test_what_follows_from_a_key_need_not_be_said() -> None:
    assert build("pt", {"layout": "hand5"}).reserve_place == "table"
    assert build("pt", {"layout": "single10_hand"}).scoring == "gain_25"
    assert build("house", {"round_model": "finisher_only"}).pile_claim == "first_hand"
    assert build("house", {"must_play": True}).mutual_pass == "refused"


def test_a_value_said_against_what_would_follow_is_kept_in_the_text() -> None:
    rules = build("pt", {"layout": "single10_hand", "scoring": "none"})
    assert str(rules) == "pt,layout=single10_hand,scoring=none"
    assert parse_ruleset(str(rules)) == rules


def test_a_number_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="late_window cannot be 'soon'; it is a number of seconds from 0 to 2"):
        build("house", {"late_window": "soon"})
