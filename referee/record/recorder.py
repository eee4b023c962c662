"""Records a game's pictures in a thread of its own, which nobody has to wait for."""

from __future__ import annotations

import contextlib
import logging
import queue
import shutil
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from referee.record.entries import RecordingStopped, SegmentBegun, SegmentEnded, Unrecorded
from referee.record.faults import Fault, Lost, is_full
from referee.record.journal import JournalWriter
from referee.record.segments import SegmentWriter, segment_path, segments_in
from referee.vision.frames import Frame

log = logging.getLogger(__name__)

SEGMENT_S: Final = 60.0

BEHIND_S: Final = 0.2
"""How far writing may lag behind the camera before it is waited for, and then pictures are left out: a crash loses
those that wait."""

PATIENCE_S: Final = 0.5
"""So long in all the game waits for writing that lags: to begin a film may take that long on a busy processor."""

PATIENCE_GROWS: Final = 0.05
"""That much of its patience the game has back in each second, so that no disk, however slow, holds it up for long."""

ROOM: Final = 500_000_000
"""Bytes left free for the journal and for everything else that writes to the disk."""

QUIET_S: Final = 0.2
"""When no picture comes for so long, the last one is handed to the system: a crash would lose it."""

LOOK_EVERY: Final = 30
"""Pictures from one look at the room on the disk to the next."""

FAREWELL_S: Final = 10.0
"""How long a disk may take to write what still waits when the recording ends."""


class Recorder:
    """Writes pictures into a game's folder. When it cannot, the game goes on without.

    ``record`` waits for moments at most: while the disk is too slow, pictures are left out, and the journal tells how
    many.
    """

    def __init__(
        self,
        folder: Path,
        journal: JournalWriter,
        *,
        segment_s: float = SEGMENT_S,
        free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
    ) -> None:
        """Begin to record; what the folder already holds is kept and gone on from.

        Args:
            folder: where the films go.
            journal: is told of every segment, and of what could not be recorded.
            segment_s: length of one film.
            free: bytes that are free where ``folder`` lies.
        """
        self._folder = folder
        self._journal = journal
        self._segment_s = segment_s
        self._free = free
        self._number = max((int(film.stem.rpartition("-")[2]) for film in segments_in(folder)), default=0)
        self._queue: queue.SimpleQueue[tuple[Frame, bytes | None] | None] = queue.SimpleQueue()
        self._pending: deque[float] = deque()
        """Times of the pictures that were handed over and are not written yet."""
        self._written = threading.Condition()
        self._patience = PATIENCE_S
        self._handed_t: float | None = None
        self._left_out = 0
        self._told_left_out = 0
        self._fault: Fault | None = None
        self._segment: SegmentWriter | None = None
        self._segment_t = 0.0
        self._of_jpegs = False
        self._last_t = 0.0
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    @property
    def fault(self) -> Fault | None:
        """Why nothing is recorded any more; None while all is well."""
        return self._fault

    @property
    def left_out(self) -> int:
        """Pictures that were not recorded because the disk or the processor was busy."""
        return self._left_out

    def record(self, frame: Frame, jpeg: bytes | None = None) -> None:
        """Have a picture written, soon.

        Args:
            frame: the picture; nobody may draw on it afterwards. Its time is after that of the one before.
            jpeg: the same picture as the camera compressed it, where it is to be had: keeping that is cheaper.
        """
        if self._fault or not self._thread.is_alive():
            return
        if self._is_kept_up_with(frame.t):
            self._pending.append(frame.t)
            self._queue.put((frame, jpeg))
        else:
            self._left_out += 1

    def _is_kept_up_with(self, t: float) -> bool:
        """Whether writing is not too far behind for a picture taken at ``t``, s, after waiting for it if need be."""
        if self._handed_t is not None:
            self._patience = min(self._patience + PATIENCE_GROWS * (t - self._handed_t), PATIENCE_S)
        self._handed_t = t
        if not self._is_behind(t):
            return True
        begun = time.monotonic()
        with self._written:
            self._written.wait_for(lambda: not self._is_behind(t), self._patience)
        self._patience = max(self._patience - (time.monotonic() - begun), 0.0)
        return not self._is_behind(t)

    def _is_behind(self, t: float) -> bool:
        try:
            return t - self._pending[0] > BEHIND_S
        except IndexError:
            return False

    def close(self) -> None:
        """Write what waits and end the recording. Closing again does nothing."""
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join(FAREWELL_S)
            if self._thread.is_alive():
                log.warning("the disk of %s does not answer: the recording may lack its end", self._folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _run(self) -> None:
        looked = 0
        try:
            while (item := self._next()) is not None:
                if looked % LOOK_EVERY == 0 and self._free(self._folder) < ROOM:
                    why = f"the disk of {self._folder} has less than {ROOM // 1_000_000} MB left"
                    self._stop(Lost.NO_ROOM, why)
                    break
                looked += 1
                self._write(*item)
                with self._written:
                    self._pending.popleft()
                    self._written.notify()
            self._end_segment()
        except OSError as error:
            # FFmpeg's errors are of this kind too.
            if is_full(error):
                self._stop(Lost.NO_ROOM, f"the disk of {self._folder} is full")
            else:
                self._stop(Lost.RECORDING, f"{self._folder} cannot be written ({error.strerror or error})")
        except Exception as error:
            log.info("recording failed", exc_info=True)
            self._stop(Lost.RECORDING, f"the recording in {self._folder} has failed ({error})")
        finally:
            self._drop_waiting()
            with self._written:
                self._pending.clear()
                self._written.notify()

    def _next(self) -> tuple[Frame, bytes | None] | None:
        """The next picture to write; None at the end. When none comes for a while, none of those written waits."""
        while True:
            try:
                return self._queue.get(timeout=QUIET_S)
            except queue.Empty:
                if self._segment is not None:
                    self._segment.flush()

    def _write(self, frame: Frame, jpeg: bytes | None) -> None:
        if self._segment is not None and (
            frame.t - self._segment_t >= self._segment_s or self._of_jpegs != (jpeg is not None)
        ):
            self._end_segment()
        if self._segment is None:
            self._segment = self._begin_segment(frame, jpeg is not None)
        self._segment.write(frame, jpeg)
        self._last_t = frame.t
        left_out = self._left_out
        if left_out != self._told_left_out:
            self._told_left_out = left_out
            self._journal.append(Unrecorded(frame.t, left_out))

    def _begin_segment(self, frame: Frame, of_jpegs: bool) -> SegmentWriter:
        self._number += 1
        self._segment_t, self._of_jpegs = frame.t, of_jpegs
        path = segment_path(self._folder, self._number)
        segment = SegmentWriter(path, (frame.image.shape[1], frame.image.shape[0]), jpeg=of_jpegs)
        self._journal.append(SegmentBegun(path.name, frame.index, frame.t))
        return segment

    def _end_segment(self) -> None:
        segment, self._segment = self._segment, None
        if segment is not None:
            segment.close()
            self._journal.append(SegmentEnded(segment.path.name, segment.pictures, self._last_t))

    def _drop_waiting(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                self._queue.get_nowait()

    def _stop(self, lost: Lost, why: str) -> None:
        """Record nothing more; called in the thread."""
        self._fault = Fault(lost, f"{why}: nothing more is recorded, refereeing goes on")
        self._journal.append(RecordingStopped(self._last_t, self._fault.text))
        segment, self._segment = self._segment, None
        if segment is not None:
            try:
                segment.close()
            except Exception as error:  # of a film that broke, whatever can be read is good
                log.info("%s: %s", segment.path, error)
