"""The command line of ``referee train``."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import pytest

from referee.commands import train
from referee.errors import UserError


def run(*argv: str) -> int:
    parser = argparse.ArgumentParser()
    train.add(parser.add_subparsers(required=True))
    args = parser.parse_args(["train", *argv])
    code: int = args.run(args)
    return code


def test_art_that_cannot_be_had_is_listed_and_the_exit_code_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run("art", "--cache", str(tmp_path / "cache"), "--only", "svg-cards", "gnome-cards-data") == 2
    said = capsys.readouterr().out
    assert "0 packages and 0 decks are ready" in said
    assert "missing: svg-cards 4.0.2 needs npm" in said
    assert "missing: gnome-cards-data 1:3.22.23-1 needs apt-get" in said


def test_a_sheet_of_drawn_decks_needs_no_art(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "sheet.png"
    cards = ("--cards", "AS", "td")
    assert run("preview", "--decks", "drawn-5", "drawn-6", *cards, "--out", str(sheet), "--cache", str(tmp_path)) == 0
    picture = cv2.imread(str(sheet))
    assert picture is not None
    assert f"{picture.shape[1]} x {picture.shape[0]} px" in capsys.readouterr().out


def test_a_sheet_without_any_deck_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="run 'referee train art', or name drawn ones"):
        run("preview", "--decks", "--out", str(tmp_path / "sheet.png"), "--cache", str(tmp_path))


def test_a_card_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="there is no card 'XX'"):
        run(
            "preview", "--decks", "drawn-5", "--cards", "XX", "--out", str(tmp_path / "a.png"), "--cache", str(tmp_path)
        )
