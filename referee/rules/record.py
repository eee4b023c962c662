"""Game records: a whole game as text that people can read, as PGN is for chess.

A record is a header of tags, then one action a line in the text form of ``actions``, with its ruling after a semicolon;
lines that begin with ``=`` say what came about by itself, and ``#`` begins a comment::

    [Record "1"]
    [Ruleset "house"]
    [A "Ada"]
    [B "Bo"]
    [Result "*"]

    deal A:QH/9hJC/…:kh9c… B:…        ; legal
    both call spit @2.0               ; legal
    B spit JH BR C2 @2.7985           ; legal
    B play 7C B5 C2 @5.1215           ; illegal not_adjacent
    B take_back 7C C2 B5 @6.4689      ; legal correction
    = stalemate

The ruleset is written as in ``RuleSet``'s text, ``pl,scoring=penalty_100``. A ``[Position "…"]`` tag lets a record
begin in the middle of a game. Rulings and ``=`` lines may be left out; those that are there are checked in replay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from referee.rules.actions import Action, parse_action, write_action
from referee.rules.moving import Impossible
from referee.rules.position import Position, parse_position, start, write_position
from referee.rules.ruleset import RuleSet, build
from referee.rules.ruling import Ruling, Verdict
from referee.rules.settings import parse_ruleset
from referee.rules.step import Happening, happenings, step
from referee.rules.stuck import stuck
from referee.table import Seat

VERSION: Final = "1"
MAX_LINE: Final = 4000
"""Longer lines are refused: no action or position needs them."""

_TAG = re.compile(r'\[(\w+) "([^"]*)"\]')
# A # within a word is none: it counts unseen cards (#11).
_COMMENT = re.compile(r"(^|\s)#.*")
_TAGS: Final = ("Record", "Ruleset", "Position", "A", "B", "Source", "Result")


class RecordError(ValueError):
    """A record that cannot be read or replayed; the sentence gives the line."""


@dataclass(frozen=True, slots=True)
class Line:
    """One action of a record.

    Attributes:
        action: what was done.
        ruling: the ruling as recorded (``legal``, ``illegal not_adjacent``, ``legal correction``), empty if none was.
        after: what came about by itself then, as recorded (``stalemate``, ``round_over A stock_empty``).
        number: its line in the file, 0 for a record that was not read from text.
    """

    action: Action
    ruling: str = ""
    after: tuple[str, ...] = ()
    number: int = 0


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game: its law, the position it began in, the players, what was done, and the result as recorded."""

    rules: RuleSet
    start: Position
    names: tuple[str, str]
    lines: tuple[Line, ...]
    result: str = "*"
    source: str = ""


@dataclass(frozen=True, slots=True)
class Replayed:
    """One action replayed: the position before and after, the ruling now, and what came about.

    ``differs`` says in a sentence how the record's own ruling or events differ from these; empty if they do not.
    """

    line: Line
    before: Position
    ruling: Ruling
    after: Position
    happenings: tuple[Happening, ...]
    differs: str = ""


def ruling_words(ruling: Ruling) -> str:
    """A ruling as records write it."""
    words = [ruling.verdict.value]
    if ruling.reason is not None:
        words.append(ruling.reason.value)
    if ruling.correction:
        words.append("correction")
    return " ".join(words)


def happening_words(happening: Happening) -> str:
    """A happening as records write it: ``stalemate``, ``round_over A stock_empty``, ``game_over - fewer_cards``."""
    if not happening.reason:
        return happening.kind
    return f"{happening.kind} {'-' if happening.winner is None else happening.winner} {happening.reason}"


def result_words(position: Position) -> str:
    """The result of a game as records write it: ``A no_cards``, ``draw fewer_cards``, or ``*`` while it is open."""
    result = position.result
    if result is None:
        return "*"
    return f"{'draw' if result.winner is None else result.winner} {result.reason}"


def replay(record: GameRecord) -> Iterable[Replayed]:
    """Judge every action of ``record`` anew, in order.

    Raises:
        RecordError: an action cannot have happened; nothing after it can be judged.
    """
    position = record.start
    earlier: tuple[Happening, ...] = ()
    for line in record.lines:
        try:
            done = step(position, line.action)
        except Impossible as error:
            where = f"line {line.number}: " if line.number else ""
            raise RecordError(f"{where}'{line.action}' cannot have happened: {error}") from None
        came = happenings(position, done.position)
        # Something that comes about a moment after its cause may be written down after the other player's next action.
        expected = earlier if line.after and not came else came
        differs = _difference(line, done.ruling, expected, done.position)
        yield Replayed(line, position, done.ruling, done.position, came, differs)
        position, earlier = done.position, came


def _difference(line: Line, ruling: Ruling, came: tuple[Happening, ...], after: Position) -> str:
    words = ruling_words(ruling)
    # Whoever wrote the record may have seen cards that the record does not tell of.
    if ruling.verdict is Verdict.UNDECIDED:
        return ""
    if line.after == ("stalemate",) and not came and not any(stuck(after, seat).witness for seat in Seat):
        return ""
    if line.ruling and line.ruling != words:
        return f"the record says '{line.ruling}', the law says '{words}'"
    events = tuple(happening_words(happening) for happening in came)
    if line.after and line.after != events:
        return f"the record says '{', '.join(line.after)}' follows, the law says '{', '.join(events) or 'nothing'}'"
    return ""


def annotate(record: GameRecord) -> GameRecord:
    """``record`` with every ruling, event and the result as the law gives them."""
    lines: list[Line] = []
    position = record.start
    for done in replay(record):
        after = tuple(happening_words(happening) for happening in done.happenings)
        lines.append(Line(done.line.action, ruling_words(done.ruling), after, done.line.number))
        position = done.after
    return GameRecord(record.rules, record.start, record.names, tuple(lines), result_words(position), record.source)


def write_record(record: GameRecord) -> str:
    """The text of a record; ``parse_record`` is its inverse."""
    tags = [("Record", VERSION), ("Ruleset", str(record.rules))]
    if record.start != start(record.rules):
        tags.append(("Position", write_position(record.start)))
    tags += [("A", record.names[0]), ("B", record.names[1])]
    if record.source:
        tags.append(("Source", record.source))
    tags.append(("Result", record.result))
    rows = [f'[{name} "{value}"]' for name, value in tags]
    rows.append("")
    for line in record.lines:
        text = write_action(line.action)
        rows.append(f"{text:<32}  ; {line.ruling}" if line.ruling else text)
        rows += [f"= {words}" for words in line.after]
    return "\n".join(rows) + "\n"


def parse_record(text: str) -> GameRecord:
    """The record written ``text``.

    Raises:
        RecordError: a sentence with the number of the line that is wrong.
    """
    tags: dict[str, str] = {}
    lines: list[Line] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        row = raw.strip() if raw.startswith("[") else _COMMENT.sub("", raw).strip()
        try:
            if len(raw) > MAX_LINE:
                raise ValueError(f"a line of {len(raw)} characters is no line of a record")
            if row.startswith("["):
                _read_tag(row, tags, bool(lines))
            elif row.startswith("="):
                _read_happening(row, lines)
            elif row:
                lines.append(_read_action(row, number))
        except ValueError as error:
            raise RecordError(f"line {number}: {error}") from None
    if tags.get("Record") != VERSION:
        raise RecordError(f'this is no game record: it begins with [Record "{VERSION}"]')
    try:
        rules = parse_ruleset(tags["Ruleset"]) if "Ruleset" in tags else build()
        begin = parse_position(tags["Position"]) if "Position" in tags else start(rules)
    except ValueError as error:
        raise RecordError(f"the header: {error}") from None
    if begin.rules != rules:
        raise RecordError(f"the header: the position is under {begin.rules}, the record under {rules}")
    names = (tags.get("A", "A"), tags.get("B", "B"))
    return GameRecord(rules, begin, names, tuple(lines), tags.get("Result", "*"), tags.get("Source", ""))


def _read_tag(row: str, tags: dict[str, str], late: bool) -> None:
    found = _TAG.fullmatch(row)
    if found is None:
        raise ValueError(f'{row!r} is no tag; tags are written [Name "value"]')
    name, value = found.groups()
    if name not in _TAGS:
        raise ValueError(f"there is no tag {name}; the tags are {', '.join(_TAGS)}")
    if name in tags or late:
        raise ValueError(f"the tag {name} {'comes after the actions' if late else 'is given twice'}")
    tags[name] = value


def _read_happening(row: str, lines: list[Line]) -> None:
    words = row[1:].strip()
    if words.split(" ")[0] not in ("stalemate", "round_over", "game_over"):
        raise ValueError(f"{words!r} is none of stalemate, round_over, game_over")
    if not lines:
        raise ValueError(f"{words!r} comes before any action")
    last = lines[-1]
    lines[-1] = Line(last.action, last.ruling, (*last.after, words), last.number)


def _read_action(row: str, number: int) -> Line:
    text, _, ruling = row.partition(";")
    return Line(parse_action(text), " ".join(ruling.split()), (), number)
