"""A recording that stands in for a camera: its pictures come at their own pace, and those nobody fetches are lost."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final

from referee.vision.camera_feed import RATE_OVER, Gap
from referee.vision.frames import Frame, FrameSource

LONGEST_WAIT: Final = 0.1
"""How often the thread looks whether it is still wanted, s."""


class FilmAsCamera(FrameSource):
    """Shows a recording as a camera would, from the moment on when its first picture is asked for.

    Times are those of the recording from its first picture shown on.

    The recording is closed with this.

    ``gaps``, ``drops``, ``rate`` and ``close`` may be used from other threads while ``read`` waits.
    """

    def __init__(self, film: FrameSource, clock: Callable[[], float] = time.monotonic) -> None:
        """Show ``film`` at the pace of ``clock``, which tells seconds that never run back."""
        self._film = film
        self._clock = clock
        self._changed = threading.Condition()
        self._picture: Frame | None = None
        self._delivered = 0
        self._drops = 0
        self._stamps: deque[float] = deque(maxlen=RATE_OVER)
        self._ended = False
        self._error: BaseException | None = None
        self._stopped = threading.Event()
        # Begun with the first reading: whatever else has to be made ready for a game costs no pictures.
        self._thread = threading.Thread(target=self._run, name="film", daemon=True)

    @property
    def size(self) -> tuple[int, int]:
        return self._film.size

    @property
    def description(self) -> str:
        return self._film.description

    @property
    def duration(self) -> float | None:
        return self._film.duration

    @property
    def damage(self) -> str:
        return self._film.damage

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """None: a recording does not fail as a camera does."""
        return ()

    @property
    def drops(self) -> int:
        """Pictures that came while the reader was busy."""
        with self._changed:
            return self._drops

    @property
    def rate(self) -> float:
        """Pictures a second that came of late; 0 while there are none to measure."""
        with self._changed:
            stamps = tuple(self._stamps)
        if len(stamps) < 2 or stamps[-1] <= stamps[0]:
            return 0.0
        return (len(stamps) - 1) / (stamps[-1] - stamps[0])

    def read(self) -> Frame | None:
        """The newest picture that was not read yet; waits for it. None at the end of the recording and once closed."""
        with self._changed:
            if self._thread.ident is None and not self._ended:
                self._thread.start()
            while self._picture is None:
                if self._error is not None:
                    raise self._error
                if self._ended:
                    return None
                self._changed.wait(LONGEST_WAIT)
            picture, self._picture = self._picture, None
        self._delivered += 1
        return Frame(self._delivered - 1, picture.t, picture.image)

    def close(self) -> None:
        self._stopped.set()
        with self._changed:
            unseen = self._thread.ident is None
            self._ended |= unseen
        if not unseen:
            self._thread.join()
        with self._changed:
            self._picture = None
        self._film.close()

    def _run(self) -> None:
        begun: float | None = None
        first_t = 0.0
        try:
            while not self._stopped.is_set() and (frame := self._film.read()) is not None:
                if begun is None:
                    begun, first_t = self._clock() - frame.t, frame.t
                while not self._stopped.is_set() and (early := begun + frame.t - self._clock()) > 0:
                    self._stopped.wait(min(early, LONGEST_WAIT))
                self._post(Frame(frame.index, round(frame.t - first_t, 6) if first_t else frame.t, frame.image))
        except BaseException as error:  # it is raised again where the pictures are read
            self._error = error
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _post(self, frame: Frame) -> None:
        with self._changed:
            self._drops += self._picture is not None
            self._picture = frame
            self._stamps.append(self._clock())
            self._changed.notify_all()
