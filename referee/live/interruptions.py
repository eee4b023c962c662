"""Times in which nothing is judged: the players pause, or the table or camera is being moved."""

from __future__ import annotations

from dataclasses import dataclass

from referee.calibrate.bump.watch import BumpWatch, Steadiness
from referee.readings import Disturbance
from referee.table import TableLayout
from referee.vision.frames import Frame
from referee.vision.rectify import TableView


@dataclass(frozen=True, slots=True, eq=False)
class Interruption:
    """How a frame is to be taken.

    Attributes:
        judging: whether what it shows is to be judged.
        moved: where the table lies from this frame on, where that has changed.
        disturbances: times that are over now in which nobody judged.
        phrases: what is said of it, as keys of phrases.
    """

    judging: bool
    moved: TableView | None
    disturbances: tuple[Disturbance, ...]
    phrases: tuple[str, ...]


class Interruptions:
    """Knows whether the referee may judge."""

    def __init__(self, view: TableView, layout: TableLayout) -> None:
        """Nothing is interrupted, and the table lies as ``view`` says in the first frame."""
        self._view = view
        self._layout = layout
        self._bump: BumpWatch | None = None
        self._unsteady = False
        self._since = 0.0
        self._paused: float | None = None
        self._resumed: float | None = None

    @property
    def paused(self) -> bool:
        """Whether the players pause."""
        return self._paused is not None

    @property
    def unsteady(self) -> bool:
        """Whether the table or the camera is being moved, or nothing of the table is seen."""
        return self._unsteady

    def toggle(self, t: float) -> str:
        """The players pause at ``t``, s, or play on; the key of the phrase that says so."""
        if self._paused is None:
            self._paused = t
            return "trouble.paused"
        self._resumed, self._paused = self._paused, None
        return "trouble.resumed"

    def look(self, frame: Frame) -> Interruption:
        """How ``frame`` is to be taken; give it every frame, in order."""
        if self._bump is None:
            self._bump = BumpWatch(frame.image, self._view, self._layout)
        watch = self._bump.look(frame)
        disturbances = [] if watch.disturbance is None else [watch.disturbance]
        if self._resumed is not None:
            disturbances.append(Disturbance("gap", self._resumed, frame.t))
            self._resumed = None
        unsteady = watch.state in (Steadiness.MOVING, Steadiness.LOST)
        phrases: tuple[str, ...] = ()
        if unsteady != self._unsteady:
            # While the players pause they may do with the table what they like.
            if not self.paused:
                phrases = (self._alarm(watch.state) if unsteady else "trouble.resumed",)
            if not unsteady and not disturbances:
                disturbances.append(Disturbance("gap", self._since, frame.t))
            self._since = frame.t
        self._unsteady = unsteady
        moved = watch.view if watch.state is Steadiness.MOVED else None
        return Interruption(not (unsteady or self.paused), moved, tuple(disturbances), phrases)

    @staticmethod
    def _alarm(state: Steadiness) -> str:
        return "trouble.camera_moved" if state is Steadiness.MOVING else "trouble.disturbed"
