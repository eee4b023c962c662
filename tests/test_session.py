"""The whole way from frames to rulings, on the fixture clips, with a reader that knows the truth."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.cli import main
from referee.evaluate.events import read_event_file
from referee.evaluate.footage import Score, score
from referee.readings import Disturbance, Look, ZoneReading
from referee.rules.ruleset import build
from referee.session import AHEAD, GAP, Session, Watched, watch
from referee.table import Zone
from referee.vision.frames import Frame, FrameSource
from referee.vision.zone_reading import Promise
from tests.golden_footage import CLIPS, NAMES, golden, replayed, rulings
from tests.vision.painted import LAYOUT, dealt, view
from tests.vision.truth_reader import TruthReader


@cache
def scores(folder: Path) -> dict[str, Score]:
    found = {}
    for name in NAMES:
        replayed(name, folder)
        truth, result = CLIPS / f"{name}.truth.jsonl", folder / f"{name}.result.jsonl"
        found[name] = score(read_event_file(truth), read_event_file(result))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("refereed")


@pytest.mark.parametrize("name", NAMES)
def test_what_was_done_is_found_on_every_clip(name: str, folder: Path) -> None:
    figures = scores(folder)[name]
    for kind, count in figures.counts.items():
        if count.truth:
            assert count.recall is not None
            assert count.recall >= 0.7, kind
            assert count.precision is not None
            assert count.precision >= 0.7, kind


def test_first_touch_is_told_within_two_frames(folder: Path) -> None:
    errors = sorted(error for figures in scores(folder).values() for error in figures.errors)
    assert len(errors) > 40
    assert errors[len(errors) // 2] < 2 / 30


class Beside(TruthReader):
    """Reads a frame when its readings are awaited: later frames are looked at in between."""

    latest = most = 0

    def ask(self, frame: Frame, zones: Sequence[Zone], look: Look) -> Promise:
        self.latest = frame.index

        def answer() -> list[ZoneReading]:
            self.most = max(self.most, self.latest - frame.index)
            return self.read(frame, zones, look)

        return answer


def test_reading_while_later_frames_are_looked_at_changes_nothing(folder: Path, tmp_path: Path) -> None:
    assert scores(folder)
    reader = Beside(CLIPS / "stalemate.truth.jsonl")
    replayed("stalemate", tmp_path, reader)
    assert reader.most == AHEAD
    for name in ("stalemate.result.jsonl", "stalemate.spit"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_a_mutual_stalemate_is_seen(folder: Path) -> None:
    assert scores(folder)["stalemate"].outcomes["stalemate"].both >= 1


def test_nobody_legal_is_accused_of_a_play(folder: Path) -> None:
    assert sum(figures.accusations for figures in scores(folder).values()) <= 1


@pytest.mark.parametrize("name", NAMES)
def test_the_rulings_are_the_expected_ones(name: str, folder: Path) -> None:
    scores(folder)
    found, expected = rulings(folder / f"{name}.result.jsonl"), rulings(golden(name))
    assert len(expected) > 10
    assert sorted(map(without_time, found)) == sorted(map(without_time, expected))
    for one in expected:
        assert any(without_time(one) == without_time(other) and abs(one["t"] - other["t"]) < 0.1 for other in found), (
            one
        )


def without_time(row: dict[str, Any]) -> str:
    return json.dumps({key: value for key, value in row.items() if key != "t"}, sort_keys=True)


def test_the_command_scores_the_clips(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scores(folder)
    assert main(["evaluate", "footage", str(CLIPS), "--results", str(folder), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert set(figures["clips"]) == set(NAMES)
    assert figures["all"]["events"]["play"]["f1"] > 0.95
    assert figures["all"]["false_accusations"] == 0
    assert figures["all"]["order"]["wrong"] <= 1


def test_the_same_film_gives_the_same_files(folder: Path, tmp_path: Path) -> None:
    scores(folder)
    for path in replayed("calm", tmp_path).files:
        assert path.read_bytes() == (folder / path.name).read_bytes()


class Still(FrameSource):
    """A painted table at rest, with or without a hole in time."""

    def __init__(self, frames: int, hole_at: int = -1) -> None:
        self._left = iter(range(frames))
        self._hole_at = hole_at
        self._image = dealt()

    size = (1020, 720)
    description = "a painted table"
    duration = None
    damage = ""

    def read(self) -> Frame | None:
        index = next(self._left, None)
        if index is None:
            return None
        return Frame(index, index / 30 + (2.0 if 0 <= self._hole_at <= index else 0.0), self._image)

    def close(self) -> None:
        pass


class Nothing:
    """A reader that is never sure of anything."""

    def read(self, *_: object) -> list[object]:
        return []


def watched(source: FrameSource) -> tuple[list[Watched], int]:
    seen: list[Watched] = []
    session = Session(build(), LAYOUT, view(), Nothing())  # type: ignore[arg-type]  # reads nothing
    return seen, len(watch(source, session, seen.append))


def test_a_table_at_rest_gives_no_ruling() -> None:
    _, said = watched(Still(60))
    assert said == 0


def test_a_gap_in_the_film_is_a_disturbance() -> None:
    seen, _ = watched(Still(20, hole_at=10))
    [gap] = [one for frame in seen for one in frame.evidence if isinstance(one, Disturbance)]
    assert gap.what == "gap"
    assert gap.t_to - gap.t_from > GAP


def test_every_zone_of_the_layout_is_watched() -> None:
    seen, _ = watched(Still(2))
    assert seen[0].look.moved.shape == (len(LAYOUT.boxes),)
    assert Zone("C1") in LAYOUT.boxes
