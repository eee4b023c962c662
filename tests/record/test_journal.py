from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import threading
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.errors import UserError
from referee.record.entries import Entry, Looked, Resumed, Ruled
from referee.record.journal import JOURNAL, Journal, JournalWriter, read_journal
from tests.record.games import HEADER, entries


def written(folder: Path, lines: list[Entry]) -> Path:
    path = folder / JOURNAL
    with JournalWriter.create(path, HEADER) as journal:
        for line in lines:
            journal.append(line)
    return path


def assert_same(one: Any, other: Any) -> None:
    """Equal in every bit, arrays included."""
    assert type(one) is type(other)
    if isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        assert one.tobytes() == other.tobytes()
    elif is_dataclass(one):
        for field in fields(one):
            assert_same(getattr(one, field.name), getattr(other, field.name))
    elif isinstance(one, tuple):
        assert len(one) == len(other)
        for part, counterpart in zip(one, other, strict=True):
            assert_same(part, counterpart)
    else:
        assert one == other


@pytest.mark.parametrize("seed", range(5))
def test_every_kind_of_entry_is_read_as_it_was_written(tmp_path: Path, seed: int) -> None:
    lines = entries(np.random.default_rng(seed))
    journal = read_journal(written(tmp_path, lines))
    assert journal.header == HEADER
    assert not journal.torn
    assert_same(journal.entries, tuple(lines))


def test_every_type_of_entry_is_tried() -> None:
    assert {type(line) for line in entries(np.random.default_rng(0))} == set(Entry.__args__)


def test_impossible_outcomes_keep_their_infinite_log_probability(tmp_path: Path) -> None:
    _, seen, *_ = entries(np.random.default_rng(0))
    seen.reading.log_probs[3:] = -math.inf
    (read,) = read_journal(written(tmp_path, [seen])).entries
    assert_same(read, seen)


def test_a_line_cut_off_at_any_byte_costs_that_line_alone(tmp_path: Path) -> None:
    lines = entries(np.random.default_rng(1))[-6:]
    data = written(tmp_path, lines).read_bytes()
    starts = [0]
    while (end := data.find(b"\n", starts[-1])) >= 0:
        starts.append(end + 1)
    path = tmp_path / "cut.jsonl"
    for size in range(starts[1], len(data)):
        path.write_bytes(data[:size])
        whole = sum(start <= size for start in starts) - 2
        journal = read_journal(path)
        assert len(journal.entries) == whole
        assert journal.torn == (size not in starts)


def test_a_torn_journal_goes_on_after_its_last_whole_line(tmp_path: Path) -> None:
    path = written(tmp_path, [Looked(0, 0.0), Looked(1, 0.033)])
    path.write_bytes(path.read_bytes()[:-4])
    with JournalWriter.resume(path) as journal:
        journal.append(Resumed(0.5))
    assert read_journal(path) == Journal(HEADER, (Looked(0, 0.0), Resumed(0.5)), torn=False)


def test_rubbish_after_a_power_cut_is_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, [Looked(0, 0.0)])
    whole = path.read_bytes()
    path.write_bytes(whole + b"\0" * 700 + b"\n" + b"\0" * 300)
    assert read_journal(path) == Journal(HEADER, (Looked(0, 0.0),), torn=True)
    JournalWriter.resume(path).close()
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('{"kind":"frame","t":1.0}', "missing or of the wrong type"),
        ('{"kind":"key","t":1.0,"key":"dance"}', "'dance'"),
        ('{"kind":"dance"}', "nothing called 'dance'"),
        ('{"t":1.0}', "nothing called 'kind'"),
        ("[1]", "wrong type"),
        ('{"kind":"fra', "not JSON"),
        ('{"kind":"reading","zone":"A1","t":0,"frame":0,"reading":["card","AAAA",0,null,null]}', "54"),
    ],
)
def test_damage_before_the_end_is_told_with_its_line(tmp_path: Path, line: str, complaint: str) -> None:
    path = written(tmp_path, [Looked(0, 0.0)])
    path.write_text(f'{path.read_text()}{line}\n{{"kind":"frame","frame":2,"t":1.0}}\n')
    with pytest.raises(UserError, match=r"line 3, is damaged") as error:
        read_journal(path)
    assert complaint in str(error.value)


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "not one whole line"),
        (b'{"kind":"header"', "not one whole line"),
        (b"\x80\xff\n", "not JSON"),
        (b"[]\n", "wrong type"),
        (b'{"kind":"frame","frame":2,"t":1.0}\n', "no header"),
        (b'{"kind":"header","version":99}\n', "version 99"),
        (b'{"kind":"header","version":1,"names":["A","B"],"size":[1,2]}\n', "'program'"),
    ],
)
def test_what_is_no_journal_is_refused(tmp_path: Path, data: bytes, complaint: str) -> None:
    path = tmp_path / JOURNAL
    path.write_bytes(data)
    with pytest.raises(UserError, match=complaint):
        read_journal(path)


def test_the_journal_of_another_game_is_not_written_over(tmp_path: Path) -> None:
    path = written(tmp_path, [Looked(0, 0.0)])
    with pytest.raises(UserError, match="another game"):
        JournalWriter.create(path, HEADER)
    assert read_journal(path).entries == (Looked(0, 0.0),)


def test_a_folder_that_is_not_there_is_told() -> None:
    with pytest.raises(UserError, match="cannot write"):
        JournalWriter.create(Path("/nowhere/at/all"), HEADER)
    with pytest.raises(UserError, match="cannot read"):
        JournalWriter.resume(Path("/nowhere/at/all"))


def test_a_reading_of_another_shape_is_not_written(tmp_path: Path) -> None:
    _, seen, *_ = entries(np.random.default_rng(0))
    object.__setattr__(seen.reading, "log_probs", np.zeros(3, np.float32))
    with JournalWriter.create(tmp_path / JOURNAL, HEADER) as journal, pytest.raises(ValueError, match="54"):
        journal.append(seen)


def test_entries_are_with_the_system_at_once(tmp_path: Path) -> None:
    with JournalWriter.create(tmp_path / JOURNAL, HEADER) as journal:
        journal.append(Looked(7, 0.25))
        assert read_journal(tmp_path / JOURNAL).entries == (Looked(7, 0.25),)


def test_two_threads_write_whole_lines(tmp_path: Path) -> None:
    with JournalWriter.create(tmp_path / JOURNAL, HEADER) as journal:

        def write(first: int) -> None:
            for number in range(first, first + 200):
                journal.append(Looked(number, 0.0))

        threads = [threading.Thread(target=write, args=(first,)) for first in (0, 1000)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    frames = [line.frame for line in read_journal(tmp_path / JOURNAL).entries if isinstance(line, Looked)]
    assert sorted(frames) == [*range(200), *range(1000, 1200)]
    assert [frame for frame in frames if frame < 1000] == list(range(200))


def test_events_are_the_lines_of_a_result_file(tmp_path: Path) -> None:
    event = {"kind": "event", "t": 2.25, "action": "play", "seat": "A", "card": "7C", "text": "Zoë spielt"}
    path = written(tmp_path, [Looked(0, 0.0), Ruled(event)])
    assert [ruled.event for ruled in read_journal(path).events()] == [event]
    assert json.loads(path.read_text(encoding="utf-8").splitlines()[-1]) == event


FULL = """
import resource, sys
from pathlib import Path
from referee.errors import UserError
from referee.record.entries import Looked
from referee.record.journal import JournalWriter
from tests.record.games import HEADER

path = Path(sys.argv[1])
journal = JournalWriter.create(path, HEADER)
room = path.stat().st_size + 1000
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
for number in range(60):
    journal.append(Looked(number, number / 30))
assert "see to that disk" in journal.fault.text, journal.fault
assert path.stat().st_size == room
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
journal.append(Looked(60, 2.0))
assert journal.fault is None
journal.close()

resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
other = path.with_name("other.jsonl")
try:
    JournalWriter.create(other, HEADER)
except UserError as error:
    assert "see to that disk" in str(error)
assert not other.exists()
"""


def test_a_full_disk_delays_entries_and_loses_none(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    if resource.getrlimit(resource.RLIMIT_FSIZE)[0] != resource.RLIM_INFINITY:
        pytest.skip("the size of files is limited here already")
    subprocess.run([sys.executable, "-c", FULL, str(tmp_path / JOURNAL)], check=True, env=here())
    entries = read_journal(tmp_path / JOURNAL).entries
    assert [line.frame for line in entries if isinstance(line, Looked)] == list(range(61))


def here() -> dict[str, str]:
    """The environment in which a child finds the tests."""
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
