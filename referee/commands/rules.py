"""``referee rules``: the law in force in plain sentences, and what differs between two laws."""

from __future__ import annotations

import argparse
import json
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import UserError

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from referee.rules import RuleSet

EXAMPLES = """\
examples:
  referee rules                                the house rules
  referee rules --preset sv --set wrap=false   a preset with a rule changed
  referee rules --file kitchen.toml            the rules a table has written down
  referee rules --diff pt sv                   what differs between two presets
  referee rules --explain PT-20 G1             what the laws cited in a ruling say
  referee rules --keys                         every key with its valid values
  referee rules --preset pl --json             the law and its keys for a program
"""

WIDTH = 100


def add(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "rules",
        help="print the law in force, or what differs between two laws",
        description="Print the law in force in plain sentences, each with the IDs of the laws behind it.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_ruleset_options(parser)
    other = parser.add_mutually_exclusive_group()
    other.add_argument("--diff", nargs=2, metavar=("RULES", "RULES"), help="two presets, or preset,key=value,…")
    other.add_argument("--explain", nargs="+", metavar="ID", help="print what laws say, by ID")
    other.add_argument("--keys", action="store_true", help="list every key with its valid values")
    other.add_argument("--json", action="store_true", help="print the law as JSON: keys, and sentences with their laws")
    parser.set_defaults(run=run)


def add_ruleset_options(parser: argparse.ArgumentParser) -> None:
    """The options by which any command is told its ruleset; ``chosen_ruleset`` reads them."""
    parser.add_argument("--preset", metavar="NAME", help="house (default), pt, pt-both, pl or sv")
    parser.add_argument("--file", type=Path, metavar="TOML", help="rules from a file: preset and keys")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="change a rule; may be repeated"
    )


def chosen_ruleset(args: argparse.Namespace) -> RuleSet:
    """The ruleset that the options name; a UserError says what is wrong with them."""
    from referee.rules import build, load_ruleset, parse_overrides

    try:
        overrides = parse_overrides(args.set)
        if args.file is None:
            return build(args.preset or "house", overrides)
        if args.preset is not None:
            raise UserError("--preset and --file exclude each other: the file names its preset")
        return load_ruleset(args.file).replace(**overrides)
    except ValueError as error:
        raise UserError(str(error)) from None
    except OSError as error:
        raise UserError(f"cannot read {args.file}: {error.strerror}") from None


def run(args: argparse.Namespace) -> int:
    """Print what was asked for."""
    if args.explain:
        return _explain(args.explain)
    if args.keys:
        return _list_keys()
    if args.diff:
        return _print_difference(*args.diff)
    rules = chosen_ruleset(args)
    if args.json:
        return _print_json(rules)
    print(f"The law of {rules}")
    _print_law(rules)
    return 0


def _print_law(rules: RuleSet) -> None:
    from referee.rules.telling import tell

    chapter = ""
    for told in tell(rules):
        if told.chapter != chapter:
            chapter = told.chapter
            print(f"\n{chapter}")
        _print_sentence(told.text, told.rules)


def _print_json(rules: RuleSet) -> int:
    from referee.rules.ruleset import KEYS
    from referee.rules.telling import tell

    law = [{"chapter": told.chapter, "text": told.text, "rules": told.rules} for told in tell(rules)]
    keys = {key: getattr(rules, key) for key in KEYS}
    print(json.dumps({"law": str(rules), "keys": keys, "sentences": law}, ensure_ascii=False, indent=2))
    return 0


def _print_sentence(text: str, ids: tuple[str, ...], label: str = "  ") -> None:
    cited = f" [{', '.join(ids)}]" if ids else ""
    print(textwrap.fill(text + cited, WIDTH, initial_indent=label, subsequent_indent=" " * len(label)))


def _print_difference(one: str, other: str) -> int:
    from referee.rules import parse_ruleset
    from referee.rules.telling import differences, setting

    try:
        first, second = parse_ruleset(one), parse_ruleset(other)
    except ValueError as error:
        raise UserError(str(error)) from None
    found = list(differences(first, second))
    if not found:
        print(f"{one} and {other} are the same law.")
    width = max(len(one), len(other)) + 4
    for key, here, there in found:
        print(f"{setting(first, key)} / {setting(second, key)}  [{', '.join(here.rules)}]")
        _print_sentence(here.text, (), f"  {one}:".ljust(width))
        _print_sentence(there.text, (), f"  {other}:".ljust(width))
    return 0


def _explain(ids: list[str]) -> int:
    from referee.rules import law

    try:
        laws = [law(one) for one in ids]
    except ValueError as error:
        raise UserError(str(error)) from None
    for one in laws:
        _print_sentence(one.text, one.keys and (f"keys: {', '.join(one.keys)}",), f"{one.id:<6} ")
    return 0


def _list_keys() -> int:
    from referee.rules.ruleset import KEYS, laws_of, valid_values, write_value

    for key in KEYS:
        values = ", ".join(write_value(value) for value in valid_values(key)) or "see 'referee rules'"
        _print_sentence(values, laws_of(key), f"{key:<20} ")
    return 0
