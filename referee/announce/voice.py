"""The speaking process as its parent sees it, and whether there is a voice here at all."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from referee.announce.phrases import Language

WORKER: Final = (sys.executable, "-m", "referee.announce.worker")
"""The command line of the speaking process, its options left out."""

CHECK_SECONDS: Final = 15.0
"""A voice that does not answer within this is none."""

GONE: Final = "gone"
"""The ``what`` of the message that the process has ended; the others are those of ``referee.announce.worker``."""


class VoiceProcess:
    """One run of the speaking process.

    Its messages go to ``hear``, on a thread of this object, in order, the last being ``{"what": "gone"}``.
    """

    def __init__(self, language: Language, hear: Callable[[dict[str, Any]], None], worker: Sequence[str]) -> None:
        """Start it; OSError if the system will not."""
        self.language = language
        self._hear = hear
        self._process = subprocess.Popen(
            [*worker, "--language", str(language)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Sound libraries write pages there.
            stderr=subprocess.DEVNULL,
            env=_environment(),
            **_own_group(),
        )
        threading.Thread(target=self._listen, name="voice answers", daemon=True).start()

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    def say(self, text: str, number: int) -> None:
        """Have ``text`` said; the answers to it carry ``number``."""
        self._send({"say": text, "id": number})

    def stop(self, number: int) -> None:
        """Cut phrase ``number`` short."""
        self._send({"stop": number})

    def _send(self, order: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        # A process that has gone says so by itself.
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as answers:
            for line in answers:
                with contextlib.suppress(json.JSONDecodeError):
                    message = json.loads(line)
                    if isinstance(message, dict):
                        self._hear(message)
        self._process.wait()
        self._hear({"what": GONE})

    def kill(self) -> None:
        """End it at once, with whatever it started to play sound."""
        _kill(self._process)
        self._close_input()

    def end(self, patience: float) -> None:
        """Let it end by itself within ``patience`` seconds, and make sure that it has."""
        self._close_input()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        self.kill()
        self._process.wait()

    def _close_input(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()


def _environment() -> dict[str, str]:
    """That of this process, with this very package to be found first."""
    root = str(Path(__file__).resolve().parents[2])
    known = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": root if not known else root + os.pathsep + known, "PYTHONIOENCODING": "utf-8"}


def _own_group() -> dict[str, Any]:
    """Apart from the terminal's Ctrl-C, and to be killed with all it started."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def _kill(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
    elif process.poll() is None:
        # Once it has been waited for, its number may be somebody else's.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def probe(worker: Sequence[str] = WORKER) -> tuple[bool, str]:
    """Whether this machine can speak, and a sentence on what was found: which voices, what plays them, what is missing.

    Takes about a second. True where at least one language can be spoken and heard.
    """
    languages: list[str] = []
    names: list[str] = []
    whys: list[str] = []
    player = ""
    for number, language in enumerate(Language):
        found = _check(language, worker, silent=number > 0)
        whys += [why for why in found.get("why", ()) if why not in whys]
        player = player or str(found.get("player", ""))
        if found.get("voice"):
            languages.append(str(language))
            names.append(str(found["voice"]))
    missing = f"; {'; '.join(whys)}" if whys else ""
    if not languages or not player:
        return False, "; ".join(whys) or "the speaking process does not answer"
    return True, f"speaks {', '.join(languages)} ({', '.join(dict.fromkeys(names))}), played by {player}{missing}"


def _check(language: Language, worker: Sequence[str], *, silent: bool) -> dict[str, Any]:
    command = [*worker, "--language", str(language), "--check", *(("--silent",) if silent else ())]
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            **_own_group(),
        )
    except OSError as error:
        return {"why": [f"the speaking process does not start: {error}"]}
    try:
        answer, _ = process.communicate(timeout=CHECK_SECONDS)
        found = json.loads(answer)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        _kill(process)
        process.communicate()
        return {"why": ["the speaking process does not answer"]}
    return found if isinstance(found, dict) else {}
