"""Scoring as the contract for footage says it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.cli import main
from referee.errors import UserError
from referee.evaluate.events import EventFile, read_event_file
from referee.evaluate.footage import Score, milliseconds, score

FIXTURES = Path(__file__).parent.parent / "fixtures" / "footage"
TRUTHS = sorted(FIXTURES.glob("*.truth.jsonl"))

Row = dict[str, Any]


def play(t: float, seat: str = "A", card: str = "7C", to: str = "C1", **more: Any) -> Row:
    row = {"kind": "event", "t": t, "action": "play", "seat": seat, "card": card, "from": f"{seat}1", "to": to}
    return {**row, "verdict": "legal", **more}


def stated(t: float, action: str, **more: Any) -> Row:
    return {"kind": "event", "t": t, "action": action, **more}


@pytest.fixture
def scored(tmp_path: Path) -> Callable[..., Score]:
    """Scores rows of a result against rows of a truth at 30 frames a second."""

    def file(name: str, rows: list[Row]) -> EventFile:
        path = tmp_path / name
        path.write_text("\n".join(json.dumps(row) for row in ({"kind": "header", "fps": 30}, *rows)), encoding="utf-8")
        return read_event_file(path)

    return lambda truth, said: score(file("truth", truth), file("said", said))


@pytest.mark.parametrize("path", TRUTHS, ids=lambda path: path.name)
def test_the_truth_itself_scores_full_marks(path: Path) -> None:
    truth = read_event_file(path)
    figures = score(truth, truth)
    for count in (*figures.counts.values(), *figures.outcomes.values(), figures.illegal):
        assert count.truth == count.said == count.both
    assert (figures.accusations, figures.undecided) == (0, 0)
    assert (figures.order.wrong, figures.order.missed) == (0, 0)
    assert figures.cards == figures.ranks == figures.seen > 0
    assert set(figures.errors) == {0.0}


def test_saying_nothing_finds_nothing(scored: Callable[..., Score]) -> None:
    figures = scored([play(1.0), play(1.2, "B", "8D", "C2")], [])
    assert (figures.counts["play"].recall, figures.counts["play"].precision, figures.counts["play"].f1) == (0, None, 0)
    assert figures.order.missed == 1


@pytest.mark.parametrize(("t", "found"), [(1.5, 1), (0.5, 1), (1.501, 0), (0.499, 0)])
def test_an_event_is_the_same_within_half_a_second(t: float, found: int, scored: Callable[..., Score]) -> None:
    assert scored([play(1.0)], [play(t)]).counts["play"].both == found


@pytest.mark.parametrize("other", [{"seat": "B"}, {"card": "7D"}, {"to": "C2"}, {"from": "A2"}])
def test_an_event_is_the_same_only_if_all_its_parts_are(other: Row, scored: Callable[..., Score]) -> None:
    assert scored([play(1.0)], [{**play(1.0), **other}]).counts["play"].both == 0


def test_each_is_matched_once_and_the_nearest_first(scored: Callable[..., Score]) -> None:
    figures = scored([play(1.0), play(1.4)], [play(1.3), play(1.35)])
    assert figures.counts["play"].both == 2
    assert sorted(round(error, 6) for error in figures.errors) == [0.05, 0.3]
    assert scored([play(1.0)], [play(1.1), play(1.0)]).counts["play"].both == 1


def test_faults_found_and_false_accusations(scored: Callable[..., Score]) -> None:
    wrong = {"verdict": "illegal", "reason": "not_adjacent"}
    truth = [play(1.0, **wrong), play(2.0, card="8C", **wrong), play(3.0, card="9C"), play(4.0, card="TC")]
    said = [
        play(1.0, **wrong),
        play(2.0, card="8C", verdict="illegal", reason="late"),
        play(3.0, card="9C", **wrong),
        play(4.0, card="TC", verdict="undecided"),
    ]
    figures = scored(truth, said)
    assert (figures.illegal.truth, figures.illegal.said, figures.illegal.both) == (2, 3, 2)
    assert (figures.reasons_right, figures.accusations, figures.legal, figures.undecided) == (1, 1, 2, 1)


@pytest.mark.parametrize(
    ("gap", "said", "expected"),
    [
        (0.10, [(1.0, 1.0), (1.1, 1.1)], "right"),
        (0.10, [(1.1, 1.1), (1.0, 1.0)], "wrong"),
        (0.10, [(0.9, 1.1), (1.0, 1.2)], "missed"),
        (0.02, [(0.9, 1.1), (1.0, 1.2)], "too_close"),
        (0.02, [(1.0, 1.0), (1.0, 1.0)], "too_close"),
    ],
)
def test_who_was_first_on_different_piles(
    gap: float, said: list[tuple[float, float]], expected: str, scored: Callable[..., Score]
) -> None:
    truth = [play(1.0), play(1.0 + gap, "B", "8D", "C2")]
    rows = [
        {**row, "t": sum(span) / 2, "t_from": span[0], "t_to": span[1]} for row, span in zip(truth, said, strict=True)
    ]
    order = scored(truth, rows).order
    assert {name: getattr(order, name) for name in ("right", "too_close", "missed", "wrong")} == {
        **dict.fromkeys(("right", "too_close", "missed", "wrong"), 0),
        expected: 1,
    }


def test_on_one_pile_what_lies_underneath_was_first_however_wide_the_intervals(scored: Callable[..., Score]) -> None:
    truth = [play(1.0), play(1.05, "B", "8D")]
    rows = [{**row, "t_from": 0.9, "t_to": 1.2} for row in truth]
    assert scored(truth, rows).order.right == 1
    assert scored(truth, [{**rows[0], "t": 1.06}, rows[1]]).order.wrong == 1


def test_plays_of_one_seat_or_far_apart_are_no_pairs(scored: Callable[..., Score]) -> None:
    truth = [play(1.0), play(1.3, card="8D"), play(1.9, "B", "9D")]
    order = scored(truth, truth).order
    assert (order.right, order.too_close, order.missed, order.wrong) == (0, 0, 0, 0)


def test_a_card_misread_counts_by_rank_and_by_suit(scored: Callable[..., Score]) -> None:
    truth = [play(1.0), play(2.0, card="8D"), play(3.0, card="9H")]
    figures = scored(truth, [play(1.0), play(2.0, card="8H"), play(3.0, card="4H")])
    assert (figures.seen, figures.ranks, figures.cards) == (3, 2, 1)


def test_outcomes_are_right_only_with_the_right_winner(scored: Callable[..., Score]) -> None:
    truth = [stated(1, "stalemate"), stated(9, "round_over", winner="A", reason="stock_empty")]
    said = [stated(1.2, "stalemate"), stated(9, "round_over", winner="B", reason="stock_empty")]
    figures = scored(truth, said)
    assert figures.outcomes["stalemate"].both == 1
    assert (figures.outcomes["round_over"].both, figures.outcomes["round_over"].said) == (0, 1)


def test_a_call_is_not_scored(scored: Callable[..., Score]) -> None:
    call = stated(1, "call", seat="both", word="spit", verdict="illegal", reason="not_stuck")
    figures = scored([call], [])
    assert (figures.illegal.truth, figures.legal) == (0, 0)


def test_delay_runs_from_first_touch_to_the_ruling(scored: Callable[..., Score]) -> None:
    figures = scored([play(1.0), play(2.0)], [play(1.01, t_said=1.3), play(2.0, t_said=2.5)])
    assert sorted(round(delay, 6) for delay in figures.delays) == [0.3, 0.5]


def test_median_and_percentile() -> None:
    assert milliseconds([]) is None
    assert milliseconds([0.04]) == (40.0, 40.0)
    assert milliseconds([i / 1000 for i in range(101)]) == (50.0, 95.0)


def test_the_command_scores_every_clip_and_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in TRUTHS[:2]:
        name = path.name.removesuffix(".truth.jsonl")
        (tmp_path / f"{name}.result.jsonl").write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["evaluate", "footage", str(FIXTURES), "--results", str(tmp_path), "--json"]) == 2
    figures = json.loads(capsys.readouterr().out)
    assert len(figures["clips"]) == 2
    assert figures["all"]["events"]["play"]["f1"] == 1.0
    assert len(figures["without_result"]) == len(TRUTHS) - 2
    assert main(["evaluate", "footage", str(FIXTURES), "--results", str(tmp_path)]) == 2
    out = capsys.readouterr().out
    assert "F1 100.0 %" in out
    assert "not scored" in out


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "its first line is not a header"),
        (b'{"kind":"header"}\n{"kind":"event","t":1', "line 2: this is not JSON; the file may be cut short"),
        (b'{"kind":"header"}\n{"kind":"event","action":"play"}', "line 2: an event has an action and a time"),
        (b'{"kind":"header"}\n{"kind":"event","action":"play","t":NaN}', "line 2: an event has an action and a time"),
        (b"\xff\xfe", "it is not text"),
    ],
)
def test_a_file_that_is_none_is_refused_with_its_line(content: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "x.truth.jsonl"
    path.write_bytes(content)
    with pytest.raises(UserError) as error:
        read_event_file(path)
    assert says in str(error.value)
    assert str(path) in str(error.value)


def test_a_folder_without_files_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "footage", str(tmp_path)]) == 2
    assert "there are no truth files" in capsys.readouterr().err
    assert main(["evaluate", "footage", str(FIXTURES), "--results", str(tmp_path)]) == 2
    assert "there are no result files" in capsys.readouterr().err
