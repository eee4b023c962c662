"""Lines of truth and result files as events, by way of a file, as anyone scores them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from referee.evaluate.events import Event, read_event_file


def events_of(lines: Sequence[Mapping[str, Any]]) -> tuple[Event, ...]:
    """The events that lines tell of, in order of time."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "one.jsonl"
        rows = [{"kind": "header", "version": 1}, *lines]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return read_event_file(path).events
