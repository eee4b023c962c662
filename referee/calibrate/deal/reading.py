"""Cards of a deal known by reading them: on cloth of their own colour or pattern they show no outline."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from referee.calibrate.deal.card_plane import LONG_MM, CardPlane, Floats
from referee.readings import EMPTY, Pose, Reading, Sight
from referee.table import Box
from referee.vision.rectify import Image, TableView, rectify
from referee.vision.zone_reading import on_table

_LIES, _BARE = 0.8, 0.7
"""Probability from which a card lies somewhere, whichever it is; and that from which none does."""

_TOLD: Final = 0.9
"""Confidence with which a card or a back is told."""


class Reads(Protocol):
    """What reads cards in crops."""

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        """One reading for each crop, uint8 (S, S, 3) BGR."""


@dataclass(frozen=True, slots=True)
class ReadPlace:
    """What is read at a place, in coordinates that have the cards upright.

    Attributes:
        card: probability that a card or a back lies there, whichever it is.
        told: whether it is told which card, or that it is a back.
        bare: whether certainly none does.
        u, v: the card's middle, mm; the place itself where none is made out.
        lean: the card's, degrees clockwise.
    """

    card: float
    told: bool
    bare: bool
    u: float
    v: float
    lean: float

    @property
    def lies(self) -> bool:
        """Whether certainly a card lies there."""
        return self.card > _LIES


def read_places(
    image: Image, plane: CardPlane, turn: float, places: Sequence[tuple[float, float, float]], reader: Reads
) -> list[ReadPlace]:
    """What is read at each place: x, y in mm and lean in degrees, in upright coordinates.

    Which card it is need not be told: a back that the reader never saw is none of its cards, but no bare cloth either.
    """
    if not places:
        return []
    view = upright_view(plane, turn)
    boxes = [Box(u, v, plane.card_width, LONG_MM, lean) for u, v, lean in places]
    found: list[ReadPlace] = []
    for box, reading in zip(boxes, reader.read([rectify(image, view, box) for box in boxes]), strict=True):
        bare = (1 - reading.hidden) * float(np.exp(reading.log_probs[EMPTY])) > _BARE
        pose = Pose(0.0, 0.0, 0.0) if reading.pose is None else reading.pose
        told = reading.state in (Sight.CARD, Sight.BACK) and reading.confidence > _TOLD
        there = on_table(pose, box)
        found.append(ReadPlace(card_lies(reading), told, bare, there.x, there.y, there.angle))
    return found


def card_lies(reading: Reading) -> float:
    """Probability that a card or a back lies in a crop, whichever it is."""
    if reading.pose is None:
        return 0.0
    return (1 - reading.hidden) * (1 - float(np.exp(reading.log_probs[EMPTY])))


def lies(reading: Reading) -> bool:
    """Whether certainly a card or a back lies in a crop."""
    return card_lies(reading) > _LIES


def not_bare(image: Image, plane: CardPlane, poses: Floats, reader: Reads | None) -> npt.NDArray[np.bool_]:
    """At which poses (N, 3) of x, y in mm and turn in radians the table is not certainly bare; all without a reader."""
    if reader is None or not len(poses):
        return np.ones(len(poses), bool)
    places = [(float(x), float(y), lean_of(float(turn))) for x, y, turn in poses]
    return np.array([not place.bare for place in read_places(image, plane, 0.0, places, reader)])


def upright_view(plane: CardPlane, turn: float) -> TableView:
    """The view in which cards are upright."""
    cos, sin = math.cos(turn), math.sin(turn)
    upright = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]])
    return TableView(upright @ plane.image_to_plane, plane.plane_to_image @ upright.T)


def lean_of(angle: float) -> float:
    """An angle as degrees in -90 to 90, for a card looks the same upside down."""
    return math.degrees((angle + math.pi / 2) % math.pi - math.pi / 2)
