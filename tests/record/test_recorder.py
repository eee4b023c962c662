from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from referee.errors import UserError
from referee.record import recorder as recorder_module
from referee.record.entries import Looked, RecordingStopped, SegmentBegun, SegmentEnded, Unrecorded
from referee.record.faults import Lost
from referee.record.folder import GameFolder
from referee.record.journal import JOURNAL, JournalWriter, read_journal
from referee.record.recorder import ROOM, Recorder
from referee.record.segments import SegmentWriter, read_index, segments_in
from referee.vision.frames import Frame
from tests.record.games import HEADER, PLENTY, frames, jpeg, play, record
from tests.record.test_journal import here
from tests.vision.films import everything, numbered, numbers

UNEVEN = [0.0, 0.0334, 0.0335, 0.2, 1.0, 1.0004, 1.0008, 61.5, 61.533333333333334]


def test_a_recording_keeps_the_very_times_of_an_uneven_source(tmp_path: Path) -> None:
    with GameFolder(play(tmp_path, frames(UNEVEN))) as game:
        again = everything(game)
    assert [frame.t for frame in again] == UNEVEN
    assert numbers(again) == list(range(len(UNEVEN)))


def test_films_follow_each_other_after_their_length(tmp_path: Path) -> None:
    times = [n / 30 for n in range(40)]
    with GameFolder(play(tmp_path, frames(times), segment_s=0.5)) as game:
        again = everything(game)
    entries = read_journal(tmp_path / JOURNAL).entries
    assert [film.name for film in segments_in(tmp_path)] == [f"film-0000{n}.mkv" for n in (1, 2, 3)]
    assert [frame.t for frame in again] == times
    assert numbers(again) == list(range(40))
    assert [line for line in entries if isinstance(line, SegmentBegun)] == [
        SegmentBegun(f"film-0000{n + 1}.mkv", 15 * n, times[15 * n]) for n in range(3)
    ]
    assert [line for line in entries if isinstance(line, SegmentEnded)] == [
        SegmentEnded("film-00001.mkv", 15, times[14]),
        SegmentEnded("film-00002.mkv", 15, times[29]),
        SegmentEnded("film-00003.mkv", 10, times[39]),
    ]


def test_a_resumed_recording_goes_on_in_a_further_film(tmp_path: Path) -> None:
    play(tmp_path, frames([0.0, 0.1]))
    with JournalWriter.resume(tmp_path / JOURNAL) as journal:
        record(tmp_path, journal, [Frame(2, 5.0, numbered(2)), Frame(3, 5.1, numbered(3))])
    with GameFolder(tmp_path) as game:
        again = everything(game)
    assert [(frame.index, frame.t) for frame in again] == [(0, 0.0), (1, 0.1), (2, 5.0), (3, 5.1)]
    assert numbers(again) == [0, 1, 2, 3]


def test_what_the_camera_compressed_is_kept_byte_for_byte(tmp_path: Path) -> None:
    import av

    shots = frames([0.0, 0.04, 0.08])
    play(tmp_path, shots, jpegs=True)
    with av.open(str(segments_in(tmp_path)[0])) as film:
        kept = [bytes(packet) for packet in film.demux(video=0) if packet.size]
    assert kept == [jpeg(shot) for shot in shots]
    with GameFolder(tmp_path) as game:
        assert numbers(everything(game)) == [0, 1, 2]


def test_a_source_that_ceases_to_give_jpegs_is_recorded_on(tmp_path: Path) -> None:
    with (
        JournalWriter.create(tmp_path / JOURNAL, HEADER) as journal,
        Recorder(tmp_path, journal, free=lambda _: PLENTY) as recorder,
    ):
        for shot in frames([0.0, 0.04, 0.08, 0.12]):
            recorder.record(shot, jpeg(shot) if shot.index % 4 < 2 else None)
    with GameFolder(tmp_path) as game:
        assert numbers(everything(game)) == [0, 1, 2, 3]
    assert len(segments_in(tmp_path)) == 2


@pytest.mark.parametrize("size", [(161, 120), (160, 121), (161, 121)])
def test_odd_sizes_are_kept(tmp_path: Path, size: tuple[int, int]) -> None:
    shot = Frame(0, 0.0, np.full((size[1], size[0], 3), 128, np.uint8))
    with GameFolder(play(tmp_path, [shot])) as game:
        (frame,) = everything(game)
    assert game.size == size
    assert np.abs(frame.image.astype(int) - 128).max() < 8


def test_a_slow_disk_keeps_the_referee_waiting_for_moments_only_and_is_accounted_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken, go = threading.Event(), threading.Event()
    write = SegmentWriter.write

    def slow(segment: SegmentWriter, frame: Frame, data: bytes | None = None) -> None:
        taken.set()
        assert go.wait(20)
        write(segment, frame, data)

    monkeypatch.setattr(SegmentWriter, "write", slow)
    with JournalWriter.create(tmp_path / JOURNAL, HEADER) as journal:
        with Recorder(tmp_path, journal, free=lambda _: PLENTY) as recorder:
            shots = frames(n / 30 for n in range(100))
            recorder.record(shots[0])
            assert taken.wait(20)
            start = time.monotonic()
            for shot in shots[1:]:
                recorder.record(shot)
            assert time.monotonic() - start < 5
            go.set()
        # A fifth of a second may wait, no more.
        assert recorder.left_out == 100 - 1 - 6
    journalled = [line for line in read_journal(tmp_path / JOURNAL).entries if isinstance(line, Unrecorded)]
    assert journalled[-1].count == recorder.left_out
    with GameFolder(tmp_path) as game:
        again = everything(game)
    assert [frame.t for frame in again] == [n / 30 for n in range(7)]
    assert numbers(again) == list(range(7))


def _readable(folder: Path) -> list[int]:
    """The pictures that can be read of a recording as it is."""
    try:
        with GameFolder(folder) as game:
            return numbers(everything(game))
    except UserError:
        return []


@pytest.mark.parametrize("jpegs", [False, True])
def test_when_no_picture_comes_those_before_can_be_read_though_the_film_is_not_completed(
    tmp_path: Path, jpegs: bool
) -> None:
    with (
        JournalWriter.create(tmp_path / JOURNAL, HEADER) as journal,
        Recorder(tmp_path, journal, free=lambda _: PLENTY) as recorder,
    ):
        for shot in frames([0.0, 0.03, 0.06]):
            recorder.record(shot, jpeg(shot) if jpegs else None)
        deadline = time.monotonic() + 20
        while _readable(tmp_path) != [0, 1, 2]:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        recorder.record(Frame(3, 1.0, numbered(3)), jpeg(Frame(3, 1.0, numbered(3))) if jpegs else None)
    with GameFolder(tmp_path) as game:
        again = everything(game)
    assert [frame.t for frame in again] == [0.0, 0.03, 0.06, 1.0]
    assert numbers(again) == [0, 1, 2, 3]
    assert game.damage == ""


def test_a_film_that_takes_long_to_begin_costs_no_pictures_and_the_game_does_not_run_ahead_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[float] = []
    write = SegmentWriter.write

    def slow_at_first(segment: SegmentWriter, frame: Frame, data: bytes | None = None) -> None:
        if not written:
            time.sleep(0.3)
        write(segment, frame, data)
        written.append(frame.t)

    monkeypatch.setattr(SegmentWriter, "write", slow_at_first)
    ahead = []
    with JournalWriter.create(tmp_path / JOURNAL, HEADER) as journal:
        with Recorder(tmp_path, journal, free=lambda _: PLENTY) as recorder:
            for shot in frames(n / 30 for n in range(30)):
                recorder.record(shot)
                ahead.append(shot.t - max(written, default=0.0))
        assert recorder.left_out == 0
    assert max(ahead) < 0.5
    assert written == [n / 30 for n in range(30)]


def test_a_disk_that_fills_up_ends_the_recording_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder_module, "LOOK_EVERY", 1)
    room = iter([PLENTY] * 4)
    with JournalWriter.create(tmp_path / JOURNAL, HEADER) as journal:
        with Recorder(tmp_path, journal, free=lambda _: next(room, ROOM - 1)) as recorder:
            for shot in frames(n / 30 for n in range(10)):
                recorder.record(shot)
                journal.append(Looked(shot.index, shot.t))
                time.sleep(0.02)
            assert recorder.fault is not None
            assert recorder.fault.lost is Lost.NO_ROOM
            assert "less than 500 MB left" in recorder.fault.text
        journal.append(Looked(10, 1 / 3))
    entries = read_journal(tmp_path / JOURNAL).entries
    assert sum(isinstance(line, Looked) for line in entries) == 11
    assert [line.reason for line in entries if isinstance(line, RecordingStopped)] == [recorder.fault.text]
    with GameFolder(tmp_path) as game:
        assert numbers(everything(game)) == [0, 1, 2, 3]
        assert game.damage == ""


def test_on_a_full_disk_a_game_is_played_without_a_recording(tmp_path: Path) -> None:
    with JournalWriter.create(tmp_path / JOURNAL, HEADER) as journal:
        with Recorder(tmp_path, journal, free=lambda _: 0) as recorder:
            for shot in frames([0.0, 0.1]):
                recorder.record(shot)
        assert recorder.fault is not None
        assert "refereeing goes on" in recorder.fault.text
    assert read_journal(tmp_path / JOURNAL).entries == (RecordingStopped(0.0, recorder.fault.text),)
    assert segments_in(tmp_path) == []


WRITE_ERROR = """
import resource, sys, time
from pathlib import Path
import numpy as np
from referee.record.entries import Looked
from referee.record.journal import JOURNAL, JournalWriter
from referee.record.recorder import Recorder
from referee.vision.frames import Frame
from tests.record.games import HEADER

folder = Path(sys.argv[1])
rng = np.random.default_rng(0)
_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
with JournalWriter.create(folder / JOURNAL, HEADER) as journal, Recorder(folder, journal) as recorder:
    for number in range(60):
        recorder.record(Frame(number, number / 30, rng.integers(0, 255, (120, 160, 3), np.uint8)))
        journal.append(Looked(number, number / 30))
        time.sleep(0.01)
    assert "cannot be written" in recorder.fault.text, recorder.fault
"""


def test_a_film_that_cannot_be_written_on_leaves_the_journal_whole(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    if resource.getrlimit(resource.RLIMIT_FSIZE)[0] != resource.RLIM_INFINITY:
        pytest.skip("the size of files is limited here already")
    done = subprocess.run(
        [sys.executable, "-c", WRITE_ERROR, str(tmp_path)], check=True, env=here(), capture_output=True, text=True
    )
    assert "Traceback" not in done.stderr
    entries = read_journal(tmp_path / JOURNAL).entries
    assert sum(isinstance(line, Looked) for line in entries) == 60
    assert sum(isinstance(line, RecordingStopped) for line in entries) == 1
    with GameFolder(tmp_path) as game:
        assert 5 < len(everything(game)) < 60


@pytest.mark.parametrize(
    ("error", "lost", "why"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), Lost.NO_ROOM, "is full"),
        (OSError(errno.EIO, "Input/output error"), Lost.RECORDING, "cannot be written (Input/output error)"),
        (RuntimeError("the encoder died"), Lost.RECORDING, "has failed (the encoder died)"),
    ],
)
def test_a_recording_that_fails_says_what_it_is_and_keeps_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, lost: Lost, why: str
) -> None:
    write = SegmentWriter.write

    def failing(segment: SegmentWriter, frame: Frame, data: bytes | None = None) -> None:
        if frame.index == 4:
            raise error
        write(segment, frame, data)

    monkeypatch.setattr(SegmentWriter, "write", failing)
    with JournalWriter.create(tmp_path / JOURNAL, HEADER) as journal:
        with Recorder(tmp_path, journal, free=lambda _: PLENTY) as recorder:
            for shot in frames(n / 30 for n in range(6)):
                recorder.record(shot)
        assert recorder.fault is not None
        assert recorder.fault.lost is lost
        assert why in recorder.fault.text
        assert "refereeing goes on" in recorder.fault.text
    with GameFolder(tmp_path) as game:
        assert numbers(everything(game)) == [0, 1, 2, 3]


FILMING = """
import signal, sys, time
from pathlib import Path
from referee.record.entries import Looked
from referee.record.journal import JOURNAL, JournalWriter
from referee.record.recorder import Recorder
from tests.record.games import HEADER, PLENTY, jpeg
from tests.vision.films import numbered
from referee.vision.frames import Frame

# Of those who run the tests in the background the shell takes Ctrl-C away.
signal.signal(signal.SIGINT, signal.default_int_handler)
folder, jpegs, segment_s = Path(sys.argv[1]), sys.argv[2] == "jpegs", float(sys.argv[3])
with (
    JournalWriter.create(folder / JOURNAL, HEADER) as journal,
    Recorder(folder, journal, segment_s=segment_s, free=lambda _: PLENTY) as recorder,
):
    start = time.monotonic()
    for number in range(100_000):
        shot = Frame(number, number / 30, numbered(number % 256, (320, 240)))
        recorder.record(shot, jpeg(shot) if jpegs else None)
        journal.append(Looked(number, shot.t))
        print(number, flush=True)
        time.sleep(max(0, start + (number + 1) / 30 - time.monotonic()))
"""


def film_until(folder: Path, pictures: int, end: int, *more: str) -> int:
    """Film in another process, end it by a signal after some pictures, and return how many it had filmed."""
    command = [sys.executable, "-c", FILMING, str(folder), *more]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=here()) as child:
        assert child.stdout is not None
        filmed = 0
        for line in child.stdout:
            filmed = int(line) + 1
            if filmed == pictures:
                child.send_signal(end)
        child.wait()
    return filmed


@pytest.mark.parametrize(
    ("pictures", "more"),
    [(1, ("x264", "60")), (17, ("x264", "60")), (44, ("x264", "0.7")), (29, ("jpegs", "60")), (38, ("jpegs", "0.4"))],
)
def test_a_kill_at_any_moment_costs_half_a_second_at_most(tmp_path: Path, pictures: int, more: tuple[str, str]) -> None:
    if not hasattr(signal, "SIGKILL"):
        pytest.skip("this system has no SIGKILL")
    filmed = film_until(tmp_path, pictures, signal.SIGKILL, *more)
    looked = [line for line in read_journal(tmp_path / JOURNAL).entries if isinstance(line, Looked)]
    assert len(looked) >= filmed
    if filmed <= 15:
        return
    with GameFolder(tmp_path) as game:
        again = everything(game)
        assert filmed - 15 <= len(again)
        assert numbers(again) == list(range(len(again)))
        assert [frame.t for frame in again] == [n / 30 for n in range(len(again))]


def test_ctrl_c_completes_the_recording(tmp_path: Path) -> None:
    filmed = film_until(tmp_path, 20, signal.SIGINT, "x264", "60")
    journal = read_journal(tmp_path / JOURNAL)
    assert not journal.torn
    assert isinstance(journal.entries[-1], SegmentEnded)
    with GameFolder(tmp_path) as game:
        assert len(everything(game)) >= filmed
        assert game.damage == ""


def test_an_index_longer_than_its_film_is_told_as_damage(tmp_path: Path) -> None:
    play(tmp_path, frames([n / 30 for n in range(30)]))
    (film,) = segments_in(tmp_path)
    os.truncate(film, film.stat().st_size * 2 // 3)
    with GameFolder(tmp_path) as game:
        again = everything(game)
        assert 5 < len(again) < 30
        assert f"{30 - len(again)} pictures" in game.damage


def test_an_index_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "film-00001.mkv"
    with SegmentWriter(path, (160, 120), jpeg=False) as segment:
        for shot in frames([0.0, 0.1, 0.2]):
            segment.write(shot)
    index = path.with_suffix(".index")
    assert index.read_bytes() == b"spit-referee index 1 160x120\n0 0 0.0\n1 100 0.1\n2 200 0.2\n"
    index.write_bytes(index.read_bytes()[:-2])
    read = read_index(path)
    assert read is not None
    assert [taken.t for taken in read.taken.values()] == [0.0, 0.1]
    index.write_bytes(b"spit-referee index 1 160x120\n0 0 0.0\n\0\0\n\0\0\0\n")
    read = read_index(path)
    assert read is not None
    assert [taken.t for taken in read.taken.values()] == [0.0]
    index.write_bytes(b"\xff\n")
    assert read_index(path) is None
    index.unlink()
    assert read_index(path) is None


def test_stamps_are_milliseconds_of_the_game_in_every_film(tmp_path: Path) -> None:
    import av

    play(tmp_path, frames([0.0, 3.5, 7.25]), segment_s=1.0)
    starts = []
    for film in segments_in(tmp_path):
        with av.open(str(film)) as container:
            packet = next(container.demux(video=0))
            assert packet.pts is not None
            starts.append(packet.pts * (packet.time_base or Fraction(0)))
    assert starts == [0, 3.5, 7.25]
