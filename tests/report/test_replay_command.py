"""``referee replay``: what it takes, what it writes, and what it says when something is wrong."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from referee.calibrate.table_given import given_table
from referee.commands import replay
from referee.errors import UserError
from referee.readings import EMPTY, OUTCOMES, Reading, Sight
from referee.rules.record import parse_record
from referee.rules.ruleset import build
from referee.vision.reader_beside import Image, ReaderBeside

CLIPS = Path(__file__).parent.parent / "fixtures" / "footage"
TABLE = str(CLIPS / "calm.truth.jsonl")
MODEL = SimpleNamespace(checksum="c0ffee")


class Blind:
    """A reader to which every zone is empty."""

    def __init__(self, model: Path | None = None) -> None:
        self.model = model

    def read(self, crops: Sequence[object]) -> list[Reading]:
        logs = np.full(OUTCOMES, np.log(0.01 / (OUTCOMES - 1)), np.float32)
        logs[EMPTY] = np.log(0.99)
        return [Reading(Sight.EMPTY, logs, 0.0, None, None) for _ in crops]


@pytest.fixture(autouse=True)
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.vision.reader.CardReader", Blind)
    monkeypatch.setattr("referee.vision.model_file.shipped_model", lambda: MODEL)


def run(*argv: str) -> int:
    import argparse

    parser = argparse.ArgumentParser()
    replay.add(parser.add_subparsers(required=True))
    args = parser.parse_args(["replay", *argv])
    code: int = args.run(args)
    return code


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """A folder of a few pictures, which is refereed at once."""
    import cv2

    folder = tmp_path / "few 30fps"
    folder.mkdir()
    for number in range(6):
        cv2.imwrite(str(folder / f"{number:03d}.png"), np.full((720, 1280, 3), 90, np.uint8))
    return folder


def test_three_files_are_written(short: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(short), "--zones", TABLE, "--names", "Ada, Bo", "--out", str(tmp_path / "out")) == 0
    header = json.loads((tmp_path / "out" / "few 30fps.result.jsonl").read_text().splitlines()[0])
    assert header["names"] == {"A": "Ada", "B": "Bo"}
    assert header["model"] == "c0ffee"
    assert header["table_mm"] == [900, 600]
    assert parse_record((tmp_path / "out" / "few 30fps.spit").read_text()).names == ("Ada", "Bo")
    assert "<title>Ada and Bo" in (tmp_path / "out" / "few 30fps.html").read_text()
    assert "0 rulings" in capsys.readouterr().out


def test_a_film_that_fails_stops_no_other(short: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"no film at all")
    assert run(str(broken), str(short), "--zones", TABLE, "--out", str(tmp_path)) == 2
    assert (tmp_path / "few 30fps.result.jsonl").exists()
    assert not (tmp_path / "broken.result.jsonl").exists()
    assert "referee: not refereed: " in (told := capsys.readouterr().err)
    assert "broken.mp4" in told


def test_a_long_film_alone_is_read_by_a_process_of_its_own(
    short: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    class Watched(ReaderBeside):
        def ask(self, crops: Sequence[Image]) -> Callable[[], list[Reading]]:
            asked.append(len(crops))
            return super().ask(crops)

    monkeypatch.setattr("referee.vision.reader_beside.ReaderBeside", Watched)
    monkeypatch.setattr("referee.vision.reader_beside.cores", lambda: 2)
    assert run(str(short), "--zones", TABLE, "--out", str(tmp_path / "short")) == 0
    assert not asked
    monkeypatch.setattr(replay, "LONG", 0.1)
    assert run(str(short), "--zones", TABLE, "--out", str(tmp_path / "long")) == 0
    assert sum(asked) >= 14
    one, other = ((tmp_path / out / "few 30fps.result.jsonl").read_bytes() for out in ("short", "long"))
    assert one == other
    assert "0 rulings" in capsys.readouterr().out


def test_films_that_fail_in_other_processes_are_told_as_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"no film at all")
    assert run(str(broken), "none.mp4", "--zones", TABLE, "--out", str(tmp_path), "--jobs", "2") == 2
    told = capsys.readouterr().err
    assert told.count("referee: not refereed: ") == 2
    assert "broken.mp4" in told
    assert "none.mp4" in told
    assert "Traceback" not in told
    assert "pickle" not in told


@pytest.mark.skipif(os.name != "posix", reason="only POSIX systems send a Ctrl-C to a group of processes")
def test_breaking_off_films_side_by_side_is_one_sentence(tmp_path: Path) -> None:
    films = [shutil.copy(CLIPS / "calm.mp4", tmp_path / f"{name}.mp4") for name in "ab"]
    words = ["replay", *map(str, films), "--zones", TABLE, "--out", str(tmp_path), "--jobs", "2"]
    # Of those who run the tests in the background the shell takes Ctrl-C away.
    heeding = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"{heeding}; from referee.cli import main; sys.exit(main())"
    running = subprocess.Popen(
        [sys.executable, "-c", code, *words], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    # By then the processes that referee are loading what they need.
    time.sleep(1.5)
    os.killpg(running.pid, signal.SIGINT)
    assert running.communicate(timeout=60)[1] == "referee: stopped\n"
    assert running.returncode == 130


def test_a_kept_table_is_found_by_name(
    short: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from referee.calibrate.saved_table import SavedTable
    from referee.calibrate.tables import FOLDER_VARIABLE, save_table

    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "tables"))
    given = given_table(build(), "100,50 1000,50 1000,650 100,650", "900x600")
    corners = ((50.0, 25.0), (500.0, 25.0), (500.0, 325.0), (50.0, 325.0))
    save_table(SavedTable("", (640, 360), corners, given.layout), "kitchen")
    assert run(str(short), "--table", "kitchen", "--out", str(tmp_path)) == 0
    header = json.loads((tmp_path / "few 30fps.result.jsonl").read_text().splitlines()[0])
    assert header["corners_px"][0] == pytest.approx([100.5, 50.5])
    assert "0 rulings" in capsys.readouterr().out
    with pytest.raises(UserError, match="leave out"):
        run(str(short), "--table", "kitchen", "--size", "900x600")


def test_a_job_can_be_sent_to_another_process() -> None:
    table = given_table(build(), zones=Path(TABLE))
    again = pickle.loads(pickle.dumps(table))
    assert again.layout.boxes == table.layout.boxes
    assert again.corners == table.corners


def test_a_fault_of_the_program_is_a_sentence_too(
    short: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr("referee.report.replaying.replay_film", fail)
    assert run(str(short), "--zones", TABLE, "--out", str(tmp_path)) == 2
    assert "ZeroDivisionError: by nothing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "complaint"),
    [
        (("a.mp4",), "--corners"),
        (("a.mp4", "--corners", "1,2"), "are not four corners"),
        (("a.mp4", "--zones", TABLE, "--jobs", "0"), "at least one"),
        (("a.mp4", "--zones", TABLE, "--names", "Ada"), "names of two players"),
        (("a.mp4", "--zones", TABLE, "--ruleset", "chess"), "chess"),
        (("a.mp4", "b/a.mov", "--zones", TABLE), "two recordings are called 'a'"),
        (("a.mp4", "--zones", TABLE, "--out", TABLE), "cannot write into"),
    ],
)
def test_wrong_arguments_are_told_in_a_sentence(
    argv: tuple[str, ...], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.mp4").touch()
    with pytest.raises(UserError, match=complaint):
        run(*argv)
