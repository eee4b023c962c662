"""How a film looks: camera, light, table top, deck, players, sensor, all drawn from one seed.

Colours are linear light in the order blue, green, red, like every picture in this program.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from referee.errors import UserError
from referee.simulate.render.camera import Camera, Lens, aim
from referee.simulate.render.surfaces import KINDS
from referee.table import Seat

Colour: TypeAlias = tuple[float, float, float]
Point: TypeAlias = tuple[float, float, float]

LIGHTS: Final = ("day", "warm lamp", "dim", "mixed")
"""The kinds of light there are."""

SLEEVES: Final = ("plain", "stripes", "checks")
"""The patterns of sleeves there are."""

_KELVIN: Final = (2400.0, 3000.0, 4000.0, 5000.0, 6500.0, 9000.0)
_TINTS: Final = (
    (0.13, 0.47, 1.0),
    (0.26, 0.60, 1.0),
    (0.50, 0.77, 1.0),
    (0.75, 0.90, 1.0),
    (1.0, 1.0, 1.0),
    (1.25, 1.04, 0.9),
)

_SKINS: Final = (
    (228, 184, 163), (220, 172, 146), (206, 152, 122), (190, 134, 104),
    (162, 110, 80), (130, 86, 62), (98, 64, 47), (72, 47, 36),
)  # fmt: skip
_CLOTHES: Final = (
    (150, 152, 162), (60, 66, 84), (154, 60, 56), (72, 104, 72),
    (176, 158, 92), (44, 44, 48), (214, 210, 202), (84, 70, 108), (98, 134, 168),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lights:
    """What lights the table.

    Attributes:
        lamp: place of the main lamp, mm.
        lamp_radius: how large it is, mm; a large one casts soft shadows.
        lamp_colour: its light on the middle of the table.
        sky: light from above, all round.
        bounce: light from below, off the table and the room.
        window: direction towards a second, wide light without sharp shadows.
        window_colour: its light.
    """

    lamp: Point
    lamp_radius: float
    lamp_colour: Colour
    sky: Colour
    bounce: Colour
    window: Point
    window_colour: Colour


@dataclass(frozen=True, slots=True)
class Player:
    """How one player's arms look.

    Attributes:
        skin: colour of the skin.
        size: size of the hand, 1 is 185 mm from wrist to fingertip.
        sleeve: how far behind the wrist the sleeve ends, mm; 0 covers the wrist, above 250 it is hardly seen.
        cloth, second: colours of the sleeve and of its pattern.
        pattern: one of ``SLEEVES``.
    """

    skin: Colour
    size: float
    sleeve: float
    cloth: Colour
    second: Colour
    pattern: str


@dataclass(frozen=True, slots=True)
class Sensor:
    """How light becomes a picture.

    Attributes:
        exposure: how long the shutter is open, s.
        brightness: mean of the picture that automatic exposure aims at, linear, 0 to 1.
        white: brightest that automatic exposure lets white cards get, linear, 0 to 1.
        white_balance: how much of the light's tint the camera takes out, 0 to 1.
        contrast: bend of the tone curve, 0 (straight) to 1.
        blur: softness of lens and demosaicking at 1080p, px.
        sharpening: how much the camera sharpens edges, 0 to 1.
        noise: deviation of the noise in mid grey, grey levels of 255.
        vignette: share of the light that is missing in the corners.
        flicker: relative swing of the brightness from picture to picture (mains lamps).
        quality: constant rate factor of the encoder; lower is better.
    """

    exposure: float
    brightness: float
    white: float
    white_balance: float
    contrast: float
    blur: float
    sharpening: float
    noise: float
    vignette: float
    flicker: float
    quality: int


@dataclass(frozen=True, slots=True)
class Look:
    """Everything about a film that is not the game.

    Attributes:
        seed: what the look was drawn from; also seeds grain of wood and noise.
        table_mm: width and height of the table rectangle.
        height: height of the camera over the table, mm.
        tilt: angle of the view from the vertical, degrees.
        aside: side from which the camera looks when tilted, degrees clockwise from seat A's.
        roll: turn of the picture, degrees.
        margin: share of the picture left free beside the table rectangle.
        offset: how far the table lies off the picture's middle, -1 to 1 of that margin.
        lens: distortion.
        light: one of ``LIGHTS``.
        lights: the light itself.
        surface: one of ``surfaces.KINDS``, or the name of a picture.
        mat: kind of a mat on the table top under the cards, or ``None``.
        table_margin: how far the table top reaches beyond the rectangle, mm: left, top, right, bottom.
        card_gloss: strength and sharpness of the sheen of the cards' coating, as in ``Surface``.
        players: seat A's arms and seat B's.
        sensor: the sensor.
    """

    seed: int
    table_mm: tuple[float, float]
    height: float
    tilt: float
    aside: float
    roll: float
    margin: float
    offset: tuple[float, float]
    lens: Lens
    light: str
    lights: Lights
    surface: str
    mat: str | None
    table_margin: tuple[float, float, float, float]
    card_gloss: tuple[float, float]
    players: tuple[Player, Player]
    sensor: Sensor

    def camera(self, size: tuple[int, int]) -> Camera:
        """The camera for a picture of ``size`` (width, height)."""
        return aim(
            self.table_mm,
            size,
            height=self.height,
            tilt=self.tilt,
            aside=self.aside,
            roll=self.roll,
            margin=self.margin,
            offset=self.offset,
            lens=self.lens,
        )

    def player(self, seat: Seat) -> Player:
        """How the arms of ``seat`` look."""
        return self.players[seat]


def linear(rgb: tuple[float, float, float]) -> Colour:
    """An sRGB colour (red, green, blue, 0 to 255) as linear light, blue first."""
    red, green, blue = ((c / 255 / 12.92) if c <= 10.3 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb)
    return blue, green, red


def tint(kelvin: float) -> Colour:
    """Colour of a lamp of this temperature, brightest part 1 or a little above for daylight."""
    blue, green, red = (float(np.interp(kelvin, _KELVIN, [t[i] for t in _TINTS])) for i in range(3))
    return blue, green, red


def make_look(
    seed: int,
    *,
    table_mm: tuple[float, float] = (900.0, 600.0),
    tilt: float | None = None,
    lens: Lens | None = None,
    light: str | None = None,
    surface: str | None = None,
) -> Look:
    """The look of seed ``seed``; what is given is kept, the rest is drawn.

    Raises:
        UserError: the tilt is not 0 to 35 degrees, or there is no such light or table top.
    """
    if tilt is not None and not 0 <= tilt <= 35:
        raise UserError(f"the camera's tilt is 0 to 35 degrees, not {tilt:g}")
    if light is not None and light not in LIGHTS:
        raise UserError(f"there is no light {light!r}: choose one of {', '.join(LIGHTS)}")
    if surface is not None and surface not in KINDS:
        raise UserError(f"there is no table top {surface!r}: choose one of {', '.join(KINDS)}")
    # Each part draws from a stream of its own, so that giving one option leaves the others as the seed has them.
    streams = [np.random.default_rng((seed, part)) for part in range(7)]
    place, optics, lamps, top, people, chip, coat = streams
    drawn_tilt = float(abs(place.normal(0, 3.0))) if place.random() < 0.6 else float(place.uniform(4, 35))
    drawn_lens = Lens(float(optics.uniform(-0.05, 0.012)), 0.0) if optics.random() < 0.4 else Lens()
    kind = light if light is not None else str(lamps.choice(LIGHTS, p=[0.4, 0.25, 0.15, 0.2]))
    top_kind = str(top.choice(KINDS, p=[0.34, 0.2, 0.18, 0.1, 0.1, 0.08]))
    mat, matted = str(top.choice(["felt", "cloth", "plain"])), bool(top.random() < 0.3)
    # A table top that was asked for is not hidden under a mat.
    matted = matted and surface is None and top_kind in ("wood", "plain", "white")
    margins = [float(margin) for margin in top.uniform(70, 420, 4)]
    return Look(
        seed=seed,
        table_mm=table_mm,
        height=float(place.uniform(720, 1250)),
        tilt=min(35.0, drawn_tilt) if tilt is None else tilt,
        aside=float(place.choice([0, 0, 0, 180])) + float(place.normal(0, 6)),
        roll=float(place.normal(0, 0.7)),
        margin=float(place.uniform(0.02, 0.07)),
        offset=(float(place.uniform(-0.8, 0.8)), float(place.uniform(-0.8, 0.8))),
        lens=drawn_lens if lens is None else lens,
        light=kind,
        lights=_lights(kind, lamps, table_mm),
        surface=surface if surface is not None else top_kind,
        mat=mat if matted else None,
        table_margin=(margins[0], margins[1], margins[2], margins[3]),
        card_gloss=(float(coat.uniform(0.15, 1.0)), float(coat.uniform(20, 80))),
        players=(_player(people), _player(people)),
        sensor=_sensor(kind, chip),
    )


def _scaled(colour: Colour, level: float) -> Colour:
    return colour[0] * level, colour[1] * level, colour[2] * level


def _around(rng: np.random.Generator, table_mm: tuple[float, float], near: float, far: float) -> tuple[float, float]:
    """A place at a distance of ``near`` to ``far`` mm from the table's middle."""
    angle, reach = rng.uniform(0, 2 * math.pi), rng.uniform(near, far)
    return table_mm[0] / 2 + reach * math.cos(angle), table_mm[1] / 2 + reach * math.sin(angle)


def _lights(kind: str, rng: np.random.Generator, table_mm: tuple[float, float]) -> Lights:
    day, warm = tint(float(rng.uniform(5200, 8000))), tint(float(rng.uniform(2700, 3500)))
    turn = rng.uniform(0, 2 * math.pi)
    window = (math.cos(turn) * 0.8, math.sin(turn) * 0.8, 0.6)
    if kind == "day":
        x, y = _around(rng, table_mm, 700, 1500)
        strength = float(rng.uniform(0.45, 0.8))
        return Lights(
            (x, y, float(rng.uniform(1100, 1900))), float(rng.uniform(160, 420)), _scaled(day, strength),
            _scaled(day, 0.75), _scaled(tint(4600), 0.3), window, _scaled(day, 0.15),
        )  # fmt: skip
    if kind == "warm lamp":
        x, y = _around(rng, table_mm, 100, 700)
        return Lights(
            (x, y, float(rng.uniform(1000, 1700))), float(rng.uniform(70, 200)), _scaled(warm, 0.85),
            _scaled(warm, 0.42), _scaled(warm, 0.22), window, _scaled(warm, 0.08),
        )  # fmt: skip
    if kind == "dim":
        x, y = _around(rng, table_mm, 550, 950)
        deep = tint(float(rng.uniform(2450, 2900)))
        return Lights(
            (x, y, float(rng.uniform(420, 750))), float(rng.uniform(50, 110)), _scaled(deep, 0.30),
            _scaled(deep, 0.065), _scaled(deep, 0.05), window, _scaled(deep, 0.02),
        )  # fmt: skip
    x, y = _around(rng, table_mm, 150, 800)
    return Lights(
        (x, y, float(rng.uniform(900, 1600))), float(rng.uniform(80, 200)), _scaled(warm, 0.6),
        _scaled(warm, 0.25), _scaled(warm, 0.18), window, _scaled(day, float(rng.uniform(0.25, 0.5))),
    )  # fmt: skip


def _player(rng: np.random.Generator) -> Player:
    bare = rng.random() < 0.3
    first, second = (_CLOTHES[int(i)] for i in rng.choice(len(_CLOTHES), 2, replace=False))
    skin = np.array(_SKINS[int(rng.integers(len(_SKINS)))]) * rng.uniform(0.93, 1.05)
    return Player(
        skin=linear((float(skin[0]), float(skin[1]), float(skin[2]))),
        size=float(rng.uniform(0.9, 1.08)),
        sleeve=float(rng.uniform(260, 330)) if bare else float(rng.uniform(15, 130)),
        cloth=linear(first),
        second=linear(second),
        pattern=str(rng.choice(SLEEVES, p=[0.55, 0.2, 0.25])),
    )


def _sensor(kind: str, rng: np.random.Generator) -> Sensor:
    dim = kind == "dim"
    return Sensor(
        exposure=float(rng.uniform(0.018, 0.028)) if dim else float(rng.uniform(0.006, 0.016)),
        brightness=float(rng.uniform(0.09, 0.13)) if dim else float(rng.uniform(0.20, 0.30)),
        white=float(rng.uniform(0.4, 0.7)) if dim else float(rng.uniform(0.55, 0.98)),
        white_balance=float(rng.uniform(0.35, 0.7)) if dim else float(rng.uniform(0.7, 0.97)),
        contrast=float(rng.uniform(0.2, 0.8)),
        blur=float(rng.uniform(0.45, 0.9)),
        sharpening=float(rng.uniform(0.0, 0.6)) if rng.random() < 0.7 else 0.0,
        noise=float(rng.uniform(3.0, 5.0)) if dim else float(rng.uniform(0.8, 2.4)),
        vignette=float(rng.uniform(0.05, 0.3)),
        flicker=0.0 if kind == "day" else float(rng.uniform(0.0, 0.012)),
        quality=int(rng.integers(27, 32)) if dim else int(rng.integers(22, 28)),
    )
