"""What holds in every game under every law: the ledger is sound, the judge never chokes, texts round-trip."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.cards import UNKNOWN, card_set
from referee.rules import (
    Kind,
    Phase,
    Position,
    RuleSet,
    SeatDeal,
    Verdict,
    build,
    judge,
    parse_action,
    parse_position,
    parse_ruleset,
    stalemate,
    stuck,
)
from referee.rules.moves import legal_actions
from referee.rules.piles import FACE_DOWN_UNKNOWN, StockPile
from referee.rules.record import GameRecord, annotate, parse_record, replay, write_record
from referee.rules.step import step
from referee.simulate.match import Limits, play_match
from referee.table import Seat
from tests.rules.possible import PRESET_RULES, possible_actions, rulesets, some_action

SEEDS = st.integers(0, 2**32 - 1)
SHORT = Limits(actions=120)


def a_match(rules: RuleSet, seed: int, limits: Limits = SHORT) -> GameRecord:
    """A game of mixed players, one of whom slips now and then."""
    players = ("greedy", "random") if seed % 2 else ("random", "greedy")
    return play_match(rules, seed, players=players, slip=0.05, limits=limits)


def positions(record: GameRecord) -> Iterator[Position]:
    for done in replay(record):
        yield done.after


def some_positions(rules: RuleSet, seed: int, count: int) -> list[Position]:
    """Positions from all over a game, with ends of rounds among them."""
    every = list(positions(a_match(rules, seed, Limits(actions=400))))
    rng = Random(seed)
    turning = [one for one in every if one.claims is not None or one.due or one.owed]
    return rng.sample(every, min(count, len(every))) + rng.sample(turning, min(count, len(turning)))


@pytest.mark.parametrize("rules", PRESET_RULES, ids=str)
def test_52_cards_are_each_in_one_place_throughout_a_match_under_every_preset(rules: RuleSet) -> None:
    for position in positions(a_match(rules, 7, Limits(actions=600))):
        assert position.defects() == ()


@settings(max_examples=60)
@given(rulesets(), SEEDS)
def test_52_cards_are_each_in_one_place_whatever_people_do_under_any_law(rules: RuleSet, seed: int) -> None:
    rng = Random(seed)
    for position in some_positions(rules, seed, 4):
        for _ in range(12):
            position = step(position, some_action(position, rng)).position
            assert position.defects() == ()


@settings(max_examples=40)
@given(rulesets(), SEEDS)
def test_judge_has_a_ruling_and_a_sentence_for_everything_physically_possible(rules: RuleSet, seed: int) -> None:
    for position in some_positions(rules, seed, 2):
        for action in possible_actions(position):
            ruling = judge(position, action)
            assert (ruling.verdict is Verdict.ILLEGAL) == (ruling.reason is not None) == (ruling.remedy is not None)
            assert ruling.rules
            assert ruling.text.endswith(".")
            assert "{" not in ruling.text


@settings(max_examples=40)
@given(rulesets(), SEEDS)
def test_the_legal_actions_generated_are_those_the_judge_finds_legal(rules: RuleSet, seed: int) -> None:
    for position in some_positions(rules, seed, 3):
        generated = {str(action) for action in legal_actions(position)}
        judged = {
            str(action)
            for action in possible_actions(position)
            if action.kind not in (Kind.CALL, Kind.TOUCH) and judge(position, action).legal
        }
        assert generated == judged


@settings(max_examples=40)
@given(rulesets(), SEEDS)
def test_positions_and_actions_survive_being_written_and_read(rules: RuleSet, seed: int) -> None:
    record = a_match(rules, seed)
    for line in record.lines:
        assert parse_action(str(line.action)) == line.action
    for position in positions(record):
        assert parse_position(str(position)) == position


@settings(max_examples=60)
@given(rulesets())
def test_rulesets_survive_being_written_and_read(rules: RuleSet) -> None:
    assert parse_ruleset(str(rules)) == rules


@settings(max_examples=20)
@given(rulesets(), SEEDS)
def test_replaying_a_record_reproduces_every_ruling(rules: RuleSet, seed: int) -> None:
    record = a_match(rules, seed)
    again = parse_record(write_record(record))
    assert [done.differs for done in replay(again)] == [""] * len(record.lines)
    assert [line.action for line in again.lines] == [line.action for line in record.lines]
    assert annotate(again).result == record.result


@settings(max_examples=30)
@given(rulesets(), SEEDS)
def test_a_player_is_stuck_exactly_if_no_legal_move_gets_him_on(rules: RuleSet, seed: int) -> None:
    for position in some_positions(rules, seed, 4):
        for seat in Seat:
            witness = stuck(position, seat).witness
            if witness is not None and not position.due and position.sides[seat].phase.value == "play":
                ruling = judge(position, witness)
                # Only the duty to turn up first, a lock-out, or a card's way back stands before the way out.
                assert ruling.legal or ruling.note in ("unturned", "locked", "not_back")
            if stalemate(position):
                assert witness is None
                assert not any(action.kind in (Kind.PLAY, Kind.TURN_UP) for action in legal_actions(position))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rules", PRESET_RULES, ids=str)
def test_every_match_ends_within_a_bound_under_every_preset(rules: RuleSet, seed: int) -> None:
    record = play_match(rules, seed, limits=Limits(actions=10_000))
    assert record.result != "*"


@settings(max_examples=25)
@given(rulesets(), SEEDS)
def test_every_match_ends_within_a_bound_under_any_law(rules: RuleSet, seed: int) -> None:
    assert play_match(rules, seed, limits=Limits(actions=20_000)).result != "*"


def hidden(record: GameRecord) -> GameRecord:
    """The game as somebody sees it who knows only the tops that are turned up in each deal."""
    lines = []
    for line in record.lines:
        deals = [
            None if dealt is None else SeatDeal(tuple(map(_hide_pile, dealt.stock)), (UNKNOWN,) * len(dealt.reserve))
            for dealt in line.action.deal
        ]
        lines.append(replace(line, action=replace(line.action, deal=(deals[0], deals[1]))))
    return replace(record, lines=tuple(lines))


def _hide_pile(pile: StockPile) -> StockPile:
    return tuple(one if one.up else FACE_DOWN_UNKNOWN for one in pile)


@settings(max_examples=25)
@given(SEEDS)
def test_who_sees_only_what_lies_open_gives_the_same_rulings_and_believes_nothing_wrong(seed: int) -> None:
    record = a_match(build(), seed, Limits(actions=300))
    for truth, seen in zip(replay(record), replay(hidden(record)), strict=True):
        assert (truth.ruling.verdict, truth.ruling.reason) == (seen.ruling.verdict, seen.ruling.reason)
        assert seen.after.defects() == ()
        for seat in Seat:
            true_cards = {card for _, owner, cards in truth.after.places() if owner is seat for card in cards}
            assert all(card in true_cards for card in card_set(seen.after.sides[seat].pool))
        for (_, _, true), (_, _, known) in zip(truth.after.places(), seen.after.places(), strict=True):
            if Phase.REDEAL not in {side.phase for side in truth.after.sides}:
                assert all(one in (UNKNOWN, card) for card, one in zip(true, known, strict=True))
