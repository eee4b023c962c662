"""``referee evaluate``: how good a refereeing is, or a card reader, against the truth."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.errors import UserError

if TYPE_CHECKING:
    from argparse import _SubParsersAction
    from collections.abc import Callable

    from referee.evaluate.footage import Count, Score
    from referee.evaluate.reader import Miss, SourceScore
    from referee.evaluate.reader_score import CropScore, PhotoScore

EXAMPLES = """\
examples:
  referee evaluate footage clips/                      every NAME.truth.jsonl beside its NAME.result.jsonl
  referee evaluate footage clips/ --results out/       the results are in another folder
  referee evaluate footage clips/ --json               the figures for a program
"""

READER_EXAMPLES = """\
examples:
  referee evaluate reader photos/val                   every folder in it that has a labels.csv
  referee evaluate reader photos/val/home --misses misses.png
  referee evaluate reader crops/ --json                stored crops: by deck, light, tilt, share shown

labels.csv has the columns image,card,x1,y1,x2,y2,kind. A folder of pictures without it shows bare tables. The crops of
labelled cards tell how well the reader reads, the photographs as a whole how well 'referee read' finds cards.
"""


def add(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "evaluate",
        help="score what was refereed, or read, against the truth",
        description="Score result files, or the card reader, against the truth.",
        epilog="examples:\n  referee evaluate footage clips/\n  referee evaluate reader photos/val",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parts = parser.add_subparsers(title="parts", metavar="PART", required=True)
    footage = parts.add_parser(
        "footage",
        help="score result files against truth files",
        description="Score result files against truth files: per clip, and over all.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    footage.add_argument("folder", type=Path, metavar="DIR", help="the folder of the truth files")
    footage.add_argument("--results", type=Path, metavar="DIR", help="the folder of the result files (the same)")
    footage.add_argument("--json", action="store_true", help="print JSON")
    footage.set_defaults(run=_footage)
    reader = parts.add_parser(
        "reader",
        help="score the card reader on labelled photographs or stored crops",
        description="Score the card reader: per source of photographs, and over all.",
        epilog=READER_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    reader.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="labelled photographs, or stored crops")
    reader.add_argument("--model", type=Path, metavar="FILE", help="another model than the one that ships")
    reader.add_argument("--misses", type=Path, metavar="FILE", help="draw everything that went wrong on one picture")
    reader.add_argument("--crops-only", action="store_true", help="do not read the photographs as a whole")
    reader.add_argument("--json", action="store_true", help="print JSON")
    reader.set_defaults(run=_reader)


def _footage(args: argparse.Namespace) -> int:
    from referee.evaluate.events import read_event_file
    from referee.evaluate.footage import Score, score

    truths = sorted(args.folder.glob("*.truth.jsonl"))
    if not truths:
        raise UserError(f"there are no truth files (NAME.truth.jsonl) in {args.folder}")
    results = args.results or args.folder
    total, clips, missing = Score(), {}, []
    for path in truths:
        name = path.name.removesuffix(".truth.jsonl")
        said = results / f"{name}.result.jsonl"
        if not said.exists():
            missing.append(name)
            continue
        clips[name] = score(read_event_file(path), read_event_file(said))
        total.add(clips[name])
    if not clips:
        raise UserError(f"there are no result files (NAME.result.jsonl) for them in {results}")
    if args.json:
        rows = {name: _figures(one) for name, one in clips.items()}
        print(json.dumps({"clips": rows, "all": _figures(total), "without_result": missing}, indent=2))
    else:
        for name, one in clips.items():
            _print(name, one)
        _print("all", total)
        for name in missing:
            print(f"{name}: no result file in {results}, not scored")
    return 2 if missing else 0


def _figures(score: Score) -> dict[str, Any]:
    from referee.evaluate.footage import milliseconds

    def rates(count: Count) -> dict[str, Any]:
        return {
            "truth": count.truth,
            "said": count.said,
            "both": count.both,
            "precision": count.precision,
            "recall": count.recall,
            "f1": count.f1,
        }

    return {
        "events": {kind: rates(count) for kind, count in score.counts.items()},
        "outcomes": {kind: rates(count) for kind, count in score.outcomes.items()},
        "illegal": {**rates(score.illegal), "reason_right": score.reasons_right},
        "false_accusations": score.accusations,
        "legal_actions": score.legal,
        "undecided_plays": score.undecided,
        "order": {name: getattr(score.order, name) for name in ("right", "too_close", "missed", "wrong")},
        "rank_right": _share(score.ranks, score.seen),
        "card_right": _share(score.cards, score.seen),
        "time_error_ms": milliseconds(score.errors),
        "delay_ms": milliseconds(score.delays),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _print(name: str, score: Score) -> None:
    from referee.evaluate.footage import milliseconds

    print(name)
    for kind, count in {**score.counts, **score.outcomes}.items():
        if count.truth or count.said:
            print(
                f"  {kind:<12} {count.both:>5} of {count.truth}, {count.said - count.both} not there   "
                f"precision {_percent(count.precision)}  recall {_percent(count.recall)}  F1 {_percent(count.f1)}"
            )
    print(
        f"  illegal      {score.illegal.both:>5} of {score.illegal.truth} found, {score.reasons_right} with the right "
        f"reason; {score.accusations} false accusations on {score.legal} legal actions; "
        f"{score.undecided} plays undecided"
    )
    order = score.order
    print(
        f"  first touch  {order.right:>5} pairs right, {order.too_close} too close to call, {order.missed} missed, "
        f"{order.wrong} wrong"
    )
    print(
        f"  cards        rank {_percent(_share(score.ranks, score.seen))}, rank and suit "
        f"{_percent(_share(score.cards, score.seen))} of {score.seen}"
    )
    for label, values in (("time", score.errors), ("delay", score.delays)):
        figures = milliseconds(values)
        if figures is not None:
            print(f"  {label:<12} median {figures[0]:.0f} ms, 95th percentile {figures[1]:.0f} ms")


def _percent(share: float | None, digits: int = 1) -> str:
    return "-" if share is None else f"{100 * share:.{digits}f} %"


def _reader(args: argparse.Namespace) -> int:
    from referee.evaluate.reader import SourceScore, photo_folders, score_crops, score_photos
    from referee.vision.photo_scan import Scanner
    from referee.vision.photograph import PhotoReader
    from referee.vision.reader import CardReader

    folders: list[Path] = args.folders
    stores = [folder for folder in folders if (folder / "store.json").exists()]
    photos = photo_folders([folder for folder in folders if folder not in stores])
    card_reader = CardReader(args.model)
    photo_reader = PhotoReader(card_reader, Scanner(card_reader.model))
    sources: dict[str, SourceScore] = {}
    groups: dict[str, dict[str, dict[str, CropScore]]] = {}
    for folder in stores:
        from referee.evaluate.reader_store import score_store

        sources[folder.name] = source = SourceScore()
        source.crops, groups[folder.name], source.misses = score_store(folder, card_reader, _counter(folder.name))
    for folder in photos:
        told = _counter(folder.name)
        sources[folder.name] = source = score_crops(folder, card_reader, told)
        if not args.crops_only:
            score_photos(folder, photo_reader, source, told)
    everything = SourceScore()
    for source in sources.values():
        everything.add(source)
    _clear_line()
    if args.json:
        rows = {name: _source_figures(source) for name, source in sources.items()}
        for name, parts in groups.items():
            rows[name]["groups"] = {
                group: {key: one.figures() for key, one in sorted(named.items())} for group, named in parts.items()
            }
        print(json.dumps({"sources": rows, "all": _source_figures(everything)}, indent=2))
    else:
        for name, source in sources.items():
            _print_source(name, source)
            _print_groups(groups.get(name, {}))
        if len(sources) > 1:
            _print_source("all", everything)
        _print_confusions(everything)
    if args.misses:
        _draw_misses(args.misses, everything.misses)
    return 0


def _source_figures(source: SourceScore) -> dict[str, Any]:
    figures: dict[str, Any] = {"crops": source.crops.figures()}
    if source.whole.faces:
        figures["crops_seen_whole"] = source.whole.figures()
    if source.photos.photos:
        figures["photographs"] = source.photos.figures()
    return figures


def _print_source(name: str, source: SourceScore) -> None:
    print(name)
    print(f"  crops        {_crop_line(source.crops)}")
    if source.whole.faces and source.whole.faces != source.crops.faces:
        print(f"  seen whole   {_crop_line(source.whole)}")
    if source.photos.photos:
        print(f"  photographs  {_photo_line(source.photos)}")


def _crop_line(score: CropScore) -> str:
    parts = []
    if score.ranked:
        turned = score.figures()["back_face"]
        parts.append(
            f"rank {_percent(_share(score.ranks, score.ranked))}, rank and suit "
            f"{_percent(_share(score.cards, score.faces))} of {score.faces}, {score.unread} not told, "
            f"{score.lost} read as empty, back for face {_percent(turned)}"
        )
    if score.empties:
        parts.append(f"a card on {_percent(_share(score.ghosts, score.empties), 2)} of {score.empties} bare places")
    if score.calibration_error is not None:
        parts.append(f"calibration error {score.calibration_error:.3f}")
    return "; ".join(parts) or "none"


def _photo_line(score: PhotoScore) -> str:
    figures = score.figures()
    line = f"{score.said} cards read on {score.photos}: precision {_percent(figures['precision'])}"
    if score.boxed or score.listed:
        line += f", recall {_percent(figures['recall'])} of {score.boxed + score.listed}"
    if score.boxed and score.listed:
        line += f" (with a box {_percent(figures['recall_boxed'])}, without {_percent(figures['recall_listed'])})"
    return line


def _print_groups(groups: dict[str, dict[str, CropScore]]) -> None:
    for group, named in groups.items():
        print(f"  by {group}")
        width = max(len(name) for name in named)
        for name, score in sorted(named.items()):
            print(f"    {name:<{width}}  {_crop_line(score)}")


def _print_confusions(source: SourceScore) -> None:
    from referee.evaluate.reader_score import ranked

    if source.crops.confusions:
        print("read wrongly, crop by crop")
    for (truth, said), number in ranked(source.crops.confusions)[:20]:
        print(f"  {truth:<5} as {said:<5} {number}")


def _draw_misses(path: Path, misses: list[Miss]) -> None:
    from referee.evaluate.reader_sheet import miss_sheet
    from referee.pictures import write_picture

    sheet = miss_sheet(misses)
    write_picture(path, sheet)
    print(f"{path}: {len(misses)} misses", file=sys.stderr)


def _counter(name: str) -> Callable[..., None]:
    """Tells a person at a terminal how far it is."""

    def tell(*what: object) -> None:
        if sys.stderr.isatty():
            print(f"\r\033[K{name}: {' of '.join(map(str, what))}", end="", file=sys.stderr, flush=True)

    return tell


def _clear_line() -> None:
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
