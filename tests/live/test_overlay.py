"""The overlay against a picture that somebody looked at, and what its parts promise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.live.lettering import fitting, width_of, write
from referee.live.overlay import BOTTOM, COLOURS, EDGE, TOP, WIDTH, Overlay
from referee.live.scene import Light, LineShown, PlayerShown, Scene, ZoneShown
from referee.table import Zone
from tests.vision.painted import LAYOUT, dealt, view

GOLDEN = Path(__file__).parent / "overlay.png"
"""Written by ``referee.pictures.write_picture(GOLDEN, halved(shown(SCENE)))`` and looked at."""

LABELS = ("7♥", "10♠", "back", "–", "?", "hand", "Q♦", "A♣")

SCENE = Scene(
    zones=tuple(
        ZoneShown(
            zone,
            LABELS[number % 8],
            None if number % 8 in (4, 5) else 0.86 + number / 100,
            (Light.GREEN, Light.AMBER, Light.GREEN, Light.RED, Light.DARK)[number % 5],
        )
        for number, zone in enumerate(LAYOUT.boxes)
    ),
    players=(PlayerShown("Łucja", 15, 11, 1, None), PlayerShown("Åsa Ångström", 14, 10, 0, 35)),
    where="Round 2: play",
    lines=(
        LineShown("Łucja: seven of hearts.", Light.GREEN),
        LineShown("It cannot be told whether that fits.", Light.AMBER),
        LineShown("Åsa: nine does not go on jack.", Light.RED),
    ),
    light=Light.RED,
    notice="The camera is lost: it gives no pictures.",
    rate=29.7,
    drops=2,
    left_out=1,
    keys=(("space", "pause"), ("h", "help"), ("q", "quit")),
    help_shown=True,
)


TABLE = np.full((720, 1020, 3), (60, 90, 55), np.uint8)


def shown(scene: Scene) -> np.ndarray:
    return Overlay(LAYOUT.boxes).draw(TABLE, view(), scene)


def halved(image: np.ndarray) -> np.ndarray:
    return cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)


def test_the_overlay_looks_as_it_did_when_somebody_looked_at_it() -> None:
    golden = cv2.imread(str(GOLDEN))
    drawn = halved(shown(SCENE))
    assert drawn.shape == golden.shape
    difference = cv2.absdiff(drawn, golden)
    # Versions of OpenCV smooth a little differently; a word or outline that moved or changed differs by more.
    assert difference.mean() < 1.0
    assert cv2.blur(difference.max(axis=2), (12, 12)).max() < 90


def test_the_frame_itself_is_left_alone() -> None:
    image = dealt()
    before = image.copy()
    drawn = Overlay(LAYOUT.boxes).draw(image, view(), SCENE)
    assert (image == before).all()
    assert drawn.shape == (TOP + round(720 * WIDTH / 1020) + BOTTOM, WIDTH, 3)


def test_a_long_notice_is_shown_to_its_end() -> None:
    text = "Nothing can be heard: connect a sound card or headphones; if there is one, " * 2
    alike = [shown(replace(SCENE, notice=text + end)) for end in ("install alsa-utils", "install pulseaudio-utils")]
    assert (alike[0] != alike[1]).any()
    assert (shown(replace(SCENE, notice="x" * 200)) == shown(replace(SCENE, notice="x" * 201))).all()


@pytest.mark.parametrize("light", list(Light))
def test_the_light_surrounds_the_picture(light: Light) -> None:
    drawn = shown(replace(SCENE, light=light, notice="", help_shown=False))
    assert tuple(drawn[TOP + EDGE // 2, WIDTH // 2]) == COLOURS[light]
    assert tuple(drawn[-BOTTOM - EDGE // 2, WIDTH // 2]) == COLOURS[light]


def test_zones_lie_where_the_cards_do_after_the_view_has_changed() -> None:
    plain = replace(SCENE, zones=(), notice="", help_shown=False)
    marked = replace(plain, zones=(ZoneShown(Zone("C1"), "", None, Light.RED),))
    overlay = Overlay(LAYOUT.boxes)
    overlay.draw(TABLE, view(), marked)
    aside = view().cut(-100, 0)
    changed = np.argwhere((overlay.draw(TABLE, aside, marked) != overlay.draw(TABLE, aside, plain)).any(axis=2))
    middle = (aside.to_image([[LAYOUT.boxes[Zone("C1")].x, LAYOUT.boxes[Zone("C1")].y]])[0]) * WIDTH / 1020
    assert changed.mean(axis=0) == pytest.approx([middle[1] + TOP, middle[0]], abs=3)


def test_a_name_too_long_is_cut_and_a_line_never_leaves_the_picture() -> None:
    long = replace(
        SCENE,
        players=(PlayerShown("A" * 90, 15, 11, 0, None), SCENE.players[1]),
        lines=(LineShown("word " * 60, Light.GREEN),),
        notice="trouble " * 60,
    )
    assert shown(long).shape == shown(SCENE).shape
    assert width_of(fitting("trouble " * 60, 20, 300), 20) <= 300
    assert fitting("short", 20, 300) == "short"


def inked(text: str) -> np.ndarray:
    canvas = np.zeros((80, 80, 3), np.uint8)
    write(canvas, text, 10, 60, 30, (255, 255, 255))
    return canvas


@pytest.mark.parametrize(("plain", "marked"), [("A", "Å"), ("o", "ö"), ("l", "ł"), ("e", "ę"), ("a", "ã"), ("z", "ż")])
def test_accents_are_drawn_on_top_of_the_plain_letter(plain: str, marked: str) -> None:
    without, with_mark = inked(plain).astype(int), inked(marked).astype(int)
    assert (with_mark >= without - 2).all()
    assert (with_mark - without > 100).sum() > 20
    assert width_of(plain, 30) == width_of(marked, 30)


def test_pips_and_strange_letters_are_drawn_somehow() -> None:
    pips = [inked(pip) for pip in "♣♦♥♠"]
    assert all((one > 128).mean() > 0.02 for one in pips)
    assert len({one.tobytes() for one in pips}) == 4
    assert (inked("漢") > 128).any()
    assert not inked("").any()
    assert not inked("\u0301").any()


def test_writing_beyond_the_picture_is_cut() -> None:
    canvas = np.zeros((40, 40, 3), np.uint8)
    for x, y in ((-30, 20), (30, 20), (10, -50), (10, 90), (10, 5), (10, 45)):
        write(canvas, "Wide words", x, y, 20, (255, 255, 255))
    assert canvas.any()
