"""Whole matches of every law can be choreographed: the players never ask more of a hand than it can do."""

import statistics

import pytest

from referee.rules.settings import parse_ruleset
from referee.simulate.production import Wishes, produce

RULES = [
    "house",
    "pt",
    "pt-both",
    "pl",
    "sv",
    "house,scoring=penalty_100",
    "pt,scoring=penalty_100",
    "pl,round_model=finisher_only",
    "house,gap_source=any,layout=triangle4",
    "sv,same_rank_stack=true,layout=eleven_plus_four",
    "house,illegal_play=lockout,reserve_place=hand",
    "pt,layout=hand5",
    "pt,layout=single10_hand",
    "sv,layout=hand5",
]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("pace", [1.0, 8.0])
def test_long_matches_can_be_done_by_hands(rules: str, pace: float) -> None:
    law = parse_ruleset(rules)
    for seed in range(3):
        film = produce(Wishes(law, seed, 200.0, pace, 0.15, ("greedy", "random")))
        times = [event.t for event in film.events]
        assert times == sorted(times)
        assert times[0] == 0.0


def busiest(times: list[float], seconds: float) -> int:
    return max(sum(start <= t < start + seconds for t in times) for start in times)


def played(seed: int, pace: float) -> list[float]:
    """When the cards of a film touched that were legally played on the centre piles."""
    events = produce(Wishes(parse_ruleset("house"), seed, 90.0, pace)).events
    return [event.t for event in events if event.name == "play" and event.fault is None]


def test_the_quickest_players_play_four_cards_a_second_for_five_seconds() -> None:
    assert max(busiest(played(seed, 8.0), 5.0) for seed in range(20)) >= 20


def test_the_quicker_the_players_the_more_they_play() -> None:
    calm, quick, quickest = (
        statistics.median(busiest(played(seed, pace), 5.0) for seed in range(8)) for pace in (1.0, 2.0, 8.0)
    )
    assert calm < quick < quickest
