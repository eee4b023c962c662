"""The speaking process: ``python -m referee.announce.worker --language sv``.

It reads JSON objects from its input, one a line: ``{"say": TEXT, "id": N}`` and ``{"stop": N}``. It answers on its
output with objects that have a ``what``: ``ready`` (with the ``voice``), ``started`` (the first sound of phrase ``id``
has been handed to the player), ``done`` (it was said, or cut short) and ``failed`` (nothing was heard; ``why``), the
latter with ``fatal`` where nothing ever will be. It ends with its input.

It is a process of its own because speech libraries hang, and because some want the main thread and nobody else in it.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Final, TextIO

from referee.announce.phrases import parse_language
from referee.announce.players import Player, SilentPlayer, SoundError, find_player
from referee.announce.synthesis import Voice, VoiceError, open_voice, trim

POLL_SECONDS: Final = 0.01
TRY_SECONDS: Final = 20.0
"""Between two searches for something that plays sound: each that finds nothing costs a third of a second."""
FATAL: Final = 3
"""Exit code when there is no voice."""


class Worker:
    """Says one phrase at a time, and listens while it does."""

    def __init__(self, voice: Voice, player: Player | None, answers: TextIO, folder: Path) -> None:
        self._voice = voice
        self._player = player
        self._silence: SoundError | None = None
        self._next_try = 0.0
        self._answers = answers
        self._wav = folder / "phrase.wav"
        self._inbox: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()

    def serve(self, orders: TextIO) -> None:
        """Do what ``orders`` say until they end."""
        # Waiting for a line cannot be given up, so it happens in a thread that is left behind at the end.
        threading.Thread(target=self._listen, args=(orders,), daemon=True).start()
        self.answer("ready", voice=self._voice.identifier, name=self._voice.name)
        try:
            # What fails is known before anybody waits for a phrase, and the first takes no longer than the others.
            self._voice.write("Spit!", self._wav)
            self._find_player()
        except (VoiceError, SoundError) as error:
            self.answer("failed", why=str(error))
        while (order := self._inbox.get()) is not None:
            if "say" in order:
                self._say(order["say"], order["id"])
        if self._player is not None:
            self._player.stop()

    def _listen(self, orders: TextIO) -> None:
        for line in orders:
            self._inbox.put(json.loads(line))
        self._inbox.put(None)

    def answer(self, what: str, **rest: object) -> None:
        """Tell the other side."""
        self._answers.write(json.dumps({"what": what, **rest}) + "\n")
        self._answers.flush()

    def _find_player(self) -> Player:
        """The player; looked for anew now and then while there is none: headphones may have been plugged in."""
        if self._player is None:
            if self._silence is not None and time.monotonic() < self._next_try:
                raise self._silence
            self._next_try = time.monotonic() + TRY_SECONDS
            try:
                self._player = find_player()
            except SoundError as error:
                self._silence = error
                raise
        return self._player

    def _say(self, text: str, number: int) -> None:
        try:
            self._voice.write(text, self._wav)
            trim(self._wav)
            player = self._find_player()
            player.start(self._wav)
            self.answer("started", id=number)
            while player.poll():
                if self._told_to_stop(number):
                    player.stop()
                    break
        except VoiceError as error:
            self.answer("failed", id=number, why=str(error))
        except SoundError as error:
            self._player = None
            self.answer("failed", id=number, why=str(error))
        else:
            self.answer("done", id=number)

    def _told_to_stop(self, number: int) -> bool:
        try:
            order = self._inbox.get(timeout=POLL_SECONDS)
        except queue.Empty:
            return False
        if order is None:
            self._inbox.put(None)
            return True
        return bool(order.get("stop") == number)


def check(language: str, answers: TextIO, *, silent: bool) -> int:
    """Try the voice, and unless ``silent`` the player, and tell what was found."""
    found: dict[str, object] = {"voice": "", "player": "", "why": []}
    whys: list[str] = []
    try:
        voice = open_voice(parse_language(language))
        with tempfile.TemporaryDirectory(prefix="spit-referee-") as folder:
            voice.write("Spit!", Path(folder) / "check.wav")
        found["voice"] = voice.name
    except VoiceError as error:
        whys.append(str(error))
    try:
        found["player"] = "" if silent else find_player().name
    except SoundError as error:
        whys.append(str(error))
    answers.write(json.dumps({**found, "why": whys}) + "\n")
    answers.flush()
    return 0


def main() -> int:
    """Run the process."""
    parser = argparse.ArgumentParser(prog="python -m referee.announce.worker", description="Speaks for the referee.")
    parser.add_argument("--language", default="en", metavar="L", help="en, pt, pl or sv")
    parser.add_argument("--silent", action="store_true", help="make the sound but do not play it")
    parser.add_argument("--check", action="store_true", help="tell what voice and player there are, and end")
    args = parser.parse_args()
    # pyttsx3 prints to the output; that belongs to the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    if args.check:
        return check(args.language, answers, silent=args.silent)
    with tempfile.TemporaryDirectory(prefix="spit-referee-") as folder:
        try:
            voice = open_voice(parse_language(args.language))
        except VoiceError as error:
            answers.write(json.dumps({"what": "failed", "why": str(error), "fatal": True}) + "\n")
            answers.flush()
            return FATAL
        player = SilentPlayer() if args.silent else None
        Worker(voice, player, answers, Path(folder)).serve(sys.stdin)
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    # Leaving the usual way would wait for speech and sound libraries that may hang in their own clean-up.
    os._exit(code)
