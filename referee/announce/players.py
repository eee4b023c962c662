"""Playing a WAV file: by a library that brings its own way to the sound card, or by a program that is found.

A player is used by one thread. ``start`` returns at once; ``poll`` has to be asked until it answers False.
"""

from __future__ import annotations

import array
import functools
import importlib.util
import shutil
import subprocess
import sys
import tempfile
import time
import wave
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Final, Protocol

AT_ONCE: Final = 0.2
"""A player that is done sooner than this, s, with a phrase twice as long has played nothing, whatever it says."""


class SoundError(Exception):
    """Nothing can be heard; the sentence says why, and what to do where that is known."""


class Player(Protocol):
    """Something that plays WAV files, one at a time."""

    name: str

    def start(self, wav: Path) -> None:
        """Begin to play ``wav``; SoundError if that cannot be."""

    def poll(self) -> bool:
        """Whether it is still playing; SoundError if it turns out that nothing was heard."""

    def stop(self) -> None:
        """Be silent."""


def wav_seconds(wav: Path) -> float:
    """How long a WAV file is, s."""
    with wave.open(str(wav)) as sound:
        return float(sound.getnframes() / sound.getframerate())


class ProgramPlayer:
    """A program that plays the file named at the end of its command line."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self.name = command[0]
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._begun = 0.0
        self._seconds = 0.0

    def start(self, wav: Path) -> None:
        self._seconds = wav_seconds(wav)
        self._begun = time.monotonic()
        try:
            self._process = subprocess.Popen(
                [*self._command, str(wav)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            raise SoundError(f"{self.name} does not start: {error}") from None

    def poll(self) -> bool:
        process = self._process
        if process is None:
            return False
        if process.poll() is None:
            return True
        self._process = None
        assert process.stderr is not None
        with process.stderr:
            said = process.stderr.read().decode(errors="replace").strip()
        at_once = time.monotonic() - self._begun < AT_ONCE and self._seconds > 2 * AT_ONCE
        if process.returncode or at_once:
            raise SoundError(f"{self.name} plays nothing: {said.splitlines()[0] if said else 'is there a sound card?'}")
        return False

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


class _Phrase:
    """Samples on their way to the sound device."""

    def __init__(self, samples: array.array[int]) -> None:
        self.samples = samples
        self.at = 0
        self.end = 0.0
        """When the last of them is heard, s; not known before the device has taken it."""


class MiniaudioPlayer:
    """The miniaudio library: its wheel holds the ways to PulseAudio, ALSA and others, and needs no program.

    The device is opened once, for each one opened keeps its connection to the sound server, and runs all the time, with
    silence between the phrases: one that has to wake up first swallows the beginning, and Spit is short.
    """

    _PERIOD_MS: Final = 20
    _BUFFERED: Final = 5
    """So many periods after it is handed over a sample has surely been heard."""
    _RATE: Final = 22050
    """What espeak-ng makes, Hz."""
    _PATIENCE: Final = 4.0
    """A device that takes no samples for so long, s, is gone; some need seconds to wake up."""

    def __init__(self) -> None:
        module: Any = importlib.import_module("miniaudio")  # It tells no types.
        silent = (module.Backend.NULL, module.Backend.CUSTOM)
        self._phrase = _Phrase(array.array("h"))
        self._taken = time.monotonic()
        try:
            self._device = module.PlaybackDevice(
                nchannels=1,
                sample_rate=self._RATE,
                buffersize_msec=self._PERIOD_MS,
                backends=[backend for backend in module.Backend if backend not in silent],
                app_name="Spit Referee",
            )
            feed = self._feed()
            next(feed)
            self._device.start(feed)
        except module.MiniaudioError as error:
            raise SoundError(f"miniaudio finds no sound device ({error.args[0]})") from None
        self.name = f"miniaudio ({self._device.backend})"

    def _feed(self) -> Generator[array.array[int] | bytes, int, None]:
        """Hand over the samples of the phrase at hand; runs on the library's thread."""
        wanted = yield b""
        while True:
            self._taken = time.monotonic()
            phrase = self._phrase
            chunk = phrase.samples[phrase.at : phrase.at + wanted]
            phrase.at += wanted
            # What is handed over is heard a few periods later.
            phrase.end = phrase.end or (
                self._taken + self._BUFFERED * self._PERIOD_MS / 1000 if phrase.at >= len(phrase.samples) else 0
            )
            wanted = yield chunk or b""

    def start(self, wav: Path) -> None:
        with wave.open(str(wav)) as sound:
            if (sound.getnchannels(), sound.getsampwidth(), sound.getframerate()) != (1, 2, self._RATE):
                raise SoundError(f"{wav.name} is not mono sound of 16 bits and {self._RATE} Hz")
            self._phrase = _Phrase(array.array("h", sound.readframes(sound.getnframes())))

    def poll(self) -> bool:
        now = time.monotonic()
        if now - self._taken > self._PATIENCE:
            self._device.close()
            raise SoundError("the sound device takes no sound any more: was it unplugged?")
        return not self._phrase.end or now < self._phrase.end

    def stop(self) -> None:
        self._phrase = _Phrase(array.array("h"))


class WinsoundPlayer:
    """What Windows brings along."""

    name = "Windows"

    def __init__(self) -> None:
        self._winsound: Any = importlib.import_module("winsound")
        self._end = 0.0

    def start(self, wav: Path) -> None:
        flags = self._winsound.SND_FILENAME | self._winsound.SND_ASYNC | self._winsound.SND_NODEFAULT
        try:
            self._winsound.PlaySound(str(wav), flags)
        except RuntimeError as error:
            raise SoundError(f"Windows plays nothing: {error}") from None
        self._end = time.monotonic() + wav_seconds(wav) + 0.1

    def poll(self) -> bool:
        return time.monotonic() < self._end

    def stop(self) -> None:
        self._winsound.PlaySound(None, self._winsound.SND_PURGE)
        self._end = 0.0


class SilentPlayer:
    """Takes as long as the sound would: for tests, and for machines on which nothing may sound."""

    name = "silence"

    def __init__(self) -> None:
        self._end = 0.0

    def start(self, wav: Path) -> None:
        self._end = time.monotonic() + wav_seconds(wav)

    def poll(self) -> bool:
        return time.monotonic() < self._end

    def stop(self) -> None:
        self._end = 0.0


PROGRAMS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "darwin": (("afplay",),),
    "linux": (("paplay",), ("pw-play",), ("aplay", "-q")),
}
"""Programs that play a WAV file, the best first, for each ``sys.platform``."""

_REMEDIES: Final = {
    "linux": "connect a sound card or headphones; if there is one, install alsa-utils or pulseaudio-utils",
}


def find_player(platform: str = sys.platform) -> Player:
    """The first player that plays here, tried with a moment of silence.

    Raises:
        SoundError: there is none; the sentence says what was tried.
    """
    found: list[Callable[[], Player]] = []
    if platform == "win32":
        found.append(WinsoundPlayer)
    elif platform != "darwin" and importlib.util.find_spec("miniaudio") is not None:
        found.append(MiniaudioPlayer)
    for command in PROGRAMS.get(platform, ()):
        if shutil.which(command[0]):
            found.append(functools.partial(ProgramPlayer, command))
    failures: list[str] = []
    for make in found:
        try:
            player = make()
            _try(player)
        except SoundError as error:
            failures.append(str(error))
        else:
            return player
    tried = "; ".join(failures) or "there is no program that plays sound"
    remedy = _REMEDIES.get(platform)
    raise SoundError(f"no sound: {tried}" + (f"; {remedy}" if remedy else ""))


def _try(player: Player) -> None:
    with tempfile.TemporaryDirectory(prefix="spit-referee-") as folder:
        wav = Path(folder) / "silence.wav"
        with wave.open(str(wav), "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(22050)
            sound.writeframes(bytes(2 * 1102))
        player.start(wav)
        while player.poll():
            time.sleep(0.01)
