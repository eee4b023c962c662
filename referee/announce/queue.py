"""What is said next: one announcement at a time, the most urgent first, and nothing that is no longer true.

The queue is pure: it is told the time and has neither threads nor sound.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.announce.announcement import Announcement, Priority


@dataclass(frozen=True, slots=True)
class _Waiting:
    announcement: Announcement
    due_by: float
    number: int

    @property
    def rank(self) -> tuple[int, int]:
        return (-self.announcement.priority, self.number)


class SpeechQueue:
    """The announcements that wait, and the one being said. All times are seconds of one clock that never goes back."""

    def __init__(self) -> None:
        self._waiting: list[_Waiting] = []
        self._speaking: _Waiting | None = None
        self._not_before: dict[tuple[object, ...], float] = {}
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
        """Let ``announcement`` wait its turn; False if the same words wait already or were begun just now."""
        words = _words(announcement)
        if now < self._not_before.get(words, now):
            return False
        if any(_words(one.announcement) == words and one.due_by >= now for one in self._waiting):
            return False
        self.withdraw(announcement.topic)
        self._number += 1
        self._waiting.append(_Waiting(announcement, now + announcement.expiry, self._number))
        return True

    def withdraw(self, topic: str) -> None:
        """Nothing on ``topic`` that still waits is worth saying any more."""
        if topic:
            self._waiting = [one for one in self._waiting if one.announcement.topic != topic]

    def interrupts(self, now: float) -> bool:
        """Whether what is being said should be cut short for what waits."""
        self._drop_expired(now)
        if self._speaking is None or not self._waiting:
            return False
        current = self._speaking.announcement.priority
        urgent = max(one.announcement.priority for one in self._waiting)
        return urgent > current and (urgent is Priority.CALL or current is Priority.COMMENTARY)

    def next(self, now: float) -> Announcement | None:
        """Begin the next announcement; None while one is being said, and when nothing waits."""
        self._drop_expired(now)
        if self._speaking is not None or not self._waiting:
            return None
        self._speaking = min(self._waiting, key=lambda one: one.rank)
        self._waiting.remove(self._speaking)
        announcement = self._speaking.announcement
        self._not_before = {words: until for words, until in self._not_before.items() if now < until}
        self._not_before[_words(announcement)] = now + announcement.pause
        return announcement

    def finished(self) -> None:
        """What was being said has been said, or was cut short."""
        self._speaking = None

    def unsaid(self) -> None:
        """What was being said was not heard: it waits again until it expires."""
        if self._speaking is not None:
            self._not_before.pop(_words(self._speaking.announcement), None)
            self._waiting.append(self._speaking)
            self._speaking = None

    def clear(self) -> None:
        """Nothing waits any more."""
        self._waiting.clear()

    def _drop_expired(self, now: float) -> None:
        self._waiting = [one for one in self._waiting if one.due_by >= now]


def _words(announcement: Announcement) -> tuple[object, ...]:
    return (announcement.language, announcement.keys, announcement.arguments)
