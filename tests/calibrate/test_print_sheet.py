"""The printed sheets: right to the millimetre, and what is printed is what is found again."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.calibrate.markers.from_markers import find_markers
from referee.calibrate.markers.print_sheet import (
    BAR_MM,
    BOARD,
    MARGIN_MM,
    OVERLAP_MM,
    PAPERS,
    lens_board,
    write_lens_board,
    write_sheet,
)
from referee.calibrate.markers.seen import MARKER_MM, TILE_MM, see_markers
from referee.errors import UserError
from referee.table import standard_layout
from tests.calibrate.marked import PX_MM, camera_view, corners_seen, drawn_table, seen_from

DPI = 25.4 * PX_MM


def pages(path):
    """The pages as grey pictures at ``PX_MM`` pixels a mm."""
    pymupdf = pytest.importorskip("pymupdf", reason="pymupdf is not installed, so the sheet cannot be rendered")
    with pymupdf.open(path) as document:
        for page in document:
            picture = page.get_pixmap(dpi=round(DPI), colorspace=pymupdf.csGRAY)
            yield np.frombuffer(picture.samples, np.uint8).reshape(picture.height, picture.width).copy()


@pytest.mark.parametrize("paper", PAPERS)
def test_the_marker_page_has_the_paper_s_size_four_markers_and_the_bar(tmp_path, paper):
    write_sheet(tmp_path / "sheet.pdf", paper)
    (page,) = pages(tmp_path / "sheet.pdf")
    scale = round(DPI) / 25.4
    assert page.shape == pytest.approx((PAPERS[paper][1] * scale, PAPERS[paper][0] * scale), abs=1)
    seen = see_markers(page)
    assert [one.id for one in seen] == [0, 1, 2, 3]
    for one in seen:
        assert one.side / scale == pytest.approx(MARKER_MM, abs=1.2 / scale)
        left, top = one.corners[0] / scale
        # The whole tile lies within what printers print.
        edge = (TILE_MM - MARKER_MM) / 2
        assert min(left, top) - edge >= MARGIN_MM
        assert left + MARKER_MM + edge <= PAPERS[paper][0] - MARGIN_MM
        assert top + MARKER_MM + edge <= PAPERS[paper][1] - MARGIN_MM
    # Above the markers nothing but the bar is black over more than a few millimetres.
    above = (page[: int(seen[0].corners[0, 1] - 12 * scale)] < 60).astype(np.uint8)
    bar = cv2.morphologyEx(above, cv2.MORPH_OPEN, np.ones((1, round(20 * scale)), np.uint8)).sum(axis=1).max()
    assert bar / scale == pytest.approx(BAR_MM, abs=0.5)


def test_the_border_around_a_marker_is_white(tmp_path):
    write_sheet(tmp_path / "sheet.pdf")
    (page,) = pages(tmp_path / "sheet.pdf")
    scale = round(DPI) / 25.4
    clear = round(0.12 * MARKER_MM * scale)
    for one in see_markers(page):
        (left, top), (right, bottom) = one.corners[0].round().astype(int), one.corners[2].round().astype(int)
        around = page[top - clear : bottom + clear, left - clear : right + clear].copy()
        around[clear - 4 : -clear + 4, clear - 4 : -clear + 4] = 255
        assert around.min() > 250


@pytest.mark.parametrize("tilt", [0, 30])
def test_printed_tiles_laid_on_a_table_are_found(tmp_path, tilt):
    write_sheet(tmp_path / "sheet.pdf")
    (page,) = pages(tmp_path / "sheet.pdf")
    scale = round(DPI) / 25.4
    table = drawn_table(lacking=(0, 1, 2, 3))
    edge = (TILE_MM - MARKER_MM) / 2
    side = round(TILE_MM * PX_MM)
    for one in see_markers(page):
        left, top = one.corners[0] - edge * scale + 0.5
        cut = np.array([[scale / PX_MM, 0, left - 0.5], [0, scale / PX_MM, top - 0.5]])
        tile = cv2.warpAffine(page, cut, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        y = 0 if one.id in (0, 1) else table.shape[0] - side
        x = 0 if one.id in (0, 3) else table.shape[1] - side
        table[y : y + side, x : x + side] = np.clip(tile, 25, 225)
    view = camera_view((1280, 720), tilt=tilt)
    found = find_markers(seen_from(view, table, (1280, 720)), (900, 600))
    assert found.ids == (0, 1, 2, 3)
    truth = corners_seen(view)
    assert np.abs(found.view.to_table(found.corners) - found.view.to_table(truth)).max() < 0.8


@pytest.mark.parametrize("paper", PAPERS)
def test_the_mat_s_pages_glued_together_are_the_table(tmp_path, paper):
    layout = standard_layout()
    write_sheet(tmp_path / "sheet.pdf", paper, layout)
    first, *parts = pages(tmp_path / "sheet.pdf")
    assert len(see_markers(first)) == 4
    scale = round(DPI) / 25.4
    columns = next(n for n in range(1, 10) if (layout.width - OVERLAP_MM) / n + OVERLAP_MM <= PAPERS[paper][0] - 20)
    rows = len(parts) // columns
    assert len(parts) == rows * columns
    mat = np.full((round(layout.height * scale), round(layout.width * scale)), 255, np.uint8)
    width = (layout.width - OVERLAP_MM) / columns + OVERLAP_MM
    height = (layout.height - OVERLAP_MM) / rows + OVERLAP_MM
    for index, part in enumerate(parts):
        row, column = divmod(index, columns)
        x, y = round(column * (width - OVERLAP_MM) * scale), round(row * (height - OVERLAP_MM) * scale)
        start = round(MARGIN_MM * scale)
        piece = part[start : start + round(height * scale), start : start + round(width * scale)]
        target = mat[y : y + piece.shape[0], x : x + piece.shape[1]]
        target[:] = np.minimum(target, piece[: target.shape[0], : target.shape[1]])
    found = find_markers(np.repeat(mat[..., None], 3, axis=2), (layout.width, layout.height))
    assert found.ids == (0, 1, 2, 3)
    assert found.error_mm < 0.3
    # The outline of a zone is drawn where the zone is.
    box = next(iter(layout.boxes.values()))
    for x, y in box.corners():
        column, line = round(x * scale), round(y * scale)
        assert mat[line - 3 : line + 4, column - 3 : column + 4].min() < 220


def test_the_lens_board_is_the_board_that_is_looked_for(tmp_path):
    write_lens_board(tmp_path / "board.pdf", "letter")
    (page,) = pages(tmp_path / "board.pdf")
    corners, ids, _, _ = cv2.aruco.CharucoDetector(lens_board()).detectBoard(page)
    assert ids is not None
    assert len(np.ravel(ids)) == (BOARD[0] - 1) * (BOARD[1] - 1)
    scale = round(DPI) / 25.4
    points = lens_board().getChessboardCorners()[np.ravel(ids), :2] * scale
    off = np.asarray(corners).reshape(-1, 2) - points
    assert np.abs(off - off.mean(axis=0)).max() < 0.5


def test_the_same_sheet_has_the_same_bytes(tmp_path):
    for name in ("one.pdf", "two.pdf"):
        write_sheet(tmp_path / name, "a4", standard_layout())
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()


def test_what_cannot_be_printed_is_said(tmp_path):
    with pytest.raises(UserError, match="there is no paper 'a3': choose a4 or letter"):
        write_sheet(tmp_path / "sheet.pdf", "a3")
    with pytest.raises(UserError, match="cannot write"):
        write_sheet(tmp_path / "no" / "sheet.pdf")
    assert list(tmp_path.iterdir()) == []
