"""The journal: all that was seen and said in a game, a line each, written so that a crash loses none of it."""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from referee.errors import UserError
from referee.record.entries import Entry, Header, Ruled
from referee.record.faults import Fault, Lost, is_full
from referee.record.wire import read_entry, read_header, write_entry, write_header

JOURNAL: Final = "journal.jsonl"
"""Name of the journal in a game's folder."""

_SAID: Final = (b'{"kind":"event",', b'{"kind":"key",', b'{"kind":"moved",')
"""How the lines begin that tell what was said by the referee and by the players, and where the table lay then."""


class JournalWriter:
    """Writes a journal. Every entry is with the operating system before ``append`` returns.

    A disk that is full or gone ends nothing: what could not be written waits and goes first once there is room, so
    that the file never has a hole. May be used from several threads.
    """

    def __init__(self, path: Path, file: int) -> None:
        """Write to an open ``file``; `create` and `resume` open one.

        Args:
            path: its name, for people.
            file: descriptor of a file that ends with a whole line; it is closed with the writer.
        """
        self._path = path
        self._file = file
        self._lock = threading.Lock()
        self._waiting = bytearray()
        self._error: OSError | None = None

    @classmethod
    def create(cls, path: Path, header: Header) -> Self:
        """Begin a journal.

        Raises:
            UserError: there is one already, or none can be written there.
        """
        writer = cls(path, _opened(path, os.O_CREAT | os.O_EXCL))
        writer._write(write_header(header))
        if fault := writer.fault:
            writer.close()
            path.unlink(missing_ok=True)
            raise UserError(fault.text)
        return writer

    @classmethod
    def resume(cls, path: Path) -> Self:
        """Go on with a journal; a line that was cut off at its end is removed.

        Raises:
            UserError: there is none, or it cannot be read or written.
        """
        whole = _read(path).whole
        file = _opened(path, 0)
        os.ftruncate(file, whole)
        os.lseek(file, 0, os.SEEK_END)
        return cls(path, file)

    @property
    def fault(self) -> Fault | None:
        """Why the last entries could not be written yet; None while all are."""
        with self._lock:
            error = self._error
        if error is None:
            return None
        todo = "make room on that disk" if is_full(error) else "see to that disk"
        return Fault(Lost.JOURNAL, f"{self._path} cannot be written ({error.strerror or error}): {todo}")

    def append(self, entry: Entry) -> None:
        """Write an entry."""
        self._write(write_entry(entry))

    def close(self) -> None:
        """End the journal. Closing again does nothing."""
        if self._file < 0:
            return
        with self._lock:
            self._write_waiting()
            with contextlib.suppress(OSError):
                # So that a finished game outlives a power cut.
                os.fsync(self._file)
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, line: dict[str, Any]) -> None:
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        with self._lock:
            self._waiting += text.encode() + b"\n"
            self._write_waiting()

    def _write_waiting(self) -> None:
        try:
            while self._waiting:
                del self._waiting[: os.write(self._file, self._waiting)]
            self._error = None
        except OSError as error:
            self._error = error


def _opened(path: Path, flags: int) -> int:
    try:
        # Windows would put a carriage return before every line feed.
        return os.open(path, os.O_WRONLY | flags | getattr(os, "O_BINARY", 0), 0o666)
    except FileExistsError:
        raise UserError(f"{path} is the journal of another game: choose another folder, or resume it") from None
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}") from None


@dataclass(frozen=True, slots=True)
class Journal:
    """A journal as read.

    Attributes:
        header: under what the game was refereed.
        entries: what was seen and said, in the order in which it became known.
        torn: the last line was cut off and is left out.
    """

    header: Header
    entries: tuple[Entry, ...]
    torn: bool

    def events(self) -> Iterator[Ruled]:
        """The events of the game, as result files write them."""
        return (entry for entry in self.entries if isinstance(entry, Ruled))


def read_journal(path: Path, *, events_only: bool = False) -> Journal:
    """Read a journal, also one whose writer was killed or is still writing.

    Args:
        path: the journal.
        events_only: leave out all but the events, keys and where the table lay, which is much quicker.

    Raises:
        UserError: there is none, or a line other than the last is damaged; the text says which.
    """
    read = _read(path, _SAID if events_only else (b"",))
    return Journal(read.header, tuple(read.entries), read.torn)


@dataclass(frozen=True, slots=True)
class _Read:
    header: Header
    entries: list[Entry]
    torn: bool
    whole: int
    """Bytes up to the end of the last whole line."""


def _read(path: Path, beginnings: tuple[bytes, ...] = (b"",)) -> _Read:
    """The lines that have one of these ``beginnings``."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None
    *lines, rest = data.split(b"\n")
    if not lines:
        raise UserError(f"{path} is no journal of a game: it has not one whole line")
    try:
        header = read_header(json.loads(lines[0]))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"{path} is no journal that can be read: {_complaint(error)}") from None
    entries: list[Entry] = []
    whole = len(lines[0]) + 1
    broken: tuple[int, str] | None = None
    for number, line in enumerate(lines[1:], start=2):
        if not line.startswith(beginnings):
            continue
        try:
            entry = read_entry(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            broken = broken or (number, _complaint(error))
            continue
        if broken is not None:
            raise UserError(f"{path}, line {broken[0]}, is damaged: {broken[1]}")
        entries.append(entry)
        whole += len(line) + 1
    # A power cut may leave whole lines of rubbish at the end; nothing that can be read follows them.
    return _Read(header, entries, bool(rest) or broken is not None, whole)


def _complaint(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
        return "this is not JSON"
    if isinstance(error, KeyError):
        return f"there is nothing called {error.args[0]!r}" if error.args else "something is missing"
    return str(error) if isinstance(error, ValueError) else "a field is missing or of the wrong type"
