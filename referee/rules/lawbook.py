"""The law book: what each rule number cited by a ruling says, read from `law.toml` beside this module."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal

Kind = Literal["rule", "variant", "example", "conflict", "gap", "outside", "vector"]


@dataclass(frozen=True, slots=True)
class Law:
    """One numbered entry of the law book.

    `id` is the number a ruling cites (`PT-20`, `C11`), `text` one to three sentences of plain English, and `keys` the
    names of the ruleset settings that decide the point or that it bears on (often none).
    """

    id: str
    kind: Kind
    text: str
    keys: tuple[str, ...]


def law(rule_id: str) -> Law:
    """The entry with this number. ValueError, with a sentence for the user, if the law book has no such number."""
    found = _book().get(rule_id)
    if found is None:
        raise ValueError(
            f"The law book has no rule {rule_id!r}: numbers look like PT-20, PT-V4a, PL-23, SV-E3, C11, G4, X1 or T7."
        )
    return found


def all_laws() -> tuple[Law, ...]:
    """Every entry, in the order of the law book."""
    return tuple(_book().values())


@cache
def _book() -> dict[str, Law]:
    text = resources.files("referee.rules").joinpath("law.toml").read_text(encoding="utf-8")
    return {
        rule_id: Law(rule_id, entry["kind"], entry["text"], tuple(entry["keys"]))
        for rule_id, entry in tomllib.loads(text).items()
    }
