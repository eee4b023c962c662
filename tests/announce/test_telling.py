"""What is said of what happens."""

from __future__ import annotations

from typing import Any

import pytest

from referee.announce.announcement import Level
from referee.announce.phrases import Language
from referee.announce.queue import SpeechQueue
from referee.announce.telling import Event, announcements, settled_topics
from referee.readings import Disturbance
from referee.rules import (
    Happening,
    Position,
    Reason,
    Remedy,
    Ruling,
    Verdict,
    judge,
    parse_action,
    parse_position,
    step,
)
from referee.rules.step import happenings
from referee.table import Seat

NAMES = ("Ada", "Bo")
TABLE = parse_position("house A=play;9H/JC3S/-/-/-;#20 B=play;TC/4D/-/-/-;#19 C=8SA,7CA/JHB,TSB,9DA,8HB,9CA,TDB")


def _said(
    event: Event | None, level: Level = Level.ALL, language: Language = Language.ENGLISH, **more: Any
) -> list[str]:
    return [one.text for one in announcements(event, language, NAMES, level, **more)]


def _judged(action: str, position: Position = TABLE) -> Ruling:
    return judge(position, parse_action(action))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (Language.ENGLISH, "Ada: nine does not go on seven."),
        (Language.PORTUGUESE, "Ada: o nove não vai sobre o sete."),
        (Language.POLISH, "Ada: dziewiątka nie pasuje do siódemki."),
        (Language.SWEDISH, "Ada: nian passar inte på sjuan."),
    ],
)
def test_a_fault_is_one_short_sentence(language: Language, said: str) -> None:
    assert _said(_judged("A play 9H A1 C1"), Level.FAULTS, language) == [said]


def test_levels() -> None:
    fault, play = _judged("A play 9H A1 C1"), _judged("A play 9H A1 C2")
    assert _said(play) == ["Ada: nine."]
    assert _said(play, Level.FAULTS) == []
    assert _said(fault, Level.OFF) == []
    assert _said(Happening("stalemate"), Level.FAULTS) == ["Spit!"]


def test_spitting_too_soon_names_who_can_go_on() -> None:
    assert _said(_judged("B call spit")) == ["Bo, not yet: Ada can play the nine."]
    assert _said(_judged("both call spit", parse_position(f"{TABLE}".replace("house", "house,mutual_pass=refused"))))[
        0
    ].startswith("Ada and Bo, not yet:")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (Language.ENGLISH, "Ada, not yet: you can play the nine."),
        (Language.PORTUGUESE, "Ada, ainda não: você pode jogar o nove."),
        (Language.POLISH, "Ada, jeszcze nie: możesz zagrać dziewiątkę."),
        (Language.SWEDISH, "Ada, inte än: du kan lägga nian."),
    ],
)
def test_spitting_though_one_can_go_on_oneself_is_told_as_such(language: Language, said: str) -> None:
    assert _said(_judged("A call spit"), Level.FAULTS, language) == [said]


def test_no_hint_keeps_it_back() -> None:
    position = parse_position(f"{TABLE}".replace("house", "house,no_hint=true"))
    assert _said(_judged("B call spit", position)) == ["Bo, not yet: somebody can still play."]


def test_every_reason_is_told_from_a_file_that_gives_no_more_than_the_reason() -> None:
    for reason in Reason:
        event = {"kind": "event", "t": 1.0, "action": "play", "seat": "B", "card": "9H", "from": "B1", "to": "C1"}
        said = _said({**event, "verdict": "illegal", "reason": reason.value})
        assert len(said) == 1, reason
        assert said[0].startswith("Bo"), reason


def test_every_case_the_law_tells_apart_is_told() -> None:
    from referee.rules import ruling as rulings

    cases = [(Reason.WRONG_ORDER, note) for note in rulings._PHASES]
    cases += [(Reason.WRONG_PILE, note) for note in rulings._PILES]
    cases += [(Reason.NO_GAP, note) for note in rulings._GAPS]
    action = parse_action("B play 9H B1 C1")
    said = {
        case: _said(Ruling(action, Verdict.ILLEGAL, case[0], remedy=Remedy.WARNING, note=case[1]))[0] for case in cases
    }
    assert len(set(said.values())) == len(cases)


def test_what_players_could_not_know_follows_the_fault() -> None:
    action = parse_action("B play 9H B1 C1")
    locked = Ruling(action, Verdict.ILLEGAL, Reason.NOT_TOP, remedy=Remedy.LOCKOUT)
    assert _said(locked) == ["Bo: nine is not on top.", "Bo has to wait."]
    slapped = Ruling(parse_action("B slap C1"), Verdict.ILLEGAL, Reason.EARLY_SLAP, remedy=Remedy.FIRST_CHOICE)
    assert _said(slapped) == ["Bo: too early to slap.", "Ada will choose first."]


def test_a_card_put_right_settles_its_fault() -> None:
    played = step(TABLE, parse_action("A play 9H A1 C1"))
    (told,) = announcements(played.ruling, Language.ENGLISH, NAMES, Level.FAULTS)
    back = judge(played.position, parse_action("A take_back 9H C1 A1"))
    assert back.correction
    assert settled_topics(back) == (told.topic,)
    assert _said(back) == ["Ada puts it right."]
    assert _said(back, Level.FAULTS) == []


def test_a_card_nobody_could_read_is_settled_by_its_place() -> None:
    fault = {"t": 1.0, "action": "play", "seat": "B", "card": "??", "from": "B1", "to": "C1"}
    (told,) = announcements(
        {**fault, "verdict": "illegal", "reason": "two_cards"}, Language.ENGLISH, NAMES, Level.FAULTS
    )
    back = {"t": 2.0, "action": "take_back", "seat": "B", "card": "??", "from": "C1", "to": "B1", "verdict": "legal"}
    assert settled_topics({**back, "correction": True}) == (told.topic,)
    assert settled_topics(back) == ()


def test_two_cards_at_once_are_one_fault() -> None:
    queue = SpeechQueue()
    for card, source in (("9S", "A3"), ("QH", "A1")):
        event = {"t": 8.9, "action": "play", "seat": "A", "card": card, "from": source, "to": "C2"}
        (told,) = announcements(
            {**event, "verdict": "illegal", "reason": "two_cards"}, Language.ENGLISH, NAMES, Level.FAULTS
        )
        queue.put(told, 0.0)
    assert [one.text for one in queue.waiting] == ["Ada: two cards at once."]


STUCK = parse_position("house A=play;9H/-/-/-/-;#24 B=play;4D/-/-/-/-;#22 C=JSA,7CA/JHB,QDB")


def test_spit_is_called_for_both_or_for_the_one_who_can() -> None:
    assert _said(Happening("stalemate"), position=STUCK) == ["Spit!"]
    alone = parse_position("house A=play;9H/-/-/-/-;#46 B=play;4D/-/-/-/-;- C=JSA,7CA/JHB,QDB")
    assert _said(Happening("stalemate"), position=alone) == ["Ada, spit!"]
    assert _said(Happening("stalemate"), language=Language.SWEDISH, position=alone) == ["Ada, spotta!"]


def test_a_stalemate_that_ends_the_round_is_no_call_to_spit() -> None:
    before = parse_position(
        "house A=play;xxxxxx9H/xxxxxx9S/xxxxxx9D/xxxxxx9C/xxxxxxxx;- "
        "B=play;xxxxxx8H/xxxxxx8S/xxxxxx8D/xxxxxx8C/xxxxxx5C;- C=??A,??A,??A,??A,??A,2CA/??B,??B,??B,??B,??B,2DB"
    )
    turned = step(before, parse_action("A turn_up 5H A5")).position
    found = happenings(before, turned)
    assert [one.kind for one in found] == ["stalemate", "round_over"]
    said = [text for one in found for text in _said(one, position=turned)]
    assert said[0] == "Both are stuck and the reserves are gone. Round over."
    assert "Spit!" not in said


def test_ends_of_rounds_and_games() -> None:
    assert _said(Happening("round_over", Seat.B, "stock_empty")) == ["Bo clears the layout. Round over."]
    assert _said(Happening("round_over", None, "no_reserve")) == [
        "Both are stuck and the reserves are gone. Round over."
    ]
    assert _said(Happening("round_over", None, "passed")) == ["Nobody goes on. Round over."]
    assert _said(Happening("round_over", Seat.A, "passed")) == ["Ada wins the round."]
    assert _said(Happening("game_over", Seat.A, "no_cards")) == ["Ada has no cards left and wins the game!"]
    assert _said(Happening("game_over", None, "fewer_cards")) == ["The game is a draw."]
    assert _said({"t": 9.0, "action": "game_over", "winner": "B", "reason": "score"}) == ["Bo wins the game!"]


def test_a_cleared_layout_opens_the_claim_and_the_claim_tells_the_size() -> None:
    before = parse_position("house A=play;9H/-/-/-/-;#20 B=play;4D/KS/-/-/-;#21 C=8SA,7CA/JHB,TSB,9DA,8HB,9CA,TDB")
    cleared = step(before, parse_action("A play 9H A1 C2")).position
    found = happenings(before, cleared)
    assert [text for one in found for text in _said(one, position=cleared)] == [
        "Ada clears the layout. Round over.",
        "Slap a pile!",
    ]
    slapped = step(cleared, parse_action("A slap C1"))
    assert settled_topics(slapped.ruling) == ("claim",)
    claim = judge(slapped.position, parse_action("A claim C1"))
    assert _said(claim, position=slapped.position) == ["Ada takes the pile of two cards."]
    assert _said(claim) == ["Ada takes a pile."]


def test_a_finisher_who_chooses_is_named() -> None:
    before = parse_position("sv A=play;9H/-/-/-/-;#20 B=play;4D/KS/-/-/-;#21 C=8SA,7CA/JHB,TSB,9DA,8HB,9CA,TDB")
    cleared = step(before, parse_action("A play 9H A1 C2")).position
    said = [text for one in happenings(before, cleared) for text in _said(one, position=cleared)]
    assert said == ["Ada clears the layout. Round over.", "Ada chooses a pile."]


def test_scores_are_told_after_a_round() -> None:
    before = parse_position(
        "house,scoring=penalty_100 A=play;9H/-/-/-/-;#20 B=play;4D/KS/-/-/-;#21 C=8SA,7CA/JHB,TSB,9DA,8HB,9CA,TDB"
    )
    cleared = step(before, parse_action("A play 9H A1 C2")).position
    said = [text for one in happenings(before, cleared) for text in _said(one, position=cleared)]
    assert said[1].startswith("Score: Ada ")


def test_what_disturbs_is_told() -> None:
    assert _said(Disturbance("camera moved", 1.0, 2.0), Level.FAULTS) == ["The camera moved. Please wait."]
    assert _said(Disturbance("earthquake", 1.0, 2.0)) == ["The table was disturbed. Please wait."]
    assert _said({"t": 1.0, "action": "disturbed", "what": "cards swept"}) == [
        "Cards were swept away. Stop and put them right."
    ]


def test_doubt_is_told() -> None:
    unread = parse_position("house A=play;9H/-/-/-/-;#24 B=play;4D/-/-/-/-;#23 C=??A/JHB,QDB")
    assert _said(_judged("A play 9H A1 C1", unread)) == ["Ada: I cannot see whether nine fits."]
    unseen = Ruling(parse_action("A call spit"), Verdict.UNDECIDED, note="unseen")
    assert _said(unseen) == ["I cannot see whether both are stuck."]


def test_only_what_changes_aloud_is_corrected() -> None:
    illegal, legal = _judged("A play 9H A1 C1"), _judged("A play 9H A1 C2")
    assert _said(legal, corrected=illegal) == ["Correction. Ada: the nine stands."]
    assert _said(None, corrected=illegal) == ["Correction. Ada: no fault."]
    assert _said(None, corrected=legal) == []
    assert _said(illegal, corrected=illegal) == []
    assert _said(legal, corrected=legal) == []


def test_only_an_accusation_is_taken_back_in_so_many_words() -> None:
    illegal, legal = _judged("A play 9H A1 C1"), _judged("A play 9H A1 C2")
    doubtful = Ruling(illegal.action, Verdict.UNDECIDED)
    assert _said(illegal, corrected=legal) == ["Ada: nine does not go on seven."]
    assert _said(illegal, corrected=doubtful) == ["Ada: nine does not go on seven."]
    assert _said(legal, corrected=doubtful) == ["Ada: the nine stands."]
    assert _said(None, corrected=doubtful) == []
    assert _said(doubtful, corrected=legal) == ["Ada: I cannot see whether nine fits."]
    assert _said(doubtful, corrected=illegal) == ["Correction. Ada: I cannot see whether nine fits."]


def test_rounds_are_told_when_both_deal() -> None:
    sizes = {"stock": [1, 2, 3, 4, 5], "reserve": 11}
    assert _said({"t": 0.0, "action": "deal", "round": 2, "sizes": {"A": sizes, "B": sizes}}) == ["Round two."]
    assert _said({"t": 0.0, "action": "deal", "round": 2, "sizes": {"A": sizes}}) == []
