"""``referee completion``: the script by which a shell completes the command line."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from referee.errors import UserError

if TYPE_CHECKING:
    from argparse import _SubParsersAction

EXAMPLES = """\
examples:
  referee completion bash > ~/.local/share/bash-completion/completions/referee
  referee completion zsh > ~/.zfunc/_referee          with fpath+=~/.zfunc before compinit in ~/.zshrc
  referee completion fish > ~/.config/fish/completions/referee.fish
"""


def add(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "completion",
        help="print the script by which a shell completes commands and options",
        description="Print the script by which a shell completes commands, options and names of tables.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", metavar="SHELL", help="bash, zsh or fish")
    # What the scripts ask: the words of the command line so far, the last of them being typed.
    parser.add_argument("words", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the script, or answer it."""
    from referee.cli import build_parser
    from referee.completion import SCRIPTS, following

    if args.shell == "words":
        for word, told in following(build_parser(), args.words):
            print(f"{word}\t{told}" if told else word)
        return 0
    if args.shell not in SCRIPTS:
        raise UserError(f"there is no completion for {args.shell!r}: there are {', '.join(SCRIPTS)}")
    print(SCRIPTS[args.shell], end="")
    return 0
