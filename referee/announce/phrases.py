"""Phrases in four languages: a key and its arguments become a sentence with plural and gender right.

The sentences and the words they are made of are data, one file to a language in ``languages/``. A phrase is a format
string. Its slots are filled with names, which are said as they are given and never inflected; with cards, in the form
the slot asks for (``{card:gen}``); and with numbers of cards in words that agree with what is counted
(``{count:cards}``).
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any, Final

from referee.cards import Card
from referee.errors import UserError

Argument = str | int | Card
"""What fills a slot: a name, a number, a card."""

LONGEST_NAME: Final = 40
"""Characters of a player's name that are spoken; a longer one would hold up every fault."""


class Language(Enum):
    """The languages of the rules; the values are ISO 639-1 codes."""

    ENGLISH = "en"
    PORTUGUESE = "pt"
    POLISH = "pl"
    SWEDISH = "sv"

    __hash__ = object.__hash__

    def __str__(self) -> str:
        return self.value


def parse_language(text: str) -> Language:
    """The language written ``text``: a code, with or without a country (``pt-BR``).

    Raises:
        UserError: there are no phrases in it; the sentence lists the codes.
    """
    try:
        return Language(text.replace("_", "-").partition("-")[0].lower())
    except ValueError:
        codes = ", ".join(language.value for language in Language)
        raise UserError(f"there are no phrases in {text!r}: the languages are {codes}") from None


@dataclass(frozen=True, slots=True)
class Phrasebook:
    """All that is said in one language.

    Attributes:
        language: which.
        name: its own name for itself.
        espeak: identifier of its espeak-ng voice.
        tags: language tags a voice may have, lower case, the best first.
        phrases: key, for example ``fault.late``, to format string.
        cards: name of a form to its 14 words: of a card nobody could read, then ace to king.
        colours: what two red and what two black cards are.
        both_names: how two players are spoken to at once.
        rounds: how rounds are numbered, from the first.
    """

    language: Language
    name: str
    espeak: str
    tags: tuple[str, ...]
    phrases: Mapping[str, str]
    cards: Mapping[str, tuple[str, ...]]
    colours: tuple[str, str]
    both_names: str
    rounds: tuple[str, ...]
    numbers: Numbers

    def render(self, key: str, arguments: Mapping[str, Argument]) -> str:
        """The sentence of ``key``.

        Raises:
            KeyError: there is no such phrase, or an argument it needs is missing.
        """
        words = {slot: self._word(slot, value) for slot, value in arguments.items()}
        return self.phrases[key].format_map(words)

    def slots(self, key: str) -> frozenset[str]:
        """The names of the arguments that the phrase needs."""
        return frozenset(slot for _, slot, _, _ in Formatter().parse(self.phrases[key]) if slot)

    def both(self, names: tuple[str, str]) -> str:
        """The two players spoken to at once."""
        first, second = map(tidy_name, names)
        return self.both_names.format(first=first, second=second)

    def _word(self, slot: str, value: Argument) -> object:
        if isinstance(value, Card):
            return _CardWord(self, value)
        if isinstance(value, int):
            return _NumberWord(self, slot, value)
        return tidy_name(value)


def tidy_name(name: str) -> str:
    """A name as it can be spoken: no line breaks or control characters, and of bearable length."""
    printable = "".join(" " if unicodedata.category(letter)[0] == "C" else letter for letter in name)
    return " ".join(printable.split())[:LONGEST_NAME].rstrip()


@dataclass(frozen=True, slots=True)
class Numbers:
    """How numbers of cards are said.

    Attributes:
        below_twenty: the words for 0 to 19, agreeing with the word for card.
        tens: the words for 20, 30, ... 90.
        between: what stands between tens and units.
        one_after_tens: the one of 21, 31, ...
        nouns: plural category (``one``, ``few``, ``many``) to the word for card.
    """

    below_twenty: tuple[str, ...]
    tens: tuple[str, ...]
    between: str
    one_after_tens: str
    nouns: Mapping[str, str]

    def cards(self, count: int) -> str:
        """So many cards, in words below a hundred."""
        noun = self.nouns.get(self._category(count), self.nouns["many"])
        return f"{self._words(count)} {noun}"

    def _words(self, count: int) -> str:
        if count < 20:
            return self.below_twenty[count]
        if count >= 100:
            return str(count)
        tens, units = divmod(count, 10)
        if not units:
            return self.tens[tens - 2]
        unit = self.one_after_tens if units == 1 else self.below_twenty[units]
        return self.tens[tens - 2] + self.between + unit

    @staticmethod
    def _category(count: int) -> str:
        """The plural category; ``few`` is the Polish one of 2 to 4, 22 to 24, ..., but not of 12 to 14."""
        if count == 1:
            return "one"
        return "few" if 2 <= count % 10 <= 4 and not 12 <= count % 100 <= 14 else "many"


@dataclass(frozen=True, slots=True)
class _CardWord:
    """A card in a slot: the format specification chooses the form."""

    book: Phrasebook
    card: Card

    def __format__(self, form: str) -> str:
        if form == "colour":
            return self.book.colours[0 if self.card.red else 1]
        return self.book.cards[form or "name"][self.card.rank]


@dataclass(frozen=True, slots=True)
class _NumberWord:
    """A number in a slot: of cards, of a round, or plain."""

    book: Phrasebook
    slot: str
    number: int

    def __format__(self, form: str) -> str:
        if form == "cards":
            return self.book.numbers.cards(self.number)
        if self.slot == "number" and 1 <= self.number <= len(self.book.rounds):
            return self.book.rounds[self.number - 1]
        return str(self.number)


@cache
def phrasebook(language: Language) -> Phrasebook:
    """The phrases of ``language``."""
    text = files("referee.announce").joinpath("languages", f"{language}.toml").read_text(encoding="utf-8")
    data: dict[str, Any] = tomllib.loads(text)
    numbers = data["numbers"]
    below_twenty = tuple(numbers["below_twenty"])
    return Phrasebook(
        language=language,
        name=data["name"],
        espeak=data["voice"]["espeak"],
        tags=tuple(data["voice"]["tags"]),
        phrases={f"{part}.{key}": data[part][key] for part in PARTS for key in data[part]},
        cards={form: tuple(words) for form, words in data["cards"].items()},
        colours=(data["colours"][0], data["colours"][1]),
        both_names=data["both_names"],
        rounds=tuple(data["rounds"]),
        numbers=Numbers(
            below_twenty,
            tuple(numbers["tens"]),
            numbers["between"],
            numbers.get("one_after_tens", below_twenty[1]),
            numbers["cards"],
        ),
    )


PARTS: Final = ("call", "fault", "then", "undecided", "correction", "news", "trouble", "commentary")
"""The parts of a phrasebook: calls of the game, faults, what follows from them, doubts, corrections of the referee's
own rulings, what happens in the game, what keeps the referee from seeing, and the running commentary."""
