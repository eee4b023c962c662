"""The decoder where readings are wrong, or hands hide what is done: the ledger is right again soon after."""

from __future__ import annotations

import pytest

from referee.readings import Evidence
from referee.rules.position import start
from referee.table import Seat, Zone
from referee.tracking.backs import Backs
from referee.tracking.contradicting import Contradictions
from referee.tracking.decoder import Decoder
from referee.tracking.settings import USUAL
from referee.tracking.sightings import sighting
from tests.tracking.games import HOUSE, zones_of
from tests.tracking.readings import change
from tests.tracking.situations import SPITS, TOPS, begun, dealt, deeds, say, watched

KING = [change("B1", "empty", 3.6, arms="B"), change("C1", "KS", 3.9, arms="B")]


def bare_backs() -> list[Evidence]:
    """The table as it is begun with a deck the backs of which are taken for the bare table."""
    shown = {**TOPS, "AR": "empty", "BR": "empty", "C1": "empty", "C2": "empty"}
    table: list[Evidence] = [change(zone, shows, 0.0, told=0.2) for zone, shows in shown.items()]
    return [*table, *begun()[len(dealt()) :]]


def test_backs_that_are_taken_for_the_bare_table_are_no_cards_gone() -> None:
    queen = [change("A2", "empty", 3.0, arms="A"), change("C1", "QD", 3.3, arms="A")]
    turned = change("A2", "8S", 5.6, arms="A")
    seven = [change("A1", "empty", 6.0, arms="A"), change("C2", "7C", 6.3, arms="A")]
    decoder = Decoder(HOUSE, zones_of(HOUSE))
    said = watched(decoder, [*bare_backs(), *queen, *KING, turned, *seven], 9.0)
    assert deeds(said) == [*SPITS, "A play QD A2 C1", "B play KS B1 C1", "A turn_up 8S A2", "A play 7C A1 C2"]
    assert [len(pile) for pile in decoder.position.sides[Seat.A].stock] == [0, 1, 3, 4, 5]


@pytest.mark.parametrize(("read", "missed", "share"), [(0, 0, 0.0), (0, 2, 2 / 3), (20, 1, 1 / 22)])
def test_how_often_backs_look_bare_is_learnt_where_they_must_lie(read: int, missed: int, share: float) -> None:
    decoder, backs = Decoder(HOUSE, zones_of(HOUSE)), Backs()
    watched(decoder, dealt())
    for shows, often in (("back", read), ("empty", missed)):
        for _ in range(often):
            backs.learn(decoder.position, change("AR", shows, 1.0))
    assert backs.missed == pytest.approx(share, abs=0.01)


def test_nothing_is_learnt_of_backs_where_a_pile_may_be_used_up_or_nothing_is_dealt() -> None:
    decoder, backs = Decoder(HOUSE, zones_of(HOUSE)), Backs()
    backs.learn(start(HOUSE), change("AR", "empty", 1.0))
    watched(decoder, dealt())
    for zone in ("A1", "A2", "C1"):
        backs.learn(decoder.position, change(zone, "empty", 1.0))
    assert backs.missed == 0.0


def test_a_bare_place_says_the_less_against_a_back_the_more_of_them_look_bare() -> None:
    fits = [sighting(1, change("A3", "empty", 1.0), missed).fit for missed in (0.0, 0.1, 0.7)]
    back, bare = 52, 53
    assert fits[0][back] < fits[1][back] < fits[2][back] < fits[2][bare]
    assert fits[0][bare] == fits[2][bare]


def test_a_card_read_alike_wherever_it_lay_is_not_another_that_came_down_as_it_left() -> None:
    """A two may be taken for a seven once, hardly twice; a seven may have been turned up where a hand hid the pile."""
    seven = [change("A1", "empty", 3.0, arms="A"), change("C2", "7C", 3.3, arms="A")]
    eight = [change("C2", "8D", 4.2, arms="B"), change("A5", "back", 4.4, arms="A"), change("A1", "2D", 4.7, arms="A")]
    lifted = change("A1", "empty", 5.8, arms="A")
    back = change("A1", "2D", 7.4, arms="A")
    said = deeds(say([*begun(), *seven, *eight, lifted, change("C2", "7D", 6.2, arms="AB"), back], 10.0))
    assert "A fill 2D A5 A1" in said
    assert not any("7D A1" in one for one in said)


def test_a_card_seen_on_its_pile_only_after_it_came_down_elsewhere_came_from_there() -> None:
    """A hand hides the pile all the while: that its top was taken, the next turned up and played is told late."""
    seven = [change("A1", "empty", 3.0, arms="A"), change("C2", "7C", 3.3, arms="A")]
    laid = [change("C2", "8D", 4.2, arms="B"), change("C2", "9C", 5.2, arms="B")]
    late = [change("B4", "9C", 4.8, told=5.6, arms="B"), change("B4", "back", 5.3, told=6.0, arms="B")]
    said = deeds(say([*begun(), *seven, *laid, *late], 9.0))
    assert said[-2:] == ["B turn_up 9C B4", "B play 9C B4 C2"]


def test_two_zones_contradict_the_ledger_for_some_time_before_it_is_mended_and_one_for_longer() -> None:
    decoder = Decoder(HOUSE, zones_of(HOUSE))
    watched(decoder, dealt())
    seen = {Zone(zone): sighting(n, change(zone, "KC", 1.0)) for n, zone in enumerate(("A1", "B2"), start=1)}
    apart = Contradictions(USUAL)
    assert apart.ripe(decoder.position, seen, 10.0) == ([], False)
    assert apart.ripe(decoder.position, seen, 10.0 + USUAL.patience) == ([Zone("A1"), Zone("B2")], False)
    assert apart.ripe(decoder.position, seen, 12.0 + USUAL.patience)[1]
    alone = {zone: one for zone, one in seen.items() if zone is Zone("A1")}
    apart.clear()
    assert apart.ripe(decoder.position, alone, 20.0) == ([], False)
    assert apart.ripe(decoder.position, alone, 20.0 + 2 * USUAL.patience) == ([], False)
    assert apart.ripe(decoder.position, alone, 20.0 + 3 * USUAL.patience)[0] == [Zone("A1")]


def test_what_is_being_put_right_does_not_contradict_the_ledger_yet() -> None:
    decoder = Decoder(HOUSE, zones_of(HOUSE))
    watched(decoder, dealt())
    seen = {Zone(zone): sighting(n, change(zone, "KC", 1.0)) for n, zone in enumerate(("A1", "B2"), start=1)}
    apart = Contradictions(USUAL)
    apart.spare(seen, 16.0)
    assert apart.ripe(decoder.position, seen, 10.0) == ([], False)
    assert apart.ripe(decoder.position, seen, 16.0 + USUAL.patience)[0] == list(seen)


def test_after_plays_that_nobody_saw_the_ledger_is_mended_and_the_next_ones_are_ruled_on_rightly() -> None:
    """A hand lay over the lens: four tops are others afterwards, two of them of the centre piles."""
    after = {"A2": "8S", "B4": "4D", "C1": "6C", "C2": "3H"}
    unseen = [change(zone, shows, 12.0, told=12.3) for zone, shows in after.items()]
    plays = {"A1": ("7C", "C1", 20.0), "B5": ("4C", "C2", 21.0), "A3": ("3S", "C2", 22.0)}
    later: list[Evidence] = []
    for source, (card, target, t) in plays.items():
        gone = "empty" if source == "A1" else "back"
        later += [change(source, gone, t, arms=source[0]), change(target, card, t + 0.3, arms=source[0])]
    said = say([*begun(), *unseen, *later], 26.0)
    assert deeds(said)[-3:] == ["A play 7C A1 C1", "B play 4C B5 C2", "A play 3S A3 C2"]
    assert not any(one.endswith("illegal") for one in deeds(said))
