"""The speaking process itself, and finding out whether there is a voice."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from referee.announce import voice as module
from referee.announce.announcement import announce
from referee.announce.announcer import Announcer
from referee.announce.phrases import Language
from referee.announce.voice import GONE, WORKER, VoiceProcess, probe
from tests.announce import workers
from tests.announce.speaking import silent

SILENT = (*WORKER, "--silent")

# What pyttsx3 does where there is no espeak library.
NO_LIBRARY = """
import types
fake = types.ModuleType("pyttsx3")
def init(driver):
    raise RuntimeError("libespeak-ng.so.1: cannot open shared object file")
fake.init = init
sys.modules["pyttsx3"] = fake
"""

# A voice and nothing to hear it with.
NO_PLAYER = """
import os
os.environ["PATH"] = "/nonexistent"
"""


class Heard:
    """A speaking process and its messages."""

    def __init__(self, worker: tuple[str, ...], language: Language = Language.ENGLISH) -> None:
        self._messages: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self.process = VoiceProcess(language, self._messages.put, worker)

    def __enter__(self) -> Heard:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.end(0.0)

    def next(self, seconds: float = 10.0) -> dict[str, Any]:
        return self._messages.get(timeout=seconds)


@pytest.fixture(scope="module")
def espeak() -> None:
    """Skip where the real process has no voice."""
    with Heard(SILENT) as heard:
        first = heard.next()
        if first["what"] != "ready":
            silent(first["why"])


@pytest.mark.usefixtures("espeak")
def test_says_a_phrase_and_tells_when() -> None:
    with Heard(SILENT, Language.SWEDISH) as heard:
        ready = heard.next()
        assert ready["what"] == "ready"
        if sys.platform.startswith("linux"):
            assert ready["voice"] == "gmq/sv"
        begun = time.monotonic()
        heard.process.say("Spotta!", 7)
        assert heard.next() == {"what": "started", "id": 7}
        assert heard.next() == {"what": "done", "id": 7}
        assert 0.3 < time.monotonic() - begun < 5.0
        heard.process.end(2.0)
        assert heard.next() == {"what": GONE}


@pytest.mark.usefixtures("espeak")
def test_is_stopped_in_the_middle_of_a_phrase() -> None:
    with Heard(SILENT) as heard:
        heard.next()
        heard.process.say("This goes on for a long time, which nobody has when it is time to spit.", 1)
        assert heard.next()["what"] == "started"
        begun = time.monotonic()
        heard.process.stop(1)
        heard.process.say("Spit!", 2)
        assert heard.next() == {"what": "done", "id": 1}
        assert heard.next() == {"what": "started", "id": 2}
        assert time.monotonic() - begun < 2.0
        heard.process.kill()
        while heard.next() != {"what": GONE}:
            pass


@pytest.mark.usefixtures("espeak")
@pytest.mark.skipif(os.name != "posix", reason="kills with a POSIX signal")
def test_the_announcer_survives_the_killing_of_its_voice() -> None:
    started: list[str] = []
    troubles: list[str] = []
    with Announcer(Language.ENGLISH, troubles.append, lambda one: started.append(one.text), worker=SILENT) as announcer:
        announcer.say([announce("news.game_over", language=Language.ENGLISH, arguments={"who": "Ada"})])
        _until(lambda: len(started) == 1)
        assert announcer._process is not None
        os.kill(announcer._process.pid, signal.SIGKILL)
        _until(lambda: len(started) == 2)
    # What it was saying when it died is said again.
    assert started == ["Ada wins the game!"] * 2
    assert troubles == []


@pytest.mark.usefixtures("espeak")
@pytest.mark.skipif(os.name != "posix", reason="kills with a POSIX signal")
def test_the_voice_ends_when_its_parent_is_killed() -> None:
    code = (
        "import sys, time\n"
        "from referee.announce.phrases import Language\n"
        "from referee.announce.voice import VoiceProcess, WORKER\n"
        "process = VoiceProcess(Language.ENGLISH, lambda _: None, (*WORKER, '--silent'))\n"
        "print(process.pid, flush=True)\ntime.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
    _until(lambda: not _alive(pid))


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat")
        return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")
    except OSError:
        return False


def test_a_missing_package_is_fatal_and_says_what_to_install() -> None:
    with Heard(workers.without("pyttsx3")) as heard:
        told = heard.next()
        assert (told["what"], told["fatal"]) == ("failed", True)
        assert "pip install 'spit-referee[speech]'" in told["why"]
        assert heard.next() == {"what": GONE}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only there pyttsx3 speaks through espeak-ng")
def test_a_missing_library_is_fatal_and_says_what_to_install() -> None:
    with Heard(workers.without("espeakng_loader", before=NO_LIBRARY)) as heard:
        told = heard.next()
        assert (told["what"], told["fatal"]) == ("failed", True)
        assert "libespeak-ng1" in told["why"]


@pytest.mark.usefixtures("espeak")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the system itself plays sound")
def test_a_missing_sound_device_is_told_before_and_with_every_phrase() -> None:
    with Heard(workers.without("miniaudio", before=NO_PLAYER)) as heard:
        assert heard.next()["what"] == "ready"
        told = heard.next()
        assert told["what"] == "failed"
        assert "no sound" in told["why"]
        heard.process.say("Spit!", 1)
        again = heard.next()
        assert (again["what"], again["id"], again["why"]) == ("failed", 1, told["why"])


def _check(**found: object) -> tuple[str, ...]:
    return workers.python(f"print({json.dumps(found)!r})")


def test_probe_tells_what_there_is() -> None:
    good, said = probe(_check(voice="espeak-ng", player="aplay", why=[]))
    assert (good, said) == (True, "speaks en, pt, pl, sv (espeak-ng), played by aplay")


def test_probe_tells_what_is_missing() -> None:
    assert probe(_check(voice="espeak-ng", player="", why=["no sound: nothing plays"])) == (
        False,
        "no sound: nothing plays",
    )
    only_english = workers.python(
        "language = sys.argv[2]\n"
        'print(json.dumps({"voice": "David" if language == "en" else "", "player": "Windows", '
        '"why": [] if language == "en" else ["no voice for " + language]}))'
    )
    good, said = probe(only_english)
    assert good
    assert said == ("speaks en (David), played by Windows; no voice for pt; no voice for pl; no voice for sv")


def test_probe_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHECK_SECONDS", 0.2)
    assert probe(workers.python("time.sleep(60)")) == (False, "the speaking process does not answer")


def test_probe_here_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "Language", (Language.SWEDISH,))
    good, said = probe()
    assert said
    assert good == ("played by" in said)


def _until(true: Any, seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.01)
