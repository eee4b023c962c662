"""Game records: readable, replayed to the same rulings, and refused with the line that is wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.rules import build
from referee.rules.record import (
    GameRecord,
    RecordError,
    annotate,
    parse_record,
    replay,
    result_words,
    write_record,
)
from referee.simulate.match import Limits, play_match
from tests.rules.table import lay

HEADER = '[Record "1"]\n[Ruleset "house"]\n'


def a_record(*lines: str, more: str = "") -> str:
    """A record that begins with A to play 7C on 8S and B to play 4D."""
    position = lay("7C/KC", "4D/2H", "8S/JH", reserves=("#4", "#4"))
    return f'[Record "1"]\n[Ruleset "house"]\n[Position "{position}"]\n{more}\n' + "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def match() -> GameRecord:
    return play_match(build("pl", {"scoring": "penalty_100"}), 3)


def test_a_record_survives_being_written_and_read(match: GameRecord) -> None:
    again = parse_record(write_record(match))
    assert write_record(again) == write_record(match)
    assert again.rules == match.rules
    assert again.names == ("Ada", "Bo")


def test_replaying_gives_the_rulings_events_and_result_recorded(match: GameRecord) -> None:
    done = list(replay(match))
    assert [one.differs for one in done] == [""] * len(match.lines)
    assert result_words(done[-1].after) == match.result != "*"


def test_the_same_seed_gives_the_same_match() -> None:
    first, second, other = (play_match(build(), seed, limits=Limits(seconds=30)) for seed in (5, 5, 6))
    assert write_record(first) == write_record(second) != write_record(other)


def test_comments_blank_lines_and_missing_rulings_are_fine() -> None:
    record = parse_record(a_record("# Ada begins", "", "A play 7C A1 C1  # on the eight"))
    assert [one.ruling.legal for one in replay(record)] == [True]


def test_a_recorded_ruling_that_is_not_the_laws_is_said() -> None:
    record = parse_record(a_record("A play KC A2 C1 ; legal"))
    assert next(iter(replay(record))).differs == "the record says 'legal', the law says 'illegal not_adjacent'"


def test_a_recorded_event_that_does_not_follow_is_said() -> None:
    record = parse_record(a_record("A play 7C A1 C1 ; legal", "= round_over A stock_empty"))
    differs = next(iter(replay(record))).differs
    assert differs == "the record says 'round_over A stock_empty' follows, the law says 'stalemate'"


def test_annotate_writes_the_rulings_down() -> None:
    record = annotate(parse_record(a_record("A play 7C A1 C1", "B play 4D B1 C1 @3.0", "B take_back 4D C1 B1")))
    assert [line.ruling for line in record.lines] == ["legal", "illegal not_adjacent", "legal correction"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "it begins with [Record"),
        ("A play 7C A1 C1", "it begins with [Record"),
        ('[Record "2"]', "it begins with [Record"),
        (HEADER + "[Ruleset house]", "line 3: '[Ruleset house]' is no tag"),
        (HEADER + '[Mood "good"]', "line 3: there is no tag Mood"),
        (HEADER + '[Ruleset "pl"]', "line 3: the tag Ruleset is given twice"),
        ('[Record "1"]\n[Ruleset "poker"]', "the header: there is no preset 'poker'"),
        ('[Record "1"]\n[Position "house A="]', "the header: the position lacks B="),
        (HEADER + "= stalemate", "line 3: 'stalemate' comes before any action"),
        (HEADER + "A call spit\n= sunshine", "line 4: 'sunshine' is none of"),
        (HEADER + 'A call spit\n[A "Ada"]', "line 4: the tag A comes after the actions"),
        (HEADER + "A play", "line 3: 'A play' is not how play is written"),
        (HEADER + "x" * 5000, "line 3: a line of 5000 characters"),
    ],
)
def test_what_is_no_record_is_refused_with_its_line(text: str, says: str) -> None:
    with pytest.raises(RecordError) as error:
        parse_record(text)
    assert says in str(error.value)


def test_a_position_under_another_law_than_the_record_is_refused() -> None:
    with pytest.raises(RecordError, match="the position is under house, the record under sv"):
        parse_record(a_record().replace('[Ruleset "house"]', '[Ruleset "sv"]'))


def test_an_action_that_cannot_have_happened_stops_the_replay_with_its_line() -> None:
    record = parse_record(a_record("A play 9D A1 C1"))
    with pytest.raises(RecordError, match=r"line 5: 'A play 9D A1 C1' cannot have happened: 9D cannot leave A1"):
        list(replay(record))


def test_a_record_made_by_the_program_needs_no_line_numbers() -> None:
    record = parse_record(a_record("A play 9D A1 C1"))
    bare = replace(record, lines=tuple(replace(line, number=0) for line in record.lines))
    with pytest.raises(RecordError, match=r"^'A play 9D"):
        list(replay(bare))


def test_an_event_written_after_the_other_players_next_action_is_no_difference() -> None:
    round_over = "= round_over A stock_empty"
    position = lay("7C", "4D/2H", "8S/JH", reserves=("#4", "#4"))
    text = f'[Record "1"]\n[Position "{position}"]\nA play 7C A1 C1\nB touch A1\n{round_over}\n'
    assert [done.differs for done in replay(parse_record(text))] == ["", ""]


def test_a_record_that_begins_in_the_middle_is_written_with_its_position() -> None:
    record = parse_record(a_record("A play 7C A1 C1"))
    assert "[Position " in write_record(record)
    assert parse_record(write_record(record)).start == record.start


def test_an_undecided_ruling_is_said_in_words_and_is_no_difference() -> None:
    position = lay("7C/??", "4D/2H", "8S/9H", reserves=("#4", "#4"))
    text = f'[Record "1"]\n[Position "{position}"]\nA play 7C A1 C1 ; legal\nA play ?? A2 C1 ; illegal late\n'
    (_, unread) = replay(parse_record(text))
    assert unread.differs == ""
    assert unread.ruling.text == "A plays an unseen card on C1: it cannot be told whether that fits."


def test_a_stalemate_seen_by_those_who_saw_the_cards_is_no_difference() -> None:
    position = lay("KC/??", "4D/4H", "8S/9H", reserves=("#4", "#4"))
    text = f'[Record "1"]\n[Position "{position}"]\nB touch B1\n= stalemate\n'
    assert [done.differs for done in replay(parse_record(text))] == [""]
