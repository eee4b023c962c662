"""The part of ``referee replay`` that referees recorded games again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import UserError

if TYPE_CHECKING:
    import argparse

    from referee.live.again import Again
    from referee.report.differing import Event
    from referee.report.replaying import Progress


def check(args: argparse.Namespace, games: list[Path]) -> None:
    """Refuse what makes no sense with recorded games; a UserError says what."""
    told = [f"--{name}" for name in ("table", "corners", "size", "zones", "names") if getattr(args, name) is not None]
    if told:
        raise UserError(f"the journal of {games[0]} tells table and names: leave out {', '.join(told)}")
    if args.model is not None and not args.reread:
        raise UserError(f"{games[0]} is refereed from what was read at the table: add --reread to read it with --model")
    for game in games:
        if args.out.resolve() == game.resolve():
            raise UserError(f"{game} holds the rulings given at the table: name another folder with --out")


def replay_game(args: argparse.Namespace, game: Path, progress: Progress) -> Again:
    """Referee a recorded game again."""
    from referee.commands.watch import reader
    from referee.live.again import from_journal, from_pictures, write_again
    from referee.rules.settings import parse_ruleset

    try:
        rules = None if args.ruleset is None else parse_ruleset(args.ruleset)
    except ValueError as error:
        raise UserError(str(error)) from None
    if args.reread:
        reading, model = reader(args.model)
        again = from_pictures(game, rules, reading, model, progress)
    else:
        again = from_journal(game, rules, progress)
    write_again(again, game.resolve().name, args.out)
    return again


def told(again: Again, game: Path, out: Path) -> list[str]:
    """What came of it, in lines; the first sums it up."""
    from referee.report.effective import effective, is_ruling

    verdicts = [one.ruling.verdict.value for one in effective(again.commits) if is_ruling(one) and one.ruling]
    illegal, undecided = verdicts.count("illegal"), verdicts.count("undecided")
    doubt = f", {undecided} undecided" if undecided else ""
    page = out / f"{game.resolve().name}.html"
    lines = [f"{game}: {len(verdicts)} rulings, {illegal} illegal{doubt}; {again.end:.1f} s; {page}"]
    if again.damage:
        lines.append(f"  {again.damage}")
    found = again.differences()
    if not found:
        return [*lines, "  all as it was ruled at the table"]
    lines.append(f"  {len(found)} otherwise than at the table (- at the table, + now):")
    for difference in found:
        pairs = (("-", difference.before), ("+", difference.after))
        lines += [f"  {sign} {_line(event)}" for sign, event in pairs if event is not None]
    return lines


def _line(event: Event) -> str:
    minutes, seconds = divmod(max(float(event["t"]), 0.0), 60)
    return f"{int(minutes)}:{seconds:05.2f}  {event.get('text', event['action'])}"
