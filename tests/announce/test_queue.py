"""What is said next, told the time by the test."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.announce.announcement import Announcement, Level, Priority, Subject, announce, is_wanted
from referee.announce.phrases import Argument, Language
from referee.announce.queue import (
    AT_ONCE_SECONDS,
    NOTICED_SECONDS,
    PUT_RIGHT_SECONDS,
    UNDERSTOOD_SECONDS_A_LETTER,
    SpeechQueue,
)


def _say(key: str, topic: str = "", **arguments: Argument) -> Announcement:
    return announce(key, language=Language.ENGLISH, arguments={"who": "Bo", **arguments}, topic=topic)


PLAY = _say("commentary.fill", "commentary")
NEWS = _say("news.claim_bare")
FAULT = _say("fault.two_cards")
OTHER_FAULT = _say("fault.two_hands")
DOUBT = _say("undecided.other")
SPIT = _say("call.stalemate")


def test_the_most_urgent_is_said_first_and_equals_in_their_order() -> None:
    queue = SpeechQueue()
    for one in (PLAY, NEWS, DOUBT, FAULT, OTHER_FAULT, SPIT):
        assert queue.put(one, 0.0)
    said = []
    while (begun := queue.next(0.0)) is not None:
        said.append(begun)
        queue.finished()
    assert said == [SPIT, FAULT, OTHER_FAULT, DOUBT, NEWS, PLAY]


def test_one_at_a_time() -> None:
    queue = SpeechQueue()
    queue.put(FAULT, 0.0)
    queue.put(OTHER_FAULT, 0.0)
    assert queue.next(0.0) is FAULT
    assert queue.next(0.1) is None
    assert queue.speaking is FAULT
    queue.finished()
    assert queue.next(0.2) is OTHER_FAULT


def test_what_waited_too_long_is_not_said() -> None:
    queue = SpeechQueue()
    queue.put(PLAY, 0.0)
    assert queue.next(PLAY.expiry + 0.01) is None
    queue.put(FAULT, 10.0)
    assert queue.next(10.0 + FAULT.expiry) is FAULT


LATE = _say("fault.late", "card 9H", card="nine")


def test_a_fault_put_right_while_the_voice_was_busy_is_told_soon_or_never() -> None:
    for wait, said in ((PUT_RIGHT_SECONDS, LATE), (PUT_RIGHT_SECONDS + 0.01, None)):
        queue = SpeechQueue()
        queue.put(LATE, 0.0)
        queue.settle("card 9H", 0.1)
        assert queue.next(0.1 + wait) is said


def test_a_fault_put_right_is_told_no_later_than_any_other() -> None:
    queue = SpeechQueue()
    queue.put(LATE, 0.0)
    queue.settle("card 9H", LATE.expiry - 0.2)
    assert queue.next(LATE.expiry + 0.01) is None


def test_a_fault_put_right_gives_way_to_the_next_fault() -> None:
    queue = SpeechQueue()
    queue.put(LATE, 0.0)
    queue.settle("card 9H", 0.1)
    queue.put(FAULT, 0.2)
    assert queue.next(0.2) is FAULT
    queue = SpeechQueue()
    queue.put(LATE, 0.0)
    queue.next(0.0)
    queue.put(FAULT, 0.2)
    assert not queue.interrupts(0.2)
    queue.settle("card 9H", 0.3)
    assert queue.interrupts(0.3)


def test_a_fault_put_right_does_not_wait_for_less_than_a_fault() -> None:
    queue = SpeechQueue()
    queue.put(NEWS, 0.0)
    queue.next(0.0)
    queue.put(LATE, 0.0)
    queue.settle("card 9H", 0.0)
    assert queue.interrupts(0.0)


def test_the_same_fault_again_is_as_urgent_as_it_was_before_it_was_put_right() -> None:
    queue = SpeechQueue()
    queue.put(LATE, 0.0)
    queue.settle("card 9H", 0.1)
    assert queue.put(LATE, 0.2)
    queue.put(DOUBT, 0.2)
    assert queue.waiting == (LATE, DOUBT)
    assert queue.next(0.2 + LATE.expiry) is LATE


def test_what_is_settled_and_no_fault_is_not_said() -> None:
    queue = SpeechQueue()
    queue.put(_say("call.stalemate", "spit"), 0.0)
    queue.put(_say("undecided.other", "card 9H"), 0.0)
    queue.put(FAULT, 0.0)
    for topic in ("spit", "card 9H", ""):
        queue.settle(topic, 0.1)
    assert queue.waiting == (FAULT,)


def test_of_two_on_one_topic_the_later_is_said() -> None:
    queue = SpeechQueue()
    queue.put(_say("news.round_over_won", "end"), 0.0)
    over = _say("news.game_over", "end")
    queue.put(over, 0.0)
    assert queue.waiting == (over,)


def test_the_same_words_are_not_said_twice_at_once() -> None:
    queue = SpeechQueue()
    assert queue.put(FAULT, 0.0)
    assert not queue.put(FAULT, 0.1)
    queue.next(0.2)
    assert not queue.put(FAULT, 0.3)
    queue.finished()
    assert not queue.put(FAULT, 0.2 + FAULT.pause - 0.01)
    assert queue.put(FAULT, 0.2 + FAULT.pause)


def test_the_same_fault_of_the_same_moment_is_told_once_and_a_later_one_again() -> None:
    queue = SpeechQueue()
    queue.put(_ruled("fault.two_cards", 5, t=8.0), 0.0)
    queue.next(0.0)
    queue.finished()
    assert not queue.put(_ruled("fault.two_cards", 6, first=6, t=8.1), 1.7)
    assert queue.put(_ruled("fault.two_cards", 7, first=7, t=8.0 + AT_ONCE_SECONDS), 1.7)


def test_spit_may_be_due_again_soon_and_a_flickering_lamp_is_told_now_and_then() -> None:
    assert SPIT.pause < 1.5
    assert _say("trouble.lights_changed").pause >= 10


def test_spit_interrupts_everything_but_spit() -> None:
    for one in (PLAY, NEWS, FAULT):
        queue = SpeechQueue()
        queue.put(one, 0.0)
        queue.next(0.0)
        assert not queue.interrupts(0.0)
        queue.put(SPIT, 0.1)
        assert queue.interrupts(0.1)
    queue = SpeechQueue()
    queue.put(_say("call.agreed"), 0.0)
    queue.next(0.0)
    queue.put(SPIT, 0.1)
    assert not queue.interrupts(0.1)


def test_a_fault_interrupts_all_but_faults_and_spit() -> None:
    for one in (PLAY, NEWS, DOUBT, OTHER_FAULT, SPIT):
        queue = SpeechQueue()
        queue.put(one, 0.0)
        queue.next(0.0)
        queue.put(FAULT, 0.0)
        assert queue.interrupts(0.0) == (one not in (OTHER_FAULT, SPIT))


def test_a_fault_interrupts_a_fault_that_is_understood() -> None:
    queue = SpeechQueue()
    queue.put(FAULT, 3.0)
    queue.next(3.0)
    assert queue.interrupts_at is None
    queue.put(OTHER_FAULT, 3.1)
    understood = 3.0 + UNDERSTOOD_SECONDS_A_LETTER * len(FAULT.text)
    assert queue.interrupts_at == understood
    assert not queue.interrupts(understood - 0.01)
    assert queue.interrupts(understood)
    queue.cut_short(understood)
    assert queue.waiting == (OTHER_FAULT,)


def test_news_and_doubts_interrupt_commentary_only() -> None:
    for one in (PLAY, NEWS, DOUBT, FAULT):
        queue = SpeechQueue()
        queue.put(one, 0.0)
        queue.next(0.0)
        queue.put(_say("undecided.stuck"), 0.0)
        assert queue.interrupts(0.0) == (one is PLAY)


def test_what_has_expired_interrupts_nothing() -> None:
    queue = SpeechQueue()
    queue.put(NEWS, 0.0)
    queue.next(0.0)
    queue.put(SPIT, 0.0)
    assert not queue.interrupts(SPIT.expiry + 1)


def test_what_a_fault_cut_short_is_said_after_it_unless_it_is_commentary() -> None:
    for one, again in ((PLAY, None), (NEWS, NEWS), (DOUBT, DOUBT)):
        queue = SpeechQueue()
        queue.put(one, 0.0)
        queue.next(0.0)
        queue.put(FAULT, 0.1)
        queue.cut_short(0.1)
        assert queue.next(0.1) is FAULT
        queue.finished()
        assert queue.next(0.2) is again


@pytest.mark.parametrize("one", [FAULT, DOUBT, NEWS])
def test_what_was_cut_short_near_its_end_is_not_said_again(one: Announcement) -> None:
    most = UNDERSTOOD_SECONDS_A_LETTER * len(one.text)
    for seconds, again in ((most / 2, one), (most, None)):
        queue = SpeechQueue()
        queue.put(one, 0.0)
        queue.next(0.0)
        queue.put(SPIT, seconds)
        queue.cut_short(seconds)
        assert queue.next(seconds) is SPIT
        queue.finished()
        assert queue.next(seconds) is again


def test_a_fault_that_was_cut_short_is_said_after_those_that_came_since() -> None:
    queue = SpeechQueue()
    queue.put(LATE, 0.0)
    queue.next(0.0)
    queue.put(FAULT, 0.1)
    queue.put(SPIT, 0.2)
    queue.cut_short(0.2)
    assert queue.waiting == (SPIT, FAULT, LATE)


def test_a_fault_put_right_that_was_cut_short_is_not_said_again() -> None:
    queue = SpeechQueue()
    queue.put(LATE, 0.0)
    queue.next(0.0)
    queue.settle("card 9H", 0.1)
    queue.put(SPIT, 0.2)
    queue.cut_short(0.2)
    assert queue.waiting == (SPIT,)


def _ruled(key: str, latest: int, lead: bool = False, first: int = 5, t: float = 1.0) -> Announcement:
    keys = ("correction.lead", key) if lead else (key,)
    return replace(
        announce(*keys, language=Language.ENGLISH, arguments={"who": "Bo"}, topic=f"card {latest}"),
        subject=Subject(first, latest, t),
    )


ACCUSED = _ruled("fault.two_cards", 5)
OTHERWISE = _ruled("fault.two_hands", 7, lead=True)
CLEARED = _ruled("correction.no_fault", 8, lead=True)


def test_a_correction_cuts_short_what_it_corrects() -> None:
    queue = SpeechQueue()
    queue.put(ACCUSED, 0.0)
    queue.next(0.0)
    queue.put(CLEARED, NOTICED_SECONDS)
    assert queue.interrupts(NOTICED_SECONDS)
    queue.cut_short(NOTICED_SECONDS)
    assert queue.next(NOTICED_SECONDS) is CLEARED
    queue.finished()
    assert queue.next(0.8) is None


def test_what_was_hardly_begun_is_broken_off_and_need_not_be_taken_back() -> None:
    for correction, instead in ((CLEARED, None), (OTHERWISE, ("fault.two_hands",))):
        queue = SpeechQueue()
        queue.put(ACCUSED, 0.0)
        queue.next(0.0)
        queue.put(correction, NOTICED_SECONDS - 0.1)
        assert queue.interrupts(NOTICED_SECONDS - 0.1)
        queue.cut_short(NOTICED_SECONDS)
        told = queue.next(NOTICED_SECONDS)
        assert (told.keys if told is not None else None) == instead


def test_what_was_said_before_is_taken_back_though_its_correction_was_hardly_begun() -> None:
    queue = SpeechQueue()
    queue.put(ACCUSED, 0.0)
    queue.next(0.0)
    queue.finished()
    queue.put(OTHERWISE, 2.0)
    queue.next(2.0)
    assert queue.put(CLEARED, 2.1)
    queue.cut_short(2.1)
    assert queue.next(2.1) is CLEARED


def test_a_correction_of_another_ruling_waits() -> None:
    queue = SpeechQueue()
    queue.put(ACCUSED, 0.0)
    queue.next(0.0)
    queue.put(_ruled("undecided.other", 9, first=6), 0.2)
    assert not queue.interrupts(0.2)


def test_a_correction_of_what_was_heard_is_told_though_all_was_put_right() -> None:
    queue = SpeechQueue()
    queue.put(ACCUSED, 0.0)
    queue.next(0.0)
    queue.finished()
    queue.put(replace(OTHERWISE, priority=Priority.PAST), 4.0)
    queue.settle(OTHERWISE.topic, 4.0)
    told = queue.next(4.0)
    assert told is not None
    assert told.keys == OTHERWISE.keys


def test_what_nobody_heard_is_not_corrected_but_told_right() -> None:
    queue = SpeechQueue()
    queue.put(ACCUSED, 0.0)
    queue.put(OTHERWISE, 0.1)
    (only,) = queue.waiting
    assert only.keys == ("fault.two_hands",)
    queue = SpeechQueue()
    queue.put(ACCUSED, 0.0)
    assert not queue.put(CLEARED, 0.1)
    assert queue.waiting == ()


def test_what_was_heard_once_is_corrected_in_so_many_words() -> None:
    queue = SpeechQueue()
    queue.put(ACCUSED, 0.0)
    queue.next(0.0)
    queue.finished()
    assert queue.put(OTHERWISE, 2.0)
    # The first sentence stands in the players' ears until something takes it back, whatever waited in between.
    assert queue.put(CLEARED, 2.1)
    assert queue.next(2.1) is CLEARED
    queue.finished()
    assert not queue.put(_ruled("correction.no_fault", 9, lead=True), 3.0)


def test_what_was_not_heard_waits_again_until_it_expires() -> None:
    queue = SpeechQueue()
    queue.put(FAULT, 0.0)
    queue.next(0.0)
    queue.unsaid()
    assert queue.next(1.0) is FAULT
    queue.unsaid()
    assert queue.next(FAULT.expiry + 0.1) is None


def test_levels() -> None:
    assert [is_wanted(one, Level.FAULTS) for one in (PLAY, NEWS, FAULT, SPIT)] == [False, False, True, True]
    assert all(is_wanted(one, Level.ALL) for one in (PLAY, NEWS, FAULT, SPIT))
    assert not any(is_wanted(one, Level.OFF) for one in (PLAY, NEWS, FAULT, SPIT))


_SOME = st.sampled_from(
    [PLAY, NEWS, FAULT, OTHER_FAULT, SPIT, _say("fault.late", "card 9H"), _say("fault.face_down", "card 9H")]
)
_STEPS = st.lists(st.tuples(st.floats(0, 0.5), _SOME | st.sampled_from(["next", "done", "settle"])), max_size=60)


@given(_STEPS)
def test_nothing_is_said_late_twice_or_after_something_less_urgent(
    steps: list[tuple[float, Announcement | str]],
) -> None:
    queue, now = SpeechQueue(), 0.0
    handed_over: dict[tuple[str, ...], float] = {}
    for pause, step in steps:
        now += pause
        if isinstance(step, Announcement):
            if queue.put(step, now):
                handed_over[step.keys] = now
        elif step == "done":
            queue.finished()
        elif step == "settle":
            queue.settle("card 9H", now)
        elif queue.speaking is None and (one := queue.next(now)) is not None:
            assert now <= handed_over.pop(one.keys) + one.expiry
            assert all(other.priority <= one.priority for other in queue.waiting)
        topics = [one.topic for one in queue.waiting if one.topic]
        assert len(topics) == len(set(topics))
