"""``referee evaluate``: how good a refereeing is, against the truth."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.errors import UserError

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from referee.evaluate.footage import Count, Score

EXAMPLES = """\
examples:
  referee evaluate footage clips/                      every NAME.truth.jsonl beside its NAME.result.jsonl
  referee evaluate footage clips/ --results out/       the results are in another folder
  referee evaluate footage clips/ --json               the figures for a program
"""


def add(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser("evaluate", help="score what was refereed against the truth")
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


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"
