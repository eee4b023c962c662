"""``referee simulate``: wrong options get a sentence, and nothing half done keeps its name."""

import argparse
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.commands import simulate
from referee.errors import UserError
from referee.train.decks.packages import packages


def fetched(cache: Path) -> Path:
    """A picture of a table top in the cache, as if it had been fetched."""
    picture = packages()["scikit-image"].folder(cache) / "data" / "grass.png"
    picture.parent.mkdir(parents=True)
    cv2.imwrite(str(picture), np.full((256, 256, 3), (40, 130, 60), np.uint8))
    return picture


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    simulate.add(parser.add_subparsers(required=True))
    args = parser.parse_args(["simulate", *words])
    code: int = args.run(args)
    return code


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "say what to write"),
        (("--out", "{}/game.avi"), "written as .mp4"),
        (("--out", "{}/nowhere/game.mp4"), "there is no folder"),
        (("--out", "{}/game.mp4", "--size", "huge"), "'huge' is no size"),
        (("--out", "{}/game.mp4", "--ruleset", "poker"), "poker"),
        (("--out", "{}/game.mp4", "--ruleset", "house,wrap=perhaps"), "wrap"),
        (("--out", "{}/game.mp4", "--seconds", "0"), "1 to 3600 seconds"),
        (("--out", "{}/game.mp4", "--pace", "50"), "the pace is"),
        (("--out", "{}/game.mp4", "--slips", "2"), "the share of slips"),
        (("--out", "{}/game.mp4", "--players", "greedy", "clever"), "there is no player 'clever'"),
        (("--out", "{}/game.mp4", "--incident", "late@x"), "'x' is not a time"),
        (("--out", "{}/game.mp4", "--tilt", "80"), "tilt"),
        (("--out", "{}/game.mp4", "--light", "moon"), "there is no light 'moon'"),
        (("--out", "{}/game.mp4", "--surface", "lava"), "there is no table top 'lava': choose one of wood"),
        (("--out", "{}/game.mp4", "--surface", "lava", "--cache", "{}"), "after 'referee train art' a fetched picture"),
    ],
)
def test_a_wrong_option_is_told_in_a_sentence(options: tuple[str, ...], message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=message):
        run(*(option.format(tmp_path) for option in options))
    assert list(tmp_path.iterdir()) == []


def test_the_kinds_of_incident_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--incidents") == 0
    listed = capsys.readouterr().out
    assert "not_adjacent" in listed
    assert "sleeve" in listed


def test_the_table_tops_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--surfaces", "--cache", str(tmp_path)) == 0
    listed = capsys.readouterr().out
    assert "felt" in listed
    assert "no pictures of table tops were fetched" in listed

    picture = fetched(tmp_path)
    assert run("--surfaces", "--cache", str(tmp_path)) == 0
    assert f"grass                   {picture}" in capsys.readouterr().out


def test_a_wrong_table_top_tells_how_to_list_the_fetched_ones(tmp_path: Path) -> None:
    fetched(tmp_path)
    with pytest.raises(UserError, match="one of the 1 fetched pictures that 'referee simulate --surfaces' lists"):
        run("--surface", "lava", "--cache", str(tmp_path), "--out", str(tmp_path / "game.mp4"))


@pytest.mark.parametrize("named", ["grass", "{}"])
def test_a_film_is_made_on_a_pictured_table_top(named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = fetched(tmp_path)
    shot: list[tuple[Any, ...]] = []

    def interrupted(*args: Any) -> None:
        shot.append(args)
        raise KeyboardInterrupt

    monkeypatch.setattr("referee.simulate.render.film.film", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(
            *("--surface", named.format(picture), "--cache", str(tmp_path), "--seconds", "2"),
            *("--out", str(tmp_path / "game.mp4")),
        )
    look, top = shot[0][1], shot[0][-1]
    assert (look.surface, look.mat, top.kind) == ("grass", None, "picture")
    assert np.abs(top.image.reshape(-1, 3).mean(0) - (40, 130, 60)).max() < 12


def test_an_interrupted_film_leaves_nothing_under_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object, **_options: object) -> None:
        part = args[3]
        assert isinstance(part, Path)
        part.write_bytes(b"half a film")
        raise KeyboardInterrupt

    monkeypatch.setattr("referee.simulate.render.film.film", interrupted)

    with pytest.raises(KeyboardInterrupt):
        run("--seconds", "2", "--out", str(tmp_path / "game.mp4"))
    assert list(tmp_path.iterdir()) == []


def test_a_film_that_was_there_stays_when_a_new_one_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("referee.simulate.render.film.film", interrupted)
    (tmp_path / "game.mp4").write_bytes(b"yesterday's film")

    with pytest.raises(KeyboardInterrupt):
        run("--seconds", "2", "--out", str(tmp_path / "game.mp4"))
    assert (tmp_path / "game.mp4").read_bytes() == b"yesterday's film"
