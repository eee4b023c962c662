"""The printed corner markers: where they belong on the table, found in a picture, and the view that fits them.

Four ArUco markers of the dictionary 4x4_50 lie in the corners of the playing area, each on a white tile whose outer
corner is the area's corner. Which is which is fixed: 0 top left, 1 top right, 2 bottom right, 3 bottom left, as seat A
sees the table. Every marker is right or wrong as a whole, so the fit decides over markers, not over single corners.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from referee.calibrate.lens import Lens, bent
from referee.calibrate.markers.edges import sharpened
from referee.calibrate.markers.pose import fit_camera
from referee.vision.rectify import Image, Points, TableView

DICTIONARY: Final = cv2.aruco.DICT_4X4_50

PLACES: Final = {0: "top left", 1: "top right", 2: "bottom right", 3: "bottom left"}
"""Where each marker belongs, by its id."""

MARKER_MM: Final = 64.0
"""Side of the black square."""

QUIET_MM: Final = 12.0
"""White around it: 19 % of its side, partly printed on; on dark cloth less than 12 % of clear white spoils corners."""

TILE_MM: Final = MARKER_MM + 2 * QUIET_MM
"""Side of the white tile that is cut out."""

LEAST_PX: Final = 24.0
"""A marker with shorter sides is too small to be trusted."""

STRAY_MM: Final = 6.0
"""A marker this far from where the others put it was moved, or is none; hand-laid tiles are within a third of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """A marker seen in a picture.

    Attributes:
        id: which one.
        corners: float64 array (4, 2), image pixels: the black square's corners, top left first, clockwise as printed.
    """

    id: int
    corners: Points

    @property
    def side(self) -> float:
        """Length of its shortest side, px."""
        return float(np.linalg.norm(np.roll(self.corners, -1, axis=0) - self.corners, axis=1).min())


def marker_places(width: float, height: float) -> dict[int, Points]:
    """Where the corners of each marker's black square lie on a table of that size, mm, float64 (4, 2) by id."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64) * MARKER_MM
    right, bottom = width - QUIET_MM - MARKER_MM, height - QUIET_MM - MARKER_MM
    starts = ((QUIET_MM, QUIET_MM), (right, QUIET_MM), (right, bottom), (QUIET_MM, bottom))
    return {number: square + start for number, start in zip(PLACES, starts, strict=True)}


def see_markers(image: Image) -> tuple[Sighting, ...]:
    """Every corner marker in a picture, uint8 (H, W, 3) BGR or (H, W) grey, in the order of their ids.

    A marker may be given twice where something else looks like it.
    """
    grey = image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    corners, ids, _ = _detector().detectMarkers(grey)
    if ids is None:
        return ()
    # OpenCV 5 gives ids as (N,) where 4 gives (N, 1).
    found = [
        Sighting(int(number), sharpened(grey, np.asarray(quad, np.float64).reshape(4, 2)))
        for number, quad in zip(np.ravel(ids), corners, strict=True)
    ]
    return tuple(sorted((one for one in found if one.side >= LEAST_PX), key=lambda one: (one.id, -one.side)))


@dataclass(frozen=True, slots=True, eq=False)
class MarkerFit:
    """A view that markers agree on.

    Attributes:
        straight: the view as it would be if the lens did not bend lines.
        lens: the lens; None where nothing speaks for a bend.
        ids: the markers it rests on.
        error_mm: root mean square distance of their corners from where they should lie, on the table.
    """

    straight: TableView
    lens: Lens | None
    ids: tuple[int, ...]
    error_mm: float

    def bent(self, points: Points) -> Points:
        """Image points (N, 2) of table points in mm."""
        flat = self.straight.to_image(points)
        return flat if self.lens is None else bent(self.lens, flat)


def fit_markers(
    seen: Sequence[Sighting],
    places: Mapping[int, Points],
    size: tuple[int, int],
    lens: Lens | None = None,
    stray_mm: float = STRAY_MM,
) -> MarkerFit | None:
    """The view in which the most markers lie where they should.

    Args:
        seen: what was seen.
        places: where the markers' corners lie on the table, mm, by id.
        size: width and height of the picture, px.
        lens: the lens if it is known; else a bend is looked for.
        stray_mm: how far a marker's corners may lie from its place.

    Returns:
        None where no two markers agree, or where only two do and another one is seen that does not: then nobody can
        say which of them lies wrong.
    """
    known = [one for one in seen if one.id in places]
    for count in range(len(known), 1, -1):
        fits = []
        for chosen in itertools.combinations(known, count):
            ids = tuple(one.id for one in chosen)
            if len(set(ids)) < count:
                continue
            table = np.vstack([places[number] for number in ids])
            image = np.vstack([one.corners for one in chosen])
            fit = fit_camera(table, image, size, lens)
            if fit.off.max() <= stray_mm:
                fits.append(MarkerFit(fit.straight, fit.lens, ids, fit.error_mm))
        if fits:
            stray = {one.id for one in known} - set(fits[0].ids)
            return min(fits, key=lambda fit: fit.error_mm) if count > 2 or not stray else None
    return None


def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    # The corners are sharpened along their edges afterwards; the detector's own refinement would only be undone.
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    # Wider windows find large markers whose inside is even.
    parameters.adaptiveThreshWinSizeMax = 53
    # Only four of the fifty are printed, so what resembles any of the others is not even looked at.
    every = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    printed = cv2.aruco.Dictionary(every.bytesList[: len(PLACES)], every.markerSize, every.maxCorrectionBits)
    return cv2.aruco.ArucoDetector(printed, parameters)
