"""The sheet to print: four corner markers to cut out, a bar to check the printer by, a mat, a board for the lens."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from referee.calibrate.markers.print_pdf import Canvas, document
from referee.calibrate.markers.seen import DICTIONARY, MARKER_MM, PLACES, QUIET_MM, TILE_MM, marker_places
from referee.errors import UserError
from referee.files import write_whole
from referee.table import Seat, TableLayout

PAPERS: Final[Mapping[str, tuple[float, float]]] = MappingProxyType({"a4": (210.0, 297.0), "letter": (215.9, 279.4)})
"""Width and height of the papers, mm."""

BAR_MM: Final = 100.0
"""Length of the bar that shows whether the printer kept the size."""

MARGIN_MM: Final = 10.0
"""White that printers leave at the edge of a page."""

OVERLAP_MM: Final = 8.0
"""Strip that neighbouring pages of the mat share, for glueing."""

BOARD: Final = (9, 6)
"""Squares of the lens board across and down, on paper held sideways."""

BOARD_SQUARE_MM: Final = 28.0
BOARD_MARKER_MM: Final = 20.0

BOARD_DICTIONARY: Final = cv2.aruco.DICT_5X5_50
"""Another dictionary than the corner markers', so that neither is taken for the other."""

_GAP_MM: Final = 5.0

_HOW: Final = (
    "Print at 100 % (actual size), on matt paper. The bar below must be 100 mm long: measure it.",
    "Cut along the grey lines. Lay each tile flat into its corner of the playing area, as here: 0 and 1 on the",
    "far side, 2 and 3 on yours, the grey tip outwards. The area is measured between the four tips; 900 x 600 mm",
    "is usual. Leave the tiles there: they keep the table known when the camera is knocked.",
)


def write_sheet(path: Path, paper: str = "a4", mat: TableLayout | None = None) -> None:
    """Write the sheet as a PDF: one page of markers, and with ``mat`` the pages of a mat to glue together.

    Args:
        path: the file.
        paper: one of ``PAPERS``.
        mat: the layout whose zones and markers the mat shows.

    Raises:
        UserError: there is no such paper, or the file cannot be written.
    """
    size = _paper(paper)
    pages = [_marker_page(size)]
    form = None
    if mat is not None:
        drawing, mat_pages = _mat(mat, size)
        pages += mat_pages
        form = (drawing, (mat.width, mat.height))
    write_whole(path, document(pages, size, "Spit Referee: corner markers", form))


def write_lens_board(path: Path, paper: str = "a4") -> None:
    """Write the board that is held before a camera to measure its lens, as a PDF of one page.

    Raises:
        UserError: there is no such paper, or the file cannot be written.
    """
    width, height = _paper(paper)
    size = (height, width)
    page = Canvas(size[1])
    columns, rows = BOARD
    left = (size[0] - columns * BOARD_SQUARE_MM) / 2
    top = MARGIN_MM + 3
    edge = (BOARD_SQUARE_MM - BOARD_MARKER_MM) / 2
    number = 0
    for row in range(rows):
        for column in range(columns):
            x, y = left + column * BOARD_SQUARE_MM, top + row * BOARD_SQUARE_MM
            if (row + column) % 2 == 0:
                page.rectangles([(x, y, BOARD_SQUARE_MM, BOARD_SQUARE_MM)], 0)
            else:
                _marker(page, BOARD_DICTIONARY, number, x + edge, y + edge, BOARD_MARKER_MM)
                number += 1
    foot = top + rows * BOARD_SQUARE_MM + 6
    page.words(
        left,
        foot,
        "Lens board. Glue it flat onto card and hold it before the camera, tilted differently each time; let it reach",
        3.6,
    )
    page.words(left, foot + 5, "into the corners of the picture. Ten pictures are enough.", 3.6)
    write_whole(path, document([page], size, "Spit Referee: lens board"))


def lens_board() -> cv2.aruco.CharucoBoard:
    """The printed board as OpenCV describes it."""
    return cv2.aruco.CharucoBoard(
        BOARD, BOARD_SQUARE_MM, BOARD_MARKER_MM, cv2.aruco.getPredefinedDictionary(BOARD_DICTIONARY)
    )


def _paper(name: str) -> tuple[float, float]:
    try:
        return PAPERS[name.lower()]
    except KeyError:
        raise UserError(f"there is no paper {name!r}: choose {' or '.join(PAPERS)}") from None


def _marker_page(size: tuple[float, float]) -> Canvas:
    page = Canvas(size[1])
    left = (size[0] - 2 * TILE_MM - _GAP_MM) / 2
    page.words(left, 17, "Spit Referee: corner markers", 5, bold=True)
    for line, text in enumerate(_HOW):
        page.words(left, 25 + 5 * line, text, 3.6)
    bar = 50.0
    page.rectangles([(left, bar, BAR_MM, 2)], 0)
    for end in (left, left + BAR_MM):
        page.line((end, bar - 2), (end, bar + 4))
    page.words(left + BAR_MM + 4, bar + 2, "100 mm", 3.6)
    spots = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    for number, (across, down) in zip(PLACES, spots, strict=True):
        step = TILE_MM + _GAP_MM
        _tile(page, number, left + across * step, bar + 10 + down * step)
    return page


def _tile(page: Canvas, number: int, x: float, y: float) -> None:
    """A marker with its white border, its name, its tip and the line to cut along; x, y is its top left corner."""
    corners = ((x, y), (x + TILE_MM, y), (x + TILE_MM, y + TILE_MM), (x, y + TILE_MM))
    page.polygon(corners, 0.6, line=0.15)
    _marker(page, DICTIONARY, number, x + QUIET_MM, y + QUIET_MM, MARKER_MM)
    tip, inwards = corners[number], (1 if number in (0, 3) else -1, 1 if number in (0, 1) else -1)
    page.polygon((tip, (tip[0] + 5 * inwards[0], tip[1]), (tip[0], tip[1] + 5 * inwards[1])), 0.6)
    # The words keep to the outer third of the border: the marker needs the rest of the white.
    page.words(x + 8, y + 3.0 if number in (0, 1) else y + TILE_MM - 1.4, f"{number}  {PLACES[number]}", 2.8, grey=0.5)


def _marker(page: Canvas, dictionary: int, number: int, x: float, y: float, side: float) -> None:
    """A marker with its black border; x, y is its top left corner."""
    cells = _cells(dictionary, number)
    cell = side / len(cells)
    page.rectangles([(x, y, side, side)], 0)
    white = np.argwhere(cells)
    page.rectangles([(x + column * cell, y + row * cell, cell, cell) for row, column in white.tolist()], 1)


def _cells(dictionary: int, number: int) -> npt.NDArray[np.bool_]:
    """The cells of a marker, border included, True where white."""
    of = cv2.aruco.getPredefinedDictionary(dictionary)
    side = of.markerSize + 2
    return np.asarray(cv2.aruco.generateImageMarker(of, number, side), np.uint8) > 127


def _mat(layout: TableLayout, size: tuple[float, float]) -> tuple[Canvas, list[Canvas]]:
    """The drawing of the mat, and the pages that show its parts."""
    drawing = Canvas(layout.height)
    drawing.polygon(
        ((0.2, 0.2), (layout.width - 0.2, 0.2), (layout.width - 0.2, layout.height - 0.2), (0.2, layout.height - 0.2)),
        0.6,
        line=0.3,
    )
    for number, quad in marker_places(layout.width, layout.height).items():
        _marker(drawing, DICTIONARY, number, float(quad[0, 0]), float(quad[0, 1]), MARKER_MM)
    for zone, box in layout.boxes.items():
        drawing.polygon(box.corners(), 0.65, line=0.4)
        # Read from its player's chair, in the middle, where cards will cover it.
        turned = zone.seat is Seat.B
        offset = -1 if turned else 1
        drawing.words(box.x - offset * 4.5, box.y + offset * 2.5, zone.name, 7, grey=0.65, turn=180 if turned else 0)
    return drawing, _parts(layout, size)


def _parts(layout: TableLayout, size: tuple[float, float]) -> list[Canvas]:
    room = (size[0] - 2 * MARGIN_MM, size[1] - 2 * MARGIN_MM - 8)
    columns = math.ceil((layout.width - OVERLAP_MM) / (room[0] - OVERLAP_MM))
    rows = math.ceil((layout.height - OVERLAP_MM) / (room[1] - OVERLAP_MM))
    # Equal parts, so that no seam runs close to the edge, through the markers.
    width = (layout.width - OVERLAP_MM) / columns + OVERLAP_MM
    height = (layout.height - OVERLAP_MM) / rows + OVERLAP_MM
    name = f"Mat {layout.width:g} x {layout.height:g} mm"
    pages = []
    for row in range(rows):
        for column in range(columns):
            page = Canvas(size[1])
            x, y = column * (width - OVERLAP_MM), row * (height - OVERLAP_MM)
            page.polygon(
                [
                    (MARGIN_MM + dx, MARGIN_MM + dy)
                    for dx, dy in ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
                ],
                0.6,
                line=0.15,
            )
            # The form hangs from the page's lower left corner.
            shift = (MARGIN_MM - x, MARGIN_MM - y - (size[1] - layout.height))
            page.window(MARGIN_MM, MARGIN_MM, width, height, "Mat", shift)
            page.words(
                MARGIN_MM,
                size[1] - MARGIN_MM,
                f"{name}: row {row + 1} of {rows}, page {column + 1} of {columns}. "
                f"Print at 100 %, cut along the line, overlap by {OVERLAP_MM:g} mm.",
                3.4,
                grey=0.3,
            )
            pages.append(page)
    return pages
