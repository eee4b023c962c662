"""Editing a table by hand: what dragging, turning, resizing, snapping and undoing do, without any window."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np

from referee.calibrate.by_hand import table_by_hand
from referee.calibrate.saved_table import SavedTable, as_corners
from referee.errors import UserError
from referee.table import Box, TableLayout, Zone
from referee.vision.rectify import TableView

GRAB_PX: Final = 16.0
"""A corner is taken hold of from so far away, px."""

SNAP_MM: Final = 6.0
"""A zone snaps to the line of another one, or to straight, from so far away, mm."""

SNAP_DEGREES: Final = 4.0
SIZES_MM: Final = (40.0, 130.0)

Part: TypeAlias = int | Zone
"""What can be taken hold of: a corner by its number, or a zone."""


@dataclass(frozen=True, slots=True)
class Hold:
    """What is held, and where within it, mm from a zone's middle."""

    part: Part
    x: float
    y: float


class Editor:
    """A table that is being edited.

    Attributes:
        table: the table as it is now.
        chosen: the corner or zone that keys work on; None at first.
        snapping: whether zones snap.
        said: why the last thing asked for was not done; empty if it was.
    """

    def __init__(self, table: SavedTable) -> None:
        self.table = table
        self.chosen: Part | None = None
        self.snapping = True
        self.said = ""
        self._before: list[SavedTable] = []
        self._hold: Hold | None = None

    @property
    def changed(self) -> bool:
        """Whether anything is to be undone."""
        return bool(self._before)

    def press(self, x: float, y: float) -> None:
        """Take hold of what lies at a picture point: the nearest corner, else the zone around it."""
        self._hold = None
        corners = np.asarray(self.table.corners)
        away = np.hypot(*(corners - (x, y)).T)
        if away.min() <= GRAB_PX:
            self._take(Hold(int(away.argmin()), 0.0, 0.0))
            return
        ((u, v),) = self.table.view.to_table([[x, y]])
        around = [
            (math.hypot(u - b.x, v - b.y), zone) for zone, b in self.table.layout.boxes.items() if _inside(b, u, v)
        ]
        if around:
            _, zone = min(around, key=lambda one: one[0])
            box = self.table.layout.boxes[zone]
            self._take(Hold(zone, float(u) - box.x, float(v) - box.y))
        else:
            self.chosen = None

    def drag(self, x: float, y: float) -> None:
        """Move what is held to a picture point; all moves from pressing to letting go are undone at once."""
        hold = self._hold
        if hold is None:
            return
        if isinstance(hold.part, int):
            corners = list(self.table.corners)
            corners[hold.part] = (x, y)
            self._try(lambda: table_by_hand(as_corners(corners), self.table.layout, self.table.picture), keep=False)
            return
        ((u, v),) = self.table.view.to_table([[x, y]])
        box = self.table.layout.boxes[hold.part]
        self._place(hold.part, replace(box, x=float(u) - hold.x, y=float(v) - hold.y), keep=False)

    def release(self) -> None:
        """Let go."""
        if self._hold is not None and self._before and self._before[-1] == self.table:
            self._before.pop()
        self._hold = None

    def nudge(self, dx: float, dy: float) -> None:
        """Move what is chosen: a corner by pixels, a zone by millimetres."""
        if isinstance(self.chosen, int):
            corners = list(self.table.corners)
            x, y = corners[self.chosen]
            corners[self.chosen] = (x + dx, y + dy)
            self._try(lambda: table_by_hand(as_corners(corners), self.table.layout, self.table.picture))
        elif self.chosen is not None:
            box = self.table.layout.boxes[self.chosen]
            self._place(self.chosen, replace(box, x=box.x + dx, y=box.y + dy), snap=False)

    def turn(self, degrees: float) -> None:
        """Turn the chosen zone clockwise."""
        if isinstance(self.chosen, Zone):
            box = self.table.layout.boxes[self.chosen]
            self._place(self.chosen, replace(box, angle=(box.angle + degrees) % 360), snap=False)

    def resize(self, factor: float) -> None:
        """Make the chosen zone larger or smaller; with no zone chosen all of them, for cards of another size."""
        zones = [self.chosen] if isinstance(self.chosen, Zone) else list(self.table.layout.boxes)
        boxes = dict(self.table.layout.boxes)
        for zone in zones:
            box = boxes[zone]
            width, height = box.width * factor, box.height * factor
            if not SIZES_MM[0] <= width <= height <= SIZES_MM[1]:
                self.said = f"a zone is {SIZES_MM[0]:g} to {SIZES_MM[1]:g} mm each way"
                return
            boxes[zone] = replace(box, width=width, height=height)
        self._try(lambda: self._with(boxes))

    def straighten(self) -> None:
        """Snap every zone: turns to straight, and those nearly in line into line."""
        boxes = dict(self.table.layout.boxes)
        for zone in boxes:
            boxes[zone] = _snapped(zone, boxes[zone], boxes)
        self._try(lambda: self._with(boxes))

    def undo(self) -> None:
        """Take the last change back."""
        self.said = "" if self._before else "nothing is left to undo"
        if self._before:
            self.table = self._before.pop()

    def _take(self, hold: Hold) -> None:
        self._hold = hold
        self.chosen = hold.part
        self._before.append(self.table)

    def _place(self, zone: Zone, box: Box, *, keep: bool = True, snap: bool = True) -> None:
        boxes = dict(self.table.layout.boxes)
        boxes[zone] = _snapped(zone, box, boxes) if snap and self.snapping else box
        self._try(lambda: self._with(boxes), keep=keep)

    def _with(self, boxes: dict[Zone, Box]) -> SavedTable:
        layout = TableLayout(self.table.layout.width, self.table.layout.height, boxes)
        return table_by_hand(self.table.corners, layout, self.table.picture)

    def _try(self, change: Callable[[], SavedTable], *, keep: bool = True) -> None:
        """Make a change if a table can be like that; else say why not and leave it as it was."""
        try:
            changed = change()
        except UserError as error:
            self.said = str(error)
            return
        self.said = ""
        if keep:
            self._before.append(self.table)
        self.table = replace(changed, camera=self.table.camera, lens=self.table.lens)


def zone_outline(view: TableView, box: Box) -> list[tuple[int, int]]:
    """A zone's corners in the picture, whole pixels."""
    return [(round(float(x)), round(float(y))) for x, y in view.to_image(box.corners())]


def _inside(box: Box, u: float, v: float) -> bool:
    angle = math.radians(box.angle)
    dx, dy = u - box.x, v - box.y
    along, down = dx * math.cos(angle) + dy * math.sin(angle), dy * math.cos(angle) - dx * math.sin(angle)
    return abs(along) <= box.width / 2 and abs(down) <= box.height / 2


def _snapped(zone: Zone, box: Box, boxes: dict[Zone, Box]) -> Box:
    """The box in line with others and straight, where it nearly is."""
    others = [other for name, other in boxes.items() if name is not zone]
    x = min((other.x for other in others), key=lambda at: abs(at - box.x), default=box.x)
    y = min((other.y for other in others), key=lambda at: abs(at - box.y), default=box.y)
    straight = round(box.angle / 90) * 90.0
    return replace(
        box,
        x=x if abs(x - box.x) <= SNAP_MM else box.x,
        y=y if abs(y - box.y) <= SNAP_MM else box.y,
        angle=straight % 360 if abs(straight - box.angle) <= SNAP_DEGREES else box.angle,
    )
