"""``referee demo``: the referee at work on a small recording that ships with the program."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import _SubParsersAction

EXAMPLES = """\
examples:
  referee demo                              in a window, spoken, at the pace it was played
  referee demo --no-window --speak off      rulings are printed
  referee demo --lang sv --out demo-game    said in Swedish, kept where you say
"""


def add(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    from referee.commands.watch import add_output

    parser = commands.add_parser(
        "demo",
        help="see the referee at work on a small recording",
        description="Referee a recording of some twenty seconds as if it were filmed now, and show what came of it.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the game is kept (a folder of its own in /tmp)")
    add_output(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Referee the recording."""
    import tempfile

    from referee.calibrate.saved_table import SavedTable, as_corners
    from referee.calibrate.table_given import given_table
    from referee.commands.watch import reader, referee_game, spoken, tell
    from referee.errors import UserError
    from referee.live.running import NewGame, Plan
    from referee.resources import shipped
    from referee.rules.ruleset import build

    film, truth = shipped("demo", "game.mp4"), shipped("demo", "game.truth.jsonl")
    if not film.exists():
        raise UserError(f"the recording {film} is missing: install spit-referee again")
    language, level = spoken(args)
    rules = build()
    given = given_table(rules, zones=truth)
    folder = args.out or Path(tempfile.mkdtemp(prefix="spit-referee-demo-"))
    reading, model = reader(None)
    print(f"A recorded game, refereed as it is played. It is kept in {folder}.", flush=True)
    game = NewGame(
        lambda size: SavedTable(film.name, size, as_corners(given.corners), given.layout), rules, ("Ada", "Bo")
    )
    plan = Plan(str(film), game, language, level, reading, model, folder, window=not args.no_window)
    tell(referee_game(plan))
    return 0
