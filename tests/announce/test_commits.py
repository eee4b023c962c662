"""What is said of the decoder's commits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.announce.announcement import Level, Priority
from referee.announce.commits import OLD_SECONDS, commit_announcements, commit_settles
from referee.announce.phrases import Language
from referee.announce.telling import SPIT
from referee.rules import Position, parse_action, parse_position, step
from referee.table import Seat
from referee.tracking import commits
from referee.tracking.commits import Commit

TABLE = parse_position("house A=play;9H/JC3S/-/-/-;#20 B=play;TC/4D/-/-/-;#19 C=8SA,7CA/JHB,TSB,9DA,8HB,9CA,TDB")


def _action(text: str, position: Position = TABLE, what: str = commits.ACTION, corrects: int | None = None) -> Commit:
    after = step(position, parse_action(text))
    return Commit(
        3, what, after.ruling.action, after.ruling, position, after.position, 0.9, 1.0, 1.0, 1.0, 1.4, corrects=corrects
    )


def _state(what: str, **more: Any) -> Commit:
    return Commit(4, what, None, None, TABLE, TABLE, 1.0, 2.0, 2.0, 2.0, 2.4, **more)


def _said(commit: Commit, level: Level = Level.ALL, corrected: Commit | None = None) -> list[str]:
    told = commit_announcements(commit, Language.ENGLISH, ("Ada", "Bo"), level, corrected=corrected)
    return [one.text for one in told]


def test_actions_and_what_settles_them() -> None:
    fault = _action("A play 9H A1 C1")
    assert _said(fault, Level.FAULTS) == ["Ada: nine does not go on seven."]
    back = _action("A take_back 9H C1 A1", fault.after)
    assert commit_settles(back) == ("card 9H",)


def test_a_card_on_a_pile_right_or_wrong_ends_the_wait_for_spit_unless_it_was_ruled_on_before() -> None:
    for text in ("A play 9H A1 C1", "A play 9H A1 C2"):
        assert commit_settles(_action(text)) == (SPIT,)
        assert commit_settles(_action(text, what=commits.CORRECTION, corrects=2)) == ()


def test_corrections() -> None:
    fault, play = _action("A play 9H A1 C1"), _action("A play 9H A1 C2", what=commits.CORRECTION, corrects=3)
    assert _said(play, corrected=fault) == ["Correction. Ada: the nine stands."]
    assert _said(_state(commits.CORRECTION, corrects=3), corrected=fault) == ["Correction. Ada: no fault."]
    assert _said(_state(commits.CORRECTION, corrects=3)) == []


def test_corrections_are_told_of_what_they_correct() -> None:
    fault, play = _action("A play 9H A1 C1"), _action("A play 9H A1 C2", what=commits.CORRECTION, corrects=3)
    (told,) = commit_announcements(fault, Language.ENGLISH, ("Ada", "Bo"), Level.ALL)
    later = replace(play, number=7)
    (corrected,) = commit_announcements(
        later, Language.ENGLISH, ("Ada", "Bo"), Level.ALL, corrected=fault, first=fault.number
    )
    assert corrected.replaces(told)
    assert not told.replaces(corrected)
    assert corrected.plainly() is None


def test_an_old_fault_gives_way_to_a_fresh_one() -> None:
    fresh = _action("A play 9H A1 C1")
    for wait, priority in ((OLD_SECONDS - 0.1, Priority.FAULT), (OLD_SECONDS + 0.1, Priority.PAST)):
        late = replace(fresh, t_said=fresh.t + wait)
        (told,) = commit_announcements(late, Language.ENGLISH, ("Ada", "Bo"), Level.ALL)
        assert told.priority is priority
    spit = replace(_state(commits.STALEMATE), t_said=60.0)
    assert commit_announcements(spit, Language.ENGLISH, ("Ada", "Bo"), Level.ALL)[0].priority is Priority.CALL


def test_states() -> None:
    assert _said(_state(commits.STALEMATE), Level.FAULTS) == ["Spit!"]
    assert _said(_state(commits.ROUND_OVER, winner=Seat.B, detail="stock_empty")) == [
        "Bo clears the layout. Round over."
    ]
    assert _said(_state(commits.GAME_OVER, winner=Seat.B, detail="no_cards")) == [
        "Bo has no cards left and wins the game!"
    ]
    assert commit_settles(_state(commits.STALEMATE)) == ()


def test_what_keeps_from_seeing() -> None:
    assert _said(_state(commits.DISTURBED, detail="lights changed")) == ["The light changed. Please wait."]
    assert _said(_state(commits.DESYNC, detail="A1 cannot show what is seen there.")) == [
        "The table does not match my count. Please check the cards."
    ]
    healed = _state(commits.HEALED, detail="A1 shows 9H.")
    assert _said(healed, Level.FAULTS) == ["The table differs from my count: I go by what lies there now."]
    assert _said(healed, Level.OFF) == []
