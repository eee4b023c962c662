"""All phrases side by side, filled in, for people to read who speak the languages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from referee.announce.phrases import PARTS, Argument, Language, Phrasebook, phrasebook
from referee.cards import DECK, RANKS, UNKNOWN, Card

NAMES: Final = ("Ada", "Bo")

SAMPLE: Final[Mapping[str, Argument]] = {
    "who": NAMES[1],
    "other": NAMES[0],
    "player": NAMES[0],
    "card": Card("9H"),
    "against": Card("JD"),
    "count": 6,
    "number": 2,
    "mine": 45,
    "theirs": 103,
}
"""What fills the slots of the phrases in the table."""

_WITH_EVERY_CARD: Final = (
    "fault.not_adjacent",
    "fault.face_down",
    "fault.taken_back",
    "fault.not_stuck_play",
    "commentary.spit",
)
"""Phrases shown with every card: between them they need every form of a card in every language."""

_TITLES: Final = {
    "call": "Calls of the game",
    "fault": "Faults",
    "then": "What follows from a fault",
    "undecided": "Doubts",
    "correction": "Corrections of the referee's own rulings",
    "news": "What happens in the game",
    "trouble": "What keeps the referee from seeing",
    "commentary": "Running commentary",
}


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, and rows of a first cell and one cell for each language."""

    title: str
    rows: tuple[tuple[str, ...], ...]


def sections(languages: Sequence[Language]) -> Iterator[Section]:
    """The whole table, part by part."""
    books = [phrasebook(language) for language in languages]
    for part in PARTS:
        keys = [key for key in books[0].phrases if key.startswith(f"{part}.")]
        rows = [(key.partition(".")[2], *(book.render(key, SAMPLE) for book in books)) for key in keys]
        yield Section(_TITLES[part], tuple(rows))
    for key in _WITH_EVERY_CARD:
        yield Section(f"{key.partition('.')[2]}, with every card", tuple(_with_every_card(key, books)))
    counts = [(str(count), *(book.numbers.cards(count) for book in books)) for count in range(53)]
    yield Section("Numbers of cards", tuple(counts))
    rounds = [(str(n), *(book.render("news.round", {"number": n}) for book in books)) for n in (1, 2, 3, 12, 13)]
    yield Section("Rounds", tuple(rounds))
    both = [book.render("fault.not_stuck", {"who": book.both(NAMES)}) for book in books]
    yield Section("Both players at once", (("not_stuck", *both),))


def _with_every_card(key: str, books: Sequence[Phrasebook]) -> Iterator[tuple[str, ...]]:
    """A row for an unread card and for each rank, on another of which every rank comes up in its turn."""
    ranks = len(RANKS)
    for card in (UNKNOWN, *DECK[:ranks]):
        against = DECK[(card.rank + 4) % ranks]
        arguments = {**SAMPLE, "card": card, "against": against}
        yield card.text[0], *(book.render(key, arguments) for book in books)


def markdown(languages: Sequence[Language]) -> str:
    """The table as Markdown."""
    head = ["", *(phrasebook(language).name for language in languages)]
    lines = ["# What the referee says", ""]
    for section in sections(languages):
        lines += [f"## {section.title}", "", _row(head), _row(["---"] * len(head))]
        lines += [*map(_row, section.rows), ""]
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


_STYLE: Final = """\
body { font: 16px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 90em; padding: 0 1em; color: #1a1a1a }
table { border-collapse: collapse; width: 100%; table-layout: fixed }
th, td { border: 1px solid #bbb; padding: .3em .6em; text-align: left; vertical-align: top; overflow-wrap: anywhere }
th { background: #eef2ee }
td:first-child { font-family: monospace; font-size: 13px; color: #555 }
"""


def html(languages: Sequence[Language]) -> str:
    """The table as a page of its own; each cell is marked with its language, so that a browser can read it aloud."""
    books = [phrasebook(language) for language in languages]
    head = "".join(f"<th>{escape(name)}</th>" for name in ("", *(book.name for book in books)))
    parts = [
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>What the referee says</title>',
        f"<style>\n{_STYLE}</style>\n<h1>What the referee says</h1>",
    ]
    for section in sections(languages):
        parts.append(f"<h2>{escape(section.title)}</h2>\n<table>\n<tr>{head}</tr>")
        for first, *cells in section.rows:
            said = "".join(
                f'<td lang="{book.language}">{escape(cell)}</td>' for book, cell in zip(books, cells, strict=True)
            )
            parts.append(f"<tr><td>{escape(first)}</td>{said}</tr>")
        parts.append("</table>")
    return "\n".join([*parts, "</html>\n"])
