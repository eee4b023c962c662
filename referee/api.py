"""The referee as a library: a photograph read, an action judged, a film refereed.

Everything here can be had from ``referee`` itself, which imports it when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from referee.calibrate.table_given import GivenTable, given_table, kept_table
from referee.report.effective import effective
from referee.rules.actions import Action, parse_action
from referee.rules.judge import judge as judged
from referee.rules.position import Position, parse_position
from referee.rules.ruleset import RuleSet
from referee.rules.ruling import Ruling
from referee.rules.settings import parse_ruleset
from referee.session import Session, Watched, watch
from referee.tracking.commits import Commit
from referee.vision.open_source import open_source
from referee.vision.photo_file import load_photograph
from referee.vision.photo_scan import Scanner
from referee.vision.photograph import FoundCard, PhotoReader
from referee.vision.read_ahead import ReadAhead
from referee.vision.reader import CardReader
from referee.vision.zone_reading import ZoneReader


def read_photo(photo: str | Path, *, model: Path | None = None) -> list[FoundCard]:
    """The cards in a photograph, from its top to its bottom. Nothing need be calibrated.

    Args:
        photo: a picture's file.
        model: an exported YOLO or a ``.pt`` file; None is the one that ships.

    Raises:
        UserError: the photograph or the model cannot be read.
    """
    reader = CardReader(model)
    return PhotoReader(reader, Scanner(reader.model)).read(load_photograph(Path(photo)))


def judge(position: Position | str, action: Action | str) -> Ruling:
    """The ruling on an action in a position, both as objects or in their text form.

    Raises:
        ValueError: a text is none of a position or of an action.
        Impossible: the action cannot have happened there; what is merely against the law gets its ruling.
    """
    there = parse_position(position) if isinstance(position, str) else position
    return judged(there, parse_action(action) if isinstance(action, str) else action)


def referee_video(
    video: str | Path,
    table: str | Path,
    *,
    rules: RuleSet | str = "house",
    model: Path | None = None,
    told: Callable[[Watched], None] | None = None,
) -> tuple[Commit, ...]:
    """Referee a recording to its end.

    Args:
        video: a film's file or a folder of pictures.
        table: where the table lies: the name of a kept table or its ``.toml`` file, else a truth, result or zones file,
            ``.jsonl`` or ``.json``.
        rules: the law, as an object or as ``house`` or ``pl,wrap=false``.
        model: as for ``read_photo``.
        told: called with what each picture came to, as it is watched.

    Returns:
        What was done and what came about and holds in the end, in order of time; ``told`` puts each into words.

    Raises:
        UserError: something cannot be read; the text says what to do.
        ValueError: there is no such law.
    """
    law = parse_ruleset(rules) if isinstance(rules, str) else rules
    with ReadAhead(open_source(str(video))) as source:
        given = _given(table, law, source.size)
        view = given.view()
        reader = ZoneReader(CardReader(model), view, given.layout.boxes)
        return effective(watch(source, Session(law, given.layout, view, reader), told))


def _given(table: str | Path, law: RuleSet, size: tuple[int, int]) -> GivenTable:
    if Path(table).suffix in (".json", ".jsonl"):
        return given_table(law, zones=Path(table))
    return kept_table(str(table), size)
