"""A session that can be interrupted: by the players, by a bump of the table, by a program that broke off."""

from __future__ import annotations

from collections.abc import Callable

from referee.readings import Disturbance, Evidence
from referee.record.entries import Key
from referee.record.rehearsal import hear
from referee.rules.ruleset import RuleSet
from referee.session import Session
from referee.table import TableLayout
from referee.tracking.commits import Commit
from referee.tracking.decoder import Decoder
from referee.vision.activity import ActivityGate
from referee.vision.arms import ArmWatch
from referee.vision.rectify import TableView
from referee.vision.zone_reading import ReadsZones


class LiveSession(Session):
    """A session in the room with the players."""

    def __init__(
        self,
        rules: RuleSet,
        layout: TableLayout,
        view: TableView,
        reading: Callable[[TableView], ReadsZones],
        decoder: Decoder | None = None,
        last_t: float | None = None,
    ) -> None:
        """Referee ``layout`` by ``rules``.

        Args:
            rules: the law.
            layout: the table.
            view: where it lies in the frames.
            reading: makes what reads zones where the table lies as a view says.
            decoder: of a game that is gone on with.
            last_t: when that game was last looked at, s.
        """
        super().__init__(rules, layout, view, reading(view))
        self._reading = reading
        if decoder is not None:
            self._decoder = decoder
        self._last_t = last_t

    def hear(self, key: Key, t: float) -> tuple[Commit, ...]:
        """The players tell something at ``t``, s; told before the frame taken then."""
        return tuple(hear(self._decoder, key, t))

    def moved(self, view: TableView) -> None:
        """From the next frame on the table lies as ``view`` says; everything on it is looked at anew."""
        self.view = view
        self._gate = ActivityGate(view, self.layout.boxes)
        self._arms = ArmWatch(view, self.layout.boxes, (self.layout.width, self.layout.height))
        self._reader = self._reading(view)

    def rest(self, t: float) -> tuple[Commit, ...]:
        """Nobody looks, and time passes until ``t``, s; what was seen before may be said now."""
        return tuple(self._decoder.advance(t))

    def disturbed(self, disturbance: Disturbance) -> tuple[Commit, ...]:
        """What was seen until now cannot be trusted; told before the next frame, whose lateness it explains."""
        self._last_t = None
        return tuple(self._decoder.push(disturbance))

    def end(self) -> tuple[tuple[Evidence, ...], tuple[Commit, ...]]:
        """No frame follows: what is left to be seen, and to be said."""
        evidence = tuple(self._settler.finish())
        said = [commit for one in evidence for commit in self._decoder.push(one)]
        return evidence, (*said, *self._decoder.finish())
