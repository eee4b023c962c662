"""Players' figures and rounds, from what was said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.report.effective import effective, is_ruling
from referee.report.statistics import player_figures, round_figures
from referee.rules.actions import Kind
from referee.rules.ruling import Verdict
from referee.table import Seat
from referee.tracking import commits as said
from tests.report.games import refereed


def test_legal_plays_and_faults_are_counted_apart() -> None:
    a, b = player_figures(refereed("faults"), 12.0)
    assert (a.done[Kind.PLAY], b.done[Kind.PLAY]) == (5, 3)
    assert dict(a.faults) == {"no_gap": 1}
    assert dict(b.faults) == {"late": 1, "not_adjacent": 1, "two_cards": 2}


def test_pace_counts_the_time_in_which_a_player_could_play() -> None:
    commits = refereed("calm")
    landed = max(one.t for one in commits if one.action is not None and one.action.kind is Kind.SPIT)
    a, _ = player_figures(commits, 10.0)
    assert a.pace is not None
    assert a.pace == pytest.approx(a.done[Kind.PLAY] * 60 / (10.0 - landed), rel=0.1)


def test_the_best_stretch_is_no_longer_than_ten_seconds() -> None:
    a, b = player_figures(refereed("calm"), 10.0)
    assert 1 <= a.burst <= a.done[Kind.PLAY]
    assert 1 <= b.burst <= b.done[Kind.PLAY]


def test_both_are_stuck_when_there_is_a_stalemate() -> None:
    commits = refereed("stalemate")
    assert any(one.what == said.STALEMATE for one in commits)
    for figures in player_figures(commits, 11.0):
        assert figures.stuck[0] > 0


def test_rounds_tell_plays_and_stalemates() -> None:
    commits = refereed("stalemate")
    [only] = round_figures(commits, 11.0)
    assert only.stalemates == sum(one.what == said.STALEMATE for one in commits)
    assert only.winner is None
    assert only.plays[Seat.A] + only.plays[Seat.B] > 0


def test_what_was_corrected_no_longer_counts() -> None:
    commits = list(refereed("faults"))
    wrong = next(one for one in commits if one.ruling is not None and one.ruling.verdict is Verdict.ILLEGAL)
    assert wrong.ruling is not None
    right = replace(
        wrong, number=len(commits), corrects=wrong.number, ruling=replace(wrong.ruling, verdict=Verdict.LEGAL)
    )
    standing = effective([*commits, right])
    assert wrong not in standing
    assert right in standing
    nothing = replace(right, action=None, ruling=None)
    assert len(effective([*commits, nothing])) == len(commits) - 1


def test_the_order_is_that_of_first_touch() -> None:
    commits = refereed("calm")
    standing = effective(reversed(commits))
    assert [one.t for one in standing] == sorted(one.t for one in standing)
    assert any(is_ruling(one) for one in standing)
