"""Exhaustive counts of legal lines from fixed positions: any change of the law shows here."""

from __future__ import annotations

import pytest

from referee.rules import PRESETS
from tests.rules.perft import Entry, divide, perft, read_table, slow_perft

ENTRIES = read_table()
FAST_NODES = 60_000


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_number_of_legal_lines(entry: Entry) -> None:
    for depth, count in enumerate(entry.counts, start=1):
        if count > FAST_NODES:
            continue
        found = perft(entry.position, depth)
        assert found == count, f"{entry.name} at depth {depth}: {found} instead of {count}\n" + "\n".join(
            f"  {action}: {lines}" for action, lines in divide(entry.position, depth).items()
        )


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_trying_everything_possible_finds_the_same_lines(entry: Entry) -> None:
    depth = max(depth for depth, count in enumerate(entry.counts, start=1) if count <= 400)
    assert slow_perft(entry.position, depth) == entry.counts[depth - 1]


def test_the_table_covers_every_preset_and_phase() -> None:
    assert {entry.position.rules.preset for entry in ENTRIES} == set(PRESETS)
    phases = {side.phase.value for entry in ENTRIES for side in entry.position.sides}
    assert {"before_spit", "play", "claim"} <= phases
    assert any(entry.position.owed for entry in ENTRIES)
