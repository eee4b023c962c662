"""Whatever a user can get wrong is answered with a sentence that says what to do, and never with a traceback."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from referee.cli import main
from tests import bad_files


class Bad(NamedTuple):
    """One mistake.

    Attributes:
        what: in a few words.
        line: the command line, in the folder of ``bad_files``.
        says: part of the sentence.
        code: the exit code.
        under: what else is amiss, a name in ``CONDITIONS``.
    """

    what: str
    line: str
    says: str
    code: int = 2
    under: str = ""


GIVEN = "--zones zones.jsonl"
QUIET = "--no-window --speak off"
BY_HAND = '--corners "0,0 128,0 128,96 0,96" --size 900x600'
DISPUTED = "dispute small.mp4 --at 2 --result zones.jsonl"

CASES = [
    # Films.
    Bad("no film", f"replay gone.mp4 {GIVEN}", "gone.mp4: there is no such file: check the name"),
    Bad("no film and no table", "replay gone.mp4", "gone.mp4: there is no such file: check the name"),
    Bad("an empty film", f"replay empty.mp4 {GIVEN}", "empty.mp4 is empty: copy it again from the camera"),
    Bad("a text called a film", f"replay text.mp4 {GIVEN}", "text.mp4 is no video that can be read"),
    Bad("noise called a film", f"replay noise.mp4 {GIVEN}", "noise.mp4 is no video that can be read"),
    Bad("a film killed while it was written", f"replay cut.mp4 {GIVEN}", "an MP4 keeps its index at the end"),
    Bad("a film of no rate", f"replay rateless.mp4 {GIVEN}", "no picture in it can be decoded, so it was cut off or"),
    Bad("sound without a film", f"replay sound.mp4 {GIVEN}", "sound.mp4 has sound but no film"),
    Bad("a folder without pictures", f"replay bare {GIVEN}", "bare holds no pictures: give a folder of"),
    Bad("two films of one name", f"replay small.mp4 ./small.mp4 {GIVEN}", "two recordings are called 'small'"),
    Bad("no process at all", f"replay small.mp4 {GIVEN} --jobs 0", "at least one recording at a time"),
    Bad("an option twice", f"replay small.mp4 {GIVEN} {GIVEN}", "argument --zones: it is given twice"),
    Bad("results into a file", f"replay small.mp4 {GIVEN} --out text.mp4", "cannot write into text.mp4: File exists"),
    # Where the table lies.
    Bad("no table", "replay small.mp4", "the referee has to know where the table lies"),
    Bad("no such table", "replay small.mp4 --table kitchen", "there is no table 'kitchen' (none was saved yet)"),
    Bad("a table under no name", "replay small.mp4 --table a*b", "'a*b' is no name for a table"),
    Bad("a table of another size", "replay small.mp4 --table other-size.toml", "calibrated in a picture of 1920x1080"),
    Bad("a table of the future", "replay small.mp4 --table version.toml", "version.toml, line 1: version"),
    Bad("an empty table", "replay small.mp4 --table ./empty.toml", "empty.toml lacks"),
    Bad("a table that is no text", "replay small.mp4 --table binary.toml", "it is no text in UTF-8"),
    Bad("a table nested too deeply", "replay small.mp4 --table deep.toml", "deep.toml is not valid TOML"),
    Bad("a table twice", f"replay small.mp4 --table kitchen {GIVEN}", "leave out --corners, --size and --zones, or"),
    Bad("two corners", 'replay small.mp4 --corners "1,1 2,2"', "are not four corners: write those of the table"),
    Bad("corners in words", 'replay small.mp4 --corners "a,b c,d e,f g,h"', "are not four corners: write those"),
    Bad("corners beyond the sky", 'replay small.mp4 --corners "1,1 1e999,1 9,9 1,9"', "are not four corners"),
    Bad("corners crossed", 'replay small.mp4 --corners "1,1 1,9 9,9 9,1"', "must go round the table clockwise"),
    Bad("corners on a line", 'replay small.mp4 --corners "1,1 2,2 3,3 4,4"', "must go round the table clockwise"),
    Bad("a size in words", 'replay small.mp4 --corners "1,1 9,1 9,9 1,9" --size big', "'big' is no size of a table"),
    Bad(
        "a tiny table",
        'replay small.mp4 --corners "1,1 9,1 9,9 1,9" --size 210x210',
        "do not fit a table of 210 x 210 mm",
    ),
    Bad("a table of millimetres", 'replay small.mp4 --corners "1,1 9,1 9,9 1,9" --size 9x6', "is no size of a table"),
    Bad("a vast table", 'replay small.mp4 --corners "1,1 9,1 9,9 1,9" --size 90000x60000', "is no size of a table"),
    Bad("no file of zones", "replay small.mp4 --zones gone.json", "cannot read gone.json: No such file"),
    Bad("zones in a folder", "replay small.mp4 --zones bare", "cannot read bare: Is a directory"),
    Bad(
        "zones that are a picture", "replay small.mp4 --zones grey.png", "grey.png is no file of zones: it is not text"
    ),
    Bad("zones without zones", "replay small.mp4 --zones bare.json", "it says nothing of zones"),
    Bad("zones in a list", "replay small.mp4 --zones list.json", "it has to be an object with zones"),
    Bad("zones nested too deeply", "replay small.mp4 --zones deep.json", "neither JSON nor TOML with zones"),
    Bad("zones of no name", "replay small.mp4 --zones zone.json", "zones.X9 is not a key of a table file: there"),
    Bad("zones beyond measure", "replay small.mp4 --zones huge.json", "has to be 2 numbers"),
    Bad("zones at no number", "replay small.mp4 --zones nan.json", "has to be 2 numbers"),
    # Names, laws and languages.
    Bad("no such law", f"replay small.mp4 {GIVEN} --ruleset chess", "there is no preset 'chess'; the presets are"),
    Bad("one player", f"replay small.mp4 {GIVEN} --names Ada", 'write --names "Ada,Bo"'),
    Bad("no such language", f"watch {GIVEN} {QUIET} --lang tlh", "the languages are en, pt, pl, sv"),
    Bad("no such loudness", f"watch {GIVEN} --no-window --speak loud", "choose one of all, faults, off"),
    Bad("a law in no TOML", "rules --file cut.toml", "cut.toml is not valid TOML"),
    Bad("a law that is no text", "rules --file binary.toml", "binary.toml is not valid TOML"),
    Bad("a law nested too deeply", "rules --file deep.toml", "deep.toml is not valid TOML"),
    Bad("a law in a folder", "rules --file bare", "cannot read bare: Is a directory"),
    # Cameras.
    Bad("no such camera", f"watch {GIVEN} {QUIET} --camera 77", "camera 77 cannot be opened: check that it is plugged"),
    Bad("two cameras", f"watch {GIVEN} {QUIET} --camera 0 --camera 1", "argument --camera: it is given twice"),
    Bad("a camera in use", f"watch {GIVEN} {QUIET} --camera 0", "close other programs that use it", 2, "camera in use"),
    Bad("no such address", f"watch {GIVEN} {QUIET} --camera ftp://x/y", "ftp:// is not the address of a camera"),
    Bad("no table at all", f"watch {QUIET} --camera small.mp4", "'referee calibrate' finds it"),
    Bad("no film for a camera", f"watch {QUIET} --camera gone.mp4", "gone.mp4: there is no such file: check the name"),
    Bad("a film that is none", f"watch {GIVEN} {QUIET} --camera text.mp4", "text.mp4 is no video"),
    Bad(
        "a game into a file",
        f"watch {GIVEN} {QUIET} --camera small.mp4 --record text.mp4",
        "cannot write into text.mp4",
    ),
    Bad("no game to go on with", f"watch {QUIET} --resume gone", "there is no game in gone: name the folder"),
    Bad("a game killed at once", f"watch {QUIET} --resume torn", "it has not one whole line"),
    Bad("a game of no known form", f"watch {QUIET} --resume unfinished", "is no journal that can be read"),
    Bad("a demonstration into a file", f"demo {QUIET} --out text.mp4", "cannot write into text.mp4"),
    Bad("a demonstration in Klingon", "demo --lang tlh", "there are no phrases in 'tlh'"),
    # Calibrating.
    Bad("no picture", "calibrate --camera gone.png", "cannot read the picture gone.png: No such file"),
    Bad("a text called a picture", "calibrate --camera text.jpg", "text.jpg is no picture that can be read"),
    Bad("an empty table top", "calibrate --camera grey.png --way markers", "no corner marker is seen: lay the printed"),
    Bad("a hall of mirrors", f"calibrate --camera grey.png {BY_HAND} --reserve up", "'up' is no place of the reserve"),
    Bad("zones alone", f"calibrate --camera grey.png {GIVEN}", "--zones needs the table's corners"),
    Bad("zones too deep", f"calibrate --camera grey.png {BY_HAND} --zones deep.json", "neither JSON nor TOML"),
    Bad("a bad name", f"calibrate --camera grey.png {BY_HAND} --save a?b", "'a?b' is no name for a table"),
    Bad(
        "no folder for it",
        f"calibrate --camera grey.png {BY_HAND} --save no/x.toml",
        "cannot write the table no/x.toml",
    ),
    Bad("no such format", f"calibrate --camera grey.png {BY_HAND} --out x.xyz", "end the name in .png or .jpg"),
    Bad("no window", f"calibrate --camera grey.png {BY_HAND} --edit", "no window can be opened", 2, "no display"),
    Bad("no such paper", "calibrate print --paper a3", "invalid choice: 'a3' (choose from"),
    Bad("no folder for the sheet", "calibrate print --out no/x.pdf", "cannot write no/x.pdf: No such file"),
    # Photographs and models.
    Bad("no photograph", "read gone.jpg", "gone.jpg: there is no such photograph"),
    Bad("an empty photograph", "read empty.jpg", "empty.jpg is empty: copy the photograph again"),
    Bad("a photograph cut short", "read cut.jpg", "cut.jpg is no picture that can be read"),
    Bad("a film for a photograph", "read small.mp4", "small.mp4 is no picture that can be read"),
    Bad("a folder for a photograph", "read bare", "bare is a folder: name the photographs in it"),
    Bad("a stamp", "read tiny.png", "tiny.png is only 4 x 4 pixels"),
    Bad("a photograph beyond measure", "read huge.png", "huge.png is 100000 x 100000 pixels"),
    Bad("two drawn upon one", "read grey.png tiny.png --out x.png", "--out takes one photograph"),
    Bad("no model", "read grey.png --model gone.onnx", "model gone.onnx cannot be read: No such file"),
    Bad("an empty model", "read grey.png --model empty.onnx", "empty.onnx is not a model that ONNX Runtime can run"),
    Bad("a model cut short", "read grey.png --model cut.onnx", "cut.onnx is not a model that ONNX Runtime can run"),
    Bad("a model of another kind", "read grey.png --model text.jpg", "give an .onnx or a .pt file"),
    Bad("a model badly described", "read grey.png --model told.onnx", "told.json does not describe the model"),
    Bad("a .pt without torch", "read grey.png --model lone.pt", "needs ultralytics: install it", 2, "no torch"),
    # Disputes and records.
    Bad("no recording", "dispute gone.mp4 --at 1", "gone.mp4: there is no such file"),
    Bad("no result beside it", "dispute text.mp4 --at 1", "make it with 'referee replay text.mp4'"),
    Bad("a result of nothing", "dispute small.mp4 --at 1", "line 1: the first line is the header"),
    Bad(
        "a result killed in mid write", "dispute cut.mp4 --at 1", "line 2: this is not JSON; the file may be cut short"
    ),
    Bad("a result nested too deeply", "dispute cut.mp4 --at 1 --result deep.jsonl", "line 1: this is not JSON"),
    Bad("a folder without a game", "dispute bare --at 1", "bare is no folder of a game"),
    Bad("a game killed at its start", "dispute torn --at 1", "it has not one whole line"),
    Bad("a time in words", "dispute small.mp4 --at noon", "'noon' is no time: write 2:31"),
    Bad("a clip of another kind", f"{DISPUTED} --clip x.gif", "x.gif: clips are MP4 films"),
    Bad("pictures into a file", f"{DISPUTED} --out text.mp4", "cannot make the folder text.mp4"),
    Bad("judged by no law", f"{DISPUTED} --ruleset chess", "there is no preset 'chess'"),
    Bad("a record that is empty", "play-record empty.spit", "empty.spit: this is no game record"),
    Bad("a record nested too deeply", "play-record deep.jsonl", "line 1: this is not JSON"),
    Bad("a record that is a film", "play-record small.mp4", "small.mp4 is no game record: it is not text"),
    Bad("a record beyond measure", "play-record vast.jsonl", "vast.jsonl is too big for a game record"),
    Bad("zones in a file beyond measure", "replay small.mp4 --zones vast.jsonl", "too big for a file of zones"),
    Bad("a Ctrl-C", "play-record zones.jsonl", "referee: stopped", 130, "Ctrl-C"),
    # Scores.
    Bad("nothing to score", "evaluate footage bare", "there are no truth files (NAME.truth.jsonl) in bare"),
    Bad("no results", "evaluate footage alone", "there are no result files (NAME.result.jsonl) for them in alone"),
    Bad("half a result", "evaluate footage halved", "a.result.jsonl, line"),
    Bad("a result that is no text", "evaluate footage binary", "a.result.jsonl is no file of events: it is not text"),
    Bad("no photographs", "evaluate reader gone", "gone: there is no such folder of photographs"),
    Bad("no labels", "evaluate reader bare", "bare holds neither labels.csv nor pictures"),
    # Films that are made, training, phrases, this machine.
    Bad("nothing to write", "simulate", "say what to write: --out FILE.mp4"),
    Bad("a film as AVI", "simulate --out x.avi", "a film is written as .mp4, not as 'x.avi'"),
    Bad("a film into no folder", "simulate --out no/x.mp4", "there is no folder no to write x.mp4 into"),
    Bad("a size in words for a film", "simulate --out x.mp4 --size big", "for example 1280x720"),
    Bad("a deck nobody knows", "simulate --out x.mp4 --deck magic", "there is no deck 'magic'; there are"),
    Bad("a seed in words", "simulate --out x.mp4 --seed seven", "argument --seed: invalid int value: 'seven'"),
    Bad(
        "no picture a second",
        "simulate --out x.mp4 --seconds 1 --fps 0",
        "1 to 240 pictures a second, not 0",
        2,
        "no deck",
    ),
    Bad("no pixels", "simulate --out x.mp4 --seconds 1 --size 0x0", "even numbers from 64 to 7680", 2, "no deck"),
    Bad("a film of no length", "simulate --out x.mp4 --seconds nan", "1 to 3600 seconds long, not nan", 2, "no deck"),
    Bad("no decks", "train preview --decks --out x.png", "run 'referee train art'"),
    Bad("no crops", "train preview --crops --count 0 --out x.png", "a sheet shows at least one crop, not 0"),
    Bad("art nobody knows", "train art --only magic", "there is no package or deck 'magic'"),
    Bad("a reader into a file", "train reader --out text.mp4", "cannot write into text.mp4: File exists"),
    Bad("nothing to learn from", "train reader --out trained --images 0", "--images 0: it has to be 1 or more"),
    Bad(
        "weights that are not there", "train reader --out trained --start none.pt", "none.pt is no file: --start takes"
    ),
    Bad("training without torch", "train reader --out trained", "training needs torch: install it", 2, "no torch"),
    Bad("phrases as text", "phrases --out x.txt", "written as .md or .html, not as 'x.txt'"),
    Bad("phrases into no folder", "phrases --out no/x.md", "cannot write no/x.md: No such file"),
    Bad("a picture of no table", "doctor --out x.png", "say which with --table NAME"),
    Bad("no such shell", "completion tcsh", "there are bash, zsh, fish"),
    # Nothing may be read or written here.
    Bad("a locked film", f"replay locked.mp4 {GIVEN}", "locked.mp4", 2, "locked"),
    Bad("a locked photograph", "read locked.png", "locked.png cannot be read: Permission denied", 2, "locked"),
    Bad("a locked table", "replay small.mp4 --table locked.toml", "locked.toml: Permission denied", 2, "locked"),
    Bad("a locked record", "play-record locked.spit", "cannot read locked.spit: Permission denied", 2, "locked"),
    Bad("a locked model", "read grey.png --model locked.onnx", "cannot be read: Permission denied", 2, "locked"),
    Bad("a locked result", "dispute small.mp4 --at 1 --result locked.jsonl", "Permission denied", 2, "locked"),
    Bad("a locked folder", f"replay small.mp4 {GIVEN} --out locked/x", "locked/x: Permission denied", 2, "locked"),
    Bad("a sheet into it", "calibrate print --out locked/x.pdf", "locked/x.pdf: Permission denied", 2, "locked"),
    Bad("a full device", "phrases --out full.md", "cannot write full.md: No space left on device"),
    Bad("a sheet on a full disk", "calibrate print --out x.pdf", "cannot write x.pdf: File too large", 2, "full disk"),
    Bad("a report on one", f"replay small.mp4 {GIVEN} --out o", "cannot write o/small.result.jsonl", 2, "full disk"),
    Bad("a game on one", f"watch {GIVEN} {QUIET} --camera small.mp4 --record r", "r/journal.jsonl", 2, "full disk"),
    Bad("a clip on one", f"{DISPUTED} --clip c.mp4", "cannot write c.mp4: File too large", 2, "full disk"),
    Bad("a picture on one", f"calibrate --camera grey.png {BY_HAND} --out x.png", "cannot write x.png", 2, "full disk"),
    Bad(
        "a table on one",
        f"calibrate --camera grey.png {BY_HAND} --save x.toml",
        "cannot write the table",
        2,
        "full disk",
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("bad")
    bad_files.make(place)
    return place


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what.replace(" ", "-"))
def test_a_mistake_is_answered_with_a_sentence(
    case: Bad, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("REFEREE_TABLES", str(folder / "tables"))
    monkeypatch.setenv("REFEREE_CACHE", str(folder / "cache"))
    before = {path for path in folder.rglob("*") if path.is_file()}
    with CONDITIONS[case.under](monkeypatch):
        try:
            code = main(shlex.split(case.line))
        except SystemExit as stopped:
            code = int(str(stopped.code))
    said = capsys.readouterr()
    assert code == case.code, said
    last = said.err.splitlines()[-1]
    assert last.startswith("referee: ")
    assert case.says in last
    assert "Traceback" not in said.err
    # Nothing half written is left behind.
    assert {path for path in folder.rglob("*") if path.is_file()} == before


def test_no_mistake_is_listed_twice() -> None:
    assert len({case.what for case in CASES}) == len(CASES)


@contextlib.contextmanager
def nothing_else(_monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield


@contextlib.contextmanager
def locked(_monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Files and a folder that may not be opened, not even by root, who here does without his privilege."""
    names = ("small.mp4", "grey.png", "other-size.toml", "empty.spit", "empty.onnx", "zones.jsonl")
    paths = [Path(f"locked{Path(name).suffix}") for name in names]
    for name, path in zip(names, paths, strict=True):
        path.write_bytes(Path(name).read_bytes())
        path.chmod(0)
    Path("locked").mkdir()
    Path("locked").chmod(0o555)
    privileges = _Privileges() if os.geteuid() == 0 else None
    try:
        if privileges is not None:
            privileges.drop()
        yield
    finally:
        if privileges is not None:
            privileges.restore()
        Path("locked").rmdir()
        for path in paths:
            path.unlink()


class _Privileges:
    """The capabilities of this thread on Linux, of which those that open every file can be put aside."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._header = (ctypes.c_uint32 * 2)(0x20080522, 0)
        self._had = (ctypes.c_uint32 * 6)()
        assert self._libc.capget(self._header, self._had) == 0

    def drop(self) -> None:
        fewer = (ctypes.c_uint32 * 6)(*self._had)
        fewer[0] &= ~0b110  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH among the effective ones
        assert self._libc.capset(self._header, fewer) == 0

    def restore(self) -> None:
        assert self._libc.capset(self._header, self._had) == 0


@contextlib.contextmanager
def full_disk(_monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No file may grow beyond a few bytes, so that writing ends in its midst."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextlib.contextmanager
def camera_in_use(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A camera that opens and gives no picture, as drivers do while another program has it."""
    from functools import partial

    from referee.vision import open_source
    from referee.vision.camera import Camera
    from referee.vision.camera_feed import Patience

    class Busy:
        mode = "sent as MJPG"

        def grab(self) -> bool:
            return False

        def retrieve(self) -> None:
            return None

        def release(self) -> None:
            pass

    monkeypatch.setattr(open_source, "open_number", lambda *_: Busy())
    monkeypatch.setattr(open_source, "Camera", partial(Camera, patience=Patience(first=0.2)))
    yield


@contextlib.contextmanager
def no_display(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    yield


@contextlib.contextmanager
def no_torch(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    Path("lone.pt").write_bytes(b"weights")
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setitem(sys.modules, "referee.train.learning", None)
    yield
    Path("lone.pt").unlink()


@contextlib.contextmanager
def no_deck(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Drawing a deck takes its time and is not what is wrong."""
    from types import SimpleNamespace

    deck = SimpleNamespace(width_mm=63, height_mm=88, name="none")
    monkeypatch.setattr("referee.commands.simulate._deck", lambda _args: deck)
    yield


@contextlib.contextmanager
def ctrl_c(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def stopped(_record: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("referee.rules.record.replay", stopped)
    yield


CONDITIONS: dict[str, Callable[[pytest.MonkeyPatch], Any]] = {
    "": nothing_else,
    "locked": locked,
    "full disk": full_disk,
    "camera in use": camera_in_use,
    "no display": no_display,
    "no torch": no_torch,
    "no deck": no_deck,
    "Ctrl-C": ctrl_c,
}
