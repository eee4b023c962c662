"""A live game without window, voice or clock: what is said, shown and kept of frames, keys and troubles."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from referee.announce.announcement import Level
from referee.announce.phrases import Language
from referee.live.game import FRESH_S, LiveGame, Step
from referee.live.scene import Light, light_of
from referee.readings import Disturbance
from referee.record import keeper as keeper_module
from referee.record.entries import CameraGap, Key, Looked, Pressed
from referee.record.journal import JOURNAL, read_journal
from referee.record.keeper import GameKeeper
from referee.record.recorder import Recorder
from referee.record.result import result_lines, write_line
from referee.record.segments import SegmentWriter
from referee.record.sight import sights_of
from referee.rules.ruleset import build
from referee.rules.state import Phase
from referee.session import Session
from referee.tracking.results import result_event
from referee.vision.camera_feed import Gap
from referee.vision.frames import Frame
from tests.live.tables import (
    NAMES,
    frames_of,
    game_of,
    header,
    painted,
    painted_game,
    painted_table,
    table_of,
    truth,
)
from tests.record.again import result_again
from tests.record.games import PLENTY
from tests.vision.truth_reader import TruthReader


@pytest.fixture(autouse=True)
def _room_on_every_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        keeper_module, "Recorder", lambda folder, journal: Recorder(folder, journal, free=lambda _: PLENTY)
    )


def texts(step: Step) -> list[str]:
    return [one.text for one in step.announcements]


def test_what_is_said_live_is_what_a_replay_says_and_the_journal_repeats(tmp_path: Path) -> None:
    shown, table = frames_of("faults", 110), table_of("faults")
    replayed = Session(build(), table.layout, table.view, TruthReader(truth("faults")))
    expected = [commit for frame in shown for commit in replayed.push(frame).commits] + [*replayed.finish()]
    with GameKeeper.begin(tmp_path / "game", header(table)) as keeper:
        game = game_of("faults", keeper)
        steps = [game.watch(frame) for frame in shown] + [game.finish()]
    events = [result_event(commit, NAMES) for step in steps for commit in step.commits]
    assert events == [result_event(commit, NAMES) for commit in expected]
    assert [commit for step in steps for commit in step.commits] == list(game.commits.values())
    assert len(events) > 4
    journal = read_journal(tmp_path / "game" / JOURNAL)
    assert result_again(journal, "it") == result_lines(journal, "it")
    assert game.stills.keys() == game.commits.keys()
    assert any(game.stills.values())


def test_a_fault_is_said_and_shown_in_red() -> None:
    game = game_of("faults", level=Level.FAULTS)
    spoken: list[str] = []
    red = 0
    for frame in frames_of("faults", 110):
        step = game.watch(frame)
        spoken += texts(step)
        illegal = [one for one in step.commits if one.ruling is not None and not one.ruling.legal]
        if illegal and illegal[0].action is not None:
            scene = game.scene(30.0, 0, ())
            assert scene.light is Light.RED
            assert Light.RED in {line.light for line in scene.lines}
            assert illegal[0].action.target in {zone.zone for zone in scene.zones if zone.light is Light.RED}
            red += 1
    assert red
    assert len(spoken) <= red


def test_the_scene_counts_the_ledger_and_agrees_with_what_is_read() -> None:
    game = game_of("calm")
    for frame in frames_of("calm", 40):
        game.watch(frame)
    scene = game.scene(29.5, 3, (("q", "quit"),))
    assert [(player.name, player.stock, player.reserve) for player in scene.players] == [
        ("Ada", 15, 11), ("Bo", 15, 11),
    ]  # fmt: skip
    assert scene.where == "Round 1: ready to spit"
    at_rest = {shown.zone.name: shown for shown in scene.zones}
    assert at_rest["A1"].label == "8♦"
    assert at_rest["A1"].light is Light.GREEN
    assert at_rest["AR"].label == "back"
    assert (scene.rate, scene.drops, scene.keys) == (29.5, 3, (("q", "quit"),))


def test_rulings_are_shown_in_the_language_that_is_spoken() -> None:
    game = game_of("faults", language=Language.SWEDISH, level=Level.OFF)
    lines = set()
    for frame in frames_of("faults", 110):
        assert game.watch(frame).announcements == ()
        lines.update(line.text for line in game.scene(0, 0, ()).lines)
    assert any("ess" in line for line in lines), lines


def paused(game: LiveGame) -> Step:
    return game.press(Key.PAUSE)


def test_a_pause_is_said_nothing_is_judged_in_it_and_it_is_a_gap(tmp_path: Path) -> None:
    with GameKeeper.begin(tmp_path / "game", header(painted_table())) as keeper:
        game = painted_game(keeper)
        shown = list(painted(90))
        for frame in shown[:30]:
            game.watch(frame)
        assert texts(paused(game)) == ["Paused."]
        assert "Paused" in game.scene(0, 0, ()).notice
        assert game.scene(0, 0, ()).light is Light.AMBER
        steps = [game.watch(frame) for frame in shown[30:60]]
        assert [commit for step in steps for commit in step.commits] == []
        assert texts(paused(game)) == ["Play on."]
        steps = [game.watch(frame) for frame in shown[60:]]
        assert [commit.detail for step in steps for commit in step.commits] == ["gap"]
        assert [text for step in steps for text in texts(step)] == []
        assert game.scene(0, 0, ()).notice == ""
        game.finish()
    journal = read_journal(tmp_path / "game" / JOURNAL)
    keys = [entry.key for entry in journal.entries if isinstance(entry, Pressed)]
    assert keys == [Key.PAUSE, Key.RESUME]
    [gap] = [entry for entry in journal.entries if isinstance(entry, Disturbance)]
    assert (gap.what, gap.t_from) == ("gap", shown[29].t)
    assert result_again(journal, "it") == result_lines(journal, "it")


def test_a_moved_camera_stops_judging_until_the_table_lies_still_in_its_new_place(tmp_path: Path) -> None:
    with GameKeeper.begin(tmp_path / "game", header(painted_table())) as keeper:
        game = painted_game(keeper)
        before = game.view
        spoken = [text for frame in painted(30) for text in texts(game.watch(frame))]
        assert spoken == []
        details = []
        for frame in painted(60, first=30, dx=25):
            step = game.watch(frame)
            spoken += texts(step)
            details += [commit.detail for commit in step.commits]
        game.finish()
    assert spoken == ["The camera moved. Please wait.", "Play on."]
    assert details == ["camera moved"]
    shift = game.view.to_image([[450.0, 300.0]]) - before.to_image([[450.0, 300.0]])
    assert shift[0].tolist() == pytest.approx([25, 0], abs=1.0)
    (since, first), (moved, second) = sights_of(read_journal(tmp_path / "game" / JOURNAL), "it")
    assert since == 0.0
    assert 1.0 < moved < 3.0
    for sight, view in ((first, before), (second, game.view)):
        assert sight.view.to_image([[450.0, 300.0]]) == pytest.approx(view.to_image([[450.0, 300.0]]), abs=1e-6)


def test_a_lost_camera_is_said_and_shown_until_it_is_back(tmp_path: Path) -> None:
    with GameKeeper.begin(tmp_path / "game", header(painted_table())) as keeper:
        game = painted_game(keeper)
        for frame in painted(3):
            game.watch(frame)
        assert texts(game.camera(())) == []
        lost = game.camera([Gap(0.1, None, "it gives no pictures")])
        assert texts(lost) == ["The camera does not answer. Please stop."]
        assert lost.notices == ("The camera is lost: it gives no pictures.",)
        assert game.camera([Gap(0.1, None, "it gives no pictures")]) == Step()
        assert game.scene(0, 0, ()).notice == "The camera is lost: it gives no pictures."
        assert texts(game.camera([Gap(0.1, 5.0, "it gives no pictures")])) == ["The camera is back."]
        assert game.scene(0, 0, ()).notice == ""
        assert game.camera([Gap(0.1, 5.0, "it gives no pictures")]) == Step()
        # Lost and found between two looks: both are told, in order.
        both = game.camera([Gap(0.1, 5.0, "x"), Gap(6.0, 8.0, "its picture stands still")])
        assert texts(both) == ["The camera does not answer. Please stop.", "The camera is back."]
    gaps = [entry for entry in read_journal(tmp_path / "game" / JOURNAL).entries if isinstance(entry, CameraGap)]
    assert gaps == [CameraGap(0.1, 5.0, "it gives no pictures"), CameraGap(6.0, 8.0, "its picture stands still")]


def test_a_full_disk_is_said_once_and_refereeing_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper_module, "Recorder", lambda folder, journal: Recorder(folder, journal, free=lambda _: 7))
    with GameKeeper.begin(tmp_path / "game", header(painted_table())) as keeper:
        game = painted_game(keeper)
        shown = painted(40)
        step = game.watch(next(shown))
        keeper._recorder._thread.join(5.0)
        steps = [step, *(game.watch(frame) for frame in shown)]
        game.finish()
    assert [text for step in steps for text in texts(step)] == ["The disk is nearly full: I referee on without video."]
    [notice] = [notice for step in steps for notice in step.notices]
    assert "refereeing goes on" in notice
    assert (tmp_path / "game" / "game.result.jsonl").exists()


@pytest.mark.parametrize(
    ("error", "spoken"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "The disk is nearly full: I referee on without video."),
        (OSError(errno.EIO, "Input/output error"), "The recording has stopped: I referee on without video."),
        (RuntimeError("the encoder died"), "The recording has stopped: I referee on without video."),
    ],
)
def test_a_recording_that_fails_is_said_once_as_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, spoken: str
) -> None:
    def failing(_segment: SegmentWriter, _frame: Frame, _data: bytes | None = None) -> None:
        raise error

    monkeypatch.setattr(SegmentWriter, "write", failing)
    with GameKeeper.begin(tmp_path / "game", header(painted_table())) as keeper:
        game = painted_game(keeper)
        shown = painted(40)
        step = game.watch(next(shown))
        keeper._recorder._thread.join(5.0)
        steps = [step, *(game.watch(frame) for frame in shown)]
        game.finish()
    assert [text for step in steps for text in texts(step)] == [spoken]
    [notice] = [notice for step in steps for notice in step.notices]
    assert "refereeing goes on" in notice
    assert (tmp_path / "game" / "game.result.jsonl").exists()


def test_a_journal_that_cannot_be_written_is_said_once_and_written_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    full = [False]

    def writing(file: int, data: bytes) -> int:
        if full[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, data)

    monkeypatch.setattr("referee.record.journal.os.write", writing)
    with GameKeeper.begin(tmp_path / "game", header(painted_table())) as keeper:
        game = painted_game(keeper)
        shown = list(painted(30))
        game.watch(shown[0])
        full[0] = True
        steps = [game.watch(frame) for frame in shown[1:20]]
        full[0] = False
        steps += [game.watch(frame) for frame in shown[20:]]
    spoken = [text for step in steps for text in texts(step)]
    assert "I cannot write the game down: please check the disk." in spoken
    assert len(spoken) == len(set(spoken))
    looked = [one for one in read_journal(tmp_path / "game" / JOURNAL).entries if isinstance(one, Looked)]
    assert [one.frame for one in looked] == list(range(30))


def test_a_trouble_is_shown_once_and_passes() -> None:
    game = painted_game()
    game.watch(next(painted(1)))
    assert game.trouble("Nothing can be heard: no voice.").notices == ("Nothing can be heard: no voice.",)
    assert game.trouble("Nothing can be heard: no voice.") == Step()
    assert game.scene(0, 0, ()).notice == "Nothing can be heard: no voice."
    [later] = painted(1, first=600)
    game.watch(later)
    assert game.scene(0, 0, ()).notice == ""


def test_what_the_players_tell_counts_from_the_next_frame_and_the_journal_repeats_it(tmp_path: Path) -> None:
    with GameKeeper.begin(tmp_path / "game", header(table_of("faults"))) as keeper:
        game = game_of("faults", keeper)
        steps: list[Step] = []
        shown = iter(frames_of("faults", 140))
        for frame in shown:
            steps.append(game.watch(frame))
            if any(light_of(commit) is Light.RED for commit in steps[-1].commits):
                break
        fault = next(commit for commit in steps[-1].commits if light_of(commit) is Light.RED)
        assert game.scene(0, 0, ()).light is Light.RED
        assert game.press(Key.UNDO) == Step()
        taken = game.watch(next(shown))
        assert "Taken back." in texts(taken)
        assert fault.number in {commit.corrects for commit in taken.commits}
        scene = game.scene(0, 0, ())
        assert scene.light is not Light.RED
        assert any(line.text.startswith("Taken back. Bo: ") for line in scene.lines), scene.lines
        steps += [taken, *(game.watch(frame) for frame in list(shown)[:25])]
        game.press(Key.NEW_ROUND)
        dealing = game.watch(frames_of("faults", 170)[-1])
        assert texts(dealing)[0] == "New round: deal the cards."
        assert not any("over" in text for text in texts(dealing))
        steps += [dealing, game.finish()]
    journal = read_journal(tmp_path / "game" / JOURNAL)
    assert [one.key for one in journal.entries if isinstance(one, Pressed)] == [Key.UNDO, Key.NEW_ROUND]
    events = [write_line(result_event(commit, NAMES)) for step in steps for commit in step.commits]
    assert result_again(journal, "it")[1:] == events
    assert result_lines(journal, "it")[1:] == events


def test_what_changes_nothing_is_answered_on_the_screen() -> None:
    game = painted_game()
    shown = painted(4)
    game.watch(next(shown))
    for _ in range(2):
        game.press(Key.UNDO)
        step = game.watch(next(shown))
        assert texts(step) == []
        assert list(step.notices) == ["There is no ruling to take back."]
        assert game.scene(0, 0, ()).notice == "There is no ruling to take back."


def test_both_may_agree_to_spit_only_once_the_cards_are_dealt() -> None:
    game = painted_game()
    shown = painted(2)
    game.watch(next(shown))
    game.press(Key.SPIT)
    assert texts(game.watch(next(shown))) == ["Ada and Bo: the cards are not dealt yet."]


def test_a_round_begins_on_the_count_when_both_say_that_they_are_ready() -> None:
    game = game_of("calm")
    shown = iter(frames_of("calm", 30))
    while game._session.position.sides[0].phase is not Phase.BEFORE_SPIT:
        game.watch(next(shown))
    game.press(Key.SPIT)
    assert "Three, two, one, spit!" in texts(game.watch(next(shown)))


def test_what_both_agreed_on_already_is_answered_on_the_screen() -> None:
    game = game_of("calm")
    shown = iter(frames_of("calm", 150))
    while game._session.position.sides[0].phase is not Phase.PLAY:
        game.watch(next(shown))
    game.press(Key.SPIT)
    assert "Agreed: spit!" in texts(game.watch(next(shown)))
    game.press(Key.SPIT)
    step = game.watch(next(shown))
    assert "Agreed: spit!" not in texts(step)
    assert step.notices == ("That both want to spit changes nothing now.",)


def test_doubts_fade_from_the_light_after_a_while() -> None:
    game = painted_game()
    shown = painted(round(4 * FRESH_S) + 6, rate=4.0)
    game.watch(next(shown))
    paused(game), paused(game)
    game.watch(next(shown))
    assert game.scene(0, 0, ()).light is Light.AMBER
    for frame in shown:
        game.watch(frame)
    assert game.scene(0, 0, ()).light is Light.GREEN
