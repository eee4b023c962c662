"""The whole way from frames to rulings with the shipped model, on clips of decks that have an ordinary face."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from referee.calibrate.table_given import given_table
from referee.evaluate.events import read_event_file
from referee.evaluate.footage import Score, score
from referee.report.replaying import Setting, replay_film
from referee.rules.ruleset import build
from referee.vision.reader import CardReader
from referee.vision.video_file import VideoFile
from referee.vision.zone_reading import ZoneReader

CLIPS = Path(__file__).parent / "fixtures" / "footage"
NAMES = ("calm", "faults")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("refereed")


@cache
def figures(folder: Path) -> Score:
    reader = CardReader()
    total = Score()
    for name in NAMES:
        truth = CLIPS / f"{name}.truth.jsonl"
        table = given_table(build(), zones=truth)
        with VideoFile(CLIPS / f"{name}.mp4") as source:
            replay_film(
                name,
                source,
                ZoneReader(reader, table.view(), table.layout.boxes),
                Setting(build(), ("Ada", "Bo"), table, reader.model.checksum),
                folder,
                lambda _t, _whole: None,
            )
        total.add(score(read_event_file(truth), read_event_file(folder / f"{name}.result.jsonl")))
    return total


def test_most_of_what_was_done_is_found_and_little_else(folder: Path) -> None:
    counts = figures(folder).counts
    for kind in ("play", "turn_up", "spit"):
        f1 = counts[kind].f1
        assert f1 is not None
        assert f1 >= 0.8, kind


def test_illegal_plays_are_found_and_nobody_is_accused(folder: Path) -> None:
    found = figures(folder)
    assert found.illegal.both >= 0.6 * found.illegal.truth
    assert found.accusations == 0


def test_rulings_come_in_time(folder: Path) -> None:
    delays = sorted(figures(folder).delays)
    assert delays[len(delays) // 2] < 0.5
