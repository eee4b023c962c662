from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import pytest

from referee.commands import evaluate, read
from referee.errors import UserError
from tests.photo_scenes import box_of, card_quad, lay, table, write_folder
from tests.toy_reader import ToyReader, ToyScanner

QUAD = card_quad(300, 200, 150, 20)


@pytest.fixture
def photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("referee.vision.reader.CardReader", lambda _model: ToyReader())
    monkeypatch.setattr("referee.vision.photo_scan.Scanner", lambda _model: ToyScanner())
    image = table()
    lay(image, QUAD, "9H")
    path = tmp_path / "p.png"
    cv2.imwrite(str(path), image)
    return path


def run(module: Any, *argv: object) -> int:
    parser = argparse.ArgumentParser()
    module.add(parser.add_subparsers())
    args = parser.parse_args([str(one) for one in argv])
    return int(args.run(args))


def test_cards_are_told_in_a_table_and_drawn(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = photo.with_name("annotated.jpg")
    assert run(read, "read", photo, "--out", out) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("p.png: 1 card")
    assert lines[1].split()[:3] == ["9♥", "90.0", "%"]
    assert cv2.imread(str(out)).shape == (480, 640, 3)


def test_json_is_one_line_per_card(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(read, "read", photo, photo, "--json") == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == second
    assert list(first) == ["image", "card", "confidence", "box"]
    assert (first["image"], first["card"], first["confidence"]) == (str(photo), "9H", 0.9)
    assert first["box"] == pytest.approx(box_of(QUAD), abs=5)


def test_a_photograph_that_cannot_be_read_does_not_keep_the_others(
    photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(read, "read", photo.with_name("gone.jpg"), photo) == 2
    said = capsys.readouterr()
    assert "no such photograph" in said.err
    assert "1 card" in said.out
    with pytest.raises(UserError, match="one photograph"):
        run(read, "read", photo, photo, "--out", "x.png")


def test_a_folder_of_photographs_is_scored(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = cv2.imread(str(photo))
    write_folder(photo.parent, image, {"9H": QUAD, "KC": card_quad(100, 100, 60, 0)})
    sheet = photo.with_name("misses.png")
    assert run(evaluate, "evaluate", "reader", photo.parent, "--misses", sheet) == 0
    told = capsys.readouterr().out
    assert "rank and suit 50.0 % of 2" in told
    assert "precision 100.0 %, recall 50.0 % of 2" in told
    assert "KC    as empty 1" in told
    assert sheet.exists()
    assert run(evaluate, "evaluate", "reader", photo.parent, "--crops-only", "--json") == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["all"]["crops"]["card"] == 0.5
    assert "photographs" not in figures["all"]
