"""Making sound of text: one way for each system, all of them writing WAV files.

Written to a file first, a phrase has a known length and can be cut short, and whether it was played can be told:
pyttsx3, left to play by itself, says that all went well when there is no player and no sound card.
"""

from __future__ import annotations

import array
import contextlib
import ctypes
import importlib
import os
import re
import subprocess
import sys
import wave
from pathlib import Path
from typing import Any, Final, Protocol

from referee.announce.phrases import Language, Phrasebook, phrasebook

WORDS_A_MINUTE: Final = 200

SILENCE_SECONDS: Final = 0.1
"""Between two phrases; espeak-ng leaves three times as much."""

QUIET: Final = 300
"""Samples of 16 bits that stay below this are silence."""

INSTALL: Final = "pip install 'spit-referee[speech]'"


class VoiceError(Exception):
    """There is no voice; the sentence says what is missing and what to install."""


class Voice(Protocol):
    """Something that speaks one language, used by one thread.

    Attributes:
        name: what it is, for people.
        identifier: what the system calls the voice itself.
    """

    name: str
    identifier: str

    def write(self, text: str, wav: Path) -> None:
        """Speak ``text`` into a WAV file; VoiceError if nothing comes of it."""


def open_voice(language: Language, platform: str = sys.platform) -> Voice:
    """The voice of this system for ``language``.

    Raises:
        VoiceError: there is none.
    """
    book = phrasebook(language)
    if platform == "darwin":
        return SayVoice(book)
    return SapiVoice(book) if platform == "win32" else EspeakVoice(book)


def _pyttsx3() -> Any:
    """The module, which tells no types."""
    try:
        return importlib.import_module("pyttsx3")
    except ImportError:
        raise VoiceError(f"no voice: pyttsx3 is not installed; {INSTALL}") from None


def _spoken(wav: Path) -> bool:
    # A header alone is 44 bytes.
    return wav.is_file() and wav.stat().st_size > 44


def trim(wav: Path) -> None:
    """Leave no more than ``SILENCE_SECONDS`` of the silence at the end of a phrase: what waits is said the sooner.

    A file that is no plain sound of 16 bits stays as it is.
    """
    try:
        with wave.open(str(wav)) as sound:
            form, data = sound.getparams(), sound.readframes(sound.getnframes())
    except (wave.Error, EOFError):
        return
    if form.sampwidth != 2:
        return
    samples = array.array("h", data)
    step = form.nchannels * form.framerate // 100
    loud = len(samples)
    while loud > 0 and max(map(abs, samples[max(0, loud - step) : loud])) < QUIET:
        loud -= step
    with wave.open(str(wav), "wb") as sound:
        sound.setparams(form)
        sound.writeframes(samples[: max(0, loud) + round(SILENCE_SECONDS * 100) * step].tobytes())


class EspeakVoice:
    """espeak-ng through pyttsx3 2.99, with the library from the espeakng-loader wheel where that is installed.

    One engine for the process's life, which runs once with nothing to say before the first phrase: both are what
    keeps phrases from getting lost here, and the voice is set once, for changing it loses some as well.
    """

    def __init__(self, book: Phrasebook) -> None:
        bundled = _preload_espeak()
        module = _pyttsx3()
        try:
            self._engine = module.init("espeak")
        except (RuntimeError, OSError, ImportError):
            raise VoiceError(
                f"no voice: the espeak-ng library is missing; {INSTALL} or install libespeak-ng1"
            ) from None
        self._engine.setProperty("voice", book.espeak)
        self._engine.setProperty("rate", WORDS_A_MINUTE)
        self._engine.runAndWait()
        self.identifier = str(self._engine.getProperty("voice"))
        if self.identifier != book.espeak:
            raise VoiceError(f"espeak-ng has no voice {book.espeak} for {book.name}")
        self.name = "espeak-ng of the espeakng-loader wheel" if bundled else "espeak-ng"

    def write(self, text: str, wav: Path) -> None:
        wav.unlink(missing_ok=True)
        self._engine.save_to_file(text, str(wav))
        self._engine.runAndWait()
        if not _spoken(wav):
            raise VoiceError(f"espeak-ng made nothing of {text!r}")


def _preload_espeak() -> bool:
    """Load the library of the espeakng-loader wheel, if that is installed: pyttsx3 then finds it by its name."""
    try:
        loader = importlib.import_module("espeakng_loader")
    except ImportError:
        return False
    try:
        os.environ["ESPEAK_DATA_PATH"] = loader.get_data_path()
        ctypes.CDLL(loader.get_library_path(), ctypes.RTLD_GLOBAL)
    except (OSError, RuntimeError):
        # A wheel that does not fit this machine; the system may have the library.
        os.environ.pop("ESPEAK_DATA_PATH", None)
        return False
    return True


class SapiVoice:
    """The voices of Windows through pyttsx3 2.99.

    A new engine for every phrase: one used again lets no run loop end once a phrase has gone to a file.
    """

    def __init__(self, book: Phrasebook) -> None:
        self._module = _pyttsx3()
        try:
            engine = self._module.init("sapi5")
            voices = engine.getProperty("voices")
        except Exception as error:
            # Whatever COM or an odd voice in the registry throws: there is no voice to be had.
            raise VoiceError(f"no voice: Windows lists none ({error})") from None
        del engine
        found = _best(book.tags, [(tag, voice) for voice in voices for tag in voice.languages or ()])
        if found is None:
            raise VoiceError(
                f"Windows has no voice for {book.name}: add the language with its speech in Settings, Time & language"
            )
        self.identifier = str(found.id)
        self.name = str(found.name)

    def write(self, text: str, wav: Path) -> None:
        wav.unlink(missing_ok=True)
        engine = self._module.init("sapi5")
        engine.setProperty("voice", self.identifier)
        engine.setProperty("rate", WORDS_A_MINUTE)
        engine.save_to_file(text, str(wav))
        engine.runAndWait()
        del engine
        if not _spoken(wav):
            raise VoiceError(f"Windows made nothing of {text!r}")


class SayVoice:
    """The voices of macOS through its own program, which needs no package."""

    _LINE = re.compile(r"(?P<name>\S.*?)\s+(?P<tag>[a-z]{2,3}[_-]\w+)\s+#")

    def __init__(self, book: Phrasebook) -> None:
        try:
            done = subprocess.run(["say", "-v", "?"], capture_output=True, text=True, timeout=10, check=True)
        except (OSError, subprocess.SubprocessError):
            raise VoiceError("no voice: the program 'say' does not run") from None
        lines = [match for line in done.stdout.splitlines() if (match := self._LINE.match(line))]
        found = _best(book.tags, [(line["tag"], line["name"]) for line in lines])
        if found is None:
            raise VoiceError(f"macOS has no voice for {book.name}: add one in System Settings, Accessibility")
        self.identifier = str(found)
        self.name = f"say, {self.identifier}"

    def write(self, text: str, wav: Path) -> None:
        wav.unlink(missing_ok=True)
        command = ["say", "-v", self.identifier, "-r", str(WORDS_A_MINUTE), "-o", str(wav)]
        command += ["--file-format=WAVE", "--data-format=LEI16@22050", "-f", "-"]
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            # Two brackets would begin a command to the voice.
            subprocess.run(command, input=text.replace("[[", "").encode(), timeout=10, check=True, capture_output=True)
        if not _spoken(wav):
            raise VoiceError(f"'say' made nothing of {text!r}")


def _best(tags: tuple[str, ...], voices: list[tuple[str, Any]]) -> Any:
    """The voice whose language comes first among ``tags``; None if there is none."""
    for tag in tags:
        for language, voice in voices:
            spelt = str(language).replace("_", "-").lower()
            if spelt == tag or spelt.startswith(f"{tag}-"):
                return voice
    return None
