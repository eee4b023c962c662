from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from referee.calibrate.saved_table import SavedTable, as_corners
from referee.calibrate.table_file import boxes_from, write_table
from referee.commands import dispute
from referee.commands.dispute import clock
from referee.errors import UserError
from referee.record.entries import Header, Moved, Ruled
from referee.record.exhibits import Recording
from referee.record.journal import JOURNAL, JournalWriter
from referee.record.overlay import Span
from referee.record.stills import stills_of_film
from referee.record.touch_sheet import TILE, Tile, chosen
from referee.table import TableLayout, Zone
from referee.vision.frames import Frame
from tests.record.games import record

FOOTAGE = Path(__file__).parents[1] / "fixtures" / "footage"


def run(*words: str | Path) -> int:
    parser = argparse.ArgumentParser()
    dispute.add(parser.add_subparsers())
    args = parser.parse_args(["dispute", *map(str, words)])
    code: int = args.run(args)
    return code


@pytest.fixture
def video(tmp_path: Path) -> Path:
    """A clip with its truth as its result file."""
    shutil.copy(FOOTAGE / "faults.mp4", tmp_path)
    shutil.copy(FOOTAGE / "faults.truth.jsonl", tmp_path / "faults.result.jsonl")
    return tmp_path / "faults.mp4"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """The second about the first fault of the same game, recorded in two films."""
    header, *rows = (json.loads(row) for row in (FOOTAGE / "faults.truth.jsonl").read_text().splitlines())
    layout = TableLayout(*header["table_mm"], boxes_from(header["zones"], "the truth"))
    table = write_table(SavedTable("", tuple(header["size"]), as_corners(header["corners_px"]), layout))
    folder = tmp_path / "friday"
    folder.mkdir()
    head = Header("0.1.0", "sha256:0", table, "house", ("Ada", "Bo"), "camera 0", tuple(header["size"]))
    with JournalWriter.create(folder / JOURNAL, head) as journal:
        for row in rows:
            if row["kind"] == "event":
                journal.append(Ruled(row))
        stills = list(stills_of_film(FOOTAGE / "faults.mp4", 1.8, 2.8))
        shots = [Frame(number, still.t, still.image) for number, still in enumerate(stills)]
        record(folder, journal, shots, segment_s=0.5)
    return folder


def test_a_video_is_disputed_with_the_result_beside_it(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(video, "--at", "0:02.3") == 0
    said = capsys.readouterr().out
    assert said.startswith(
        "0:02.27  Bo plays A♦ on C2: illegal, A♦ came second and does not go on A♥; it goes back. [G9,"
    )
    assert "Ada could turn up the card at A4, play K♠ on C2.\nBo could do nothing but wait.\n" in said
    assert "Ada's card touched first, 164 ms ahead.\n" in said
    assert "A♦ on C2 has to go back to B5 (Bo)\n" in said


def test_a_program_is_told_the_same(video: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = tmp_path / "it.mp4"
    assert run(video, "--at", "2.3", "--ruleset", "pl", "--clip", clip, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["verdict"], told["rules"]) == ("illegal late", ["G9", "PT-11", "PL-15"])
    assert told["could"] == {"A": ["A turn_up 6S A4", "A play KS A3 C2"], "B": []}
    assert "owed=B:AD:C2>B5:late" in told["after"]
    assert told["under"]["said"][0].startswith("Under pl the ruling stays: Bo plays A♦ on C2: illegal")
    assert told["files"] == [str(clip)]
    assert clip.stat().st_size > 0


def test_the_result_file_can_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film = shutil.copy(FOOTAGE / "faults.mp4", tmp_path / "other.mp4")
    with pytest.raises(UserError, match=r"no other\.result\.jsonl beside other\.mp4: make it with 'referee replay"):
        run(film, "--at", "2.3")
    assert run(film, "--at", "2.3", "--result", FOOTAGE / "faults.truth.jsonl") == 0
    assert "Bo plays A♦" in capsys.readouterr().out


def test_what_the_referee_said_is_told_as_it_was_said(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = video.with_suffix(".result.jsonl")
    rows = [json.loads(row) for row in result.read_text().splitlines()]
    for row in rows:
        if row.get("reason") == "late":
            row.update(text="Bo was late.", rule="G9", confidence=0.913, t_from=2.2667, t_to=2.3, verdict="undecided")
            del row["reason"]
    result.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run(video, "--at", "2.3") == 0
    said = capsys.readouterr().out
    assert said.startswith("0:02.27  Bo was late. [G9]\n  confidence 0.91\n  first touch between 2.267 and 2.300 s\n")
    assert "By the cards as they were seen to lie, the law says: illegal late." in said
    assert "2.267..2.300 s" in said


def test_another_law_is_asked(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(video, "--at", "2.79", "--ruleset", "pl,wrap=false")
    assert "Under pl,wrap=false the ruling changes: Ada plays K♠ on C2: illegal" in capsys.readouterr().out
    run(video, "--at", "2.79", "--ruleset", "pl")
    assert "Under pl the ruling stays: Ada plays K♠ on C2." in capsys.readouterr().out
    with pytest.raises(UserError, match="chess"):
        run(video, "--at", "2.79", "--ruleset", "chess")


def test_a_game_the_law_cannot_follow_is_shown_all_the_same(
    video: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = video.with_suffix(".result.jsonl")
    result.write_text(result.read_text().replace('"card": "6S", "at": "A4"', '"card": "6S", "at": "A1"'))
    assert run(video, "--at", "3.99", "--out", tmp_path / "out") == 0
    said = capsys.readouterr().out
    assert "What lay on the table then is not known: " in said
    assert "Ada plays Q♠ on C2: legal." in said
    assert len(list((tmp_path / "out").iterdir())) == 2
    with pytest.raises(UserError, match="cannot be judged under pl"):
        run(video, "--at", "3.99", "--ruleset", "pl")


def test_the_time_asked_for_is_told_where_nothing_was_ruled_near_it(
    video: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(video, "--at", "2:31")
    assert capsys.readouterr().out.startswith("The ruling nearest to 2:31.00:\n0:1")


def length(clip: Path) -> float:
    with av.open(str(clip)) as film:
        assert film.duration is not None
        assert sum(1 for _ in film.decode(video=0)) > 20
        return film.duration / 1_000_000


def test_the_moment_is_shown_frame_by_frame_and_in_slow_motion(
    video: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "quarrel"
    assert run(video, "--at", "2.3", "--out", out) == 0
    picture, clip = sorted(out.iterdir(), key=lambda path: path.suffix, reverse=True)
    assert (picture.name, clip.name) == ("dispute-0m02s27.png", "dispute-0m02s27.mp4")
    assert capsys.readouterr().out.endswith(f"{picture}\n{clip}\n")
    assert length(clip) == pytest.approx(4 * 2.0, abs=0.05)
    image = cv2.imread(str(picture))
    assert image is not None
    assert image.shape[1] > 4 * TILE
    assert image.std() > 20


def test_the_clip_alone_can_be_had(video: Path, tmp_path: Path) -> None:
    assert run(video, "--at", "2.3", "--clip", tmp_path / "it.mp4") == 0
    assert length(tmp_path / "it.mp4") == pytest.approx(8.0, abs=0.05)
    assert list(tmp_path.glob("*.png")) == []


def test_a_recorded_game_is_disputed_by_its_journal(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(game, "--at", "2.3", "--out", tmp_path / "out") == 0
    assert "Bo plays A♦ on C2: illegal" in capsys.readouterr().out
    # The recording begins and ends within what a clip would show.
    assert length(tmp_path / "out" / "dispute-0m02s27.mp4") == pytest.approx(4 * (2.8 - 1.52), abs=0.2)
    with Recording(game) as recording:
        assert recording.size == (1280, 720)
        assert recording.sight(2.3) is not None


def test_after_the_table_was_moved_it_is_shown_where_it_lies(game: Path) -> None:
    with Recording(game) as recording:
        first = recording.sight(2.3)
    assert first is not None
    corners = first.view.to_image([[0, 0], [900, 0], [900, 600], [0, 600]]) + np.array([30.0, -12.0])
    with JournalWriter.resume(game / JOURNAL) as journal:
        journal.append(Moved(2.0, as_corners(corners)))
    with Recording(game) as recording:
        before, after = recording.sight(1.9), recording.sight(2.0)
        assert len(recording.refereed.said) > 0
    assert before is not None
    assert after is not None
    assert before.outline(Zone("C1")) == pytest.approx(first.outline(Zone("C1")))
    assert after.view.to_image([[0, 0]])[0] == pytest.approx(corners[0])
    assert np.abs(after.outline(Zone("C1")) - first.outline(Zone("C1")) - (30, -12)).max() < 1.0


def test_a_game_without_a_recording_is_disputed_in_words(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for film in game.glob("film-*"):
        film.unlink()
    assert run(game, "--at", "2.3") == 0
    assert "Bo plays A♦ on C2: illegal" in capsys.readouterr().out
    with pytest.raises(UserError, match="nothing was recorded"):
        run(game, "--at", "2.3", "--out", tmp_path / "out")


def test_a_time_that_was_not_recorded_is_told(game: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="there are no pictures"):
        run(game, "--at", "9.9", "--out", tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_a_result_without_a_table_shows_whole_pictures(
    video: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = video.with_suffix(".result.jsonl")
    header, *rows = result.read_text().splitlines()
    bare = {name: value for name, value in json.loads(header).items() if name in ("kind", "ruleset", "names")}
    result.write_text("\n".join([json.dumps(bare), *rows]) + "\n")
    assert run(video, "--at", "2.3", "--out", tmp_path / "out") == 0
    assert "does not say where the table lies" in capsys.readouterr().out
    image = cv2.imread(str(tmp_path / "out" / "dispute-0m02s27.png"))
    assert image is not None
    assert image.shape[0] < 600


def test_what_is_no_recording_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no folder of a game"):
        run(tmp_path, "--at", "1")
    with pytest.raises(UserError, match="no such file"):
        run(tmp_path / "none.mp4", "--at", "1", "--result", FOOTAGE / "faults.truth.jsonl")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("2:31", 151.0), ("151", 151.0), ("151.25", 151.25), ("1:02:31.5", 3751.5), ("0:00.04", 0.04), ("90:00", 5400.0)],
)
def test_times_are_read_as_people_write_them(text: str, seconds: float) -> None:
    assert dispute._seconds(text) == pytest.approx(seconds)
    assert dispute._seconds(clock(seconds)) == pytest.approx(seconds, abs=0.005)


@pytest.mark.parametrize("text", ["", "2:31:", "-1", "1:2:3:4", "half past", "1e3", "nan"])
def test_other_times_are_refused(text: str, video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(video, f"--at={text}")
    assert "2:31" in capsys.readouterr().err


def test_times_are_told_to_the_hundredth() -> None:
    assert [clock(t) for t in (0, 59.999, 151.456, 7170.77)] == ["0:00.00", "1:00.00", "2:31.46", "1:59:30.77"]


@pytest.mark.parametrize(
    ("span", "numbers"),
    [
        (Span(0, 9, 1.01, 1.02), range(27, 35)),
        (Span(0, 9, 1.0, 1.1), range(28, 36)),
        (Span(0, 9, 0.0, 0.0), range(8)),
        (Span(0, 9, 3.0, 3.0), range(52, 60)),
        (Span(0, 9, 0.5, 1.5), (14, 19, 23, 28, 32, 37, 41, 46)),
    ],
)
def test_the_frames_shown_are_those_about_the_touch(span: Span, numbers: range | tuple[int, ...]) -> None:
    tiles = [Tile(n / 30, None, np.zeros((1, 1, 3), np.uint8)) for n in range(60)]
    assert [round(one.t * 30) for one in chosen(tiles, span)] == list(numbers)
