"""Refereeing one recording to its end: the result file, the game record and the report."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from referee import __version__
from referee.calibrate.table_given import GivenTable
from referee.files import write_whole
from referee.report.effective import effective, is_ruling
from referee.report.page import Report, write_page
from referee.report.stills import Still, StillKeeper
from referee.rules.position import start
from referee.rules.record import GameRecord, Line, RecordError, annotate, ruling_words, write_record
from referee.rules.ruleset import RuleSet
from referee.session import Session, Watched, watch
from referee.tracking import commits as said
from referee.tracking.commits import Commit
from referee.tracking.results import result_event, settled
from referee.vision.frames import FrameSource
from referee.vision.zone_reading import ReadsZones

VERSION: Final = 1
"""Of the format of result files."""

Progress = Callable[[float, float | None], None]
"""Told the time reached in the film and its length, s; None where the length is not known."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a recording is refereed with.

    Attributes:
        rules: the law.
        names: of the players A and B.
        table: where the table lies.
        model: checksum of the reader's model.
    """

    rules: RuleSet
    names: tuple[str, str]
    table: GivenTable
    model: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a recording.

    Attributes:
        frames: pictures watched.
        readings: crops read.
        seconds: of film.
        rulings: actions ruled on.
        faults: how many of them were illegal.
        undecided: how many could not be ruled on.
        damage: what was wrong with the film; empty for nothing.
        files: the result file, the record, the report.
    """

    frames: int
    readings: int
    seconds: float
    rulings: int
    faults: int
    undecided: int
    damage: str
    files: tuple[Path, ...]


def replay_film(
    name: str, source: FrameSource, reader: ReadsZones, setting: Setting, out: Path, progress: Progress
) -> Outcome:
    """Referee ``source`` and write ``name.result.jsonl``, ``name.spit`` and ``name.html`` into ``out``.

    The result file and the record are the same, byte for byte, for the same film, setting and version.

    Args:
        name: of the film, without its ending.
        source: its frames.
        reader: reads its zones.
        setting: what it is refereed with.
        out: an existing folder.
        progress: told of every frame.

    Raises:
        UserError: a file cannot be written.
    """
    table = setting.table
    session = Session(setting.rules, table.layout, table.view(), reader)
    keeper = StillKeeper(table.layout, table.view())
    stills: dict[int, tuple[Still, ...]] = {}
    seen = {"frames": 0, "readings": 0}
    end = 0.0

    def watched(one: Watched) -> None:
        nonlocal end
        keeper.push(one.frame)
        for commit in one.commits:
            stills[commit.number] = keeper.of(commit)
        seen["frames"] += 1
        seen["readings"] += len(one.readings)
        end = one.frame.t
        progress(end, source.duration)

    commits = tuple(watch(source, session, watched))
    for commit in commits:
        if commit.number not in stills:
            stills[commit.number] = keeper.of(commit)
    video = source.description
    paths = (out / f"{name}.result.jsonl", out / f"{name}.spit", out / f"{name}.html")
    write_whole(paths[0], result_text(name, source, setting, commits))
    write_whole(paths[1], write_record(record_of(commits, setting, name)))
    facts = (f"rules {setting.rules}", video, f"referee {__version__}")
    report = Report(name, setting.names, facts, commits, stills, end, source.damage)
    write_whole(paths[2], write_page(report))
    rulings = [one for one in effective(commits) if is_ruling(one)]
    verdicts = [one.ruling.verdict.value for one in rulings if one.ruling is not None]
    return Outcome(
        seen["frames"],
        seen["readings"],
        end,
        len(rulings),
        verdicts.count("illegal"),
        verdicts.count("undecided"),
        source.damage,
        paths,
    )


def result_text(name: str, source: FrameSource, setting: Setting, commits: tuple[Commit, ...]) -> str:
    """A result file: a header, then what was said and not taken back, one a line."""
    header: Mapping[str, Any] = {
        "kind": "header",
        "version": VERSION,
        "program": f"spit-referee {__version__}",
        "model": setting.model,
        "video": name,
        "size": list(source.size),
        "ruleset": setting.rules.preset,
        "overrides": setting.rules.overrides(),
        "names": dict(zip("AB", setting.names, strict=True)),
        **setting.table.described(),
        "damage": source.damage,
    }
    lines = [header, *(result_event(commit, setting.names) for commit in settled(commits))]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def record_of(commits: tuple[Commit, ...], setting: Setting, name: str) -> GameRecord:
    """The game record of what holds in the end.

    Where the law can follow every action, rulings and result are its own; else they are those that were said.
    """
    standing = [one for one in effective(commits) if one.action is not None]
    lines = tuple(
        Line(replace(one.action, t=round(one.t, 4)), "" if one.ruling is None else ruling_words(one.ruling))
        for one in standing
        if one.action is not None and one.what in (said.ACTION, said.CORRECTION)
    )
    record = GameRecord(setting.rules, start(setting.rules), setting.names, lines, "*", name)
    bare = GameRecord(record.rules, record.start, record.names, tuple(Line(one.action) for one in lines), "*", name)
    try:
        return annotate(bare)
    except RecordError:
        return record
