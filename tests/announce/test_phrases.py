"""Phrases: complete in four languages, short, and right in plural and gender."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.announce import table
from referee.announce.phrases import LONGEST_NAME, PARTS, Language, parse_language, phrasebook, tidy_name
from referee.cards import RANKS, UNKNOWN, Card
from referee.errors import UserError
from referee.rules import Reason
from referee.rules import ruling as rulings

EVERY = pytest.mark.parametrize("language", list(Language), ids=str)
GOLDEN = Path(__file__).parent / "phrases.md"


@EVERY
def test_says_everything_english_says(language: Language) -> None:
    assert list(phrasebook(language).phrases) == list(phrasebook(Language.ENGLISH).phrases)


@EVERY
def test_needs_no_argument_that_english_does_not_need(language: Language) -> None:
    book, english = phrasebook(language), phrasebook(Language.ENGLISH)
    assert {key for key in book.phrases if book.slots(key) - english.slots(key)} == set()


@EVERY
def test_has_a_sentence_for_every_reason_and_every_case(language: Language) -> None:
    phrases = phrasebook(language).phrases
    wanted = {f"fault.{reason.value}" for reason in Reason}
    wanted |= {f"fault.wrong_order_{note}" for note in rulings._PHASES}
    wanted |= {f"fault.wrong_pile_{note}" for note in rulings._PILES}
    wanted |= {f"fault.no_gap_{note}" for note in rulings._GAPS if note}
    assert wanted - set(phrases) == set()


@EVERY
def test_every_phrase_is_a_sentence(language: Language) -> None:
    book = phrasebook(language)
    for key in book.phrases:
        said = book.render(key, table.SAMPLE)
        assert said[0].isupper(), said
        assert said[-1] in ".!", said
        assert "{" not in said
        assert "  " not in said


@EVERY
def test_faults_are_short(language: Language) -> None:
    book = phrasebook(language)
    for key in book.phrases:
        if key.startswith("fault."):
            assert len(book.render(key, table.SAMPLE)) <= 60, key


@EVERY
def test_every_form_of_a_card_names_the_unread_card_and_thirteen_ranks(language: Language) -> None:
    for form, words in phrasebook(language).cards.items():
        assert len(words) == 1 + len(RANKS), form
        assert all(words), form


@pytest.mark.parametrize(
    ("language", "count", "said"),
    [
        (Language.ENGLISH, 1, "one card"),
        (Language.ENGLISH, 21, "twenty-one cards"),
        (Language.PORTUGUESE, 1, "uma carta"),
        (Language.PORTUGUESE, 2, "duas cartas"),
        (Language.PORTUGUESE, 22, "vinte e duas cartas"),
        (Language.PORTUGUESE, 41, "quarenta e uma cartas"),
        (Language.POLISH, 1, "jedna karta"),
        (Language.POLISH, 2, "dwie karty"),
        (Language.POLISH, 4, "cztery karty"),
        (Language.POLISH, 5, "pięć kart"),
        (Language.POLISH, 12, "dwanaście kart"),
        (Language.POLISH, 21, "dwadzieścia jeden kart"),
        (Language.POLISH, 22, "dwadzieścia dwie karty"),
        (Language.POLISH, 25, "dwadzieścia pięć kart"),
        (Language.POLISH, 40, "czterdzieści kart"),
        (Language.SWEDISH, 1, "ett kort"),
        (Language.SWEDISH, 6, "sex kort"),
        (Language.SWEDISH, 21, "tjugoett kort"),
    ],
)
def test_numbers_agree_with_what_is_counted(language: Language, count: int, said: str) -> None:
    assert phrasebook(language).numbers.cards(count) == said


@pytest.mark.parametrize(
    ("language", "card", "said"),
    [
        (Language.PORTUGUESE, "JS", "Bo: o valete já foi jogado e fica."),
        (Language.PORTUGUESE, "QS", "Bo: a dama já foi jogada e fica."),
        (Language.PORTUGUESE, "??", "Bo: essa carta já foi jogada e fica."),
        (Language.POLISH, "AS", "Bo: as jest już zagrany i zostaje."),
        (Language.POLISH, "6S", "Bo: szóstka jest już zagrana i zostaje."),
        (Language.POLISH, "KS", "Bo: król jest już zagrany i zostaje."),
        (Language.SWEDISH, "AS", "Bo: esset måste ligga kvar."),
        (Language.SWEDISH, "JS", "Bo: knekten måste ligga kvar."),
    ],
)
def test_words_agree_with_the_card(language: Language, card: str, said: str) -> None:
    assert phrasebook(language).render("fault.taken_back", {"who": "Bo", "card": Card(card)}) == said


def test_the_pile_of_six() -> None:
    said = {language: phrasebook(language).render("news.claim", {"who": "Ada", "count": 6}) for language in Language}
    assert said[Language.SWEDISH] == "Ada tar högen med sex kort."
    assert said[Language.ENGLISH] == "Ada takes the pile of six cards."
    assert said[Language.PORTUGUESE] == "Ada pega a pilha de seis cartas."
    assert said[Language.POLISH] == "Ada bierze stos: sześć kart."


@EVERY
def test_names_are_said_as_they_are_given(language: Language) -> None:
    said = phrasebook(language).render("fault.late", {"who": "żółw {x} %s", "card": UNKNOWN})
    assert said.startswith("żółw {x} %s: ")


def test_names_are_of_one_line_and_bearable_length() -> None:
    assert tidy_name(" Ada\n\x1b[31m Lovelace\t") == "Ada [31m Lovelace"
    assert len(tidy_name("x" * 500)) == LONGEST_NAME


def test_languages_are_told_by_code_with_or_without_country() -> None:
    assert parse_language("pt_BR") is Language.PORTUGUESE
    assert parse_language("SV") is Language.SWEDISH
    with pytest.raises(UserError, match="en, pt, pl, sv"):
        parse_language("de")


def test_the_table_changes_only_where_somebody_looked() -> None:
    """To change a phrase: ``referee phrases --out tests/announce/phrases.md``, and read what changed."""
    assert table.markdown(tuple(Language)) == GOLDEN.read_text(encoding="utf-8")


def test_the_table_has_every_phrase_and_marks_languages() -> None:
    page = table.html(tuple(Language))
    for part in PARTS:
        for key in phrasebook(Language.ENGLISH).phrases:
            if key.startswith(f"{part}."):
                assert f"<tr><td>{key.partition('.')[2]}</td>" in page
    assert '<td lang="sv">Spotta!</td>' in page
    assert "<th>Polski</th>" not in table.html((Language.SWEDISH,))
