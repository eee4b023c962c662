from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.errors import UserError
from referee.record.dispute import could, dispute, lying, order, rejudged, unread
from referee.record.entries import Looked, Ruled
from referee.record.journal import JOURNAL, JournalWriter, read_journal
from referee.record.refereed import Refereed, read_game, read_result
from referee.rules import Reason, Ruling, Verdict, build, parse_action, parse_position
from referee.rules.ruling import describe
from tests.record.games import HEADER

FOOTAGE = Path(__file__).parents[1] / "fixtures" / "footage"

Rows = list[dict[str, Any]]


def truth(name: str = "faults") -> Rows:
    return [json.loads(row) for row in (FOOTAGE / f"{name}.truth.jsonl").read_text().splitlines()]


def as_result(rows: Rows) -> Rows:
    """A truth file's events as a result file has them: told with an interval, and no cards that nobody saw."""
    said = []
    for row in rows:
        if row["kind"] == "deal":
            continue
        if row["kind"] == "event":
            row = {**row, "t_from": row["t"] - 0.02, "t_to": row["t"] + 0.013, "confidence": 0.9, "number": len(said)}
        said.append(row)
    return said


def refereed(tmp_path: Path, rows: Rows) -> Refereed:
    path = tmp_path / "game.result.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return read_result(path)


def place_of(rows: Rows, found: Callable[[dict[str, Any]], bool]) -> int:
    (place,) = [place for place, row in enumerate(rows) if found(row)]
    return place


def late(row: dict[str, Any]) -> bool:
    return row.get("reason") == "late"


@pytest.mark.parametrize(
    ("at", "what"),
    [
        (0.0, "both call spit"),
        (2.2, "B play AD B5 C2 @2.2699"),
        (2.19, "B play AD B5 C2 @2.2699"),
        (2.18, "A play AH A4 C2 @2.1061"),
        (4.2672, "B take_back AC C1 B1 @4.2672"),
        (99.0, None),
    ],
)
def test_the_ruling_in_question_is_the_nearest(tmp_path: Path, at: float, what: str | None) -> None:
    rows = truth()
    found = dispute(refereed(tmp_path, rows), at).said
    if what is None:
        assert found.t == max(row["t"] for row in rows if "verdict" in row)
    else:
        assert str(found.action).startswith(what)


def test_an_interval_is_as_near_as_its_nearer_end(tmp_path: Path) -> None:
    rows = as_result(truth())
    place = place_of(rows, late)
    rows[place]["t_to"] = 2.6
    assert dispute(refereed(tmp_path, rows), 2.58).said.event == rows[place]


def test_the_position_before_and_after_are_those_of_the_game(tmp_path: Path) -> None:
    found = dispute(refereed(tmp_path, truth()), 2.27)
    assert found.known is not None
    assert str(found.known.before).endswith("C=TDA@1.6046/2DB@1.4539,AHA@2.1061")
    assert str(found.known.after).endswith("C=TDA@1.6046/2DB@1.4539,AHA@2.1061,ADB@2.2699 owed=B:AD:C2>B5:late")
    assert found.known.ruling.reason is Reason.LATE
    assert lying(found.known.before, found.names) == [
        "Centre: C1 10♦ from A (1), C2 A♥ from A (2)",
        "Ada: A1 5♣ (1), A2 Q♠ (2), A3 K♠ (3), A4 face down (3), A5 10♣ (5), reserve 10",
        "Bo: B1 A♣ (1), B2 8♣ (2), B3 A♠ (3), B4 Q♥ (4), B5 A♦ (5), reserve 10",
    ]
    assert lying(found.known.after, found.names)[-1] == "A♦ on C2 has to go back to B5 (Bo)"


def test_what_each_could_have_played_is_what_the_law_allows(tmp_path: Path) -> None:
    found = dispute(refereed(tmp_path, truth()), 2.95)
    a, b = found.could
    assert [could(action) for action in a] == [
        "turn up the card at A3",
        "turn up the card at A4",
        "play Q♠ on C2",
    ]
    assert {could(action) for action in b} == {
        "turn up the card at B5",
        "play A♣ on C2",
        "play A♠ on C2",
        "play Q♥ on C2",
    }


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("A fill 9H A2 A1", "move 9♥ from A2 to the gap at A1"),
        ("A spit ?? AR C1", "spit on C1"),
        ("A take_back 7C C2 A5", "take 7♣ back from C2 to A5"),
        ("A stack 7C A5 A1", "put 7♣ from A5 on A1"),
        ("A slap C1", "put a hand on C1"),
        ("A claim C1", "take C1"),
        ("A play ?? AH C1", "play an unread card on C1"),
    ],
)
def test_every_choice_has_words(action: str, words: str) -> None:
    assert could(parse_action(action)) == words


def test_positions_of_all_kinds_have_words() -> None:
    position = parse_position("house A=play;9H/??/-/-/-;#20 B=play;TC/4D/-/-/-;#20 C=8SA,7CA,JHB,TSB,9DA,8HB,TDB,??/-")
    assert lying(position, ("Ada", "Bo")) == [
        "Centre: C1 unread (8), C2 no pile",
        "Ada: A1 9♥ (1), A2 unread (1), A3 gap, A4 gap, A5 gap, reserve 20",
        "Bo: B1 10♣ (1), B2 4♦ (1), B3 gap, B4 gap, B5 gap, reserve 20",
    ]


def test_a_race_on_one_pile_tells_who_was_first(tmp_path: Path) -> None:
    found = dispute(refereed(tmp_path, truth()), 2.27)
    (rival,) = found.rivals
    assert describe(rival.action) == "A plays A♥ on C2"
    assert order(found.said, rival, found.names) == "Ada's card touched first, 164 ms ahead."
    found = dispute(refereed(tmp_path, as_result(truth())), 2.27)
    (rival,) = found.rivals
    assert order(found.said, rival, found.names) == "Ada's card touched first, between 131 ms and 197 ms ahead."


def test_intervals_that_overlap_are_too_close_to_call(tmp_path: Path) -> None:
    rows = as_result(truth())
    rows[place_of(rows, late)]["t_from"] = 2.11
    found = dispute(refereed(tmp_path, rows), 2.27)
    (rival,) = found.rivals
    assert order(found.said, rival, found.names) == "Ada's and Bo's cards came too close together to call by the clock."


def test_rulings_around_it_come_in_order_of_touch(tmp_path: Path) -> None:
    found = dispute(refereed(tmp_path, truth()), 2.95)
    assert [other.t for other in found.around] == [2.1061, 2.2699, 2.7941, 2.95, 3.2521]
    assert found.said in found.around
    assert [zone.name for zone in found.zones] == ["C1", "B1"]


def test_another_law_may_judge_otherwise(tmp_path: Path) -> None:
    found = dispute(refereed(tmp_path, truth()), 2.7941)
    assert found.known is not None
    assert found.known.ruling.legal
    other = rejudged(found.known, build("house", {"wrap": "false"}))
    assert isinstance(other, Ruling)
    assert (other.verdict, other.reason) == (Verdict.ILLEGAL, Reason.NOT_ADJACENT)
    same = rejudged(found.known, build("pl"))
    assert isinstance(same, Ruling)
    assert same.legal


def test_cards_nobody_saw_stay_unread(tmp_path: Path) -> None:
    found = dispute(refereed(tmp_path, as_result(truth())), 2.95)
    assert found.known is not None
    assert lying(found.known.before, found.names)[2] == (
        "Bo: B1 unread (1), B2 unread (2), B3 unread (3), B4 unread (4), B5 face down (4), reserve 10"
    )
    assert [zone.name for zone in unread(found.known.before)] == ["A1", "A2", "A5", "B1", "B2", "B3", "B4"]


def test_a_position_told_with_the_ruling_is_believed(tmp_path: Path) -> None:
    whole = dispute(refereed(tmp_path, truth()), 2.95)
    assert whole.known is not None
    rows = as_result(truth())
    place = place_of(rows, lambda row: row.get("reason") == "not_adjacent")
    rows[place]["position"] = str(whole.known.before)
    found = dispute(refereed(tmp_path, rows), 2.95)
    assert found.known is not None
    assert found.known.before == whole.known.before
    assert found.known.after == whole.known.after
    assert found.could == whole.could


@pytest.mark.parametrize("told", ["nonsense", "house A=play;-;- B=play;-;- C=-/-", None, 5])
def test_a_position_that_cannot_be_is_passed_over(tmp_path: Path, told: object) -> None:
    rows = as_result(truth())
    place = place_of(rows, lambda row: row.get("reason") == "not_adjacent")
    rows[place]["position"] = told
    found = dispute(refereed(tmp_path, rows), 2.95)
    assert found.known is not None
    assert lying(found.known.before, found.names)[0] == "Centre: C1 10♦ from A (1), C2 K♠ from A (4)"


def test_a_game_the_law_cannot_follow_tells_why(tmp_path: Path) -> None:
    rows = truth()
    rows[place_of(rows, late)]["from"] = "B1"
    game = refereed(tmp_path, rows)
    assert dispute(game, 2.1).known is not None
    found = dispute(game, 2.95)
    assert found.known is None
    assert found.could == ((), ())
    assert "cannot have happened" in found.lost
    assert [other.t for other in found.around] == [2.1061, 2.2699, 2.7941, 2.95, 3.2521]


def test_a_correction_takes_the_place_of_what_it_corrects(tmp_path: Path) -> None:
    rows = as_result(truth())
    place = place_of(rows, late)
    wrong = {**rows[place], "card": "8C", "from": "B2", "text": "Bo plays 8♣ on C2", "reason": "not_adjacent"}
    right = {**rows[place], "number": 1000, "corrects": wrong["number"]}
    found = dispute(refereed(tmp_path, [*rows[:place], wrong, *rows[place + 1 :], right]), 2.27)
    assert found.said.event == right
    assert found.said.first == wrong
    assert found.known is not None
    assert found.known.ruling.reason is Reason.LATE


def test_what_was_taken_back_is_no_ruling(tmp_path: Path) -> None:
    rows = as_result(truth())
    place = place_of(rows, late)
    again = rows[place]
    ghost = {**again, "card": "8C", "from": "B2", "number": 999}
    taken_back = {"kind": "event", "t": 2.3, "action": "disturbed", "what": "Correction", "number": 1, "corrects": 999}
    game = refereed(tmp_path, [*rows[: place + 1], ghost, *rows[place + 1 :], taken_back])
    assert all(not isinstance(game.followed(number), str) for number in range(len(game.said)))
    assert ghost not in [said.event for said in game.said]
    assert dispute(game, 2.27).said.event == again


def test_a_journal_tells_the_same_as_a_result_file(tmp_path: Path) -> None:
    header, *events = as_result(truth())
    path = tmp_path / JOURNAL
    with JournalWriter.create(path, HEADER) as journal:
        for number, event in enumerate(events):
            journal.append(Looked(number, event["t"]))
            journal.append(Ruled(event))
    game = read_game(read_journal(path, events_only=True), "it")
    assert str(game.record.rules) == HEADER.rules
    one, other = dispute(game, 2.27), dispute(refereed(tmp_path, [header, *events]), 2.27)
    assert one.said.event == other.said.event
    assert one.names == HEADER.names
    assert game.header["table_mm"] == [900, 600]


def test_a_truth_file_is_followed_to_its_end() -> None:
    for name in ("calm", "faults", "stalemate"):
        game = read_result(FOOTAGE / f"{name}.truth.jsonl")
        assert len(game.said) > 10
        for number, said in enumerate(game.said):
            followed = game.followed(number)
            assert not isinstance(followed, str)
            assert followed.ruling.verdict.value == said.event["verdict"]
            assert (followed.ruling.reason.value if followed.ruling.reason else None) == said.event.get("reason")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "empty"),
        ('{"kind":"header"}\n{"kind":"event"\n', "line 2"),
        ('{"kind":"header"}\n{"kind":"event","t":1,"action":"dance"}\n', "line 2"),
        ('{"kind":"header","ruleset":"chess"}\n', "line 1"),
    ],
)
def test_a_file_without_rulings_is_told(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "game.result.jsonl"
    path.write_text(text)
    with pytest.raises(UserError, match=complaint):
        read_result(path)


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot read"):
        read_result(tmp_path / "none.jsonl")
    (tmp_path / "film.mp4").write_bytes(b"\xff\xfe\x80")
    with pytest.raises(UserError, match="not text"):
        read_result(tmp_path / "film.mp4")


def test_a_game_without_rulings_has_nothing_to_dispute(tmp_path: Path) -> None:
    game = refereed(tmp_path, truth()[:1])
    with pytest.raises(UserError, match="no ruling"):
        dispute(game, 1.0)
