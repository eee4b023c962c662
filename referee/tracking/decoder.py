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
from referee.table import CENTRES, Seat, Zone, ZoneKind
from referee.tracking import commits, costs
from referee.tracking.agreement import agreed, counterpart, dispute_key, disputed, reconciled
from referee.tracking.commits import Commit
from referee.tracking.dealing import dealers, dealt
from referee.tracking.hands import Hands
from referee.tracking.hypothesis import Deed, Hypothesis, Span, done, reached, span_of
from referee.tracking.reaching import claiming, fault_in, harmless, is_over, slap_in, span_of_reach
from referee.tracking.resync import contradictions, resynced
from referee.tracking.search import DEPTH, Search
from referee.tracking.settings import USUAL, Settings
from referee.tracking.sightings import Sighting, card_of, sighting, tells_nothing
from referee.tracking.states import State, States

_ALONE: Final = 3
"""One zone alone has to contradict the ledger so many times as long."""

_FITTING: Final = 0.97
"""Share of the cards people play that fit."""


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
        self._read: dict[int, Sighting] = {}
        self._hands = Hands((), self._read)
        self._idle: list[Reach] = []
        self._now = 0.0
        self._numbers = 0
        self._said = 0
        self._taken_up = -math.inf
        self._apart: dict[Zone, float] = {}
        self._recent: dict[int, Deed] = {}
        self._round_over: int | None = None
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
                said = [self._disturbed(evidence)]
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

    # Taking in.

    def _changed(self, change: ZoneChange) -> None:
        self._numbers += 1
        seen = sighting(self._numbers, change)
        self._latest[change.zone] = seen
        if seen.best < BACK:
            self._read[seen.best] = seen
        found: list[Hypothesis] = []
        search = Search(self._hands)
        for hypothesis in self._beam:
            found += search.explain(hypothesis, seen)
        self._keep(reconciled(one, self._recent) for one in self._with_deals(found, seen))

    def _with_deals(self, hypotheses: Iterable[Hypothesis], seen: Sighting) -> list[Hypothesis]:
        found = []
        for hypothesis in hypotheses:
            if dealers(hypothesis.position):
                hurried = any(one.zone.kind is ZoneKind.CENTRE for one in hypothesis.pending)
                made = dealt(hypothesis.position, self._latest, self._taken_up, hurried=hurried)
                if made is not None:
                    action, last, cost = made
                    span = replace(span_of(last), told=seen.change.t_seen)
                    if hypothesis.position.round == 1 and not hypothesis.deeds and self._said == 0:
                        span = replace(span, t_from=0.0, t_to=0.0)
                    dealt_out = done(hypothesis, action, span, cost)
                    if dealt_out is not None:
                        found += Search(self._hands).resume(dealt_out, CENTRES, DEPTH)
                        continue
            found.append(hypothesis)
        return found

    def _reached(self, reach: Reach) -> None:
        """A hand; what was told of it before it left is replaced."""
        since = self._now - self._settings.reaches
        same = (reach.seat, reach.zone, reach.t_from)
        kept = [one for one in self._hands.reaches if one.t_end >= since and (one.seat, one.zone, one.t_from) != same]
        self._hands = Hands((*kept, reach), self._read)
        self._beam = [reached(one, reach) for one in self._beam]
        if not harmless(reach):
            waiting = [one for one in self._idle if (one.seat, one.zone, one.t_from) != same]
            self._idle = [*waiting, reach]

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
        action = fault_in(self._beam[0], reach, self._now)
        if action is None:
            return False
        self._beam = [done(one, action, span_of_reach(reach, self._now)) or one for one in self._beam]
        return True

    def _disturbed(self, disturbance: Disturbance) -> Commit:
        position = self._beam[0].position
        return self._commit(
            commits.DISTURBED,
            position,
            Span(disturbance.t_from, disturbance.t_from, self._now, (0, 0), (disturbance,)),
            detail=disturbance.what,
        )

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
        self._beam = [one for weight, one in weighed[: self._settings.beam] if weight >= limit]

    # Saying.

    def _say(self) -> list[Commit]:
        said: list[Commit] = []
        self._weigh()
        while (ready := self._ready()) is not None:
            said += self._say_deed(*ready)
        said += self._correct()
        said += self._say_states()
        said += self._heal()
        self._forget()
        return said

    def _ready(self) -> tuple[Deed, float, Ruling] | None:
        """The next thing to be said, with how probable it is and the ruling on it, if it is time."""
        best = self._beam[0]
        deed = next((deed for deed in best.deeds if deed.said is None), None)
        if deed is None:
            return None
        so, ruled = 0.0, dict.fromkeys(Verdict, 0.0)
        for weight, hypothesis in zip(self._weights(), self._beam, strict=True):
            other = counterpart(hypothesis, deed)
            if other is not None:
                so += weight * (other.name == deed.name)
                ruled[other.ruling.verdict] += weight
        agreed = ruled[deed.ruling.verdict] / sum(ruled.values())
        age = self._now - deed.span.told
        settings = self._settings
        patience = settings.hold if deed.ruling.verdict is Verdict.ILLEGAL else 0.0
        lag = settings.lag if agreed >= settings.sure else settings.doubt
        if self._hands.contest(deed, best):
            lag = patience = settings.doubt
        if age < lag and (min(so, agreed) < settings.sure or age < patience):
            return None
        ruling = deed.ruling
        needed = settings.accuse if ruling.verdict is Verdict.ILLEGAL else 0.5
        if ruling.verdict is not Verdict.UNDECIDED and agreed < needed:
            ruling = Ruling(ruling.action, Verdict.UNDECIDED, None, ruling.rules, None, False, ruling.against)
        if ruling.verdict is Verdict.UNDECIDED and ruling is deed.ruling and _right_as_a_rule(deed, best):
            return deed, _FITTING * min(so, agreed), Ruling(ruling.action, Verdict.LEGAL, None, ruling.rules)
        return deed, min(so, agreed), ruling

    def _weights(self) -> list[float]:
        """The probabilities of the hypotheses."""
        logs = [one.weight(self._now) for one in self._beam]
        shares = [math.exp(one - max(logs)) for one in logs]
        return [share / sum(shares) for share in shares]

    def _say_deed(self, deed: Deed, confidence: float, ruling: Ruling) -> list[Commit]:
        state = self._states.ahead_of(deed, self._beam[0])
        said = [] if state is None else [self._commit_state(state)]
        number = self._said
        action = deed.action
        ruling = replace(ruling, action=action)
        said.append(
            self._commit(
                commits.ACTION,
                deed.before,
                deed.span,
                after=deed.after,
                action=action,
                ruling=ruling,
                confidence=confidence,
            )
        )
        self._recent[number] = deed
        limit = self._beam[0].weight(self._now) - self._settings.dispute
        self._beam = agreed(self._beam, deed, number, self._now, limit)
        self._states.after(deed, self._beam[0].position)
        return said + self._say_states()

    def _heal(self) -> list[Commit]:
        """Where the table contradicts the ledger for good, the ledger is made to follow it."""
        best = self._beam[0]
        apart = contradictions(best.position, self._latest)
        self._apart = {zone: self._apart.get(zone, self._now) for zone in apart}
        waited = sorted(self._now - since for since in self._apart.values())
        patience = self._settings.patience
        # One zone may have been misread; two are not misread for long.
        if (len(waited) < 2 or waited[-2] < patience) and (not waited or waited[-1] < _ALONE * patience):
            return []
        before = best.position
        after = resynced(before, self._latest)
        self._apart = {}
        self._states.restart()
        self._beam = [Hypothesis(self.zones, after)]
        span = Span(self._now, self._now, self._now, (0, 0), tuple(self._latest[zone].change for zone in apart))
        what = f"{', '.join(zone.name for zone in apart)} cannot show what is seen there."
        seen = ", ".join(f"{zone} shows {_named(self._latest[zone].best)}" for zone in apart)
        return [
            self._commit(commits.DESYNC, before, span, detail=what),
            self._commit(commits.HEALED, before, span, after=after, detail=f"{seen}."),
        ]

    def _say_states(self) -> list[Commit]:
        said = []
        for state in self._states.reached(self._beam[0], self._now):
            if state.what == commits.ROUND_OVER:
                self._taken_up = state.t
            said.append(self._commit_state(state))
        return said

    def _commit_state(self, state: State) -> Commit:
        span = Span(state.t, state.t, self._now, (0, 0))
        made = self._commit(state.what, state.position, span, winner=state.winner, detail=state.detail)
        if state.what == commits.CORRECTION:
            return replace(made, corrects=self._round_over)
        if state.what == commits.ROUND_OVER:
            self._round_over = made.number
        return made

    def _correct(self) -> list[Commit]:
        """What was said is taken back if what disputes it has turned out to be by far more probable."""
        best = self._beam[0]
        if not best.disputes:
            return []
        names = disputed(best)
        agreed = [names <= disputed(one) for one in self._beam]
        share = sum(weight for weight, agrees in zip(self._weights(), agreed, strict=True) if agrees)
        if share < self._settings.mend:
            return []
        said = [self._commit_correction(number, deed, share) for number, deed in best.disputes]
        self._beam = [
            replace(one, disputes=tuple(dispute for dispute in one.disputes if dispute_key(*dispute) not in names))
            for one, agrees in zip(self._beam, agreed, strict=True)
            if agrees
        ]
        return said

    def _commit_correction(self, number: int, deed: Deed | None, confidence: float) -> Commit:
        if deed is None:
            span = Span(self._now, self._now, self._now, (0, 0))
            what = "that was not done."
            position = self._beam[0].position
            made = self._commit(commits.CORRECTION, position, span, confidence=confidence, detail=what)
        else:
            made = self._commit(
                commits.CORRECTION,
                deed.before,
                deed.span,
                after=deed.after,
                action=deed.action,
                ruling=replace(deed.ruling, action=deed.action),
                confidence=confidence,
            )
        return replace(made, corrects=number)

    def _forget(self) -> None:
        before = self._now - self._settings.memory
        self._recent = {number: deed for number, deed in self._recent.items() if deed.span.told >= before - 1.0}
        kept = []
        for hypothesis in self._beam:
            deeds = hypothesis.deeds
            count = 0
            while count < len(deeds) and deeds[count].said is not None and deeds[count].span.told < before:
                count += 1
            if count:
                hypothesis = replace(hypothesis, base=deeds[count - 1].after, deeds=deeds[count:])
            kept.append(hypothesis)
        self._beam = kept

    def _commit(
        self,
        what: str,
        before: Position,
        span: Span,
        *,
        after: Position | None = None,
        action: Action | None = None,
        ruling: Ruling | None = None,
        confidence: float = 1.0,
        winner: Seat | None = None,
        detail: str = "",
    ) -> Commit:
        made = Commit(
            self._said,
            what,
            action,
            ruling,
            before,
            before if after is None else after,
            confidence,
            span.t,
            span.t_from,
            span.t_to,
            self._now,
            span.frames,
            span.evidence,
            winner,
            detail,
        )
        self._said += 1
        return made


def _right_as_a_rule(deed: Deed, hypothesis: Hypothesis) -> bool:
    """Whether all that leaves it open is a card that nobody saw: people play what fits, and both spit when stuck."""
    action = deed.action
    if action.kind is Kind.SPIT:
        return any(one.action.kind is Kind.SPIT and one.action.seat is not action.seat for one in hypothesis.deeds)
    return action.kind is Kind.PLAY and action.card is not None and action.card.known


def _named(outcome: int) -> str:
    """What an outcome is called in a sentence."""
    card = card_of(outcome)
    return card.symbol if card is not None else "a back" if outcome == BACK else "nothing"


__all__ = ["Commit", "Decoder", "Settings"]
