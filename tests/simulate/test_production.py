"""Whole matches of every law can be choreographed: the players never ask more of a hand than it can do."""

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


def test_quick_players_do_four_things_a_second_for_a_while() -> None:
    law = parse_ruleset("house")
    best = 0
    for seed in range(6):
        moves = [
            event.t
            for event in produce(Wishes(law, seed, 60.0, 4.0)).events
            if event.action is not None and event.action.card is not None
        ]
        best = max(best, *(sum(start <= t < start + 8.0 for t in moves) for start in moves))
    assert best >= 32
