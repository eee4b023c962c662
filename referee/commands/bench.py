"""``referee bench``: speed on this machine, as rates and as ratios within one run."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import _SubParsersAction

EXAMPLES = """\
examples:
  referee bench          rates and ratios as a table
  referee bench --json   the same for a program
"""


def add(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "bench",
        help="measure speed on this machine",
        description="Measure every stage from a film to its rulings and all together beside plain decoding and beside "
        "ultralytics' own prediction on whole frames (where it is installed), the card reader on crops, and the rules "
        "engine beside a plain one, in one run. Only the seconds that the program itself works count.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    from dataclasses import asdict

    from referee.bench.film import bench_film
    from referee.bench.machine import machine
    from referee.bench.reader import bench_reader
    from referee.bench.rules import bench_rules

    told = machine()
    figures = [*bench_film(), *bench_reader(), *bench_rules()]
    if args.json:
        print(json.dumps({"machine": told, "figures": [asdict(figure) for figure in figures]}, indent=2))
        return 0
    print(", ".join(f"{what} {which}" for what, which in told.items()))
    unit = ""
    for figure in figures:
        if figure.unit != unit:
            unit = figure.unit
            print(f"\n{unit + ' a second':>62}     beside the first")
        print(f"{figure.name:<50} {figure.rate:>11,.1f}     x {figure.ratio:.2f}")
    return 0
