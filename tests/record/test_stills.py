from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from referee.errors import UserError
from referee.record.folder import GameFolder
from referee.record.stills import size_of_film, stills_of_film, stills_of_game
from referee.vision.video_file import VideoFile
from tests.record.games import frames, play
from tests.vision.films import ANTICLOCKWISE, CLOCKWISE, SIZE, UPSIDE_DOWN, everything, film, number_in, steady, turn

UNEVEN = [7 + n * n * 3 + n for n in range(40)]


@pytest.mark.parametrize("kind", ["mp4", "mkv", "avi", "ts"])
@pytest.mark.parametrize("interval", [(0.0, 0.3), (0.9, 1.4), (2.0, 9.0)])
def test_the_pictures_of_an_interval_are_those_of_the_whole_film(
    tmp_path: Path, kind: str, interval: tuple[float, float]
) -> None:
    path = steady(tmp_path / f"film.{kind}", 75)
    with VideoFile(path) as source:
        wanted = [(frame.t, number_in(frame.image)) for frame in everything(source)]
    found = [(still.t, number_in(still.image)) for still in stills_of_film(path, *interval)]
    assert found == [one for one in wanted if interval[0] <= one[0] <= interval[1]]
    assert found


@pytest.mark.parametrize("kind", ["mp4", "mkv"])
def test_a_variable_rate_is_followed_to_the_millisecond(tmp_path: Path, kind: str) -> None:
    path = film(tmp_path / f"film.{kind}", UNEVEN, Fraction(1, 1000), gop=6)
    times = [(stamp - UNEVEN[0]) / 1000 for stamp in UNEVEN]
    for number in (0, 5, 6, 17, 30, 39):
        stills = list(stills_of_film(path, times[number] - 0.0004, times[number] + 0.0004))
        assert [number_in(still.image) for still in stills] == [number]
        assert stills[0].t == pytest.approx(times[number], abs=1e-9)


@pytest.mark.parametrize("matrix", [CLOCKWISE, ANTICLOCKWISE, UPSIDE_DOWN])
def test_pictures_are_turned_upright_as_everywhere(tmp_path: Path, matrix: tuple[int, int, int, int]) -> None:
    path = turn(steady(tmp_path / "film.mp4", 5), matrix)
    with VideoFile(path) as source:
        upright = everything(source)[3]
        assert size_of_film(path) == source.size
    (still,) = stills_of_film(path, upright.t - 0.001, upright.t + 0.001)
    np.testing.assert_array_equal(still.image, upright.image)


def test_after_the_end_there_are_none(tmp_path: Path) -> None:
    path = steady(tmp_path / "film.mp4", 5)
    assert list(stills_of_film(path, 2.0, 3.0)) == []
    assert size_of_film(path) == SIZE


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "film.mp4").write_bytes(b"no film")
    with pytest.raises(UserError, match=r"film\.mp4"):
        size_of_film(tmp_path / "film.mp4")
    with pytest.raises(UserError, match="no such file"):
        list(stills_of_film(tmp_path / "other.mp4", 0.0, 1.0))


def test_the_pictures_of_a_game_come_from_whichever_film_holds_them(tmp_path: Path) -> None:
    times = [n / 30 for n in range(40)]
    with GameFolder(play(tmp_path, frames(times), segment_s=0.5)) as game:
        for first, last in ((13, 17), (0, 2), (38, 39)):
            stills = list(stills_of_game(game, times[first], times[last]))
            assert [number_in(still.image) for still in stills] == list(range(first, last + 1))
            assert [still.t for still in stills] == times[first : last + 1]
