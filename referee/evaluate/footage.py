"""Scoring: what was found, what was ruled right, who was said to be first, how late it was said.

An event of the result matches one of the truth if action, seat, card and piles are the same and the times differ by at
most half a second; each is matched once, nearest first. Calls have no visible sign and are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Final

from referee.evaluate.events import Event, EventFile

WINDOW: Final = 0.5
"""Two events further apart than this in time are not the same, s; plays closer than this are a pair to be ordered."""

COUNTED: Final = ("play", "turn_up", "fill", "spit")
"""The kinds that are counted one by one."""

RULED: Final = (*COUNTED, "take_back", "stack", "touch", "slap", "claim")
"""The kinds that carry a verdict and can be seen."""

OUTCOMES: Final = ("stalemate", "claim", "round_over", "game_over")
"""What a round comes to."""


@dataclass(slots=True)
class Count:
    """How many were there, said, and both."""

    truth: int = 0
    said: int = 0
    both: int = 0

    @property
    def precision(self) -> float | None:
        """Share of what was said that is true; ``None`` if nothing was said."""
        return self.both / self.said if self.said else None

    @property
    def recall(self) -> float | None:
        """Share of what is true that was said; ``None`` if there was nothing."""
        return self.both / self.truth if self.truth else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both; ``None`` if there was nothing to say and nothing was said."""
        total = self.truth + self.said
        return 2 * self.both / total if total else None

    def add(self, other: Count) -> None:
        """Take in another count."""
        self.truth += other.truth
        self.said += other.said
        self.both += other.both


@dataclass(slots=True)
class Order:
    """Pairs of plays of different seats within half a second of each other.

    Attributes:
        right: the order was said as it was.
        too_close: it was left open, and the touches lie within one frame period.
        missed: a play of the pair was not found, or it was left open although a frame lies between.
        wrong: the order was said the other way round.
    """

    right: int = 0
    too_close: int = 0
    missed: int = 0
    wrong: int = 0

    def add(self, other: Order) -> None:
        """Take in another tally."""
        self.right += other.right
        self.too_close += other.too_close
        self.missed += other.missed
        self.wrong += other.wrong


@dataclass(slots=True)
class Score:
    """The figures of one clip, or of several added up.

    Attributes:
        counts: for each kind of ``COUNTED``.
        outcomes: for each kind of ``OUTCOMES``.
        illegal: illegal actions: in the truth, said to be illegal, and both.
        reasons_right: illegal actions found with the right reason.
        accusations: legal actions that were said to be illegal.
        legal: legal actions in the truth.
        undecided: plays found that were left undecided.
        order: who was first.
        ranks, cards: plays, turn-ups, fills and spits found whatever the card: with the right rank, the right card.
        seen: how many those are.
        errors: difference in time of everything of ``COUNTED`` that matched, s.
        delays: from first touch to the ruling, s.
    """

    counts: dict[str, Count] = field(default_factory=lambda: {kind: Count() for kind in COUNTED})
    outcomes: dict[str, Count] = field(default_factory=lambda: {kind: Count() for kind in OUTCOMES})
    illegal: Count = field(default_factory=Count)
    reasons_right: int = 0
    accusations: int = 0
    legal: int = 0
    undecided: int = 0
    order: Order = field(default_factory=Order)
    ranks: int = 0
    cards: int = 0
    seen: int = 0
    errors: list[float] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)

    def add(self, other: Score) -> None:
        """Take in the figures of another clip."""
        for kind, count in other.counts.items():
            self.counts[kind].add(count)
        for kind, count in other.outcomes.items():
            self.outcomes[kind].add(count)
        self.illegal.add(other.illegal)
        self.order.add(other.order)
        for name in ("reasons_right", "accusations", "legal", "undecided", "ranks", "cards", "seen"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.errors += other.errors
        self.delays += other.delays


def match(truth: Sequence[Event], said: Sequence[Event], key: Callable[[Event], tuple[str, ...]]) -> dict[int, int]:
    """For the index of each truth event that has one, the index of the said event that is it: nearest in time first."""
    by_key: dict[tuple[str, ...], list[int]] = {}
    for index, event in enumerate(said):
        by_key.setdefault(key(event), []).append(index)
    pairs = [
        (abs(event.t - said[other].t), index, other)
        for index, event in enumerate(truth)
        for other in by_key.get(key(event), ())
        # Times are written with a few digits; half a second exactly is still half a second.
        if abs(event.t - said[other].t) <= WINDOW + 1e-9
    ]
    matched: dict[int, int] = {}
    taken: set[int] = set()
    for _, index, other in sorted(pairs):
        if index not in matched and other not in taken:
            matched[index] = other
            taken.add(other)
    return matched


def score(truth: EventFile, result: EventFile) -> Score:
    """Score a result file against the truth of the same footage."""
    figures = Score()
    found = match(truth.events, result.events, Event.key)
    _count_events(figures, truth, result, found)
    _score_rulings(figures, truth, result, found)
    _score_cards(figures, truth, result)
    _score_order(figures, truth, result, found)
    for index, other in found.items():
        event, said = truth.events[index], result.events[other]
        if event.action in COUNTED:
            figures.errors.append(abs(said.t - event.t))
            if said.t_said is not None:
                figures.delays.append(said.t_said - event.t)
    return figures


def _count_events(figures: Score, truth: EventFile, result: EventFile, found: dict[int, int]) -> None:
    for tally in (figures.counts, figures.outcomes):
        for kind, count in tally.items():
            count.truth = sum(event.action == kind for event in truth.events)
            count.said = sum(event.action == kind for event in result.events)
            count.both = sum(truth.events[index].action == kind for index in found)


def _score_rulings(figures: Score, truth: EventFile, result: EventFile, found: dict[int, int]) -> None:
    for index, event in enumerate(truth.events):
        if event.action not in RULED:
            continue
        said = result.events[found[index]] if index in found else None
        if event.verdict == "illegal":
            figures.illegal.truth += 1
            if said is not None and said.verdict == "illegal":
                figures.illegal.both += 1
                figures.reasons_right += said.reason == event.reason
        else:
            figures.legal += 1
            figures.accusations += said is not None and said.verdict == "illegal"
        figures.undecided += said is not None and event.action == "play" and said.verdict == "undecided"
    figures.illegal.said = sum(event.action in RULED and event.verdict == "illegal" for event in result.events)


def _score_cards(figures: Score, truth: EventFile, result: EventFile) -> None:
    for index, other in match(truth.events, result.events, lambda event: event.key(card=False)).items():
        true, said = truth.events[index].what.get("card", ""), result.events[other].what.get("card", "")
        if truth.events[index].action in COUNTED and true:
            figures.seen += 1
            figures.cards += said == true
            figures.ranks += said[:1] == true[:1]


def _score_order(figures: Score, truth: EventFile, result: EventFile, found: dict[int, int]) -> None:
    plays = [(index, event) for index, event in enumerate(truth.events) if event.action == "play"]
    for place, (first, one) in enumerate(plays):
        for second, other in plays[place + 1 :]:
            if other.t - one.t > WINDOW:
                break
            if one.seat == other.seat:
                continue
            if first not in found or second not in found:
                figures.order.missed += 1
                continue
            said = _order_said(result.events[found[first]], result.events[found[second]])
            if said > 0:
                figures.order.right += 1
            elif said < 0:
                figures.order.wrong += 1
            elif other.t - one.t <= truth.frame_period:
                figures.order.too_close += 1
            else:
                figures.order.missed += 1


def _order_said(one: Event, other: Event) -> int:
    """1 if the result has ``one`` first, -1 if ``other``, 0 if it leaves that open.

    On one pile the card that lies underneath was first, so the times say the order however wide their intervals are;
    on different piles intervals that overlap leave it open.
    """
    if one.what.get("to") != other.what.get("to") and one.t_from <= other.t_to and other.t_from <= one.t_to:
        return 0
    return (one.t < other.t) - (one.t > other.t)


def milliseconds(values: Iterable[float]) -> tuple[float, float] | None:
    """Median and 95th percentile of times in seconds, as milliseconds; ``None`` of none."""
    ordered = sorted(values)
    if not ordered:
        return None
    high = quantiles(ordered, n=20, method="inclusive")[-1] if len(ordered) > 1 else ordered[0]
    return 1000 * median(ordered), 1000 * high
