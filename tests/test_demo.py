"""The recording of ``referee demo``, which is what people see of the referee first: it comes out right."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from referee.calibrate.table_given import given_table
from referee.resources import shipped
from referee.rules.ruleset import build
from referee.session import Session, watch
from referee.tracking.commits import Commit
from referee.tracking.results import result_event, settled
from referee.vision.reader import CardReader
from referee.vision.video_file import VideoFile
from referee.vision.zone_reading import ZoneReader

Event = Mapping[str, Any]


@pytest.fixture(scope="module")
def commits() -> Sequence[Commit]:
    """All that is said of the recording."""
    table = given_table(build(), zones=shipped("demo", "game.truth.jsonl"))
    session = Session(build(), table.layout, table.view(), ZoneReader(CardReader(), table.view(), table.layout.boxes))
    with VideoFile(shipped("demo", "game.mp4")) as film:
        return watch(film, session)


def truth() -> list[Event]:
    """What was done with cards."""
    rows = map(json.loads, shipped("demo", "game.truth.jsonl").read_text(encoding="utf-8").splitlines())
    return [row for row in rows if row["kind"] == "event" and "card" in row]


def what(event: Event) -> tuple[str, ...]:
    """What was done, with its verdict."""
    return tuple(str(event.get(key, "")) for key in ("action", "seat", "card", "from", "to", "at", "verdict", "reason"))


def test_all_that_is_done_in_it_is_ruled_on_rightly(commits: Sequence[Commit]) -> None:
    told = [event for event in map(result_event, settled(commits)) if "card" in event]
    assert sorted(map(what, told)) == sorted(map(what, truth()))
    right = sorted(truth(), key=lambda event: float(event["t"]))
    for event in told:
        assert any(what(event) == what(one) and abs(event["t"] - one["t"]) < 0.5 for one in right), event


def test_nobody_is_accused_in_it_even_for_a_moment_of_what_was_not_done(commits: Sequence[Commit]) -> None:
    faults = {what(event) for event in truth() if event["verdict"] == "illegal"}
    said = {what(event) for event in map(result_event, commits) if event.get("verdict") == "illegal"}
    assert said == faults


def test_the_spit_cards_of_the_end_are_preceded_by_a_stalemate(commits: Sequence[Commit]) -> None:
    told = [(commit.what, commit.t) for commit in commits]
    spits = [event["t"] for event in truth() if event["action"] == "spit"]
    assert any(kind == "stalemate" and spits[2] - 3.0 < t < spits[2] for kind, t in told)
