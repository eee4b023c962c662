"""What is said next: one announcement at a time, the most urgent first, and nothing that is no longer true.

The queue is pure: it is told the time and has neither threads nor sound.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from referee.announce.announcement import Announcement, Priority

PUT_RIGHT_SECONDS: Final = 1.5
"""A fault that was put right before the voice came to it is told for so long: players want to hear that it was seen,
and why it was one. Later it would be taken for the next."""

AT_ONCE_SECONDS: Final = 1.0
"""Two cards at once are two plays and one fault; what is done so long after the first is another."""

NOTICED_SECONDS: Final = 0.5
"""Of what is cut short sooner than this only the name was heard."""

UNDERSTOOD_SECONDS_A_LETTER: Final = 0.045
"""After so long three quarters of a sentence were heard: it is understood, and gives way to the next fault."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """One that waits or is being said.

    Attributes:
        announcement: what to say.
        due_by: when it is no longer worth beginning, s.
        number: its place among equally urgent ones.
        priority: how urgent it is by now.
        settled: whether players have put right what it tells.
        void: whether it is to be broken off as if it had never been begun.
        first_told: whether nothing that stands had been said on its subject when it was begun.
    """

    announcement: Announcement
    due_by: float
    number: int
    priority: Priority
    settled: bool = False
    void: bool = False
    first_told: bool = False

    @property
    def rank(self) -> tuple[int, int]:
        return (-self.priority, self.number)

    def put_right(self, now: float) -> _Waiting:
        """The same once the players have put it right."""
        due_by = min(self.due_by, now + PUT_RIGHT_SECONDS)
        return replace(self, due_by=due_by, priority=Priority.PAST, settled=True)


class SpeechQueue:
    """The announcements that wait, and the one being said. All times are seconds of one clock that never goes back."""

    def __init__(self) -> None:
        self._waiting: list[_Waiting] = []
        self._speaking: _Waiting | None = None
        self._begun = 0.0
        self._last: dict[tuple[object, ...], tuple[float, Announcement]] = {}
        """Words to when they were last begun, and of what."""
        self._told: set[int] = set()
        """First numbers of the subjects of which something was said that stands."""
        self._number = 0

    @property
    def speaking(self) -> Announcement | None:
        """What is being said."""
        return self._speaking.announcement if self._speaking else None

    @property
    def waiting(self) -> tuple[Announcement, ...]:
        """What waits, in the order in which it would be said."""
        return tuple(one.announcement for one in sorted(self._waiting, key=lambda one: one.rank))

    def put(self, announcement: Announcement, now: float) -> bool:
        """Let ``announcement`` wait its turn.

        It takes the place of what still waits on the same ruling. What corrects something that nobody heard is told
        plainly, or not at all if it only takes that back.

        Returns:
            False if it will not be said, or the same words wait already or were begun just now.
        """
        self._waiting = [one for one in self._waiting if not announcement.replaces(one.announcement)]
        self._take_back_unnoticed(announcement, now)
        subject = announcement.subject
        if subject is not None and subject.first not in self._told:
            plain = announcement.plainly()
            if plain is None:
                return False
            announcement = plain
        words = _words(announcement)
        if self._was_just_begun(announcement, now):
            return False
        if any(
            _words(one.announcement) == words and one.due_by >= now and one.priority >= announcement.priority
            for one in self._waiting
        ):
            return False
        self._withdraw(announcement.topic)
        self._number += 1
        due_by = now + announcement.expiry
        self._waiting.append(_Waiting(announcement, due_by, self._number, announcement.priority))
        return True

    def settle(self, topic: str, now: float) -> None:
        """What ``topic`` is about is settled: a fault gives way to others from now on, the rest need not be said."""
        faults = [one for one in self._waiting if one.announcement.outlasts and one.announcement.topic == topic]
        self._withdraw(topic)
        if topic:
            self._waiting += [one.put_right(now) for one in faults]
        current = self._speaking
        if topic and current is not None and current.announcement.outlasts and current.announcement.topic == topic:
            self._speaking = current.put_right(now)

    def interrupts(self, now: float) -> bool:
        """Whether what is being said should be cut short for what waits."""
        self._drop_expired(now)
        current = self._speaking
        if current is not None and current.void:
            return True
        if current is None or not self._waiting:
            return False
        if any(one.announcement.replaces(current.announcement) for one in self._waiting):
            return True
        if self._hurries:
            return now >= self._understood_at
        urgent = max(one.priority for one in self._waiting)
        return urgent > current.priority and (urgent >= Priority.PAST or current.priority is Priority.COMMENTARY)

    @property
    def interrupts_at(self) -> float | None:
        """When a fault that is being said gives way to one that waits, s; None if none does."""
        return self._understood_at if self._hurries else None

    @property
    def _hurries(self) -> bool:
        """Whether one fault waits for another, which need not be said to its last word then."""
        current = self._speaking
        if current is None or current.priority is not Priority.FAULT:
            return False
        return max((one.priority for one in self._waiting), default=None) is Priority.FAULT

    @property
    def _understood_at(self) -> float:
        assert self._speaking is not None
        return self._begun + UNDERSTOOD_SECONDS_A_LETTER * len(self._speaking.announcement.text)

    def next(self, now: float) -> Announcement | None:
        """Begin the next announcement; None while one is being said, and when nothing waits."""
        self._drop_expired(now)
        if self._speaking is not None or not self._waiting:
            return None
        self._speaking = min(self._waiting, key=lambda one: one.rank)
        self._waiting.remove(self._speaking)
        self._begun = now
        announcement = self._speaking.announcement
        subject = announcement.subject
        if subject is not None and subject.first not in self._told:
            self._speaking = replace(self._speaking, first_told=True)
        self._note(announcement)
        self._last = {words: last for words, last in self._last.items() if now < last[0] + last[1].pause}
        self._last[_words(announcement)] = (now, announcement)
        return announcement

    def finished(self) -> None:
        """What was being said has been said."""
        self._speaking = None

    def cut_short(self, now: float) -> None:
        """What was being said was cut short: it waits again while it is worth saying and was not understood."""
        current = self._speaking
        if current is None:
            return
        understood = now >= self._understood_at
        replaced = any(one.announcement.replaces(current.announcement) for one in self._waiting)
        if understood or replaced or current.settled or current.void or current.priority is Priority.COMMENTARY:
            self.finished()
        else:
            # Behind what has happened since.
            self._number += 1
            self._speaking = replace(current, number=self._number)
            self.unsaid()

    def unsaid(self) -> None:
        """What was being said was not heard: it waits again until it expires."""
        if self._speaking is not None:
            self._last.pop(_words(self._speaking.announcement), None)
            self._waiting.append(self._speaking)
            self._speaking = None

    def clear(self) -> None:
        """Nothing waits any more."""
        self._waiting.clear()

    def _was_just_begun(self, announcement: Announcement, now: float) -> bool:
        """Whether the same words were begun just now, of the same moment as far as that is known."""
        begun, last = self._last.get(_words(announcement), (float("-inf"), announcement))
        if now >= begun + announcement.pause:
            return False
        if announcement.subject is None or last.subject is None:
            return True
        return abs(announcement.subject.t - last.subject.t) < AT_ONCE_SECONDS

    def _withdraw(self, topic: str) -> None:
        if topic:
            self._waiting = [one for one in self._waiting if one.announcement.topic != topic]

    def _take_back_unnoticed(self, announcement: Announcement, now: float) -> None:
        """If what ``announcement`` replaces has hardly been begun, it is broken off as if it had never been."""
        current = self._speaking
        if current is None or not announcement.replaces(current.announcement):
            return
        if current.first_told and now - self._begun < NOTICED_SECONDS and announcement.subject is not None:
            self._told.discard(announcement.subject.first)
            self._speaking = replace(current, void=True)

    def _note(self, announcement: Announcement) -> None:
        """``announcement`` is heard: from now on what it tells has to be corrected aloud."""
        subject = announcement.subject
        if subject is not None and announcement.retracts:
            self._told.discard(subject.first)
        elif subject is not None and announcement.priority >= Priority.REMARK:
            self._told.add(subject.first)

    def _drop_expired(self, now: float) -> None:
        self._waiting = [one for one in self._waiting if one.due_by >= now]


def _words(announcement: Announcement) -> tuple[object, ...]:
    return (announcement.language, announcement.keys, announcement.arguments)
