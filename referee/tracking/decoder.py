"""The decoder: from what was seen to what was done, with rulings."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

from referee.readings import BACK, Disturbance, Evidence, Reach, ZoneChange
from referee.rules.actions import Action, Kind
from referee.rules.position import Position, start
from referee.rules.ruleset import RuleSet
from referee.rules.ruling import Ruling, Verdict
from referee.rules.state import Reason
from referee.table import Zone
from referee.tracking import commits, costs
from referee.tracking.agreement import agreed, dispute_key, disputed, reconciled, same
from referee.tracking.backs import Backs
from referee.tracking.commits import Commit
from referee.tracking.contradicting import Contradictions
from referee.tracking.deals import with_deals
from referee.tracking.deciding import ready, weights
from referee.tracking.doing import done
from referee.tracking.doubts import doubtful
from referee.tracking.hands import Hands, reached
from referee.tracking.hearing import afresh, deed_told, meant, with_told, without
from referee.tracking.hypothesis import Deed, Hypothesis
from referee.tracking.naming import Names
from referee.tracking.reaching import claiming, fault_in, harmless, is_over, is_pushed, slap_in, span_of_reach
from referee.tracking.rereading import is_still_there, still_there
from referee.tracking.resync import contradictions, resynced
from referee.tracking.scribe import Scribe
from referee.tracking.search import Search
from referee.tracking.settings import USUAL, Settings
from referee.tracking.sightings import Sighting, sighting, tells_nothing
from referee.tracking.spitting import accused, forgiven
from referee.tracking.states import States

_KEPT: Final = 2
"""So many earlier readings of a card are kept."""

_IN_HAND: Final = 1.5
"""A card that left its place longer ago than this is in no hand any more, s."""

_UNDONE: Final = 6.0
"""Players who take back a ruling have so long to put the cards as they were, s."""


class Decoder:
    """Told what is seen, in order of the time it became known, says what was done.

    The same evidence gives the same commits. ``push`` may be given anything that is seen, ``advance`` the time when
    nothing is; both return what is said now.

    Attributes:
        rules: the law.
        zones: those that can be seen.
    """

    def __init__(self, rules: RuleSet, zones: Collection[Zone], settings: Settings = USUAL) -> None:
        self.rules = rules
        self.zones = frozenset(zones)
        self._settings = settings
        self._beam: list[Hypothesis] = [Hypothesis(self.zones, start(rules))]
        self._latest: dict[Zone, Sighting] = {}
        self._read: dict[int, tuple[Sighting, ...]] = {}
        self._pushed: dict[Zone, ZoneChange] = {}
        self._hands = Hands((), self._read, self._pushed)
        self._idle: list[Reach] = []
        self._now = 0.0
        self._numbers = 0
        self._scribe = Scribe()
        self._names = Names()
        self._backs = Backs()
        self._spoken: list[tuple[int, Deed | None]] = []
        self._taken_up = -math.inf
        self._apart = Contradictions(settings)
        self._recent: dict[int, Deed] = {}
        self._left_open: set[int] = set()
        self._states = States(settings.stalemate)

    @property
    def position(self) -> Position:
        """The table as it most probably is now."""
        return self._beam[0].position

    def push(self, evidence: Evidence) -> list[Commit]:
        """Takes in something that was seen; what is said because of it."""
        match evidence:
            case ZoneChange():
                said = self.advance(evidence.t_seen)
                if evidence.zone in self.zones and not tells_nothing(evidence.after):
                    self._changed(evidence)
            case Reach():
                said = []
                self._reached(evidence)
            case Disturbance():
                said = [self._scribe.disturbed(evidence, self.position, self._now)]
        return said + self._say()

    def advance(self, t: float) -> list[Commit]:
        """Time passes until ``t``, s, without anything else being seen; what is said because of that."""
        self._now = max(self._now, t)
        if self._idle:
            self._weigh_hands()
        return self._say()

    def finish(self) -> list[Commit]:
        """Nothing more will be seen; everything that is left to say."""
        return self.advance(self._now + self._settings.lag + self._settings.stalemate + 1.0)

    # Being told.

    def undo(self, t: float) -> list[Commit]:
        """At ``t``, s, the players take back the last ruling: what it was given on did not happen.

        That is the last one that found fault, if it was given lately: play may have gone on while it was spoken.
        A correction without action says so, with the number of the commit it corrects. Told again, it takes back the
        ruling before that, as far as the last deal. Where the table goes on showing what was taken back, the ledger
        follows it after some seconds, as it does at any contradiction.
        """
        said = self.advance(t)
        if not self._spoken:
            return said
        number, deed = self._spoken[place := meant(self._spoken, self._now)]
        later = self._spoken[place + 1 :]
        del self._spoken[place]
        self._recent.pop(number, None)
        if deed is not None:
            self._beam = [without(self._beam[0], number, deed, later)]
            apart = filter(deed.touches, contradictions(self.position, self._latest))
            self._apart.spare(apart, self._now + _UNDONE)
            self._states.restart()
        said.append(self._scribe.not_done(number, self.position, 1.0, self._now, "that is taken back."))
        return said + self._say()

    def told(self, action: Action, t: float | None = None) -> list[Commit]:
        """The players did ``action``, at its time; nothing of it has to be seen.

        It is said at once with its ruling, as certain, unless it was said already; what it puts in another light is
        corrected: a call to spit by both makes spit cards right that were turned in the three seconds before. What
        cannot have been done in this position changes nothing.

        Args:
            action: what was done; without a time it was done when it is told.
            t: when it is told, s; without it at the action's time, or now.
        """
        when = action.t if t is None else t
        said = self.advance(self._now if when is None else when)
        action = replace(action, t=self._now if action.t is None else action.t)
        found = [with_told(one, action, self._now) for one in self._beam]
        if not any(found):
            return said
        self._keep(one for one in found if one is not None)
        deed = deed_told(self._beam[0], action)
        if deed is not None and deed.said is None:
            said += self._say_deed(deed, 1.0, deed.ruling)
        return said + self._say()

    def new_round(self, t: float) -> list[Commit]:
        """At ``t``, s, the players end the round, and will deal anew; the deal is then recognised as any other.

        A round that was going on is said to be over, won by nobody; what waits for a deal already goes on doing so.
        A game that is over is followed by a new one.
        """
        said = self.advance(t)
        before = self.position
        after = afresh(before)
        if after is before:
            return said
        self._taken_up = self._now
        self._spoken, self._recent = [], {}
        self._apart.clear()
        self._names.clear()
        self._beam = [Hypothesis(self.zones, after)]
        self._states.told(before, after, self._now)
        return said + self._say()

    # Taking in.

    def _changed(self, change: ZoneChange) -> None:
        self._numbers += 1
        self._backs.learn(self.position, change)
        seen = sighting(self._numbers, change, self._backs.missed)
        self._latest[change.zone] = seen
        if is_pushed(change):
            self._pushed[change.zone] = change
        if is_still_there(change):
            self._keep(still_there(one, seen) for one in self._beam)
            return
        if seen.best < BACK:
            self._read[seen.best] = (*self._read.get(seen.best, ())[-_KEPT:], seen)
        found: list[Hypothesis] = []
        search = Search(self._hands)
        for hypothesis in self._beam:
            found += search.explain(hypothesis, seen)
        first = self._scribe.count == 0
        found = with_deals(found, self._latest, self._taken_up, seen.change.t_seen, self._hands, first=first)
        self._keep(reconciled(one, self._recent) for one in found)

    def _reached(self, reach: Reach) -> None:
        """A hand; what was told of it before it left is replaced."""
        since = self._now - self._settings.reaches
        if not reach.flat:
            kept = [one for one in self._hands.reaches if one.t_end >= since and not _same(one, reach)]
            self._hands = Hands((*kept, reach), self._read, self._pushed)
            self._beam = [reached(one, reach) for one in self._beam]
        others = [one for one in self._idle if not _same(one, reach)]
        self._idle = others if harmless(reach) else [*others, reach]

    def _weigh_hands(self) -> None:
        """Hands that moved no card, once it is clear that they moved none."""
        waiting, claims = [], any(claiming(one) for one in self._beam)
        for reach in self._idle:
            found = (claims and self._slapped(reach)) or self._at_fault(reach)
            if not found and not is_over(reach, self._now - 1.0):
                waiting.append(reach)
        self._idle = waiting

    def _slapped(self, reach: Reach) -> bool:
        """Whether a hand has slapped a pile; it may be taken for another's, so that it did not is kept in mind."""
        kept: list[Hypothesis] = []
        found = False
        for one in self._beam:
            slapped = slap_in(one, reach, self._now)
            after = None
            if slapped is not None:
                after = done(one, slapped[0], span_of_reach(reach, self._now), under=slapped[1])
            found = found or (after is not None and one is self._beam[0])
            kept += [one] if after is None else [after, one.plus(costs.NO_SLAP)]
        if found:
            self._keep(kept)
        return found

    def _at_fault(self, reach: Reach) -> bool:
        action = fault_in(self._beam[0], reach, self._hands, self._now)
        if action is None:
            return False
        self._beam = [done(one, action, span_of_reach(reach, self._now)) or one for one in self._beam]
        return True

    def _keep(self, hypotheses: Iterable[Hypothesis]) -> None:
        """The best of the hypotheses, each once, best first."""
        best: dict[tuple[object, ...], Hypothesis] = {}
        for one in hypotheses:
            key = one.key()
            if key not in best or one.score > best[key].score:
                best[key] = one
        self._beam = list(best.values())
        self._weigh()

    def _weigh(self) -> None:
        """Puts the best hypothesis first, and drops those that have become too improbable."""
        if len(self._beam) == 1:
            return
        weighed = sorted(((one.weight(self._now), one) for one in self._beam), key=lambda pair: -pair[0])
        limit = weighed[0][0] - self._settings.spread
        # What the best has not come round to saying is not gone back to.
        stale = self._now - self._settings.memory - self._settings.doubt
        best = weighed[0][1]
        kept = [(weight, one) for weight, one in weighed if one is best or not one.unsaid_before(stale)]
        self._beam = [one for weight, one in kept[: self._settings.beam] if weight >= limit]

    # Saying.

    def _say(self) -> list[Commit]:
        said: list[Commit] = []
        self._weigh()
        while (ripe := ready(self._beam, self._now, self._settings, self._hands)) is not None:
            said += self._say_deed(*ripe)
        said += self._correct()
        said += self._decide()
        said += self._rename()
        said += self._say_states()
        said += self._heal()
        self._forget()
        return said

    def _say_deed(self, deed: Deed, confidence: float, ruling: Ruling) -> list[Commit]:
        state = self._states.ahead_of(deed, self._beam[0])
        said = [] if state is None else [self._scribe.state(state, self._now)]
        number = self._scribe.count
        said.append(self._scribe.deed(deed, ruling, confidence, self._now))
        for earlier, other in self._names.said(number, deed, self._beam[0]):
            said.append(self._scribe.instead(earlier, other, confidence, self._now))
        if ruling.verdict is not Verdict.ILLEGAL:
            for earlier, left_open in accused(self._recent, deed, self._beam[0]):
                self._recent[earlier] = left_open
                said.append(self._scribe.instead(earlier, left_open, confidence, self._now))
        self._recent[number] = deed
        if ruling.verdict is Verdict.UNDECIDED is not deed.ruling.verdict:
            self._left_open.add(number)
        # What came before a deal is past being taken back.
        self._spoken = [] if deed.action.kind is Kind.DEAL else [*self._spoken, (number, deed)]
        limit = self._beam[0].weight(self._now) - self._settings.dispute
        self._beam = agreed(self._beam, deed, number, self._now, limit)
        if ruling.verdict is Verdict.UNDECIDED and deed.ruling.reason is Reason.NOT_STUCK:
            self._beam = [forgiven(one, number) for one in self._beam]
        self._states.after(deed, self._beam[0])
        return said + self._say_states()

    def _heal(self) -> list[Commit]:
        """Where the table contradicts the ledger for good, the ledger is made to follow it."""
        best = self._beam[0]
        ripe, overdue = self._apart.ripe(best.position, self._latest, self._now)
        if not ripe or (not overdue and any(deed.said is None for deed in best.deeds)):
            # What was seen to be done is said first: the mended ledger knows nothing of it.
            return []
        before = best.position
        after = resynced(before, self._latest, ripe)
        waiting = tuple(one for one in best.pending if one.zone not in ripe and self._now - one.t < _IN_HAND)
        self._apart.clear()
        self._states.restart()
        self._beam = [Hypothesis(self.zones, after, pending=waiting)]
        self._spoken = [(number, None) for number, _ in self._spoken]
        self._names.clear()
        return self._scribe.healed(before, after, ripe, self._latest, self._now)

    def _say_states(self) -> list[Commit]:
        said = []
        for state in self._states.reached(self._beam[0], self._now):
            if state.what == commits.ROUND_OVER:
                self._taken_up = state.t
            said.append(self._scribe.state(state, self._now))
        return said

    def _correct(self) -> list[Commit]:
        """What was said is taken back if what disputes it has turned out to be by far more probable.

        What accuses somebody after all has to be as sure as what is said without waiting.
        """
        best = self._beam[0]
        if not best.disputes:
            return []
        names = disputed(best)
        agreed = [names <= disputed(one) for one in self._beam]
        share = sum(weight for weight, agrees in zip(weights(self._beam, self._now), agreed, strict=True) if agrees)
        faults = [deed for _, deed in best.disputes if deed is not None and deed.ruling.verdict is Verdict.ILLEGAL]
        if share < (self._settings.sure if faults else self._settings.mend):
            return []
        if any(doubtful(deed, best, self._hands) for deed in faults):
            return []
        said = []
        self._names.corrected(best.disputes)
        for number, deed in best.disputes:
            # Corrected now, it is no longer to be decided.
            self._left_open.discard(number)
            self._spoken = [(one, deed if one == number else was) for one, was in self._spoken]
            if deed is None:
                self._spoken = [one for one in self._spoken if one[0] != number]
                said.append(self._scribe.not_done(number, best.position, share, self._now, "that was not done."))
            else:
                said.append(self._scribe.instead(number, deed, share, self._now))
        self._beam = [
            replace(one, disputes=tuple(dispute for dispute in one.disputes if dispute_key(*dispute) not in names))
            for one, agrees in zip(self._beam, agreed, strict=True)
            if agrees
        ]
        return said

    def _decide(self) -> list[Commit]:
        """What was left undecided is ruled on once it is as sure as what is said without waiting."""
        best, said = self._beam[0], []
        for deed in best.deeds:
            if deed.said is None or deed.said not in self._left_open or doubtful(deed, best, self._hands):
                continue
            agreed = [any(one.said == deed.said and same(one, deed) for one in other.deeds) for other in self._beam]
            share = sum(weight for weight, agrees in zip(weights(self._beam, self._now), agreed, strict=True) if agrees)
            if share >= self._settings.sure:
                self._left_open.remove(deed.said)
                said.append(self._scribe.instead(deed.said, deed, share, self._now))
        return said

    def _rename(self) -> list[Commit]:
        """Cards told of long ago that lie there still, and are others."""
        found = self._names.mistaken(self._beam[0])
        if not found:
            return []
        agreed = [self._names.mistaken(one) == found for one in self._beam]
        share = sum(weight for weight, agrees in zip(weights(self._beam, self._now), agreed, strict=True) if agrees)
        if share < self._settings.mend:
            return []
        self._names.corrected(found)
        return [self._scribe.instead(number, deed, share, self._now) for number, deed in found]

    def _forget(self) -> None:
        before = self._now - self._settings.memory
        self._recent = {number: deed for number, deed in self._recent.items() if deed.span.told >= before - 1.0}
        self._left_open.intersection_update(self._recent)
        self._beam = [one.forgetting(before) for one in self._beam]


def _same(one: Reach, other: Reach) -> bool:
    """Whether two reaches tell of the same hand."""
    return (one.seat, one.zone, one.t_from, one.flat) == (other.seat, other.zone, other.t_from, other.flat)


__all__ = ["Commit", "Decoder", "Settings"]
