"""The text of a saved table: TOML that people can read and edit; what is wrong with it is told with key and line.

Version 1 had the names of a truth header of footage (``size``, ``table_mm``, ``corners_px``) and no homography.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

import numpy as np

from referee.calibrate.lens import Lens
from referee.calibrate.saved_table import WAYS, SavedTable, as_corners
from referee.calibrate.toml_lines import key_lines
from referee.errors import UserError
from referee.table import CENTRES, RESERVES, STOCKS, Box, TableLayout, Zone
from referee.vision.rectify import TableView, project

VERSION: Final = 2

CORNERS: Final = ("top_left", "top_right", "bottom_right", "bottom_left")
"""Names of the corners in the file, in the order of ``SavedTable.corners``."""

CARD_SIDES: Final = (30.0, 200.0)
"""Shortest and longest side of a zone, mm."""

AGREE_MM: Final = 1.0
"""So far from each other a written homography and the corners may put a corner of the table."""

APART_MM: Final = 20.0
"""Zones whose middles are closer than this cannot be told apart."""

_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f]")
_ON_TABLE: Final = (*STOCKS[0], *STOCKS[1], *RESERVES, *CENTRES)
_SECTIONS: Final = ("corners", "zones", "homography", "lens")
_KEYS: Final = ("version", "found_by", "camera", "picture", "table", *_SECTIONS)
_NAMES_1: Final = {"size": "picture", "table_mm": "table", "corners_px": "corners"}


def write_table(table: SavedTable) -> str:
    """The text of a table file, always of the newest version."""
    layout = table.layout
    lines = [
        "# A table for Spit Referee. Places in the picture are pixels (x, y), places on the table millimetres.",
        f"version = {VERSION}",
        f"found_by = {_text(table.way)}    # {', '.join(WAYS)}",
        f"camera = {_text(table.camera)}",
        f"picture = {_numbers(table.picture)}    # width, height, px",
        f"table = {_numbers((layout.width, layout.height))}    # width, height, mm",
        "",
        "# Where the corners of the table rectangle are in the picture, as seat A sees the table.",
        "[corners]",
        *(f"{name} = {_numbers(corner)}" for name, corner in zip(CORNERS, table.corners, strict=True)),
        "",
        "# Each place for cards: centre x, centre y, width, height, degrees clockwise (0 is read by seat A, 180 by B).",
        "[zones]",
        *(
            f"{zone} = {_numbers((box.x, box.y, box.width, box.height, box.angle))}"
            for zone, box in layout.boxes.items()
        ),
        "",
        "# From pixels to millimetres; it follows from the corners. Whoever changes those deletes this section.",
        "[homography]",
        "image_to_table = [",
        *(f"  [{', '.join(f'{value:.12g}' for value in row)}]," for row in table.view.image_to_table),
        "]",
    ]
    if table.lens is not None:
        lines += [
            "",
            "# How the lens bends the picture (focal lengths and centre in px; k1, k2, p1, p2, k3).",
            "[lens]",
            f"focal = {_numbers(table.lens.focal)}",
            f"centre = {_numbers(table.lens.centre)}",
            f"distortion = [{', '.join(f'{value:.9g}' for value in table.lens.distortion)}]",
        ]
    return "\n".join(lines) + "\n"


def parse_table(text: str, where: str) -> SavedTable:
    """The table that ``text`` describes; ``where`` names it in errors.

    Raises:
        UserError: it is not a table file; says the line, the key and what is expected there.
    """
    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UserError(f"{where} is not valid TOML: {error}") from None
    return _Reader(where, key_lines(text), values).table()


def boxes_from(zones: Mapping[str, Any], where: str, lines: Mapping[str, int] | None = None) -> dict[Zone, Box]:
    """Boxes from the ``zones`` of a table file or of a truth header: five numbers by zone name.

    Raises:
        UserError: a name or a number cannot be; says which.
    """
    return _Reader(where, lines or {}, {"zones": dict(zones)}).boxes()


class _Reader:
    """Reads one file; every complaint names the key and its line."""

    def __init__(self, where: str, lines: Mapping[str, int], values: dict[str, Any]) -> None:
        self._where = where
        self._lines = lines
        self._values = values
        self._old_names: dict[str, str] = {}

    def table(self) -> SavedTable:
        version = self._get("version")
        if not isinstance(version, int) or isinstance(version, bool) or version < 1:
            self._refuse("version", f"must be a whole number from 1 to {VERSION}, not {version!r}")
        if version > VERSION:
            self._refuse(
                "version", f"{version} is newer than this program, which knows up to {VERSION}: update it, or "
                "calibrate again",
            )  # fmt: skip
        if version == 1:
            self._from_version_1()
        self._known("", self._values, _KEYS)
        width, height = self._list("picture", 2, whole=True)
        table_width, table_height = self._list("table", 2)
        if min(width, height) < 1:
            self._refuse("picture", f"must be a width and a height in pixels, not {width:g} x {height:g}")
        if not (100 <= table_width <= 5000 and 100 <= table_height <= 5000):
            self._refuse("table", f"must be 100 to 5000 mm each way, not {table_width:g} x {table_height:g}")
        corners = self._corners()
        layout = self._layout(table_width, table_height)
        camera = self._string("camera", "")
        way = self._string("found_by", "hand")
        if way not in WAYS:
            self._refuse("found_by", f"must be one of {', '.join(WAYS)}, not {way!r}")
        lens = self._lens()
        table = SavedTable(camera, (int(width), int(height)), as_corners(corners), layout, way, lens)
        try:
            view = table.view
        except UserError as error:
            self._refuse("corners", str(error))
        except (np.linalg.LinAlgError, ValueError):
            self._refuse("corners", "three of the four lie on one line, or nearly")
        self._homography(view, layout)
        return table

    def _from_version_1(self) -> None:
        """Gives the values the names they have now, and remembers the old ones for errors."""
        self._known("", self._values, ("version", "found_by", "camera", *_NAMES_1, "zones"))
        for old, new in _NAMES_1.items():
            if old in self._values:
                self._values[new] = self._values.pop(old)
            self._old_names[new] = old
        corners = self._get("corners")
        if not isinstance(corners, list) or len(corners) != len(CORNERS):
            self._refuse("corners", "must be a list of four pairs of pixels")
        self._values["corners"] = dict(zip(CORNERS, corners, strict=True))

    def _corners(self) -> list[list[float]]:
        self._known("corners", self._section("corners"), CORNERS)
        return [self._list(f"corners.{name}", 2) for name in CORNERS]

    def boxes(self) -> dict[Zone, Box]:
        zones = self._section("zones")
        self._known("zones", zones, [zone.name for zone in _ON_TABLE])
        boxes: dict[Zone, Box] = {}
        for name in zones:
            x, y, width, height, angle = self._list(f"zones.{name}", 5)
            if not all(CARD_SIDES[0] <= side <= CARD_SIDES[1] for side in (width, height)):
                low, high = CARD_SIDES
                self._refuse(f"zones.{name}", f"must be {low:g} to {high:g} mm each way, not {width:g} x {height:g}")
            boxes[Zone(name)] = Box(x, y, width, height, angle)
        self._complete(boxes)
        return {zone: boxes[zone] for zone in _ON_TABLE if zone in boxes}

    def _complete(self, boxes: Mapping[Zone, Box]) -> None:
        for piles in STOCKS:
            there = [pile in boxes for pile in piles]
            if not there[0]:
                self._refuse("zones", f"lacks {piles[0]}: each player has one stock pile at least")
            if sorted(there, reverse=True) != there:
                self._refuse("zones", f"lacks {piles[there.index(False)]}: stock piles are numbered without a hole")
        if not any(zone in boxes for zone in CENTRES):
            self._refuse("zones", "lacks C1 and C2: there is one centre pile at least")
        placed: list[tuple[Zone, Box]] = []
        for zone, box in boxes.items():
            for other, there_box in placed:
                if math.hypot(box.x - there_box.x, box.y - there_box.y) < APART_MM:
                    self._refuse(f"zones.{zone}", f"lies on {other}: two zones need a place each")
            placed.append((zone, box))

    def _layout(self, width: float, height: float) -> TableLayout:
        layout = TableLayout(width, height, self.boxes())
        if outside := layout.outside():
            self._refuse(
                f"zones.{outside[0]}", f"reaches over the edge of the table, which is {width:g} x {height:g} mm"
            )
        return layout

    def _homography(self, view: TableView, layout: TableLayout) -> None:
        """A homography that is written down must be the one of the corners."""
        if "homography" not in self._values:
            return
        self._known("homography", self._section("homography"), ("image_to_table",))
        key = "homography.image_to_table"
        rows = self._get(key)
        if not isinstance(rows, list) or len(rows) != 3:
            self._refuse(key, "must be three rows of three numbers")
        matrix = np.array([self._checked(key, row, 3) for row in rows], np.float64)
        if abs(np.linalg.det(matrix)) < 1e-15:
            self._refuse(key, "cannot be turned round, so it is no homography")
        written = TableView(matrix, np.asarray(np.linalg.inv(matrix), np.float64))
        width, height = layout.width, layout.height
        rectangle = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        with np.errstate(all="ignore"):
            off = float(np.abs(written.to_table(project(view.table_to_image, rectangle)) - rectangle).max())
        if not off <= AGREE_MM:
            self._refuse(
                key,
                f"puts the corners {off:.0f} mm from where the table of {layout.width:g} x {layout.height:g} mm has "
                "them: delete the section [homography] after changing the corners",
            )

    def _lens(self) -> Lens | None:
        if "lens" not in self._values:
            return None
        self._known("lens", self._section("lens"), ("focal", "centre", "distortion"))
        fx, fy = self._list("lens.focal", 2)
        if min(fx, fy) <= 0:
            self._refuse("lens.focal", f"must be two positive lengths in pixels, not {fx:g} and {fy:g}")
        cx, cy = self._list("lens.centre", 2)
        k1, k2, p1, p2, k3 = self._list("lens.distortion", 5)
        return Lens((fx, fy), (cx, cy), (k1, k2, p1, p2, k3))

    def _get(self, key: str) -> Any:
        section, _, name = key.rpartition(".")
        values = self._section(section) if section else self._values
        if name not in values:
            self._refuse(section, f"lacks {name}" if section else f"lacks {self._old_names.get(name, name)}")
        return values[name]

    def _section(self, name: str) -> dict[str, Any]:
        values = self._get(name)
        if not isinstance(values, dict):
            self._refuse(name, f"must be a section, [{name}]")
        return values

    def _known(self, section: str, values: Mapping[str, Any], known: Sequence[str]) -> None:
        for name in values:
            if name not in known:
                key = f"{section}.{name}" if section else name
                self._refuse(key, f"is not a key of a table file: there are {', '.join(known)}")

    def _string(self, key: str, default: str) -> str:
        value = self._values.get(key, default)
        if not isinstance(value, str):
            self._refuse(key, f"must be a text in quotes, not {value!r}")
        return value

    def _list(self, key: str, length: int, *, whole: bool = False) -> list[float]:
        return self._checked(key, self._get(key), length, whole=whole)

    def _checked(self, key: str, value: Any, length: int, *, whole: bool = False) -> list[float]:
        kinds = (int,) if whole else (int, float)
        fits = isinstance(value, list) and len(value) == length
        if not fits or not all(isinstance(one, kinds) and not isinstance(one, bool) for one in value):
            self._refuse(key, f"must be a list of {length} {'whole ' if whole else ''}numbers, not {_shown(value)}")
        try:
            numbers = [float(one) for one in value]
        except OverflowError:
            self._refuse(key, "has a number too large to be a length")
        if not all(math.isfinite(one) and abs(one) < 1e9 for one in numbers):
            self._refuse(key, f"must be finite numbers of a table and a picture, not {_shown(value)}")
        return numbers

    def _refuse(self, key: str, what: str) -> NoReturn:
        section = key.rpartition(".")[0]
        old = self._old_names.get(key, self._old_names.get(section, "") if section else "") or key
        line = self._lines.get(key, self._lines.get(old, self._lines.get(section, 0)))
        place = f"{self._where}, line {line}" if line else self._where
        raise UserError(f"{place}: {old} {what}" if key else f"{place} {what}")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _numbers(values: Sequence[float]) -> str:
    return f"[{', '.join(f'{value:.3f}'.rstrip('0').rstrip('.') for value in values)}]"


def _text(text: str) -> str:
    """A TOML basic string."""
    escaped = _CONTROLS.sub(" ", text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
