"""What is done around the play: spitting, getting stuck, taking the piles."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.readings import Evidence
from referee.rules.actions import Action, Kind
from referee.rules.position import Position
from referee.rules.ruling import Verdict
from referee.table import CENTRES, STOCKS, Seat
from referee.tracking.deciding import ready
from referee.tracking.decoder import Decoder
from referee.tracking.hands import Hands
from referee.tracking.hypothesis import Hypothesis, Span, done
from referee.tracking.settings import USUAL
from tests.tracking.games import HOUSE, known_at, zones_of
from tests.tracking.readings import change, reach
from tests.tracking.situations import deeds, say

LOW = {
    "A1": "2C", "A2": "2D", "A3": "3S", "A4": "3H", "A5": "2S",
    "B1": "3C", "B2": "3D", "B3": "4C", "B4": "4D", "B5": "4H",
}  # fmt: skip
"""Tops of which none goes on an eight or a nine."""


def stuck() -> list[Evidence]:
    """Both have spat, and neither can play."""
    shown = {**LOW, "AR": "back", "BR": "back", "C1": "empty", "C2": "empty"}
    table = [change(zone, shows, 0.0, told=0.2) for zone, shows in shown.items()]
    return [*table, change("C1", "8H", 2.0, arms="A"), change("C2", "9S", 2.05, arms="B")]


def in_order(*evidence: Evidence) -> list[Evidence]:
    """Evidence in the order it becomes known in."""
    return sorted(evidence, key=known_at)


def test_the_card_that_comes_while_one_spit_is_due_is_that_spit_even_under_the_other_players_arm() -> None:
    hands = [reach("A", "AR", 4.0, 4.5), reach("B", "BR", 4.1, 4.6), reach("A", "C2", 5.0, 5.1)]
    turned = [change("C1", "KD", 5.0, arms="A"), change("C2", "TC", 5.05, arms="A")]
    said = say([*stuck(), *in_order(*hands, *turned)], 6.0)
    assert deeds(said) == ["A spit 8H AR C1", "B spit 9S BR C2", "A spit KD AR C1", "B spit TC BR C2"]
    assert not any(one.corrects is not None for one in said)


@pytest.mark.parametrize(("doubt", "verdict"), [(-3.0, Verdict.ILLEGAL), (-0.2, Verdict.UNDECIDED)])
def test_nobody_is_accused_of_what_may_not_have_been_done_at_all(doubt: float, verdict: Verdict) -> None:
    table = Hypothesis(frozenset(zones_of(HOUSE)), both_stuck())
    span = Span(3.0, 3.03, 3.1, (90, 93))
    card = table.position.sides[Seat.A].stock[0][-1].card
    wrong = done(table, Action(Kind.PLAY, Seat.A, card, STOCKS[Seat.A][0], CENTRES[0]), span)
    assert wrong is not None
    beam = [replace(wrong, score=0.0, expected=()), table.plus(doubt)]
    assert ready(beam, 3.15, USUAL, Hands()) is None
    said = ready(beam, 5.0, USUAL, Hands())
    assert said is not None
    assert said[2].verdict is verdict


def both_stuck() -> Position:
    """The table of ``stuck``."""
    decoder = Decoder(HOUSE, zones_of(HOUSE))
    for one in stuck():
        decoder.push(one)
    return decoder.position
