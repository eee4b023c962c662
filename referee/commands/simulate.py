"""``referee simulate``: film two scripted players, with the truth of what they did."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import UserError

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from referee.simulate.production import Production, Wishes
    from referee.simulate.render.look import Look
    from referee.simulate.render.surfaces import Surface
    from referee.train.decks.deck import Deck

MAX_LENS = 0.3
"""Distortion beyond this folds the picture over at its corners."""

EXAMPLES = """\
examples:
  referee simulate --seed 7 --seconds 60 --out game.mp4
  referee simulate --seed 7 --seconds 30 --incident not_adjacent@8 --incident late@15:80 --out faults.mp4
  referee simulate --seed 7 --ruleset pt,wrap=false --tilt 25 --light dim --surface felt --out dim.mp4
  referee simulate --seed 7 --seconds 20 --sheet sheet.png
  referee simulate --incidents
  referee simulate --surfaces

Beside game.mp4 comes game.truth.jsonl: who touched what when, to the millisecond, with the ruling.
An incident is planted at the first moment from its time on at which the game allows it.
"""


def add(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "simulate",
        help="film two scripted players, with the truth of what they did",
        description="Film two scripted players at a table, and write down the truth of what they did.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    game = parser.add_argument_group("the game")
    game.add_argument("--seed", type=int, default=0, metavar="N", help="the same seed gives the same film (0)")
    game.add_argument("--ruleset", default="house", metavar="RULES", help="a preset, or preset,key=value,… (house)")
    game.add_argument("--seconds", type=float, default=60.0, metavar="S", help="length (60)")
    game.add_argument(
        "--pace", type=float, default=1.0, metavar="X", help="so many times as fast as at ease (1; at most 8)"
    )
    game.add_argument("--slips", type=float, default=0.0, metavar="P", help="share of plays that do not fit (0)")
    game.add_argument(
        "--players", nargs=2, default=["greedy", "greedy"], metavar="NAME", help="A and B: greedy or random"
    )
    game.add_argument(
        "--incident", action="append", default=[], metavar="KIND@S", help="plant an incident; may be repeated"
    )
    game.add_argument("--incidents", action="store_true", help="list the kinds of incident and do nothing else")
    look = parser.add_argument_group("the camera (what is not given comes from the seed)")
    look.add_argument("--look", type=int, metavar="N", help="seed of the look (that of the game)")
    look.add_argument("--tilt", type=float, metavar="DEG", help="angle of the view from the vertical, 0 to 35")
    look.add_argument("--lens", type=float, metavar="K1", help="distortion, for example -0.05 (barrel); 0 is none")
    look.add_argument("--light", metavar="NAME", help="day, warm lamp, dim or mixed")
    look.add_argument("--surface", metavar="NAME", help="the table top: felt, a fetched picture, or a picture's file")
    look.add_argument("--surfaces", action="store_true", help="list the table tops there are and do nothing else")
    look.add_argument("--deck", metavar="NAME", help="a fetched deck, or drawn-N (drawn-SEED)")
    look.add_argument("--cache", type=Path, metavar="DIR", help="where fetched decks are kept")
    out = parser.add_argument_group("what is written")
    out.add_argument("--out", type=Path, metavar="FILE", help="the film, .mp4, and beside it the truth")
    out.add_argument("--size", default="1920x1080", metavar="WxH", help="in pixels (1920x1080)")
    out.add_argument("--fps", type=float, default=30.0, metavar="N", help="pictures a second (30)")
    out.add_argument("--sheet", type=Path, metavar="FILE", help="a contact sheet of stills, .png or .jpg")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Make what was asked for."""
    if args.incidents:
        from referee.simulate.incidents import KINDS

        for kind, what in KINDS.items():
            print(f"{kind:<16}{what}")
        return 0
    if args.surfaces:
        return _list_surfaces(args)
    if args.out is None and args.sheet is None:
        raise UserError("say what to write: --out FILE.mp4 for a film, --sheet FILE.png for stills")
    _check_folder(args.sheet)
    _check_folder(args.out)
    if args.out is not None and args.out.suffix != ".mp4":
        raise UserError(f"a film is written as .mp4, not as {args.out.name!r}")
    size = _size(args.size)
    deck = _deck(args)
    look, top = _look(args)
    wishes = _wishes(args, (float(deck.width_mm), float(deck.height_mm)))
    from referee.simulate.production import produce

    production = produce(wishes)
    if args.sheet is not None:
        from referee.pictures import write_picture
        from referee.simulate.sheet import contact_sheet

        write_picture(args.sheet, contact_sheet(production, look, deck, size, _progress("stills"), top))
        print(f"{args.sheet}: stills of {wishes.seconds:g} s")
    if args.out is not None:
        _film(args, wishes, production, look, deck, size, top)
    return 0


def _check_folder(path: Path | None) -> None:
    if path is not None and not path.parent.is_dir():
        raise UserError(f"there is no folder {path.parent} to write {path.name} into")


def _film(
    args: argparse.Namespace,
    wishes: Wishes,
    production: Production,
    look: Look,
    deck: Deck,
    size: tuple[int, int],
    top: Surface | None,
) -> None:
    from referee.simulate.render.film import film
    from referee.simulate.truth import header, write_truth

    out: Path = args.out
    truth = out.with_suffix(".truth.jsonl")
    with _finished_only(out) as film_part, _finished_only(truth) as truth_part:
        shot = film(production.script, look, deck, film_part, size, args.fps, _progress("pictures"), top)
        head = header(
            video=out.name,
            fps=args.fps,
            size=size,
            rules=wishes.rules,
            names=("Ada", "Bo"),
            layout=production.script.layout,
            corners_px=shot.corners_px,
            deck=deck.name,
            notes=" ".join(filter(None, (f"seed {wishes.seed}.", TIMES, shot.notes, production.notes))),
        )
        truth_part.write_text(write_truth(head, production.events), encoding="utf-8")
    print(f"{out}: {shot.frames} pictures, {len(production.events)} events in {truth.name}")


TIMES = (
    "t is the contact of a card or hand with its destination, in continuous time; a claim's t is the moment the pile "
    "starts to move; a state's t is the moment the last card that makes it true lies still."
)
"""What the notes of a truth file say of its times."""


def _wishes(args: argparse.Namespace, card_mm: tuple[float, float]) -> Wishes:
    from referee.rules.settings import parse_ruleset
    from referee.simulate.incidents import parse_incident
    from referee.simulate.players import PLAYERS
    from referee.simulate.production import Wishes

    unknown = [name for name in args.players if name not in PLAYERS]
    if unknown:
        raise UserError(f"there is no player {unknown[0]!r}: there are {', '.join(PLAYERS)}")
    if not 1 <= args.seconds <= 3600:
        raise UserError(f"a film is 1 to 3600 seconds long, not {args.seconds:g}")
    if not 0.25 <= args.pace <= 8:
        raise UserError(f"the pace is 0.25 to 8 times that of people at ease, not {args.pace:g}")
    if not 0 <= args.slips <= 1:
        raise UserError(f"the share of slips is 0 to 1, not {args.slips:g}")
    try:
        rules = parse_ruleset(args.ruleset)
        incidents = tuple(parse_incident(text) for text in args.incident)
    except ValueError as error:
        raise UserError(str(error)) from None
    first, second = args.players
    return Wishes(rules, args.seed, args.seconds, args.pace, args.slips, (first, second), incidents, card_mm)


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise UserError(f"{text!r} is no size: write width x height in pixels, for example 1280x720")
    return int(width), int(height)


def _deck(args: argparse.Namespace) -> Deck:
    from referee.train.decks.art import deck, default_cache
    from referee.train.decks.procedural import procedural_deck

    name: str = args.deck or f"drawn-{abs(args.seed)}"
    cache: Path = args.cache or default_cache()
    start, _, seed = name.partition("-")
    drawn = start == "drawn" and seed.isdecimal()
    return procedural_deck(int(seed), cache) if drawn else deck(name, cache)


def _look(args: argparse.Namespace) -> tuple[Look, Surface | None]:
    """How the film looks, and the table top where that is a picture."""
    from referee.simulate.render.camera import Lens
    from referee.simulate.render.look import make_look
    from referee.simulate.render.pictures import find_picture, pictured
    from referee.simulate.render.surfaces import KINDS
    from referee.train.decks.art import default_cache

    seed = abs(args.seed if args.look is None else args.look)
    if args.lens is not None and not -MAX_LENS <= args.lens <= MAX_LENS:
        raise UserError(f"a lens bends by -{MAX_LENS} (barrel) to {MAX_LENS} (pincushion), not {args.lens:g}")
    lens = None if args.lens is None else Lens(args.lens)
    if args.surface is None or args.surface in KINDS:
        return make_look(seed, tilt=args.tilt, lens=lens, light=args.light, surface=args.surface), None
    picture = find_picture(args.surface, args.cache or default_cache())
    return pictured(make_look(seed, tilt=args.tilt, lens=lens, light=args.light), picture)


def _list_surfaces(args: argparse.Namespace) -> int:
    from referee.simulate.render.pictures import fetched_pictures
    from referee.simulate.render.surfaces import KINDS
    from referee.train.decks.art import default_cache

    pictures = fetched_pictures(args.cache or default_cache())
    print("\n".join((*KINDS, *(f"{name:<24}{path}" for name, path in pictures.items()))))
    if not pictures:
        print("no pictures of table tops were fetched: 'referee train art' does that")
    return 0


@contextlib.contextmanager
def _finished_only(path: Path) -> Iterator[Path]:
    """A path to write to that becomes ``path`` when all went well, and otherwise is gone."""
    part = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        yield part
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _progress(what: str) -> Callable[[int, int], None]:
    """A bar with the time left, on stderr, where somebody watches."""
    import time

    begun = time.monotonic()
    shown = [0.0]

    def show(done: int, total: int) -> None:
        now = time.monotonic()
        if not sys.stderr.isatty() or (now - shown[0] < 0.2 and done < total):
            return
        shown[0] = now
        left = round((now - begun) / done * (total - done))
        full = 24 * done // total
        bar = "#" * full + "." * (24 - full)
        rate = done / max(now - begun, 1e-9)
        text = f"\r[{bar}] {done}/{total} {what}, {rate:.1f} a second, {left // 60}:{left % 60:02d} left "
        print(text, end="\n" if done == total else "", file=sys.stderr, flush=True)

    return show
