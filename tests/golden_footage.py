"""What the referee says of the fixture clips, kept beside them: rulings, not pixels.

``python -m tests.golden_footage`` writes the files anew; look at what changed before committing it.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from referee.calibrate.table_given import given_table
from referee.report.replaying import Outcome, Setting, replay_film
from referee.rules.ruleset import build
from referee.vision.video_file import VideoFile
from referee.vision.zone_reading import ReadsZones
from tests.vision.truth_reader import TruthReader

CLIPS = Path(__file__).parent / "fixtures" / "footage"
NAMES = ("calm", "faults", "stalemate")
KEPT = ("kind", "t", "action", "seat", "card", "from", "to", "at", "pile", "verdict", "reason", "winner", "correction")

Rows = list[dict[str, Any]]


def replayed(name: str, out: Path, reader: ReadsZones | None = None) -> Outcome:
    """Referee a clip into ``out``, with a reader that knows the truth if none is given."""
    truth = CLIPS / f"{name}.truth.jsonl"
    rules = build()
    setting = Setting(rules, ("Ada", "Bo"), given_table(rules, zones=truth), "truth")
    with VideoFile(CLIPS / f"{name}.mp4") as source:
        return replay_film(name, source, reader or TruthReader(truth), setting, out, lambda _t, _whole: None)


def golden(name: str) -> Path:
    """The file of what is expected of a clip."""
    return CLIPS / "golden" / f"{name}.result.jsonl"


def rulings(path: Path) -> Rows:
    """The events of a result file in order of time, with the fields that make up a ruling."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    events = [{key: row[key] for key in KEPT if key in row} for row in rows if row["kind"] == "event"]
    return sorted(events, key=lambda row: (row["t"], row["action"], row.get("seat", "")))


def main() -> None:
    """Write the golden files anew."""
    with tempfile.TemporaryDirectory() as folder:
        for name in NAMES:
            replayed(name, Path(folder))
            rows = rulings(Path(folder) / f"{name}.result.jsonl")
            header = {"kind": "header", "version": 1, "video": name}
            golden(name).parent.mkdir(exist_ok=True)
            golden(name).write_text("".join(json.dumps(row) + "\n" for row in (header, *rows)), encoding="utf-8")


if __name__ == "__main__":
    main()
