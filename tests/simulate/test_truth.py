"""Truth files keep to the footage contract."""

import pytest

from referee.rules.actions import Kind
from referee.rules.contract import TARGET_FIELD, read_events
from referee.rules.record import replay, ruling_words
from referee.simulate.motion import SETTLE
from referee.table import Zone
from tests.simulate.films import made, made_with, truth_lines, truth_text

RULES = [
    "house",
    "pt",
    "pt-both",
    "pl",
    "sv",
    "house,layout=triangle4",
    "sv,layout=eleven_plus_four,wrap=false",
    "pt,layout=hand5",
    "pt,layout=single10_hand",
]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_ruling_of_a_truth_file_is_what_the_law_says(rules: str, seed: int) -> None:
    text = truth_text(made(seed, rules, 60.0, 2.0, 0.15), rules)

    deals = 0
    for done in replay(read_events(text)):
        deals += done.line.action.kind is Kind.DEAL
        if deals > 1:
            # The file tells the cards of the first deal alone, so later rulings cannot all be checked from it.
            break
        assert done.line.action.kind is Kind.DEAL or done.line.ruling == ruling_words(done.ruling), done.line


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_stalemate_or_the_end_of_a_round_comes_when_the_last_card_lies_still(seed: int) -> None:
    film = made(seed, "house", 60.0, 2.0, 0.15)
    states = [event for event in film.events if event.name in ("stalemate", "round_over")]
    assert states
    for state in states:
        assert any(
            (event.action is not None and abs(state.t - SETTLE - event.t) < 2e-4) or event.t == state.t
            for event in film.events
            if event.name not in ("stalemate", "round_over")
        )


def test_the_header_says_what_the_film_is() -> None:
    head = truth_lines(made(1, "sv,wrap=false", 20.0), "sv,wrap=false")[0]

    assert head["kind"] == "header"
    assert head["version"] == 1
    assert (head["video"], head["fps"], head["size"]) == ("film.mp4", 30, [1280, 720])
    assert (head["ruleset"], head["overrides"]) == ("sv", {"wrap": False})
    assert head["names"] == {"A": "Ada", "B": "Bo"}
    assert head["table_mm"] == [900.0, 600.0]
    assert set(head["zones"]) == {*(f"{seat}{n}" for seat in "AB" for n in range(1, 6)), "AR", "BR", "C1", "C2"}
    assert all(len(box) == 5 for box in head["zones"].values())
    assert len(head["corners_px"]) == 4


def test_a_reserve_in_the_hand_has_no_zone() -> None:
    assert not {"AR", "BR"} & set(truth_lines(made(1, "pt", 20.0), "pt")[0]["zones"])


def test_a_hand_has_no_zone_and_its_cards_are_played_from_it() -> None:
    head, _, *events = truth_lines(made(3, "pt,layout=hand5", 30.0), "pt,layout=hand5")

    assert {"AR", "BR"} <= set(head["zones"])
    assert not {"AH", "BH"} & set(head["zones"])
    assert {"AH", "BH"} <= {event.get("from") for event in events if event["action"] == "play"}


def test_the_hidden_deal_tells_all_52_cards_bottom_to_top() -> None:
    film = made(1)
    deal = truth_lines(film)[1]

    assert (deal["kind"], deal["t"]) == ("deal", 0.0)
    cards = [card for seat in "AB" for pile in deal[seat]["stock"] for card in pile]
    cards += [card for seat in "AB" for card in deal[seat]["reserve"]]
    assert len(set(cards)) == 52
    assert [len(pile) for pile in deal["A"]["stock"]] == [1, 2, 3, 4, 5]


def test_events_stand_in_order_of_time_with_the_fields_of_their_kind() -> None:
    lines = truth_lines(made_with("slap", "claim", "deal", "stalemate", "round_over"))[2:]

    assert [line["t"] for line in lines] == sorted(line["t"] for line in lines)
    assert lines[0]["action"] == "deal"
    assert lines[0]["round"] == 1
    names = {line["action"] for line in lines}
    assert {"play", "turn_up", "spit", "call", "slap", "claim", "deal", "stalemate", "round_over"} <= names
    for line in lines:
        assert line["kind"] == "event"
        name = line["action"]
        if name in ("stalemate",):
            continue
        if name == "deal":
            assert {"round", "sizes"} <= set(line)
        elif name in ("round_over", "game_over"):
            assert {"winner", "reason"} <= set(line)
        else:
            assert line["seat"] in ("A", "B", "both")
            assert (line["verdict"] == "illegal") is ("reason" in line)
            kind = Kind(name)
            if kind is not Kind.CALL:
                assert Zone(line[TARGET_FIELD[kind]])


def test_a_second_deal_is_numbered_and_gives_its_sizes() -> None:
    deals = [line for line in truth_lines(made_with("claim", "deal")) if line.get("action") == "deal"]

    assert [deal["round"] for deal in deals] == list(range(1, len(deals) + 1))
    assert len(deals) > 1
    total = sum(sum(sizes["stock"]) + sizes["reserve"] for sizes in deals[1]["sizes"].values())
    assert total == 52


def test_nothing_of_the_truth_comes_after_the_films_end() -> None:
    assert all(event.t < 20.0 for event in made(3, "house", 20.0).events)
