"""The law needs nothing but the standard library, and nothing below the command line prints or reads the clock."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import referee

PACKAGE = Path(referee.__file__).parent
PURE = [PACKAGE / "cards.py", PACKAGE / "table.py", PACKAGE / "errors.py", *sorted((PACKAGE / "rules").glob("*.py"))]
INSTANT = [PACKAGE / "cli.py", *sorted((PACKAGE / "commands").glob("*.py"))]
BELOW_COMMANDS = [path for path in sorted(PACKAGE.rglob("*.py")) if path not in INSTANT]
HEAVY = (
    "numpy",
    "cv2",
    "av",
    "torch",
    "ultralytics",
    "onnxruntime",
    "moderngl",
    "PIL",
    "pyttsx3",
    "miniaudio",
    "espeakng_loader",
)


def imports(path: Path, *, only_at_import: bool = False) -> Iterator[str]:
    """Top-level packages that a module imports; with ``only_at_import`` those that importing it brings along."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = _at_import(tree) if only_at_import else ast.walk(tree)
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module.split(".")[0]


def _at_import(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        yield node
        yield from _at_import(node)


@pytest.mark.parametrize("path", PURE, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_the_law_imports_the_standard_library_only(path: Path) -> None:
    foreign = {name for name in imports(path) if name not in sys.stdlib_module_names and name != "referee"}
    assert foreign == set()


@pytest.mark.parametrize("path", PURE, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_the_law_imports_nothing_of_the_project_but_itself(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    allowed = ("referee.cards", "referee.table", "referee.rules", "referee.errors")
    assert [name for name in modules if name.startswith("referee") and not name.startswith(allowed)] == []


def test_the_law_works_with_everything_else_blocked() -> None:
    program = f"""
import sys
for name in {HEAVY!r}:
    sys.modules[name] = None
import referee.rules, referee.rules.record, referee.rules.contract, referee.rules.telling, referee.simulate.match
from referee.rules import build
assert referee.simulate.match.play_match(build(), 1).result != "*"
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("path", INSTANT, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_commands_import_nothing_heavy_before_they_run(path: Path) -> None:
    assert set(imports(path, only_at_import=True)) <= set(sys.stdlib_module_names) | {"referee"}


def test_help_brings_along_no_third_party_package() -> None:
    program = f"""
import sys
from referee.cli import build_parser
build_parser().format_help()
print([name for name in sys.modules if name.split('.')[0] in {HEAVY!r}])
"""
    found = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize("path", BELOW_COMMANDS, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_nothing_below_the_commands_prints(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    assert [call.lineno for call in calls if isinstance(call.func, ast.Name) and call.func.id == "print"] == []


@pytest.mark.parametrize("path", sorted((PACKAGE / "rules").glob("*.py")), ids=lambda path: path.name)
def test_the_law_knows_no_clock_and_no_chance(path: Path) -> None:
    assert not {"time", "datetime", "random"} & set(imports(path))
