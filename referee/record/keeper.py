"""Keeps a game in its folder while it is refereed, and goes on keeping it after the program broke off."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeAlias

from referee.errors import UserError
from referee.readings import Evidence
from referee.record.entries import CameraGap, Ended, Header, Looked, Moved, Pressed, Resumed, Ruled
from referee.record.faults import Fault
from referee.record.journal import JOURNAL, Journal, JournalWriter, read_journal
from referee.record.recorder import Recorder
from referee.record.result import write_result
from referee.vision.frames import Frame

TABLE: Final = "table.toml"
"""Name of the table file in a game's folder."""

GAP_S: Final = 1.0
"""By how much a resumed game's clock goes on at least; how long the break was, no source can tell."""

Event: TypeAlias = Mapping[str, Any]


class GameKeeper:
    """A game's folder being written: journal, recording, and at the end the result file.

    Attributes:
        folder: the folder.
        t, frame: time, s, and number with which this part of the game begins; 0 unless the game is resumed.
    """

    def __init__(self, folder: Path, journal: JournalWriter, t: float, frame: int) -> None:
        """Keep a game whose journal is open; see `begin` and `resume`."""
        self.folder = folder
        self.t = t
        self.frame = frame
        self._journal = journal
        self._recorder = Recorder(folder, journal)
        self._ended = False

    @classmethod
    def begin(cls, folder: Path, header: Header) -> Self:
        """Keep a new game.

        Raises:
            UserError: the folder holds a game already, or cannot be written.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            journal = JournalWriter.create(folder / JOURNAL, header)
            (folder / TABLE).write_text(header.table, encoding="utf-8")
        except OSError as error:
            raise UserError(f"cannot write into {folder}: {error.strerror}") from None
        return cls(folder, journal, 0.0, 0)

    @classmethod
    def resume(cls, folder: Path) -> tuple[Self, Journal]:
        """Keep on with a game that was broken off.

        Returns:
            the keeper, and the journal as it was.

        Raises:
            UserError: there is no game, or it came to its end.
        """
        if not (folder / JOURNAL).is_file():
            raise UserError(f"there is no game in {folder}: name the folder that one was recorded in")
        before = read_journal(folder / JOURNAL)
        if any(isinstance(entry, Ended) for entry in before.entries):
            raise UserError(f"the game in {folder} came to its end: begin another")
        looked = [entry for entry in before.entries if isinstance(entry, Looked)]
        t, frame = (looked[-1].t + GAP_S, looked[-1].frame + 1) if looked else (0.0, 0)
        journal = JournalWriter.resume(folder / JOURNAL)
        journal.append(Resumed(t))
        return cls(folder, journal, t, frame), before

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What cannot be kept; empty while all is well."""
        return tuple(fault for fault in (self._recorder.fault, self._journal.fault) if fault)

    @property
    def left_out(self) -> int:
        """Pictures that were not recorded because the disk or the processor was busy."""
        return self._recorder.left_out

    def on_game_clock(self, frame: Frame) -> Frame:
        """A frame as the source gave it, with the number and time it has in the game."""
        if not self.frame and not self.t:
            return frame
        return Frame(frame.index + self.frame, round(frame.t + self.t, 6), frame.image)

    def watched(self, frame: Frame, evidence: Iterable[Evidence], events: Iterable[Event]) -> None:
        """Keep a frame of the game, what became certain with it, and what was said then."""
        self._recorder.record(frame)
        for seen in evidence:
            self._journal.append(seen)
        self._journal.append(Looked(frame.index, frame.t))
        self._rule(events)

    def told(self, entry: Pressed | CameraGap | Moved) -> None:
        """Keep what the user pressed, that the camera was lost, or where the table has been moved to."""
        self._journal.append(entry)

    def finish(self, evidence: Iterable[Evidence], events: Iterable[Event]) -> None:
        """The game has come to its end: keep what was left to be seen and said, and write the result file."""
        for seen in evidence:
            self._journal.append(seen)
        self._journal.append(Ended())
        self._rule(events)
        self._ended = True

    def close(self) -> None:
        """End recording and journal; a game that was not finished can be resumed. Closing again does nothing.

        Raises:
            UserError: the result file cannot be written.
        """
        self._recorder.close()
        self._journal.close()
        if self._ended:
            self._ended = False
            write_result(self.folder, read_journal(self.folder / JOURNAL, events_only=True))

    def _rule(self, events: Iterable[Event]) -> None:
        for event in events:
            self._journal.append(Ruled(event))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
