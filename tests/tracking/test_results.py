"""Result files: what the contract for footage asks for, and that whoever reads such files takes them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from referee.evaluate.events import read_event_file
from referee.evaluate.footage import score
from referee.rules.contract import read_events
from referee.simulate.seen import GOOD, IDEAL
from referee.simulate.truth import event_line
from referee.tracking.results import result_event, settled, told
from tests.tracking.games import HOUSE, decode, played, seen
from tests.tracking.lines import events_of

HEADER = {"kind": "header", "version": 1, "video": "game.mp4", "fps": 30, "ruleset": "house", "overrides": {}}


def test_every_event_has_what_the_contract_asks_for() -> None:
    events = played(HOUSE, 4, 45.0)
    for commit in decode(HOUSE, seen(events, HOUSE, GOOD, 4)):
        line = result_event(commit, ("Ada", "Bo"))
        assert {"kind", "t", "action", "confidence", "t_from", "t_to", "t_said", "frames", "text"} <= line.keys()
        assert json.loads(json.dumps(line)) == line
        if commit.ruling is not None and line["action"] != "deal":
            assert line["verdict"] in ("legal", "illegal", "undecided")
            assert line["rule"]
            assert "Ada" in line["text"] or "Bo" in line["text"]


def test_a_result_file_is_read_as_a_record_and_scored(tmp_path: Path) -> None:
    events = played(HOUSE, 4, 45.0)
    said = [result_event(commit) for commit in settled(decode(HOUSE, seen(events, HOUSE, IDEAL, 4)))]
    path = tmp_path / "game.result.jsonl"
    rows = [HEADER, *sorted(said, key=lambda line: line["t"])]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert len(read_events(path.read_text(encoding="utf-8")).lines) > 20
    truth = tmp_path / "game.truth.jsonl"
    lines = [HEADER, *(event_line(event) for event in events)]
    truth.write_text("".join(json.dumps(row) + "\n" for row in lines), encoding="utf-8")
    figures = score(read_event_file(truth), read_event_file(path))
    assert figures.counts["play"].f1 == 1.0
    assert figures.counts["play"].truth == sum(event.action == "play" for event in events_of(lines[1:]))


def test_corrections_stand_in_the_place_of_what_they_correct() -> None:
    events = played(HOUSE, 4, 30.0)
    said = decode(HOUSE, seen(events, HOUSE, IDEAL, 4))
    assert settled(said) == [commit for commit in said if commit.corrects is None]
    assert all(told(commit) for commit in said)


def test_touches_in_two_frames_that_follow_each_other_are_in_order() -> None:
    # Whatever is in its place in one picture was there before what is not there yet in the same picture.
    events = played(HOUSE, 4, 30.0)
    play = next(one for one in decode(HOUSE, seen(events, HOUSE, IDEAL, 4)) if one.action is not None)
    first = result_event(replace(play, t_from=1.0, t=1.01, t_to=1.0333))
    second = result_event(replace(play, t_from=1.0333, t=1.05, t_to=1.0667))
    assert first["t_from"] <= first["t"] <= first["t_to"] < second["t_from"] <= second["t"] <= second["t_to"]
    state = result_event(replace(play, t_from=1.0, t=1.0, t_to=1.0))
    assert state["t_from"] == state["t"] == state["t_to"]
