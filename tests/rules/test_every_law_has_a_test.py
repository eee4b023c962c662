"""No law without a test: the tests of this folder are named after the IDs of the law book."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from referee.rules import all_laws


def names_of_tests() -> list[str]:
    names: list[str] = []
    for path in Path(__file__).parent.glob("test_law_*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names += [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return names


def name_for(rule_id: str) -> str:
    return f"test_{rule_id.lower().replace('-', '_')}_"


@pytest.fixture(scope="module")
def tested() -> list[str]:
    return names_of_tests()


@pytest.mark.parametrize("rule_id", [law.id for law in all_laws()])
def test_law_has_a_test_named_after_it(rule_id: str, tested: list[str]) -> None:
    assert any(name.startswith(name_for(rule_id)) for name in tested), (
        f"no test in tests/rules/test_law_*.py is named {name_for(rule_id)}…"
    )
