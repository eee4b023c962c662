"""``referee play-record``: check a game record against the law and print every ruling."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import UserError

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from referee.rules.record import GameRecord, Replayed

EXAMPLES = """\
examples:
  referee play-record game.spit                every ruling, and the result
  referee play-record game.truth.jsonl         the same for the events of a truth or result file
  referee play-record game.spit --faults       only what was illegal, and what came about
  referee play-record game.spit --ruleset pl   the same play under another law
  referee play-record game.spit --json         one line of JSON for every ruling, and one for the result

Exit code 1 says that the file's own rulings are not those of the law.
"""

MAX_BYTES = 20_000_000


def add(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "play-record",
        help="check a game record and print each ruling and the result",
        description="Judge every action of a game record anew and print the rulings and the result.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a game record, or a .jsonl truth or result file")
    parser.add_argument("--ruleset", metavar="RULES", help="judge under another law: a preset, or preset,key=value,…")
    parser.add_argument("--faults", action="store_true", help="leave out what was legal")
    parser.add_argument("--json", action="store_true", help="print one line of JSON for every ruling")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Replay the record; 1 if its own rulings differ from those of the law."""
    from referee.rules.record import RecordError, replay, result_words

    record = read_record(args.file)
    if args.ruleset is not None:
        record = _under(record, args.ruleset)
    if not args.json:
        print(f"{record.names[0]} (A) and {record.names[1]} (B), rules {record.rules}")
    differing = illegal = 0
    position = record.start
    try:
        for done in replay(record):
            position = done.after
            illegal += not done.ruling.legal
            differing += bool(done.differs)
            told = not done.ruling.legal or not args.faults
            if not args.json:
                _print(done, record.names, told)
            elif told:
                print(json.dumps(_row(done, record.names), ensure_ascii=False))
    except RecordError as error:
        raise UserError(f"{args.file}: {error}") from None
    result = result_words(position)
    wrong = record.result not in ("*", result)
    if args.json:
        print(
            json.dumps({"actions": len(record.lines), "illegal": illegal, "result": result, "recorded": record.result})
        )
    else:
        print(f"{len(record.lines)} actions, {illegal} illegal; result {result}")
        if wrong:
            print(f"! the record says {record.result}")
    return 1 if differing or wrong else 0


def _print(done: Replayed, names: tuple[str, str], told: bool) -> None:
    from referee.rules.record import happening_words
    from referee.rules.ruling import sentence

    time = "" if done.line.action.t is None else f"{done.line.action.t:9.3f}  "
    if told:
        print(f"{time}{sentence(done.ruling, names)} [{', '.join(done.ruling.rules)}]")
    for happening in done.happenings:
        print(f"{time}= {happening_words(happening)}")
    if done.differs:
        where = f"line {done.line.number}: " if done.line.number else ""
        print(f"{time}! {where}{done.differs}")


def _row(done: Replayed, names: tuple[str, str]) -> dict[str, object]:
    from referee.rules.record import happening_words
    from referee.rules.ruling import sentence

    ruling = done.ruling
    return {
        "t": done.line.action.t,
        "action": str(ruling.action),
        "verdict": ruling.verdict.value,
        "reason": None if ruling.reason is None else ruling.reason.value,
        "rules": ruling.rules,
        "text": sentence(ruling, names),
        "then": [happening_words(happening) for happening in done.happenings],
        "differs": done.differs,
    }


def read_record(path: Path) -> GameRecord:
    """The record in ``path``, a game record or a JSON-lines file of events; a UserError says why it cannot be read."""
    from referee.rules.contract import read_events
    from referee.rules.record import RecordError, parse_record

    try:
        if path.stat().st_size > MAX_BYTES:
            raise UserError(f"{path} is too big for a game record")
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UserError(f"{path} is no game record: it is not text") from None
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None
    try:
        return read_events(text) if path.suffix == ".jsonl" else parse_record(text)
    except RecordError as error:
        raise UserError(f"{path}: {error}") from None


def _under(record: GameRecord, rules: str) -> GameRecord:
    """The same play under another law, without the rulings recorded under the old one."""
    from dataclasses import replace

    from referee.rules import parse_ruleset
    from referee.rules.record import Line

    try:
        law = parse_ruleset(rules)
    except ValueError as error:
        raise UserError(str(error)) from None
    lines = tuple(Line(line.action, number=line.number) for line in record.lines)
    return replace(record, rules=law, start=replace(record.start, rules=law), lines=lines, result="*")
