"""``referee train``: art for rendered cards, and sheets on which people judge it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.train.deck import Deck


def add(commands: Any) -> None:
    """Declare ``referee train`` and its parts."""
    parser = commands.add_parser("train", help="prepare and make what the card reader is trained on")
    parts = parser.add_subparsers(title="parts", metavar="PART", required=True)

    art = parts.add_parser(
        "art",
        help="fetch card art, fonts and table surfaces",
        description="Fetches the packages that hold card art, fonts and table surfaces into a cache outside the "
        "project, and makes decks of them. What is there already is not fetched again.",
    )
    _add_cache(art)
    art.add_argument("--only", nargs="+", default=[], metavar="NAME", help="only these packages or decks")
    art.set_defaults(run=_art)

    preview = parts.add_parser("preview", help="draw a contact sheet of what there is to train on")
    what = preview.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--decks",
        nargs="*",
        metavar="NAME",
        help="decks: names of fetched ones, drawn-SEED for drawn ones; without names all fetched ones",
    )
    what.add_argument("--crops", action="store_true", help="crops as the card reader is trained on")
    preview.add_argument("--out", type=Path, required=True, metavar="FILE", help="the picture to write, .png or .jpg")
    preview.add_argument("--cards", nargs="+", default=[], metavar="CARD", help="only these cards, such as 7C TD")
    preview.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the crops (0)")
    preview.add_argument("--count", type=int, default=60, metavar="N", help="number of crops (60)")
    _add_cache(preview)
    preview.set_defaults(run=_preview)


def _add_cache(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cache",
        type=Path,
        metavar="DIR",
        help="where the art is kept (default: $REFEREE_CACHE, else the platform's cache directory)",
    )


def _art(args: argparse.Namespace) -> int:
    from referee.train.art import default_cache, prepare

    cache: Path = args.cache or default_cache()
    done = prepare(cache, args.only, lambda line: print(line, flush=True))
    print(f"{len(done.packages)} packages and {len(done.decks)} decks are ready in {cache}")
    for problem in done.problems:
        print(f"missing: {problem}")
    return 2 if done.problems else 0


def _preview(args: argparse.Namespace) -> int:
    from referee.pictures import write_picture
    from referee.train.art import default_cache
    from referee.train.crop_sheet import art_crop_sheet
    from referee.train.preview import deck_sheet

    if args.crops:
        sheet = art_crop_sheet(args.cache or default_cache(), args.seed, args.count)
    else:
        sheet = deck_sheet(_decks(args.decks, args.cache), _cards(args.cards))
    write_picture(args.out, sheet)
    print(f"{args.out}: {sheet.shape[1]} x {sheet.shape[0]} px")
    return 0


def _cards(texts: Sequence[str]) -> Any:
    from referee.cards import DECK, Card
    from referee.errors import UserError

    try:
        return tuple(Card(text.upper()) for text in texts) or DECK
    except ValueError as error:
        raise UserError(str(error)) from None


def _decks(names: Sequence[str], cache: Path | None) -> list[Deck]:
    from referee.errors import UserError
    from referee.train.art import deck, default_cache, stored_decks
    from referee.train.procedural import procedural_deck

    place = cache or default_cache()
    chosen = names or stored_decks(place)
    if not chosen:
        raise UserError(f"there are no decks in {place}: run 'referee train art', or name drawn ones such as drawn-7")
    decks = []
    for name in chosen:
        start, _, seed = name.partition("-")
        drawn = start == "drawn" and seed.isdecimal()
        decks.append(procedural_deck(int(seed), place) if drawn else deck(name, place))
    return decks
