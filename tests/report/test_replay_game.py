"""``referee replay`` of recorded games: from the journal, under another law, from the pictures."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import pytest

from referee.commands import replay
from referee.errors import UserError
from referee.record import keeper as keeper_module
from referee.record.entries import Key
from referee.record.keeper import GameKeeper
from referee.record.recorder import Recorder
from referee.report.differing import differences
from referee.rules.record import parse_record
from tests.live.tables import frames_of, game_of, header, table_of, truth
from tests.record.games import PLENTY
from tests.vision.truth_reader import TruthReader


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded game in which a fault was taken back and a pause made."""
    folder = tmp_path_factory.mktemp("games") / "friday"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            keeper_module, "Recorder", lambda folder, journal: Recorder(folder, journal, free=lambda _: PLENTY)
        )
        # No picture is left out, however busy this machine is.
        patch.setattr("referee.record.recorder.BEHIND_S", 1e9)
        with GameKeeper.begin(folder, header(table_of("faults"))) as keeper:
            game = game_of("faults", keeper)
            for frame in frames_of("faults", 150):
                game.watch(frame)
                if frame.index == 110:
                    game.press(Key.UNDO)
                if frame.index in (125, 130):
                    game.press(Key.PAUSE)
            game.finish()
    return folder


def run(*argv: object) -> int:
    parser = argparse.ArgumentParser()
    replay.add(parser.add_subparsers())
    args = parser.parse_args(["replay", *map(str, argv)])
    code: int = args.run(args)
    return code


def test_a_recorded_game_is_ruled_byte_for_byte_as_at_the_table(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(played, "--out", tmp_path / "again") == 0
    assert "all as it was ruled at the table" in capsys.readouterr().out
    again = (tmp_path / "again" / "friday.result.jsonl").read_bytes()
    assert again == (played / "game.result.jsonl").read_bytes()
    assert b"that is taken back." in again
    assert parse_record((tmp_path / "again" / "friday.spit").read_text(encoding="utf-8")).names == ("Ada", "Bo")
    page = (tmp_path / "again" / "friday.html").read_text(encoding="utf-8")
    assert "data:image/jpeg" in page


def test_another_law_rules_otherwise_and_what_differs_is_told(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(played, "--out", tmp_path, "--ruleset", "house,same_rank_play=true") == 1
    lines = capsys.readouterr().out.splitlines()
    assert "otherwise than at the table" in lines[1]
    assert any(line.lstrip().startswith("+ 0:02.") and "A♦ on C2" in line for line in lines), lines
    assert '"ruleset": "house", "overrides": {"same_rank_play": true}' in (tmp_path / "friday.result.jsonl").read_text(
        encoding="utf-8"
    )


def test_its_pictures_are_read_again_with_the_keys_that_were_pressed(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "referee.commands.watch.reader", lambda _: (lambda *_: TruthReader(truth("faults")), "another model")
    )
    # The film is no exact copy of what was seen at the table.
    assert run(played, "--out", tmp_path, "--reread") in (0, 1)
    text = (tmp_path / "friday.result.jsonl").read_text(encoding="utf-8")
    assert '"model": "another model"' in text
    assert "that is taken back." in text
    assert '"what": "gap"' in text
    assert "rulings, " in capsys.readouterr().out


def test_a_game_without_a_recording_is_ruled_again_without_stills(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "journal.jsonl").write_bytes((played / "journal.jsonl").read_bytes())
    assert run(bare, "--out", tmp_path) == 0
    assert "nothing was recorded" in capsys.readouterr().out
    assert (tmp_path / "bare.html").exists()
    assert run(bare, "--out", tmp_path, "--reread") == 2


@pytest.mark.parametrize(
    ("argv", "complaint"),
    [
        (("--names", "Ada,Bo"), "tells table and names: leave out --names"),
        (("--table", "kitchen", "--size", "1x1"), "leave out --table, --size"),
        (("--model", "reader.onnx"), "add --reread"),
        (("--out", "{game}"), "name another folder"),
        (("--ruleset", "chess"), "chess"),
    ],
)
def test_what_makes_no_sense_with_a_recorded_game_is_told(
    played: Path, argv: Sequence[str], complaint: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    try:
        code = run(played, "--out", tmp_path, *(word.format(game=played) for word in argv))
        said = capsys.readouterr().err
    except UserError as error:
        code, said = 2, str(error)
    assert code == 2
    assert complaint in said


def test_a_video_is_not_read_again() -> None:
    with pytest.raises(UserError, match="--reread is for recorded games"):
        run("game.mp4", "--zones", truth("calm"), "--reread")


def test_differences_are_rulings_that_one_side_lacks_or_rules_otherwise() -> None:
    play = {"t": 1.0, "action": "play", "seat": "A", "card": "9H", "from": "A1", "to": "C1", "verdict": "legal"}
    other = {**play, "card": "8H", "t": 2.0}
    faulty = {**play, "t": 1.4, "verdict": "illegal", "reason": "not_adjacent"}
    over = {"t": 5.0, "action": "round_over", "winner": "A"}
    assert differences([play, other, over], [{**play, "t": 1.3}, {**other, "number": 7}, over]) == []
    [ruled] = differences([play, over], [faulty, over])
    assert (ruled.before, ruled.after) == (play, faulty)
    later = {**play, "t": 9.0}
    assert [(one.before, one.after) for one in differences([play], [later])] == [(play, None), (None, later)]
    gone = {"t": 3.0, "action": "disturbed", "corrects": 1}
    [lost] = differences([{**play, "number": 1}, gone], [{**play, "number": 1}])
    assert (lost.before, lost.after) == (None, {**play, "number": 1})
