"""The loop: keys from the window, words to the voice, troubles to the screen, and its end."""

from __future__ import annotations

import queue
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from referee.announce.announcement import Announcement, Level
from referee.errors import UserError
from referee.live.film import FilmAsCamera
from referee.live.game import LiveGame, Step
from referee.live.loop import HELP, LETTERS, Outputs, referee_live
from referee.live.overlay import Overlay
from referee.live.pace import Pace
from referee.live.running import Telling, run_game
from referee.live.window import Window
from referee.vision.camera import Camera
from referee.vision.camera_feed import Gap
from referee.vision.frames import Frame, Image
from tests.announce.workers import python
from tests.live.tables import ToldSource, painted, painted_game, plan_of
from tests.vision.fake_camera import FakeCamera, FakeTime, Hang, Picture
from tests.vision.painted import LAYOUT

PATIENCE_S = 20.0


class Keyboard:
    """A window in which keys are pressed, one with each picture."""

    def __init__(self, keys: str) -> None:
        self.keys = list(keys)
        self.shown: list[Image] = []

    def show(self, picture: Image) -> str:
        self.shown.append(picture)
        return self.keys.pop(0).strip("-") if self.keys else ""


class Mouth:
    """A voice that keeps what it is given."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, announcements: tuple[Announcement, ...]) -> None:
        self.said += [one.text for one in announcements]

    def settle(self, topics: tuple[str, ...]) -> None:
        self.said += [f"settled {topic}" for topic in topics]


class Ticking:
    """Every look at it is a tenth of a second later, so that every picture is drawn."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.1
        return self.now


class Evening:
    """What came of a game."""

    def __init__(self, source: object, keys: str = "", troubles: tuple[str, ...] = ()) -> None:
        self.window, self.voice, self.steps = Keyboard(keys), Mouth(), list[Step]()
        self.game: LiveGame = painted_game()
        waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
        for trouble in troubles:
            waiting.put(trouble)
        self.outputs = Outputs(self.window, self.voice, self.steps.append, waiting, threading.Event())
        referee_live(source, self.game, self.outputs, Overlay(LAYOUT.boxes), Ticking())  # type: ignore[arg-type]

    @property
    def notices(self) -> list[str]:
        return [notice for step in self.steps for notice in step.notices]


def test_keys_pause_explain_and_end_the_game() -> None:
    source = ToldSource(list(painted(60)))
    evening = Evening(source, "-- - hq")
    assert evening.voice.said == ["Paused.", "Play on."]
    assert evening.outputs.stop.is_set()
    assert source.closed
    assert len(evening.window.shown) < 60


@pytest.mark.parametrize("key", ["q", "\x1b"])
def test_the_game_ends_with_its_source_or_by_a_key(key: str) -> None:
    # It may be drawn once more before it is known that no frame follows.
    assert len(Evening(ToldSource(list(painted(5)))).window.shown) in (5, 6)
    assert len(Evening(ToldSource(list(painted(5))), f"-{key}").window.shown) == 2


def test_every_key_that_is_heard_is_explained_and_no_other() -> None:
    names = {"space": " "} | {letter: letter for letter in "usnhq"}
    assert {names[key] for key, _ in HELP} == {*LETTERS, "h", "q"}
    source = ToldSource(list(painted(60)))
    evening = Evening(source, "-u-s-n-q")
    assert evening.notices == ["There is no ruling to take back."]
    assert evening.voice.said == ["Ada and Bo: the cards are not dealt yet.", "New round: deal the cards."]


def test_troubles_of_the_voice_are_shown_once() -> None:
    evening = Evening(ToldSource(list(painted(3))), troubles=("no sound", "no sound", "no voice"))
    assert evening.notices == ["no sound", "no voice"]


def test_a_computer_that_is_too_slow_is_told_once() -> None:
    class Rushing(ToldSource):
        """Two pictures of three come while the referee is busy."""

        def read(self) -> Frame | None:
            self.drops += 2
            return super().read()

    [told] = Evening(Rushing(list(painted(120)))).notices
    assert "does not keep up" in told


def test_some_pictures_may_be_missed() -> None:
    pace = Pace()
    told = [pace.look(number / 24, 1, number // 5) for number in range(400)]
    assert not any(told)


def test_gaps_of_the_source_are_said() -> None:
    source = ToldSource(list(painted(3)))
    source.gaps = (Gap(0.01, 0.05, "its picture stands still"),)
    evening = Evening(source)
    assert evening.voice.said == ["The camera does not answer. Please stop.", "The camera is back."]


def test_a_camera_that_hangs_is_said_while_it_hangs_and_the_game_can_be_ended() -> None:
    time_ = FakeTime()
    fake = FakeCamera(time_, [[Picture(0, of_itself=True), Picture(1, of_itself=True), Hang(60.0)]])
    camera = Camera("camera 0", fake.open, clock=time_.clock, pause=time_.pause)

    class Patient(Keyboard):
        """Quits once the camera was said to be lost."""

        def show(self, picture: Image) -> str:
            super().show(picture)
            return "q" if any("does not answer" in text for text in evening_voice.said) else ""

    evening_voice, steps = Mouth(), list[Step]()
    outputs = Outputs(Patient(""), evening_voice, steps.append, queue.SimpleQueue(), threading.Event())
    game = painted_game()
    try:
        referee_live(camera, game, outputs, Overlay(LAYOUT.boxes), Ticking())
    finally:
        fake.free()
    assert evening_voice.said[0] == "The camera does not answer. Please stop."
    assert any("The camera is lost" in notice for step in steps for notice in step.notices)


def test_what_breaks_the_source_ends_the_game_and_lets_go_of_it() -> None:
    source = ToldSource(list(painted(2)))

    def broken() -> None:
        raise UserError("the address is wrong")

    source.read = broken  # type: ignore[assignment]  # a source that fails at once
    with pytest.raises(UserError, match="address"):
        Evening(source)
    assert source.closed


def test_without_a_display_no_window_is_opened() -> None:
    with pytest.raises(UserError, match="there is no display"):
        Window({}, "linux")


def test_a_display_that_kills_its_users_is_found_out_in_another_process() -> None:
    with pytest.raises(UserError, match="cannot be used"):
        Window({"DISPLAY": ":9999", "PATH": "/usr/bin:/bin", "QT_QPA_PLATFORM": "xcb"}, "linux")


class Hurrying(Ticking):
    """Recordings are over at once."""

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def test_without_a_voice_it_is_told_once_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    notices = list[str]()

    class Held(FilmAsCamera):
        """Shows its second picture only once something was told."""

        def read(self) -> Frame | None:
            frame = super().read()
            deadline = time.monotonic() + PATIENCE_S
            while frame is not None and frame.index and not notices and time.monotonic() < deadline:
                # Somebody who waits for a frame looks after the voice meanwhile.
                time.sleep(0.02)
            return frame

    monkeypatch.setattr("referee.live.running.FilmAsCamera", lambda film: Held(film, Hurrying()))
    worker = python('tell("failed", why="there is no voice for en", fatal=True)\n')
    plan = plan_of("calm", None, Level.ALL, worker)
    outcome = run_game(plan, Telling(lambda step, _names: notices.extend(step.notices), notices.append))
    assert outcome.files == ()
    # This machine may be busy.
    heard = [notice for notice in notices if "keep up" not in notice]
    assert heard == ["Nothing can be heard: there is no voice for en"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there always is a display")
def test_a_window_that_cannot_be_opened_is_told_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.live.running.FilmAsCamera", lambda film: FilmAsCamera(film, Hurrying()))
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    sentences = list[str]()
    plan = replace(plan_of("calm", tmp_path / "game"), window=True)
    outcome = run_game(plan, Telling(lambda _step, _names: None, sentences.append))
    assert [path.name for path in outcome.files] == ["game.result.jsonl", "game.spit", "game.html"]
    assert all(path.exists() for path in outcome.files)
    assert sentences == ["No window can be opened (there is no display): rulings are printed here."]
