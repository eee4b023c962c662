"""What is to be said: phrases with their arguments, how urgent they are and how long they are worth saying."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from typing import Final

from referee.announce.phrases import Argument, Language, phrasebook
from referee.errors import UserError


class Priority(IntEnum):
    """How urgent: of two announcements that wait, the higher is said first."""

    COMMENTARY = 0
    """Cut short by anything more urgent."""
    NEWS = 1
    REMARK = 2
    """What follows from a fault, doubts, what is taken back, and what keeps the referee from seeing."""
    PAST = 3
    """A fault that was put right or played upon before it could be told: cuts short what is less urgent."""
    FAULT = 4
    """Cuts short all that is less urgent: play goes on over it."""
    CALL = 5
    """Spit: cuts everything else short."""


class Level(Enum):
    """How much the players want to hear; the values are those of ``--speak``."""

    ALL = "all"
    FAULTS = "faults"
    """Faults, doubts and corrections, what keeps the referee from seeing, and Spit."""
    OFF = "off"

    __hash__ = object.__hash__


def parse_level(text: str) -> Level:
    """The level written ``text``; a UserError lists the levels."""
    try:
        return Level(text)
    except ValueError:
        levels = ", ".join(level.value for level in Level)
        raise UserError(f"{text!r} is not how much is said: choose one of {levels}") from None


CORRECTION_LEAD: Final = "correction.lead"
"""The phrase before what corrects something said before."""

_RETRACTIONS: Final = ("correction.stands", "correction.no_fault")


@dataclass(frozen=True, slots=True)
class Subject:
    """Which ruling is told: what is said later of the same action replaces what was said earlier.

    Attributes:
        first: number of the first commit on the action.
        latest: number of the one told.
        t: when it was done, s.
    """

    first: int
    latest: int
    t: float


@dataclass(frozen=True, slots=True)
class Announcement:
    """Something to say.

    Attributes:
        keys: the phrases, said one after the other: mostly one.
        arguments: what fills their slots, as pairs of slot and value.
        language: which they are said in.
        priority: how urgent.
        expiry: seconds from when it is handed over until it is no longer worth beginning.
        topic: what it is about. Of two announcements on one topic only the later is said, and one on a topic that has
            been settled is not said at all, or not for long; empty where neither may happen.
        pause: seconds within which the same words are not begun again, unless they tell of something done since.
        subject: which ruling it tells; None where it tells none.
    """

    keys: tuple[str, ...]
    arguments: tuple[tuple[str, Argument], ...]
    language: Language
    priority: Priority
    expiry: float
    topic: str = ""
    pause: float = 1.0
    subject: Subject | None = None

    @property
    def retracts(self) -> bool:
        """Whether it does no more than take back what was said before."""
        return self.keys[-1] in _RETRACTIONS

    @property
    def outlasts(self) -> bool:
        """Whether it is told though players have put right what it tells: a fault, a correction of what was heard."""
        return self.priority is Priority.FAULT or self.keys[0] == CORRECTION_LEAD

    def plainly(self) -> Announcement | None:
        """What is said to those who heard nothing of what it corrects; None if there is nothing to say to them."""
        if self.retracts:
            return None
        return replace(self, keys=self.keys[1:]) if self.keys[0] == CORRECTION_LEAD else self

    def replaces(self, earlier: Announcement) -> bool:
        """Whether it is a later word on the very ruling that ``earlier`` tells."""
        if self.subject is None or earlier.subject is None:
            return False
        return self.subject.first == earlier.subject.first and self.subject.latest > earlier.subject.latest

    @property
    def text(self) -> str:
        """The words, as shown and as spoken."""
        book, arguments = phrasebook(self.language), dict(self.arguments)
        return " ".join(book.render(key, arguments) for key in self.keys)


@dataclass(frozen=True, slots=True)
class _Treatment:
    priority: Priority
    expiry: float
    level: Level
    # Two cards at once are two plays and one fault; Spit may be due again as soon as the cards of the last one lie.
    pause: float = 1.0


_TREATMENTS: Final = {
    "call": _Treatment(Priority.CALL, 3.0, Level.FAULTS),
    # Of two cards at once the second may be ruled on when the first has been told: that is no news.
    "fault": _Treatment(Priority.FAULT, 3.0, Level.FAULTS, pause=4.0),
    "then": _Treatment(Priority.REMARK, 4.0, Level.FAULTS),
    "undecided": _Treatment(Priority.REMARK, 3.0, Level.FAULTS),
    "correction": _Treatment(Priority.REMARK, 6.0, Level.FAULTS),
    "trouble": _Treatment(Priority.REMARK, 8.0, Level.FAULTS, pause=10.0),
    "news": _Treatment(Priority.NEWS, 8.0, Level.ALL),
    # A play a second old has been played upon: then it would only confuse.
    "commentary": _Treatment(Priority.COMMENTARY, 0.8, Level.ALL),
}
"""For each part of a phrasebook: how urgent, for how long, from which level on, and how soon again."""

GAME_OVER_EXPIRY: Final = 30.0
"""The last thing said of a game can wait, s."""


def announce(
    *keys: str, language: Language, arguments: Mapping[str, Argument] | None = None, topic: str = ""
) -> Announcement:
    """The announcement of these phrases, as urgent as the last of them.

    ``keys`` are those of ``Phrasebook.phrases``, for example ``trouble.paused``.
    """
    treatment = _TREATMENTS[keys[-1].partition(".")[0]]
    expiry = GAME_OVER_EXPIRY if keys[-1].startswith("news.game_over") else treatment.expiry
    said = tuple((arguments or {}).items())
    return Announcement(keys, said, language, treatment.priority, expiry, topic, treatment.pause)


def is_wanted(announcement: Announcement, level: Level) -> bool:
    """Whether those who chose ``level`` want to hear it."""
    if level is Level.OFF:
        return False
    return level is Level.ALL or _TREATMENTS[announcement.keys[-1].partition(".")[0]].level is Level.FAULTS
