"""Pictures agree with the script: what moves, when it lands, what it hides."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee.cards import Card
from referee.errors import UserError
from referee.simulate.render.film import film, stills
from referee.simulate.render.look import make_look
from referee.simulate.render.studio import Studio
from referee.simulate.scene import CardPose, HandPose, HandShape, Prop
from referee.table import Seat
from referee.train.decks.deck import Deck
from tests.simulate.render.handmade import HandMade

SIZE = (640, 360)
LANDING = 0.5
PLACE = (450.0, 300.0)


def lying(text: str, x: float, y: float) -> CardPose:
    return CardPose(Card(text), x, y, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


LANDED = lying("7C", *PLACE)
OTHER = lying("KD", 200.0, 300.0)


def arriving(t: float) -> tuple[CardPose, ...]:
    """A card that slides in from the right and comes down, to lie at ``PLACE`` from ``LANDING`` on."""
    if t >= LANDING:
        return OTHER, LANDED
    left = LANDING - t
    return OTHER, CardPose(Card("7C"), PLACE[0] + 900 * left, PLACE[1], 160 * left, 0.0, 0.0, 0.0, 0.0, 0.0)


@pytest.fixture
def studio(request: pytest.FixtureRequest, deck: Deck) -> Studio:
    request.getfixturevalue("pipe")
    return Studio(HandMade(cards=arriving), make_look(11, tilt=0.0, light="day", surface="felt"), deck, SIZE)


def around(studio: Studio, picture: np.ndarray, x: float, y: float, half: int = 3) -> np.ndarray:
    """Mean colour of the picture near a place on the table."""
    px, py = np.round(studio.camera.project([(x, y, 0.0)])[0]).astype(int)
    return picture[py - half : py + half + 1, px - half : px + half + 1].reshape(-1, 3).mean(axis=0)


def test_a_card_lies_at_its_place_from_first_touch_on_and_not_before(studio: Studio) -> None:
    half = studio.exposure / 2
    bare = around(studio, studio.clean(0.0).copy(), *PLACE)
    landed = studio.clean(LANDING + half + 0.001).copy()
    assert np.abs(around(studio, landed, *PLACE) - bare).max() > 30
    # While the shutter closes before first touch the card is still to the right of where it will lie.
    left_edge = (PLACE[0] - 30.0, PLACE[1])
    before = studio.clean(LANDING - half - 0.02).copy()
    assert np.abs(around(studio, before, *left_edge) - around(studio, studio.clean(0.0), *left_edge)).max() < 12
    assert np.abs(around(studio, landed, *left_edge) - around(studio, before, *left_edge)).max() > 30


def test_what_came_to_lie_is_drawn_as_if_it_had_lain_there_long(studio: Studio, deck: Deck) -> None:
    for n in range(8):
        studio.clean(0.35 + n / 30)
    after = studio.clean(0.9).copy()
    at_once = HandMade(cards=lambda t: arriving(0.0) if t == 0.0 else (OTHER, LANDED))
    other = Studio(at_once, studio.look, deck, SIZE)
    assert np.array_equal(after, other.clean(0.9))
    other.close()


def test_a_place_that_nothing_touches_does_not_change(studio: Studio) -> None:
    first = studio.clean(0.0).copy()
    later = studio.clean(0.45).copy()
    x, y = (int(v) for v in studio.camera.project([(200.0, 300.0, 0.0)])[0])
    assert np.array_equal(first[y - 20 : y + 20, x - 15 : x + 15], later[y - 20 : y + 20, x - 15 : x + 15])


def test_a_card_is_drawn_where_the_corners_say(studio: Studio) -> None:
    picture = studio.clean(0.9)
    inside, outside = around(studio, picture, 200.0, 300.0), around(studio, picture, 200.0 + 40, 300.0)
    assert np.abs(inside - outside).max() > 30


@pytest.mark.usefixtures("pipe")
def test_the_lamp_switched_off_darkens_the_picture(deck: Deck) -> None:
    script = HandMade(cards=lambda _t: (OTHER,), lamp=lambda t: 1.0 if t < 0.5 else 0.2)
    studio = Studio(script, make_look(3, light="warm lamp", surface="white"), deck, SIZE)
    assert studio.clean(0.9).copy().mean() < studio.clean(0.1).mean() - 15


@pytest.mark.usefixtures("pipe")
def test_a_bump_of_the_camera_moves_everything(deck: Deck) -> None:
    script = HandMade(cards=lambda _t: (OTHER,), shift=lambda t: (0.0, 0.0, 0.0) if t < 0.5 else (25.0, 0.0, 0.0))
    studio = Studio(script, make_look(3, tilt=0.0, surface="felt"), deck, SIZE)
    before = studio.clean(0.1).copy()
    after = studio.clean(0.9).copy()
    x, y = studio.camera.project([(200.0, 300.0, 0.0)])[0]
    step = round(25 * studio.camera.focal / studio.camera.position[2])
    rows, columns = slice(int(y) - 20, int(y) + 20), slice(int(x) - 15, int(x) + 15)
    moved = after[rows, columns.start - step : columns.stop - step].astype(int)
    assert np.abs(moved - before[rows, columns]).mean() < 8


@pytest.mark.usefixtures("pipe")
def test_a_hand_hides_what_it_covers_and_leaves_no_trace(deck: Deck) -> None:
    def hands(t: float) -> tuple[HandPose, ...]:
        y = 300.0 if 0.3 < t < 0.6 else 1500.0
        return (HandPose(Seat.A, True, 200.0, y, 30.0, 0.0, HandShape.HOVER, 1.0, HandShape.HOVER, 0.0),)

    studio = Studio(
        HandMade(cards=lambda _t: (OTHER,), hands=hands), make_look(3, tilt=0.0, surface="felt"), deck, SIZE
    )
    before = studio.clean(0.1).copy()
    during = studio.clean(0.45).copy()
    after = studio.clean(0.9).copy()
    assert np.abs(around(studio, during, 220.0, 400.0) - around(studio, before, 220.0, 400.0)).max() > 30
    assert np.array_equal(before, after)


@pytest.mark.usefixtures("pipe")
def test_a_hand_darkens_the_table_beside_it(deck: Deck) -> None:
    def hands(t: float) -> tuple[HandPose, ...]:
        return () if t < 0.5 else (HandPose(Seat.A, True, 450, 300, 25, t, HandShape.HOVER, 1, HandShape.HOVER, 0.0),)

    studio = Studio(HandMade(hands=hands), make_look(3, tilt=0.0, light="warm lamp", surface="white"), deck, SIZE)
    before = studio.clean(0.1).astype(int)
    during = studio.clean(0.9).astype(int)
    darker = ((before - during).max(axis=2) > 8).mean()
    assert darker > 0.03
    assert ((during - before).max(axis=2) > 8).mean() < 0.03


@pytest.mark.usefixtures("pipe")
def test_what_stays_long_looks_the_same_as_what_moves(deck: Deck) -> None:
    """A thing that lies still is part of the backdrop; one that is about to go is not: no jump between the two."""
    cup = Prop("cup", 300.0, 300.0, 0.0, 80.0)

    def fresh(_t: float) -> tuple[HandPose, ...]:
        return (HandPose(Seat.A, True, 700, 300, 25, 0, HandShape.HOVER, 1, HandShape.HOVER, 0.0),)

    (lasting,) = fresh(0.0)
    look = make_look(3, tilt=0.0, surface="felt")
    pictures = []
    for hands in (fresh, lambda _t: (lasting,)):
        studio = Studio(HandMade(hands=hands, props=(cup,)), look, deck, SIZE)
        pictures.append(studio.clean(0.5).astype(int))
        studio.close()
    assert np.abs(pictures[0] - pictures[1]).mean() < 1.5


@pytest.mark.usefixtures("pipe")
def test_fingers_are_seen_on_a_card_that_a_still_hand_holds(deck: Deck) -> None:
    held = CardPose(Card("7C"), 450.0, 300.0, 45.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    hand = HandPose(Seat.A, True, 450.0, 337.0, 45.0, 0.0, HandShape.CARRY, 1.0, HandShape.CARRY, 0.0)
    look = make_look(3, tilt=0.0, light="day", surface="felt")
    pictures = []
    for hands in ((), (hand,)):
        script = HandMade(cards=lambda _t: (held,), hands=lambda _t, hands=hands: hands)
        studio = Studio(script, look, deck, SIZE)
        pictures.append(studio.clean(0.5).copy())
    # The forefinger's end lies on the card, a little in from the edge.
    with_hand, without = (around(studio, picture, 462.0, 330.0, 2) for picture in reversed(pictures))
    assert np.abs(with_hand - without).max() > 25


@pytest.mark.usefixtures("pipe")
def test_the_same_seed_gives_the_same_pictures(deck: Deck) -> None:
    pictures = []
    for _ in range(2):
        studio = Studio(HandMade(cards=arriving), make_look(5), deck, (320, 180))
        pictures.append([studio.picture(n / 30).copy() for n in range(12, 18)])
        studio.close()
    assert np.array_equal(*pictures)


@pytest.mark.usefixtures("pipe")
def test_a_film_has_exact_timestamps_and_says_where_the_corners_are(deck: Deck, tmp_path: Path) -> None:
    import av

    look = make_look(5)
    result = film(HandMade(0.3, cards=arriving), look, deck, tmp_path / "a.mp4", size=(320, 180))
    assert result.frames == 9
    with av.open(str(result.path)) as container:
        frames = list(container.decode(video=0))
    assert [frame.time for frame in frames] == pytest.approx([n / 30 for n in range(9)], abs=1e-6)
    assert frames[0].to_ndarray(format="bgr24").shape == (180, 320, 3)
    assert result.corners_px == look.camera((320, 180)).corners_px(look.table_mm)
    assert "exposure" in result.notes


@pytest.mark.usefixtures("pipe")
def test_stills_are_single_pictures_of_the_film(deck: Deck) -> None:
    before, after = stills(HandMade(cards=arriving), make_look(11, surface="felt"), deck, (0.2, 0.9), SIZE)
    assert before.shape == (SIZE[1], SIZE[0], 3)
    assert np.abs(before.astype(int) - after).max() > 60


@pytest.mark.usefixtures("pipe")
def test_an_exposure_ends_before_the_next_picture_begins(deck: Deck, tmp_path: Path) -> None:
    look = make_look(5, light="dim")
    assert look.sensor.exposure > 1 / 120
    result = film(HandMade(0.05), look, deck, tmp_path / "fast.mp4", size=(320, 180), fps=120)
    assert "[T-0.0038,T+0.0038]" in result.notes


@pytest.mark.usefixtures("pipe")
def test_progress_is_told_after_every_picture(deck: Deck, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    film(
        HandMade(0.2, cards=arriving), make_look(5), deck, tmp_path / "c.mp4", size=(320, 180), fps=20,
        progress=lambda done, total: told.append((done, total)),
    )  # fmt: skip
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize("wrong", [{"size": (321, 180)}, {"fps": 0.0}])
def test_an_impossible_film_is_explained(deck: Deck, tmp_path: Path, wrong: dict[str, object]) -> None:
    with pytest.raises(UserError):
        film(HandMade(), make_look(1), deck, tmp_path / "d.mp4", **wrong)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.usefixtures("pipe")
def test_a_film_that_cannot_be_written_is_explained(deck: Deck, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be written"):
        film(HandMade(0.1), make_look(1), deck, tmp_path / "no" / "where.mp4", size=(320, 180))
