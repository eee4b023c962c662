"""``referee calibrate``: find the table in the camera's picture and keep it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import UserError

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from referee.calibrate.deal.reading import Reads
    from referee.calibrate.find_table import FoundTable, Wanted
    from referee.calibrate.lens import Lens
    from referee.calibrate.saved_table import SavedTable
    from referee.table import TableLayout
    from referee.vision.rectify import Image

CARDS = {"poker": 63.0, "bridge": 57.0}

EXAMPLES = """\
examples:
  referee calibrate --save kitchen                    # camera 0, the cards dealt in two rows
  referee calibrate --camera game.mp4 --save kitchen --out kitchen.png
  referee calibrate --camera photo.jpg --corners "214,45 1706,45 1748,1064 172,1064" --size 900x600 --save kitchen
  referee calibrate --table kitchen --edit            # a camera that was moved: drag the four corners
  referee calibrate print --paper a4 --out markers.pdf
  referee calibrate --lens --save kitchen             # a wide lens: straightened by the table's own edges
  referee calibrate print --lens                      # … or by this board, held before the camera in many ways:
  referee calibrate --lens board.mp4 --save kitchen

The best way there is is chosen: printed markers, else the dealt cards. Tables are kept by name as text files in the
user's configuration folder (REFEREE_TABLES); a name with a slash or .toml is a file.
"""


def add(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "calibrate",
        help="find the table in the camera's picture and keep it",
        description="Find the table and its zones in the camera's picture, and keep them under a name.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    where = parser.add_argument_group("the picture")
    where.add_argument(
        "--camera", metavar="SOURCE", help="camera number (0@1280x720 asks for a size), address, video or picture (0)"
    )
    how = parser.add_argument_group("how the table is found")
    how.add_argument("--way", choices=("auto", "markers", "deal"), default="auto", help="auto takes the best there is")
    how.add_argument("--ruleset", default="house", metavar="RULES", help="how many piles there are (house)")
    how.add_argument("--card", choices=tuple(CARDS), help="width of the cards: poker 63 mm, bridge 57 mm")
    how.add_argument(
        "--reserve", metavar="SIDE", help="where a player's reserve lies: right, left, or A's,B's: right,left"
    )
    how.add_argument("--seat-a", choices=("bottom", "top", "left", "right"), help="seat A's edge of the picture")
    how.add_argument(
        "--lens", nargs="?", const="", metavar="BOARD",
        help="measure how a wide lens bends lines: by the table's straight edges, or by pictures of the printed board "
        "(a folder, film or camera)",
    )  # fmt: skip
    hand = parser.add_argument_group("by hand")
    hand.add_argument("--corners", metavar='"X,Y …"', help="table corners, px: top left, top right, bottom right, …")
    hand.add_argument("--size", metavar="WxH", help="size of the rectangle between corners or markers, mm (900x600)")
    hand.add_argument("--zones", type=Path, metavar="FILE", help="places of the zones: a truth file's header, or TOML")
    hand.add_argument("--table", metavar="NAME", help="start from a saved table")
    hand.add_argument("--edit", action="store_true", help="drag corners and zones in a window before saving")
    out = parser.add_argument_group("what is written")
    out.add_argument("--save", metavar="NAME", help="keep the table under this name, or in this .toml file")
    out.add_argument("--out", type=Path, metavar="FILE", help="the picture with the zones drawn in, .png or .jpg")
    parser.set_defaults(run=run)
    parts = parser.add_subparsers(metavar="print", title="also")
    sheet = parts.add_parser(
        "print",
        help="write the corner markers to print, as PDF",
        description="Write the corner markers to print.",
        epilog="examples:\n  referee calibrate print --paper letter\n"
        "  referee calibrate print --mat standard --out mat.pdf",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    sheet.add_argument("--paper", choices=("a4", "letter"), default="a4", help="the paper (a4)")
    sheet.add_argument("--mat", metavar="NAME", help="also a mat with the zones of this table, or of 'standard'")
    sheet.add_argument("--lens", action="store_true", help="in their place the board that measures a lens")
    sheet.add_argument("--out", type=Path, metavar="FILE", help="the PDF (markers.pdf, or lens-board.pdf)")
    sheet.set_defaults(run=run_print)


def run(args: argparse.Namespace) -> int:
    """Find or edit a table, tell what was found, keep it."""
    from referee.calibrate.find_table import FoundTable, annotated
    from referee.calibrate.tables import save_table, table_path
    from referee.pictures import write_picture

    if args.save is not None:
        table_path(args.save)
    found = _found(args)
    for sentence in found.sentences:
        print(sentence)
    if args.edit:
        from referee.calibrate.editor_window import edit_in_window

        edited = edit_in_window(found.image, found.table)
        if edited is None:
            print("left without saving")
            return 1
        found = FoundTable(edited, found.image, found.sentences)
    if args.out is not None:
        write_picture(args.out, annotated(found))
        print(f"{args.out}: the picture with the zones")
    name = args.save or (args.table if args.edit else None)
    if name is not None:
        print(f"saved as {save_table(found.table, name)}")
    elif args.out is None:
        print("not saved: --save NAME keeps it", file=sys.stderr)
    return 0


def run_print(args: argparse.Namespace) -> int:
    """Write the sheet of markers."""
    from referee.calibrate.markers.print_sheet import write_lens_board, write_sheet
    from referee.calibrate.tables import load_table
    from referee.table import standard_layout

    out: Path = args.out or Path("lens-board.pdf" if args.lens else "markers.pdf")
    if args.lens:
        if args.mat is not None:
            raise UserError("--lens prints the lens board and --mat a mat: ask for one at a time")
        write_lens_board(out, args.paper)
        print(f"{out}: print it, glue it flat onto card, and turn and tilt it before the camera: --lens takes the film")
        return 0
    mat: TableLayout | None = None
    if args.mat is not None:
        mat = standard_layout() if args.mat == "standard" else load_table(args.mat).layout
    write_sheet(out, args.paper, mat)
    print(f"{out}: print it at 100 %, measure the bar (100 mm), cut the markers out with their white border")
    return 0


def _found(args: argparse.Namespace) -> FoundTable:
    from referee.arguments import parse_size
    from referee.calibrate.find_table import FoundTable, find_table, look_at
    from referee.calibrate.tables import load_table
    from referee.vision.capture import without_secrets

    size = None if args.size is None else parse_size(args.size)
    source = args.camera or (args.table and load_table(args.table).camera) or "0"
    camera = without_secrets(source) if "://" in source else source
    wanted = _wanted(args, size)
    if args.corners is None and args.table is None and args.zones is not None:
        raise UserError("--zones needs the table's corners: give --corners as well, or leave it out")
    lens = _lens(args)
    reader = _reader() if args.corners is None and args.table is None else None

    def find(image: Image) -> FoundTable:
        measured, sentence = lens(image)
        if args.corners is not None:
            found = _by_hand(args, image, wanted, camera)
        elif args.table is not None:
            found = _kept(args, image)
        else:
            found = find_table(image, replace(wanted, lens=measured), camera, reader)
        if measured is None:
            return found
        return FoundTable(replace(found.table, lens=measured), image, (sentence, *found.sentences))

    return look_at(source, find)


def _lens(args: argparse.Namespace) -> Callable[[Image], tuple[Lens | None, str]]:
    """What measures the lens for a picture, and tells it; None where it is not to be measured."""
    from referee.calibrate.lens_estimate import lens_from_edges
    from referee.calibrate.lens_source import lens_in, lens_of_board, told

    if args.lens is None:
        return lambda _: (None, "")
    if args.lens:
        board, measured = lens_of_board(args.lens)

        def by_board(image: Image) -> tuple[Lens | None, str]:
            lens = lens_in(board.lens, measured, (image.shape[1], image.shape[0]))
            return lens, told(lens, f"{board.used} pictures of the board, to {board.error_px:.1f} px")

        return by_board

    def by_edges(image: Image) -> tuple[Lens | None, str]:
        fit = lens_from_edges(image)
        return fit.lens, told(fit.lens, f"{fit.used} straight edges, to {fit.error_px:.1f} px")

    return by_edges


def _reader() -> Reads | None:
    """The card reader, which helps where there is one."""
    from referee.vision.reader import CardReader

    try:
        return CardReader()
    except UserError:
        return None


def _kept(args: argparse.Namespace, image: Image) -> FoundTable:
    """A saved table in a picture of its camera."""
    from referee.calibrate.find_table import FoundTable
    from referee.calibrate.tables import load_table

    table = load_table(args.table).for_picture((image.shape[1], image.shape[0]))
    return FoundTable(table, image, (f"the table as it was saved, {args.table}",))


def _by_hand(args: argparse.Namespace, image: Image, wanted: Wanted, camera: str) -> FoundTable:
    from referee.arguments import parse_corners
    from referee.calibrate.by_hand import table_by_hand
    from referee.calibrate.find_table import FoundTable
    from referee.calibrate.saved_table import as_corners

    corners = as_corners(parse_corners(args.corners))
    layout = _layout(args, wanted)
    table: SavedTable = table_by_hand(corners, layout, (image.shape[1], image.shape[0]), camera)
    first = f"the table by its corners, {layout.width:g} x {layout.height:g} mm, {len(layout.boxes)} zones"
    return FoundTable(table, image, (first,))


def _layout(args: argparse.Namespace, wanted: Wanted) -> TableLayout:
    """Zones from the file, else from the table that was given, else the usual ones."""
    from referee.calibrate.layouts import layout_for
    from referee.calibrate.tables import load_table
    from referee.calibrate.zones_file import read_zones_file
    from referee.table import TableLayout

    if args.zones is not None:
        given = read_zones_file(args.zones)
        return TableLayout(*(wanted.size or given.size or (900.0, 600.0)), given.boxes)
    if args.table is not None:
        return load_table(args.table).layout
    first, second = wanted.reserves
    sides = (first or "right", second or "right")
    return layout_for(wanted.expected, wanted.size or (900.0, 600.0), wanted.card_width or CARDS["poker"], sides)


def _wanted(args: argparse.Namespace, size: tuple[float, float] | None) -> Wanted:
    from referee.calibrate.find_table import Wanted
    from referee.calibrate.layouts import expected_by
    from referee.rules.settings import parse_ruleset

    try:
        rules = parse_ruleset(args.ruleset)
    except ValueError as error:
        raise UserError(str(error)) from None
    width = None if args.card is None else CARDS[args.card]
    return Wanted(expected_by(rules), args.way, size, width, _reserves(args.reserve), args.seat_a)


def _reserves(text: str | None) -> tuple[str | None, str | None]:
    if text is None:
        return None, None
    sides = [side.strip() for side in text.split(",")]
    if len(sides) > 2 or not all(side in ("left", "right") for side in sides):
        raise UserError(f"{text!r} is no place of the reserve: write right, left, or for seat A and B right,left")
    return sides[0], sides[-1]
