"""Playing sound: done when it has been heard, and not silent about silence."""

from __future__ import annotations

import os
import sys
import time
import types
import wave
from collections.abc import Generator
from pathlib import Path

import pytest

from referee.announce import players
from referee.announce.players import Player, ProgramPlayer, SilentPlayer, SoundError, WinsoundPlayer, find_player

POSIX = pytest.mark.skipif(os.name != "posix", reason="the stand-ins for players are scripts of a POSIX shell")


def _wav(path: Path, seconds: float) -> Path:
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(22050)
        sound.writeframes(bytes(2 * round(22050 * seconds)))
    return path


def _program(path: Path, script: str) -> Path:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def _play(player: Player, wav: Path) -> float:
    begun = time.monotonic()
    player.start(wav)
    while player.poll():
        time.sleep(0.005)
    return time.monotonic() - begun


@POSIX
def test_a_program_plays_until_it_ends(tmp_path: Path) -> None:
    program = _program(tmp_path / "player", f'cp "$1" {tmp_path}/played; sleep 0.3')
    assert 0.3 <= _play(ProgramPlayer((str(program),)), _wav(tmp_path / "a.wav", 1.0)) < 3
    assert (tmp_path / "played").exists()


@POSIX
@pytest.mark.parametrize(
    ("script", "why"), [("echo 'no such device' >&2; exit 1", "no such device"), ("exit 0", "is there a sound card")]
)
def test_a_program_that_played_nothing_is_found_out(tmp_path: Path, script: str, why: str) -> None:
    with pytest.raises(SoundError, match=why):
        _play(ProgramPlayer((str(_program(tmp_path / "player", script)),)), _wav(tmp_path / "a.wav", 1.0))


@POSIX
def test_a_program_is_stopped(tmp_path: Path) -> None:
    player = ProgramPlayer((str(_program(tmp_path / "player", "exec sleep 30")),))
    player.start(_wav(tmp_path / "a.wav", 1.0))
    assert player.poll()
    player.stop()
    assert not player.poll()


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SoundError, match="does not start"):
        ProgramPlayer((str(tmp_path / "nothing"),)).start(_wav(tmp_path / "a.wav", 0.1))


def test_silence_lasts_as_long_as_the_sound(tmp_path: Path) -> None:
    assert 0.2 <= _play(SilentPlayer(), _wav(tmp_path / "a.wav", 0.2)) < 1.0


@POSIX
def test_the_first_program_that_plays_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "miniaudio", None)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    _program(tmp_path / "paplay", "exit 1")
    _program(tmp_path / "aplay", "sleep 0.05")
    _program(tmp_path / "pw-play", "exit 1")
    assert find_player("linux").name == "aplay"


def test_no_player_at_all_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "miniaudio", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SoundError, match=r"no program that plays sound; .*alsa-utils"):
        find_player("linux")


@POSIX
def test_every_failure_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "miniaudio", None)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    for name in ("paplay", "aplay", "pw-play"):
        _program(tmp_path / name, f"echo {name} is deaf >&2; exit 1")
    with pytest.raises(SoundError, match=r"paplay is deaf.*pw-play is deaf.*aplay is deaf"):
        find_player("linux")


class _Backends(list[str]):
    NULL, CUSTOM = "null", "custom"


class _Device:
    """A sound device that takes samples when the test says so."""

    backend = "ALSA"

    def __init__(self, **asked: object) -> None:
        self.asked = asked
        self.feed: Generator[bytes, int, None] | None = None
        _Device.last = self

    last: _Device

    def start(self, feed: Generator[bytes, int, None]) -> None:
        self.feed = feed

    def close(self) -> None:
        self.feed = None

    def take(self, samples: int) -> bytes:
        assert self.feed is not None
        return self.feed.send(samples)


class _MiniaudioError(Exception):
    pass


def _no_device(**_: object) -> None:
    raise _MiniaudioError("failed to init device", -1)


@pytest.fixture
def miniaudio(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """A stand-in for the library."""
    fake = types.ModuleType("miniaudio")
    backends = _Backends(["alsa", "null", "custom"])
    fake.__dict__.update(MiniaudioError=_MiniaudioError, Backend=backends, PlaybackDevice=_Device)
    monkeypatch.setitem(sys.modules, "miniaudio", fake)
    return fake


@pytest.mark.usefixtures("miniaudio")
def test_the_library_gets_the_samples_and_silence_after_them(tmp_path: Path) -> None:
    player = players.MiniaudioPlayer()
    device = _Device.last
    assert device.asked["backends"] == ["alsa"]
    assert device.take(441) == b""
    player.start(_wav(tmp_path / "a.wav", 0.03))
    assert player.poll()
    assert len(device.take(441)) == 441
    assert player.poll()
    assert len(device.take(441)) == 662 - 441
    assert player.poll()
    time.sleep(0.11)
    assert not player.poll()
    assert device.take(441) == b""


@pytest.mark.usefixtures("miniaudio")
def test_the_library_stops_at_once(tmp_path: Path) -> None:
    player = players.MiniaudioPlayer()
    player.start(_wav(tmp_path / "a.wav", 1.0))
    assert len(_Device.last.take(441)) == 441
    player.stop()
    assert _Device.last.take(441) == b""


@pytest.mark.usefixtures("miniaudio")
def test_a_device_that_takes_no_samples_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    player = players.MiniaudioPlayer()
    monkeypatch.setattr(players.MiniaudioPlayer, "_PATIENCE", 0.05)
    player.start(_wav(tmp_path / "a.wav", 1.0))
    time.sleep(0.06)
    with pytest.raises(SoundError, match="unplugged"):
        player.poll()


def test_no_device_for_the_library(miniaudio: types.ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(miniaudio, "PlaybackDevice", _no_device)
    with pytest.raises(SoundError, match=r"finds no sound device .failed to init device."):
        players.MiniaudioPlayer()


def test_windows_plays_and_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[object, int]] = []
    fake = types.ModuleType("winsound")
    flags = {"SND_FILENAME": 1, "SND_ASYNC": 2, "SND_NODEFAULT": 4, "SND_PURGE": 8}
    fake.__dict__.update(flags, PlaySound=lambda sound, how: calls.append((sound, how)))
    monkeypatch.setitem(sys.modules, "winsound", fake)
    player = WinsoundPlayer()
    wav = _wav(tmp_path / "a.wav", 5.0)
    player.start(wav)
    assert player.poll()
    player.stop()
    assert not player.poll()
    assert calls == [(str(wav), 7), (None, 8)]
