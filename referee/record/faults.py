"""What keeps a game from being kept."""

from __future__ import annotations

import errno
from dataclasses import dataclass
from enum import Enum
from typing import Final


class Lost(Enum):
    """What is not kept, and why."""

    NO_ROOM = "no room"
    """Nothing is recorded any more, because the disk is full or nearly so."""
    RECORDING = "recording"
    """Nothing is recorded any more, for another reason."""
    JOURNAL = "journal"
    """What is seen and said waits to be written; the game is lost if it never can be."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is not kept; ``text`` is a sentence for the user."""

    lost: Lost
    text: str


_FULL: Final = (errno.ENOSPC, errno.EDQUOT)


def is_full(error: OSError) -> bool:
    """Whether a disk could not be written because there is no room left for this user."""
    return error.errno in _FULL
