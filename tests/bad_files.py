"""Files that are empty, cut short, of the wrong kind or beyond measure, all in one folder."""

from __future__ import annotations

import json
import shutil
import struct
from pathlib import Path

import av
import cv2
import numpy as np

from tests.vision.films import steady

FIXTURES = Path(__file__).parent / "fixtures"
HEADER = {"kind": "header", "version": 1, "ruleset": "house", "overrides": {}, "names": {"A": "Ada", "B": "Bo"}}
CORNERS = [[20, 15], [140, 15], [140, 105], [20, 105]]
ZONES = {"A1": [100, 400, 63, 88, 0], "B1": [100, 100, 63, 88, 180], "C1": [400, 250, 63, 88, 0]}


def make(folder: Path) -> None:
    """Write all of them into ``folder``."""
    _films(folder)
    _pictures(folder)
    _texts(folder)
    _models(folder)
    _tables(folder)
    (folder / "bare").mkdir()
    for name in ("empty.toml", "empty.onnx", "empty.spit"):
        (folder / name).touch()
    game = folder / "torn"
    game.mkdir()
    (game / "journal.jsonl").write_text('{"kind":"header","version":1,"program":"0.1', encoding="utf-8")
    shutil.copytree(game, folder / "unfinished")
    (folder / "unfinished" / "journal.jsonl").write_text('{"kind":"header"}\n{"t":1', encoding="utf-8")


def _films(folder: Path) -> None:
    (folder / "empty.mp4").touch()
    (folder / "text.mp4").write_text("not a film\n" * 50, encoding="utf-8")
    (folder / "noise.mp4").write_bytes(np.random.default_rng(0).bytes(5000))
    whole = steady(folder / "small.mp4", 10).read_bytes()
    # Killed while it was written: the index of an MP4 comes last.
    (folder / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    rateless = bytearray(whole)
    at = rateless.index(b"mdhd") + 16
    rateless[at : at + 4] = bytes(4)  # no ticks to a second
    (folder / "rateless.mp4").write_bytes(rateless)
    with av.open(str(folder / "sound.mp4"), "w") as container:
        stream = container.add_stream("aac", rate=44100)
        sound = av.AudioFrame.from_ndarray(np.zeros((1, 4096), np.float32), format="fltp", layout="mono")
        sound.rate, sound.pts = 44100, 0
        container.mux(stream.encode(sound))
        container.mux(stream.encode(None))


def _pictures(folder: Path) -> None:
    image = np.full((96, 128, 3), 127, np.uint8)
    png = cv2.imencode(".png", image)[1].tobytes()
    jpeg = cv2.imencode(".jpg", image)[1].tobytes()
    (folder / "grey.png").write_bytes(png)
    (folder / "cut.jpg").write_bytes(jpeg[:200])
    (folder / "empty.jpg").touch()
    (folder / "text.jpg").write_text("not a picture", encoding="utf-8")
    (folder / "tiny.png").write_bytes(cv2.imencode(".png", image[:4, :4])[1].tobytes())
    (folder / "huge.png").write_bytes(png[:16] + struct.pack(">II", 100_000, 100_000) + png[24:])


def _texts(folder: Path) -> None:
    for name, text in {
        "deep.json": "[" * 100_000,
        "deep.jsonl": "[" * 100_000,
        "deep.toml": "wrap = " + "[" * 100_000,
        "cut.toml": "wrap = ",
        "cut.result.jsonl": json.dumps(HEADER) + '\n{"kind":"event","t":1.0,"ac',
        "small.result.jsonl": "{}\n",
        "list.json": "[]",
        "bare.json": "{}",
        "huge.json": json.dumps({"table_mm": [10**400, 600], "corners_px": CORNERS, "zones": ZONES}),
        "nan.json": json.dumps({"corners_px": [[float("nan"), 1], *CORNERS[1:]], "zones": ZONES}),
        "zone.json": json.dumps({"corners_px": CORNERS, "zones": {"X9": [1, 2, 3, 4, 5]}}),
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    with (folder / "vast.jsonl").open("wb") as vast:
        vast.truncate(100_000_000)
    (folder / "binary.toml").write_bytes(b"\xff\xfe\x00")
    truth = (FIXTURES / "footage" / "calm.truth.jsonl").read_bytes()
    for name, result in {"halved": truth[: len(truth) // 2], "binary": b"\xff", "alone": None}.items():
        clips = folder / name
        clips.mkdir()
        (clips / "a.truth.jsonl").write_bytes(truth)
        if result is not None:
            (clips / "a.result.jsonl").write_bytes(result)
    (folder / "zones.jsonl").write_bytes(truth)
    # A device that is always full, under a name that a command takes.
    (folder / "full.md").symlink_to("/dev/full")


def _models(folder: Path) -> None:
    whole = (Path(__file__).parent.parent / "models" / "reader.onnx").read_bytes()
    (folder / "cut.onnx").write_bytes(whole[:5000])
    (folder / "told.onnx").write_bytes(whole[:100])
    (folder / "told.json").write_text("{", encoding="utf-8")


def _tables(folder: Path) -> None:
    (folder / "other-size.toml").write_text(
        (Path(__file__).parent.parent / "calibration" / "example.toml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    (folder / "version.toml").write_text("version = 99\n", encoding="utf-8")
