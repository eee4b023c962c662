"""The ``referee`` command: parses the command line, runs one subcommand, turns errors into sentences."""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import sys
import textwrap
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, Final, NoReturn

from referee import __version__
from referee.errors import UserError

COMMANDS: Final = {
    "demo": "demo",
    "watch": "watch",
    "replay": "replay",
    "dispute": "dispute",
    "calibrate": "calibrate",
    "read": "read",
    "doctor": "doctor",
    "rules": "rules",
    "play-record": "record",
    "phrases": "phrases",
    "simulate": "simulate",
    "train": "train",
    "evaluate": "evaluate",
    "bench": "bench",
    "completion": "completion",
}
"""Each command and its module in ``referee.commands``, in the order of the help."""

EXAMPLES: Final = """\
examples:
  referee demo                                    a game refereed from a recording that ships
  referee calibrate --save kitchen                find the table under the camera
  referee watch --table kitchen --names Ada,Bo    referee a game as it is played
  referee replay game.mp4 --table kitchen         referee a recording
  referee dispute game.mp4 --at 2:31              what that quarrel was about
  referee read table.jpg                          the cards in a photograph
  referee doctor                                  is everything there, and does it work?

'referee COMMAND --help' explains a command.

exit codes:
  0    done
  1    done, and something was found wrong: a record that does not hold, a problem on this machine
  2    wrong input, or something is missing; the sentence says what, and what to do
  130  stopped by Ctrl-C
"""


class Parser(argparse.ArgumentParser):
    """A parser of which every command is one: examples before options, and one sentence for a mistake.

    Options are not abbreviated, so that what is written in a script keeps its meaning when options are added.
    """

    def __init__(self, description: str = "", epilog: str = "", **options: Any) -> None:
        text = "\n\n".join(filter(None, (textwrap.fill(description, 100), epilog)))
        options |= {"description": text, "allow_abbrev": False, "formatter_class": _Help}
        super().__init__(**options)
        for name in (None, "store"):
            self.register("action", name, _Once)

    def error(self, message: str) -> NoReturn:
        """Exit with a sentence."""
        self.exit(2, f"referee: {message}: '{self.prog} --help' shows what can be given\n")


class _Help(argparse.RawDescriptionHelpFormatter):
    """Texts as they are written, and room for the names of options."""

    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, **{"max_help_position": 28, **options})

    def add_argument(self, action: argparse.Action) -> None:
        """Measure the names of commands as far in as they are printed."""
        super().add_argument(action)
        if isinstance(action, argparse._SubParsersAction):
            self._action_max_length += self._indent_increment


class _Once(argparse._StoreAction):
    """An option with one value: of two, one would be forgotten."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        if option is not None:
            given = vars(namespace).setdefault("given", set())
            if self.dest in given:
                raise argparse.ArgumentError(self, "it is given twice, and there can be only one")
            given.add(self.dest)
        super().__call__(parser, namespace, values, option)


def build_parser(commands: Iterable[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser of the whole command line, or of these ``commands`` alone."""
    parser = Parser(prog="referee", description="A referee for the card game Spit.", epilog=EXAMPLES)
    parser.add_argument("--version", action="version", version=f"referee {__version__}")
    parts = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in commands:
        import_module(f"referee.commands.{COMMANDS[command]}").add(parts)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv`` (without the program's name) and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A console that cannot print a pip or an accented name still gets the rest of the line.
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    # Deciding makes and drops small things by the thousand: at the usual threshold a tenth of it goes into looking for
    # rings of them, of which there are none.
    gc.set_threshold(20_000)
    words = sys.argv[1:] if argv is None else argv
    try:
        # Of a command that is named nothing but its own module is needed.
        parser = build_parser(words[:1] if words and words[0] in COMMANDS else COMMANDS)
        if not words:
            parser.print_help(sys.stderr)
            return 2
        args = parser.parse_args(words)
        code: int = args.run(args)
        sys.stdout.flush()
    except UserError as error:
        print(f"referee: {error}", file=sys.stderr)
        return 2
    except MemoryError:
        print("referee: there is not enough memory for that", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output (head, a pager) went away; there is nobody left to tell.
        _print_no_more()
        return 0
    except OSError as error:
        _print_no_more()
        print(f"referee: {error.filename or 'the output'}: {error.strerror or error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("referee: stopped", file=sys.stderr)
        return 130
    return code


def _print_no_more() -> None:
    """Have what is still to be printed go nowhere, so that ending the program does not fail on it."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
