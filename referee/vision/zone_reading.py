"""Reading zones: from a frame to what its zones show, with card poses in table millimetres."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias, runtime_checkable

from referee.readings import Look, Pose, Reading, ZoneReading
from referee.table import Box, Zone
from referee.vision.frames import Frame, Image
from referee.vision.reader_beside import ReaderBeside
from referee.vision.rectify import Cutter, TableView

Promise: TypeAlias = Callable[[], list[ZoneReading]]


class ReadsCrops(Protocol):
    """What reads crops as `referee.vision.rectify.rectify` makes them."""

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        """What each of ``crops``, uint8 (S, S, 3) BGR, shows."""


class ReadsZones(Protocol):
    """What reads zones of whole frames."""

    def read(self, frame: Frame, zones: Sequence[Zone], look: Look) -> list[ZoneReading]:
        """What each of ``zones`` shows in ``frame``; ``look`` says what moved there, and is of the same frame."""


@runtime_checkable
class ReadsZonesBeside(Protocol):
    """What reads zones of whole frames while whoever asks goes on."""

    def ask(self, frame: Frame, zones: Sequence[Zone], look: Look) -> Promise:
        """What waits for what ``ReadsZones.read`` would give; asked and awaited in order of the frames."""


class _Zones:
    """Where zones are, in the picture and on the table."""

    def __init__(self, view: TableView, boxes: Mapping[Zone, Box]) -> None:
        self._boxes = dict(boxes)
        self._cutters = {zone: Cutter(view, box) for zone, box in boxes.items()}
        self._numbers = {zone: number for number, zone in enumerate(boxes)}

    def _cut(self, frame: Frame, zones: Sequence[Zone]) -> list[Image]:
        return [self._cutters[zone].cut(frame.image) for zone in zones]

    def _placed(
        self, frame: Frame, zones: Sequence[Zone], look: Look, readings: Sequence[Reading]
    ) -> list[ZoneReading]:
        return [
            ZoneReading(
                zone,
                frame.t,
                frame.index,
                reading,
                None if reading.pose is None else on_table(reading.pose, self._boxes[zone]),
                float(look.moved[self._numbers[zone]]),
            )
            for zone, reading in zip(zones, readings, strict=True)
        ]


class ZoneReader(_Zones):
    """Cuts zones out of frames and has the crops read."""

    def __init__(self, reader: ReadsCrops, view: TableView, boxes: Mapping[Zone, Box]) -> None:
        """Read ``boxes`` with ``reader`` in frames in which the table lies as ``view`` says."""
        super().__init__(view, boxes)
        self._reader = reader

    def read(self, frame: Frame, zones: Sequence[Zone], look: Look) -> list[ZoneReading]:
        """What each of ``zones`` shows in ``frame``."""
        return self._placed(frame, zones, look, self._reader.read(self._cut(frame, zones))) if zones else []


class ZoneReaderBeside(_Zones):
    """Cuts zones out of frames and has the crops read in another process."""

    def __init__(self, reader: ReaderBeside, view: TableView, boxes: Mapping[Zone, Box]) -> None:
        """As for ``ZoneReader``."""
        super().__init__(view, boxes)
        self._reader = reader

    def ask(self, frame: Frame, zones: Sequence[Zone], look: Look) -> Promise:
        """What waits for what each of ``zones`` shows in ``frame``."""
        if not zones:
            return list
        answer = self._reader.ask(self._cut(frame, zones))
        return lambda: self._placed(frame, zones, look, answer())

    def read(self, frame: Frame, zones: Sequence[Zone], look: Look) -> list[ZoneReading]:
        """What each of ``zones`` shows in ``frame``."""
        return self.ask(frame, zones, look)()


def on_table(pose: Pose, box: Box) -> Pose:
    """A pose in a zone's crop, from its centre, as a pose on the table."""
    turn = math.radians(box.angle)
    cos, sin = math.cos(turn), math.sin(turn)
    angle = (pose.angle + box.angle + 90) % 180 - 90
    return Pose(box.x + cos * pose.x - sin * pose.y, box.y + sin * pose.x + cos * pose.y, angle)
