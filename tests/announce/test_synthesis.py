"""Speech into files: every phrase through espeak-ng where it is installed, the other systems by stand-ins."""

from __future__ import annotations

import array
import json
import os
import subprocess
import sys
import types
import wave
from pathlib import Path
from typing import Any

import pytest

from referee.announce import table
from referee.announce.phrases import Language, phrasebook
from referee.announce.players import wav_seconds
from referee.announce.synthesis import SILENCE_SECONDS, SapiVoice, SayVoice, VoiceError, open_voice, trim
from tests.announce.speaking import silent

EVERY = pytest.mark.parametrize("language", list(Language), ids=str)

SPEAK = """
import json, sys, time
from pathlib import Path
from referee.announce.phrases import Language
from referee.announce.synthesis import VoiceError, open_voice
answers, sys.stdout = sys.stdout, sys.stderr
folder, texts = Path(sys.argv[2]), json.loads(sys.argv[3])
try:
    voice = open_voice(Language(sys.argv[1]), "linux")
except VoiceError as error:
    print(json.dumps({"why": str(error)}), file=answers)
    sys.exit()
times = []
for number, text in enumerate(texts):
    begun = time.perf_counter()
    voice.write(text, folder / f"{number}.wav")
    times.append(time.perf_counter() - begun)
print(json.dumps({"voice": voice.identifier, "times": times}), file=answers)
"""


def _speak(language: Language, texts: list[str], folder: Path) -> dict[str, Any]:
    """Speak ``texts`` into numbered files, in a process of its own as a speech library has to be used."""
    folder.mkdir()
    command = [sys.executable, "-c", SPEAK, str(language), str(folder), json.dumps(texts)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    if "why" in answer:
        silent(answer["why"])
    return answer


def _loudness(wav: Path) -> float:
    with wave.open(str(wav)) as sound:
        samples = array.array("h", sound.readframes(sound.getnframes()))
    return sum(map(abs, samples)) / len(samples)


SPOKEN_IN_ALL = "Ada, Bo, 21."
_SOUNDS: dict[Language, bytes] = {}


@EVERY
def test_phrases_become_sound_of_plausible_length_in_the_right_voice(language: Language, tmp_path: Path) -> None:
    book = phrasebook(language)
    # Every ninth phrase, begun elsewhere in each language: over the four nearly half of the kinds are heard.
    keys = list(book.phrases)[list(Language).index(language) * 2 :: 9]
    texts = [SPOKEN_IN_ALL, *(book.render(key, table.SAMPLE) for key in ("call.stalemate", *keys))]
    answer = _speak(language, texts, tmp_path / "wav")
    assert answer["voice"] == book.espeak
    for number, text in enumerate(texts):
        wav = tmp_path / "wav" / f"{number}.wav"
        assert 0.3 < wav_seconds(wav) < 1.0 + 0.12 * len(text), text
        assert _loudness(wav) > 100, text
    # The same text sounds otherwise in every language.
    sound = (tmp_path / "wav" / "0.wav").read_bytes()
    assert sound not in [other for at, other in _SOUNDS.items() if at is not language]
    _SOUNDS[language] = sound


def test_no_phrase_is_lost_or_repeated(tmp_path: Path) -> None:
    texts = ["Spit!", "Ada wins the game, 45 to 103!"] * 10
    _speak(Language.ENGLISH, texts, tmp_path / "wav")
    seconds = [wav_seconds(tmp_path / "wav" / f"{number}.wav") for number in range(len(texts))]
    assert max(seconds[::2]) < min(seconds[1::2])


class _SapiDriver:
    """What matters of pyttsx3's driver for Windows: files are written at once, the loop runs until it is ended."""

    def __init__(self, proxy: Any) -> None:
        self._proxy = proxy
        self._voice = ""
        self._looping = False

    def destroy(self) -> None:
        pass

    def getProperty(self, name: str) -> Any:
        assert name == "voices"
        voice = types.SimpleNamespace
        return [
            voice(id="HKEY/DAVID", name="David", languages=["en-US"]),
            voice(id="HKEY/PAULINA", name="Paulina", languages=["pl-PL"]),
            voice(id="HKEY/ODD", name="Odd", languages=[]),
        ]

    def setProperty(self, name: str, value: Any) -> None:
        if name == "voice":
            self._voice = value

    def save_to_file(self, text: str, filename: str) -> None:
        with wave.open(filename, "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(22050)
            sound.writeframes(f"{self._voice}: {text}".encode() * 20)

    def stop(self) -> None:
        pass

    def startLoop(self) -> None:
        self._looping = True
        self._proxy.setBusy(False)
        assert not self._looping, "this loop would never end"

    def endLoop(self) -> None:
        self._looping = False


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyttsx3", reason="pyttsx3 of the extra 'speech' is not installed")
    driver = types.ModuleType("pyttsx3.drivers.sapi5")
    driver.__dict__["buildDriver"] = _SapiDriver
    monkeypatch.setitem(sys.modules, "pyttsx3.drivers.sapi5", driver)


@pytest.mark.usefixtures("windows")
def test_windows_says_one_phrase_after_the_other(tmp_path: Path) -> None:
    voice = open_voice(Language.POLISH, "win32")
    assert (voice.identifier, voice.name) == ("HKEY/PAULINA", "Paulina")
    for text in ("Spit!", "Bo: nie teraz.", "Pauza."):
        voice.write(text, tmp_path / "a.wav")
        with wave.open(str(tmp_path / "a.wav")) as sound:
            assert f"HKEY/PAULINA: {text}".encode() in sound.readframes(10**6)


@pytest.mark.usefixtures("windows")
def test_windows_without_the_language_says_what_to_add() -> None:
    with pytest.raises(VoiceError, match="no voice for Svenska: add the language"):
        SapiVoice(phrasebook(Language.SWEDISH))


SAY = """#!{python}
import sys, wave
if sys.argv[1:] == ["-v", "?"]:
    print("Alva                sv_SE    # Hej! Jag heter Alva.")
    print("Bad News            en_US    # Hello! My name is Bad News.")
    print("Joana               pt_PT    # Olá! Chamo-me Joana.")
    print("Luciana             pt_BR    # Olá! Meu nome é Luciana.")
else:
    text = sys.stdin.read()
    sound = wave.open(sys.argv[sys.argv.index("-o") + 1], "wb")
    sound.setparams((1, 2, 22050, 0, "NONE", ""))
    sound.writeframes((sys.argv[2] + ": " + text).encode() * 20)
    sound.close()
"""


@pytest.mark.skipif(os.name != "posix", reason="the stand-in for 'say' is a POSIX script")
def test_macos_uses_its_own_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    say = tmp_path / "say"
    say.write_text(SAY.format(python=sys.executable), encoding="utf-8")
    say.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8")
    assert open_voice(Language.ENGLISH, "darwin").identifier == "Bad News"
    voice = open_voice(Language.PORTUGUESE, "darwin")
    assert voice.identifier == "Luciana"
    voice.write("Atenção [[slnc 9000]]!", tmp_path / "a.wav")
    with wave.open(str(tmp_path / "a.wav")) as sound:
        assert "Luciana: Atenção slnc 9000]]!".encode() in sound.readframes(10**6)
    with pytest.raises(VoiceError, match="no voice for Polski"):
        open_voice(Language.POLISH, "darwin")


def test_macos_without_its_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(VoiceError, match="'say' does not run"):
        SayVoice(phrasebook(Language.ENGLISH))


def test_without_pyttsx3(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyttsx3", None)
    with pytest.raises(VoiceError, match=r"pyttsx3 is not installed; pip install 'spit-referee\[speech\]'"):
        open_voice(Language.ENGLISH, "linux")


def _write(wav: Path, samples: list[int], width: int = 2, channels: int = 1) -> None:
    with wave.open(str(wav), "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(width)
        sound.setframerate(22050)
        sound.writeframes(array.array("h", samples).tobytes())


def test_silence_after_a_phrase_is_cut_and_nothing_of_the_phrase(tmp_path: Path) -> None:
    wav = tmp_path / "phrase.wav"
    for channels in (1, 2):
        spoken = [0] * 5000 + [900, -900] * 5000
        _write(wav, spoken + [20] * 30000, channels=channels)
        trim(wav)
        with wave.open(str(wav)) as sound:
            left = array.array("h", sound.readframes(sound.getnframes()))
        assert list(left[: len(spoken)]) == spoken
        assert 0 < wav_seconds(wav) - len(spoken) / channels / 22050 <= SILENCE_SECONDS + 0.01


def test_a_phrase_that_ends_at_once_and_other_files_stay_as_they_are(tmp_path: Path) -> None:
    wav = tmp_path / "phrase.wav"
    for width in (1, 2):
        _write(wav, [900] * 3000, width)
        before = wav.read_bytes()
        trim(wav)
        assert wav.read_bytes() == before
    wav.write_bytes(b"RIFX no sound")
    trim(wav)
    assert wav.read_bytes() == b"RIFX no sound"
