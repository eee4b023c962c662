"""The table found in a picture by the best way there is: markers, then the dealt cards; and told in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from referee.calibrate.check_measures import scales
from referee.calibrate.deal.from_deal import Dealt, find_deal
from referee.calibrate.deal.reading import Reads
from referee.calibrate.deal.rows import Expected
from referee.calibrate.layouts import layout_for
from referee.calibrate.lens import Lens
from referee.calibrate.markers.from_markers import MarkedTable, find_markers
from referee.calibrate.markers.seen import see_markers
from referee.calibrate.saved_table import SavedTable, as_corners
from referee.errors import UserError
from referee.readings import Reading, Sight
from referee.table import CARD_MM, Box, TableLayout, Zone, ZoneKind
from referee.vision.capture import without_secrets
from referee.vision.open_source import open_source
from referee.vision.rectify import CROP_MM, CROP_PX, Image, TableView, rectify
from referee.vision.zone_reading import on_table

AUTO: Final = "auto"

PICTURES: Final = (".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp")

INDEX_MM: Final = 13.8
"""Height of a corner index, rank and suit."""

_LOOK_EVERY: Final = 0.5
_LOOK_FOR: Final = 3.0
"""How long a source is looked at, s: hands come and go, and a camera needs time to set its exposure."""

_READ: Final = 0.6
_RATHER: Final = 1.5
"""Mean confidence with which a mirrored picture's cards are read, and how much better than unmirrored."""


_CERTAIN: Final = 0.97
"""Confidence with which a card is not taken for another one, even of a deck that the reader has not seen."""

_OTHER_SIZE: Final = 0.06
"""Cards that are read so much larger or smaller, as a share, do not lie in the plane that was found."""

_NOTHING: Final = 0.3
"""A stock pile that is read with less confidence shows no card of which one could be told."""

_ASTRAY_MM: Final = 8.0
"""A card that is read so far from the middle of its zone lies where it is read."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is known beforehand.

    Attributes:
        expected: what the ruleset lays out.
        way: ``auto``, ``markers`` or ``deal``.
        size: of the table between the markers' outer corners, mm.
        card_width: of the cards, mm.
        reserves: for seat A and B ``left`` or ``right`` of the player; None: whichever the picture shows.
        seat_a: edge of the picture at which seat A sits; None: the lower one.
        lens: what bends the picture, where it was measured.
    """

    expected: Expected
    way: str = AUTO
    size: tuple[float, float] | None = None
    card_width: float | None = None
    reserves: tuple[str | None, str | None] = (None, None)
    seat_a: str | None = None
    lens: Lens | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FoundTable:
    """A table, and what is to be said of how it was found."""

    table: SavedTable
    image: Image
    sentences: tuple[str, ...]


def find_table(image: Image, wanted: Wanted, camera: str = "", reader: Reads | None = None) -> FoundTable:
    """The table in ``image``, uint8 (H, W, 3) BGR; a ``reader`` tells reserves by their backs and a mirrored picture.

    Raises:
        UserError: no way gives it for certain; says what each would need.
    """
    if wanted.way == "markers" or (wanted.way == AUTO and len({one.id for one in see_markers(image)}) >= 2):
        try:
            return _by_markers(image, wanted, camera)
        except UserError:
            if wanted.way != AUTO:
                raise
    dealt = find_deal(
        image,
        wanted.expected,
        camera=camera,
        card_width=wanted.card_width,
        reserves=wanted.reserves,
        seat_a=wanted.seat_a,
        reader=reader,
        lens=wanted.lens,
    )
    kind = "bridge" if dealt.card_width < 60 else "poker"
    first = f"found from the dealt cards: {dealt.cards} piles of {kind} cards"
    table = dealt.table if reader is None else _read_through(image, dealt.table, reader)
    return FoundTable(table, image, (first, _told(table, dealt.tilt), *dealt.notes))


def look_at(source: str, find: Callable[[Image], FoundTable]) -> FoundTable:
    """What ``find`` makes of the first picture of a source in which it finds a table; it gets a few tries.

    Raises:
        UserError: the source cannot be read, or no picture shows the table; says why the last one did not.
    """
    failure: UserError | None = None
    for image in pictures_of(source):
        try:
            return find(image)
        except UserError as error:
            failure = error
    name = without_secrets(source) if "://" in source else source
    raise failure or UserError(f"{name} gave no picture")


def pictures_of(source: str) -> Iterator[Image]:
    """A few pictures of a camera, video, folder or picture file, uint8 (H, W, 3) BGR.

    Raises:
        UserError: it cannot be opened or read.
    """
    if Path(source).suffix.lower() in PICTURES and "://" not in source:
        yield read_picture(Path(source))
        return
    with open_source(source) as frames:
        due = 0.0
        while (frame := frames.read()) is not None and frame.t <= _LOOK_FOR:
            if frame.t >= due:
                due = frame.t + _LOOK_EVERY
                yield frame.image


def read_picture(path: Path) -> Image:
    """A picture file, uint8 (H, W, 3) BGR.

    Raises:
        UserError: it cannot be read.
    """
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise UserError(f"cannot read the picture {path}: {error.strerror}") from None
    image = cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None
    if image is None:
        raise UserError(f"{path} is no picture that can be read: give a JPEG or PNG")
    return np.asarray(image, np.uint8)


def annotated(found: FoundTable) -> Image:
    """The picture with a ghost of a card over every zone and the table's rectangle: uint8 (H, W, 3) BGR."""
    from referee.calibrate.check_picture import GOOD, ghosts

    picture = ghosts(found.image, found.table.view, found.table.layout, {}, ())
    outline = np.round(np.asarray(found.table.corners) * 16).astype(np.int32)
    cv2.polylines(picture, [outline], True, GOOD, 2, cv2.LINE_AA, shift=4)
    return picture


def _read_through(image: Image, table: SavedTable, reader: Reads) -> SavedTable:
    """The table of a deal, each pile put where its card is read to lie.

    Raises:
        UserError: the cards are read in a mirror only, or a pile is not read where it was found.
    """
    piles = [zone for zone in table.layout.boxes if zone.kind is not ZoneKind.CENTRE]
    crops = [rectify(image, table.view, table.layout.boxes[zone]) for zone in piles]
    stock = sum(zone.kind is ZoneKind.STOCK for zone in piles)
    readings = reader.read(crops)
    mirrored = reader.read([np.ascontiguousarray(crop[:, ::-1]) for crop in crops])
    plain, other = (
        sum(one.confidence for one, zone in zip(every, piles, strict=True) if _is_card(one, zone)) / stock
        for every in (readings, mirrored)
    )
    if other > _READ and other > _RATHER * plain:
        raise UserError(
            "the picture is mirrored, the cards' indices say so: switch mirroring off in the camera's settings"
        )
    _not_a_deal(dict(zip(piles, readings, strict=True)))
    if _of_another_size(readings):
        raise UserError(
            "the cards are read in another size than their outlines seem to have: use a cloth without a pattern of "
            "rectangles, light the table evenly, or give --corners"
        )
    astray = {zone: one for zone, one in zip(piles, readings, strict=True) if _astray(one)}
    if not astray:
        return table
    boxes = dict(table.layout.boxes)
    for zone, reading in astray.items():
        assert reading.pose is not None
        place = on_table(reading.pose, boxes[zone])
        boxes[zone] = replace(boxes[zone], x=place.x, y=place.y, angle=boxes[zone].angle + reading.pose.angle)
    layout = TableLayout(table.layout.width, table.layout.height, boxes)
    again = reader.read([rectify(image, table.view, boxes[zone]) for zone in astray])
    if layout.outside() or any(_astray(one) or one.state not in (Sight.CARD, Sight.BACK) for one in again):
        names = ", ".join(zone.name for zone in astray)
        raise UserError(
            f"the card of {names} is not read where its outline seems to be: see that no hand, glare or shadow lies on "
            "it and nothing beside it, or give --corners"
        )
    return replace(table, layout=layout)


def _not_a_deal(readings: dict[Zone, Reading]) -> None:
    """Refuse piles of which one is read as bare table or as nothing at all, two as the same card, or a row askew.

    A row is found a place too far along if a back is read on a stock pile and a face where the reserve should be. Else
    reserves are left out, for some backs are strange to the reader.

    Raises:
        UserError: there are such; says which.
    """
    clear = {zone: one for zone, one in readings.items() if one.confidence > _READ}
    bare = [
        zone
        for zone, one in readings.items()
        if zone.kind is ZoneKind.STOCK
        and ((one.state is Sight.EMPTY and zone in clear) or (one.state is Sight.UNKNOWN and one.confidence < _NOTHING))
    ]
    certain = {zone: one.best for zone, one in clear.items() if one.state is Sight.CARD and one.confidence > _CERTAIN}
    twice = [zone for zone, face in certain.items() if list(certain.values()).count(face) > 1]
    backs = [zone for zone, one in clear.items() if zone.kind is ZoneKind.STOCK and one.state is Sight.BACK]
    faces = [zone for zone in certain if zone.kind is ZoneKind.RESERVE]
    askew = [*faces, *backs] if faces and backs else []
    if bare or twice or askew:
        names = ", ".join(zone.name for zone in (bare or twice or askew))
        seen = (
            "no card is read"
            if bare
            else "the same card is read more than once"
            if twice
            else "a face is read instead of a back and a back instead of a face"
        )
        raise UserError(
            f"{seen} where {names} seem to lie, so the piles lie elsewhere: use a cloth without a pattern of "
            "rectangles, light the table evenly, or give --corners"
        )


def _of_another_size(readings: Sequence[Reading]) -> bool:
    """Whether most cards that are read clearly are larger or smaller than cards are."""
    boxes = [one.box for one in readings if one.box is not None and one.state is Sight.CARD and one.confidence > _READ]
    sizes = [(y2 - y1) * CROP_MM / (CROP_PX * CARD_MM[1]) for _, y1, _, y2 in boxes]
    return bool(sizes) and abs(math.log(float(np.median(sizes)))) > _OTHER_SIZE


def _is_card(reading: Reading, zone: Zone) -> bool:
    """Whether a stock pile's card is read: a card in a mirror is none, but a back may be one."""
    return zone.kind is ZoneKind.STOCK and reading.state is Sight.CARD


def _astray(reading: Reading) -> bool:
    """Whether a card is read clearly, and elsewhere than in the middle of its zone."""
    clear = reading.state in (Sight.CARD, Sight.BACK) and reading.confidence > _READ
    return clear and reading.pose is not None and math.hypot(reading.pose.x, reading.pose.y) > _ASTRAY_MM


def _by_markers(image: Image, wanted: Wanted, camera: str) -> FoundTable:
    marked = find_markers(image, wanted.size, wanted.lens)
    size = (marked.width, marked.height)
    corners = as_corners(marked.corners)
    sides = ("right" if side is None else side for side in wanted.reserves)
    reserves = (next(sides), next(sides))
    by_cards = True
    try:
        dealt = find_deal(
            image,
            wanted.expected,
            card_width=wanted.card_width,
            reserves=wanted.reserves,
            seat_a=_seat_a_in(marked),
            lens=marked.lens,
        )
        layout = TableLayout(*size, _seen_through(dealt, marked.view))
        by_cards = not layout.outside()
    except UserError:
        by_cards = False
    if not by_cards:
        layout = layout_for(wanted.expected, size, wanted.card_width or CARD_MM[0], reserves)
    table = SavedTable(camera, (image.shape[1], image.shape[0]), corners, layout, "markers", marked.lens)
    ids = ", ".join(str(one) for one in marked.ids)
    first = f"found from markers {ids}: a table of {size[0]:.0f} x {size[1]:.0f} mm"
    if marked.measured:
        first += " (measured by the markers' own size: true if the sheet was printed at 100 %)"
    zones = "the zones lie where the cards lie" if by_cards else "no deal was seen: the zones lie as is usual"
    return FoundTable(table, image, (first, _told(table, None), zones))


def _seat_a_in(marked: MarkedTable) -> str:
    """The edge of the picture towards which the table's lower side lies."""
    middle, below = marked.view.to_image([[marked.width / 2, marked.height / 2], [marked.width / 2, marked.height]])
    x, y = below - middle
    if abs(y) >= abs(x):
        return "bottom" if y > 0 else "top"
    return "right" if x > 0 else "left"


def _seen_through(dealt: Dealt, view: TableView) -> dict[Zone, Box]:
    """The zones of a deal in the table coordinates of another view of the same picture."""
    boxes = {}
    for zone, box in dealt.table.layout.boxes.items():
        turn = math.radians(box.angle)
        ends = [[box.x, box.y], [box.x + 40 * math.sin(turn), box.y - 40 * math.cos(turn)]]
        middle, up = view.to_table(dealt.table.view.to_image(ends))
        angle = math.degrees(math.atan2(up[0] - middle[0], middle[1] - up[1]))
        boxes[zone] = replace(box, x=float(middle[0]), y=float(middle[1]), angle=angle)
    return boxes


def _told(table: SavedTable, tilt: float | None) -> str:
    """Scale and tilt in words."""
    view, layout = table.view, table.layout
    coarse, fine = scales(view, layout.width / 2, layout.height / 2)
    scale = math.sqrt(coarse * fine)
    leaning = math.degrees(math.acos(min(1.0, coarse / fine))) if tilt is None else tilt
    return (
        f"{scale:.2f} px a mm: a card is {CARD_MM[1] * scale:.0f} px long and its index {INDEX_MM * scale:.0f} px; the "
        f"camera is tilted by about {leaning:.0f} degrees"
    )
