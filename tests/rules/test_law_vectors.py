"""The test vectors T1 to T9 of the law book."""

from __future__ import annotations

import pytest

from referee.rules import PRESETS, Phase, build, parse_position, stalemate, stuck
from referee.table import Seat
from tests.rules.table import after, do, lay, reason, rule

YOU = "7C/jcQD/3S/2h5cts9H/2D"
ADA = "KS/5H/TC/8D/4C"


def test_t1_the_worked_opening() -> None:
    table = lay(YOU, ADA, "8S/JH", rules="sv", reserves=("#10", "#10"))
    line = (
        "A play 7C A1 C1",
        "B play 8D B4 C1",
        "A play 9H A4 C1",
        "B play TC B3 C2",
        "A turn_up TS A4",
        "A play TS A4 C1",
        "A turn_up 5C A4",
    )
    for action in line:
        done = do(table, action)
        assert done.ruling.legal, done.ruling.text
        if action == "A turn_up TS A4":
            # The queen fitted the jack, and no longer fits there.
            assert reason(done.position, "A play QD A2 C2") == "not_adjacent"
        table = done.position
    assert [str(table.top(index)) for index in (0, 1)] == ["TS", "TC"]

    way = stuck(table, Seat.A)
    assert not way.stuck
    assert [str(pile[-1].card) if pile else "-" for pile in table.sides[Seat.A].stock] == ["-", "QD", "3S", "5C", "2D"]
    for action in ("A play QD A2 C1", "A play 3S A3 C2", "A play 5C A4 C1", "A play 2D A5 C2"):
        assert reason(table, action) == "not_adjacent"
    for action in ("A fill QD A2 A1", "A turn_up JC A2", "A play JC A2 C1", "A play QD A1 C1"):
        done = do(table, action)
        assert done.ruling.legal, done.ruling.text
        table = done.position


def test_t1_the_next_spit_lets_the_three_and_the_five_go() -> None:
    table = lay("3S/5C/2D", "8D/6D", "QD/TC", rules="sv", reserves=("xx6s", "xx4h"))
    spat = after(table, "both call spit", "A spit 6S AR C1", "B spit 4H BR C2")
    for action in ("A play 3S A1 C2", "A play 5C A2 C1"):
        done = do(spat, action)
        assert done.ruling.legal
        spat = done.position


def test_t2_the_count_after_the_round() -> None:
    centre = f"{'??,' * 5}8S/{'??,' * 17}JH"
    table = lay("TC", "2d3D/4d5D/xxxxKD/xxxx7D/xxxx8D", centre, rules="sv", reserves=("#7", "#7"))
    cleared = after(table, "A play TC A1 C2")
    assert [len(pile) for pile in cleared.centre] == [6, 19]
    taken = after(cleared, "A slap C1", "A claim C1", "B claim C2")
    assert [len(side.gathered) for side in taken.sides] == [13, 39]
    you, ada = (taken.rules.deal_sizes(len(side.gathered)) for side in taken.sides)
    assert (you.stock, you.reserve) == ((1, 2, 3, 4), 3)
    assert (ada.stock, ada.reserve) == ((1, 2, 3, 4, 5), 24)


@pytest.mark.parametrize(
    ("cards", "partial", "whole", "kept"),
    [
        (1, (1,), (1,), 0),
        (2, (1, 1), (1,), 1),
        (3, (1, 2), (1, 2), 0),
        (4, (1, 2, 1), (1, 2), 1),
        (5, (1, 2, 2), (1, 2), 2),
        (6, (1, 2, 3), (1, 2, 3), 0),
        (7, (1, 2, 3, 1), (1, 2, 3), 1),
        (8, (1, 2, 3, 2), (1, 2, 3), 2),
        (9, (1, 2, 3, 3), (1, 2, 3), 3),
        (10, (1, 2, 3, 4), (1, 2, 3, 4), 0),
        (11, (1, 2, 3, 4, 1), (1, 2, 3, 4), 1),
        (12, (1, 2, 3, 4, 2), (1, 2, 3, 4), 2),
        (13, (1, 2, 3, 4, 3), (1, 2, 3, 4), 3),
        (14, (1, 2, 3, 4, 4), (1, 2, 3, 4), 4),
        (15, (1, 2, 3, 4, 5), (1, 2, 3, 4, 5), 0),
        (16, (1, 2, 3, 4, 5), (1, 2, 3, 4, 5), 1),
    ],
)
def test_t3_deals_of_one_to_sixteen_cards(
    cards: int, partial: tuple[int, ...], whole: tuple[int, ...], kept: int
) -> None:
    for short_deal, stock in (("partial_pile", partial), ("whole_piles", whole)):
        reserve = cards - sum(stock)
        assert reserve == (max(cards - 15, 0) if short_deal == "partial_pile" else kept)
        table = parse_position(
            f"house,short_deal={short_deal} A=redeal;;-;gathered=#{cards} B=redeal;;-;gathered=#{52 - cards} C=-/-"
        )
        piles = "/".join("xx" * size for size in stock)
        dealt = f"deal A:{piles}:{f'#{reserve}' if reserve else '-'} B:xx/xxxx/xxxxxx/xxxxxxxx/xxxxxxxxxx:#{37 - cards}"
        assert rule(table, dealt).legal
        # And no other deal of so many cards: here a card is moved from the last pile to the reserve.
        fewer = "/".join("xx" * size for size in (*stock[:-1], stock[-1] - 1) if size)
        if fewer:
            assert not rule(table, f"deal A:{fewer}:#{reserve + 1}").legal


@pytest.mark.parametrize(
    ("one", "other", "fit", "straight"),
    [
        ("A", "2", True, True),
        ("A", "K", True, False),
        ("K", "Q", True, True),
        ("A", "A", False, False),
        ("6", "4", False, False),
        ("K", "2", False, False),
    ],
)
def test_t4_neighbours(one: str, other: str, fit: bool, straight: bool) -> None:
    for rules, legal in (("house", fit), ("house,wrap=false", straight)):
        for card, top in ((one, other), (other, one)):
            assert rule(lay(f"{card}C", "3D", f"{top}S/7H", rules=rules), f"A play {card}C A1 C1").legal is legal


@pytest.mark.parametrize("preset", PRESETS)
def test_t5_layout_cleared_reserve_empty_two_piles(preset: str) -> None:
    done = after(lay("9C", "2D/3D", "8S/JH", rules=preset, reserves=("-", "#3")), "A play 9C A1 C1")
    if preset == "pl":
        assert done.result is None
        assert [side.phase for side in done.sides] == [Phase.CLAIM, Phase.CLAIM]
        assert rule(done, "B slap C1").legal
    else:
        assert done.result is not None
        assert done.result.winner is Seat.A


@pytest.mark.parametrize(
    ("preset", "takes"), [("pl", False), ("house", False), ("sv", False), ("pt", True), ("pt-both", True)]
)
def test_t6_one_pile_and_the_finisher_has_three_in_reserve(preset: str, takes: bool) -> None:
    done = after(lay("9C", "2D/3D", "8S/-", rules=preset, reserves=("#3", "-")), "A play 9C A1 C1")
    assert done.result is None
    assert rule(done, "A slap C1").legal is takes
    if not takes:
        done = after(done, "B claim C1")
        assert done.sides[Seat.A].held == 3
        assert done.sides[Seat.B].held == 49


@pytest.mark.parametrize("preset", PRESETS)
def test_t7_shifting_a_lone_card_does_not_keep_a_stalemate_away(preset: str) -> None:
    table = lay("KC/QC/-/5C", "2D/5D/KD/5H/KS", "8S/8H", rules=preset, reserves=("#3", "#3"))
    assert stalemate(table)
    assert rule(table, "A fill KC A1 A3").legal
    assert stalemate(after(table, "A fill KC A1 A3"))
    assert rule(table, "both call spit").legal


def test_t7_a_gap_and_a_pile_of_two_does() -> None:
    assert not stalemate(lay("KC/3cQC/-/5C", "2D", "8S/8H", reserves=("#3", "#3")))


@pytest.mark.parametrize(("reserves", "holder", "pile"), [(("-", "#4"), "B", 1), (("#4", "-"), "A", 0)])
def test_t8_only_the_holder_of_a_reserve_spits_onto_the_own_pile(
    reserves: tuple[str, str], holder: str, pile: int
) -> None:
    table = lay("KC/QC", "2D/5D", "8S/8H", rules="pt", reserves=reserves)
    assert stalemate(table)
    called = after(table, f"{holder} call spit")
    assert called.due == (Seat[holder],)
    assert reason(called, f"{holder} spit 3C {holder}R C{2 - pile}") == "wrong_pile"
    spat = after(called, f"{holder} spit 3C {holder}R C{pile + 1}")
    assert str(spat.top(pile)) == "3C"
    assert spat.top(1 - pile) is table.top(1 - pile)
    assert spat.due == ()


@pytest.mark.parametrize(("card", "expected"), [("7H", "colour"), ("7S", "legal")])
def test_t9_alternating_colours(card: str, expected: str) -> None:
    table = lay(card, "3D", "8D/3H", rules="pt,alternate_colours=true")
    assert reason(table, f"A play {card} A1 C1") == expected
    assert build("pt").alternate_colours is False
