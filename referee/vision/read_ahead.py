"""A source whose frames are decoded while the last ones are still being looked at."""

from __future__ import annotations

import contextlib
import queue
import threading
from typing import Final

from referee.vision.frames import Frame, FrameSource

AHEAD: Final = 4
"""So many frames at most wait to be looked at."""


class ReadAhead(FrameSource):
    """Gives what another source gives, which a thread of its own reads; that source is closed with this one."""

    def __init__(self, source: FrameSource) -> None:
        """Read ``source`` ahead from now on."""
        self._source = source
        self._waiting: queue.Queue[Frame | BaseException | None] = queue.Queue(AHEAD)
        self._stop = threading.Event()
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="read ahead", daemon=True)
        self._thread.start()

    @property
    def size(self) -> tuple[int, int]:
        return self._source.size

    @property
    def description(self) -> str:
        return self._source.description

    @property
    def duration(self) -> float | None:
        return self._source.duration

    @property
    def damage(self) -> str:
        return self._source.damage

    def read(self) -> Frame | None:
        if self._ended:
            return None
        item = self._waiting.get()
        if isinstance(item, Frame):
            return item
        self._ended = True
        if item is not None:
            raise item
        return None

    def close(self) -> None:
        self._stop.set()
        self._ended = True
        with contextlib.suppress(queue.Empty):
            while True:
                self._waiting.get_nowait()
        self._thread.join()
        self._source.close()

    def _run(self) -> None:
        last: BaseException | None = None
        try:
            while not self._stop.is_set() and (frame := self._source.read()) is not None:
                # Whoever looks for arms needs it, and this thread has the time.
                frame.half()
                self._put(frame)
        except BaseException as error:  # it is raised again where the frames are read
            last = error
        self._put(last)

    def _put(self, item: Frame | BaseException | None) -> None:
        """Wait for room, but never longer than somebody wants the frames."""
        while not self._stop.is_set():
            with contextlib.suppress(queue.Full):
                self._waiting.put(item, timeout=0.1)
                return
