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
        description="Measure the speed of the rules engine beside a plain dict-and-list engine, and of the card reader "
        "beside ultralytics' own prediction, in one run.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    from dataclasses import asdict

    from referee.bench.reader import bench_reader
    from referee.bench.rules import bench_rules

    figures = [*bench_rules(), *bench_reader()]
    if args.json:
        print(json.dumps([asdict(figure) for figure in figures], indent=2))
        return 0
    for figure in figures:
        print(f"{figure.name:<42} {figure.rate:>12,.1f} {figure.unit:<8} a second   x {figure.ratio:.2f}")
    return 0
