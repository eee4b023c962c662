"""The pictures of a dispute, made in one pass over the few seconds of the recording around it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from referee.errors import UserError
from referee.pictures import write_picture
from referee.record.clip import ClipWriter
from referee.record.dispute import Dispute
from referee.record.folder import GameFolder, is_game
from referee.record.journal import JOURNAL, Journal, read_journal
from referee.record.overlay import Span
from referee.record.refereed import Refereed, read_game, read_result
from referee.record.sight import Sight, sight_of, sights_of
from referee.record.stills import Still, size_of_film, stills_of_film, stills_of_game
from referee.record.touch_sheet import Tile, chosen, sheet, tile

BEFORE_S: Final = 0.75
AFTER_S: Final = 1.25
"""What a clip shows around the interval of first touch."""

AROUND_S: Final = 0.4
"""From how far around it the frames side by side are chosen."""


class Recording:
    """What a dispute is about: a video with a result file, or the folder of a game. Closed as a ``with`` block."""

    def __init__(self, path: Path, result: Path | None = None) -> None:
        """Read what was said of it.

        Args:
            path: a video file, or a game's folder.
            result: the result file; else the one beside the video, or the journal in the folder.

        Raises:
            UserError: one of them cannot be read.
        """
        self._path = path
        self._game: GameFolder | None = None
        self._journal: Journal | None = None
        self._is_game = is_game(path)
        if not path.exists():
            raise UserError(f"{path}: there is no such file: check the name")
        if path.is_dir() and not self._is_game:
            raise UserError(f"{path} is no folder of a game: give the folder that a game was recorded in, or a video")
        where = str(path)
        if result is None and self._is_game:
            self._journal = read_journal(path / JOURNAL, events_only=True)
            self.refereed: Refereed = read_game(self._journal, where)
            self._sights: list[tuple[float, Sight]] = sights_of(self._journal, where)
        else:
            result = result or _beside(path)
            where = str(result)
            self.refereed = read_result(result)
            told = sight_of(self.refereed.header, where)
            self._sights = [] if told is None else [(0.0, told)]

    def sight(self, t: float) -> Sight | None:
        """How the camera saw the table at ``t`` s; None where nothing tells it."""
        return next((sight for since, sight in reversed(self._sights) if since <= t), None)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its pictures, px; a UserError where there are none."""
        return self._opened_game().size if self._is_game else size_of_film(self._path)

    def stills(self, t_from: float, t_to: float) -> Generator[Still]:
        """Its pictures from ``t_from`` to ``t_to`` s; a UserError where there are none at all."""
        if self._is_game:
            return stills_of_game(self._opened_game(), t_from, t_to)
        return stills_of_film(self._path, t_from, t_to)

    def close(self) -> None:
        """Let go of the files."""
        if self._game is not None:
            self._game.close()

    def _opened_game(self) -> GameFolder:
        # A game that was played without a recording can be disputed in words.
        if self._game is None:
            self._game = GameFolder(self._path, self._journal)
        return self._game

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def exhibit(recording: Recording, dispute: Dispute, text: str, picture: Path | None, clip: Path | None) -> None:
    """Write the frames around the touch as ``picture``, and the slow motion as ``clip``.

    Args:
        recording: where they come from.
        dispute: what they are to show.
        text: the ruling, written on both.
        picture: PNG or JPEG file; None for none.
        clip: MP4 file; None for none.

    Raises:
        UserError: there are no pictures of that time, or they cannot be written.
    """
    said, zones, sight = dispute.said, dispute.zones, recording.sight(dispute.said.t)
    before, after = (BEFORE_S, AFTER_S) if clip is not None else (AROUND_S, AROUND_S)
    span = Span(max(said.t_from - before, 0.0), said.t_to + after, said.t_from, said.t_to)
    tiles: list[Tile] = []
    with ExitStack() as stack:
        film = None
        if clip is not None:
            film = stack.enter_context(ClipWriter(clip, recording.size, span, text, sight=sight, zones=zones))
        seen = False
        for still in recording.stills(span.start, span.end):
            seen = True
            if film is not None:
                film.add(still)
            if picture is not None and said.t_from - AROUND_S <= still.t <= said.t_to + AROUND_S:
                tiles.append(tile(still, sight, zones[0] if zones else None))
        if not seen:
            raise UserError(f"there are no pictures of {span.start:.2f} to {span.end:.2f} s: the recording ends before")
    if picture is not None and tiles:
        write_picture(picture, sheet(chosen(tiles, span), span, text))


def _beside(video: Path) -> Path:
    result = video.with_suffix(".result.jsonl")
    if not result.exists():
        raise UserError(
            f"there is no {result.name} beside {video.name}: make it with 'referee replay {video}', or name one with "
            "--result"
        )
    return result
