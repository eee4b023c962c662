"""The ``referee`` command: parses the command line, runs one subcommand, turns errors into sentences.

Exit codes: 0 done, 1 done and something was found wrong (a record that does not hold), 2 wrong input or something
missing, 130 interrupted by Ctrl-C.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence

from referee import __version__
from referee.commands import (
    bench,
    calibrate,
    demo,
    dispute,
    doctor,
    evaluate,
    phrases,
    read,
    record,
    replay,
    rules,
    simulate,
    train,
    watch,
)
from referee.errors import UserError


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="referee",
        description="A referee for the card game Spit.",
        epilog="'referee COMMAND --help' explains a command.",
    )
    parser.add_argument("--version", action="version", version=f"referee {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in (
        demo,
        watch,
        replay,
        dispute,
        calibrate,
        read,
        doctor,
        rules,
        record,
        phrases,
        simulate,
        train,
        evaluate,
        bench,
    ):
        module.add(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv`` (without the program's name) and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A console that cannot print a pip or an accented name still gets the rest of the line.
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    args = build_parser().parse_args(argv)
    try:
        code: int = args.run(args)
        sys.stdout.flush()
    except UserError as error:
        print(f"referee: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output (head, a pager) went away; there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("referee: stopped", file=sys.stderr)
        return 130
    return code
