"""Things that belong to no game: cups, phones and glasses on the table, an emptied table, lamps. Nobody is accused."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from referee.cards import Card
from referee.readings import BACK, EMPTY, OUTCOMES, Look, Pose, Reading, Sight, ZoneReading
from referee.rules.actions import Kind
from referee.rules.ruleset import build
from referee.session import Session
from referee.table import Zone, ZoneKind
from referee.tracking import commits as said
from referee.tracking.commits import Commit
from referee.vision.frames import Frame
from tests.vision.painted import BORDER, LAYOUT, Image, arm, box_of, card, felt, noisy, view

ZONES = tuple(LAYOUT.boxes)
STOCKS = [zone for zone in ZONES if zone.kind is ZoneKind.STOCK]
TOPS = dict(zip(STOCKS, ["2C", "4D", "6H", "8S", "TC", "QD", "3H", "5S", "9D", "JS"], strict=True))
SHOWS = {
    zone: Card(TOPS[zone]).code if zone in TOPS else EMPTY if zone.kind is ZoneKind.CENTRE else BACK for zone in ZONES
}

Shows = dict[Zone, int | None]


@dataclass
class Film:
    """Pictures of a game that has begun, with what a good reader sees in them; ``None`` where nothing can be seen."""

    shows: Shows = field(default_factory=lambda: dict(SHOWS))
    frames: list[tuple[Image, Shows]] = field(default_factory=list)
    over: list[Callable[[Image], None]] = field(default_factory=list)

    def picture(self) -> Image:
        image = felt()
        for zone, box in LAYOUT.boxes.items():
            under = self.shows[zone]
            if under is None or under != EMPTY:
                card(image, box, -1 if under is None else under)
        for paint in self.over:
            paint(image)
        return image

    def rest(self, frames: int) -> None:
        image = self.picture()
        self.frames += [(image, dict(self.shows)) for _ in range(frames)]

    def hand(self, zone: str, frames: int, *, from_below: bool) -> None:
        """A hand over a zone, which hides it."""
        image = self.picture()
        arm(image, zone, from_below=from_below, length=30)
        self.frames += [(image, {**self.shows, Zone(zone): None}) for _ in range(frames)]

    def put(self, name: str, zone: str, *, from_below: bool) -> None:
        self.hand(zone, 4, from_below=from_below)
        self.shows[Zone(zone)] = Card(name).code
        self.hand(zone, 2, from_below=from_below)
        self.rest(8)


class Reader:
    """Reads what the film says."""

    def __init__(self, film: Film) -> None:
        self._film = film

    def read(self, frame: Frame, zones: Sequence[Zone], look: Look) -> list[ZoneReading]:
        shows = self._film.frames[frame.index][1]
        moved = dict(zip(ZONES, look.moved.tolist(), strict=True))
        return [ZoneReading(zone, frame.t, frame.index, *reading(shows[zone], zone), moved[zone]) for zone in zones]


def reading(outcome: int | None, zone: Zone) -> tuple[Reading, Pose | None]:
    box = LAYOUT.boxes[zone]
    if outcome is None:
        return Reading(Sight.HIDDEN, np.full(OUTCOMES, -math.log(OUTCOMES), np.float32), 0.95, None, None), None
    logs = np.full(OUTCOMES, math.log(0.03 / (OUTCOMES - 1)), np.float32)
    logs[outcome] = math.log(0.97)
    state = Sight.EMPTY if outcome == EMPTY else Sight.BACK if outcome == BACK else Sight.CARD
    if outcome == EMPTY:
        return Reading(state, logs, 0.0, None, None), None
    # No card lies quite as the one before.
    dx, dy = 3.0 * (outcome % 5), 3.0 * (outcome % 3)
    return Reading(state, logs, 0.0, None, Pose(dx, dy, 0.0)), Pose(box.x + dx, box.y + dy, 0.0)


def begun() -> Film:
    """A game in which both have spat."""
    film = Film()
    film.rest(40)
    film.put("7C", "C1", from_below=True)
    film.put("KD", "C2", from_below=False)
    film.rest(40)
    return film


def refereed(film: Film) -> list[Commit]:
    session = Session(build(), LAYOUT, view(), Reader(film))
    commits: list[Commit] = []
    for index, (image, _) in enumerate(film.frames):
        commits += session.push(Frame(index, index / 30, noisy(image, index))).commits
    return [*commits, *session.finish()]


def rulings_after(commits: list[Commit], frames: int) -> list[str]:
    # A touch lies between two frames, the first of which may be the last before.
    return [f"{one.action}" for one in commits if one.ruling is not None and one.t > (frames - 2) / 30]


def cup(zone: str) -> Callable[[Image], None]:
    box = box_of(zone)
    at = (round(box.x) + BORDER, round(box.y) + BORDER)

    def paint(image: Image) -> None:
        cv2.circle(image, at, 46, (40, 60, 150), -1)
        cv2.circle(image, at, 38, (20, 35, 60), -1)

    return paint


def phone(zone: str) -> Callable[[Image], None]:
    box = box_of(zone)
    x, y = round(box.x) + BORDER, round(box.y) + BORDER

    def paint(image: Image) -> None:
        cv2.rectangle(image, (x - 40, y - 75), (x + 40, y + 75), (25, 25, 25), -1)

    return paint


def glass(zone: str) -> Callable[[Image], None]:
    box = box_of(zone)
    at = (round(box.x) + BORDER, round(box.y) + BORDER)

    def paint(image: Image) -> None:
        clear = image.copy()
        cv2.circle(clear, at, 40, (210, 215, 215), 4)
        cv2.circle(clear, at, 36, (180, 190, 185), -1)
        image[:] = cv2.addWeighted(image, 0.7, clear, 0.3, 0)

    return paint


def test_a_begun_game_is_followed() -> None:
    film = begun()
    kinds = [one.action.kind for one in refereed(film) if one.action is not None]
    assert kinds == [Kind.DEAL, Kind.SPIT, Kind.SPIT]


def test_a_hand_that_rests_on_a_pile_and_leaves_nothing_there_is_a_slap() -> None:
    film = begun()
    start = len(film.frames)
    film.hand("C1", 12, from_below=True)
    film.rest(40)
    assert [words.split()[1] for words in rulings_after(refereed(film), start)] == ["slap"]


@pytest.mark.parametrize(("thing", "zone"), [(cup, "C1"), (phone, "C1"), (cup, "A2"), (phone, "B4")])
def test_a_thing_put_on_cards_and_taken_away_gives_no_ruling(
    thing: Callable[[str], Callable[[Image], None]], zone: str
) -> None:
    film = begun()
    start, lies = len(film.frames), film.shows[Zone(zone)]
    from_below = zone != "B4"
    film.hand(zone, 8, from_below=from_below)
    film.over.append(thing(zone))
    film.shows[Zone(zone)] = None
    film.hand(zone, 4, from_below=from_below)
    film.rest(110)
    film.hand(zone, 4, from_below=from_below)
    film.over.clear()
    film.shows[Zone(zone)] = lies
    film.rest(20)
    assert rulings_after(refereed(film), start) == []


def test_a_glass_through_which_the_cards_are_read_gives_no_ruling() -> None:
    film = begun()
    start = len(film.frames)
    film.hand("A3", 8, from_below=True)
    film.over.append(glass("A3"))
    film.rest(50)
    assert rulings_after(refereed(film), start) == []


def test_an_emptied_table_gives_no_ruling_and_is_said() -> None:
    film = begun()
    start = len(film.frames)
    for zone in ZONES:
        film.shows[zone] = EMPTY
        film.rest(2)
    film.rest(150)
    commits = refereed(film)
    assert rulings_after(commits, start) == []
    assert [one for one in commits if one.what in (said.DESYNC, said.DISTURBED) and one.t_said >= start / 30]


@pytest.mark.parametrize(("before", "after"), [(1.0, 0.55), (0.55, 1.0)])
def test_a_lamp_switched_off_or_on_gives_no_ruling_and_is_said(before: float, after: float) -> None:
    film = begun()
    start = len(film.frames)
    film.rest(60)
    film.frames = [
        ((image * (before if number < start else after)).astype(np.uint8), shows)
        for number, (image, shows) in enumerate(film.frames)
    ]
    commits = refereed(film)
    assert rulings_after(commits, start) == []
    assert "lights changed" in {one.detail for one in commits if one.what == said.DISTURBED}
