"""The Swedish worked game, end to end, as a game record (SV-E1 to SV-E6)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from referee.cards import DECK
from referee.cli import main
from referee.rules import Position, parse_action, stalemate, step, stuck
from referee.rules.record import Replayed, annotate, replay, write_record
from referee.table import Seat
from tests.rules.openings import WORKED_GAME, phases, redeal, worked_game
from tests.rules.table import after, lay, reason, rule

YOU, ADA = Seat.A, Seat.B


@pytest.fixture(scope="module")
def game() -> tuple[Replayed, ...]:
    return tuple(replay(worked_game()))


Moment = Callable[[str], Position]


@pytest.fixture(scope="module")
def at(game: tuple[Replayed, ...]) -> Moment:
    """The table just before the first action that begins so; ``deal 2`` is the second deal."""

    def find(action: str) -> Position:
        deal = re.fullmatch(r"deal (\d)", action)
        if deal:
            deals = [done for done in game if str(done.line.action).startswith("deal")]
            return deals[int(deal[1]) - 1].before
        return next(done.before for done in game if str(done.line.action).startswith(action))

    return find


def tops(position: Position, seat: Seat) -> list[str]:
    return [str(pile[-1].card) for pile in position.sides[seat].stock if pile]


def centre(position: Position) -> list[str]:
    return [str(position.top(index)) for index in position.open_piles]


def played(game: tuple[Replayed, ...], low: int, high: int) -> list[str]:
    return [
        str(done.line.action).partition(" @")[0] for done in game[low:high] if "turn_up" not in str(done.line.action)
    ]


def test_sv_e1_the_record_is_a_sound_game_and_says_what_the_law_says(game: tuple[Replayed, ...]) -> None:
    assert [done.differs for done in game if done.differs] == []
    assert all(done.after.defects() == () for done in game)
    assert annotate(worked_game()) == worked_game()


def test_sv_e1_referee_play_record_accepts_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play-record", str(WORKED_GAME)]) == 0
    assert capsys.readouterr().out.endswith("result A no_cards\n")


def test_sv_e1_the_deal(at: Moment) -> None:
    position = at("both call spit")
    assert tops(position, YOU) == ["7C", "QD", "3S", "9H", "2D"]
    assert tops(position, ADA) == ["KS", "5H", "TC", "8D", "4C"]
    for side in position.sides:
        assert [len(pile) for pile in side.stock] == [1, 2, 3, 4, 5]
        assert len(side.reserve) == 11


def test_sv_e1_what_fits_the_eight_and_the_jack(at: Moment) -> None:
    position = at("A play 7C")
    assert centre(position) == ["8S", "JH"]
    for action in ("A play 7C A1 C1", "A play 9H A4 C1", "A play QD A2 C2", "B play TC B3 C2"):
        assert rule(position, action).legal
    for action in ("A play 3S A3 C1", "A play 2D A5 C2", "B play KS B1 C2", "B play 5H B2 C1", "B play 4C B5 C1"):
        assert reason(position, action) == "not_adjacent"


def test_sv_e1_the_first_moves(game: tuple[Replayed, ...], at: Moment) -> None:
    assert played(game, 4, 13) == [
        *("A play 7C A1 C1", "B play 8D B4 C1", "A play 9H A4 C1"),
        *("B play TC B3 C2", "A play TS A4 C1"),
    ]
    assert not at("B play 8D").sides[YOU].stock[0]
    assert reason(at("A play TS"), "A play QD A2 C2") == "not_adjacent"


def test_sv_e1_a_gap_becomes_two_plays(at: Moment) -> None:
    position = at("A fill QD")
    assert centre(position) == ["TS", "TC"]
    assert tops(position, YOU) == ["QD", "3S", "5C", "2D"]
    assert not any(rule(position, f"A play {card}").legal for card in plays_of(position))
    assert not stuck(position, YOU)
    assert reason(position, "A call spit") == "not_stuck"
    position = after(position, "A fill QD A2 A1", "A turn_up JC A2", "A play JC A2 C1", "A play QD A1 C1")
    assert centre(position) == ["QD", "TC"]


def plays_of(position: Position) -> list[str]:
    stock = position.sides[YOU].stock
    return [f"{pile[-1].card} A{place} {to}" for place, pile in enumerate(stock, 1) if pile for to in ("C1", "C2")]


def test_sv_e2_the_table_says_spit_and_one_player_presses(game: tuple[Replayed, ...]) -> None:
    index = next(i for i, done in enumerate(game) if str(done.line.action).startswith("B call spit"))
    assert [one.kind for one in game[index - 1].happenings] == ["stalemate"]
    assert stalemate(game[index].before)
    assert game[index].ruling.legal
    assert game[index].after.due == (YOU, ADA)


def test_sv_e2_a_six_and_a_four_and_the_race_is_on_again(at: Moment) -> None:
    position = at("A play 3S")
    assert {card[0] for card in centre(position)} == {"6", "4"}
    assert phases(position) == ("play", "play")
    position = after(position, "A play 3S A1 C1", "A play 5C A2 C2")
    assert centre(position) == ["3S", "5C"]


def test_sv_e3_the_finisher_takes_the_six_and_ada_the_nineteen(at: Moment) -> None:
    position = at("A slap C2")
    assert position.sides[YOU].stock_count == 0
    assert [len(pile) for pile in position.centre] == [19, 6]
    assert [len(side.reserve) for side in position.sides] == [7, 7]
    assert position.sides[ADA].stock_count == 13
    assert reason(position, "B slap C2") == "wrong_order"
    assert reason(after(position, "A slap C2"), "B claim C2") == "wrong_pile"


def test_sv_e3_the_pile_sizes_are_the_spits_and_the_plays(at: Moment) -> None:
    piles = at("A slap C2").centre
    placed = [entry.seat for pile in piles for entry in pile]
    assert (placed.count(YOU), placed.count(ADA)) == (15 + 4, 2 + 4)


def test_sv_e4_thirteen_cards_make_four_stock_piles_and_three_to_spit(at: Moment) -> None:
    position = at("deal 2")
    assert [len(side.gathered) for side in position.sides] == [13, 39]
    position = step(position, redeal(position)).position
    you, ada = position.sides
    assert [len(pile) for pile in you.stock if pile] == [1, 2, 3, 4]
    assert len(you.reserve) == 3
    assert [len(pile) for pile in ada.stock if pile] == [1, 2, 3, 4, 5]
    assert len(ada.reserve) == 24
    assert position.due == (YOU, ADA)


def test_sv_e4_the_record_deals_so(at: Moment) -> None:
    spit = next(done for done in replay(worked_game()) if done.before.round == 2 and done.before.due)
    you, ada = spit.before.sides
    assert [len(pile) for pile in you.stock] == [1, 2, 3, 4, 0]
    assert [len(side.reserve) for side in (you, ada)] == [3, 24]
    assert at("deal 2").round == 2


def test_sv_e5_the_game_is_won_by_clearing_a_layout_with_no_reserve_behind_it(game: tuple[Replayed, ...]) -> None:
    last = game[-1]
    assert last.before.sides[YOU].reserve == ()
    assert last.before.sides[YOU].stock_count == 1
    assert [one.kind for one in last.happenings] == ["round_over", "game_over"]
    assert last.after.result is not None
    assert last.after.result.winner is YOU


def test_sv_e5_you_win_the_next_round_too_and_the_one_after(game: tuple[Replayed, ...]) -> None:
    winners = [one.winner for done in game for one in done.happenings if one.kind == "round_over"]
    assert winners == [YOU] * 4
    dealt = [sum(map(len, done.after.sides[YOU].stock)) for done in game if str(done.line.action).startswith("deal")]
    assert dealt == sorted(dealt, reverse=True)


def test_sv_e6_the_trailing_player_catches_up_by_clearing_a_layout() -> None:
    position = lay("7C/JC/KS/2C", "9H", "8S,8C/6H", rules="sv", reserves=("#2", "#24"))
    behind, ahead = position.sides[ADA].held, position.sides[YOU].held
    assert (ahead, behind) == (6, 25)
    position = after(position, "B play 9H B1 C1", "B slap C2", "B claim C2", "A claim C1")
    assert [len(side.gathered) for side in position.sides] == [27, 25]


def test_sv_e6_a_lead_is_not_won_until_the_last_card(game: tuple[Replayed, ...]) -> None:
    assert [done.after.result for done in game[:-1]] == [None] * (len(game) - 1)


def test_sv_e6_all_52_cards_are_there_at_the_end(game: tuple[Replayed, ...]) -> None:
    cards = [card for _, _, heap in game[-1].after.places() for card in heap]
    assert sorted(cards, key=DECK.index) == list(DECK)


def test_sv_e6_the_record_is_written_as_it_is_read() -> None:
    lines = [line for line in WORKED_GAME.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    assert [line for line in write_record(worked_game()).splitlines() if line] == lines
    assert parse_action(lines[-3].partition(";")[0]).seat is YOU
