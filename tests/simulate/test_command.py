"""``referee simulate``: wrong options get a sentence, and nothing half done keeps its name."""

import argparse
from pathlib import Path

import pytest

from referee.commands import simulate
from referee.errors import UserError


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
        (("--out", "{}/game.mp4", "--surface", "lava"), "there is no table top 'lava'"),
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
