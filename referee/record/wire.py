"""Journal entries as JSON objects and back, exact to the last bit of every probability."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final, TypeAlias

import numpy as np

from referee.calibrate.saved_table import as_corners
from referee.readings import (
    OUTCOMES,
    Disturbance,
    LogProbs,
    Pose,
    Reach,
    Reading,
    Sight,
    ZoneChange,
    ZoneReading,
)
from referee.record.entries import (
    CameraGap,
    Ended,
    Entry,
    Header,
    Key,
    Looked,
    Moved,
    Pressed,
    RecordingStopped,
    Resumed,
    Ruled,
    SegmentBegun,
    SegmentEnded,
    Unrecorded,
)
from referee.table import Seat, Zone

VERSION: Final = 1
"""Of the journal's format; another one is refused."""

Wire: TypeAlias = Mapping[str, Any]

_FLOAT32: Final = np.dtype("<f4")

_PLAIN: Final[dict[str, type[Any]]] = {
    "frame": Looked,
    "gap": CameraGap,
    "segment": SegmentBegun,
    "segment ended": SegmentEnded,
    "unrecorded": Unrecorded,
    "recording stopped": RecordingStopped,
    "resumed": Resumed,
    "ended": Ended,
    "disturbance": Disturbance,
}
"""Kinds whose fields JSON writes as they are."""

_PLAIN_KIND: Final = {made: kind for kind, made in _PLAIN.items()}


def write_header(header: Header) -> dict[str, Any]:
    """A journal's first line."""
    return {"kind": "header", "version": VERSION, **asdict(header)}


def read_header(line: Wire) -> Header:
    """The inverse of `write_header`.

    Raises:
        ValueError, KeyError, TypeError: this is no header, or one of another version.
    """
    if line.get("kind") != "header":
        raise ValueError("the first line is no header")
    if line.get("version") != VERSION:
        raise ValueError(f"its format has version {line.get('version')}, and this program reads version {VERSION}")
    a, b = line["names"]
    width, height = line["size"]
    texts = {name: str(line[name]) for name in ("program", "model", "table", "rules", "source")}
    return Header(**texts, names=(str(a), str(b)), size=(int(width), int(height)))


def write_entry(entry: Entry) -> dict[str, Any]:
    """The JSON object of an entry."""
    if isinstance(entry, Ruled):
        # The kind comes first in every line, so that kinds can be told without reading the rest.
        return {"kind": "event", **entry.event}
    if isinstance(entry, Pressed):
        return {"kind": "key", "t": entry.t, "key": entry.key.value}
    if isinstance(entry, Moved):
        return {"kind": "moved", "t": entry.t, "corners": [list(corner) for corner in entry.corners]}
    if isinstance(entry, ZoneReading):
        return {"kind": "reading", **_write_zone_reading(entry)}
    if isinstance(entry, ZoneChange):
        return {"kind": "change", **_write_change(entry)}
    if isinstance(entry, Reach):
        return {"kind": "reach", **_write_reach(entry)}
    return {"kind": _PLAIN_KIND[type(entry)], **asdict(entry)}


def read_entry(line: Wire) -> Entry:
    """The inverse of `write_entry`.

    Raises:
        ValueError, KeyError, TypeError: this is no entry.
    """
    kind = line["kind"]
    fields = {name: value for name, value in line.items() if name != "kind"}
    if kind == "event":
        return Ruled(dict(line))
    if kind in _PLAIN:
        entry: Entry = _PLAIN[kind](**fields)
        return entry
    return _READ[kind](fields)


def _read_pressed(line: Wire) -> Pressed:
    return Pressed(line["t"], Key(line["key"]))


def _write_zone_reading(seen: ZoneReading) -> dict[str, Any]:
    return {
        "zone": seen.zone.name,
        "t": seen.t,
        "frame": seen.frame,
        "reading": _write_reading(seen.reading),
        "pose": _write_pose(seen.pose),
        "activity": float(seen.activity),
    }


def _read_moved(line: Wire) -> Moved:
    return Moved(line["t"], as_corners(line["corners"]))


def _read_zone_reading(line: Wire) -> ZoneReading:
    reading, pose = _read_reading(line["reading"]), _read_pose(line["pose"])
    return ZoneReading(Zone(line["zone"]), line["t"], line["frame"], reading, pose, line["activity"])


def _write_change(change: ZoneChange) -> dict[str, Any]:
    return {
        "zone": change.zone.name,
        "before": None if change.before is None else _write_reading(change.before),
        "after": _write_reading(change.after),
        "glimpses": [_write_zone_reading(glimpse) for glimpse in change.glimpses],
        "t_from": change.t_from,
        "t_to": change.t_to,
        "t_seen": change.t_seen,
        "frames": list(change.frames),
        "moved": bool(change.moved),
        "arms": [float(arm) for arm in change.arms],
        "settled": bool(change.settled),
    }


def _read_change(line: Wire) -> ZoneChange:
    first, last = line["frames"]
    a, b = line["arms"]
    return ZoneChange(
        Zone(line["zone"]),
        None if line["before"] is None else _read_reading(line["before"]),
        _read_reading(line["after"]),
        tuple(_read_zone_reading(glimpse) for glimpse in line["glimpses"]),
        line["t_from"],
        line["t_to"],
        line["t_seen"],
        (first, last),
        line["moved"],
        (a, b),
        line["settled"],
    )


def _write_reach(reach: Reach) -> dict[str, Any]:
    return {
        "seat": None if reach.seat is None else reach.seat.name,
        "zone": reach.zone.name,
        "t_from": reach.t_from,
        "t_to": reach.t_to,
        "t_end": None if math.isinf(reach.t_end) else reach.t_end,
        "frames": list(reach.frames),
        "certainty": float(reach.certainty),
        **({"flat": True} if reach.flat else {}),
    }


def _read_reach(line: Wire) -> Reach:
    first, last = line["frames"]
    return Reach(
        None if line["seat"] is None else Seat[line["seat"]],
        Zone(line["zone"]),
        line["t_from"],
        line["t_to"],
        math.inf if line["t_end"] is None else line["t_end"],
        (first, last),
        line["certainty"],
        line.get("flat", False),
    )


def _write_reading(reading: Reading) -> list[Any]:
    # A list, because a busy table fills a journal with little else than readings.
    box = None if reading.box is None else [float(edge) for edge in reading.box]
    probs = _write_probs(reading.log_probs)
    return [reading.state.value, probs, float(reading.hidden), box, _write_pose(reading.pose)]


def _read_reading(parts: list[Any]) -> Reading:
    state, probs, hidden, box, pose = parts
    edges = None
    if box is not None:
        x1, y1, x2, y2 = box
        edges = (x1, y1, x2, y2)
    return Reading(Sight(state), _read_probs(probs), hidden, edges, _read_pose(pose))


def _write_pose(pose: Pose | None) -> list[float] | None:
    return None if pose is None else [float(pose.x), float(pose.y), float(pose.angle)]


def _read_pose(parts: list[float] | None) -> Pose | None:
    return None if parts is None else Pose(*parts)


def _write_probs(log_probs: LogProbs) -> str:
    if log_probs.shape != (OUTCOMES,):
        raise ValueError(f"a reading has {OUTCOMES} log-probabilities, not {log_probs.shape}")
    row = log_probs.astype(_FLOAT32, casting="safe")
    # Of a zone that is hidden, all outcomes are alike, and one number tells them.
    alike = bool((row == row[0]).all())
    return base64.b64encode((row[:1] if alike else row).tobytes()).decode("ascii")


def _read_probs(text: str) -> LogProbs:
    data = base64.b64decode(text, validate=True)
    if len(data) not in (_FLOAT32.itemsize, OUTCOMES * _FLOAT32.itemsize):
        raise ValueError(f"a reading has {OUTCOMES} log-probabilities of 4 bytes, not {len(data)} bytes")
    row = np.frombuffer(data, _FLOAT32).astype(np.float32)
    return np.full(OUTCOMES, row[0], np.float32) if row.size == 1 else row


_READ: Final[dict[str, Callable[[Wire], Entry]]] = {
    "key": _read_pressed,
    "moved": _read_moved,
    "reading": _read_zone_reading,
    "change": _read_change,
    "reach": _read_reach,
}
