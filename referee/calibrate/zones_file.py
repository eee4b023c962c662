"""A file that says where the zones lie: a truth or result file by its header, or TOML or JSON with the same names."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from referee.arguments import Points
from referee.calibrate.table_file import boxes_from
from referee.calibrate.toml_lines import key_lines
from referee.errors import UserError
from referee.table import Box, Zone

MAX_BYTES: Final = 20_000_000
"""A zones file may be a whole truth file, but no larger than this."""

MOST: Final = 1e9
"""No place or size is as large as this, px or mm."""


@dataclass(frozen=True, slots=True)
class ZonesFile:
    """What a zones file says.

    Attributes:
        boxes: where the zones lie, mm.
        size: width and height of the table, mm, where it says so: as ``table_mm``, or as ``table`` in a table file.
        corners: the table's corners in the picture, px, where it says so, as ``corners_px``.
    """

    boxes: dict[Zone, Box]
    size: tuple[float, float] | None
    corners: Points | None


def read_zones_file(path: Path) -> ZonesFile:
    """Read a zones file: a truth or result file (``.jsonl``), TOML (``.toml``) or JSON.

    ``zones`` has centre x, centre y, width, height in mm and degrees clockwise by zone name.

    Raises:
        UserError: it cannot be read, or what it says cannot be; says what is wrong, and in TOML the line.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UserError(f"{path} is too big for a file of zones")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{path} is no file of zones: it is not text") from None
    said, lines = _parsed(path, text)
    zones = said.get("zones")
    if not isinstance(zones, Mapping):
        raise UserError(f"{path} is no file of zones: it says nothing of zones")
    boxes = boxes_from(zones, str(path), lines)
    size, corners = said.get("table_mm", said.get("table")), said.get("corners_px")
    try:
        return ZonesFile(boxes, None if size is None else _two(size), None if corners is None else _four(corners))
    except ValueError as error:
        raise UserError(f"{path}: {error}") from None


def _parsed(path: Path, text: str) -> tuple[Mapping[str, Any], Mapping[str, int]]:
    try:
        if path.suffix == ".toml":
            return tomllib.loads(text), key_lines(text)
        # Of a truth or result file only the header counts, its first line.
        said = json.loads(text.lstrip().partition("\n")[0] if path.suffix == ".jsonl" else text)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path} is neither JSON nor TOML with zones: {error}") from None
    if not isinstance(said, Mapping):
        raise UserError(f"{path} is no file of zones: it has to be an object with zones")
    return said, {}


def _four(corners: object) -> Points:
    if not isinstance(corners, Sequence) or len(corners) != 4:
        raise ValueError("corners_px has to be four points")
    return tuple(map(_two, corners))


def _two(value: object) -> tuple[float, float]:
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 2:
        numbers = [one for one in value if isinstance(one, int | float) and not isinstance(one, bool)]
        if len(numbers) == 2 and all(abs(one) < MOST for one in numbers):
            return float(numbers[0]), float(numbers[1])
    raise ValueError(f"{str(value)[:60]} has to be 2 numbers")
