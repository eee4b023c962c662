"""``referee read``: the cards in photographs, without any calibration."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import UserError

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from referee.vision.photograph import FoundCard

EXAMPLES = """\
examples:
  referee read table.jpg                        a table of card, confidence and box
  referee read table.jpg --out annotated.jpg    and a picture of it
  referee read *.jpg --json                     one line per card, for a program

Boxes are x1 y1 x2 y2 in pixels of the photograph turned upright as its EXIF orientation says, from the top left
corner. A face-down card is called back.
"""


def add(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "read",
        help="read the cards in photographs",
        description="Read the cards in any photograph: many cards, any direction, partly overlapping. Nothing need "
        "be calibrated.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("photos", nargs="+", type=Path, metavar="PHOTO", help="a .jpg, .png, .webp, .tif or .bmp file")
    parser.add_argument("--json", action="store_true", help="print one line of JSON per card")
    parser.add_argument("--out", type=Path, metavar="FILE", help="draw what was read on the photograph (one only)")
    parser.add_argument("--model", type=Path, metavar="FILE", help="another model than the one that ships")
    parser.set_defaults(run=_read)


def _read(args: argparse.Namespace) -> int:
    photos: list[Path] = args.photos
    if args.out and len(photos) > 1:
        raise UserError("--out takes one photograph: read them one by one to draw on each")
    from referee.pictures import write_picture
    from referee.vision.photo_annotate import annotate
    from referee.vision.photo_file import load_photograph
    from referee.vision.photo_scan import Scanner
    from referee.vision.photograph import PhotoReader
    from referee.vision.reader import CardReader

    card_reader = CardReader(args.model)
    reader = PhotoReader(card_reader, Scanner(card_reader.model))
    code = 0
    for path in photos:
        try:
            image = load_photograph(path)
        except UserError as error:
            # The other photographs can still be read.
            print(f"referee: {error}", file=sys.stderr)
            code = 2
            continue
        cards = reader.read(image)
        if args.json:
            for card in cards:
                print(json.dumps(_row(path, card)), flush=True)
        else:
            _print(path, cards)
        if args.out:
            write_picture(args.out, annotate(image, cards))
    return code


def _row(path: Path, card: FoundCard) -> dict[str, object]:
    return {
        "image": str(path),
        "card": card.text,
        "confidence": round(card.confidence, 4),
        "box": [round(edge, 1) for edge in card.box],
    }


def _print(path: Path, cards: list[FoundCard]) -> None:
    print(f"{path}: {len(cards)} card{'' if len(cards) == 1 else 's'}")
    for card in cards:
        name = card.card.symbol if card.card else "back"
        edges = " ".join(f"{edge:6.0f}" for edge in card.box)
        print(f"  {name:<5} {100 * card.confidence:5.1f} %  {edges}{'' if card.whole else '  partly covered'}")
