"""Rounds that ended otherwise than was seen."""

from __future__ import annotations

from dataclasses import replace

from referee.readings import ZoneChange
from referee.rules.actions import Action, Kind
from referee.table import CENTRES, STOCKS, Seat
from referee.tracking.decoder import Decoder
from referee.tracking.doing import done
from referee.tracking.hands import Hands
from referee.tracking.hypothesis import Hypothesis, Span
from referee.tracking.search import Search
from referee.tracking.sightings import sighting
from tests.tracking.games import HOUSE, zones_of
from tests.tracking.readings import change, reach
from tests.tracking.situations import begun

HANDS = Hands((reach("A", "C2", 3.1, 3.4), reach("B", "C2", 3.05, 3.3)))


def last_card() -> Hypothesis:
    """JH and 6S on the centre piles; A has but the 7C left to play."""
    decoder = Decoder(HOUSE, zones_of(HOUSE))
    for one in begun():
        decoder.push(one)
    position = decoder.position
    mine, other = position.sides
    return Hypothesis(frozenset(zones_of(HOUSE)), replace(position, sides=(replace(mine, stock=mine.stock[:1]), other)))


def finished() -> Hypothesis:
    """A has played it on the 6S, which ended the round."""
    card = change("C2", "7C", 3.2, arms="AB")
    span = Span(card.t_from, card.t_to, card.t_seen, card.frames, (card,))
    played = Action(Kind.PLAY, Seat.A, last_card().position.sides[Seat.A].stock[0][-1].card, STOCKS[Seat.A][0])
    after = done(last_card(), replace(played, target=CENTRES[1]), span)
    assert after is not None
    return after


def best(hypothesis: Hypothesis, seen: ZoneChange) -> list[str]:
    """What was done by the most probable account of what is seen."""
    found = max(Search(HANDS).explain(hypothesis, sighting(9, seen)), key=lambda one: one.weight(5.0))
    return [f"{str(deed.action).split(' @')[0]} {deed.ruling.reason or ''}".strip() for deed in found.deeds]


def test_a_card_lost_before_the_last_one_came_down_lies_under_it_so_that_the_round_goes_on() -> None:
    lost = change("B2", "back", 3.0, told=3.5, arms="B")
    assert best(finished(), lost) == ["B play 5H B2 C2", "A play 7C A1 C2 Reason.LATE"]


def test_a_card_that_moved_after_the_last_one_came_down_is_gathered_up() -> None:
    gathered = change("B2", "back", 3.6, arms="B")
    assert best(finished(), gathered) == ["A play 7C A1 C2"]


def test_a_pile_that_is_taken_after_a_last_card_left_its_place_has_that_card_on_it() -> None:
    left = change("A1", "empty", 3.0, arms="A")
    waiting = last_card().wait_for(sighting(8, left))
    assert best(waiting, change("C2", "empty", 4.2, arms="A")) == ["A play 7C A1 C2", "A claim C2"]
