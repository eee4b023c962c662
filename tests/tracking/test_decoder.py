"""The decoder on evidence of games whose truth is known."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from referee.evaluate.footage import Score
from referee.readings import Evidence, Reach, ZoneChange
from referee.rules.ruleset import PRESETS, build
from referee.simulate.incidents import Incident
from referee.simulate.seen import FAIR, GOOD, IDEAL, POOR
from referee.tracking import commits
from tests.tracking.games import HOUSE, complaints, decode, held_against, known_at, played, seen
from tests.tracking.readings import change

WEAK = replace(FAIR, unsure=0.12, wrong=0.02, unread=0.04)
"""A reader that has never met such a deck."""


@pytest.mark.parametrize("preset", sorted(PRESETS))
@pytest.mark.parametrize("seed", [3, 5])
def test_ideal_evidence_gives_back_what_was_done(preset: str, seed: int) -> None:
    rules = build(preset)
    events = played(rules, seed, 50.0)
    said = decode(rules, seen(events, rules, IDEAL, seed))
    assert complaints(held_against(events, said)) == []


def test_a_second_round_is_dealt_and_played_after_the_claims() -> None:
    events = played(HOUSE, 4, 62.0)
    figures = held_against(events, decode(HOUSE, seen(events, HOUSE, IDEAL, 4)))
    assert figures.outcomes["claim"].truth == 2
    assert complaints(figures) == []


@pytest.mark.parametrize(
    "kind", ["not_adjacent", "late", "two_cards", "taken_back", "no_gap", "own_cards_only", "early_slap", "not_top"]
)
def test_a_fault_is_found_and_nobody_else_accused(kind: str) -> None:
    events = played(HOUSE, 11, 24.0, 1.0, (Incident(kind, 9.0, 0.06),))
    assert any(event.fault is not None and event.fault.value == kind for event in events)
    figures = held_against(events, decode(HOUSE, seen(events, HOUSE, IDEAL, 11)))
    assert figures.illegal.both == figures.illegal.truth
    assert figures.reasons_right == figures.illegal.truth
    assert figures.accusations == 0


def test_evidence_told_in_another_order_within_a_tenth_of_a_second_says_the_same_was_done() -> None:
    events = played(HOUSE, 6, 40.0)
    evidence = seen(events, HOUSE, IDEAL, 6)
    rng = Random(1)
    later = {index: known_at(one) + rng.uniform(0.0, 0.1) for index, one in enumerate(evidence)}
    order = sorted(later, key=later.__getitem__)
    shaken: list[Evidence] = []
    for index in order:
        one = evidence[index]
        shaken.append(replace(one, t_seen=later[index]) if isinstance(one, ZoneChange) else one)
    assert complaints(held_against(events, decode(HOUSE, shaken))) == []


def test_the_same_evidence_gives_the_same_commits() -> None:
    events = played(HOUSE, 7, 20.0)
    evidence = seen(events, HOUSE, POOR, 7)
    first, again = decode(HOUSE, evidence), decode(HOUSE, evidence)
    assert [str(commit.action) for commit in first] == [str(commit.action) for commit in again]
    assert [(c.t_said, c.confidence, str(c.after)) for c in first] == [
        (c.t_said, c.confidence, str(c.after)) for c in again
    ]


@pytest.mark.parametrize("seed", [1, 2])
def test_however_badly_it_is_seen_the_ledger_keeps_52_cards(seed: int) -> None:
    events = played(HOUSE, seed, 45.0)
    for commit in decode(HOUSE, seen(events, HOUSE, POOR, seed)):
        assert commit.after.defects() == ()


def test_well_seen_games_are_told_rightly() -> None:
    play, turn, accused, legal = [0, 0, 0], [0, 0, 0], 0, 0
    for seed in range(201, 205):
        events = played(HOUSE, seed, 60.0)
        figures = held_against(events, decode(HOUSE, seen(events, HOUSE, GOOD, seed)))
        for total, kind in ((play, "play"), (turn, "turn_up")):
            count = figures.counts[kind]
            total[0], total[1], total[2] = total[0] + count.truth, total[1] + count.said, total[2] + count.both
        accused, legal = accused + figures.accusations, legal + figures.legal
    assert 2 * play[2] / (play[0] + play[1]) >= 0.98
    assert 2 * turn[2] / (turn[0] + turn[1]) >= 0.97
    assert accused <= 0.01 * legal


def test_hardly_anybody_is_accused_where_the_reader_is_weak() -> None:
    total = Score()
    for seed in range(301, 305):
        events = played(HOUSE, seed, 45.0)
        total.add(held_against(events, decode(HOUSE, seen(events, HOUSE, WEAK, seed))))
    play = total.counts["play"].f1
    assert play is not None
    assert play >= 0.93
    assert total.accusations <= 0.01 * total.legal


def test_hands_need_not_be_told_for_cards_to_be() -> None:
    events = played(HOUSE, 9, 25.0)
    evidence = [one for one in seen(events, HOUSE, IDEAL, 9) if not isinstance(one, Reach)]
    figures = held_against(events, decode(HOUSE, evidence))
    for kind in ("play", "turn_up", "fill", "spit"):
        count = figures.counts[kind]
        assert count.truth == count.said == count.both


def test_a_stalemate_is_said_within_seconds_and_before_the_spit() -> None:
    events = played(HOUSE, 2, 60.0)
    said = decode(HOUSE, seen(events, HOUSE, IDEAL, 2))
    stale = [commit for commit in said if commit.what == commits.STALEMATE]
    assert len(stale) >= 4
    assert all(commit.t_said - commit.t <= 1.2 for commit in stale if commit.t < 55.0)


def test_a_reserve_that_is_read_as_empty_keeps_no_stalemate_from_being_said() -> None:
    events = played(HOUSE, 2, 20.0)
    evidence = seen(events, HOUSE, IDEAL, 2)
    first = next(event.t for event in events if event.name == "stalemate")
    place = next(place for place, one in enumerate(evidence) if known_at(one) > first - 1.0)
    evidence.insert(place, change("BR", "empty", first - 1.2, told=first - 1.0))
    stale = [commit for commit in decode(HOUSE, evidence) if commit.what == commits.STALEMATE]
    assert stale[0].t_said - first <= 1.2


def test_commits_are_numbered_and_never_in_the_future() -> None:
    events = played(HOUSE, 8, 40.0)
    said = decode(HOUSE, seen(events, HOUSE, GOOD, 8))
    assert [commit.number for commit in said] == list(range(len(said)))
    for commit in said:
        assert commit.t_from <= commit.t <= commit.t_to
        assert 0.0 <= commit.confidence <= 1.0
        assert commit.what != commits.ACTION or commit.t <= commit.t_said + 0.7
