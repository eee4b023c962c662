"""The thread that fetches a camera's pictures, and the mailbox through which alone it speaks to the rest.

It is the one thread in this package. A camera's driver queues pictures that nobody fetches, so that whoever reads
it between other work sees the table late; and a driver may hang for ever in a call that nothing can interrupt.
"""

from __future__ import annotations

import logging
import threading
import zlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeAlias

from referee.errors import UserError
from referee.vision.frames import Image

log = logging.getLogger(__name__)

Clock: TypeAlias = Callable[[], float]
Pause: TypeAlias = Callable[[threading.Event, float], bool]

RATE_OVER: Final = 60
"""Pictures over which the rate is measured."""

BETWEEN_FAILURES_S: Final = 0.01
"""Pause after a picture that did not come, so that a dead device does not keep a core busy."""

EVERY_NTH_ROW: Final = 8
"""Rows compared to tell a picture that stands still: a sensor's noise shows in any of them."""


class Capture(Protocol):
    """An open camera."""

    @property
    def mode(self) -> str:
        """How it films, for the user."""

    def grab(self) -> bool:
        """Wait for the next picture; False if none came."""

    def retrieve(self) -> Image | None:
        """The picture that was grabbed, uint8 (height, width, 3) BGR, in memory of its own; None if there is none."""

    def release(self) -> None:
        """Let go of the device."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A time without pictures of the table.

    Attributes:
        t_from: when the last good picture was taken, s.
        t_to: when the next one was; None while the gap lasts.
        reason: why, as a clause for the user.
    """

    t_from: float
    t_to: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a camera is trusted, s.

    Attributes:
        first: until the first picture has to come.
        silent: without any picture until it is opened anew.
        frozen: with the same picture, byte for byte, until it is opened anew.
        retry: pause before it is opened anew; doubles with each failure up to ``longest_retry``.
        farewell: for the thread to end when the camera is closed.
    """

    first: float = 10.0
    silent: float = 2.0
    frozen: float = 2.0
    retry: float = 0.5
    longest_retry: float = 8.0
    farewell: float = 2.0


class Mailbox:
    """Holds the newest picture until it is taken. All of it belongs to whoever holds ``changed``.

    Attributes:
        changed: notified of a new picture, an error, and closing.
        picture: the newest picture and its stamp, or None once taken.
        size: width and height of all pictures, px; None before the first.
        drops: pictures that were replaced before anyone took them.
        stamps: those of the last pictures since the camera was opened.
        gaps: times without pictures, in stamps.
        error: what ended the thread.
        feeder: the thread whose pictures count; one that hung and comes back late is no longer heard.
        closed: no picture is wanted any more.
    """

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.picture: tuple[float, Image] | None = None
        self.size: tuple[int, int] | None = None
        self.drops = 0
        self.stamps: deque[float] = deque(maxlen=RATE_OVER)
        self.gaps: list[Gap] = []
        self.error: Exception | None = None
        self.feeder: Feeder | None = None
        self.closed = False

    def post(self, feeder: Feeder, stamp: float, image: Image) -> None:
        with self.changed:
            if feeder is not self.feeder or self.closed:
                return
            if self.size is None:
                self.size = (image.shape[1], image.shape[0])
            self.drops += self.picture is not None
            self.picture = (stamp, image)
            self.stamps.append(stamp)
            if self.gaps and self.gaps[-1].t_to is None:
                self.gaps[-1] = replace(self.gaps[-1], t_to=stamp)
            self.changed.notify_all()

    def lose(self, feeder: Feeder, since: float, reason: str) -> None:
        """Open a gap, unless one is open: its first reason is the one to tell."""
        with self.changed:
            if feeder is not self.feeder or self.closed:
                return
            self.stamps.clear()
            if self.size is not None and not (self.gaps and self.gaps[-1].t_to is None):
                self.gaps.append(Gap(since, None, reason))

    def fail(self, feeder: Feeder, error: Exception) -> None:
        with self.changed:
            if feeder is self.feeder:
                self.error = error
                self.changed.notify_all()


class Feeder(threading.Thread):
    """Fetches pictures until told to leave, and opens the camera anew when it gives none or always the same.

    Attributes:
        leave: set to end it; it ends once the driver's call returns, and lets go of the device itself.
        asking_since: clock time at which it asked the driver for a picture; None while it does not wait for one.
    """

    def __init__(
        self,
        mailbox: Mailbox,
        capture: Capture | None,
        open_capture: Callable[[], Capture],
        patience: Patience,
        clock: Clock,
        pause: Pause,
    ) -> None:
        super().__init__(name="camera", daemon=True)
        self.leave = threading.Event()
        self.asking_since: float | None = None
        self._mailbox = mailbox
        self._capture = capture
        self._open = open_capture
        self._patience = patience
        self._clock = clock
        self._pause = pause
        self._retry = patience.retry
        self._last_print = 0
        self._stands_still = False

    def run(self) -> None:
        try:
            while not self.leave.is_set():
                if self._capture is None:
                    self._open_again()
                else:
                    self._fetch(self._capture)
        except Exception as error:
            self._mailbox.fail(self, error)
        finally:
            self._let_go()

    def _open_again(self) -> None:
        if self._pause(self.leave, self._retry):
            return
        self._retry = min(2 * self._retry, self._patience.longest_retry)
        try:
            self._capture = self._open()
        except UserError as error:
            log.info("%s", error)

    def _let_go(self) -> None:
        capture, self._capture = self._capture, None
        if capture is not None:
            capture.release()

    def _lose(self, since: float, reason: str) -> None:
        self._let_go()
        self._mailbox.lose(self, since, reason)

    def _fetch(self, capture: Capture) -> None:
        """Post pictures until the camera fails."""
        heard = changed = self._clock()
        while not self.leave.is_set():
            self.asking_since = self._clock()
            grabbed = capture.grab()
            now = self._clock()
            self.asking_since = None
            image = capture.retrieve() if grabbed else None
            if image is None:
                if now - heard > self._patience.silent:
                    return self._lose(heard, "it gives no pictures")
                self._pause(self.leave, BETWEEN_FAILURES_S)
                continue
            heard = now
            width, height = image.shape[1], image.shape[0]
            if self._mailbox.size not in (None, (width, height)):
                return self._lose(now, f"its pictures have become {width}x{height}")
            fingerprint = zlib.crc32(image[::EVERY_NTH_ROW].tobytes())
            if fingerprint != self._last_print:
                self._last_print, changed, self._stands_still = fingerprint, now, False
            elif now - changed > self._patience.frozen:
                self._stands_still = True
                return self._lose(changed, "its picture stands still")
            if not self._stands_still:
                self._retry = self._patience.retry
                self._mailbox.post(self, now, image)
        return None
