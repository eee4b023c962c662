"""``referee doctor``: is everything there that refereeing needs, and does it work?"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import UserError

if TYPE_CHECKING:
    from argparse import _SubParsersAction

EXAMPLES = """\
examples:
  referee doctor                                   program, model, camera 0, voice, disk and speed
  referee doctor --table kitchen --out check.png   also the table: light, focus, size of the cards, every zone
  referee doctor --camera game.mp4 --json          the same of a film, for a program

Each line says ok, warning or problem, and what to do. Exit code 1 says that there is a problem.
"""


def add(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "doctor",
        help="is everything there, and does it work?",
        description="Look at all that refereeing needs: program, model, camera, table, voice, disk, speed.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--camera", metavar="SOURCE", help="camera number, address, video or picture (the table's, or 0)"
    )
    parser.add_argument("--table", metavar="NAME", help="check this saved table as well")
    parser.add_argument("--model", type=Path, metavar="FILE", help="another model than the one that ships")
    parser.add_argument("--folder", type=Path, default=Path(), metavar="DIR", help="where recordings go (here)")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="the table's picture with ghosts and readings (--table)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Look at everything and print it; 1 if there is a problem."""
    from referee.doctor import Health, Line, Patient, examine

    if args.out is not None and args.table is None:
        raise UserError("--out is the picture of a checked table: say which with --table NAME")
    lines: list[Line] = []
    for line in examine(Patient(args.camera, args.table, args.model, args.folder, args.out)):
        lines.append(line)
        if not args.json:
            print(f"{line.health.value:<8} {line.what:<9} {line.text}", flush=True)
    if args.json:
        print(json.dumps([{"what": one.what, "health": one.health.value, "text": one.text} for one in lines], indent=2))
    return 1 if any(line.health is Health.PROBLEM for line in lines) else 0
