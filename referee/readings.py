"""What is seen, before anyone says what was done: looks at frames, readings of crops and zones, changes, and hands.

These types carry evidence from `referee.vision`, which knows pixels, to `referee.tracking`, which knows cards.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from referee.cards import DECK, Card, Suit
from referee.table import Seat, Zone

BACK: Final = len(DECK)
"""Place of the back in ``Reading.log_probs``; a card's place is its ``Card.code``."""

EMPTY: Final = BACK + 1
"""Place of the empty zone in ``Reading.log_probs``."""

OUTCOMES: Final = EMPTY + 1
"""What a zone's top can show: 52 faces, a back, nothing."""

LogProbs: TypeAlias = npt.NDArray[np.float32]


class Sight(Enum):
    """What a zone's top shows."""

    CARD = "card"
    BACK = "back"
    EMPTY = "empty"
    HIDDEN = "hidden"
    """Something lies over the zone, and nothing of its top can be told."""
    UNKNOWN = "unknown"
    """The zone is in view, but what lies there cannot be told."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a card lies.

    Attributes:
        x, y: its centre, mm; in the table plane for a zone, from the crop's centre for a crop.
        angle: turn of its long side, degrees clockwise in -90..90, 0 being upright; a card looks the same upside down.
    """

    x: float
    y: float
    angle: float


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What one crop shows.

    Attributes:
        state: the most likely sight.
        log_probs: float32 array (OUTCOMES,), natural logarithms of the probabilities of every face, of a back and of an
            empty place, given that the top can be seen; their exponentials add up to 1. All alike where ``state`` is
            ``HIDDEN``.
        hidden: probability that nothing of the top can be seen.
        box: x1, y1, x2, y2 of the top card in crop pixels, hidden parts included; None where no card was found.
        pose: where the top card lies in the crop, None where no card was found.
    """

    state: Sight
    log_probs: LogProbs
    hidden: float
    box: tuple[float, float, float, float] | None
    pose: Pose | None

    @property
    def best(self) -> int:
        """Place of the likeliest outcome."""
        return int(self.log_probs.argmax())

    @property
    def card(self) -> Card | None:
        """The likeliest face, if the state is ``CARD``."""
        return DECK[int(self.log_probs[:BACK].argmax())] if self.state is Sight.CARD else None

    @property
    def confidence(self) -> float:
        """Probability of what ``state`` and ``card`` say, 0..1."""
        if self.state is Sight.HIDDEN:
            return self.hidden
        return (1 - self.hidden) * math.exp(float(self.log_probs.max()))

    def rank_probs(self) -> npt.NDArray[np.float32]:
        """Probabilities (13,) of the ranks from ace to king, suits added up; the rest of 1 is back and empty."""
        faces = np.exp(self.log_probs[:BACK])
        return np.asarray(np.bincount(_RANK_OF, faces, len(DECK) // len(Suit)), np.float32)


_RANK_OF: Final = np.array([card.rank - 1 for card in DECK])


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What one frame shows of all zones, without reading any.

    Attributes:
        t: time of the frame, s.
        frame: its index.
        moved: float32 array (Z,), share of each zone's picture that moved.
        covered: float32 array (2, Z), share of each zone's card place under an arm of seat A's, of seat B's.
        hands: float32 array (2, Z), the same for the hands alone.
        pictures: uint8 array (Z, height, width), small grey pictures of the zones.
    """

    t: float
    frame: int
    moved: npt.NDArray[np.float32]
    covered: npt.NDArray[np.float32]
    hands: npt.NDArray[np.float32]
    pictures: npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class ZoneReading:
    """What one zone showed in one frame.

    Attributes:
        zone: where.
        t: time of the frame, s.
        frame: its index.
        reading: what its crop shows.
        pose: where the top card lies on the table, None where no card was found.
        activity: how much of the zone's picture moved since the frame before, 0..1.
    """

    zone: Zone
    t: float
    frame: int
    reading: Reading
    pose: Pose | None
    activity: float


@dataclass(frozen=True, slots=True, eq=False)
class ZoneChange:
    """A zone came to rest, or was read under hands, and shows something else than before.

    Attributes:
        zone: where.
        before: what it showed until then; None at the first sight of it.
        after: what it shows now: the evidence of all readings since it came to rest, taken together.
        glimpses: what it showed for moments in between, in order of time: cards that were covered again at once.
        t_from, t_to: the interval, s, that holds the instant of the change: first touch of a card that arrived, or the
            moment the old top left.
        t_seen: when the change was certain enough to be told, s.
        frames: first and last frame of the evidence.
        moved: whether the top card is the same one as before, and only lies elsewhere or is read otherwise now, or goes
            on lying there, where ``before`` is the same as ``after``.
        arms: evidence in 0..1 that seat A's arm, and seat B's, was over the zone while it changed.
        settled: whether the zone was at rest; False where hands kept it busy and it was read anyway.
    """

    zone: Zone
    before: Reading | None
    after: Reading
    glimpses: tuple[ZoneReading, ...]
    t_from: float
    t_to: float
    t_seen: float
    frames: tuple[int, int]
    moved: bool
    arms: tuple[float, float]
    settled: bool


@dataclass(frozen=True, slots=True)
class Reach:
    """A hand was over a zone, whether or not anything changed there.

    Attributes:
        seat: whose arm, by the side of the table it came from; None where that cannot be told.
        zone: where.
        t_from, t_to: the interval, s, that holds the instant the hand came over the zone's cards.
        t_end: when it left, s; infinity while it stays.
        frames: first and last frame of the evidence.
        certainty: 0..1 that an arm of that seat was there.
        flat: whether it lay on a centre pile, the fingers past it, and so held no card over it.
    """

    seat: Seat | None
    zone: Zone
    t_from: float
    t_to: float
    t_end: float
    frames: tuple[int, int]
    certainty: float
    flat: bool = False


@dataclass(frozen=True, slots=True)
class Disturbance:
    """What was seen cannot be trusted for a while.

    Attributes:
        what: ``camera moved``, ``lights changed``, ``gap`` (no pictures), ``table swept``.
        t_from, t_to: from when to when, s.
    """

    what: str
    t_from: float
    t_to: float


Evidence: TypeAlias = ZoneChange | Reach | Disturbance
"""What the decoder is told, in order of the time it became known."""
