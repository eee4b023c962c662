"""Wiring: from frames to rulings, live and in replay alike. Only the source's clock counts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from referee.readings import Disturbance, Evidence, Look, ZoneReading
from referee.rules.position import Position
from referee.rules.ruleset import RuleSet
from referee.table import TableLayout
from referee.tracking.commits import Commit
from referee.tracking.decoder import Decoder
from referee.tracking.settle import Settler
from referee.vision.activity import ActivityGate
from referee.vision.arms import ArmWatch
from referee.vision.frames import Frame, FrameSource
from referee.vision.rectify import TableView
from referee.vision.zone_reading import Promise, ReadsZones, ReadsZonesBeside

GAP: Final = 0.5
"""Two frames so far apart, s, have a gap between them in which things may have been done unseen."""

LIGHTS_AGAIN: Final = 2.0
"""A lamp that flickers is told no more often than this, s."""

AHEAD: Final = 8
"""Frames that are looked at while an earlier one is still being read: the decoder takes its time now and then."""


@dataclass(frozen=True, slots=True, eq=False)
class Watched:
    """What one frame came to.

    Attributes:
        frame: the frame.
        look: what it shows without reading.
        readings: of the zones that were read in it.
        evidence: what became certain with it.
        commits: what was said because of it.
    """

    frame: Frame
    look: Look
    readings: tuple[ZoneReading, ...]
    evidence: tuple[Evidence, ...]
    commits: tuple[Commit, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """One frame looked at and, unless that goes on beside, read.

    Attributes:
        frame: the frame.
        look: what it shows without reading.
        lights: whether the light changed all over the table.
        readings: waits for the readings of the zones that are worth it.
    """

    frame: Frame
    look: Look
    lights: bool
    readings: Promise


class Session:
    """A table being refereed. Give it every frame of one source, in order; it says what was done.

    Attributes:
        layout: the table.
        view: where it lies in the frames.
    """

    def __init__(self, rules: RuleSet, layout: TableLayout, view: TableView, reader: ReadsZones) -> None:
        """Referee ``layout`` by ``rules`` in frames in which the table lies as ``view`` says."""
        self.layout = layout
        self.view = view
        zones = tuple(layout.boxes)
        self._gate = ActivityGate(view, layout.boxes)
        self._arms = ArmWatch(view, layout.boxes, (layout.width, layout.height))
        self._reader = reader
        self._settler = Settler(zones)
        self._decoder = Decoder(rules, zones)
        self._last_t: float | None = None
        self._lights = float("-inf")

    @property
    def position(self) -> Position:
        """The table as it most probably is now."""
        return self._decoder.position

    def push(self, frame: Frame) -> Watched:
        """Watch one more frame."""
        return self.judge(self.glance(frame))

    @property
    def ahead(self) -> int:
        """How many frames are best looked at before the first of them is judged."""
        return AHEAD if isinstance(self._reader, ReadsZonesBeside) else 0

    def glance(self, frame: Frame) -> Glance:
        """Look at one more frame, which is to be judged after those before it."""
        activity = self._gate.look(frame)
        arms = self._arms.look(frame)
        look = Look(frame.t, frame.index, activity.moved, arms.covered, arms.hands, activity.pictures)
        if isinstance(self._reader, ReadsZonesBeside):
            return Glance(frame, look, activity.lights, self._reader.ask(frame, activity.wanted, look))
        readings = self._reader.read(frame, activity.wanted, look)
        return Glance(frame, look, activity.lights, lambda: readings)

    def judge(self, glance: Glance) -> Watched:
        """Say what was done, as the next frame tells."""
        frame, look, readings = glance.frame, glance.look, glance.readings()
        evidence: list[Evidence] = list(self._disturbances(frame, glance.lights))
        if glance.lights:
            self._settler.relit(frame.t)
        evidence += self._settler.push(look, readings)
        commits: list[Commit] = []
        for one in evidence:
            commits += self._decoder.push(one)
        commits += self._decoder.advance(frame.t)
        return Watched(frame, look, tuple(readings), tuple(evidence), tuple(commits))

    def finish(self) -> tuple[Commit, ...]:
        """No frame follows: what is left to say."""
        commits: list[Commit] = []
        for one in self._settler.finish():
            commits += self._decoder.push(one)
        return (*commits, *self._decoder.finish())

    def _disturbances(self, frame: Frame, lights: bool) -> Iterator[Disturbance]:
        last, self._last_t = self._last_t, frame.t
        if last is None:
            return
        if frame.t - last > GAP:
            yield Disturbance("gap", last, frame.t)
        if lights and frame.t - self._lights > LIGHTS_AGAIN:
            self._lights = frame.t
            yield Disturbance("lights changed", last, frame.t)


def watch(source: FrameSource, session: Session, told: Callable[[Watched], None] | None = None) -> Sequence[Commit]:
    """Referee a source to its end.

    Args:
        source: the frames.
        session: a fresh one.
        told: called for every frame.

    Returns:
        All that was said, in order.
    """
    commits: list[Commit] = []
    glances: deque[Glance] = deque()
    ahead = session.ahead
    going = True
    while going:
        frame = source.read()
        going = frame is not None
        if frame is not None:
            glances.append(session.glance(frame))
        while len(glances) > (ahead if going else 0):
            seen = session.judge(glances.popleft())
            commits += seen.commits
            if told is not None:
                told(seen)
    return [*commits, *session.finish()]
