"""A camera as a source of frames: always the newest picture, and an account of those that did not come."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from referee.errors import UserError
from referee.vision.camera_feed import Capture, Clock, Feeder, Gap, Mailbox, Patience, Pause
from referee.vision.frames import Frame, FrameSource

log = logging.getLogger(__name__)

LOOK_S: Final = 0.1
"""How often a waiting reader looks whether the driver still answers."""

MOST_STUCK: Final = 3
"""Threads that may hang in drivers at a time before no further one is started."""

USUAL_PATIENCE: Final = Patience()


class Camera(FrameSource):
    """A camera that is watched: when it fails it is opened anew, and ``gaps`` tells the time that was lost.

    Pictures that came while the reader was busy are replaced by newer ones; they are counted in ``drops`` and not in
    the index. Times are whole milliseconds, as a recording keeps them, so that its replay sees the same.
    ``gaps``, ``drops``, ``rate`` and ``close`` may be used from other threads while ``read`` waits.
    """

    def __init__(
        self,
        name: str,
        open_capture: Callable[[], Capture],
        *,
        patience: Patience = USUAL_PATIENCE,
        clock: Clock = time.monotonic,
        pause: Pause = threading.Event.wait,
    ) -> None:
        """Open the camera and wait for its first picture.

        Args:
            name: what the user calls it.
            open_capture: opens the device, anew after each failure; raises `UserError` if it cannot. It is first
                called in the caller's thread, because macOS asks for permission only in the main one.
            clock: seconds that never run back; stamps the pictures.
            pause: waits for an event for so many seconds, and returns whether it is set.

        Raises:
            UserError: it cannot be opened or gives no picture.
        """
        self._name = name
        self._patience = patience
        self._clock = clock
        self._mailbox = Mailbox()
        self._origin: float | None = None
        self._last_ms = -1
        self._delivered = 0
        self._stuck: list[Feeder] = []
        capture = open_capture()
        self._mode = capture.mode
        self._new_feeder: Callable[[Capture | None], Feeder] = lambda opened: Feeder(
            self._mailbox, opened, open_capture, patience, clock, pause
        )
        deadline = clock() + patience.first
        self._start(capture)
        self._size = self._await_first(deadline)

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    @property
    def description(self) -> str:
        width, height = self._size
        return f"{self._name}, {width}x{height}, {self._mode}"

    @property
    def duration(self) -> None:
        return None

    @property
    def damage(self) -> str:
        gaps = self.gaps
        if not gaps:
            return ""
        times = "once" if len(gaps) == 1 else f"{len(gaps)} times"
        reasons = ", ".join(sorted({gap.reason for gap in gaps}))
        return f"{self._name} was lost {times}, first at {gaps[0].t_from:.2f} s: {reasons}"

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """Times without pictures since the first frame, oldest first, s; the last may still be open."""
        with self._mailbox.changed:
            gaps, origin = tuple(self._mailbox.gaps), self._origin
        if origin is None:
            return ()
        return tuple(
            replace(
                gap,
                t_from=max(round(gap.t_from - origin, 3), 0.0),
                t_to=None if gap.t_to is None else round(gap.t_to - origin, 3),
            )
            for gap in gaps
        )

    @property
    def drops(self) -> int:
        """Pictures since the first frame that came while the reader was busy."""
        with self._mailbox.changed:
            return self._mailbox.drops

    @property
    def rate(self) -> float:
        """Pictures a second that the camera gives, measured over the last few; 0 while there are none to measure."""
        with self._mailbox.changed:
            stamps = tuple(self._mailbox.stamps)
        if len(stamps) < 2 or stamps[-1] <= stamps[0]:
            return 0.0
        return (len(stamps) - 1) / (stamps[-1] - stamps[0])

    def read(self) -> Frame | None:
        """The newest picture that was not read yet; waits for it as long as it takes. None once closed.

        Raises:
            Exception: whatever ended the thread that fetches the pictures.
        """
        mailbox = self._mailbox
        with mailbox.changed:
            while mailbox.picture is None:
                if mailbox.closed:
                    return None
                if mailbox.error is not None:
                    raise mailbox.error
                self._watch_driver()
                mailbox.changed.wait(LOOK_S)
            stamp, image = mailbox.picture
            mailbox.picture = None
            if self._origin is None:
                self._origin = stamp
                mailbox.drops = 0
                mailbox.gaps = [gap for gap in mailbox.gaps if gap.t_to is None]
        self._last_ms = max(round((stamp - self._origin) * 1000), self._last_ms + 1)
        self._delivered += 1
        return Frame(self._delivered - 1, self._last_ms / 1000, image)

    def close(self) -> None:
        mailbox = self._mailbox
        with mailbox.changed:
            if mailbox.closed:
                return
            mailbox.closed = True
            mailbox.picture = None
            feeder = mailbox.feeder
            mailbox.changed.notify_all()
        if feeder is not None:
            feeder.leave.set()
            feeder.join(self._patience.farewell)
            if feeder.is_alive():
                log.warning("%s does not answer: it is let go when it does", self._name)

    def _start(self, capture: Capture | None) -> None:
        feeder = self._new_feeder(capture)
        with self._mailbox.changed:
            self._mailbox.feeder = feeder
        feeder.start()

    def _await_first(self, deadline: float) -> tuple[int, int]:
        mailbox = self._mailbox
        with mailbox.changed:
            while mailbox.size is None and mailbox.error is None and self._clock() < deadline:
                mailbox.changed.wait(LOOK_S)
            size, error = mailbox.size, mailbox.error
        if size is None:
            self.close()
            if error is not None:
                raise error
            raise UserError(
                f"{self._name} opens but gives no picture: unplug it and plug it in again, and close other programs "
                "that use it"
            )
        return size

    def _watch_driver(self) -> None:
        """Replace the thread if it hangs in the driver; called with the mailbox held."""
        feeder = self._mailbox.feeder
        asking_since = None if feeder is None else feeder.asking_since
        if feeder is None or asking_since is None or self._clock() - asking_since <= self._patience.silent:
            return
        self._mailbox.lose(feeder, asking_since, "it does not answer")
        self._stuck = [stuck for stuck in self._stuck if stuck.is_alive()]
        if len(self._stuck) < MOST_STUCK:
            self._stuck.append(feeder)
            feeder.leave.set()
            self._start(None)
