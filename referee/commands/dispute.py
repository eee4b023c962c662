"""``referee dispute``: show the half second that a quarrel is about."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import UserError

if TYPE_CHECKING:
    from argparse import _SubParsersAction
    from collections.abc import Iterator

    from referee.record.dispute import Dispute
    from referee.record.exhibits import Recording
    from referee.record.refereed import Followed
    from referee.rules.ruleset import RuleSet
    from referee.rules.ruling import Ruling

EXAMPLES = """\
examples:
  referee dispute game.mp4 --at 2:31                    the ruling nearest to that time, and why
  referee dispute game.mp4 --at 2:31 --out quarrel/     the frames around the touch, and a clip in slow motion
  referee dispute games/friday --at 151.4 --clip it.mp4   of a game that was recorded
  referee dispute game.mp4 --at 2:31 --ruleset pl       would it be another ruling under the Polish rules?

A video needs its result file beside it, as 'referee replay' writes it.
"""

FAR_S = 2.0
"""A ruling further than this from the time asked for is said to be so."""


def add(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "dispute",
        help="show what a quarrel is about: the ruling, the position, the frames around the touch",
        description="Explain the ruling nearest to a time, and show the moment frame by frame.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("recording", type=Path, metavar="VIDEO|GAME", help="a video, or the folder of a recorded game")
    parser.add_argument("--at", type=_seconds, required=True, metavar="TIME", help="2:31, 1:02:31.5 or seconds")
    parser.add_argument("--result", type=Path, metavar="FILE", help="the result file, if it does not lie beside it")
    parser.add_argument("--ruleset", metavar="RULES", help="judge under another law too: a preset, or preset,key=value")
    parser.add_argument("--out", type=Path, metavar="DIR", help="put a picture of the touch and a clip there")
    parser.add_argument("--clip", type=Path, metavar="FILE.mp4", help="write a clip in slow motion")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print what is known of the ruling and write the pictures asked for."""
    from referee.record.dispute import dispute
    from referee.record.exhibits import Recording
    from referee.rules import parse_ruleset

    try:
        law = None if args.ruleset is None else parse_ruleset(args.ruleset)
    except ValueError as error:
        raise UserError(str(error)) from None
    with Recording(args.recording, args.result) as recording:
        found = dispute(recording.refereed, args.at)
        if not args.json:
            _print(found, args.at, law)
        files = _exhibits(recording, found, args)
        if args.json:
            print(json.dumps(_row(found, law, files), ensure_ascii=False, indent=2))
            return 0
        if files and recording.sight(found.said.t) is None:
            print("The result file does not say where the table lies, so the piles are not outlined.")
        for path in files:
            print(path)
    return 0


def _print(found: Dispute, at: float, law: RuleSet | None) -> None:
    said = found.said
    if abs(said.t - at) > FAR_S:
        print(f"The ruling nearest to {clock(at)}:")
    laws = _laws(found)
    print(f"{clock(said.t)}  {_text(found)}" + (f" [{', '.join(laws)}]" if laws else ""))
    for line in _told(found):
        print(line)
    if law is not None:
        for line in _under(found, law):
            print(line)


def _laws(found: Dispute) -> tuple[str, ...]:
    """The laws behind the ruling, those that were told before those that the law finds."""
    if rule := found.said.event.get("rule"):
        return (str(rule),)
    return found.known.ruling.rules if found.known else ()


def _exhibits(recording: Recording, found: Dispute, args: argparse.Namespace) -> list[Path]:
    """Write the pictures asked for."""
    from referee.record.exhibits import exhibit

    at = clock(found.said.t)
    picture, clip = None, args.clip
    if args.out is not None:
        try:
            args.out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"cannot make the folder {args.out}: {error.strerror}") from None
        name = f"dispute-{at.replace(':', 'm').replace('.', 's')}"
        picture, clip = args.out / f"{name}.png", clip or args.out / f"{name}.mp4"
    files = [path for path in (picture, clip) if path is not None]
    if files:
        exhibit(recording, found, f"{at}  {_text(found)}", picture, clip)
    return files


def _row(found: Dispute, law: RuleSet | None, files: list[Path]) -> dict[str, object]:
    """What is known of the ruling, for a program."""
    from referee.table import Seat

    said, known = found.said, found.known
    row: dict[str, object] = {
        "t": said.t,
        "t_from": said.t_from,
        "t_to": said.t_to,
        "action": str(said.action),
        "verdict": _verdict(said.event),
        "text": _text(found),
        "rules": _laws(found),
        "before": None if known is None else str(known.before),
        "after": None if known is None else str(known.after),
        "could": {seat.name: [str(action) for action in found.could[seat]] for seat in Seat},
        "files": [str(path) for path in files],
    }
    if law is not None:
        row["under"] = {"ruleset": str(law), "said": list(_under(found, law))}
    return row


def clock(t: float) -> str:
    """A time as people say it: ``2:31.46``."""
    hundredths = round(t * 100)
    minutes, rest = divmod(hundredths, 6000)
    hours, minutes = divmod(minutes, 60)
    seconds = f"{rest // 100:02}.{rest % 100:02}"
    return f"{hours}:{minutes:02}:{seconds}" if hours else f"{minutes}:{seconds}"


def _seconds(text: str) -> float:
    """The inverse of ``clock``, and plain seconds."""
    found = re.fullmatch(r"(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,6}(?:\.\d{1,9})?)", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no time: write 2:31, 1:02:31.5 or seconds")
    hours, minutes, seconds = found.groups()
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(seconds)


def _text(found: Dispute) -> str:
    """The ruling in a sentence, as it was said if that was kept."""
    from referee.rules import sentence
    from referee.rules.ruling import describe

    said, names = found.said, found.names
    text = said.event.get("text")
    if isinstance(text, str) and text:
        return text
    if found.known is not None:
        return sentence(found.known.ruling, names)
    reason = str(said.event.get("reason", "")).replace("_", " ")
    return f"{describe(said.action, names)}: {said.event['verdict']}{reason and ', '}{reason}."


def _told(found: Dispute) -> Iterator[str]:
    from referee.record.dispute import could, lying, order, unread
    from referee.rules.record import happening_words, ruling_words
    from referee.rules.ruling import describe
    from referee.table import Seat

    said, names = found.said, found.names
    if said.first is not None:
        yield f"  corrected; first it was said: {said.first.get('text', _verdict(said.first))}"
    if isinstance(said.event.get("confidence"), int | float):
        yield f"  confidence {said.event['confidence']:.2f}"
    if said.exact:
        yield f"  first touch at {said.t:.3f} s"
    else:
        yield f"  first touch between {said.t_from:.3f} and {said.t_to:.3f} s"
    yield ""
    if found.known is None:
        yield f"What lay on the table then is not known: {found.lost}"
    else:
        known = found.known
        words = _verdict(said.event)
        if words != ruling_words(known.ruling):
            yield f"By the cards as they were seen to lie, the law says: {ruling_words(known.ruling)}."
        for title, position in (("Before", known.before), ("After", known.after)):
            yield title
            yield from (f"  {line}" for line in lying(position, names))
        yield from (f"  = {happening_words(happening)}" for happening in known.happenings)
        yield ""
        for seat in Seat:
            options = ", ".join(could(action) for action in found.could[seat]) or "do nothing but wait"
            yield f"{names[seat]} could {options}."
        if hidden := unread(known.before):
            yield f"Whether the unread cards at {', '.join(map(str, hidden))} fitted is not known."
    yield ""
    yield "First touches"
    for other in found.around:
        mark = ">" if other is said else " "
        when = f"{other.t:.3f}" if other.exact else f"{other.t_from:.3f}..{other.t_to:.3f}"
        yield f"{mark} {when:>17} s  {describe(other.action, names)}: {_verdict(other.event)}"
    yield from (order(said, rival, names) for rival in found.rivals)


def _under(found: Dispute, law: RuleSet) -> Iterator[str]:
    from referee.record.dispute import rejudged
    from referee.rules import sentence

    if found.known is None:
        raise UserError(f"it cannot be judged under {law}, because what lay on the table is not known: {found.lost}")
    other = rejudged(found.known, law)
    if isinstance(other, str):
        yield f"Under {law} it cannot be judged: {other}"
        return
    kept = _same(found.known, other)
    yield f"Under {law} the ruling {'stays' if kept else 'changes'}: {sentence(other, found.names)} " + (
        f"[{', '.join(other.rules)}]"
    )


def _same(known: Followed, other: Ruling) -> bool:
    return (known.ruling.verdict, known.ruling.reason) == (other.verdict, other.reason)


def _verdict(event: object) -> str:
    """The ruling of an event as records write it: ``illegal not_adjacent``."""
    assert isinstance(event, dict)
    words = (event.get("verdict"), event.get("reason"), "correction" if event.get("correction") else None)
    return " ".join(str(word) for word in words if word)
