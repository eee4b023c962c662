"""The law in force told in plain sentences, with the IDs of the laws behind them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from referee.rules.ruleset import KEYS, RuleSet, Value, laws_of, write_value


@dataclass(frozen=True, slots=True)
class Told:
    """One sentence of the law.

    Attributes:
        chapter: what it is about.
        text: the sentence.
        rules: IDs of the laws it states or settles (``lawbook.law`` explains them).
        key: the ruleset key it follows from; ``None`` for what no table can change.
    """

    chapter: str
    text: str
    rules: tuple[str, ...]
    key: str | None = None


_CHAPTERS: Final = ("The cards", "Spitting", "Playing", "Stuck", "Ending a round", "Winning", "Faults")

_MOOT: Final[dict[str, tuple[str, Value]]] = {
    "lockout_seconds": ("illegal_play", "lockout"),
    "penalty_count": ("scoring", "penalty_100"),
    "lone_spit_seconds": ("one_empty_reserve", "spit_alone"),
}
"""Keys that say nothing unless another key has a certain value."""


@cache
def _sentences() -> dict[str, Any]:
    text = files("referee.rules").joinpath("telling.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def tell_key(rules: RuleSet, key: str) -> Told:
    """The sentence that ``key`` puts into ``rules``."""
    value: Value = getattr(rules, key)
    sentences = _sentences()[key]
    choice = "every" if "every" in sentences else write_value(value)
    text: str = sentences[choice]
    cited = (*sentences.get("cite", {}).get(choice, ()), *laws_of(key))
    return Told(sentences["chapter"], text.format(value=value), tuple(dict.fromkeys(cited)), key)


def tell(rules: RuleSet) -> Iterator[Told]:
    """The whole law in force, chapter by chapter."""
    told = [Told(one["chapter"], one["text"], tuple(one["rules"])) for one in _sentences()["always"]]
    told += [tell_key(rules, key) for key in KEYS if not _is_moot(rules, key)]
    for chapter in _CHAPTERS:
        yield from (one for one in told if one.chapter == chapter)


def _is_moot(rules: RuleSet, key: str) -> bool:
    other, value = _MOOT.get(key, (key, getattr(rules, key)))
    return bool(getattr(rules, other) != value)


def differences(one: RuleSet, other: RuleSet) -> Iterator[tuple[str, Told, Told]]:
    """Every key in which two rulesets differ, with the sentence of each."""
    for key in KEYS:
        if getattr(one, key) != getattr(other, key):
            yield key, tell_key(one, key), tell_key(other, key)


def setting(rules: RuleSet, key: str) -> str:
    """``key=value`` as it stands in ``rules``."""
    return f"{key}={write_value(getattr(rules, key))}"
