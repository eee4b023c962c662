"""The check of a table before play: what is wrong with the picture of it, in words, and what to do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from referee.calibrate.check_measures import CARD_CONTRAST, ZoneMeasure, measure, scales, tilt_of
from referee.calibrate.check_picture import ghosts
from referee.readings import Reading, Sight
from referee.table import Box, TableLayout, Zone, ZoneKind
from referee.vision.rectify import Image, TableView

INDEX_MM: Final = 14.0
"""Height of a card's index, rank over suit."""

LEAST_SCALE: Final = 0.8
"""Pixels a mm at which an index is just read, 11 px high."""

GOOD_SCALE: Final = 1.0
"""Pixels a mm that leave something to spare."""

LEAST_WHITE: Final = 60.0
"""Grey level that white paper must reach."""

LEAST_CONTRAST: Final = 12.0
"""Contrast of the cards over the grain of the picture."""

MOST_EDGE_PX: Final = 4.8
"""Edges this wide, px, are soft."""

MOST_EDGE_MM: Final = 4.1
"""Edges this wide on the table make an index unreadable; soft ones narrower than this cost nothing."""

MOST_GLARE: Final = 0.04
"""Share of a card that a spot of glare may cover: more, and it can cover an index."""

MOST_TILT: Final = 38.0
"""Degrees from the vertical; up to 35 the far row is read as well as the near one."""

SLOW: Final = 0.8
"""Share of the frame rate asked for that a camera must give."""

SURE: Final = 0.5
"""A reserve that reads as a back with less than this probability shows a back that the reader does not know."""

COMMON_SIZES: Final = ((1280, 720), (1920, 1080), (2560, 1440), (3840, 2160))
"""Sizes of picture that cameras offer."""


class Fault(Enum):
    """What can be wrong with the picture of a table."""

    OUTSIDE = "outside"
    CUT = "cut"
    SMALL = "small"
    TILTED = "tilted"
    DARK = "dark"
    BLURRED = "blurred"
    GLARE = "glare"
    BACK = "back"
    SLOW = "slow"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong.

    Attributes:
        fault: what kind.
        zones: the zones it concerns; none where it concerns all.
        text: a sentence that says what is wrong and what to do.
    """

    fault: Fault
    zones: tuple[Zone, ...]
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class TableCheck:
    """What the check of a table found.

    Attributes:
        findings: what is wrong, worst first; empty where nothing is.
        card_px: width and height of the smallest card in the picture, px.
        index_px: height of its index, px.
        picture: uint8 array (H, W, 3), BGR: the table with a card-sized ghost over every zone and what is read there.
    """

    findings: tuple[Finding, ...]
    card_px: tuple[float, float]
    index_px: float
    picture: Image


def check_table(
    images: Image | Sequence[Image],
    view: TableView,
    layout: TableLayout,
    readings: Mapping[Zone, Reading] | None = None,
    rates: tuple[float, float] | None = None,
) -> TableCheck:
    """Check a table.

    Args:
        images: one picture or several of the table at rest, uint8 (H, W, 3) BGR; of several, what most of them show
            counts, so that a hand passing by is no fault.
        view: where the table lies in them.
        layout: its zones.
        readings: what a reader makes of each zone, of a table as it is dealt; None without a reader.
        rates: pictures a second that were asked of the camera, and that it gives.
    """
    pictures = [images] if isinstance(images, np.ndarray) else list(images)
    size = (pictures[0].shape[1], pictures[0].shape[0])
    zones = tuple(layout.boxes)
    every = [measure(picture, view, layout) for picture in pictures]
    measures = {zone: _middle([measured[index] for measured in every]) for index, zone in enumerate(zones)}
    unseen = {zone: _hidden_corners(view, box, size) for zone, box in layout.boxes.items()}
    seen = {zone: one for zone, one in measures.items() if not unseen[zone]}
    findings = [
        *_placed(unseen),
        *_sized(seen, layout, size),
        *_tilted(view, layout),
        *_lit(seen),
        *_sharp(seen),
        *_glaring(seen),
        *_backs(readings or {}),
        *_fast(rates),
    ]
    smallest = min(layout.boxes, key=lambda zone: measures[zone].scale)
    box = layout.boxes[smallest]
    coarse, fine = scales(view, box.x, box.y)
    return TableCheck(
        tuple(findings),
        (box.width * (coarse + fine) / 2, box.height * (coarse + fine) / 2),
        INDEX_MM * measures[smallest].scale,
        ghosts(pictures[0], view, layout, readings or {}, {zone for one in findings for zone in one.zones}),
    )


def _middle(measures: Sequence[ZoneMeasure]) -> ZoneMeasure:
    """The middle of several measures of one zone, value by value."""
    values = np.array([(m.scale, m.white, m.dark, m.noise, m.edge, m.glare) for m in measures])
    return ZoneMeasure(*(float(value) for value in np.median(values, axis=0)))


def _hidden_corners(view: TableView, box: Box, size: tuple[int, int]) -> int:
    """How many corners of a zone's card lie outside the picture."""
    corners = view.to_image(box.corners())
    inside = ((corners >= 0) & (corners <= np.array(size) - 1)).all(axis=1)
    return int(4 - inside.sum())


def _placed(unseen: Mapping[Zone, int]) -> list[Finding]:
    outside = tuple(zone for zone, count in unseen.items() if count == 4)
    cut = tuple(zone for zone, count in unseen.items() if 0 < count < 4)
    findings = []
    if outside:
        text = f"{_names(outside)} {_are(outside)} outside the picture: move the camera back or turn it to the table"
        findings.append(Finding(Fault.OUTSIDE, outside, text))
    if cut:
        text = f"{_names(cut)} {_are(cut)} cut by the picture's edge: move the camera back or turn it to the table"
        findings.append(Finding(Fault.CUT, cut, text))
    return findings


def _sized(seen: Mapping[Zone, ZoneMeasure], layout: TableLayout, size: tuple[int, int]) -> list[Finding]:
    small = tuple(zone for zone, one in seen.items() if one.scale < LEAST_SCALE)
    if not small:
        return []
    worst = min(small, key=lambda zone: seen[zone].scale)
    scale, box = seen[worst].scale, layout.boxes[worst]
    factor = GOOD_SCALE / scale
    offered = next((one for one in COMMON_SIZES if one[0] >= size[0] * factor), None)
    what = f"set it to {offered[0]}x{offered[1]}, or bring it" if offered and offered[0] > size[0] else "bring it"
    text = (
        f"cards are too small at {_names(small)}: {box.width * scale:.0f} x {box.height * scale:.0f} px at {worst}, "
        f"the index {math.floor(INDEX_MM * scale)} px high, where it takes {math.ceil(INDEX_MM * LEAST_SCALE)} px; "
        f"the camera gives {size[0]}x{size[1]}: {what} nearer until the table fills the picture"
    )
    return [Finding(Fault.SMALL, small, text)]


def _tilted(view: TableView, layout: TableLayout) -> list[Finding]:
    tilt = tilt_of(view, layout)
    if tilt <= MOST_TILT:
        return []
    text = (
        f"the camera leans {tilt:.0f} degrees from the vertical: hang it more above the table's middle, 35 degrees at "
        "most"
    )
    return [Finding(Fault.TILTED, (), text)]


def _lit(seen: Mapping[Zone, ZoneMeasure]) -> list[Finding]:
    lit = [one for one in seen.values() if one.white - one.dark >= CARD_CONTRAST]
    whites = [one.white for one in seen.values()]
    if not whites:
        return []
    # Zones may be empty, so the brighter half of them is what paper looks like.
    white = float(np.quantile(whites, 0.75))
    if white < LEAST_WHITE:
        text = f"it is too dark: white paper comes out at {white:.0f} of 255; switch a lamp on, or bring it nearer"
        return [Finding(Fault.DARK, (), text)]
    grainy = [one for one in lit if one.white - one.dark < LEAST_CONTRAST * one.noise]
    if len(grainy) * 2 > len(lit):
        return [Finding(Fault.DARK, (), "it is too dark: the picture is grainy; switch a lamp on, or bring it nearer")]
    return []


def _sharp(seen: Mapping[Zone, ZoneMeasure]) -> list[Finding]:
    told = {zone: one for zone, one in seen.items() if one.white - one.dark >= CARD_CONTRAST and np.isfinite(one.edge)}
    soft = tuple(zone for zone, one in told.items() if one.edge > MOST_EDGE_PX and one.edge > MOST_EDGE_MM * one.scale)
    if not soft:
        return []
    focus = "focus it by hand if it can be, wipe the lens, and switch autofocus off once it is sharp"
    if len(soft) * 2 > len(told):
        text = f"the picture is out of focus: edges are {np.median([told[z].edge for z in soft]):.0f} px wide; {focus}"
        return [Finding(Fault.BLURRED, (), text)]
    if len(soft) * 4 < len(told):
        # A card in flight or a court card without a hard edge is soft by itself.
        return []
    return [Finding(Fault.BLURRED, soft, f"the picture is out of focus at {_names(soft)}; {focus}")]


def _glaring(seen: Mapping[Zone, ZoneMeasure]) -> list[Finding]:
    zones = tuple(zone for zone, one in seen.items() if one.glare > MOST_GLARE)
    if not zones:
        return []
    text = (
        f"a lamp or window glares on {_names(zones)}: move the lamp aside, draw a curtain, or shift the table a little"
    )
    return [Finding(Fault.GLARE, zones, text)]


def _backs(readings: Mapping[Zone, Reading]) -> list[Finding]:
    """Reserves lie face down from the deal on, so what a reserve shows must read as a back."""
    unknown = tuple(
        zone
        for zone, reading in readings.items()
        if zone.kind is ZoneKind.RESERVE
        and reading.state in (Sight.CARD, Sight.BACK, Sight.UNKNOWN)
        and not (reading.state is Sight.BACK and reading.confidence >= SURE)
    )
    if not unknown:
        return []
    text = (
        f"{_names(unknown)} should show a card's back and the reader does not know it as one: lay the reserve face "
        "down, or let the reader learn this deck"
    )
    return [Finding(Fault.BACK, unknown, text)]


def _fast(rates: tuple[float, float] | None) -> list[Finding]:
    if rates is None or rates[1] >= SLOW * rates[0]:
        return []
    text = (
        f"the camera gives {rates[1]:.0f} pictures a second instead of {rates[0]:.0f}: more light, a smaller picture, "
        "or another USB port make it faster"
    )
    return [Finding(Fault.SLOW, (), text)]


def _names(zones: Sequence[Zone]) -> str:
    names = [zone.name for zone in zones]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _are(zones: Sequence[Zone]) -> str:
    return "is" if len(zones) == 1 else "are"
