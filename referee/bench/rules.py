"""Speed of the rules engine: actions judged and applied a second, beside the plain engine of ``plain``."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass

from referee.bench.plain import act, new_table
from referee.rules import Action, Position, build, judge, parse_action, start, step
from referee.rules.record import GameRecord
from referee.simulate.match import play_match

REPEATS = 5
"""Each figure is the best of so many runs: the least disturbed one."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the result.

    Attributes:
        name: what was done.
        rate: how often a second.
        unit: what is counted.
        ratio: of this rate to the first of the same unit, in the same run.
    """

    name: str
    rate: float
    unit: str
    ratio: float


def bench_rules(matches: int = 12) -> list[Figure]:
    """Time the engine on the actions of seeded matches under the house rules, on one core."""
    records = [play_match(build(), seed) for seed in range(matches)]
    pairs = _pairs(records)
    texts = [[str(line.action) for line in record.lines] for record in records]
    stages: list[tuple[str, str, int, Callable[[], object]]] = [
        ("judge and apply", "actions", len(pairs), lambda: _step_all(pairs)),
        ("judge alone", "actions", len(pairs), lambda: _judge_all(pairs)),
        ("from text, judge and apply", "actions", len(pairs), lambda: _run_texts(texts)),
        ("plain engine, copied each time", "actions", len(pairs), lambda: _plain(texts, keep=True)),
        ("plain engine, changed in place", "actions", len(pairs), lambda: _plain(texts, keep=False)),
        ("a whole match judged and applied", "matches", matches, lambda: _replay(records)),
        (
            "a whole match played by scripted players",
            "matches",
            matches,
            lambda: [play_match(build(), seed) for seed in range(matches)],
        ),
    ]
    best = _best([run for _, _, _, run in stages])
    rates = [count / seconds for (_, _, count, _), seconds in zip(stages, best, strict=True)]
    first = {
        unit: rates[next(i for i, stage in enumerate(stages) if stage[1] == unit)] for unit in ("actions", "matches")
    }
    return [
        Figure(name, rate, unit, rate / first[unit]) for (name, unit, _, _), rate in zip(stages, rates, strict=True)
    ]


def _best(runs: list[Callable[[], object]]) -> list[float]:
    """The least time of each, taken in turn so that a busy moment of the machine falls on all alike."""
    best = [float("inf")] * len(runs)
    for _ in range(REPEATS):
        for index, run in enumerate(runs):
            begun = time.perf_counter()
            run()
            best[index] = min(best[index], time.perf_counter() - begun)
    return best


def _pairs(records: list[GameRecord]) -> list[tuple[Position, Action]]:
    pairs = []
    for record in records:
        position = record.start
        for line in record.lines:
            pairs.append((position, line.action))
            position = step(position, line.action).position
    return pairs


def _step_all(pairs: list[tuple[Position, Action]]) -> None:
    for position, action in pairs:
        step(position, action)


def _judge_all(pairs: list[tuple[Position, Action]]) -> None:
    for position, action in pairs:
        judge(position, action)


def _run_texts(games: list[list[str]]) -> None:
    rules = build()
    for game in games:
        position = start(rules)
        for text in game:
            position = step(position, parse_action(text)).position


def _plain(games: list[list[str]], *, keep: bool) -> None:
    for game in games:
        table = new_table()
        for text in game:
            if keep:
                # What a referee needs: the position before stays as it was, for disputes and for other hypotheses.
                table = copy.deepcopy(table)
            act(table, text)


def _replay(records: list[GameRecord]) -> None:
    for record in records:
        position = record.start
        for line in record.lines:
            position = step(position, line.action).position
