"""Nothing that is kept back for validation looks like what is trained on."""

from __future__ import annotations

import pytest

from referee.train.decks.sources import deck_sources
from referee.train.decks.splits import families, family_split, nth_seed, seed_split, surface_names

NEAR_DUPLICATES = (
    ("anglo", "anglo_bitmap", "gnomangelo", "gnomangelo_bitmap"),
    ("bellot", "svg-cards", "ancient_french", "paris"),
    ("heruka-2color", "heruka-4color", "heruka-2color-bf", "heruka-4color-bf", "caj-v3", "anglo_poker"),
    ("anglo_modern", "anglo_modern_4_color", "blackjack", "blackjack-plain", "caj-v2"),
    ("neoclassical", "neoclassical_4_color"),
    ("ornamental", "openclipart-white", "openclipart-simple", "openclipart-bordered"),
    ("atlasnye", "atlasnye_skat", "Атласные"),
)


def test_no_family_is_on_both_sides_and_none_is_forgotten() -> None:
    train, val = set(families("train")), set(families("val"))
    assert not train & val
    assert train | val == {source.family for source in deck_sources().values()}


@pytest.mark.parametrize("group", NEAR_DUPLICATES, ids=lambda group: group[0])
def test_near_duplicates_are_one_family(group: tuple[str, ...]) -> None:
    assert len({deck_sources()[name].family for name in group}) == 1


def test_there_are_faces_enough_and_validation_covers_the_kinds_of_deck() -> None:
    assert len(families("train")) + len(families("val")) >= 24
    assert len(families("val")) >= 6
    kinds = {
        "common US deck": "heruka-2color",
        "jumbo index": "heruka-2color-bf",
        "four colours": "heruka-4color",
        "French letters": "ancient_french",
        "German letters": "rheinland",
    }
    for kind, name in kinds.items():
        assert family_split(deck_sources()[name].family) == "val", kind


def test_a_family_that_nobody_placed_is_an_error() -> None:
    with pytest.raises(ValueError, match="exactly one list"):
        family_split("unheard-of")


@pytest.mark.parametrize("split", ["train", "val"])
def test_numbered_seeds_are_distinct_and_of_their_split(split: str) -> None:
    side = "train" if split == "train" else "val"
    seeds = [nth_seed(side, number) for number in range(200)]
    assert len(set(seeds)) == 200
    assert {seed_split(seed) for seed in seeds} == {split}


def test_no_table_surface_is_on_both_sides() -> None:
    assert not surface_names("train") & surface_names("val")
    assert surface_names("val")
