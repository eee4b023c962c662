"""Rulesets from what people write: a preset name, ``key=value`` overrides, a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path

from referee.rules.ruleset import PRESETS, RuleSet, build


def parse_overrides(settings: Iterable[str]) -> dict[str, str]:
    """``["wrap=false", …]`` as a dict; the same key given two values is refused, naming both."""
    overrides: dict[str, str] = {}
    for setting in settings:
        key, equals, value = (part.strip() for part in setting.partition("="))
        if not equals:
            raise ValueError(f"{setting!r} is no setting; write key=value, for example wrap=false")
        if overrides.get(key, value) != value:
            raise ValueError(f"{key}={overrides[key]} and {key}={value} exclude each other; {key} takes one value")
        overrides[key] = value
    return overrides


def parse_ruleset(text: str) -> RuleSet:
    """The inverse of ``str(ruleset)``: ``house`` or ``pl,scoring=penalty_100``."""
    preset, *settings = text.split(",")
    return build(preset, parse_overrides(settings))


def load_ruleset(path: Path) -> RuleSet:
    """A ruleset from TOML: ``preset = "house"`` (optional) and any keys, at the top level.

    Raises:
        ValueError: the text is not TOML or not a valid ruleset; the sentence names file and key.
        OSError: the file cannot be read.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"{path} is not valid TOML: {error}") from None
    preset = table.pop("preset", "house")
    if not isinstance(preset, str):
        raise ValueError(f"{path}: preset must be one of {', '.join(PRESETS)}")
    try:
        return build(preset, table)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
