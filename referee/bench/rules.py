"""Speed of the rules engine: actions judged and applied a second, beside the plain engine of ``plain``."""

from __future__ import annotations

import copy

from referee.bench.figure import Figure, Stage, measure
from referee.bench.plain import act, new_table
from referee.rules import Action, Position, build, judge, parse_action, start, step
from referee.rules.record import GameRecord
from referee.simulate.match import play_match


def bench_rules(matches: int = 12) -> list[Figure]:
    """Time the engine on the actions of seeded matches under the house rules, on one core."""
    records = [play_match(build(), seed) for seed in range(matches)]
    pairs = _pairs(records)
    texts = [[str(line.action) for line in record.lines] for record in records]
    played = range(matches)
    return measure(
        [
            Stage("judge and apply", "actions", len(pairs), lambda: _step_all(pairs)),
            Stage("judge alone", "actions", len(pairs), lambda: _judge_all(pairs)),
            Stage("from text, judge and apply", "actions", len(pairs), lambda: _run_texts(texts)),
            Stage("plain engine, copied each time", "actions", len(pairs), lambda: _plain(texts, keep=True)),
            Stage("plain engine, changed in place", "actions", len(pairs), lambda: _plain(texts, keep=False)),
            Stage("a whole match judged and applied", "matches", matches, lambda: _replay(records)),
            Stage(
                "a whole match played by scripted players",
                "matches",
                matches,
                lambda: [play_match(build(), seed) for seed in played],
            ),
        ]
    )


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
