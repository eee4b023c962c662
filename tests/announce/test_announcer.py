"""The announcer: never waits, survives its voice, and says once what is wrong."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.announce import announcer as module
from referee.announce.announcement import Announcement, announce
from referee.announce.announcer import Announcer
from referee.announce.phrases import Language
from tests.announce import workers

EN = Language.ENGLISH


def _fault(who: str, language: Language = EN) -> Announcement:
    return announce("fault.two_cards", language=language, arguments={"who": who})


SPIT = announce("call.stalemate", language=EN)
WON = announce("news.game_over", language=EN, arguments={"who": "Ada"})
PLAY = announce("commentary.fill", language=EN, arguments={"who": "Ada"})


def _until(true: Callable[[], bool], seconds: float = 8.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.005)


class Ears:
    """What was heard, and what was reported."""

    def __init__(self) -> None:
        self.started: list[str] = []
        self.troubles: list[str] = []

    def listen(self, worker: tuple[str, ...], language: Language = EN) -> Announcer:
        return Announcer(language, self.troubles.append, lambda one: self.started.append(one.text), worker=worker)


@pytest.fixture
def ears() -> Ears:
    return Ears()


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    _until(lambda: not [one for one in threading.enumerate() if one not in before])


def test_says_one_after_the_other(ears: Ears, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with ears.listen(workers.echo(log)) as announcer:
        announcer.say([_fault("Ada"), _fault("Bo")])
        _until(lambda: len(ears.started) == 2)
    assert log.read_text().splitlines() == ["en Ada: two cards at once.", "en Bo: two cards at once."]
    assert ears.troubles == []


def test_closing_says_what_waits_if_it_may(ears: Ears, tmp_path: Path) -> None:
    announcer = ears.listen(workers.echo(tmp_path / "log"))
    announcer.say([WON])
    announcer.close(patience=8.0)
    assert ears.started == ["Ada wins the game!"]


def test_closing_is_quick_though_a_phrase_is_long(ears: Ears, tmp_path: Path) -> None:
    announcer = ears.listen(workers.echo(tmp_path / "log", seconds=30))
    announcer.say([_fault("Ada")])
    _until(lambda: bool(ears.started))
    begun = time.monotonic()
    announcer.close()
    assert time.monotonic() - begun < 4.0


def test_spit_cuts_a_phrase_short(ears: Ears, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with ears.listen(workers.echo(log, seconds=30)) as announcer:
        announcer.say([_fault("Ada")])
        _until(lambda: bool(ears.started))
        announcer.say([_fault("Bo"), SPIT])
        _until(lambda: len(ears.started) == 2)
    assert log.read_text().splitlines()[:3] == ["en Ada: two cards at once.", "stopped", "en Spit!"]


def test_a_fault_put_right_gives_way_to_the_next(ears: Ears, tmp_path: Path) -> None:
    fault = announce("fault.two_hands", language=EN, arguments={"who": "Bo"}, topic="card 9H")
    with ears.listen(workers.echo(tmp_path / "log", seconds=0.1)) as announcer:
        announcer.say([_fault("Ada"), fault])
        announcer.settle(["card 9H"])
        announcer.say([_fault("Cy")])
        _until(lambda: len(ears.started) == 3)
    assert ears.started == ["Ada: two cards at once.", "Cy: two cards at once.", "Bo: only one hand."]


def test_a_fault_gives_way_to_the_next_once_it_is_understood(ears: Ears, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with ears.listen(workers.echo(log, seconds=30)) as announcer:
        announcer.say([_fault("Ada"), _fault("Bo")])
        _until(lambda: len(ears.started) == 2)
    assert log.read_text().splitlines()[:3] == ["en Ada: two cards at once.", "stopped", "en Bo: two cards at once."]


def test_news_that_a_fault_cuts_short_is_said_after_it(ears: Ears, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with ears.listen(workers.echo(log, seconds=0.5)) as announcer:
        announcer.say([WON])
        _until(lambda: bool(ears.started))
        announcer.say([_fault("Bo")])
        _until(lambda: len(ears.started) == 3)
    assert log.read_text().splitlines()[:4] == [
        "en Ada wins the game!",
        "stopped",
        "en Bo: two cards at once.",
        "en Ada wins the game!",
    ]


def test_another_language_gets_another_voice(ears: Ears, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with ears.listen(workers.echo(log)) as announcer:
        announcer.say([_fault("Ada")])
        _until(lambda: len(ears.started) == 1)
        announcer.say([_fault("Ada", Language.SWEDISH)])
        _until(lambda: len(ears.started) == 2)
    assert log.read_text().splitlines() == ["en Ada: two cards at once.", "sv Ada: två kort på en gång."]


def test_a_voice_that_hangs_is_started_again(ears: Ears, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SECONDS_A_PHRASE", 1.0)
    monkeypatch.setattr(module, "SECONDS_A_LETTER", 0.0)
    with ears.listen(workers.hangs_once(tmp_path / "log")) as announcer:
        announcer.say([_fault("Ada"), WON])
        _until(lambda: bool(ears.started))
    # What hung is not tried again: it may be what the voice hangs on.
    assert ears.started == ["Ada wins the game!"]
    assert ears.troubles == []


def test_a_voice_that_dies_says_it_again(ears: Ears, tmp_path: Path) -> None:
    with ears.listen(workers.dies_once(tmp_path / "log")) as announcer:
        announcer.say([WON])
        _until(lambda: bool(ears.started))
    assert ears.started == ["Ada wins the game!"]
    assert ears.troubles == []


def test_a_voice_that_always_dies_is_given_up_and_said_so_once(
    ears: Ears, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PAUSE_SECONDS", 0.01)
    log = tmp_path / "log"
    with ears.listen(workers.dies_always(log)) as announcer:
        _until(lambda: bool(ears.troubles))
        announcer.say([_fault("Ada")])
        time.sleep(0.1)
    assert log.read_text().count("run") == module.MOST_FAILURES
    assert len(ears.troubles) == 1
    assert "nothing more is said aloud" in ears.troubles[0]


def test_no_voice_is_said_once_and_not_tried_again(ears: Ears) -> None:
    with ears.listen(workers.has_no_voice()) as announcer:
        _until(lambda: bool(ears.troubles))
        announcer.say([_fault("Ada"), _fault("Bo")])
        time.sleep(0.1)
    assert ears.troubles == ["no voice: nothing is installed"]


def test_no_device_is_said_once_and_tried_with_every_phrase(ears: Ears) -> None:
    with ears.listen(workers.has_no_device(until=2)) as announcer:
        for who in ("Ada", "Bo", "Cy"):
            announcer.say([_fault(who)])
        _until(lambda: bool(ears.started))
    assert ears.troubles == ["no sound: there is no sound card"]
    assert ears.started == ["Cy: two cards at once."]


def test_a_program_that_is_not_there_is_reported(ears: Ears, tmp_path: Path) -> None:
    with ears.listen((str(tmp_path / "nothing"),)) as announcer:
        announcer.say([_fault("Ada")])
        _until(lambda: bool(ears.troubles))
    assert "does not start" in ears.troubles[0]


def test_nobody_ever_waits_for_the_voice(ears: Ears, tmp_path: Path) -> None:
    with ears.listen(workers.hangs_once(tmp_path / "log")) as announcer:
        announcer.say([_fault("Ada")])
        begun = time.perf_counter()
        for number in range(500):
            announcer.say([_fault(f"player {number}"), PLAY])
            announcer.settle(["card 9H"])
        assert time.perf_counter() - begun < 0.5
