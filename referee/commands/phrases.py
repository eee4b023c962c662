"""``referee phrases``: everything the referee can say, in four languages side by side."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import UserError

if TYPE_CHECKING:
    from argparse import _SubParsersAction

EXAMPLES = """\
examples:
  referee phrases --lang pl             the phrases of one language
  referee phrases --out phrases.html    all four side by side
"""


def add(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "phrases",
        help="list everything the referee says, for reading by those who speak the languages",
        description="List everything the referee can say, filled in with examples, in four languages side by side.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--lang", metavar="LANG", help="only this language: en, pt, pl or sv")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write FILE.md or FILE.html instead of printing")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print or write the table."""
    from referee.announce import table
    from referee.announce.phrases import Language, parse_language
    from referee.files import write_whole

    languages = tuple(Language) if args.lang is None else (parse_language(args.lang),)
    out: Path | None = args.out
    if out is None:
        print(table.markdown(languages), end="")
        return 0
    writers = {".md": table.markdown, ".html": table.html}
    if out.suffix not in writers:
        raise UserError(f"the table is written as .md or .html, not as {out.name!r}")
    write_whole(out, writers[out.suffix](languages))
    print(f"{out}: {len(languages)} language{'s' if len(languages) > 1 else ''}")
    return 0
