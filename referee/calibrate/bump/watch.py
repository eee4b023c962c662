"""Noticing during play that the camera or the table was moved, and finding the table anew.

A few pictures a second are compared with the reference. A hand, a card or a shadow changes some places; only a bump
moves most of them together. Judging pauses from the first sign that lasts, and goes on when the table lies still.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

import cv2
import numpy as np

from referee.calibrate.bump.anchors import WIDTH, Anchors, Matches
from referee.calibrate.bump.motion import common_motion, exact_motion, frame_points, shift_of
from referee.calibrate.bump.recall import Memory
from referee.calibrate.bump.rings import Rings
from referee.calibrate.lens import moved_view, view_of
from referee.calibrate.markers.seen import fit_markers, see_markers
from referee.readings import Disturbance
from referee.table import TableLayout
from referee.vision.frames import Frame
from referee.vision.rectify import Image, Matrix, TableView, project

EVERY_S: Final = 0.19
"""Pictures nearer together in time than this are not looked at."""

MOVED: Final = 1.0
"""A picture that lies this far from its place has moved, px of the searched picture: a millimetre or two, which cards
that are being gathered do not feign all together."""

SETTLED: Final = 0.4
"""Two looks that differ by less show a table at rest."""

BELIEVED: Final = 2
"""Looks that must see a movement before it is believed: one may be a hand that covers almost everything."""

ARRIVED: Final = 3
"""Looks that must see it before the new place is; also those that must see a slight movement."""

TOGETHER_S: Final = 2.0
"""Looks further apart than this do not see the same movement."""

SLIGHT: Final = 1.5
"""A movement that cards in busy hands may feign, px of the searched picture."""

LOST: Final = 4
"""Looks in which nothing is recognised before the table counts as lost."""

SMOOTH: Final = 0.8
"""By how much the searched picture is smoothed, px, against the camera's grain."""

TRUSTED: Final = 3
"""Markers that know the table better than patches all over it do; two say little of its other end."""

SOUGHT: Final = 3.0
"""A place recalled only roughly must lie this far off to count as another, px of the searched picture."""


class Steadiness(Enum):
    """Whether the table lies where it lay."""

    STEADY = "steady"
    MOVING = "moving"
    """It was moved and does not lie still yet: nothing is to be judged."""
    MOVED = "moved"
    """It lies still in a new place, from this frame on."""
    LOST = "lost"
    """Nothing of it is recognised: it is covered, dark, or out of the picture. Nothing is to be judged."""


@dataclass(frozen=True, slots=True, eq=False)
class Watch:
    """How the table stands.

    Attributes:
        state: whether it lies where it lay.
        view: where it lies; while it moves, where it lay last.
        shift_px: how far most of the picture lies from its place, px of the frame; with ``MOVED``, from its old one.
        disturbance: the time in which nothing can be trusted, once it is over; told once.
    """

    state: Steadiness
    view: TableView
    shift_px: float
    disturbance: Disturbance | None


class BumpWatch:
    """Watches one camera over one table.

    Attributes:
        view: where the table lies, by what is known so far.
    """

    def __init__(self, reference: Image, view: TableView, layout: TableLayout) -> None:
        """Begin to watch.

        Args:
            reference: uint8 array (H, W, 3) BGR, a picture in which the table lies as ``view`` says; cards and hands
                may be in it.
            view: where the table lies in it.
            layout: its zones.
        """
        self.view = view
        scale = min(1.0, WIDTH / reference.shape[1])
        edge = 0.5 * scale - 0.5
        self._to_small = np.array([[scale, 0, edge], [0, scale, edge], [0, 0, 1]], np.float64)
        self._scale = scale
        self._shape = (round(reference.shape[1] * scale), round(reference.shape[0] * scale))
        grey = self._small(reference)
        self._anchors = Anchors(grey, self._small_view(view), layout)
        self._rings = Rings(grey.shape, self._small_view(view), layout)
        self._rest = grey
        """The last picture in which the table was recognised where it lies."""
        self._layout = layout
        self._memory = Memory(grey)
        self._area = np.array(
            [[0, 0], [layout.width, 0], [layout.width, layout.height], [0, layout.height]], np.float64
        )
        self._markers = {one.id: view.to_table(one.corners) for one in see_markers(reference)}
        self._state = Steadiness.STEADY
        self._shift = 0.0
        self._looked = -np.inf
        self._steady_at = 0.0
        self._signs: list[Matrix] = []
        self._signed_at = -np.inf
        self._blind = 0

    def look(self, frame: Frame) -> Watch:
        """Watch one more frame, in order of time; those too soon after the last one looked at cost nothing."""
        disturbance = None
        if self._state is Steadiness.MOVED:
            self._state, self._shift = Steadiness.STEADY, 0.0
        if frame.t - self._looked >= EVERY_S:
            self._looked = frame.t
            disturbance = self._judge(frame)
        return Watch(self._state, self.view, self._shift / self._scale, disturbance)

    def _judge(self, frame: Frame) -> Disturbance | None:
        grey = self._small(frame.image)
        matches = self._anchors.match(frame.t, grey)
        motion = common_motion(matches, self._shape)
        if motion is None and not self._rings.changed(self._rest, grey):
            # The cards were gathered, and a plain table shows nothing else; all around their places it is as it was.
            self._blind = 0
            if self._state is Steadiness.LOST:
                self._state, self._steady_at = Steadiness.STEADY, frame.t
            return None
        if motion is None and self._blind >= 1:
            matches, motion = self._sought(frame, grey)
        if motion is None:
            self._blind += 1
            if self._blind >= LOST:
                self._state, self._signs = Steadiness.LOST, []
            return None
        self._blind = 0
        self._shift = shift_of(motion, matches.before)
        if self._shift < MOVED:
            return self._at_rest(frame.t, grey, motion)
        apart = shift_of(motion @ np.linalg.inv(self._signs[-1]), matches.now) if self._signs else np.inf
        # What was recalled without a patch to confirm it wavers by itself, and counts only if it says the same again.
        confirmed = matches.due > 0
        if (not confirmed and apart > SOUGHT) or frame.t - self._signed_at > TOGETHER_S:
            self._signs = []
        self._signed_at = frame.t
        self._signs.append(motion)
        if len(self._signs) < (BELIEVED if self._shift > SLIGHT else ARRIVED):
            return None
        self._state = Steadiness.MOVING
        if len(self._signs) < ARRIVED or apart > (SETTLED if confirmed else SOUGHT):
            return None
        return self._arrived(frame, grey, matches, motion)

    def _at_rest(self, t: float, grey: Image, motion: Matrix) -> Disturbance | None:
        """It lies where it lay; a movement that was told before has come to nothing."""
        shaken = self._state is Steadiness.MOVING
        disturbance = Disturbance("camera moved", self._steady_at, t) if shaken else None
        self._state, self._signs, self._steady_at = Steadiness.STEADY, [], t
        self._anchors.renew(t, grey, motion)
        self._rest = grey
        return disturbance

    def _arrived(self, frame: Frame, grey: Image, matches: Matches, motion: Matrix) -> Disturbance:
        """It lies still in a new place."""
        motion = exact_motion(matches, motion, self._shape)
        to_full = np.linalg.inv(self._to_small)
        moved = to_full @ motion @ self._to_small
        self.view = self._by_markers(frame.image, 2 if matches.due == 0 else TRUSTED) or moved_view(
            self.view, np.asarray(moved, np.float64), self._area
        )
        self._anchors.rebase(frame.t, grey, motion, self._small_view(self.view))
        self._rings = Rings(grey.shape, self._small_view(self.view), self._layout)
        self._rest = grey
        self._memory = Memory(grey)
        disturbance = Disturbance("camera moved", self._steady_at, frame.t)
        self._state, self._signs, self._steady_at = Steadiness.MOVED, [], frame.t
        return disturbance

    def _sought(self, frame: Frame, grey: Image) -> tuple[Matches, Matrix | None]:
        """Look for the table in the whole picture."""
        nothing = Matches(np.zeros((0, 2)), np.zeros((0, 2)), 0)
        marked = self._by_markers(frame.image, 2)
        if marked is not None:
            rough: Matrix | None = np.asarray(
                self._to_small @ marked.table_to_image @ self.view.image_to_table @ np.linalg.inv(self._to_small)
            )
        else:
            rough = self._memory.motion_to(grey)
        if rough is None:
            return nothing, None
        matches = self._anchors.match(frame.t, grey, rough)
        exact = common_motion(matches, self._shape, rough)
        if exact is not None:
            return matches, exact
        # Without a patch to confirm it, it is good to a few pixels.
        points = frame_points(self._shape)
        here = np.eye(3) if shift_of(rough, points) < SOUGHT else rough
        return Matches(points, project(here, points), 0), here

    def _by_markers(self, image: Image, least: int) -> TableView | None:
        """The view by the markers that lay on the table from the first; None if fewer than ``least`` give it."""
        if len(self._markers) < least:
            return None
        fit = fit_markers(see_markers(image), self._markers, (image.shape[1], image.shape[0]))
        if fit is None or len(fit.ids) < least:
            return None
        return view_of(fit.lens, fit.straight, self._area)

    def _small(self, image: Image) -> Image:
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        small = cv2.resize(grey, self._shape, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.GaussianBlur(small, (0, 0), SMOOTH), np.uint8)

    def _small_view(self, view: TableView) -> TableView:
        forward = self._to_small @ view.table_to_image
        return TableView(np.asarray(np.linalg.inv(forward), np.float64), np.asarray(forward, np.float64))
