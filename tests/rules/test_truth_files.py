"""Truth files of footage that another program filmed: the law rules as they say, whether it knows the deal or not."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from referee.rules.contract import read_event, read_events, write_event
from referee.rules.record import replay

SHARED = Path(os.environ.get("REFEREE_FOOTAGE", Path(__file__).parents[3] / "shared" / "footage"))
OWN = Path(__file__).parent.parent / "fixtures" / "footage"
FILES = sorted([*SHARED.glob("*.truth.jsonl"), *OWN.glob("*.truth.jsonl")])


def test_there_is_footage_to_judge() -> None:
    if not list(SHARED.glob("*.truth.jsonl")):
        pytest.skip(f"the footage of another renderer is not at {SHARED}; set REFEREE_FOOTAGE to its folder")
    assert FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_rulings_are_those_of_the_truth(path: Path) -> None:
    for done in replay(read_events(path.read_text(encoding="utf-8"))):
        assert done.differs == "", f"line {done.line.number}: {done.line.action}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_who_has_not_seen_the_hidden_cards_rules_the_same(path: Path) -> None:
    rows = path.read_text(encoding="utf-8").splitlines()
    seen = "\n".join(row for row in rows if json.loads(row)["kind"] != "deal")
    for done in replay(read_events(seen)):
        assert done.differs == "", f"line {done.line.number}: {done.line.action}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_events_survive_being_read_and_written(path: Path) -> None:
    for row in path.read_text(encoding="utf-8").splitlines():
        event = json.loads(row)
        action = read_event(event) if event["kind"] == "event" else None
        if action is not None:
            assert {key: event.get(key) for key in write_event(action)} == write_event(action)
