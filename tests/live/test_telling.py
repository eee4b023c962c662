"""What a live game says of several commits that come at once, from a session that is told them."""

from __future__ import annotations

from dataclasses import replace

from referee.announce.announcement import Announcement, Level
from referee.announce.telling import SPIT
from referee.live.game import Step
from referee.live.refereeing import LiveSession
from referee.readings import Evidence
from referee.rules import Position, Ruling, Verdict, parse_action, parse_position
from referee.rules import step as judged
from referee.rules.ruleset import build
from referee.tracking import commits as said
from referee.tracking.commits import Commit
from tests.live.tables import nothing, painted_game
from tests.vision.painted import LAYOUT, view

TABLE = parse_position("house A=play;9H/JC3S/-/-/-;#20 B=play;TC/4D/-/-/-;#19 C=8SA,7CA/JHB,TSB,9DA,8HB,9CA,TDB")


class Ending(LiveSession):
    """Says what it was told at the end of its source."""

    def __init__(self, *made: Commit) -> None:
        super().__init__(build(), LAYOUT, view(), lambda seen: nothing(LAYOUT, seen))
        self._made = made

    def end(self) -> tuple[tuple[Evidence, ...], tuple[Commit, ...]]:
        return (), self._made


def _step(*made: Commit) -> Step:
    return painted_game(level=Level.FAULTS, session=Ending(*made)).finish()


def _told(*made: Commit) -> tuple[Announcement, ...]:
    return _step(*made).announcements


def _action(number: int, text: str, position: Position = TABLE) -> Commit:
    done = judged(position, parse_action(text))
    ruled = (done.ruling.action, done.ruling, position, done.position)
    return Commit(number, said.ACTION, *ruled, 0.9, 1.0, 1.0, 1.0, 1.4)


def _stalemate(number: int) -> Commit:
    return Commit(number, said.STALEMATE, None, None, TABLE, TABLE, 1.0, 1.0, 1.0, 1.0, 1.4)


def test_what_was_done_before_it_could_be_called_is_not_called_any_more() -> None:
    told = _told(_stalemate(0), _action(1, "A play 9H A1 C2"))
    assert told == ()
    told = _told(_stalemate(0), _action(1, "A play 9H A1 C1"))
    assert [one.text for one in told] == ["Ada: nine does not go on seven."]
    told = _told(_action(0, "A play 9H A1 C2"), _stalemate(1))
    assert [one.text for one in told] == ["Spit!"]


def test_a_fault_that_is_ruled_on_when_it_has_been_put_right_is_told_as_such() -> None:
    fault = _action(0, "A play 9H A1 C1")
    back = _action(1, "A take_back 9H C1 A1", fault.after)
    step = _step(fault, back)
    assert [one.text for one in step.announcements] == ["Ada: nine does not go on seven."]
    assert "card 9H" in step.settled
    assert "card 9H" not in _step(back, fault).settled


def test_what_is_announced_again_is_not_settled_by_what_came_before() -> None:
    ended, stuck = _step(_action(0, "A play 9H A1 C2")), _step(_stalemate(1))
    assert SPIT in ended.settled
    assert (ended + stuck).settled == ()
    assert (stuck + ended).settled == ended.settled
    assert _step(_action(0, "A play 9H A1 C2"), _stalemate(1)).settled == ()


def test_a_correction_is_told_of_the_first_ruling_it_corrects() -> None:
    fault = _action(4, "A play 9H A1 C1")
    assert fault.action is not None
    doubt = replace(fault, number=6, corrects=4, ruling=Ruling(fault.action, Verdict.UNDECIDED))
    first, second, third = _told(fault, doubt, replace(fault, number=9, corrects=6))
    assert second.replaces(first)
    assert third.replaces(first)
    assert third.replaces(second)
