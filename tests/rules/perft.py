"""Counting every line of legal actions from a position, as chess engines count move trees.

Run as a program, it counts the table's positions anew: ``python -m tests.rules.perft``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from referee.rules import Position, apply, judge, parse_position
from referee.rules.actions import Kind
from referee.rules.moves import legal_actions
from tests.rules.possible import possible_actions

TABLE = Path(__file__).parent.parent / "fixtures" / "perft" / "perft.txt"


@dataclass(frozen=True, slots=True)
class Entry:
    """A position of the table, with the number of lines of 1, 2, 3, … actions that lead on from it."""

    name: str
    position: Position
    counts: tuple[int, ...]


def perft(position: Position, depth: int) -> int:
    """The number of lines of ``depth`` legal actions."""
    if depth == 0:
        return 1
    actions = legal_actions(position)
    return len(actions) if depth == 1 else sum(perft(apply(position, action), depth - 1) for action in actions)


def slow_perft(position: Position, depth: int) -> int:
    """The same by trying everything physically possible, so that the two check each other."""
    if depth == 0:
        return 1
    moves = {action for action in possible_actions(position) if action.kind not in (Kind.CALL, Kind.TOUCH)}
    actions = [action for action in moves if judge(position, action).legal]
    return sum(slow_perft(apply(position, action), depth - 1) for action in actions)


def divide(position: Position, depth: int) -> dict[str, int]:
    """The count of each first action, to find where two counts part."""
    return {str(action): perft(apply(position, action), depth - 1) for action in legal_actions(position)}


def read_table() -> list[Entry]:
    """The table: ``name; position; count count count …`` a line, ``#`` for comments."""
    entries: list[Entry] = []
    for row in TABLE.read_text(encoding="utf-8").splitlines():
        if row.strip() and not row.startswith("#"):
            name, position, counts = (part.strip() for part in row.split(" | "))
            entries.append(Entry(name, parse_position(position), tuple(map(int, counts.split()))))
    return entries


def main() -> None:
    """Print the table with its counts taken anew."""
    for entry in read_table():
        counts = [perft(entry.position, depth + 1) for depth in range(len(entry.counts))]
        print(f"{entry.name} | {entry.position} | {' '.join(map(str, counts))}")


if __name__ == "__main__":
    main()
