"""``referee train``: art for rendered cards, sheets on which people judge it, and the card reader itself."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.train.decks.deck import Deck

ART_EXAMPLES = """\
examples:
  referee train art                          everything, into the cache (REFEREE_CACHE)
  referee train art --only svg-cards anglo   only these
"""

PREVIEW_EXAMPLES = """\
examples:
  referee train preview --decks --out decks.png
  referee train preview --decks drawn-7 --cards 7C TD --out some.png
  referee train preview --crops --seed 1 --out crops.png
"""

READER_EXAMPLES = """\
examples:
  referee train reader --out trained                       hours; go on with the same command
  referee train reader --out trained --photos photos/ --device cuda
"""


def add(commands: Any) -> None:
    """Declare ``referee train`` and its parts."""
    parser = commands.add_parser(
        "train",
        help="prepare and make what the card reader is trained on",
        description="Prepare what the card reader is trained on, look at it, and train.",
        epilog="examples:\n  referee train art\n  referee train preview --crops --out crops.png\n"
        "  referee train reader --out trained",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parts = parser.add_subparsers(title="parts", metavar="PART", required=True)

    art = parts.add_parser(
        "art",
        help="fetch card art, fonts and table surfaces",
        description="Fetches the packages that hold card art, fonts and table surfaces into a cache outside the "
        "project, and makes decks of them. What is there already is not fetched again.",
        epilog=ART_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_cache(art)
    art.add_argument("--only", nargs="+", default=[], metavar="NAME", help="only these packages or decks")
    art.set_defaults(run=_art)

    preview = parts.add_parser(
        "preview",
        help="draw a contact sheet of what there is to train on",
        description="Draw a contact sheet of decks, or of crops as the card reader is trained on.",
        epilog=PREVIEW_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
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

    reader = parts.add_parser(
        "reader",
        help="train the card reader, from art to the model",
        description="Fetches art, draws crops, trains the network, exports and calibrates it. Takes hours; stopped at "
        "any moment and started again, it goes on where it was.",
        epilog=READER_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    reader.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the model and its description go")
    reader.add_argument("--photos", type=Path, metavar="DIR", help="labelled photographs: folders train and val in it")
    reader.add_argument(
        "--network", choices=("reader", "yolo11n", "yolo26n"), default="reader", help="which network (reader)"
    )
    reader.add_argument("--size", type=int, default=224, metavar="PX", help="side of a crop (224)")
    reader.add_argument("--images", type=int, metavar="N", help="crops to learn from until the end")
    reader.add_argument(
        "--crops",
        type=int,
        metavar="N",
        help="different drawn crops among them",
    )
    reader.add_argument("--start", type=Path, metavar="FILE", help="weights to start from, such as models/reader.pt")
    reader.add_argument("--device", metavar="NAME", help="cpu, cuda or mps (a graphics card if torch finds one)")
    reader.add_argument("--threads", type=int, metavar="N", help="threads and processes to use (all cores)")
    reader.add_argument(
        "--work", type=Path, metavar="DIR", help="where crops and checkpoints are kept (beside the cache)"
    )
    _add_cache(reader)
    reader.set_defaults(run=_reader)


def _add_cache(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cache",
        type=Path,
        metavar="DIR",
        help="where the art is kept (default: $REFEREE_CACHE, else the platform's cache directory)",
    )


def _art(args: argparse.Namespace) -> int:
    from referee.train.decks.art import default_cache, prepare

    cache: Path = args.cache or default_cache()
    done = prepare(cache, args.only, lambda line: print(line, flush=True))
    print(f"{len(done.packages)} packages and {len(done.decks)} decks are ready in {cache}")
    for problem in done.problems:
        print(f"missing: {problem}")
    return 2 if done.problems else 0


def _preview(args: argparse.Namespace) -> int:
    from referee.pictures import write_picture
    from referee.train.decks.art import default_cache
    from referee.train.decks.preview import deck_sheet
    from referee.train.drawing.crop_sheet import art_crop_sheet

    if args.crops:
        sheet = art_crop_sheet(args.cache or default_cache(), args.seed, args.count)
    else:
        sheet = deck_sheet(_decks(args.decks, args.cache), _cards(args.cards))
    write_picture(args.out, sheet)
    print(f"{args.out}: {sheet.shape[1]} x {sheet.shape[0]} px")
    return 0


def _reader(args: argparse.Namespace) -> int:
    import os
    import sys
    import time
    from dataclasses import replace

    from referee.errors import UserError
    from referee.train.decks.art import default_cache
    from referee.train.make_reader import Plan, make_reader

    for name in ("size", "images", "crops", "threads"):
        number = getattr(args, name)
        if number is not None and number < 1:
            raise UserError(f"--{name} {number}: it has to be 1 or more")
    if args.start is not None and not args.start.is_file():
        raise UserError(f"{args.start} is no file: --start takes the weights of a reader, such as models/reader.pt")
    try:
        args.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot write into {args.out}: {error.strerror}") from None
    try:
        import torch
    except ImportError:
        raise UserError("training needs torch: install it with pip install 'spit-referee[train]'") from None
    threads = args.threads or os.cpu_count() or 1
    torch.set_num_threads(threads)
    cache: Path = args.cache or default_cache()
    plan = Plan(size=args.size)
    recipe = replace(plan.recipe, network=args.network)
    if args.start is not None:
        # What was learnt before is to be bent, not lost.
        recipe = replace(recipe, rate=recipe.rate / 4, frozen=3)
    if args.images is not None:
        recipe = replace(recipe, images=args.images, every=min(recipe.every, max(recipe.batch, args.images // 2)))
    plan = replace(plan, recipe=recipe)
    if args.images is not None:
        # The second network sees as many times fewer cards than usual as the first.
        cards = max(1, plan.indexes.cards * args.images // Plan().recipe.images)
        plan = replace(plan, indexes=replace(plan.indexes, cards=cards))
    if args.crops is not None:
        apart = {
            name: max(1, getattr(plan, name) * args.crops // plan.crops) for name in ("bare", "jacks", "relettered")
        }
        plan = replace(plan, crops=args.crops, validation=min(plan.validation, args.crops), **apart)
    told = 0.0

    def show(line: str) -> None:
        nonlocal told
        if time.monotonic() - told > 10:
            told = time.monotonic()
            print(line, file=sys.stderr, flush=True)

    about = make_reader(
        plan,
        cache,
        args.work or cache.parent / "training",
        args.out,
        args.photos,
        start=args.start,
        device=args.device or ("cuda" if torch.cuda.is_available() else "cpu"),
        workers=threads,
        say=lambda line: print(line, file=sys.stderr, flush=True),
        progress=lambda what, done, count: show(f"{what}: {done} of {count}"),
        learning=lambda run: show(
            f"{run.done} of {run.images} crops, loss {run.loss:.3f}, {run.seconds_left / 60:.0f} minutes to go"
            + "".join(f", {name} {share:.3f}" for name, share in run.scores.items())
        ),
    )
    print(f"{about}: the reader is ready")
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
    from referee.train.decks.art import deck, default_cache, stored_decks
    from referee.train.decks.procedural import procedural_deck

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
