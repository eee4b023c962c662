"""Frames of a source for somebody who has other things to do: a window to draw, keys to hear."""

from __future__ import annotations

import threading
from collections import deque
from types import TracebackType
from typing import Final, Protocol, Self

from referee.vision.camera_feed import Gap
from referee.vision.frames import Frame

AHEAD: Final = 8
"""So many frames at most wait to be looked at: a quarter of a second, as long as a game's first frame takes, in which
every zone is read and what does not move is learnt."""

FAREWELL_S: Final = 3.0
"""How long a source may take to notice that it was closed."""


class LiveSource(Protocol):
    """A camera, or what stands in for one."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of every picture, px."""

    @property
    def description(self) -> str:
        """What this is, for the user."""

    @property
    def damage(self) -> str:
        """What was wrong with the pictures so far; empty while nothing was."""

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """Times without pictures, s, oldest first."""

    @property
    def drops(self) -> int:
        """Pictures that came while the reader was busy."""

    @property
    def rate(self) -> float:
        """Pictures a second that come."""

    def read(self) -> Frame | None:
        """The newest picture that was not read yet; waits for it. None at the end and once closed."""

    def close(self) -> None:
        """Let go of it."""


class Feed:
    """Reads a source in a thread, a little ahead: a busy moment costs no pictures, and none is old."""

    def __init__(self, source: LiveSource) -> None:
        """Read ``source``, which is closed with this."""
        self._source = source
        self._changed = threading.Condition()
        self._waiting: deque[Frame] = deque()
        self._ended = False
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="feed", daemon=True)
        self._thread.start()

    @property
    def ended(self) -> bool:
        """Whether no frame follows, and no error that ``next`` has yet to raise."""
        with self._changed:
            return self._ended and not self._waiting and self._error is None

    def next(self, patience: float) -> Frame | None:
        """The next frame; None if it does not come within ``patience`` seconds.

        Raises:
            Exception: whatever ended the source.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ended, patience)
            if self._waiting:
                self._changed.notify_all()
                return self._waiting.popleft()
            error, self._error = self._error, None
            if error is not None:
                raise error
            return None

    def close(self) -> None:
        """End reading. Closing again does nothing."""
        with self._changed:
            self._ended = True
            self._waiting.clear()
            self._changed.notify_all()
        self._source.close()
        self._thread.join(FAREWELL_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _run(self) -> None:
        try:
            while self._has_room():
                frame = self._source.read()
                with self._changed:
                    if frame is None:
                        self._ended = True
                    elif not self._ended:
                        self._waiting.append(frame)
                    self._changed.notify_all()
        except BaseException as error:  # it is raised again where the frames are asked for
            with self._changed:
                self._error, self._ended = error, True
                self._changed.notify_all()

    def _has_room(self) -> bool:
        """Wait until another frame may wait; False once none is wanted."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._waiting) < AHEAD or self._ended)
            return not self._ended
