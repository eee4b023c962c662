"""A game refereed again from its journal, without its pictures: the same evidence, the same rulings."""

from __future__ import annotations

from collections.abc import Iterator

from referee.calibrate.table_file import parse_table
from referee.errors import UserError
from referee.readings import Disturbance, Reach, ZoneChange
from referee.record.entries import Ended, Key, Looked, Pressed
from referee.record.journal import Journal
from referee.rules.actions import Action, Kind
from referee.rules.settings import parse_ruleset
from referee.tracking.commits import Commit
from referee.tracking.decoder import Decoder


def decoder_of(journal: Journal, where: str) -> Decoder:
    """A decoder such as the game was refereed with, before anything was seen.

    Args:
        journal: of the game.
        where: names the journal in errors.

    Raises:
        UserError: the journal's table or ruleset is none.
    """
    table = parse_table(journal.header.table, f"the table of {where}")
    try:
        rules = parse_ruleset(journal.header.rules)
    except ValueError as error:
        raise UserError(f"{where}: {error}") from None
    return Decoder(rules, tuple(table.layout.boxes))


def hear(decoder: Decoder, key: Key, t: float) -> list[Commit]:
    """Tell ``decoder`` what the players told at ``t`` s; what it says to it. Pauses are none of its business."""
    match key:
        case Key.UNDO:
            return decoder.undo(t)
        case Key.SPIT:
            return decoder.told(Action(Kind.CALL, word="spit", t=t), t)
        case Key.NEW_ROUND:
            return decoder.new_round(t)
    return []


def rehearsed(journal: Journal, decoder: Decoder) -> Iterator[Commit]:
    """Tell ``decoder`` all that was seen, and what the players told; gives what it says to it."""
    for entry in journal.entries:
        if isinstance(entry, ZoneChange | Reach | Disturbance):
            yield from decoder.push(entry)
        elif isinstance(entry, Looked):
            yield from decoder.advance(entry.t)
        elif isinstance(entry, Pressed):
            yield from hear(decoder, entry.key, entry.t)
        elif isinstance(entry, Ended):
            yield from decoder.finish()
