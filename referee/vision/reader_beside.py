"""The card reader in a process of its own: a second core reads while the first looks at the next frames.

A thread would not do: whoever decides holds the interpreter, and the reader would stand still for as long.
"""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from referee.readings import Reading
from referee.vision.rectify import CROP_PX

Image: TypeAlias = npt.NDArray[np.uint8]

ROOM: Final = 128
"""Most crops that are on their way at once."""

PATIENCE: Final = 5.0
"""The process is given so long to end by itself, s."""


class ReaderBeside:
    """Reads crops as `referee.vision.reader.CardReader` does. Closed by leaving its ``with`` block."""

    def __init__(self, model: Path | None = None) -> None:
        """Have ``model``, as for ``CardReader``, opened; what is wrong with it is told where readings are awaited."""
        context = multiprocessing.get_context("spawn")
        shared = context.RawArray(ctypes.c_uint8, ROOM * CROP_PX * CROP_PX * 3)
        self._places = _places(shared)
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, shared, model), name="card reader", daemon=True)
        with _uninterrupted():
            self._process.start()
        theirs.close()
        self._next = 0
        self._unanswered: list[tuple[int, int]] = []
        self._answers: dict[int, list[Reading]] = {}
        self._asked = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._connection.close()
        self._process.join(PATIENCE)
        self._process.terminate()

    def ask(self, crops: Sequence[Image]) -> Callable[[], list[Reading]]:
        """Have at most ``ROOM`` crops read, uint8 (``CROP_PX``, ``CROP_PX``, 3) BGR.

        Returns:
            What waits for their readings; it is called once. It raises `referee.errors.UserError` where the model
            cannot be used, and RuntimeError where the process has ended.
        """
        while sum(count for _, count in self._unanswered) + len(crops) > ROOM:
            self._receive()
        numbers = [(self._next + number) % ROOM for number in range(len(crops))]
        for number, crop in zip(numbers, crops, strict=True):
            self._places[number] = crop
        self._next = (self._next + len(crops)) % ROOM
        question, self._asked = self._asked, self._asked + 1
        self._unanswered.append((question, len(crops)))
        # Where the process has ended, it is told by what it said last.
        with contextlib.suppress(OSError):
            self._connection.send(numbers)
        return lambda: self._answer(question)

    def _answer(self, question: int) -> list[Reading]:
        while question not in self._answers:
            self._receive()
        return self._answers.pop(question)

    def _receive(self) -> None:
        try:
            answer = self._connection.recv()
        except (EOFError, OSError):
            raise RuntimeError("the process that reads the cards has ended") from None
        if isinstance(answer, Exception):
            raise answer
        self._answers[self._unanswered.pop(0)[0]] = answer


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """What is started meanwhile is not ended by whoever breaks the program off: its owner ends it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _serve(connection: Connection, shared: Any, model: Path | None) -> None:
    """Read until nobody asks any more."""
    from referee.vision.reader import CardReader

    # Not everywhere is it left from the start.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    places = _places(shared)
    with contextlib.suppress(EOFError, OSError):
        try:
            reader = CardReader(model)
            while True:
                connection.send(reader.read([places[number] for number in connection.recv()]))
        except (EOFError, OSError):
            raise
        except Exception as error:  # it is raised again where the readings are awaited
            connection.send(error)


def _places(shared: Any) -> Image:
    return np.frombuffer(shared, np.uint8).reshape(ROOM, CROP_PX, CROP_PX, 3)
