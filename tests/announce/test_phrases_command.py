"""``referee phrases``."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from referee.announce import table
from referee.announce.phrases import Language
from referee.commands import phrases
from referee.errors import UserError


def _run(*argv: str) -> int:
    parser = argparse.ArgumentParser()
    phrases.add(parser.add_subparsers())
    args = parser.parse_args(["phrases", *argv])
    code: int = args.run(args)
    return code


def test_prints_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run() == 0
    assert capsys.readouterr().out == table.markdown(tuple(Language))


def test_writes_a_page_in_one_language(tmp_path: Path) -> None:
    out = tmp_path / "fraser.html"
    assert _run("--lang", "sv", "--out", str(out)) == 0
    assert out.read_text(encoding="utf-8") == table.html((Language.SWEDISH,))


def test_says_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"\.md or \.html, not as 'table\.pdf'"):
        _run("--out", str(tmp_path / "table.pdf"))
    with pytest.raises(UserError, match="the languages are en, pt, pl, sv"):
        _run("--lang", "de")
    with pytest.raises(UserError, match="cannot write"):
        _run("--out", str(tmp_path / "nowhere" / "table.md"))
