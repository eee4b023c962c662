"""What the README says can be done can be done, and prints what it says."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from referee.calibrate.tables import save_table
from referee.cli import build_parser, main
from referee.live.film import FilmAsCamera
from referee.readings import EMPTY, OUTCOMES, Reading, Sight
from referee.rules.record import parse_record, replay
from referee.rules.ruleset import KEYS
from referee.vision.frames import Image
from referee.vision.video_file import VideoFile
from tests.live.tables import CLIPS, table_of, truth
from tests.live.test_loop import Hurrying
from tests.photo_scenes import card_quad, lay, write_folder
from tests.photo_scenes import table as bare_table
from tests.toy_reader import ToyReader, ToyScanner
from tests.vision.films import beginning
from tests.vision.truth_reader import TruthReader

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", TEXT, re.DOTALL)
COMMANDS = [
    re.split(r"\s[#>]", row.removeprefix("$ "))[0].strip()
    for language, block in BLOCKS
    if language == ""
    for row in block.splitlines()
    if row.removeprefix("$ ").startswith("referee ")
]
ELSEWHERE = ("simulate", "train", "bench")
"""Commands that take minutes or a graphics library; tests of their own run them."""


class Blank:
    """A card reader to which every place is empty."""

    model = SimpleNamespace(checksum="blank")

    def __init__(self, _model: Path | None = None) -> None:
        pass

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        logs = np.full(OUTCOMES, np.log(0.01 / OUTCOMES), np.float32)
        logs[EMPTY] = np.log(0.99)
        return [Reading(Sight.EMPTY, logs, 0.0, None, None) for _ in crops]


@pytest.fixture
def kitchen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with all that the README's commands name, a film in place of camera 0, and readers that are quick."""
    film = beginning(CLIPS / "faults.mp4", tmp_path / "game.mp4", 3.2)
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    (tmp_path / "photos" / "val").mkdir(parents=True)
    image, quad = bare_table(), card_quad(300, 200, 150, 20)
    lay(image, quad, "9H")
    cv2.imwrite(str(tmp_path / "table.jpg"), image)
    write_folder(tmp_path / "photos" / "val", image, {"9H": quad})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_TABLES", str(tmp_path / "tables"))
    (tmp_path / "tables").mkdir()
    save_table(table_of("faults"), "kitchen")
    for place in ("live.running", "calibrate.find_table", "vision.open_source"):
        monkeypatch.setattr(f"referee.{place}.open_source", lambda text: VideoFile(film if text == "0" else text))
    monkeypatch.setattr("referee.live.running.FilmAsCamera", lambda source: FilmAsCamera(source, Hurrying()))
    monkeypatch.setattr("referee.announce.voice.probe", lambda: (True, "speaks English"))
    monkeypatch.setattr("referee.live.running.Announcer", Silent)
    for place in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(place, raising=False)
    return tmp_path


class Silent:
    """A voice that nobody hears."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def say(self, _announcements: object) -> None:
        pass

    def settle(self, _topics: object) -> None:
        pass

    def close(self, _seconds: float = 0.0) -> None:
        pass


def knowing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have zones read by one that knows what lies there."""
    for place in ("vision.zone_reading", "api"):
        monkeypatch.setattr(f"referee.{place}.ZoneReader", lambda *_: TruthReader(truth("faults")))


@pytest.mark.usefixtures("kitchen")
def test_commands_work_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    done = []
    for command in COMMANDS:
        name, *words = shlex.split(command)[1:]
        if name in ELSEWHERE and "--help" not in words:
            build_parser().parse_args([name, *words])
            continue
        with monkeypatch.context() as patch:
            if name in ("replay", "dispute"):
                knowing(patch)
            if name in ("read", "evaluate"):
                patch.setattr("referee.vision.reader.CardReader", lambda _model: ToyReader())
                patch.setattr("referee.vision.photo_scan.Scanner", lambda _model: ToyScanner())
            elif name not in ("calibrate", "doctor"):
                patch.setattr("referee.vision.reader.CardReader", Blank)
            try:
                code = main([name, *words])
            except SystemExit as stopped:
                code = int(str(stopped.code))
        # What the doctor finds wrong with this machine is no mistake of the README.
        assert code == 0 or (name == "doctor" and code == 1), command
        done.append(name)
    assert {"demo", "watch", "replay", "dispute", "calibrate", "read", "rules", "play-record"} <= set(done)


def test_every_command_is_shown() -> None:
    (commands,) = [action for action in build_parser()._actions if isinstance(action, argparse._SubParsersAction)]
    assert {command.split()[1] for command in COMMANDS} >= set(commands.choices)


def test_what_a_command_prints_is_what_it_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    shown = [block for language, block in BLOCKS if language == "" and block.startswith("$ ")]
    assert shown
    for block in shown:
        command, _, output = block.partition("\n")
        main(shlex.split(command)[2:])
        assert capsys.readouterr().out == output


@pytest.mark.usefixtures("kitchen")
def test_python_works_and_prints_what_its_comments_say(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    knowing(monkeypatch)
    monkeypatch.setattr("referee.api.CardReader", lambda _model: ToyReader())
    monkeypatch.setattr("referee.api.Scanner", lambda _model: ToyScanner())
    monkeypatch.setattr(ToyReader, "model", None, raising=False)
    for code in (block for language, block in BLOCKS if language == "python"):
        exec(compile(code, "README.md", "exec"), {})
    out = capsys.readouterr().out
    assert "A plays 9♥ on C1: illegal, 9♥ does not go on 7♣; it goes back." in out
    assert re.search(r"^9H 0\.9\d* \(", out, re.MULTILINE)
    assert "Bo plays A♦ on C2: illegal" in out
    assert "A play 9H A1 C2" in out


def test_the_record_shown_is_one() -> None:
    (record,) = [block for language, block in BLOCKS if block.startswith("[Record")]
    shown = parse_record(record)
    assert shown.rules.preset == "house"
    assert [done.differs for done in replay(shown)][:6] == [""] * 6


def test_the_number_of_keys_is_right() -> None:
    assert f"all {len(KEYS)} keys" in TEXT


def test_files_linked_are_there() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (ROOT / target).exists(), target
