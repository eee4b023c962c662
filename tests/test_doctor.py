"""The doctor names what is missing and what to do, one line for each thing, and never dies of it."""

from __future__ import annotations

import argparse
import importlib
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.calibrate.saved_table import SavedTable
from referee.calibrate.tables import save_table
from referee.commands import doctor
from referee.doctor import Health, Patient, examine
from referee.errors import UserError
from referee.table import Box, TableLayout, Zone
from referee.vision.camera import Camera
from referee.vision.frames import Frame
from referee.vision.video_file import VideoFile

FOOTAGE = Path(__file__).parent / "fixtures" / "footage"
FILM = FOOTAGE / "calm.mp4"


@pytest.fixture(autouse=True)
def _speaks(monkeypatch):
    """No test waits for the speaking process."""
    monkeypatch.setattr("referee.announce.voice.probe", lambda: (True, "speaks English"))


@pytest.fixture
def table(tmp_path):
    """The film's table, saved."""
    with FILM.with_suffix("").with_suffix(".truth.jsonl").open(encoding="utf-8") as lines:
        head = json.loads(next(lines))
    zones = {Zone(name): Box(*box) for name, box in head["zones"].items()}
    layout = TableLayout(*head["table_mm"], zones)
    corners = tuple((float(x), float(y)) for x, y in head["corners_px"])
    path = tmp_path / "kitchen.toml"
    save_table(SavedTable(str(FILM), tuple(head["size"]), corners, layout), str(path))
    return str(path)


def lines(**wanted):
    """What is found, by what it is found of."""
    found = {}
    for line in examine(Patient(**wanted)):
        found.setdefault(line.what, []).append(line)
    return found


def run(*words):
    parser = argparse.ArgumentParser()
    doctor.add(parser.add_subparsers(required=True))
    args = parser.parse_args(["doctor", *map(str, words)])
    return args.run(args)


def test_a_healthy_table_is_ok_throughout(table, tmp_path, capsys):
    picture = tmp_path / "check.png"
    assert run("--table", table, "--folder", tmp_path, "--out", picture) == 0
    said = capsys.readouterr().out.splitlines()
    assert {line.split()[1] for line in said} == {
        "python", "packages", "model", "speed", "table", "camera", "check", "voice", "disk"
    }  # fmt: skip
    assert not [line for line in said if line.startswith("problem")]
    assert any(line.startswith("ok       check     every zone is seen well; cards of") for line in said)
    image = cv2.imread(str(picture))
    assert image is not None
    assert image.shape == (720, 1280, 3)


def test_json_says_the_same(capsys):
    assert run("--camera", FILM, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["what"] for one in found] == ["python", "packages", "model", "speed", "camera", "voice", "disk"]
    assert all(set(one) == {"what", "health", "text"} for one in found)


def test_a_dark_table_is_a_problem(table, tmp_path, capsys):
    with VideoFile(FILM) as film:
        frame = film.read()
    dark = tmp_path / "dark.png"
    cv2.imwrite(str(dark), (frame.image * 0.15).astype(np.uint8))
    assert run("--camera", dark, "--table", table) == 1
    assert "problem  check     it is too dark: " in capsys.readouterr().out


def test_a_table_that_is_not_there_is_named(tmp_path):
    (line,) = lines(camera=str(FILM), table=str(tmp_path / "none.toml"))["table"]
    assert (line.health, "there is no table" in line.text) == (Health.PROBLEM, True)


def test_a_model_that_is_not_there_is_named_and_nothing_is_timed(tmp_path):
    found = lines(camera=str(FILM), model=tmp_path / "none.onnx")
    assert found["model"][0].health is Health.PROBLEM
    assert "none.onnx" in found["model"][0].text
    assert "speed" not in found


def test_a_camera_that_was_asked_for_must_be_there_and_one_that_was_not_may_be_missing(monkeypatch):
    def refused(*_args, **_more):
        raise UserError("camera 7 cannot be opened: check that it is plugged in")

    monkeypatch.setattr("referee.vision.open_source.open_source", refused)
    assert lines(camera="7")["camera"][0].health is Health.PROBLEM
    assert lines()["camera"][0].health is Health.WARNING


class SlowCamera(Camera):
    """A camera at twelve pictures a second, of the film's first picture."""

    description = "camera 0, 1280x720"
    damage = "camera 0 was lost once, first at 0.40 s: it does not answer"

    def __init__(self):
        with VideoFile(FILM) as film:
            self._image = film.read().image
        self._index = 0

    def read(self):
        self._index += 1
        return Frame(self._index - 1, (self._index - 1) / 12, self._image)

    def close(self):
        self._index = 0


def test_a_slow_camera_is_measured_and_told(monkeypatch, table):
    monkeypatch.setattr("referee.vision.open_source.open_source", lambda _source: SlowCamera())
    found = lines(table=table)
    assert found["camera"][0].text == "camera 0, 1280x720; measured: 12.0 pictures a second"
    assert [line.health for line in found["camera"]] == [Health.OK, Health.WARNING]
    assert [line.text for line in found["check"] if "pictures a second instead of 30" in line.text]


def test_a_package_that_does_not_load_says_what_to_install(monkeypatch):
    real = importlib.import_module

    def broken(name, *more):
        if name == "cv2":
            raise ImportError("libGL.so.1: cannot open shared object file")
        return real(name, *more)

    monkeypatch.setattr(importlib, "import_module", broken)
    problem = next(line for line in lines(camera=str(FILM))["packages"] if line.health is Health.PROBLEM)
    assert "opencv-python" in problem.text
    assert "apt-get install libgl1" in problem.text


def test_what_fails_unforeseen_is_a_line_too(monkeypatch):
    def broken():
        raise RuntimeError("no such engine")

    monkeypatch.setattr("referee.announce.voice.probe", broken)
    (line,) = lines(camera=str(FILM))["voice"]
    assert line.health is Health.PROBLEM
    assert "RuntimeError: no such engine" in line.text


def test_a_machine_without_a_voice_is_warned_of(monkeypatch):
    monkeypatch.setattr("referee.announce.voice.probe", lambda: (False, "no player: install alsa-utils"))
    (line,) = lines(camera=str(FILM))["voice"]
    assert (line.health, line.text) == (Health.WARNING, "no player: install alsa-utils")


@pytest.mark.parametrize(("free", "health"), [(0.4, Health.PROBLEM), (4.0, Health.WARNING), (80.0, Health.OK)])
def test_disk_space(monkeypatch, tmp_path, free, health):
    usage = type("Usage", (), {"free": free * 1e9})()
    monkeypatch.setattr("shutil.disk_usage", lambda _folder: usage)
    (line,) = lines(camera=str(FILM), folder=tmp_path)["disk"]
    assert line.health is health


def test_a_folder_that_is_not_there_is_a_problem(tmp_path):
    (line,) = lines(camera=str(FILM), folder=tmp_path / "none")["disk"]
    assert line.health is Health.PROBLEM


def test_a_picture_needs_a_table(tmp_path):
    with pytest.raises(UserError, match="--table NAME"):
        run("--out", tmp_path / "check.png")
