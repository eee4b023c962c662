"""What a journal holds: one type for each kind of line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from referee.calibrate.saved_table import Corners
from referee.readings import Evidence, ZoneReading


class Key(Enum):
    """What a user may tell the referee during a game."""

    PAUSE = "pause"
    RESUME = "resume"
    UNDO = "undo"
    """The last ruling is taken back."""
    SPIT = "spit"
    """Both players agree to spit (G2)."""
    NEW_ROUND = "new round"


@dataclass(frozen=True, slots=True)
class Header:
    """Under what a game was refereed; the first line of its journal.

    Attributes:
        program: version of this program.
        model: checksum of the card reader's weights.
        table: text of the table file, which says where the zones lie in the picture.
        rules: the ruleset as its ``str`` writes it, ``pl,scoring=penalty_100``.
        names: what seats A and B are called.
        source: what filmed the game, for people.
        size: width and height of its pictures, px.
    """

    program: str
    model: str
    table: str
    rules: str
    names: tuple[str, str]
    source: str
    size: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Looked:
    """The referee looked at a frame: the decoder's clock stood at ``t`` s."""

    frame: int
    t: float


@dataclass(frozen=True, slots=True, eq=False)
class Ruled:
    """An event as result files write it (see `referee.rules.contract`)."""

    event: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Pressed:
    """The user told the referee something at ``t`` s."""

    t: float
    key: Key


@dataclass(frozen=True, slots=True)
class CameraGap:
    """The camera gave no pictures from ``t_from`` to ``t_to``, s; ``reason`` is a clause for the user."""

    t_from: float
    t_to: float
    reason: str


@dataclass(frozen=True, slots=True)
class Moved:
    """From ``t`` s on the table's corners lie at ``corners`` in the picture, because it or the camera was moved."""

    t: float
    corners: Corners


@dataclass(frozen=True, slots=True)
class SegmentBegun:
    """A file of the recording, whose first picture is ``frame``, taken at ``t`` s."""

    file: str
    frame: int
    t: float


@dataclass(frozen=True, slots=True)
class SegmentEnded:
    """A file of the recording is complete: ``pictures`` of them, the last taken at ``t`` s."""

    file: str
    pictures: int
    t: float


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """By ``t`` s, ``count`` pictures in all have not been recorded, because the disk or the processor was busy."""

    t: float
    count: int


@dataclass(frozen=True, slots=True)
class RecordingStopped:
    """From ``t`` s on nothing is recorded; ``reason`` is a sentence for the user."""

    t: float
    reason: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """Refereeing was broken off and goes on, its clock standing at ``t`` s."""

    t: float


@dataclass(frozen=True, slots=True)
class Ended:
    """Refereeing came to its end; whatever was left to say was said then."""


Entry: TypeAlias = (
    ZoneReading
    | Evidence
    | Looked
    | Ruled
    | Pressed
    | CameraGap
    | Moved
    | SegmentBegun
    | SegmentEnded
    | Unrecorded
    | RecordingStopped
    | Resumed
    | Ended
)
"""What a line of a journal tells, after its header."""
