"""A game's folder keeps the contract of sources, and is opened as one."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from referee.errors import UserError
from referee.record.folder import GameFolder, is_game, make_folder
from referee.record.journal import JOURNAL, JournalWriter
from tests.record.games import HEADER, frames, play
from tests.vision.films import everything, numbers
from tests.vision.test_sources import (
    COUNT,
    UNEVEN,
    Case,
    even,
    test_after_the_end_there_is_nothing_for_good,
    test_all_pictures_have_the_size_announced,
    test_closing_ends_it_and_may_be_repeated,
    test_every_picture_comes_once_in_order,
    test_it_says_what_it_is,
    test_leaving_its_block_closes_it_also_by_an_error,
    test_pictures_keep_their_content_when_others_follow,
    test_time_starts_at_zero_and_goes_forward_as_the_source_says,
)

__all__ = [
    "test_after_the_end_there_is_nothing_for_good",
    "test_all_pictures_have_the_size_announced",
    "test_closing_ends_it_and_may_be_repeated",
    "test_every_picture_comes_once_in_order",
    "test_it_says_what_it_is",
    "test_leaving_its_block_closes_it_also_by_an_error",
    "test_pictures_keep_their_content_when_others_follow",
    "test_time_starts_at_zero_and_goes_forward_as_the_source_says",
]


def one_film(folder: Path) -> Case:
    return Case(GameFolder(play(folder / "film game", frames(even(30)))), even(30))


def many_films(folder: Path) -> Case:
    return Case(GameFolder(play(folder / "film game", frames(even(60)), segment_s=0.1)), even(60))


def uneven(folder: Path) -> Case:
    times = [t / 1000 for t in UNEVEN]
    return Case(GameFolder(play(folder / "film game", frames(times), segment_s=0.5)), times)


def jpegs(folder: Path) -> Case:
    return Case(GameFolder(play(folder / "film game", frames(even(25)), jpegs=True)), even(25))


@pytest.fixture(params=[one_film, many_films, uneven, jpegs], ids=lambda make: make.__name__)
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Case]:
    made: Case = request.param(tmp_path)
    yield made
    made.source.close()


@pytest.mark.parametrize("first", [0, 1, 4, 5, 6, 13, COUNT - 1, COUNT])
def test_seeking_goes_on_with_the_frame_of_that_time(tmp_path: Path, first: int) -> None:
    times = even(30)
    with GameFolder(play(tmp_path, frames(times), segment_s=0.2)) as game:
        game.seek(times[first] if first < COUNT else 99.0)
        rest = everything(game)
        game.seek(0.0)
        whole = everything(game)
    assert numbers(rest) == list(range(first, COUNT))
    assert [(frame.index, frame.t) for frame in rest] == [(n, times[n]) for n in range(first, COUNT)]
    assert numbers(whole) == list(range(COUNT))


def test_a_closed_game_stays_closed(tmp_path: Path) -> None:
    game = GameFolder(play(tmp_path, frames([0.0])))
    game.close()
    game.seek(0.0)
    assert game.read() is None


def test_what_is_no_game_is_told(tmp_path: Path) -> None:
    assert not is_game(tmp_path)
    with pytest.raises(UserError, match="no folder of a game"):
        GameFolder(tmp_path)
    JournalWriter.create(tmp_path / JOURNAL, HEADER).close()
    assert is_game(tmp_path)
    with pytest.raises(UserError, match="nothing was recorded"):
        GameFolder(tmp_path)


def test_a_game_tells_under_what_it_was_refereed(tmp_path: Path) -> None:
    with GameFolder(play(tmp_path, frames([0.0]))) as game:
        assert game.journal.header == HEADER
        assert "camera 0" in game.description


def test_of_many_who_look_for_a_folder_at_once_each_gets_another(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        made = list(pool.map(lambda _: make_folder(tmp_path / "games" / "now"), range(16)))
    assert len(set(made)) == 16
    assert all(folder.is_dir() for folder in made)


def test_a_folder_cannot_be_made_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("")
    with pytest.raises(UserError, match="cannot write into"):
        make_folder(tmp_path / "games" / "now")
