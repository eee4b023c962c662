"""What is said next, told the time by the test."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from referee.announce.announcement import Announcement, Level, announce, is_wanted
from referee.announce.phrases import Argument, Language
from referee.announce.queue import SpeechQueue


def _say(key: str, topic: str = "", **arguments: Argument) -> Announcement:
    return announce(key, language=Language.ENGLISH, arguments={"who": "Bo", **arguments}, topic=topic)


PLAY = _say("commentary.fill", "commentary")
NEWS = _say("news.claim_bare")
FAULT = _say("fault.two_cards")
OTHER_FAULT = _say("fault.two_hands")
SPIT = _say("call.stalemate")


def test_the_most_urgent_is_said_first_and_equals_in_their_order() -> None:
    queue = SpeechQueue()
    for one in (PLAY, NEWS, FAULT, OTHER_FAULT, SPIT):
        assert queue.put(one, 0.0)
    said = []
    while (one := queue.next(0.0)) is not None:
        said.append(one)
        queue.finished()
    assert said == [SPIT, FAULT, OTHER_FAULT, NEWS, PLAY]


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


def test_a_fault_put_right_is_not_said() -> None:
    queue = SpeechQueue()
    fault = _say("fault.late", "card 9H")
    queue.put(fault, 0.0)
    queue.put(FAULT, 0.0)
    queue.withdraw("card 9H")
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


def test_a_fault_interrupts_commentary_and_waits_for_news() -> None:
    queue = SpeechQueue()
    queue.put(PLAY, 0.0)
    queue.next(0.0)
    queue.put(FAULT, 0.0)
    assert queue.interrupts(0.0)
    queue.finished()
    queue.next(0.0)
    queue.put(SPIT, 0.0)
    assert not queue.interrupts(SPIT.expiry + 1)


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
_STEPS = st.lists(st.tuples(st.floats(0, 0.5), _SOME | st.sampled_from(["next", "done", "withdraw"])), max_size=60)


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
        elif step == "withdraw":
            queue.withdraw("card 9H")
            assert all(one.topic != "card 9H" for one in queue.waiting)
        elif queue.speaking is None and (one := queue.next(now)) is not None:
            assert now <= handed_over.pop(one.keys) + one.expiry
            assert all(other.priority <= one.priority for other in queue.waiting)
        topics = [one.topic for one in queue.waiting if one.topic]
        assert len(topics) == len(set(topics))
