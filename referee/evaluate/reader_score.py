"""Figures of a card reader on crops whose truth is known."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from referee.cards import DECK, RANKS
from referee.readings import BACK, EMPTY, Reading, Sight

BINS: Final = 15
"""Bins of equal width over which the calibration error is taken."""

EMPTY_TEXT: Final = "empty"
BACK_TEXT: Final = "back"
NOTHING_TEXT: Final = "?"


def place_text(place: int) -> str:
    """How a place of ``Reading.log_probs`` is written: ``7C``, ``back`` or ``empty``."""
    return BACK_TEXT if place == BACK else EMPTY_TEXT if place == EMPTY else DECK[place].text


def said_text(reading: Reading) -> str:
    """What a reading says, in the same form; ``?`` where it says that nothing can be told."""
    return NOTHING_TEXT if reading.state in (Sight.HIDDEN, Sight.UNKNOWN) else place_text(reading.best)


def agrees(truth: str, said: str) -> bool:
    """Whether a card that was read is the labelled one, as far as the label could be read (``J?``, ``?S``)."""
    if "?" not in truth:
        return truth == said
    return len(said) == 2 and all(mark in ("?", letter) for mark, letter in zip(truth, said, strict=True))


@dataclass(slots=True)
class CropScore:
    """What came of reading crops.

    Attributes:
        faces: crops of face-up cards whose whole name is known, and with a known rank at least.
        ranks, cards: with the right rank; with the right rank and suit.
        ranked: crops whose rank is known.
        unread: crops of cards of which the reader said that nothing can be told.
        lost: crops of cards read as empty.
        backs: crops of backs.
        turned: faces read as backs, and backs read as faces.
        empties: crops of bare places.
        ghosts: bare places read as a card or back.
        bins: for each bin of confidence: how many, sum of the confidences, how many right.
        confusions: (truth, what was read instead), how often.
    """

    faces: int = 0
    ranked: int = 0
    ranks: int = 0
    cards: int = 0
    unread: int = 0
    lost: int = 0
    backs: int = 0
    turned: int = 0
    empties: int = 0
    ghosts: int = 0
    bins: list[tuple[int, float, int]] = field(default_factory=lambda: [(0, 0.0, 0)] * BINS)
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)

    def count(self, truth: str, reading: Reading) -> bool:
        """Take in a reading of a crop that shows ``truth`` (a card, perhaps with a ``?``, ``back`` or ``empty``).

        Returns:
            whether it is right, as far as the truth is known.
        """
        said = said_text(reading)
        right = agrees(truth, said)
        if truth == EMPTY_TEXT:
            self.empties += 1
            self.ghosts += said not in (EMPTY_TEXT, NOTHING_TEXT)
            # Of a bare place that is covered nothing more can be said.
            right |= said == NOTHING_TEXT
        else:
            self.unread += said == NOTHING_TEXT
            self.lost += said == EMPTY_TEXT
            if truth == BACK_TEXT:
                self.backs += 1
                self.turned += len(said) == 2
            else:
                self._count_face(truth, said, reading)
        if said != NOTHING_TEXT and "?" not in truth:
            chance = math.exp(float(reading.log_probs.max()))
            place = min(BINS - 1, int(chance * BINS))
            number, total, good = self.bins[place]
            self.bins[place] = (number + 1, total + chance, good + right)
        if not right:
            self.confusions[truth, said] += 1
        return right

    def _count_face(self, truth: str, said: str, reading: Reading) -> None:
        self.turned += said == BACK_TEXT
        if truth[0] != "?":
            self.ranked += 1
            likely = RANKS[int(reading.rank_probs().argmax())]
            self.ranks += said not in (BACK_TEXT, EMPTY_TEXT, NOTHING_TEXT) and likely == truth[0]
        if "?" not in truth:
            self.faces += 1
            self.cards += said == truth

    def add(self, other: CropScore) -> None:
        """Take in another score."""
        for name in ("faces", "ranked", "ranks", "cards", "unread", "lost", "backs", "turned", "empties", "ghosts"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.bins = [
            (one[0] + two[0], one[1] + two[1], one[2] + two[2]) for one, two in zip(self.bins, other.bins, strict=True)
        ]
        self.confusions.update(other.confusions)

    @property
    def calibration_error(self) -> float | None:
        """Expected calibration error: how far confidence is from the share that is right, 0..1; None without crops."""
        number = sum(one[0] for one in self.bins)
        return sum(abs(one[1] - one[2]) for one in self.bins) / number if number else None

    def figures(self) -> dict[str, Any]:
        """The figures by name, for JSON."""
        return {
            "faces": self.faces,
            "rank": share(self.ranks, self.ranked),
            "card": share(self.cards, self.faces),
            "unread": self.unread,
            "read_as_empty": self.lost,
            "backs": self.backs,
            "back_face": share(self.turned, self.ranked + self.backs),
            "empties": self.empties,
            "false_cards": share(self.ghosts, self.empties),
            "calibration_error": self.calibration_error,
            "confusions": [[truth, said, number] for (truth, said), number in ranked(self.confusions)],
        }


@dataclass(slots=True)
class PhotoScore:
    """What came of reading whole photographs.

    Attributes:
        photos: how many.
        boxed, found: cards with a labelled box; those read right at their place.
        listed, named: cards known to be somewhere in the picture; those read right, at whatever place is left.
        said: cards reported, face up (backs count where backs are labelled).
    """

    photos: int = 0
    boxed: int = 0
    found: int = 0
    listed: int = 0
    named: int = 0
    said: int = 0

    def add(self, other: PhotoScore) -> None:
        """Take in another score."""
        for name in ("photos", "boxed", "found", "listed", "named", "said"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def figures(self) -> dict[str, Any]:
        """The figures by name, for JSON."""
        right = self.found + self.named
        return {
            "photos": self.photos,
            "said": self.said,
            "precision": share(right, self.said),
            "recall": share(right, self.boxed + self.listed),
            "boxed": self.boxed,
            "recall_boxed": share(self.found, self.boxed),
            "listed": self.listed,
            "recall_listed": share(self.named, self.listed),
        }


def share(part: int, whole: int) -> float | None:
    """``part / whole``, or None of nothing."""
    return part / whole if whole else None


def ranked(confusions: Counter[tuple[str, str]]) -> list[tuple[tuple[str, str], int]]:
    """Confusions, the most frequent first, then in the order of their names."""
    return sorted(confusions.items(), key=lambda one: (-one[1], one[0]))
