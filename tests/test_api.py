"""The referee as a library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import pytest

import referee
from referee.calibrate.tables import save_table
from referee.cards import Card
from referee.rules import Impossible, build, parse_action, parse_position
from referee.vision.frames import Frame
from referee.vision.zone_reading import ReadsZones
from tests.live.tables import CLIPS, table_of, truth
from tests.photo_scenes import card_quad, lay, table
from tests.toy_reader import ToyReader, ToyScanner
from tests.vision.films import SIZE, beginning, steady
from tests.vision.truth_reader import TruthReader

POSITION = "house A=play;9H/JC3S/-/-/-;#20 B=play;TC/4D/-/-/-;#19 C=8SA,7CA/JHB,TSB,9DA,8HB,9CA,TDB"


def test_an_action_is_judged_in_texts_or_objects() -> None:
    ruling = referee.judge(POSITION, "A play 9H A1 C1")
    assert not ruling.legal
    assert ruling.rules == ("PT-20",)
    assert referee.judge(parse_position(POSITION), parse_action("A play 9H A1 C1")) == ruling


def test_what_cannot_be_is_an_error() -> None:
    with pytest.raises(ValueError, match="nonsense"):
        referee.judge("nonsense", "A play 9H A1 C1")
    with pytest.raises(Impossible):
        referee.judge(POSITION, "A play 9C A1 C1")


def test_a_photograph_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.api.CardReader", lambda _model: ToyReader())
    monkeypatch.setattr("referee.api.Scanner", lambda _model: ToyScanner())
    image = table()
    lay(image, card_quad(300, 200, 150, 20), "9H")

    cv2.imwrite(str(tmp_path / "p.png"), image)
    (card,) = referee.read_photo(tmp_path / "p.png")
    assert card.card == Card("9H")
    with pytest.raises(referee.UserError, match="no such photograph"):
        referee.read_photo(tmp_path / "gone.png")


@pytest.fixture
def knowing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that knows what lies there."""

    def reader(*_: object) -> ReadsZones:
        return TruthReader(truth("faults"))

    monkeypatch.setattr("referee.api.CardReader", lambda _model: None)
    monkeypatch.setattr("referee.api.ZoneReader", reader)


@pytest.mark.usefixtures("knowing")
def test_a_film_is_refereed_and_told_in_words(tmp_path: Path) -> None:
    seen: list[Frame] = []
    film = beginning(CLIPS / "faults.mp4", tmp_path / "game.mp4", 3.2)
    said = referee.referee_video(film, truth("faults"), told=lambda one: seen.append(one.frame))
    words = [referee.told(one, ("Ada", "Bo")) for one in said]
    assert any("Bo plays A♦ on C2: illegal" in text for text in words)
    assert [one.t for one in said] == sorted(one.t for one in said)
    assert seen[0].index == 0


@pytest.mark.usefixtures("knowing")
def test_a_kept_table_is_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_TABLES", str(tmp_path))
    save_table(table_of("calm", size=SIZE), "kitchen")
    (deal,) = referee.referee_video(steady(tmp_path / "short.mp4", 3), "kitchen", rules=build())
    assert referee.told(deal) == "A and B deal."


def test_a_law_or_table_that_is_not_there_is_told() -> None:
    with pytest.raises(ValueError, match="there is no preset 'chess'"):
        referee.referee_video(CLIPS / "calm.mp4", truth("calm"), rules="chess")
    with pytest.raises(referee.UserError, match="there is no table 'kitchen'"):
        referee.referee_video(CLIPS / "calm.mp4", "kitchen")


def test_importing_it_imports_nothing_heavy() -> None:
    program = "import sys, referee; print({'numpy', 'cv2', 'av', 'referee.api'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "set()"


def test_everything_it_offers_is_there_and_nothing_else() -> None:
    assert all(getattr(referee, name) is not None for name in referee.__all__)
    with pytest.raises(AttributeError, match="no attribute 'play_chess'"):
        _ = referee.play_chess
