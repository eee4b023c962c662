"""From readings of single frames to changes of zones: what lies there, once it lies still.

Everything is counted in seconds, never in frames. Readings of one zone that show a card in one place make up a
``Lying``; it is told as a change as soon as it is sure, under hands or not. What was read in between, and was covered
or carried on at once, goes along as glimpses.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Final

import numpy as np

from referee.readings import BACK, EMPTY, Evidence, Look, Pose, Reading, Sight, ZoneChange, ZoneReading
from referee.table import Zone, ZoneKind
from referee.tracking.left_piles import LeftPiles
from referee.tracking.looks import LookBack
from referee.tracking.lying import RECENT, SURE, Lying, turn
from referee.tracking.palms import Palms
from referee.tracking.reaches import Reaches
from referee.tracking.touch import Interval, Picture, arrival, departure, usual

EXACT_MM: Final = 1.0
"""A card on a stock pile that is read within this of where the one before was is that one, mm."""

EXACT_DEGREES: Final = 1.2
"""The same for its turn."""

STRAIGHTENED_MM: Final = 7.0
"""A card that lies so much elsewhere than before was moved by hand."""

SPREAD: Final = 0.025
"""Readings of a card must be at least so far apart, s, before it is known to lie still."""

PATIENCE: Final = 0.2
"""What lies still so long, s, in a zone at rest is told however unsure it is."""

PATIENCE_UNDER_HANDS: Final = 0.3
"""The same under a hand that rests."""

QUIET: Final = 0.02
"""Share of a zone's picture that moves in a zone at rest, at most."""

CLEAR: Final = 0.05
"""Share of a card's place that an arm may cover in a zone at rest."""

CLEARLY: Final = 0.96
"""A reading weighs at least so much where next to nothing of the place was under an arm."""

HELD: Final = 0.3
"""A card held over the open card of a stock pile, to take that one too, is not put down there before so long, s."""

COVERED: Final = 0.3
"""A place of which an arm covers more than this is not known to be empty, whatever is read."""

DISTURBED: Final = 0.1
"""Where so large a share of the picture moved between two readings, something else may lie there than before."""

BELONGS_MM: Final = 32.0
"""What lies further than this from the middle of a zone is carried past, or lies in another zone, mm."""

GLIMPSED: Final = 0.5
"""Something read once with this probability was there for a moment."""

LOOK_BACK: Final = 1.5
"""First touch is looked for this far back at most, s."""

COMING: Final = 0.25
"""A card comes into view over its place no longer than this before it is first read there, s."""

LAID: Final = 0.3
"""What a place looks like with a card on it is taken from so much time at most, s."""

DRAWN: Final = 0.08
"""A pile is drawn away by the arm that is over its place about so long before and after it is first seen bare, s."""

STILL_THERE: Final = 0.25
"""That a card lies where it lay is told again no sooner than so long after, s."""

ENOUGH: Final = 5
"""So many pictures leave out a hand that passes through some of them."""


@dataclass(slots=True)
class _Place:
    """What is known of one zone."""

    shown: Reading | None = None
    pose: Pose | None = None
    came: Interval = field(default_factory=lambda: Interval(0.0, 0.0))
    certain: bool = False
    rest: Picture | None = None
    under: list[int] = field(default_factory=list)
    lying: Lying | None = None
    glimpses: deque[ZoneReading] = field(default_factory=lambda: deque(maxlen=RECENT))
    disturbed: float = 0.0
    maybe_empty: deque[ZoneReading] = field(default_factory=lambda: deque(maxlen=RECENT))
    told: float = 0.0
    """When anything was told of it, or that nothing has changed, s."""


class Settler:
    """Tells changes of zones and hands over them. Feed it every frame of one source, in order."""

    def __init__(self, zones: Sequence[Zone]) -> None:
        """Watch ``zones``, in the order of the arrays of every look."""
        self._zones = {zone: number for number, zone in enumerate(zones)}
        self._places = {zone: _Place() for zone in zones}
        self._past = LookBack()
        self._reaches = Reaches(zones)
        self._palms = Palms(zones)
        self._left = LeftPiles(zones)
        self._relit = -inf

    def relit(self, t: float) -> None:
        """At ``t``, s, the light changed all over the table: earlier pictures compare with no later one."""
        self._relit = t

    def push(self, look: Look, readings: Sequence[ZoneReading]) -> list[Evidence]:
        """What became certain with one frame.

        Args:
            look: what the frame shows without reading.
            readings: of the zones that were read in it.
        """
        self._past.push(look)
        read = [one.zone for one in readings if one.reading.state is not Sight.HIDDEN]
        rests = {zone: place.rest for zone, place in self._places.items()}
        found: list[Evidence] = list(self._left.push(look, self._reaches.push(look), read, rests, self._past))
        found += self._palms.push(look)
        for zone, moved in zip(self._zones, look.moved.tolist(), strict=True):
            self._places[zone].disturbed = max(self._places[zone].disturbed, moved)
        for reading in readings:
            found += self._read(look, reading)
        self._uncover(look)
        for zone, place in self._places.items():
            if place.lying is not None and not place.lying.told:
                change = self._told(place, zone, look)
                if change is not None:
                    found.append(change)
        return found

    def finish(self) -> list[Evidence]:
        """What is left to tell when no frame follows."""
        return [*self._left.finish(), *self._reaches.finish(), *self._palms.finish()]

    def _read(self, look: Look, reading: ZoneReading) -> list[ZoneChange]:
        """Take in one reading; what lay there until then is told if it had lain still and was only unsure."""
        place, number = self._places[reading.zone], self._zones[reading.zone]
        covered = float(look.covered[:, number].max())
        one = reading.reading
        if one.state is Sight.HIDDEN or (one.pose is not None and np.hypot(one.pose.x, one.pose.y) > BELONGS_MM):
            return []
        disturbed, place.disturbed = place.disturbed > DISTURBED, 0.0
        if disturbed or one.best != EMPTY:
            place.maybe_empty.clear()
        if one.best == EMPTY and max(covered, one.hidden) > COVERED:
            place.maybe_empty.append(reading)
            return []
        lay = place.lying
        # What was read under the arm comes first: a lying whose last reading is older than its first is never told.
        self._add_maybe_empty(place, covered)
        self._add(place, reading, covered, disturbed)
        return [] if lay is None or lay is place.lying else self._covered(place, lay, look)

    def _uncover(self, look: Look) -> None:
        """Take in that places are empty that were read so under what was taken for an arm, and have no arm over them.

        A bare spot where a card lay looks like something new on the table until the table is known anew.
        """
        for zone, place in self._places.items():
            if place.maybe_empty and place.disturbed <= DISTURBED:
                covered = float(look.covered[:, self._zones[zone]].max())
                if covered <= COVERED:
                    self._add_maybe_empty(place, covered)

    def _add_maybe_empty(self, place: _Place, covered: float) -> None:
        for reading in place.maybe_empty:
            self._add(place, reading, covered, disturbed=False)
        place.maybe_empty.clear()

    def _add(self, place: _Place, reading: ZoneReading, covered: float, disturbed: bool) -> None:
        if place.lying is not None and place.lying.goes_on_with(reading, disturbed):
            place.lying.add(reading, 1.0 - 0.8 * covered)
        else:
            if place.lying is not None:
                self._glimpse(place, place.lying)
            place.lying = Lying.begin(reading, 1.0 - 0.8 * covered)

    def _glimpse(self, place: _Place, lying: Lying) -> None:
        """Keep the best reading of something that is no longer seen."""
        best = max((one for one, _ in lying.readings), key=lambda one: one.reading.confidence)
        shown = -1 if place.shown is None else place.shown.best
        if best.reading.confidence < GLIMPSED or best.reading.best in (shown, EMPTY):
            return
        if place.glimpses and place.glimpses[-1].reading.best == best.reading.best:
            # It was moved a little, and read wrong again if it was so before.
            best = max(place.glimpses.pop(), best, key=lambda one: one.reading.confidence)
        place.glimpses.append(best)

    def _covered(self, place: _Place, lay: Lying, look: Look) -> list[ZoneChange]:
        """The change that a card was that lay at rest, too unsure to be told at once, until something covered it."""
        zone, shown, after = lay.first.zone, place.shown, lay.combined()
        still = [one.t for one, clear in lay.readings if one.activity <= QUIET and clear >= CLEARLY]
        if lay.told or lay.known or not still or still[-1] - still[0] < SPREAD:
            return []
        if shown is None or after.best in (shown.best, BACK, EMPTY) or np.exp(after.log_probs[:BACK]).sum() < SURE:
            return []
        now, place.lying = place.lying, lay
        place.glimpses = deque((one for one in place.glimpses if one.t < lay.begun), RECENT)
        change = self._tell(place, zone, look, after, settled=True, sure=False)
        place.lying, place.rest = now, self._final(lay, self._zones[zone])
        return [change]

    def _told(self, place: _Place, zone: Zone, look: Look) -> ZoneChange | None:
        """The change that what lies in a zone is, if it is known by now."""
        lying, number = place.lying, self._zones[zone]
        assert lying is not None
        quiet = bool(look.moved[number] <= QUIET)
        settled = quiet and bool(look.covered[:, number].max() <= CLEAR)
        after = lying.combined()
        if lying.last.t - lying.begun < SPREAD:
            return None
        patience = PATIENCE if settled else PATIENCE_UNDER_HANDS
        sure = float(np.exp(after.log_probs.max())) >= SURE
        if not sure and not (quiet and look.t - lying.begun >= patience):
            return None
        if not settled and look.t - lying.begun < HELD and _held(zone, place.shown, after):
            return None
        lying.told = True
        known, lying.known = lying.known, True
        if place.shown is not None and after.best == place.shown.best:
            moved = settled and _far(place.pose, lying.last.pose)
            change = self._change(place, zone, look, after, settled, moved=True) if moved else None
            if change is None and after.best == BACK:
                change = self._turned_and_taken(place, zone, look, after, settled)
            if change is None and sure and (settled or _untouched(place)):
                change = self._still_there(place, zone, look, after)
            if settled:
                place.rest, place.pose, place.certain = look.pictures[number], lying.last.pose, sure
            place.glimpses.clear()
            return change
        # Nothing came or went: it is the same card, read otherwise.
        anew = place.shown is not None and max(place.shown.best, after.best) < BACK
        anew = anew and (known or (zone.kind is ZoneKind.STOCK and _untouched(place)))
        if anew and not (sure and (settled or not place.certain)):
            return None
        return self._tell(place, zone, look, after, settled, sure, anew=anew)

    def _tell(
        self, place: _Place, zone: Zone, look: Look, after: Reading, settled: bool, sure: bool, anew: bool = False
    ) -> ZoneChange:
        """Tell that a zone shows ``after`` now; ``anew`` if it is what lay there before, read otherwise."""
        lying = place.lying
        assert lying is not None
        change = self._change(place, zone, look, after, settled, moved=anew)
        if anew:
            change = replace(change, t_from=place.came.t_from, t_to=place.came.t_to)
        elif place.shown is not None:
            _stack(place.under, place.shown.best, after.best)
        self._lies_at(place, after.best)
        place.shown, place.pose, place.came = after, lying.last.pose, Interval(change.t_from, change.t_to)
        place.certain, place.told = sure and settled, look.t
        place.rest = look.pictures[self._zones[zone]]
        place.glimpses.clear()
        return change

    def _turned_and_taken(
        self, place: _Place, zone: Zone, look: Look, after: Reading, settled: bool
    ) -> ZoneChange | None:
        """The change that a pile shows a back again, if a face was glimpsed there in between."""
        glimpsed = [one for one in place.glimpses if one.reading.best < BACK]
        if zone.kind is not ZoneKind.STOCK or not glimpsed or place.lying is None:
            return None
        change = self._change(place, zone, look, after, settled, moved=False)
        return replace(change, t_from=glimpsed[-1].t, t_to=max(glimpsed[-1].t, place.lying.begun))

    def _still_there(self, place: _Place, zone: Zone, look: Look, after: Reading) -> ZoneChange | None:
        """The change that is none: a card of a stock pile still lies where it may be thought to have been taken."""
        assert place.lying is not None
        if zone.kind is not ZoneKind.STOCK or after.best >= BACK or look.t - place.told < STILL_THERE:
            return None
        place.told = look.t
        frames = (place.lying.first.frame, look.frame)
        came = place.came
        return ZoneChange(
            zone, after, after, (), came.t_from, came.t_to, look.t, frames, True, (0.0, 0.0), settled=True
        )

    def _before(self, place: _Place, number: int) -> Picture:
        """What zone ``number`` looked like before the card came that lies there now; moving hands are left out."""
        assert place.lying is not None
        assert place.rest is not None
        begun = place.lying.begun
        past = self._past.since(max(place.came.t_to, begun - LOOK_BACK, self._relit), number)
        pictures = past.pictures[np.asarray(past.times) <= begun - COMING]
        if len(pictures) < ENOUGH:
            return past.pictures[0] if begun - self._relit <= LOOK_BACK else place.rest
        return usual(pictures)

    def _final(self, lying: Lying, number: int) -> Picture:
        """What zone ``number`` looks like with the card that lies there now."""
        past = self._past.since(lying.begun, number)
        times = np.asarray(past.times)
        here = (times >= lying.begun - 1e-6) & (times <= min(lying.last.t, lying.begun + LAID) + 1e-6)
        # Of a card that has lain there for longer than pictures are kept, the oldest that is left has to do.
        return usual(past.pictures[here] if here.any() else past.pictures[:1])

    def _lies_at(self, place: _Place, card: int) -> None:
        """A card lies in one place only: it was taken away from under any other."""
        for other in self._places.values():
            if card < BACK and other is not place and card in other.under:
                other.under.remove(card)

    def _change(
        self, place: _Place, zone: Zone, look: Look, after: Reading, settled: bool, *, moved: bool
    ) -> ZoneChange:
        number = self._zones[zone]
        lying = place.lying
        assert lying is not None
        past = self._past.since(max(place.came.t_to, lying.begun - LOOK_BACK, self._relit), number)
        seen = past.number(lying.last.t)
        if place.rest is None or place.shown is None:
            when = Interval(lying.begun, lying.begun)
        elif _uncovers(place, after.best):
            when = departure(past.times, past.pictures, self._before(place, number), seen)
            if when.t_from <= past.times[0]:
                # It had gone for most of that time already, or lay there under a hand.
                when = departure(past.times, past.pictures, place.rest, seen)
        else:
            before, final = self._before(place, number), self._final(lying, number)
            turned = place.shown.best == BACK
            when = arrival(past.times, past.pictures, before, final, seen, turned=turned)
        times = np.asarray(past.times)
        if zone.kind is ZoneKind.CENTRE and after.best == EMPTY:
            # Both hands have lain on the piles: whoever drew this one away was the last over it.
            arms = past.covered[np.abs(times - lying.begun) <= DRAWN].mean(axis=0)
        else:
            near = (times >= when.t_from - 0.1) & (times <= when.t_to + 0.15)
            arms = past.covered[near].max(axis=0) if near.any() else np.zeros(2)
        first = min([lying.first.frame, *(one.frame for one in place.glimpses)])
        return ZoneChange(
            zone=zone,
            before=place.shown,
            after=after,
            glimpses=tuple(one for one in place.glimpses if one.reading.best != after.best),
            t_from=when.t_from,
            t_to=when.t_to,
            t_seen=look.t,
            frames=(first, look.frame),
            moved=moved,
            arms=(_evidence(float(arms[0])), _evidence(float(arms[1]))),
            settled=settled,
        )


def _held(zone: Zone, shown: Reading | None, after: Reading) -> bool:
    """Whether what is seen over a pile may still be in the hand."""
    open_card = shown is not None and shown.state is Sight.CARD and after.state is Sight.CARD
    return zone.kind is ZoneKind.STOCK and open_card and shown is not None and after.best != shown.best


def _uncovers(place: _Place, outcome: int) -> bool:
    """Whether what is seen now lay under what was seen, so that something left."""
    assert place.shown is not None
    return outcome == EMPTY or outcome in place.under or (outcome == BACK and place.shown.best != EMPTY)


def _stack(under: list[int], covered: int, outcome: int) -> None:
    """Keep what lies under a zone's top."""
    if outcome == EMPTY:
        under.clear()
    elif outcome in under:
        del under[under.index(outcome) :]
    elif covered < BACK and outcome < BACK:
        # A face that gives way to a back was not covered, it left.
        under.append(covered)


def _untouched(place: _Place) -> bool:
    """Whether what lies in a place lies exactly as what lay there before did, which no other card would."""
    one, other = place.pose, None if place.lying is None else place.lying.last.pose
    if one is None or other is None or place.glimpses:
        return False
    return bool(np.hypot(one.x - other.x, one.y - other.y) <= EXACT_MM and turn(one, other) <= EXACT_DEGREES)


def _far(one: Pose | None, other: Pose | None) -> bool:
    if one is None or other is None:
        return False
    return bool(np.hypot(one.x - other.x, one.y - other.y) > STRAIGHTENED_MM)


def _evidence(share: float) -> float:
    """A fifth of a card's place under an arm is evidence enough of it."""
    return min(share / 0.2, 1.0)
