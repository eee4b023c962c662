"""The law told: a sentence for every value of every key, and only laws that exist are cited."""

from __future__ import annotations

import pytest

from referee.rules import PRESETS, build, law
from referee.rules.ruleset import KEYS, valid_values, write_value
from referee.rules.telling import differences, tell, tell_key

EVERY_VALUE = [(key, value) for key in KEYS for value in valid_values(key)]


@pytest.mark.parametrize(("key", "value"), EVERY_VALUE, ids=lambda part: str(part))
def test_every_value_of_every_key_has_its_own_sentence(key: str, value: str | bool) -> None:
    rules = next(rules for rules in map(build, PRESETS) if _takes(rules.preset, key, value))
    told = tell_key(build(rules.preset, {key: value}), key)
    assert told.text.endswith(".")
    others = [other for other in valid_values(key) if other != value and _takes("house", key, other)]
    assert all(tell_key(build("house", {key: other}), key).text != told.text for other in others)


def _takes(preset: str, key: str, value: str | bool) -> bool:
    try:
        build(preset, {key: value})
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("preset", PRESETS)
def test_only_laws_that_exist_are_cited(preset: str) -> None:
    for told in tell(build(preset)):
        assert told.rules
        for rule_id in told.rules:
            assert law(rule_id).text


@pytest.mark.parametrize("preset", PRESETS)
def test_every_key_is_told_unless_it_says_nothing_here(preset: str) -> None:
    rules = build(preset)
    keys = {told.key for told in tell(rules)}
    assert set(KEYS) - keys == {"lockout_seconds", "penalty_count"}


def test_what_a_key_says_only_with_another_is_told_with_it() -> None:
    keys = {told.key for told in tell(build("pl", {"scoring": "penalty_100", "illegal_play": "lockout"}))}
    assert keys >= set(KEYS)


def test_a_number_stands_in_its_sentence() -> None:
    assert "0.25 seconds" in tell_key(build("house", {"late_window": 0.25}), "late_window").text


def test_differences_are_the_keys_that_differ() -> None:
    one, other = build("pt"), build("pl")
    found = [key for key, _, _ in differences(one, other)]
    assert found == [key for key in KEYS if getattr(one, key) != getattr(other, key)]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_the_house_law_with_its_overrides(preset: str) -> None:
    assert str(build(preset)) == preset
    assert all(write_value(getattr(build(preset), key)) for key in KEYS)
