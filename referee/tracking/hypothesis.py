"""One account of what was done: the ledger after it, how likely it is, and what it has yet to explain or to see."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import inf
from typing import Final, TypeAlias

from referee.cards import DECK
from referee.readings import BACK, EMPTY, Evidence, ZoneChange
from referee.rules.actions import Action, Kind
from referee.rules.position import Position
from referee.rules.ruling import Ruling
from referee.table import Seat, Zone, ZoneKind
from referee.tracking import costs
from referee.tracking.sightings import Sighting, likeliest, top

Name: TypeAlias = tuple[object, ...]
"""By what two deeds of different hypotheses are the same."""


_PUTS: Final = (Kind.PLAY, Kind.FILL, Kind.STACK, Kind.SPIT)

_TAKES_A_HAND: Final = (*_PUTS, Kind.TURN_UP)

_CARRY: Final = 0.08
"""A card needs so long from its place to another, s."""

_RACE: Final = 0.4
"""A card that was on its way for longer than this took no part in a race for a pile, s."""

_SOON: Final = 0.4
"""That a card has left for a race is told no later after the race than this, s."""

_THERE: Final = 0.2
"""A hand was over a pile, and not only near it, if there is so much evidence of its arm, 0..1."""


@dataclass(frozen=True, slots=True)
class Span:
    """When something was: its interval and the time it was told, s, with the frames of the evidence."""

    t_from: float
    t_to: float
    told: float
    frames: tuple[int, int]
    evidence: tuple[Evidence, ...] = ()
    t: float = field(init=False, compare=False)
    """When it was, most probably."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "t", likeliest(self.t_from, self.t_to))


def were_there(span: Span, seat: Seat, zone: Zone) -> bool:
    """Whether an arm of ``seat`` was over ``zone`` when it changed."""
    changes = (one for one in span.evidence if isinstance(one, ZoneChange))
    return any(one.zone is zone and one.arms[seat] >= _THERE for one in changes)


def raced(deed: Deed, loss: Sighting, zone: Zone) -> bool:
    """Whether the hand that took a card away was over a pile as another's came down there.

    A loss that is told long after that may well have come later than it seems.
    """
    seat = loss.zone.seat
    return seat is not None and loss.change.t_seen <= deed.span.t + _SOON and were_there(deed.span, seat, zone)


def span_of(sighting: Sighting) -> Span:
    """The span of a change."""
    change = sighting.change
    return Span(change.t_from, change.t_to, change.t_seen, change.frames, (change,))


@dataclass(frozen=True, slots=True)
class Deed:
    """Something done, as one hypothesis has it.

    Attributes:
        action: what.
        ruling: the verdict where it stands.
        before, after: the position before and after.
        span: when.
        cost: its share of the hypothesis's score.
        extra: the part of ``cost`` that is not the verdict's.
        said: number of the commit by which it was said; ``None`` if it has not been.
        unseen: whether nobody saw where its card came from, or that it came, and no hand was seen to put it down.
        unreached: whether no hand was seen where its card lay, and that it went was not seen by then either.
    """

    action: Action
    ruling: Ruling
    before: Position
    after: Position
    span: Span
    cost: float
    extra: float
    said: int | None = None
    unseen: bool = False
    unreached: bool = False
    name: Name = field(init=False, compare=False)
    """What it is apart from its time."""

    def __post_init__(self) -> None:
        action = self.action
        name = (action.kind, action.seat, action.card, action.source, action.target, action.manner)
        object.__setattr__(self, "name", name)

    def at(self, span: Span) -> Deed:
        """The same at another time."""
        action, before, after = self.action.at(span.t), self.before, self.after
        shares = self.cost, self.extra, self.said, self.unseen, self.unreached
        return Deed(action, self.ruling, before, after, span, *shares)

    def touches(self, zone: Zone) -> bool:
        """Whether it changes what lies in a zone."""
        return self.action.source is zone or self.action.target is zone


Disputes: TypeAlias = tuple[tuple[int, Deed | None], ...]


@dataclass(frozen=True, slots=True)
class Expected:
    """Something that should be seen in a zone since ``t``, where ``before`` lay until then."""

    zone: Zone
    outcome: int
    before: int
    t: float


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """See the module.

    Attributes:
        zones: those that can be seen.
        base: the position before ``deeds``.
        deeds: what was done lately, in order; those already said come along as long as one may have to be put between.
        score: logarithm of its probability, up to a constant, without what age adds (see ``weight``).
        expected: what should be seen soon, in the order it came about.
        pending: changes that nothing explains yet, in the order they were told.
        disputes: commits this hypothesis has otherwise: their number, and what it has instead, ``None`` for nothing.
    """

    zones: frozenset[Zone]
    base: Position
    deeds: tuple[Deed, ...] = ()
    score: float = 0.0
    expected: tuple[Expected, ...] = ()
    pending: tuple[Sighting, ...] = ()
    disputes: Disputes = ()
    _weighed: tuple[float, float] = field(default=(inf, 0.0), init=False, repr=False, compare=False)

    @property
    def position(self) -> Position:
        """The table now."""
        return self.deeds[-1].after if self.deeds else self.base

    def weight(self, now: float) -> float:
        """The score with what has been waited for, and in vain so far, taken into account."""
        if self._weighed[0] != now:
            # Asked several times of every moment.
            object.__setattr__(self, "_weighed", (now, self._weigh(now)))
        return self._weighed[1]

    def _weigh(self, now: float) -> float:
        total, position = self.score, self.position
        for place, one in enumerate(self.pending):
            if is_loss(position, one):
                if one.best < BACK and any(other.zone is one.zone for other in self.pending[:place]):
                    # What lay there is in a hand already, which has turned up another card, or put one down, since.
                    total += costs.BUSY_SINCE + costs.STRANGER
                    continue
                if self.arrived(one):
                    total += costs.held(now - one.change.t_seen) if is_held(one) else costs.waiting_gain(0.0)
                    continue
                total += costs.waiting_loss(now - max(one.t, self.held_until(top(position, one.zone))))
                known = self.outrun(one)
                if known is not None:
                    total += costs.outrun(now - known)
                if self.moved_another(one):
                    total += costs.ANOTHER_SINCE
                if top(position, one.zone) == BACK:
                    total += costs.TURNED_UNSEEN
            elif is_held(one):
                total += costs.HELD if self.brought(one) else costs.held(now - one.change.t_seen)
                if position.placed() & DECK[one.best].bit:
                    continue
            else:
                total += costs.waiting_gain(now - one.change.t_seen)
            if one.best < BACK:
                total += costs.STRANGER
        for due in self.expected:
            total += costs.expected_unseen(now - due.t)
        if position.due:
            spat = next((deed for deed in reversed(self.deeds) if deed.action.kind is Kind.SPIT), None)
            if spat is not None:
                total += costs.other_spit(now - spat.span.told)
        return total

    def expected_at(self, zone: Zone) -> tuple[Expected, ...]:
        """What should be seen in a zone, in order."""
        return tuple(one for one in self.expected if one.zone is zone)

    def pending_at(self, zone: Zone) -> tuple[Sighting, ...]:
        """What is unexplained in a zone, in order."""
        return tuple(one for one in self.pending if one.zone is zone)

    def shown(self, zone: Zone) -> int:
        """What was last seen in a zone, as far as it is explained."""
        for one in self.expected:
            if one.zone is zone:
                return one.before
        return top(self.position, zone)

    def brought(self, held: Sighting) -> bool:
        """Whether a card that was seen in a hand over a stock pile has come down elsewhere since."""
        card = DECK[held.best]
        return any(
            deed.action.card is card and deed.action.target is not held.zone and deed.span.t_to > held.change.t_from
            for deed in self.deeds
        )

    def arrived(self, change: Sighting) -> bool:
        """Whether a stock pile shows a card that left another one: it was put there, and none was taken away."""
        return change.best < BACK and any(
            one is not change and one.zone is not change.zone and top(self.position, one.zone) == change.best
            for one in self.pending
        )

    def moved_another(self, loss: Sighting) -> bool:
        """Whether the player who took a card away has put down or turned up another since, with the same hand."""
        seat, t = loss.zone.seat, loss.change.t_to + _CARRY
        return any(
            deed.action.seat is seat and deed.action.kind in _TAKES_A_HAND and deed.span.t_from > t
            for deed in self.deeds
        )

    def outrun(self, loss: Sighting) -> float | None:
        """Since when it is known, s, that another's card came down where the hand that took a card away was, too."""
        seat = loss.zone.seat
        assert seat is not None
        for deed in reversed(self.deeds):
            action, late = deed.action, deed.span.t - loss.t
            if action.seat is seat.other and action.kind in _PUTS and _CARRY <= late <= _RACE:
                target = action.target
                if target is not None and target.kind is ZoneKind.CENTRE and raced(deed, loss, target):
                    return max(deed.span.told, loss.change.t_seen)
        return None

    def held_until(self, outcome: int) -> float:
        """Until when a card was seen in a hand over a stock pile, s; long ago if it was not."""
        return max((one.change.t_seen for one in self.pending if one.best == outcome and is_held(one)), default=-inf)

    def key(self) -> tuple[object, ...]:
        """What two hypotheses share that nothing to come can tell apart."""
        position = self.position
        return (
            position.sides,
            tuple(tuple(entry.card for entry in pile) for pile in position.centre),
            (position.round, position.due, position.claims, position.owed, position.result),
            tuple(deed.name for deed in self.deeds if deed.said is None),
            self.expected,
            tuple(one.number for one in self.pending),
        )

    def but(
        self,
        *,
        deeds: tuple[Deed, ...] | None = None,
        score: float | None = None,
        expected: tuple[Expected, ...] | None = None,
        pending: tuple[Sighting, ...] | None = None,
        disputes: Disputes | None = None,
    ) -> Hypothesis:
        """The same but for what is given: ``replace`` in a fraction of its time, for so many are made."""
        return Hypothesis(
            self.zones,
            self.base,
            self.deeds if deeds is None else deeds,
            self.score if score is None else score,
            self.expected if expected is None else expected,
            self.pending if pending is None else pending,
            self.disputes if disputes is None else disputes,
        )

    def plus(self, cost: float) -> Hypothesis:
        """The same at another score."""
        return self.but(score=self.score + cost)

    def unsaid_before(self, t: float) -> bool:
        """Whether something was done before ``t``, s, that was never said."""
        return any(deed.said is None and deed.span.told < t and deed.span.t < t for deed in self.deeds)

    def forgetting(self, t: float) -> Hypothesis:
        """The same where what was told before ``t``, s, and has been said, is past being gone back to."""
        count = 0
        while count < len(self.deeds) and self.deeds[count].said is not None and self.deeds[count].span.told < t:
            count += 1
        return replace(self, base=self.deeds[count - 1].after, deeds=self.deeds[count:]) if count else self

    def wait_for(self, sighting: Sighting) -> Hypothesis:
        """With a change left unexplained for now."""
        return self.but(pending=(*self.pending, sighting))

    def without(self, *sightings: Sighting) -> Hypothesis:
        """With changes no longer unexplained."""
        return self.but(pending=tuple(one for one in self.pending if one not in sightings))


def is_loss(position: Position, sighting: Sighting) -> bool:
    """Whether a change tells that a card went away, which may be in a hand, and not only that one came."""
    if sighting.zone.kind is ZoneKind.CENTRE:
        return False
    lies = top(position, sighting.zone)
    # A last card that lay face down was turned up before it went, which nobody saw.
    return lies not in (EMPTY, BACK) or (lies == BACK and sighting.best == EMPTY)


def is_held(sighting: Sighting) -> bool:
    """Whether a change may tell of a card in a hand over a stock pile: it was read under one."""
    change = sighting.change
    return sighting.zone.kind is ZoneKind.STOCK and sighting.best < BACK and not change.settled and any(change.arms)
