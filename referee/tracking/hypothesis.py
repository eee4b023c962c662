"""One account of what was done: the ledger after it, how likely it is, and what it has yet to explain or to see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Final, TypeAlias

from referee.cards import DECK
from referee.readings import BACK, EMPTY, Evidence
from referee.rules.actions import Action, Kind, Manner
from referee.rules.moving import Impossible
from referee.rules.position import Position
from referee.rules.ruling import Ruling
from referee.rules.step import step
from referee.table import Zone, ZoneKind
from referee.tracking import costs
from referee.tracking.sightings import FREE, Sighting, likeliest, top

Name: TypeAlias = tuple[object, ...]
"""By what two deeds of different hypotheses are the same."""


_PUTS: Final = (Kind.PLAY, Kind.FILL, Kind.STACK, Kind.SPIT)

_CARRY: Final = 0.08
"""A card needs so long from its place to another, s."""


@dataclass(frozen=True, slots=True)
class Span:
    """When something was: its interval and the time it was told, s, with the frames of the evidence."""

    t_from: float
    t_to: float
    told: float
    frames: tuple[int, int]
    evidence: tuple[Evidence, ...] = ()

    @property
    def t(self) -> float:
        """When it was, most probably."""
        return likeliest(self.t_from, self.t_to)


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
    name: Name = field(init=False, compare=False)
    """What it is apart from its time."""

    def __post_init__(self) -> None:
        action = self.action
        name = (action.kind, action.seat, action.card, action.source, action.target, action.manner)
        object.__setattr__(self, "name", name)

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

    @property
    def position(self) -> Position:
        """The table now."""
        return self.deeds[-1].after if self.deeds else self.base

    def weight(self, now: float) -> float:
        """The score with what has been waited for, and in vain so far, taken into account."""
        total = self.score
        for one in self.pending:
            if is_loss(self.position, one):
                total += costs.waiting_loss(now - max(one.t, self.held_until(top(self.position, one.zone))))
                if self.moved_another(one):
                    total += costs.ANOTHER_SINCE
                if top(self.position, one.zone) == BACK:
                    total += costs.TURNED_UNSEEN
            elif is_held(one):
                total += costs.HELD if self.brought(one) else costs.held(now - one.change.t_seen)
                if self.position.placed() & DECK[one.best].bit:
                    continue
            else:
                total += costs.waiting_gain(now - one.change.t_seen)
            if one.best < BACK:
                total += costs.STRANGER
        for due in self.expected:
            total += costs.expected_unseen(now - due.t)
        if self.deeds:
            last = self.deeds[-1]
            if last.action.kind is Kind.SPIT and last.after.due:
                total += costs.other_spit(now - last.span.told)
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

    def moved_another(self, loss: Sighting) -> bool:
        """Whether the player who took a card away has put down another one since: with the one hand there is."""
        seat, t = loss.zone.seat, loss.change.t_to + _CARRY
        return any(
            deed.action.seat is seat and deed.action.kind in _PUTS and deed.span.t_from > t for deed in self.deeds
        )

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

    def plus(self, cost: float) -> Hypothesis:
        """The same at another score."""
        return replace(self, score=self.score + cost)

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
        return replace(self, pending=(*self.pending, sighting))

    def without(self, *sightings: Sighting) -> Hypothesis:
        """With changes no longer unexplained."""
        return replace(self, pending=tuple(one for one in self.pending if one not in sightings))


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


def done(
    hypothesis: Hypothesis,
    action: Action,
    span: Span,
    extra: float = 0.0,
    *,
    under: int | None = None,
    unseen: bool = False,
) -> Hypothesis | None:
    """The hypothesis that ``action`` was done besides; ``None`` if it cannot have been.

    Args:
        hypothesis: what is thought so far.
        action: what was done; its time is that of ``span``.
        span: when.
        extra: what it costs besides its verdict.
        under: the deed before which it was done, counted in ``deeds``; without it its time decides.
        unseen: whether nobody saw where its card came from, or that it came.
    """
    action = replace(action, t=max(0.0, span.t))
    for index in (under,) if under is not None else dict.fromkeys((_place(hypothesis, action), len(hypothesis.deeds))):
        found = _insert(hypothesis, [(action, span, extra, unseen)], index)
        if found is not None:
            return found
    return None


def _place(hypothesis: Hypothesis, action: Action) -> int:
    """Where in the order of time an action belongs; never before one that touched the same zones."""
    assert action.t is not None
    index = len(hypothesis.deeds)
    while index:
        deed = hypothesis.deeds[index - 1]
        t = deed.action.t
        if t is None or t <= action.t or deed.action.kind in (Kind.DEAL, Kind.CLAIM, Kind.SLAP):
            break
        if any(zone is not None and deed.touches(zone) for zone in (action.source, action.target)):
            break
        index -= 1
    return index


def done_together(hypothesis: Hypothesis, steps: Sequence[tuple[Action, Span, float]], index: int) -> Hypothesis | None:
    """The hypothesis that several things were done one after the other before the deed at ``index``."""
    placed = [(replace(action, t=max(0.0, span.t)), span, extra, False) for action, span, extra in steps]
    return _insert(hypothesis, placed, index)


def _insert(hypothesis: Hypothesis, steps: Sequence[tuple[Action, Span, float, bool]], index: int) -> Hypothesis | None:
    deeds = hypothesis.deeds
    position = deeds[index].before if index < len(deeds) else hypothesis.position
    made: list[Deed] = []
    cost = 0.0
    for action, span, extra, unseen in steps:
        try:
            taken = step(position, action)
        except Impossible:
            return None
        own = costs.verdict_cost(taken.ruling) + extra
        made.append(Deed(action, taken.ruling, position, taken.position, span, own, extra, None, unseen))
        position, cost = taken.position, cost + own
    again = replayed((*deeds[:index], *made), deeds[index:], hypothesis.disputes)
    if again is None:
        return None
    made_up, change, disputes = again
    after = made_up[-1].after
    expected = hypothesis.expected
    times = {zone: span.t for action, span, _, _ in steps for zone in (action.source, action.target)}
    for zone, t in times.items():
        if zone is not None and zone in hypothesis.zones and not any(later.touches(zone) for later in deeds[index:]):
            expected = _expect(hypothesis, expected, zone, top(after, zone), t)
    score = hypothesis.score + cost + change
    hypothesis = replace(hypothesis, deeds=made_up, score=score, expected=expected, disputes=disputes)
    return _freed(hypothesis, after, made_up[-1].span.t)


def replayed(
    first: tuple[Deed, ...], later: Sequence[Deed], disputes: Disputes, base: Position | None = None
) -> tuple[tuple[Deed, ...], float, Disputes] | None:
    """``later`` deeds done anew after the ``first``, what that changes in cost, and what it disputes.

    Where there are no first ones they are done in ``base``.
    """
    made, change = list(first), 0.0
    for deed in later:
        before = made[-1].after if made else base
        assert before is not None
        try:
            again = step(before, deed.action)
        except Impossible:
            return None
        cost = costs.verdict_cost(again.ruling) + deed.extra
        change += cost - deed.cost
        moved = replace(deed, ruling=again.ruling, before=before, after=again.position, cost=cost)
        if deed.said is not None and again.ruling.verdict is not deed.ruling.verdict:
            # What has been said is judged anew, for something has come to light that was before it.
            disputes = (*(one for one in disputes if one[0] != deed.said), (deed.said, moved))
        made.append(moved)
    return tuple(made), change, disputes


def with_manner(hypothesis: Hypothesis, index: int, manner: Manner, extra: float) -> Hypothesis | None:
    """The hypothesis that the deed at ``index`` was done in a ``manner``, which costs ``extra`` besides its verdict."""
    deed = hypothesis.deeds[index]
    action = replace(deed.action, manner=manner)
    try:
        taken = step(deed.before, action)
    except Impossible:
        return None
    cost = costs.verdict_cost(taken.ruling) + deed.extra + extra
    made = replace(deed, action=action, ruling=taken.ruling, after=taken.position, cost=cost, extra=deed.extra + extra)
    disputes = hypothesis.disputes
    if deed.said is not None:
        disputes = (*(one for one in disputes if one[0] != deed.said), (deed.said, made))
    again = replayed((*hypothesis.deeds[:index], made), hypothesis.deeds[index + 1 :], disputes)
    if again is None:
        return None
    deeds, change, disputes = again
    return replace(hypothesis, deeds=deeds, score=hypothesis.score + cost - deed.cost + change, disputes=disputes)


def _expect(
    hypothesis: Hypothesis, expected: tuple[Expected, ...], zone: Zone, outcome: int, t: float
) -> tuple[Expected, ...]:
    queue = [one for one in expected if one.zone is zone]
    before = queue[-1].outcome if queue else top(hypothesis.position, zone)
    if before == outcome:
        return expected
    if queue and queue[0].before == outcome:
        # It shows again what it showed before anything of this was seen: nothing will be told.
        return tuple(one for one in expected if one.zone is not zone)
    return (*expected, Expected(zone, outcome, before, t))


def _freed(hypothesis: Hypothesis, position: Position, t: float) -> Hypothesis:
    """Without what is no longer waited for because the cards there are being gathered since ``t``, s."""
    if not hypothesis.expected and not hypothesis.pending:
        return hypothesis
    expected = tuple(one for one in hypothesis.expected if top(position, one.zone) != FREE)
    pending = tuple(one for one in hypothesis.pending if top(position, one.zone) != FREE)
    lost = sum(one.t < t for one in hypothesis.pending) - sum(one.t < t for one in pending)
    return replace(hypothesis, expected=expected, pending=pending, score=hypothesis.score + lost * costs.LOST)
