"""``referee watch``: referee a game at the table, live."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import UserError

if TYPE_CHECKING:
    from argparse import _SubParsersAction
    from collections.abc import Callable

    from referee.announce.announcement import Level
    from referee.announce.phrases import Language
    from referee.calibrate.saved_table import SavedTable
    from referee.live.game import Step
    from referee.live.running import Outcome, Plan
    from referee.rules.ruleset import RuleSet
    from referee.table import TableLayout
    from referee.vision.rectify import TableView
    from referee.vision.zone_reading import ReadsZones

EXAMPLES = """\
examples:
  referee watch --table kitchen --names Ada,Bo
  referee watch --camera 1 --table kitchen --ruleset sv --lang sv --speak faults
  referee watch --camera game.mp4 --zones table.json --no-window     a recording in place of a camera
  referee watch --resume games/2026-05-01-203000       go on with a game that broke off

Tables are found and kept by 'referee calibrate'. In the window: space pauses, h explains the keys, q ends the game.
Without a window Ctrl-C ends it. Recording, journal, result file and report are in the game's folder.
"""


def add(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "watch",
        help="referee a game at the table, live",
        description="Watch a table through a camera, rule on every play on the screen and aloud, and record the game.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    where = parser.add_argument_group("the table")
    where.add_argument(
        "--camera",
        default="0",
        metavar="N|URL|VIDEO",
        help="camera number (0@1280x720 asks for a size), address or recording (0)",
    )
    where.add_argument("--table", metavar="NAME", help="a table that was kept, or its .toml file")
    where.add_argument("--corners", metavar="X,Y…", help="where the table's four corners lie in the picture")
    where.add_argument("--size", metavar="WxH", help="size of the table in millimetres (900x600)")
    where.add_argument("--zones", type=Path, metavar="FILE", help="a file that describes the table (.json, .toml)")
    game = parser.add_argument_group("the game")
    game.add_argument("--ruleset", default="house", metavar="RULES", help="a preset, or preset,key=value,… (house)")
    game.add_argument("--names", default="A,B", metavar="A,B", help="the players' names (A,B)")
    game.add_argument("--model", type=Path, metavar="FILE", help="another model than the one that ships")
    kept = game.add_mutually_exclusive_group()
    kept.add_argument("--record", type=Path, metavar="DIR", help="folder of the game (games/ and the time)")
    kept.add_argument("--no-record", action="store_true", help="keep nothing")
    kept.add_argument("--resume", type=Path, metavar="DIR", help="go on with the game in this folder")
    add_output(parser)
    parser.set_defaults(run=run)


def add_output(parser: argparse.ArgumentParser) -> None:
    """Declare how a game is shown and spoken."""
    out = parser.add_argument_group("screen and voice")
    out.add_argument("--lang", default="en", metavar="LANG", help="en, pt, pl or sv (en)")
    out.add_argument("--speak", default="all", metavar="HOW", help="all, faults or off (all)")
    out.add_argument("--no-window", action="store_true", help="print the rulings instead")


def run(args: argparse.Namespace) -> int:
    """Referee until the game is ended."""
    import time

    from referee.arguments import parse_names
    from referee.live.running import NewGame, Plan
    from referee.rules.settings import parse_ruleset
    from referee.vision.open_source import is_missing

    language, level = spoken(args)
    game: NewGame | None = None
    folder: Path | None = args.resume or args.record
    beside = False
    if args.resume is None:
        if is_missing(args.camera):
            raise UserError(f"{args.camera}: there is no such file: check the name")
        try:
            rules = parse_ruleset(args.ruleset)
        except ValueError as error:
            raise UserError(str(error)) from None
        game = NewGame(_table(args, rules), rules, parse_names(args.names))
        if folder is None and not args.no_record:
            # Another game may have been begun in this second.
            folder, beside = Path("games") / time.strftime("%Y-%m-%d-%H%M%S"), True
    reading, model = reader(args.model)
    tell(referee_game(Plan(args.camera, game, language, level, reading, model, folder, beside, not args.no_window)))
    return 0


def spoken(args: argparse.Namespace) -> tuple[Language, Level]:
    """The language, and how much is said aloud."""
    from referee.announce.announcement import parse_level
    from referee.announce.phrases import parse_language

    return parse_language(args.lang), parse_level(args.speak)


def reader(model: Path | None) -> tuple[Callable[[TableLayout, TableView], ReadsZones], str]:
    """What makes a reader of zones, and the checksum of its model; None is the model that ships."""
    from referee.vision.reader import CardReader
    from referee.vision.zone_reading import ZoneReader

    crops = CardReader(model)
    return lambda layout, view: ZoneReader(crops, view, layout.boxes), crops.model.checksum


def referee_game(plan: Plan) -> Outcome:
    """Referee a game, its rulings printed as they come."""
    from referee.live.running import Telling, run_game

    def say(sentence: str) -> None:
        print(sentence, flush=True)

    def step(one: Step, names: tuple[str, str]) -> None:
        for line in lines(one, names):
            say(line)

    return run_game(plan, Telling(step, say))


def lines(step: Step, names: tuple[str, str]) -> list[str]:
    """A step in lines of text: rulings with their time and the laws behind faults, and what the referee announces."""
    from referee.tracking.commits import DESYNC, DISTURBED, HEALED
    from referee.tracking.results import told

    found = []
    for commit in step.commits:
        ruling = commit.ruling
        laws = "" if ruling is None or ruling.legal else f" [{', '.join(ruling.rules)}]"
        mark = "!" if ruling is not None and not ruling.legal else " "
        found.append(f"{_clock(commit.t)} {mark} {told(commit, names)}{laws}")
    if not any(commit.what in (DISTURBED, DESYNC, HEALED) for commit in step.commits):
        # The voice repeats what was ruled and seen; only what it says of the referee is new.
        found += [f"        {one.text}" for one in step.announcements if one.keys[-1].startswith("trouble.")]
    found += [f"        {sentence}" for sentence in step.notices]
    return found


def tell(outcome: Outcome) -> None:
    """Print what came of a game."""
    from referee.report.effective import effective, is_ruling

    verdicts = [one.ruling.verdict.value for one in effective(outcome.commits) if is_ruling(one) and one.ruling]
    figures = f"{len(verdicts)} rulings, {verdicts.count('illegal')} illegal, {verdicts.count('undecided')} undecided"
    lost = f"; {outcome.drops} pictures came while the referee was busy" if outcome.drops else ""
    lost += f"; {outcome.left_out} not recorded" if outcome.left_out else ""
    print(figures + lost)
    for path in outcome.files:
        print(path)


def _table(args: argparse.Namespace, rules: RuleSet) -> Callable[[tuple[int, int]], SavedTable]:
    """The table that the command line names, in pictures of a size."""
    from referee.calibrate.saved_table import SavedTable, as_corners
    from referee.calibrate.table_given import given_table
    from referee.calibrate.tables import load_table, where_it_lies

    by_hand = args.corners is not None or args.zones is not None
    if args.table is not None and by_hand:
        raise UserError("--table says where everything lies: leave out --corners and --zones, or --table")
    if args.table is not None:
        saved = load_table(args.table)
        return saved.for_picture
    if by_hand:
        given = given_table(rules, args.corners, args.size, args.zones)
        return lambda size: SavedTable(args.camera, size, as_corners(given.corners), given.layout)
    raise where_it_lies()


def _clock(t: float) -> str:
    minutes, seconds = divmod(max(t, 0.0), 60)
    return f"{int(minutes)}:{seconds:05.2f}"
