"""One hand does one thing at a time, and says so when it cannot."""

import math
from dataclasses import replace

import pytest

from referee.cards import DECK, Card
from referee.rules.actions import Action, Kind, SeatDeal
from referee.rules.piles import laid
from referee.simulate.choreography import Choreography
from referee.simulate.events import Event
from referee.simulate.motion import SETTLE
from referee.simulate.pacing import carry, distance, redeal_time, shortest_time
from referee.simulate.placement import places_on
from referee.table import CENTRES, STOCKS, Seat, Zone, standard_layout

LAYOUT = standard_layout()
PLACES = places_on(LAYOUT)


def play(seat: Seat, card: Card, source: Zone, target: Zone, t: float | None = None) -> Action:
    return Action(Kind.PLAY, seat, card, source, target, t)


def seat_deal(cards: tuple[Card, ...]) -> SeatDeal:
    rest = iter(cards)
    stock = tuple(tuple(laid(next(rest), place == size - 1) for place in range(size)) for size in (1, 2, 3, 4, 5))
    return SeatDeal(stock, tuple(rest))


FIRST = Action(Kind.DEAL, t=0.0, deal=(seat_deal(DECK[:26]), seat_deal(DECK[26:])))
TOPS = [[pile[-1].card for pile in dealt.stock] for dealt in FIRST.deal if dealt is not None]
UNDER = FIRST.deal[0].stock[4][-2].card if FIRST.deal[0] else DECK[0]


def film(*actions: Action) -> Choreography:
    events = [Event(action.t or 0.0, action.kind.value, action) for action in (FIRST, *actions)]
    return Choreography(events, LAYOUT, 1, 20.0)


PAIRS = [
    (play(Seat.A, TOPS[0][4], STOCKS[0][4], CENTRES[0]), Action(Kind.TURN_UP, Seat.A, UNDER, None, STOCKS[0][4])),
    (play(Seat.A, TOPS[0][0], STOCKS[0][0], CENTRES[1]), play(Seat.A, TOPS[0][4], STOCKS[0][4], CENTRES[0])),
    (
        play(Seat.A, TOPS[0][0], STOCKS[0][0], CENTRES[1]),
        Action(Kind.FILL, Seat.A, TOPS[0][4], STOCKS[0][4], STOCKS[0][0]),
    ),
    (play(Seat.B, TOPS[1][2], STOCKS[1][2], CENTRES[1]), Action(Kind.SLAP, Seat.B, target=CENTRES[0])),
]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_the_shortest_time_can_just_be_done(first: Action, second: Action) -> None:
    gap = shortest_time(first, second, PLACES)

    film(replace(first, t=3.0), replace(second, t=3.0 + gap))
    with pytest.raises(ValueError, match="needs"):
        film(replace(first, t=3.0), replace(second, t=3.0 + gap - 0.01))


def test_a_quick_player_plays_a_card_and_turns_up_the_next_in_six_tenths() -> None:
    card, turned = PAIRS[0]

    assert shortest_time(card, turned, PLACES) + shortest_time(turned, card, PLACES) < 0.6


def test_a_card_lies_still_before_it_can_be_lifted_again() -> None:
    turned = PAIRS[0][1]
    played = play(Seat.A, UNDER, STOCKS[0][4], CENTRES[0])
    way = distance(PLACES[STOCKS[0][4]], PLACES[CENTRES[0]])

    assert shortest_time(turned, played, PLACES) - carry(way, turned=False).least >= SETTLE


def test_the_complaint_names_seat_place_and_time() -> None:
    first, second = PAIRS[1]
    with pytest.raises(ValueError, match=r"seat A cannot move at C1 at 3\.100 s"):
        film(replace(first, t=3.0), replace(second, t=3.1))


def test_both_players_may_touch_at_the_same_instant() -> None:
    film(
        play(Seat.A, TOPS[0][4], STOCKS[0][4], CENTRES[0], 3.0),
        play(Seat.B, TOPS[1][4], STOCKS[1][4], CENTRES[0], 3.0),
    )


def test_a_call_takes_no_time() -> None:
    first, _ = PAIRS[0]
    assert shortest_time(first, Action(Kind.CALL, Seat.A, word="spit"), PLACES) == 0.0


def test_events_out_of_order_are_refused() -> None:
    first, second = PAIRS[1]
    with pytest.raises(ValueError, match="in order of time"):
        film(replace(first, t=5.0), replace(second, t=4.0))


def test_a_card_that_lies_elsewhere_cannot_be_moved() -> None:
    with pytest.raises(ValueError, match="lies at A5"):
        film(play(Seat.A, TOPS[0][4], STOCKS[0][0], CENTRES[0], 3.0))


def test_more_packets_take_longer_to_lay_out() -> None:
    assert redeal_time(6) > redeal_time(5) > 0
    assert math.isfinite(redeal_time(6))


def test_every_kind_that_moves_a_card_is_a_kind_of_the_contract() -> None:
    assert {first.kind for first, _ in PAIRS} | {second.kind for _, second in PAIRS} == {
        Kind.PLAY,
        Kind.TURN_UP,
        Kind.FILL,
        Kind.SLAP,
    }
