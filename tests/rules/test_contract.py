"""Actions and rulings as events of truth and result files."""

from __future__ import annotations

import json

import pytest

from referee.rules import judge, parse_action, start
from referee.rules.contract import read_deal, read_event, read_events, read_sizes, write_event, write_sizes
from referee.rules.record import RecordError, replay
from referee.rules.ruleset import build
from tests.rules.openings import DEAL
from tests.rules.table import after, lay

TABLE = lay("7C/KC", "4D/2H", "8S/JH", reserves=("#4", "#4"))


@pytest.mark.parametrize(
    ("action", "event"),
    [
        (
            "A play 7C A1 C1 @3.5",
            {"t": 3.5, "action": "play", "seat": "A", "card": "7C", "from": "A1", "to": "C1", "verdict": "legal"},
        ),
        (
            "B play 4D B1 C1 @3.5",
            {
                "t": 3.5,
                "action": "play",
                "seat": "B",
                "card": "4D",
                "from": "B1",
                "to": "C1",
                "verdict": "illegal",
                "reason": "not_adjacent",
            },
        ),
        (
            "A slap C1",
            {"t": None, "action": "slap", "seat": "A", "at": "C1", "verdict": "illegal", "reason": "early_slap"},
        ),
        ("both call spit @1.0", {"t": 1.0, "action": "call", "seat": "both", "word": "spit", "verdict": "legal"}),
    ],
)
def test_an_event_tells_the_action_and_its_ruling(action: str, event: dict[str, object]) -> None:
    done = parse_action(action)
    assert write_event(done, judge(TABLE, done)) == {"kind": "event", **event}
    assert read_event(event) == done


def test_a_correction_is_marked() -> None:
    position = after(TABLE, "B play 4D B1 C1")
    back = parse_action("B take_back 4D C1 B1 @5.0")
    assert write_event(back, judge(position, back))["correction"] is True


def test_the_manner_is_known_from_the_reason() -> None:
    event = {"t": 1.0, "action": "play", "seat": "A", "card": "7C", "from": "A1", "to": "C1", "reason": "two_cards"}
    assert str(read_event(event)) == "A play 7C A1 C1 @1.0 !two_cards"


@pytest.mark.parametrize("name", ["stalemate", "round_over", "game_over", "disturbed", "deal"])
def test_what_nobody_does_is_no_action(name: str) -> None:
    assert read_event({"action": name}) is None


@pytest.mark.parametrize("t", ["soon", float("nan"), float("inf"), -1, True])
def test_a_time_is_a_number_of_seconds(t: object) -> None:
    with pytest.raises(ValueError, match="the time of a slap is a number of seconds"):
        read_event({"t": t, "action": "slap", "seat": "A", "at": "C1"})


def test_a_seat_is_a_or_b() -> None:
    with pytest.raises(ValueError, match="'C' is no seat"):
        read_event({"action": "slap", "seat": "C", "at": "C1"})


def test_sizes_of_a_deal_read_back() -> None:
    deal = parse_action(DEAL)
    sizes = write_sizes(deal)
    assert sizes["A"] == {"stock": [1, 2, 3, 4, 5], "reserve": 11}
    assert {seat.name: size.total for seat, size in read_sizes({"sizes": sizes}).items()} == {"A": 26, "B": 26}


def test_a_deal_line_may_be_of_one_seat() -> None:
    deal = read_deal({"A": {"stock": [["7C"], ["9H", "JC"]], "reserve": ["2D"]}}, tops_up=True)
    assert str(deal) == "deal A:7C/9hJC:2d @0.0"


def test_blank_lines_do_no_harm_and_what_follows_by_itself_is_held_against_the_law() -> None:
    header = {"kind": "header", "ruleset": "house"}
    sizes = {seat: {"stock": [1, 2, 3, 4, 5], "reserve": 11} for seat in "AB"}
    deal = {"kind": "event", "t": 0, "action": "deal", "sizes": sizes}
    over = {"kind": "event", "t": 1, "action": "round_over", "winner": "A", "reason": "stock_empty"}
    text = "\n\n".join(json.dumps(row) for row in (header, deal, over))
    (done,) = replay(read_events(text))
    assert done.differs == "the record says 'round_over A stock_empty' follows, the law says 'nothing'"


def test_a_lone_redeal_turns_its_tops_up_even_where_they_wait_for_the_spit() -> None:
    header = {"kind": "header", "ruleset": "pt"}
    lone = {"kind": "event", "t": 0, "action": "deal", "sizes": {"A": {"stock": [1], "reserve": 0}}}
    both = {"kind": "event", "t": 0, "action": "deal", "sizes": {s: {"stock": [1], "reserve": 0} for s in "AB"}}
    alone, together = (
        read_events(json.dumps(header) + "\n" + json.dumps(row)).lines[0].action.deal[0] for row in (lone, both)
    )
    assert alone is not None
    assert together is not None
    assert (alone.stock[0][-1].up, together.stock[0][-1].up) == (True, False)


def test_a_file_without_its_header_is_refused() -> None:
    with pytest.raises(RecordError, match="the first line is the header"):
        read_events('{"kind": "event"}')
    assert start(build()) == read_events('{"kind": "header"}').start
