"""The table from its printed corner markers, or a sentence that says why they do not give it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from referee.calibrate.lens import Lens, view_of
from referee.calibrate.markers.seen import PLACES, Sighting, fit_markers, marker_places, see_markers
from referee.calibrate.markers.survey import survey
from referee.errors import UserError
from referee.vision.rectify import Image, Points, TableView


@dataclass(frozen=True, slots=True, eq=False)
class MarkedTable:
    """A table known from its markers.

    Attributes:
        view: how the camera sees it, through its lens.
        straight: the view as it would be if the lens did not bend, ``view`` itself without a lens.
        lens: the lens; None where nothing speaks for a bend.
        corners: float64 array (4, 2), image pixels: the rectangle's corners as they appear, top left, top right, bottom
            right, bottom left.
        width, height: the rectangle between the tiles' outer corners, mm.
        ids: the markers that the view rests on; with only two, the table's far end may be off by half a centimetre.
        stray: markers that were seen but do not lie where they should, left out.
        error_mm: root mean square distance of the used markers' corners from where they should lie, on the table.
        measured: whether width and height were found from the markers' own size, not given.
    """

    view: TableView
    straight: TableView
    lens: Lens | None
    corners: Points
    width: float
    height: float
    ids: tuple[int, ...]
    stray: tuple[int, ...]
    error_mm: float
    measured: bool


def find_markers(image: Image, size: tuple[float, float] | None = None, lens: Lens | None = None) -> MarkedTable:
    """The table from its corner markers.

    Args:
        image: uint8 array (H, W, 3), BGR.
        size: width and height between the outer corners of the laid-out tiles, mm; any two markers are then enough.
            Without it all four must be seen, and the size is measured by theirs: a sheet that was not printed at
            100 % makes the table as much too large.
        lens: the lens if it is known; else a bend is looked for.

    Raises:
        UserError: the markers do not give the table; says which are missing or lie wrong and what to do.
    """
    seen = see_markers(image)
    _require(image, seen, 2 if size is not None else 4)
    shape = (image.shape[1], image.shape[0])
    if size is not None:
        places = marker_places(*size)
        width, height = size
    else:
        places, (width, height), lens = survey(seen, shape, lens)
    fit = fit_markers(seen, places, shape, lens)
    if fit is None:
        raise UserError(
            f"the markers {_named({one.id for one in seen})} do not lie on a table of {width:g} x {height:g} mm: put "
            "each tile flat into its corner with its outer corner outwards, and measure the table between the tiles' "
            "outer corners"
        )
    table = _rectangle(width, height)
    view = view_of(fit.lens, fit.straight, table)
    stray = tuple(sorted({one.id for one in seen} - set(fit.ids)))
    return MarkedTable(
        view=view,
        straight=fit.straight,
        lens=fit.lens,
        corners=fit.bent(table),
        width=width,
        height=height,
        ids=fit.ids,
        stray=stray,
        error_mm=fit.error_mm,
        measured=size is None,
    )


def _rectangle(width: float, height: float) -> Points:
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)


def _require(image: Image, seen: Sequence[Sighting], count: int) -> None:
    ids = {one.id for one in seen}
    if len(ids) >= count:
        return
    missing = _named(set(PLACES) - ids)
    if not ids:
        if see_markers(np.ascontiguousarray(image[:, ::-1])):
            raise UserError("the picture is mirrored: switch mirroring off in the camera's settings")
        raise UserError(
            "no corner marker is seen: lay the printed tiles into the corners of the playing area, whole and flat in "
            "the camera's picture, without glare; each must be at least 48 px wide in the picture"
        )
    if count == 2:
        raise UserError(
            f"only the marker {_named(ids)} is seen, and it takes two: {missing} are covered, blurred or outside the "
            "picture"
        )
    raise UserError(
        f"the markers {missing} are not seen: uncover them, or give the size of the playing area (--size) so that any "
        "two are enough"
    )


def _named(ids: Iterable[int]) -> str:
    return ", ".join(f"{number} ({PLACES[number]})" for number in sorted(ids))
