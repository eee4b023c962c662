"""The decoder where a card is read otherwise than before, and no other came."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.readings import ZoneChange
from referee.rules.actions import Action, Kind
from referee.table import CENTRES, STOCKS, Seat
from referee.tracking.decoder import Decoder
from referee.tracking.doing import done
from referee.tracking.hypothesis import Hypothesis, Span
from referee.tracking.rereading import is_still_there, still_there
from referee.tracking.sightings import sighting
from tests.tracking.games import HOUSE, zones_of
from tests.tracking.readings import change, reading
from tests.tracking.situations import SPITS, begun, dealt, deeds, say


def moving(zone: str, shows: str, t: float, arms: str) -> ZoneChange:
    """A card read as it comes down, under the arms that bring it."""
    return replace(change(zone, reading(shows, 0.95), t, told=t + 0.03, arms=arms), settled=False)


def test_a_card_that_lies_untouched_and_is_read_otherwise_was_not_turned_up() -> None:
    otherwise = [change("A2", "QH", 3.0, moved=True), change("A2", "QD", 4.0, moved=True)]
    assert deeds(say([*begun(), *otherwise], 8.0)) == SPITS


def test_a_card_read_otherwise_before_it_is_played_is_what_it_is_read_as_then() -> None:
    turned = change("A2", reading("QH", 0.85, instead="KH"), 4.6, arms="A")
    queen = [change("A2", "back", 3.0, arms="A"), change("C1", "QD", 3.3, arms="A")]
    anew = change("A2", "KH", 4.6, told=5.2, moved=True)
    played = [change("A2", "back", 6.0, arms="A"), change("C1", "KH", 6.3, arms="A")]
    said = deeds(say([*begun(), *queen, turned, anew, *played], 9.0))
    assert said == [*SPITS, "A play QD A2 C1", "A turn_up KH A2", "A play KH A2 C1"]


def test_a_card_misread_as_it_came_down_came_alone() -> None:
    first = moving("C1", "JD", 2.0, "A")
    said = deeds(say([*dealt(), first, change("C1", "JH", 2.1, arms="A"), change("C2", "6S", 2.1, arms="B")], 6.0))
    assert said == SPITS


def test_two_cards_each_read_over_the_other_pile_as_they_came_down_were_not_moved_again() -> None:
    crossing = [moving("C1", "6S", 2.0, "AB"), moving("C2", "JH", 2.0, "AB")]
    lying = [change("C1", "JH", 2.08, arms="A"), change("C2", "6S", 2.1, arms="B")]
    assert sorted(deeds(say([*dealt(), *crossing, *lying], 6.0))) == SPITS


def test_a_card_seen_on_its_pile_before_the_one_there_left_was_that_one_misread() -> None:
    misread = change("B2", reading("4S", 0.97), 3.0)
    left = [change("B2", "back", 5.0, arms="B"), change("C1", "QC", 5.3, arms="B")]
    queen = [change("B2", "QC", 4.0, arms="B")]
    assert deeds(say([*begun(), misread, *queen, *left], 9.0))[-1] == "B play QC B2 C1"


@pytest.mark.parametrize(("told", "less"), [(3.4, True), (2.9, False)])
def test_a_card_that_is_read_in_its_place_still_has_less_probably_been_played(told: float, less: bool) -> None:
    decoder = Decoder(HOUSE, zones_of(HOUSE))
    for one in begun():
        decoder.push(one)
    queen = decoder.position.sides[Seat.A].stock[1][-1].card
    table = Hypothesis(frozenset(zones_of(HOUSE)), decoder.position)
    played = done(table, Action(Kind.PLAY, Seat.A, queen, STOCKS[Seat.A][1], CENTRES[0]), Span(3.0, 3.0, 3.1, (0, 1)))
    assert played is not None
    card = change("A2", "QD", 0.0, told=told, moved=True)
    lies = sighting(9, replace(card, before=card.after))
    assert is_still_there(lies.change)
    assert not is_still_there(card)
    assert (still_there(played, lies).score < played.score) is less
    assert still_there(table, lies).score == table.score


def test_that_a_card_lies_where_it_lay_says_nothing_new() -> None:
    card = change("A2", "QD", 0.0, told=3.4, moved=True)
    assert deeds(say([*begun(), replace(card, before=card.after)], 8.0)) == SPITS
