"""The table found in a picture by the best way there is: markers, then the dealt cards; and told in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from referee.calibrate.check_measures import scales
from referee.calibrate.deal.from_deal import Dealt, find_deal
from referee.calibrate.deal.read_through import read_through
from referee.calibrate.deal.reading import Reads
from referee.calibrate.deal.rows import Expected
from referee.calibrate.layouts import layout_for
from referee.calibrate.lens import Lens
from referee.calibrate.markers.from_markers import MarkedTable, find_markers
from referee.calibrate.markers.seen import see_markers
from referee.calibrate.saved_table import SavedTable, as_corners
from referee.errors import UserError
from referee.table import CARD_MM, Box, TableLayout, Zone
from referee.vision.capture import without_secrets
from referee.vision.open_source import open_source
from referee.vision.rectify import Image, TableView

AUTO: Final = "auto"

PICTURES: Final = (".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp")

INDEX_MM: Final = 13.8
"""Height of a corner index, rank and suit."""

_LOOK_EVERY: Final = 0.5
_LOOK_FOR: Final = 3.0
"""How long a source is looked at, s: hands come and go, and a camera needs time to set its exposure."""


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
        borne_out=None if reader is None else lambda table: read_through(image, table, reader),
    )
    kind = "bridge" if dealt.card_width < 60 else "poker"
    first = f"found from the dealt cards: {dealt.cards} piles of {kind} cards"
    return FoundTable(dealt.table, image, (first, _told(dealt.table, dealt.tilt), *dealt.notes))


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
