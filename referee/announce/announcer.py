"""The announcer: says what it is given when its turn comes, in a thread and a process of its own.

Nothing that is called here ever waits for the voice. A voice that hangs is killed and started again; one that dies is
started again, and what it was saying is said again while it is worth it; one that cannot be is reported once.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from referee.announce.announcement import Announcement
from referee.announce.phrases import Language
from referee.announce.queue import SpeechQueue
from referee.announce.voice import GONE, WORKER, VoiceProcess

START_SECONDS: Final = 15.0
"""A voice that is not ready within this hangs."""
STOP_SECONDS: Final = 1.0
"""One that does not stop within this hangs."""
SECONDS_A_LETTER: Final = 0.12
SECONDS_A_PHRASE: Final = 3.0
"""A phrase that takes longer than so many seconds, and so many more for each letter, hangs."""
MOST_FAILURES: Final = 4
"""So many starts of the voice in a row without one phrase said, and it is given up."""
PAUSE_SECONDS: Final = 0.5
"""Before the voice is started again after its second failure in a row; doubled with each that follows."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Say:
    announcements: tuple[Announcement, ...]


@dataclass(frozen=True, slots=True)
class _Settle:
    topics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Heard:
    run: int
    message: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Close:
    by: float


class Announcer:
    """Says announcements one at a time. Use it as a context manager, or ``close`` it."""

    def __init__(
        self,
        language: Language,
        on_trouble: Callable[[str], None],
        on_started: Callable[[Announcement], None] | None = None,
        *,
        worker: Sequence[str] = WORKER,
    ) -> None:
        """Start the voice.

        Args:
            language: in which the first announcement is expected; one in another language costs a new start.
            on_trouble: told, on the announcer's thread, why nothing can be heard: once for each sentence.
            on_started: told, on the announcer's thread, that the first sound of an announcement has been played.
            worker: the command line of the speaking process.
        """
        self._language = language
        self._on_trouble = on_trouble
        self._on_started = on_started
        self._worker = worker
        self._inbox: queue.SimpleQueue[_Say | _Settle | _Heard | _Close] = queue.SimpleQueue()
        self._queue = SpeechQueue()
        self._process: VoiceProcess | None = None
        self._run = 0
        self._ready = False
        self._number = 0
        self._stopping = False
        self._deadline: float | None = None
        self._start_at = 0.0
        self._failures = 0
        self._closing: float | None = None
        self._told: set[str] = set()
        self._thread = threading.Thread(target=self._work, name="announcer", daemon=True)
        self._thread.start()

    def __enter__(self) -> Announcer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def say(self, announcements: Iterable[Announcement]) -> None:
        """Let them wait their turn. Returns at once."""
        self._inbox.put(_Say(tuple(announcements)))

    def settle(self, topics: Iterable[str]) -> None:
        """``topics`` are settled: see ``telling.settled_topics`` and ``SpeechQueue.settle``. Returns at once."""
        self._inbox.put(_Settle(tuple(topics)))

    def close(self, patience: float = 0.0) -> None:
        """Say what waits if that takes no longer than ``patience`` seconds, then end the voice."""
        self._inbox.put(_Close(time.monotonic() + patience))
        self._thread.join(patience + 5.0)

    def _work(self) -> None:
        while not self._closed():
            self._advance()
            try:
                message = self._inbox.get(timeout=self._time_left())
            except queue.Empty:
                continue
            self._take(message)
        if self._process is not None:
            self._process.end(0.5)

    def _closed(self) -> bool:
        if self._closing is None:
            return False
        idle = not self._queue.waiting and self._queue.speaking is None
        return idle or time.monotonic() >= self._closing or self._given_up

    @property
    def _given_up(self) -> bool:
        return self._failures >= MOST_FAILURES

    def _time_left(self) -> float | None:
        """Seconds until something has to be done though no message comes; None if nothing has."""
        times = [time for time in (self._deadline, self._closing) if time is not None]
        if self._process is None and not self._given_up:
            times.append(self._start_at)
        if self._queue.interrupts_at is not None and not self._stopping:
            times.append(self._queue.interrupts_at)
        return max(0.0, min(times) - time.monotonic()) if times else None

    def _take(self, message: _Say | _Settle | _Heard | _Close) -> None:
        match message:
            case _Say():
                for announcement in message.announcements:
                    self._queue.put(announcement, time.monotonic())
            case _Settle():
                for topic in message.topics:
                    self._queue.settle(topic, time.monotonic())
            case _Close():
                self._closing = message.by
            case _Heard() if message.run == self._run:
                self._hear(message.message)

    def _hear(self, message: dict[str, Any]) -> None:
        """An answer of the running voice; a phrase it does not name is not the one being said."""
        what, current = message.get("what"), message.get("id") == self._number
        speaking = self._queue.speaking
        if what == "ready":
            self._ready, self._deadline = True, None
        elif what == "failed":
            self._trouble(str(message.get("why")))
            if message.get("fatal"):
                self._failures = MOST_FAILURES
            elif current:
                self._finish()
        elif what == "started" and current and speaking is not None and self._on_started is not None:
            self._on_started(speaking)
        elif what == "done" and current:
            self._failures = 0
            self._finish()
        elif what == GONE:
            self._queue.unsaid()
            self._lose("the voice ended")

    def _finish(self) -> None:
        if self._stopping:
            self._queue.cut_short(time.monotonic())
        else:
            self._queue.finished()
        self._deadline, self._stopping = None, False

    def _trouble(self, why: str) -> None:
        if why not in self._told:
            self._told.add(why)
            self._on_trouble(why)

    def _lose(self, why: str) -> None:
        """The voice is no more; another is started, if that has any hope."""
        if self._process is not None:
            self._process.kill()
        self._process, self._ready, self._deadline, self._stopping = None, False, None, False
        # What the old one still has to say does not concern the new one.
        self._run += 1
        if self._given_up:
            return
        self._failures += 1
        _LOG.debug("%s, %d times in a row", why, self._failures)
        if self._given_up:
            self._trouble(f"{why} {MOST_FAILURES} times in a row: nothing more is said aloud")
            return
        self._start_at = time.monotonic() + (PAUSE_SECONDS * 2 ** (self._failures - 2) if self._failures > 1 else 0)

    def _advance(self) -> None:
        """Do what is due now."""
        now = time.monotonic()
        if self._deadline is not None and now >= self._deadline:
            self._queue.finished()
            self._lose("the voice hung")
        if self._given_up:
            self._queue.clear()
            return
        if self._process is None and now >= self._start_at:
            self._start(now)
        if not self._ready or self._process is None:
            return
        if self._queue.interrupts(now) and not self._stopping:
            self._process.stop(self._number)
            self._stopping, self._deadline = True, now + STOP_SECONDS
        announcement = self._queue.next(now)
        if announcement is not None:
            self._begin(self._process, announcement, now)

    def _start(self, now: float) -> None:
        run = self._run
        try:
            self._process = VoiceProcess(
                self._language, lambda message: self._inbox.put(_Heard(run, message)), self._worker
            )
        except OSError as error:
            self._trouble(f"the speaking process does not start: {error}")
            self._failures = MOST_FAILURES
        self._deadline = now + START_SECONDS

    def _begin(self, process: VoiceProcess, announcement: Announcement, now: float) -> None:
        if announcement.language is not self._language:
            # A voice keeps its language for life.
            self._language = announcement.language
            self._queue.unsaid()
            process.kill()
            self._process, self._ready = None, False
            self._run += 1
            self._start(now)
            return
        text = announcement.text
        self._number += 1
        self._deadline = now + SECONDS_A_PHRASE + SECONDS_A_LETTER * len(text)
        process.say(text, self._number)
