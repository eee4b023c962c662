"""However a game ends, what was seen and said is kept: Ctrl-C, the system's wish, a kill, a window closed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from referee.readings import Disturbance
from referee.record.entries import Ended, Looked, Resumed
from referee.record.folder import GameFolder
from referee.record.journal import JOURNAL, read_journal
from referee.record.result import result_lines
from tests.record.again import result_again
from tests.vision.films import everything

ROOT = Path(__file__).parent.parent.parent
PATIENCE_S = 60.0

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of this kind are sent on POSIX systems only")


def begin(folder: Path, how: str = "new") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.live.sitting", str(folder), how],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def wait_until(process: subprocess.Popen[str], folder: Path, count: int) -> None:
    """Until so many frames have been looked at, and some of them recorded."""
    journal, index = folder / JOURNAL, folder / "film-00001.index"
    deadline = time.monotonic() + PATIENCE_S
    while not index.exists() or index.read_bytes().count(b"\n") < 6 or journal.read_bytes().count(b'"frame",') < count:
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_game_that_is_ended_by_a_signal_is_complete(tmp_path: Path, how: signal.Signals) -> None:
    folder = tmp_path / "game"
    process = begin(folder)
    wait_until(process, folder, 3)
    process.send_signal(how)
    said, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, said
    assert "No window can be opened" not in said
    for name in ("game.result.jsonl", "game.spit", "game.html"):
        assert str(folder / name) in said
        assert (folder / name).stat().st_size > 0
    journal = read_journal(folder / JOURNAL)
    assert any(isinstance(entry, Ended) for entry in journal.entries)
    assert not journal.torn
    assert result_again(journal, "it") == result_lines(journal, "it")
    with GameFolder(folder) as game:
        assert everything(game)


def test_a_killed_game_is_gone_on_with_after_a_gap(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    process = begin(folder)
    wait_until(process, folder, 3)
    process.kill()
    process.communicate(timeout=PATIENCE_S)
    before = read_journal(folder / JOURNAL)
    seen = [entry.t for entry in before.entries if isinstance(entry, Looked)]
    assert not (folder / "game.result.jsonl").exists()
    again = begin(folder, "resume")
    wait_until(again, folder, len(seen) + 2)
    again.send_signal(signal.SIGINT)
    said, _ = again.communicate(timeout=PATIENCE_S)
    assert again.returncode == 0, said
    assert f"Going on with the game in {folder}" in said
    journal = read_journal(folder / JOURNAL)
    [resumed] = [entry for entry in journal.entries if isinstance(entry, Resumed)]
    gaps = [one for one in journal.entries if isinstance(one, Disturbance) and one.t_from == pytest.approx(seen[-1])]
    assert [gap.what for gap in gaps] == ["gap"]
    assert gaps[0].t_to >= resumed.t - 1e-5
    assert result_again(journal, "it") == result_lines(journal, "it")
    events = [json.loads(line) for line in (folder / "game.result.jsonl").read_text(encoding="utf-8").splitlines()]
    numbers = [event["number"] for event in events[1:]]
    assert numbers == list(range(len(numbers)))
    with GameFolder(folder) as game:
        shown = everything(game)
    # A crash loses at most what waited to be written; what came afterwards follows it.
    assert sum(frame.t <= seen[-1] for frame in shown) >= 1
    assert shown[-1].t >= resumed.t - 1e-5
