"""Settling: changes of zones out of readings of frames."""

from __future__ import annotations

import math

import numpy as np
import pytest

from referee.cards import Card
from referee.readings import BACK, EMPTY, OUTCOMES, Look, Pose, Reading, Sight, ZoneChange, ZoneReading
from referee.table import Zone
from referee.tracking.settle import Settler
from referee.tracking.touch import Picture

ZONES = (Zone("C1"), Zone("A1"))
C1 = ZONES[0]


def reading(
    what: str | int, sure: float = 0.95, at: tuple[float, float] = (0, 0), also: str = "", hidden: float = 0.0
) -> tuple[Reading, Pose | None]:
    """A reading that gives ``what`` the probability ``sure``, and the rest to ``also`` or to everything."""
    if what == "hidden":
        return Reading(Sight.HIDDEN, np.full(OUTCOMES, -math.log(OUTCOMES), np.float32), 0.95, None, None), None
    outcome = Card(what).code if isinstance(what, str) else what
    probs = np.full(OUTCOMES, (1 - sure) / (OUTCOMES - 1))
    if also:
        probs = np.full(OUTCOMES, 1e-4)
        probs[Card(also).code] = 1 - sure
    probs[outcome] = sure
    probs /= probs.sum()
    pose = None if outcome == EMPTY else Pose(*at, 0.0)
    state = Sight.EMPTY if outcome == EMPTY else Sight.BACK if outcome == BACK else Sight.CARD
    return Reading(state, np.log(probs).astype(np.float32), hidden, None, pose), pose


class Table:
    """Feeds a settler one zone's readings, a frame at a time."""

    def __init__(self, fps: float = 30.0, zone: Zone = C1) -> None:
        self.settler = Settler(ZONES)
        self.zone = zone
        self.fps = fps
        self.frame = 0

    def show(
        self,
        what: str | int | None,
        *,
        moved: float = 0.0,
        covered: tuple[float, float] = (0, 0),
        picture: Picture | None = None,
        **how: object,
    ) -> list[ZoneChange]:
        """One frame; ``None`` is one in which the zone is not read. Without a ``picture`` its place is a plain grey."""
        t = self.frame / self.fps
        here = [number for number, zone in enumerate(ZONES) if zone is self.zone]
        arms = np.zeros((2, len(ZONES)), np.float32)
        arms[:, here] = np.array([covered], np.float32).T
        moves = np.zeros(len(ZONES), np.float32)
        moves[here] = moved
        face = what if isinstance(what, int) else sum(map(ord, what or ""))
        pictures = np.full((len(ZONES), 51, 38), face % 200, np.uint8)
        if picture is not None:
            pictures[here] = picture
        look = Look(t, self.frame, moves, arms, arms, pictures)
        readings = []
        if what is not None:
            one, pose = reading(what, **how)  # type: ignore[arg-type]  # passed on as they are
            readings.append(ZoneReading(self.zone, t, self.frame, one, pose, moved))
        self.frame += 1
        return [one for one in self.settler.push(look, readings) if isinstance(one, ZoneChange)]

    def rest(self, what: str | int, frames: int = 4, **how: object) -> list[ZoneChange]:
        """Several frames that show the same."""
        return [change for _ in range(frames) for change in self.show(what, **how)]  # type: ignore[arg-type]


def names(changes: list[ZoneChange]) -> list[str]:
    return [str(one.after.card) if one.after.card else one.after.state.value for one in changes]


def test_the_first_sight_of_a_zone_is_a_change_from_nothing() -> None:
    [change] = Table().rest(EMPTY)
    assert change.before is None
    assert change.after.state is Sight.EMPTY
    assert change.settled


@pytest.mark.parametrize("fps", [24.0, 60.0, 120.0])
def test_a_card_that_comes_is_told_once_and_soon(fps: float) -> None:
    table = Table(fps)
    table.rest(EMPTY, round(fps / 4))
    begun = table.frame / fps
    changes = table.rest("7C", round(fps / 2))
    assert names(changes) == ["7C"]
    assert changes[0].t_seen - begun <= 0.06
    assert changes[0].before is not None
    assert changes[0].before.state is Sight.EMPTY
    assert changes[0].t_from <= begun <= changes[0].t_to + 1e-9


def test_a_card_carried_across_the_zone_is_no_change() -> None:
    table = Table()
    table.rest("7C")
    for dx in (-40.0, -15.0, 10.0, 35.0):
        assert table.show("9H", at=(dx, 0.0), moved=0.3) == []
    assert table.rest("7C") == []


def test_a_card_covered_at_once_is_a_glimpse() -> None:
    table = Table()
    table.rest("7C")
    table.show("8D", at=(3.0, 0.0), moved=0.2)
    [change] = table.rest("9H", at=(-3.0, 2.0))
    assert names([change]) == ["9H"]
    assert [one.reading.card for one in change.glimpses] == [Card("8D")]


def test_a_zone_under_a_hand_says_nothing() -> None:
    table = Table()
    table.rest("7C")
    assert table.rest("hidden", 20) == []
    assert table.rest("7C") == []


def test_a_card_seen_between_fingers_is_told_before_they_leave() -> None:
    table = Table()
    table.rest("7C")
    changes = table.rest("8D", 4, moved=0.1, covered=(0.6, 0.0), hidden=0.3)
    assert names(changes) == ["8D"]
    assert not changes[0].settled
    assert changes[0].arms[0] == 1
    assert changes[0].arms[1] == 0
    assert table.rest("8D", 4) == []


def test_readings_in_doubt_are_put_together() -> None:
    table = Table()
    table.rest("7C")
    table.show("hidden", moved=0.5)
    changes = table.rest("8D", 3, sure=0.7, also="8H")
    assert names(changes) == ["8D"]
    assert math.exp(float(changes[0].after.log_probs.max())) > 0.75


def test_what_cannot_be_told_apart_is_told_with_its_doubt() -> None:
    table = Table()
    table.rest("7C")
    table.show("hidden", moved=0.5)
    changes = table.rest("8D", 12, sure=0.55, also="8H")
    assert len(changes) == 1
    probs = np.exp(changes[0].after.log_probs)
    assert 0.2 < probs[Card("8H").code] < 0.5
    assert changes[0].t_seen - 5 / 30 >= 0.19


def test_one_wrong_reading_changes_nothing() -> None:
    table = Table()
    table.rest("7C")
    assert table.show("7S", sure=0.9) == []
    assert table.rest("7C") == []


def test_what_is_read_only_at_first_is_told_when_time_has_passed() -> None:
    table = Table()
    table.rest("8D", 3, sure=0.5, also="8H")
    changes = [change for _ in range(6) for change in table.show(None)]
    assert len(changes) == 1


def test_a_place_under_an_arm_is_not_empty() -> None:
    table = Table()
    table.rest("7C")
    assert table.rest(EMPTY, 8, covered=(0.6, 0.0)) == []
    assert [change.after.state for change in table.rest(EMPTY)] == [Sight.EMPTY]


def test_a_card_held_over_an_open_stock_pile_is_not_put_down_there() -> None:
    table = Table(zone=Zone("A1"))
    table.rest("8C")
    table.show("hidden", moved=0.5)
    assert table.rest("AC", 4, covered=(0.7, 0.0)) == []
    table.show("hidden", moved=0.5)
    assert names(table.rest(BACK, 3, covered=(0.7, 0.0))) == ["back"]


def test_a_card_that_stays_on_an_open_stock_pile_was_put_there() -> None:
    table = Table(zone=Zone("A1"))
    table.rest("8C")
    table.show("hidden", moved=0.5)
    assert names(table.rest("AC", 12, covered=(0.7, 0.0), at=(5.0, 2.0))) == ["AC"]


def test_a_card_that_lies_untouched_and_is_read_otherwise_is_the_same_card() -> None:
    table = Table()
    table.rest("7C")
    [change] = table.rest("7S", 12, sure=0.97)
    assert (names([change]), change.moved) == (["7S"], True)
    assert change.t_from == change.t_to == 0.0


@pytest.mark.parametrize(("at", "same"), [((0.4, 0.3), True), ((4.0, 3.0), False)])
def test_a_hand_that_passes_over_a_stock_pile_leaves_the_card_there_that_lies_exactly_as_before(
    at: tuple[float, float], same: bool
) -> None:
    table = Table(zone=Zone("A1"))
    table.rest("QS", 6)
    table.show("hidden", moved=0.5)
    [change] = table.rest("QD", 6, at=at)
    assert change.moved is same


def test_what_was_read_surely_at_rest_is_not_read_otherwise_under_an_arm() -> None:
    table = Table()
    table.rest("7C", 12, sure=0.97)
    assert table.rest("7S", 12, sure=0.97, covered=(0.7, 0.0)) == []


def test_weak_readings_of_an_empty_place_add_up() -> None:
    table = Table()
    table.rest("7C")
    table.show("hidden", moved=0.5)
    assert [change.after.state for change in table.rest(EMPTY, 3, sure=0.74)] == [Sight.EMPTY]


def test_a_place_read_as_empty_is_told_when_no_arm_is_over_it_any_more() -> None:
    table = Table()
    table.rest("7C")
    table.show("hidden", moved=0.5)
    assert table.rest(EMPTY, 3, covered=(0.6, 0.0)) == []
    changes = [change for _ in range(3) for change in table.show(None)]
    assert [change.after.state for change in changes] == [Sight.EMPTY]


def test_a_place_is_empty_that_was_read_so_once_under_an_arm_and_once_without() -> None:
    table = Table()
    table.rest("7H")
    assert table.show(EMPTY, sure=0.99, moved=0.14, covered=(0.89, 0)) == []
    assert table.show(EMPTY, sure=0.99, moved=0.02, covered=(0.81, 0)) == []
    # It is quiet from now on, and read no more.
    told = [*table.show(EMPTY, sure=0.99), *(change for _ in range(3) for change in table.show(None))]
    assert names(told) == ["empty"]


def test_a_card_far_from_the_middle_is_carried_past() -> None:
    table = Table()
    table.rest("7C")
    assert table.rest("9H", 4, at=(36.0, 0.0), moved=0.05) == []


def test_a_card_read_better_later_is_told_again() -> None:
    table = Table()
    table.rest("7C")
    table.show("hidden", moved=0.5)
    assert names(table.rest("8H", 3, sure=0.85, covered=(0.7, 0.0))) == ["8H"]
    assert names(table.rest("7H", 4, sure=0.99)) == ["7H"]


def test_a_card_straightened_is_moved_not_new() -> None:
    table = Table()
    table.rest("7C")
    [change] = table.rest("7C", at=(12.0, 0.0))
    assert change.moved
    assert change.after.card is Card("7C")


def test_the_time_is_that_of_the_arrival_not_of_the_first_clear_reading() -> None:
    table = Table()
    table.rest(EMPTY)
    for _ in range(6):
        table.show("hidden", covered=(0.9, 0.0), moved=0.1)
    touched = table.frame
    [change] = table.rest("7C")
    assert change.t_to <= (touched + 1) / 30


@pytest.mark.parametrize("taker", [0, 1])
def test_of_a_pile_that_is_gone_the_arm_that_was_over_it_last_is_told(taker: int) -> None:
    table = Table()
    table.rest("7C", 6)
    both = (0.6, 0.6)
    for _ in range(12):
        table.show("hidden", covered=both)
    alone = (0.9, 0.0) if taker == 0 else (0.0, 0.9)
    for _ in range(6):
        table.show("hidden", moved=0.4, covered=alone)
    [change] = table.rest(EMPTY)
    assert change.arms[taker] > 0.5 > change.arms[1 - taker]


def test_a_card_first_seen_under_a_hand_leaves_when_it_leaves_not_when_that_hand_does() -> None:
    table = Table(zone=Zone("A1"))
    back, card, hand, other = np.random.default_rng(5).integers(0, 255, (4, 51, 38), np.uint8)
    turning, taking = card.copy(), card.copy()
    turning[12:] = hand[12:]
    taking[40:] = other[40:]
    table.rest(BACK, picture=back)
    changes = [one for _ in range(4) for one in table.show("7C", moved=0.1, covered=(0.6, 0.0), picture=turning)]
    for _ in range(10):
        assert table.show(None, picture=card) == []
    for _ in range(3):
        assert table.show(None, moved=0.1, covered=(0.3, 0.0), picture=taking) == []
    gone = table.frame / table.fps
    changes += table.rest(BACK, picture=back)
    assert names(changes) == ["7C", "back"]
    assert changes[-1].t_from < gone <= changes[-1].t_to + 1e-9


def test_a_card_turned_up_and_taken_at_once_is_told_with_the_back_below_it() -> None:
    table = Table(zone=Zone("A1"))
    table.rest(BACK)
    turned = table.frame / table.fps
    for number in range(3):
        assert table.show("7C", moved=0.3, covered=(0.5, 0.0), at=(6.0 * number, 0.0)) == []
    taken = (table.frame - 1) / table.fps
    [change] = table.rest(BACK)
    assert (change.before is not None, names([change])) == (True, ["back"])
    [glimpse] = change.glimpses
    assert glimpse.reading.card is Card("7C")
    assert turned <= glimpse.t <= change.t_from <= taken <= change.t_to
    assert table.rest(BACK) == []


def test_a_back_that_shows_again_after_a_hand_was_there_is_no_change() -> None:
    table = Table(zone=Zone("A1"))
    table.rest(BACK)
    for _ in range(3):
        table.show("hidden", moved=0.3, covered=(0.9, 0.0))
    assert table.rest(BACK) == []


def test_a_card_too_unsure_to_be_told_at_once_is_told_when_it_is_covered() -> None:
    table = Table()
    table.rest("7C")
    for moved in (0.3, 0.0, 0.0):
        assert table.show("9D", sure=0.55, also="8D", moved=moved) == []
    told = table.show("KS", moved=0.3, covered=(0.5, 0.0))
    assert names(told) == ["9D"]
    assert names(table.rest("KS")) == ["KS"]


def test_a_card_too_unsure_to_be_told_that_moved_is_not_told() -> None:
    table = Table()
    table.rest("7C")
    for _ in range(3):
        assert table.show("9D", sure=0.55, also="8D", moved=0.2) == []
    assert names(table.show("KS", moved=0.3)) == []


@pytest.mark.parametrize("lit", [4, 14])
def test_a_card_comes_when_it_comes_and_not_when_the_light_changed_before(lit: int) -> None:
    table = Table()
    seven, nine = np.random.default_rng(3).integers(0, 190, (2, 51, 38), np.uint8)
    nine[:, :19] = seven[:, :19]
    for _ in range(30):
        table.show("7C", picture=seven)
    table.settler.relit(table.frame / table.fps)
    for _ in range(lit):
        table.show(None, picture=seven + 60)
    came = table.frame / table.fps
    table.show("9D", moved=0.3, picture=nine + 60)
    [change] = table.rest("9D", picture=nine + 60)
    assert came - 0.04 <= change.t_from <= change.t_to <= came + 1e-9


def test_a_card_on_a_stock_pile_is_told_to_lie_there_still_after_a_hand_was_over_it() -> None:
    table = Table(zone=Zone("A1"))
    table.rest("7C")
    for _ in range(12):
        table.show("hidden", moved=0.3, covered=(0.9, 0.0))
    [change] = table.rest("7C", 6)
    assert change.before is change.after
    assert names([change]) == ["7C"]
    assert change.moved
    assert (change.t_from, change.t_to) == (0.0, 0.0)


def test_a_card_that_moved_a_little_under_an_arm_is_not_told_to_lie_there_still() -> None:
    table = Table(zone=Zone("A1"))
    table.rest("7C")
    for _ in range(12):
        table.show("hidden", moved=0.3, covered=(0.9, 0.0))
    assert table.rest("7C", 6, covered=(0.5, 0.0), at=(3.0, 0.0)) == []
