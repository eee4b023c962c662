"""``referee watch`` and ``referee demo``: what they ask for, print and leave behind."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from referee.announce.announcement import announce
from referee.announce.phrases import Language
from referee.calibrate.saved_table import as_corners
from referee.calibrate.tables import save_table
from referee.commands import demo, watch
from referee.errors import UserError
from referee.live.film import FilmAsCamera
from referee.live.game import Step
from referee.live.running import Telling, run_game
from referee.readings import EMPTY, OUTCOMES, Reading, Sight
from referee.record.entries import Ended, Moved
from referee.record.journal import JOURNAL, read_journal
from referee.record.keeper import GameKeeper
from referee.resources import shipped
from referee.table import TableLayout
from referee.vision.frames import Image
from referee.vision.rectify import TableView
from referee.vision.zone_reading import ReadsZones
from tests.live.tables import CLIPS, header, nothing, plan_of, table_of, truth
from tests.live.test_loop import Hurrying
from tests.report.games import refereed


class Blank:
    """A card reader to which every place is empty."""

    model = SimpleNamespace(checksum="blank")

    def __init__(self, _model: Path | None) -> None:
        pass

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        logs = np.full(OUTCOMES, np.log(0.01 / OUTCOMES), np.float32)
        logs[EMPTY] = np.log(0.99)
        return [Reading(Sight.EMPTY, logs, 0.0, None, None) for _ in crops]


@pytest.fixture(autouse=True)
def _over_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("referee.vision.reader.CardReader", Blank)
    monkeypatch.setattr("referee.live.running.FilmAsCamera", lambda film: FilmAsCamera(film, Hurrying()))
    monkeypatch.setenv("REFEREE_TABLES", str(tmp_path / "tables"))
    monkeypatch.chdir(tmp_path)


def run(module: Any, *argv: object) -> int:
    parser = argparse.ArgumentParser()
    module.add(parser.add_subparsers())
    args = parser.parse_args([str(one) for one in argv])
    return int(args.run(args))


QUIET = ("--no-window", "--speak", "off")
CALM = ("--camera", CLIPS / "calm.mp4")


@pytest.mark.parametrize(
    ("argv", "complaint"),
    [
        ((), "where the table lies"),
        (("--table", "kitchen"), "no table 'kitchen'"),
        (("--table", "kitchen", "--corners", "1,1 2,1 2,2 1,2"), "--table says where everything lies"),
        (("--zones", truth("calm"), "--names", "Ada"), "names of two players"),
        (("--zones", truth("calm"), "--ruleset", "chess"), "chess"),
        (("--zones", truth("calm"), "--lang", "tlh"), "no phrases in 'tlh'"),
        (("--zones", truth("calm"), "--speak", "loud"), "'loud' is not how much"),
        (("--resume", "nowhere"), "there is no game in nowhere"),
        (("--zones", truth("calm"), "--camera", "none.mp4"), "none.mp4"),
    ],
)
def test_what_is_missing_or_wrong_is_told(argv: Sequence[object], complaint: str) -> None:
    with pytest.raises(UserError, match=complaint):
        run(watch, "watch", *QUIET, *CALM, *argv)
    assert not Path("games").exists()


def test_a_game_on_a_kept_table_goes_into_a_folder_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    Path("tables").mkdir()
    save_table(table_of("calm"), "kitchen")
    assert run(watch, "watch", *CALM, *QUIET, "--table", "kitchen", "--names", "Łucja,Bo") == 0
    [folder] = Path("games").iterdir()
    printed = capsys.readouterr().out
    assert "0 rulings, 0 illegal, 0 undecided" in printed
    for name in ("game.result.jsonl", "game.spit", "game.html"):
        assert str(folder / name) in printed
        assert (folder / name).exists()
    header = read_journal(folder / JOURNAL).header
    assert (header.names, header.model, header.rules, header.size) == (("Łucja", "Bo"), "blank", "house", (1280, 720))


def test_games_begun_within_the_same_second_have_folders_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.strftime", lambda _form: "2026-05-01-203000")
    for _ in range(2):
        assert run(watch, "watch", *CALM, *QUIET, "--zones", truth("calm")) == 0
    names = sorted(folder.name for folder in Path("games").iterdir())
    assert names == ["2026-05-01-203000", "2026-05-01-203000-2"]
    assert all(Path("games", name, "game.html").exists() for name in names)


def test_nothing_is_kept_where_nothing_is_wanted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(watch, "watch", *CALM, *QUIET, "--zones", truth("calm"), "--no-record") == 0
    assert list(tmp_path.iterdir()) == []
    assert "rulings" in capsys.readouterr().out


def test_where_the_report_cannot_be_written_it_is_told_how_to_have_it_later(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, _content: object) -> None:
        raise UserError(f"cannot write {path}: No space left on device")

    monkeypatch.setattr("referee.live.closing.write_whole", full)
    with pytest.raises(UserError, match=r"No space left on device.* 'referee replay game'"):
        run(watch, "watch", *CALM, *QUIET, "--zones", truth("calm"), "--record", "game")
    assert any(isinstance(entry, Ended) for entry in read_journal(Path("game", JOURNAL)).entries)


def test_a_game_is_not_recorded_over_another() -> None:
    game = (*CALM, *QUIET, "--zones", truth("calm"), "--record", "game")
    assert run(watch, "watch", *game) == 0
    with pytest.raises(UserError, match="another game"):
        run(watch, "watch", *game)
    with pytest.raises(UserError, match="came to its end"):
        run(watch, "watch", *CALM, *QUIET, "--resume", "game")


def test_a_game_is_gone_on_with_where_the_table_was_moved_to(tmp_path: Path) -> None:
    table = table_of("calm")
    corners = as_corners(np.asarray(table.corners) + np.array([17.0, 9.0]))
    with GameKeeper.begin(tmp_path / "game", header(table)) as keeper:
        keeper.told(Moved(0.5, corners))
    views: list[TableView] = []

    def reading(layout: TableLayout, view: TableView) -> ReadsZones:
        views.append(view)
        return nothing(layout, view)

    plan = replace(plan_of("calm", tmp_path / "game"), game=None, reading=reading)
    run_game(plan, Telling(lambda *_: None, lambda _: None))
    assert views[0].to_image([[0.0, 0.0]])[0] == pytest.approx(corners[0])


def test_the_demonstration_ships_and_leaves_its_files_where_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    film = shipped("demo", "game.mp4")
    assert film.stat().st_size < 2_000_000
    assert run(demo, "demo", *QUIET, "--out", "out") == 0
    printed = capsys.readouterr().out
    assert "It is kept in out." in printed
    assert str(Path("out") / "game.html") in printed
    assert Path("out", "game.html").exists()


def test_rulings_are_printed_with_time_and_laws_and_so_is_what_the_referee_says_of_itself() -> None:
    commits = refereed("faults")
    found = watch.lines(Step(commits), ("Ada", "Bo"))
    assert any(line.startswith("0:02.27 ! Bo plays A♦ on C2: illegal") and line.endswith("]") for line in found)
    assert any(line.startswith("0:0") and " ! " not in line for line in found)
    step = Step(announcements=(announce("trouble.paused", language=Language.ENGLISH),), notices=("No voice.",))
    assert [line.strip() for line in watch.lines(step, ("Ada", "Bo"))] == ["Paused.", "No voice."]
