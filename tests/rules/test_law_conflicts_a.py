"""The conflicts C1 to C18: where the sources contradict each other, and what each choice does."""

from __future__ import annotations

import pytest

from referee.cards import DECK
from referee.rules import PRESETS, Impossible, Phase, Position, build, happenings, parse_action, parse_position, step
from referee.rules.ruleset import KEYS
from referee.rules.telling import tell_key
from referee.table import Seat
from tests.rules.table import after, do, lay, reason, rule

STUCK = ("KC/QC", "2D", "8S/8H")
FULL = "xx/xxxx/xxxxxx/xxxxxxxx/xxxxxxxxxx"
OPEN = "xx/xxxx/xxxxxx/xxxxxxxx/xxxxxxxx9C"


def cleared(rules: str, *, reserves: tuple[str, str] = ("#4", "#6"), centre: str = "8S/JH") -> Position:
    """A has just played the last stock card; B could still play."""
    return after(lay("9C", "TD/2D/3D", centre, rules=rules, reserves=reserves), "A play 9C A1 C1")


def redealing(rules: str, cards: int) -> Position:
    """Both have gathered their cards: so many are A's."""
    return parse_position(f"{rules} A=redeal;;-;gathered=#{cards} B=redeal;;-;gathered=#{52 - cards} C=-/-")


def test_c1_the_rank_of_the_ace_changes_no_ruling() -> None:
    assert not any("ace" in key.split("_") for key in KEYS)
    assert len({build(preset).fit for preset in PRESETS}) == 1
    for preset in PRESETS:
        for card, top in (("KC", "AS"), ("AC", "KS"), ("2C", "AS"), ("AC", "2S")):
            assert rule(lay(card, "7D", f"{top}/7H", rules=preset), f"A play {card} A1 C1").legal


def test_c1_it_would_matter_if_the_ring_were_cut() -> None:
    table = lay("AC/4C", "7D", "KS/7H", rules="pl,wrap=false")
    assert reason(table, "A play AC A1 C1") == "not_adjacent"


@pytest.mark.parametrize(("card", "top"), [("KC", "AS"), ("AC", "KS")])
def test_c2_the_ring_is_closed_both_ways_unless_the_table_cuts_it(card: str, top: str) -> None:
    for preset in PRESETS:
        assert build(preset).wrap is True
        assert reason(lay(card, "7D", f"{top}/7H", rules=preset), f"A play {card} A1 C1") == "legal"
    cut = lay(card, "7D", f"{top}/7H", rules="house,wrap=false")
    assert reason(cut, f"A play {card} A1 C1") == "not_adjacent"


@pytest.mark.parametrize(("card", "expected"), [("5C", "legal"), ("7C", "legal"), ("4C", "not_adjacent")])
@pytest.mark.parametrize("preset", PRESETS)
def test_c3_on_a_six_go_a_five_or_a_seven(preset: str, card: str, expected: str) -> None:
    assert reason(lay(card, "TD", "6S/TH", rules=preset), f"A play {card} A1 C1") == expected


def test_c3_every_step_is_one() -> None:
    rules = build()
    for top in DECK:
        fitting = {card.rank for card in DECK if rules.fit[top.code] & card.bit}
        assert fitting == {top.rank % 13 + 1, (top.rank - 2) % 13 + 1}


@pytest.mark.parametrize(("preset", "early"), [("house", True), ("pl", True), ("sv", True), ("pt", False)])
def test_c4_when_the_tops_go_up(preset: str, early: bool) -> None:
    table = redealing(preset, 26)
    assert rule(table, f"deal A:{OPEN}:#11 B:{FULL}:#11").legal is early
    dealt = after(table, f"deal A:{FULL}:#11 B:{FULL}:#11")
    assert rule(dealt, "A turn_up 9C A5").legal is early
    spat = after(dealt, "A spit 8S AR C1", "B spit JH BR C2")
    assert rule(spat, "A turn_up 9C A5").legal


def test_c4_in_a_lone_deal_they_go_up_before_the_spit_in_pt_too() -> None:
    lone = after(cleared("pt"), "A slap C1", "A claim C1")
    reserve = lone.sides[Seat.A].held - 15
    assert rule(lone, f"deal A:{OPEN.replace('9C', 'KC')}:#{reserve}").legal
    assert rule(after(lone, f"deal A:{FULL}:#{reserve}"), "A turn_up KC A5").legal


@pytest.mark.parametrize(
    ("target", "first", "second", "expected"),
    [
        ("own", "C1", "C2", "legal"),
        ("own", "C2", "", "wrong_pile"),
        ("any_distinct", "C1", "C2", "legal"),
        ("any_distinct", "C2", "C1", "legal"),
        ("any_distinct", "C2", "C2", "wrong_pile"),
        ("any", "C2", "C1", "legal"),
        ("any", "C2", "C2", "legal"),
    ],
)
def test_c5_where_a_new_spit_goes(target: str, first: str, second: str, expected: str) -> None:
    called = after(lay(*STUCK, rules=f"house,respit_target={target}", reserves=("3c4c", "5c6c")), "both call spit")
    done = do(called, f"A spit 4C AR {first}", *([f"B spit 6C BR {second}"] if second else []))
    assert (done.ruling.verdict.value if done.ruling.reason is None else done.ruling.reason.value) == expected
    assert expected == "legal" or "C5" in done.ruling.rules


@pytest.mark.parametrize(
    ("preset", "target"),
    [("house", "own"), ("pt", "own"), ("pt-both", "own"), ("pl", "any_distinct"), ("sv", "any_distinct")],
)
def test_c5_of_the_presets(preset: str, target: str) -> None:
    assert build(preset).respit_target == target


def test_c5_the_card_on_the_wrong_pile_goes_back_and_then_to_the_right_one() -> None:
    called = after(lay(*STUCK, reserves=("3c4c", "5c6c")), "both call spit")
    done = do(called, "A spit 4C AR C2", "A take_back 4C C2 AR", "A spit 4C AR C1")
    assert done.ruling.legal
    assert done.position.due == (Seat.B,)


@pytest.mark.parametrize(
    ("preset", "cue"),
    [
        ("house", "referee_countdown"),
        ("pt", "referee_countdown"),
        ("pt-both", "referee_countdown"),
        ("pl", "simultaneous"),
        ("sv", "simultaneous"),
    ],
)
def test_c6_who_starts_a_spit(preset: str, cue: str) -> None:
    rules = build(preset)
    assert rules.spit_cue == cue
    assert ("counts three, two, one" in tell_key(rules, "spit_cue").text) is (cue == "referee_countdown")


@pytest.mark.parametrize("cue", ["referee_countdown", "simultaneous"])
@pytest.mark.parametrize("who", ["A", "B", "both"])
def test_c6_the_call_counts_whoever_makes_it(cue: str, who: str) -> None:
    called = do(lay(*STUCK, rules=f"house,spit_cue={cue}", reserves=("#3", "#3")), f"{who} call spit")
    assert called.ruling.legal
    assert called.position.due == (Seat.A, Seat.B)


def test_c7_the_word_is_the_tables_own_and_changes_no_ruling() -> None:
    assert {build(preset).call_word for preset in PRESETS} == {"spit"}
    speed = build("pt", {"call_word": "Speed"})
    assert "'speed'" in tell_key(speed, "call_word").text
    assert rule(lay(*STUCK, rules="pt,call_word=speed", reserves=("#3", "#3")), "both call spit").legal
    with pytest.raises(ValueError, match="one word"):
        build("pt", {"call_word": "three two one"})


def test_c8_one_reserve_empty_the_other_spits_alone() -> None:
    table = lay(*STUCK, reserves=("-", "5c6c"))
    called = after(table, "B call spit")
    assert called.due == (Seat.B,)
    assert all(build(preset).one_empty_reserve == "spit_alone" for preset in PRESETS)


@pytest.mark.parametrize("preset", PRESETS)
def test_c8_alone_means_on_the_own_pile_at_every_table(preset: str) -> None:
    called = after(lay(*STUCK, rules=preset, reserves=("-", "5c6c")), "B call spit")
    assert reason(called, "B spit 6C BR C1") == "wrong_pile"
    assert reason(called, "B spit 6C BR C2") == "legal"


def test_c8_or_the_round_ends_there() -> None:
    table = lay("9C/KC", "2D", "8S/5H", rules="house,one_empty_reserve=end_round", reserves=("-", "5c6c"))
    done = step(table, parse_action("A play 9C A1 C1"))
    assert [happening.kind for happening in happenings(table, done.position)] == ["stalemate", "round_over"]
    assert [side.phase for side in done.position.sides] == [Phase.CLAIM, Phase.CLAIM]
    assert reason(done.position, "B spit 6C BR C2") == "wrong_order"


@pytest.mark.parametrize("double_empty", ["slap_race", "finisher_none_first_hand"])
@pytest.mark.parametrize("preset", PRESETS)
def test_c9_both_reserves_empty_the_first_hand_chooses_a_pile(preset: str, double_empty: str) -> None:
    table = lay("9C/KC", "2D", "8S/5H", rules=f"{preset},double_empty={double_empty}")
    over = after(table, "A play 9C A1 C1")
    assert over.round_end is not None
    assert (over.round_end.winner, over.round_end.reason) == (None, "no_reserve")
    taken = after(over, "B slap C2", "A slap C2", "B claim C2", "A claim C1")
    assert [len(side.gathered) for side in taken.sides] == [50, 2]


@pytest.mark.parametrize(
    ("a", "b", "winner"), [("9C/KC", "2D/3D", Seat.A), ("9C/KC/QC", "2D", Seat.B), ("9C/KC", "2D", None)]
)
def test_c9_or_fewer_cards_win_the_game(a: str, b: str, winner: Seat | None) -> None:
    table = lay(a, b, "8S/5H", rules="house,double_empty=fewer_cards_wins")
    over = after(table, "A play 9C A1 C1")
    assert over.result is not None
    assert (over.result.winner, over.result.reason) == (winner, "fewer_cards")


@pytest.mark.parametrize(
    ("preset", "phases"),
    [
        ("pt", [Phase.CLAIM, Phase.PLAY]),
        ("house", [Phase.CLAIM, Phase.CLAIM]),
        ("pt-both", [Phase.CLAIM, Phase.CLAIM]),
        ("pl", [Phase.CLAIM, Phase.CLAIM]),
        ("sv", [Phase.CLAIM, Phase.CLAIM]),
    ],
)
def test_c10_who_deals_anew_when_one_clears(preset: str, phases: list[Phase]) -> None:
    position = cleared(preset)
    assert [side.phase for side in position.sides] == phases
    assert rule(position, "B play TD B1 C1").legal is (phases[1] is Phase.PLAY)


def test_c10_one_pile_is_missing_until_the_finisher_spits() -> None:
    taken = after(cleared("pt"), "A slap C1", "A claim C1")
    assert taken.open_piles == (1,)
    assert reason(taken, "B play TD B1 C1") == "wrong_pile"
    dealt = after(taken, f"deal A:{FULL}:#{taken.sides[Seat.A].held - 15}")
    assert rule(dealt, "B play TD B1 C2").legal
    assert after(dealt, "A spit 5S AR C1").open_piles == (0, 1)


@pytest.mark.parametrize(
    ("preset", "won"), [("house", True), ("pt", True), ("pt-both", True), ("sv", True), ("pl", False)]
)
def test_c11_cleared_without_reserve_and_two_centre_piles(preset: str, won: bool) -> None:
    position = cleared(preset, reserves=("-", "#6"))
    assert (position.result is not None) is won
    if not won:
        assert position.round_end is not None
        assert position.round_end.winner is Seat.A
        taken = after(position, "A slap C2", "A claim C2", "B claim C1")
        assert len(taken.sides[Seat.A].gathered) == 1


@pytest.mark.parametrize("preset", ["house", "pl"])
def test_c12_a_race(preset: str) -> None:
    raced = after(cleared(preset), "B slap C2", "A slap C2")
    assert rule(raced, "B claim C2").legal
    assert reason(raced, "A claim C2") == "wrong_pile"


@pytest.mark.parametrize("preset", ["sv", "pt-both"])
def test_c12_the_finishers_choice(preset: str) -> None:
    early = do(cleared(preset), "B slap C2")
    assert early.ruling.reason is not None
    assert (early.ruling.reason.value, "C12" in early.ruling.rules) == ("wrong_order", True)
    chosen = after(early.position, "A slap C2")
    assert rule(chosen, "A claim C2").legal
    assert rule(chosen, "B claim C1").legal


@pytest.mark.parametrize("pile", ["C1", "C2"])
def test_c12_in_pt_the_finisher_alone_takes_either(pile: str) -> None:
    assert build("pt").pile_claim == "first_hand"
    assert rule(cleared("pt"), f"A slap {pile}").legal
    assert reason(cleared("pt"), f"B slap {pile}") == "early_slap"


@pytest.mark.parametrize(("first", "second"), [("A", "B"), ("B", "A")])
@pytest.mark.parametrize("claim", ["slap_race", "first_hand"])
def test_c13_the_earlier_hand_lies_underneath(claim: str, first: str, second: str) -> None:
    position = cleared(f"pt-both,pile_claim={claim}")
    slapped = after(position, f"{first} slap C1 @5.0", f"{second} slap C1 @5.05")
    assert rule(slapped, f"{first} claim C1").legal
    assert reason(slapped, f"{second} claim C1") == "wrong_pile"
    assert rule(slapped, f"{second} claim C2").legal


def test_c13_where_the_finisher_chooses_there_is_no_tie_to_judge() -> None:
    slapped = after(cleared("sv"), "B slap C1 @5.0", "A slap C1 @5.05")
    assert rule(slapped, "A claim C1").legal
    assert reason(slapped, "B claim C1") == "wrong_pile"


@pytest.mark.parametrize(
    ("preset", "stock", "reserve"),
    [
        ("house", (1, 2, 3, 4, 3), 0),
        ("pt", (1, 2, 3, 4, 3), 0),
        ("pt-both", (1, 2, 3, 4, 3), 0),
        ("pl", (1, 2, 3, 4, 3), 0),
        ("sv", (1, 2, 3, 4), 3),
    ],
)
def test_c14_thirteen_cards(preset: str, stock: tuple[int, ...], reserve: int) -> None:
    partial = "deal A:xx/xxxx/xxxxxx/xxxxxxxx/xxxxxx:-"
    whole = "deal A:xx/xxxx/xxxxxx/xxxxxxxx:#3"
    sizes = build(preset).deal_sizes(13)
    assert (sizes.stock, sizes.reserve) == (stock, reserve)
    right, wrong = (whole, partial) if reserve else (partial, whole)
    assert rule(redealing(preset, 13), right).legal
    misdealt = rule(redealing(preset, 13), wrong)
    assert not misdealt.legal
    assert "C14" in misdealt.rules


@pytest.mark.parametrize(
    ("preset", "a", "piles"),
    [
        ("house", "xx/xxxx/xxxxxx/xxxxxxxx/xxxxxx:-", 1),
        ("pl", "xx/xxxx/xxxxxx/xxxxxxxx/xxxxxx:-", 1),
        ("pt-both", "xx/xxxx/xxxxxx/xxxxxxxx/xxxxxx:-", 1),
        ("sv", "xx/xxxx/xxxxxx/xxxxxxxx:#3", 2),
    ],
)
def test_c15_centre_piles_with_a_thirteen_card_player(preset: str, a: str, piles: int) -> None:
    dealt = after(redealing(preset, 13), f"deal A:{a} B:{FULL}:#24")
    assert len(dealt.due) == piles
    spits = ["A spit 8S AR C1"] if piles == 2 else []
    playing = after(dealt, *spits, "B spit JH BR C2")
    assert len(playing.open_piles) == piles
    assert playing.phase is Phase.PLAY


def test_c16_all_the_cards_a_player_owns_are_counted() -> None:
    # A takes a pile of 6 and has 10 in reserve: 16 cards are no short deal.
    table = lay("9C", "TD/2D/3D", f"8S/{'??,' * 5}JH", rules="pt", reserves=("#10", "#6"))
    taken = after(table, "A play 9C A1 C1", "A slap C2", "A claim C2")
    assert taken.sides[Seat.A].held == 16
    assert rule(taken, f"deal A:{FULL}:#1").legal
    with pytest.raises(Impossible, match="the ledger gives 16"):
        rule(taken, "deal A:xx/xxxx/xxxxxx:-")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(("cards", "due"), [(15, (Seat.B,)), (16, (Seat.A, Seat.B)), (37, (Seat.A,))])
def test_c17_as_many_centre_piles_as_players_with_a_reserve(preset: str, cards: int, due: tuple[Seat, ...]) -> None:
    reserves = [f"#{count - 15}" if count > 15 else "-" for count in (cards, 52 - cards)]
    dealt = after(redealing(preset, cards), f"deal A:{FULL}:{reserves[0]} B:{FULL}:{reserves[1]}")
    assert dealt.due == due
    spits = {Seat.A: "A spit 8S AR C1", Seat.B: "B spit JH BR C2"}
    playing = after(dealt, *(spits[seat] for seat in due))
    assert playing.phase is Phase.PLAY
    assert playing.open_piles == tuple(int(seat) for seat in due)


@pytest.mark.parametrize("preset", ["house", "pl", "sv"])
def test_c18_one_pile_the_finisher_with_a_reserve_takes_nothing(preset: str) -> None:
    position = cleared(preset, reserves=("#3", "-"), centre="8S/-")
    ruling = rule(position, "A slap C1")
    assert ruling.reason is not None
    assert (ruling.reason.value, "C18" in ruling.rules) == ("wrong_pile", True)
    taken = after(position, "B claim C1")
    assert [side.held for side in taken.sides] == [3, 49]
    assert taken.result is None


@pytest.mark.parametrize(("preset", "other"), [("pt", Phase.PLAY), ("pt-both", Phase.REDEAL)])
def test_c18_or_takes_the_only_pile(preset: str, other: Phase) -> None:
    position = cleared(preset, reserves=("#3", "-"), centre="8S/-")
    assert not rule(position, "B slap C1").legal
    taken = after(position, "A claim C1")
    assert [side.held for side in taken.sides] == [49, 3]
    assert taken.sides[Seat.B].phase is other
