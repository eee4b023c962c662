"""From a change to every account of it that is worth keeping."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from referee.cards import DECK, UNKNOWN
from referee.readings import BACK, EMPTY, ZoneChange
from referee.rules.actions import Action, Kind, Manner
from referee.rules.stuck import spitters, stalemate
from referee.table import CENTRES, RESERVES, Seat, Zone, ZoneKind
from referee.tracking import costs
from referee.tracking.bridging import bridged
from referee.tracking.covered import CARRY, leaving, under, under_deed
from referee.tracking.doing import AT_ONCE, done, done_together, with_manner
from referee.tracking.endings import finished_unseen, kept_going, lost_before_the_end
from referee.tracking.glimpses import glimpses, left_before, turned_after_all
from referee.tracking.hands import Hands
from referee.tracking.hypothesis import Deed, Hypothesis, Span, is_held, is_loss, span_of, were_there
from referee.tracking.learning import name
from referee.tracking.matching import match
from referee.tracking.misreadings import misread, misread_twice, taken_for_another
from referee.tracking.proposals import by_arms, proposals
from referee.tracking.rereading import came_down, is_reread, named_anew, put_in_place
from referee.tracking.revealed import revealed
from referee.tracking.sightings import FACE, Sighting, card_of, top, weigh
from referee.tracking.stopovers import stopovers
from referee.tracking.whereabouts import strangers, whereabouts

EFFORT: Final = 200
"""So many actions at most are tried to explain one change in one hypothesis."""

ALL_EFFORT: Final = 600
"""So many actions at most are tried to explain one change in all hypotheses, the most probable first."""

DEPTH: Final = 4
"""So many changes at most are explained one after the other."""


_GLIMPSED: Final = 4
"""So many accounts of a glimpse are followed up."""

_PLAIN: Final = 2.5
"""What costs no more than this is not looked at for earlier misreadings."""

_APART: Final = 0.3
"""Times of a glimpse and of what it shows agree so well, s."""

_SURELY: Final = -4.0
"""A reading that fits what was expected so well is that."""

_WORTH: Final = -8.2
"""A reading that fits worse than this is not what was expected."""


class Search:
    """One change's search; its effort is bounded, so that a table nobody can make sense of costs no more than that.

    Attributes:
        hands: hands, and how cards were read.
        left: how many more actions may be tried.
    """

    def __init__(self, hands: Hands) -> None:
        self.hands = hands
        self.left = EFFORT
        self._all = ALL_EFFORT

    def explain(self, hypothesis: Hypothesis, sighting: Sighting) -> list[Hypothesis]:
        """Every account of a new change that is worth keeping, the change left unexplained among them."""
        given = self.left = min(EFFORT, self._all)
        found = self._accounts(hypothesis, sighting)
        self._all -= given - max(self.left, 0)
        return found

    def _accounts(self, hypothesis: Hypothesis, sighting: Sighting) -> list[Hypothesis]:
        before, given = [hypothesis], self.left
        for glimpse in glimpses(sighting):
            before = [after for one in before for after in self._with_glimpse(one, glimpse)]
        # What was glimpsed leaves half of the effort to what is seen now.
        self.left = max(self.left, given // 2)
        before.sort(key=lambda one: -one.score)
        for one in tuple(before):
            left = left_before(one, sighting, self.hands)
            before += [] if left is None else [gone.plus(costs.UNTOLD) for gone in self._explain(one, left)]
        return [self.hands.seen_by(one) for first in before for one in self._explain(first, sighting)]

    def _with_glimpse(self, hypothesis: Hypothesis, glimpse: Sighting) -> list[Hypothesis]:
        """The hypothesis with what was glimpsed explained, if that can be done, and without."""
        if hypothesis.shown(glimpse.zone) == glimpse.best:
            return [hypothesis]
        turned = turned_after_all(hypothesis, glimpse)
        found = [] if turned is None else [turned]
        for one in self._explain(hypothesis, glimpse):
            # What is to come after the glimpse is not what was glimpsed.
            gone = [due for due in hypothesis.expected if due not in one.expected]
            told = len(one.deeds) > len(hypothesis.deeds) or bool(gone)
            if any(due.t > glimpse.change.t_to + _APART for due in gone):
                continue
            if told and not any(waits.change is glimpse.change for waits in one.pending):
                # Nothing more will be told of what was glimpsed: it is gone.
                found.append(one)
        best = sorted(found, key=lambda one: -one.score)[:_GLIMPSED]
        return [*best, hypothesis.plus(costs.GLIMPSE_WRONG)]

    def _explain(self, hypothesis: Hypothesis, sighting: Sighting) -> list[Hypothesis]:
        zone = sighting.zone
        found: list[Hypothesis] = []
        best = -math.inf
        waiting = hypothesis.pending_at(zone)
        if waiting:
            if waiting[-1].best == sighting.best:
                return [hypothesis]
            if is_reread(sighting) and waiting[-1].best < BACK:
                return self._read_anew(hypothesis, waiting, sighting)
            if came_down(hypothesis, sighting):
                found += self._read_anew(hypothesis, waiting, sighting)
            shown = hypothesis.shown(zone)
            best = sighting.fit[shown] + _undone(hypothesis, waiting, shown)
            if any(one.best >= BACK and one.change.t_to < sighting.change.t_from for one in waiting):
                # What has come down elsewhere does not come back to where it was taken from.
                best += sum(costs.MISREAD for due in hypothesis.expected_at(zone)[:1] if due.before == sighting.best)
            found.append(hypothesis.without(*waiting).plus(best))
            if all(map(is_held, waiting)):
                placed = hypothesis.position.placed()
                held = sum(costs.HELD + (0.0 if placed & DECK[one.best].bit else costs.STRANGER) for one in waiting)
                found += self._explain(hypothesis.without(*waiting).plus(held), sighting)
        else:
            queue = hypothesis.expected_at(zone)
            for index, due in enumerate(queue):
                cost = sighting.fit[due.outcome] + index * costs.COVERED
                best = max(best, cost)
                if cost > 1.5 * _WORTH:
                    found.append(match(hypothesis, sighting, index).plus(index * costs.COVERED))
            shown = hypothesis.shown(zone)
            cost = sighting.fit[shown] + (0.0 if sighting.change.moved else costs.SPURIOUS)
            if sighting.fit[shown] > -0.7 and not queue:
                cost = sighting.fit[shown]
            best = max(best, cost)
            ending = lost_before_the_end(hypothesis, sighting)
            found.append(hypothesis.plus(cost if ending is None else cost + costs.LOST))
            if ending is not None:
                for one in kept_going(hypothesis, sighting, ending):
                    found += self._explain(one, sighting)
        shown = hypothesis.shown(zone)
        if shown == FACE and not waiting and sighting.best < BACK and zone.kind is ZoneKind.STOCK:
            found[-1] = name(found[-1], zone, DECK[sighting.best])
        if best < -1.0 and is_reread(sighting) and shown < BACK:
            found += named_anew(hypothesis, sighting, self.hands)
        elif best < -1.0:
            open_ = hypothesis.wait_for(sighting)
            found.append(open_)
            found += self.propose(open_, sighting, DEPTH)
            if came_down(hypothesis, sighting):
                if not sighting.change.settled:
                    found.append(hypothesis.plus(sighting.fit[shown]))
                found += named_anew(hypothesis, sighting, self.hands)
        return found

    def _read_anew(self, hypothesis: Hypothesis, waiting: Sequence[Sighting], sighting: Sighting) -> list[Hypothesis]:
        """The accounts of a card that came, waits to be explained, and is read otherwise now."""
        last, shown = waiting[-1], hypothesis.shown(sighting.zone)
        found = [hypothesis.plus(sighting.fit[last.best])]
        found.append(hypothesis.without(*waiting).plus(sighting.fit[shown] + _undone(hypothesis, waiting, shown)))
        instead = put_in_place(hypothesis, last, sighting)
        there = next(one for one in instead.pending if one.number == last.number and one.zone is last.zone)
        return [*found, instead, *self.propose(instead, there, DEPTH)]

    def resume(self, hypothesis: Hypothesis, zones: Iterable[Zone | None], depth: int) -> list[Hypothesis]:
        """The hypothesis with what waits in ``zones`` explained, as far as it now can be."""
        position = hypothesis.position
        todo = [zone for zone in dict.fromkeys(zones) if zone is not None]
        if position.claims is not None:
            todo += [zone for zone in CENTRES if zone not in todo]
        for zone in todo:
            waiting = hypothesis.pending_at(zone)
            if not waiting:
                continue
            first = waiting[0]
            queue = hypothesis.expected_at(zone)
            fits = [(first.fit[due.outcome] + index * costs.COVERED, index) for index, due in enumerate(queue)]
            if fits and max(fits)[0] > _WORTH:
                index = max(fits)[1]
                matched = match(hypothesis.without(first), first, index).plus(index * costs.COVERED)
                found = self.resume(matched, todo, depth)
                return found if max(fits)[0] > _SURELY else [*found, hypothesis]
            left = _overtaken(hypothesis, first)
            if left is not None:
                # What was seen there before the card left was that card, misread.
                cost = first.fit[top(left.before, zone)] + costs.SPURIOUS
                return [*self.resume(hypothesis.without(first).plus(cost), todo, depth), hypothesis]
            if depth > 0 and not (is_held(first) and hypothesis.brought(first)):
                further = self.propose(hypothesis, first, depth - 1)
                if further:
                    return [*further, hypothesis]
        return [hypothesis]

    def propose(self, hypothesis: Hypothesis, sighting: Sighting, depth: int) -> list[Hypothesis]:
        """The hypotheses in which something was done that ``sighting``, which waits in ``hypothesis``, tells of."""
        found: list[Hypothesis] = []
        if self.left < 0:
            return found
        ways = chain(proposals(hypothesis, sighting, self.hands), stopovers(hypothesis, sighting, self.hands))
        for options in ways:
            after: Hypothesis | None = hypothesis
            self.left -= 1
            if self.left < 0:
                break
            first = options[0]
            zones = [zone for one in options for zone in (one.action.source, one.action.target)]
            if len(options) > 1 and first.under is not None:
                after = done_together(hypothesis, [(one.action, one.span, one.extra) for one in options], first.under)
                options = ()
            for one in options:
                if after is not None and one.named and one.action.source is not None and one.action.card is not None:
                    after = name(after, one.action.source, one.action.card)
                if after is not None:
                    flags = {"unseen": one.unseen, "unreached": one.unreached}
                    after = done(after, one.action, one.span, one.extra, under=one.under, **flags)

            if after is not None:
                shown = [one.action.card for one in options if one.action.card is not None]
                zones += [one.zone for one in after.pending if card_of(one.best) in shown]
                found += self.resume(after, [sighting.zone, *zones], depth)
        if depth > 0 and sighting.best < BACK:
            if sighting.zone.kind is ZoneKind.CENTRE:
                found += self._covered_first(hypothesis, sighting, depth)
                found += self._spat_first(hypothesis, sighting, depth)
                for before, zone in bridged(hypothesis, sighting, self.hands):
                    for bridge in self.resume(before, [zone], depth - 1):
                        found += self.propose(bridge, sighting, depth - 1)
        elif depth > 0 and sighting.best == EMPTY and sighting.zone.kind is ZoneKind.CENTRE:
            for before, zone in finished_unseen(hypothesis, sighting, self.hands):
                for ended in self.resume(before, [zone], depth - 1):
                    found += self.propose(ended, sighting, depth - 1)
        elif depth > 0 and sighting.zone.kind is ZoneKind.STOCK:
            found += self._went_along(hypothesis, sighting, depth)
        elif depth > 0 and sighting.best == FACE:
            found += self._covered_first(hypothesis, sighting, depth)
        if depth > 0:
            for account, there in misread(hypothesis, sighting, self.hands):
                found += self.propose(account, there, 0)
            if max((one.score for one in found), default=-math.inf) < hypothesis.score - _PLAIN:
                for account, left in revealed(hypothesis, sighting, self.hands):
                    for freed in self.resume(account, [left], 1):
                        found += self.propose(freed, sighting, 0)
                for account, there in taken_for_another(hypothesis, sighting, self.hands):
                    found += self.propose(account, there, 0)
                for account, there in misread_twice(hypothesis, sighting):
                    waiting = tuple(there if one is sighting else one for one in account.pending)
                    found += self.propose(replace(account, pending=waiting), there, 0)
        return found

    def _went_along(self, hypothesis: Hypothesis, sighting: Sighting, depth: int) -> list[Hypothesis]:
        """A stock pile lost a card that went down together with another of the same hand, which has been seen."""
        card, seat = leaving(hypothesis.position, sighting), sighting.zone.seat
        if card is None or not card.known:
            return []
        found: list[Hypothesis] = []
        for index, deed in enumerate(hypothesis.deeds):
            action, t = deed.action, deed.span.t
            near = sighting.change.t_from + CARRY < t and sighting.t > t - 1.5
            if action.kind is not Kind.PLAY or action.seat is not seat or action.manner is not None or not near:
                continue
            assert seat is not None
            assert action.target is not None
            if len(self.hands.comings(seat, action.target, sighting.change.t_from, deed.span.t_to)) > 1:
                continue
            first = Action(Kind.PLAY, seat, card, sighting.zone, action.target, manner=Manner.TWO_CARDS)
            one = done(hypothesis, first, deed.span, under=index)
            both = None if one is None else with_manner(one, index + 1, Manner.TWO_CARDS, -costs.FAULTS_TWO)
            if both is not None:
                found += self.resume(both, [sighting.zone], depth - 1)
        return found

    def _covered_first(self, hypothesis: Hypothesis, sighting: Sighting, depth: int) -> list[Hypothesis]:
        """A card whose loss waits to be explained came down first, and the one that is seen on top of it."""
        found: list[Hypothesis] = []
        zones: set[Zone] = set()
        for loss in hypothesis.pending:
            card = leaving(hypothesis.position, loss)
            too_late = loss.change.t_from + CARRY > sighting.t
            if card is None or not card.known or loss.zone in zones or too_late or card.code == sighting.best:
                continue
            zones.add(loss.zone)
            seat = loss.zone.seat
            assert seat is not None
            span, cost = under(sighting, loss, card)
            same_hand = _owner(hypothesis, sighting) is seat
            there = not same_hand and were_there(span_of(sighting), seat, sighting.zone)
            cost += costs.SAME_HAND_COVERED if same_hand else costs.TWO_HANDS_THERE * there
            first = Action(Kind.PLAY, seat, card, loss.zone, sighting.zone)
            ways = [done(hypothesis, first, span, cost, unseen=not there)]
            ways.append(self._lowest(hypothesis, sighting, loss, first))
            for before in ways:
                for one in () if before is None else self.resume(before, [loss.zone], depth - 1):
                    expected = tuple(due for due in one.expected if due.zone is not sighting.zone)
                    one = replace(one, expected=expected)
                    found += self.propose(one, sighting, depth - 1)
            comings = self.hands.comings(seat, sighting.zone, loss.change.t_from, sighting.change.t_to)
            if same_hand and len(comings) < 2:
                together = replace(first, manner=Manner.TWO_CARDS)
                found += self._both(hypothesis, sighting, together, loss, depth)
        return found

    def _lowest(self, hypothesis: Hypothesis, sighting: Sighting, loss: Sighting, first: Action) -> Hypothesis | None:
        """A card came down under another that is itself thought to lie, unseen, under the one that is seen."""
        for index in range(len(hypothesis.deeds) - 1, -1, -1):
            deed = hypothesis.deeds[index]
            if not deed.touches(sighting.zone):
                continue
            seen = any(isinstance(one, ZoneChange) and one.zone is sighting.zone for one in deed.span.evidence)
            if seen or deed.said is not None or deed.action.seat is first.seat:
                return None
            assert first.seat is not None
            span, cost = under_deed(deed, loss)
            span = replace(span, told=sighting.change.t_seen)
            comings = self.hands.comings(first.seat, sighting.zone, loss.change.t_from, deed.span.t_to)
            return done(hypothesis, first, span, cost + costs.TWO_HANDS_THERE * bool(comings), under=index)
        return None

    def _spat_first(self, hypothesis: Hypothesis, sighting: Sighting, depth: int) -> list[Hypothesis]:
        """A spit card that was due came down first, and was played on before it was seen."""
        position, change = hypothesis.position, sighting.change
        found: list[Hypothesis] = []
        stuck = position.due or (spitters(position) if stalemate(position) else ())
        for seat in stuck:
            side = position.sides[seat]
            if position.home[seat] != sighting.zone.index or not side.reserve or side.reserve[-1] is not UNKNOWN:
                continue
            card, cost = UNKNOWN, costs.COVERED + (0.0 if position.due else costs.NOBODY_SPAT)
            span = Span(change.t_from - 0.5, change.t_from - 0.2, change.t_seen, change.frames)
            for glimpse in change.glimpses:
                fit, outcomes = weigh(glimpse.reading)
                seen = card_of(outcomes[0])
                if seen is not None and whereabouts(position, seen) is None and position.could_hold(seat) & seen.bit:
                    card, cost = seen, cost - costs.COVERED + fit[seen.code] + strangers(position)
                    span = Span(glimpse.t - 0.1, glimpse.t, change.t_seen, change.frames, (change,))
            there = self.hands.fetched(hypothesis, seat, span.t)
            spat = Action(Kind.SPIT, seat, card, RESERVES[seat], sighting.zone)
            before = done(hypothesis, spat, span, cost + there)
            if before is not None:
                before = replace(
                    before, expected=tuple(due for due in before.expected if due.zone is not sighting.zone)
                )
                found += self.propose(before, sighting, depth - 1)
        return found

    def _both(
        self, hypothesis: Hypothesis, sighting: Sighting, first: Action, loss: Sighting, depth: int
    ) -> list[Hypothesis]:
        """Two cards put down together."""
        card = card_of(sighting.best)
        place = None if card is None else whereabouts(hypothesis.position, card)
        if place is None or place[0].kind is not ZoneKind.STOCK or place[1] != 0:
            return []
        span = span_of(sighting)
        assert first.seat is not None
        before = done(hypothesis, first, span, by_arms(sighting, first.seat))
        if before is None:
            return []
        before = replace(before, expected=tuple(due for due in before.expected if due.zone is not sighting.zone))
        second = Action(Kind.PLAY, first.seat, card, place[0], sighting.zone, manner=Manner.TWO_CARDS)
        after = done(before, second, span, -costs.FAULTS_TWO)
        return [] if after is None else self.resume(after, [loss.zone, place[0], sighting.zone], depth - 1)


def _undone(hypothesis: Hypothesis, waiting: Sequence[Sighting], shown: int) -> float:
    """The cost of changes that come to nothing: a card was lifted and put back, or what came there was misread."""
    lifted = any(is_loss(hypothesis.position, one) and one.best >= BACK for one in waiting)
    misread = [one.fit[shown] for one in waiting if not is_loss(hypothesis.position, one) or one.best < BACK]
    return costs.RETURNED * lifted + sum(misread) + costs.SPURIOUS * len(misread)


def _owner(hypothesis: Hypothesis, sighting: Sighting) -> Seat | None:
    """Whose stock pile or reserve the card lay on that has come down, if one that may have been read is known."""
    cards = (card_of(one) for one in sighting.outcomes)
    places = (whereabouts(hypothesis.position, card) for card in cards if card is not None)
    return next((place[0].seat for place in places if place is not None), None)


def _overtaken(hypothesis: Hypothesis, waiting: Sighting) -> Deed | None:
    """The deed that took away what lay where something waits to be explained that was seen before."""
    if waiting.zone.kind is not ZoneKind.STOCK or waiting.best >= BACK or is_held(waiting):
        return None
    last = next((deed for deed in reversed(hypothesis.deeds) if deed.touches(waiting.zone)), None)
    if last is None or last.action.source is not waiting.zone or last.span.t_from <= waiting.change.t_to + AT_ONCE:
        return None
    return last
