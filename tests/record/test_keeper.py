"""A game kept while it is refereed is refereed alike from its journal alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.errors import UserError
from referee.readings import Evidence, ZoneChange
from referee.record import keeper as keeper_module
from referee.record.entries import CameraGap, Header, Key, Pressed, Resumed
from referee.record.folder import GameFolder
from referee.record.journal import JOURNAL, read_journal
from referee.record.keeper import GAP_S, TABLE, GameKeeper
from referee.record.recorder import Recorder
from referee.record.refereed import read_game, read_result
from referee.record.rehearsal import decoder_of, rehearsed
from referee.record.result import RESULT, result_lines
from referee.rules import build
from referee.rules.contract import read_events
from referee.simulate.seen import FAIR, IDEAL, Eyes, watch
from referee.tracking.decoder import Decoder
from referee.tracking.results import result_event
from referee.vision.frames import Frame
from tests.record.again import result_again
from tests.record.games import HEADER, LAYOUT, PLENTY
from tests.record.test_dispute import FOOTAGE
from tests.vision.films import everything, numbered

HOUSE = replace(HEADER, rules="house")


@pytest.fixture(autouse=True)
def _room_on_every_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        keeper_module, "Recorder", lambda folder, journal: Recorder(folder, journal, free=lambda _: PLENTY)
    )


def evidence(name: str, eyes: Eyes, seed: int) -> list[Evidence]:
    record = read_events((FOOTAGE / f"{name}.truth.jsonl").read_text(encoding="utf-8"))
    actions = [line.action for line in record.lines]
    return watch(actions, tuple(LAYOUT.boxes), eyes, Random(seed))


def frame_by_frame(seen: Iterable[Evidence], seconds: float) -> Iterator[tuple[Frame, list[Evidence]]]:
    """What is seen, told with the first frame after it became known."""
    waiting = list(seen)
    for number in range(round(seconds * 30)):
        t = number / 30
        due = [one for one in waiting if (one.t_seen if isinstance(one, ZoneChange) else one.t_to) <= t]
        waiting = [one for one in waiting if one not in due]
        yield Frame(number, t, numbered(number % 256)), due


def referee_live(
    keeper: GameKeeper, decoder: Decoder, frames: Iterable[tuple[Frame, list[Evidence]]]
) -> list[dict[str, Any]]:
    """What a session does with each frame; returns what was said."""
    said = []
    for frame, due in frames:
        frame = keeper.on_game_clock(frame)
        commits = [commit for one in due for commit in decoder.push(one)] + decoder.advance(frame.t)
        events = [result_event(commit, HOUSE.names) for commit in commits]
        keeper.watched(frame, due, events)
        said += events
    return said


@pytest.mark.parametrize(("name", "eyes", "seed"), [("calm", IDEAL, 1), ("faults", FAIR, 2), ("stalemate", FAIR, 3)])
def test_the_journal_alone_gives_the_same_result_byte_for_byte(
    tmp_path: Path, name: str, eyes: Eyes, seed: int
) -> None:
    decoder = Decoder(build("house"), tuple(LAYOUT.boxes))
    with GameKeeper.begin(tmp_path, HOUSE) as keeper:
        said = referee_live(keeper, decoder, frame_by_frame(evidence(name, eyes, seed), 12.0))
        last = [result_event(commit, HOUSE.names) for commit in decoder.finish()]
        keeper.finish([], last)
    journal = read_journal(tmp_path / JOURNAL)
    again = result_again(journal, "it")
    assert len(again) > 10
    assert again == result_lines(journal, "it")
    assert again[1:] == [json.dumps(event, ensure_ascii=False) for event in [*said, *last]]
    assert (tmp_path / RESULT).read_text(encoding="utf-8").splitlines() == again


def test_a_kept_game_has_all_it_needs(tmp_path: Path) -> None:
    folder = tmp_path / "games" / "friday"
    with GameKeeper.begin(folder, HOUSE) as keeper:
        decoder = decoder_of(read_journal(folder / JOURNAL), "it")
        referee_live(keeper, decoder, frame_by_frame(evidence("calm", IDEAL, 1), 3.0))
        keeper.told(Pressed(2.0, Key.PAUSE))
        keeper.told(CameraGap(2.0, 2.5, "it gives no pictures"))
        keeper.finish([], [])
        assert keeper.faults == ()
    assert sorted(path.name for path in folder.iterdir() if path.suffix != ".index") == [
        "film-00001.mkv", RESULT, JOURNAL, TABLE,
    ]  # fmt: skip
    assert (folder / TABLE).read_text(encoding="utf-8") == HOUSE.table
    with GameFolder(folder) as game:
        assert len(everything(game)) == 90 - keeper.left_out
    kinds = [type(entry) for entry in read_journal(folder / JOURNAL).entries]
    assert Pressed in kinds
    assert CameraGap in kinds
    result, journal = read_result(folder / RESULT), read_game(read_journal(folder / JOURNAL), "it")
    assert result.header == journal.header
    assert [said.event for said in result.said] == [said.event for said in journal.said]
    assert result.said


def test_a_game_broken_off_goes_on_where_it_was(tmp_path: Path) -> None:
    frames = list(frame_by_frame(evidence("calm", IDEAL, 1), 6.0))
    with GameKeeper.begin(tmp_path, HOUSE) as keeper:
        live = Decoder(build("house"), tuple(LAYOUT.boxes))
        said = referee_live(keeper, live, frames)
    assert not (tmp_path / RESULT).exists()

    resumed, before = GameKeeper.resume(tmp_path)
    with resumed:
        decoder = decoder_of(before, "it")
        again = [result_event(commit, HOUSE.names) for commit in rehearsed(before, decoder)]
        assert again == said
        assert decoder.position == live.position
        assert (resumed.t, resumed.frame) == (frames[-1][0].t + GAP_S, 180)
        shot = resumed.on_game_clock(Frame(2, 0.1, numbered(7)))
        assert (shot.index, shot.t) == (182, pytest.approx(frames[-1][0].t + GAP_S + 0.1))
        resumed.watched(shot, [], [])
        resumed.finish([], [])
    assert Resumed(resumed.t) in read_journal(tmp_path / JOURNAL).entries
    with GameFolder(tmp_path) as game:
        assert everything(game)[-1].t == shot.t
    with pytest.raises(UserError, match="came to its end"):
        GameKeeper.resume(tmp_path)


def test_a_game_broken_off_before_its_first_frame_begins_anew(tmp_path: Path) -> None:
    GameKeeper.begin(tmp_path, HOUSE).close()
    keeper, _ = GameKeeper.resume(tmp_path)
    with keeper:
        frame = Frame(0, 0.0, numbered(0))
        assert keeper.on_game_clock(frame) is frame


def test_a_folder_in_use_or_in_the_way_is_told(tmp_path: Path) -> None:
    GameKeeper.begin(tmp_path / "friday", HOUSE).close()
    with pytest.raises(UserError, match="another game"):
        GameKeeper.begin(tmp_path / "friday", HOUSE)
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="cannot write into"):
        GameKeeper.begin(tmp_path / "file", HOUSE)
    with pytest.raises(UserError, match="there is no game in"):
        GameKeeper.resume(tmp_path / "none")


@pytest.mark.parametrize(
    ("header", "complaint"),
    [(replace(HOUSE, rules="chess"), "chess"), (replace(HOUSE, table="version = 2\n"), "the table of it")],
)
def test_a_journal_of_a_table_or_law_that_cannot_be_is_told(tmp_path: Path, header: Header, complaint: str) -> None:
    GameKeeper.begin(tmp_path, header).close()
    with pytest.raises(UserError, match=complaint):
        decoder_of(read_journal(tmp_path / JOURNAL), "it")
    if complaint == "chess":
        with pytest.raises(UserError, match=complaint):
            read_game(read_journal(tmp_path / JOURNAL), "it")
