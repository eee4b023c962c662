"""The overlay: the table with its zones, the score above, the last rulings below, to be read from across a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from referee.live.lettering import Colour, fitting, width_of, write
from referee.live.scene import Light, PlayerShown, Scene, ZoneShown
from referee.record.overlay import outline
from referee.table import Box, Seat, Zone
from referee.vision.frames import Image
from referee.vision.rectify import Points, TableView

WIDTH: Final = 1280
"""Of what is shown, px; a wider picture is made smaller, a narrower one larger."""

TOP: Final = 64
BOTTOM: Final = 214
EDGE: Final = 8
"""Heights of the bars above and below the picture and of the strip of light about it, px."""

DARK: Final[Colour] = (34, 30, 28)
PALE: Final[Colour] = (240, 240, 240)
DIM: Final[Colour] = (150, 150, 150)
COLOURS: Final[Mapping[Light, Colour]] = {
    Light.GREEN: (90, 200, 80), Light.AMBER: (40, 180, 255), Light.RED: (70, 70, 255), Light.DARK: (120, 120, 120),
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """Where the zones lie in the picture as it is shown: their corners, px."""

    view: TableView
    scale: float
    corners: Mapping[Zone, Points]


class Overlay:
    """Draws pictures of one size."""

    def __init__(self, boxes: Mapping[Zone, Box]) -> None:
        """Draw the zones ``boxes``, mm."""
        self._boxes = dict(boxes)
        self._places: _Places | None = None

    def draw(self, image: Image, view: TableView, scene: Scene) -> Image:
        """A picture to show.

        Args:
            image: uint8 array (H, W, 3) BGR; it is not drawn upon.
            view: where the table lies in it.
            scene: what is shown with it.

        Returns:
            uint8 array (about ``WIDTH`` * H / W + ``TOP`` + ``BOTTOM``, ``WIDTH``, 3) BGR.
        """
        scale = WIDTH / image.shape[1]
        height = round(image.shape[0] * scale)
        canvas = np.empty((TOP + height + BOTTOM, WIDTH, 3), np.uint8)
        canvas[:TOP] = DARK
        canvas[TOP + height :] = DARK
        picture = canvas[TOP : TOP + height]
        cv2.resize(image, (WIDTH, height), dst=picture, interpolation=cv2.INTER_LINEAR)
        corners = self._corners(view, scale)
        for shown in scene.zones:
            _zone(picture, shown, corners[shown.zone])
        cv2.rectangle(picture, (0, 0), (WIDTH - 1, height - 1), COLOURS[scene.light], 2 * EDGE)
        _score(canvas[:TOP], scene)
        _rulings(canvas[TOP + height :], scene)
        if scene.help_shown:
            _help(picture, scene.keys)
        if scene.notice:
            _banner(picture, scene.notice)
        return canvas

    def _corners(self, view: TableView, scale: float) -> Mapping[Zone, Points]:
        if self._places is None or self._places.view is not view or self._places.scale != scale:
            # Pixels are counted from their centres.
            corners = {
                zone: (view.to_image(np.array(box.corners())) + 0.5) * scale - 0.5 for zone, box in self._boxes.items()
            }
            self._places = _Places(view, scale, corners)
        return self._places.corners


def _zone(picture: Image, shown: ZoneShown, corners: Points) -> None:
    colour = COLOURS[shown.light]
    outline(picture, corners, colour, 3 if shown.light is Light.RED else 2)
    x = corners[:, 0].mean()
    below = corners[:, 1].max() + 20
    if below > picture.shape[0] - EDGE:
        below = corners[:, 1].min() - 8
    label = shown.label if shown.confidence is None else f"{shown.label} {shown.confidence:.0%}"
    if not label:
        return
    width = width_of(label, 12)
    left, top = round(x - width / 2), round(below)
    _shade(picture, left - 4, top - 17, left + width + 4, top + 5)
    write(picture, label, left, top, 12, colour)


def _score(bar: Image, scene: Scene) -> None:
    middle = scene.where
    write(bar, middle, (WIDTH - width_of(middle, 20)) / 2, 43, 20, PALE)
    for seat, player in zip(Seat, scene.players, strict=True):
        told = _counts(player)
        name = fitting(player.name, 24, (WIDTH - width_of(middle, 20)) / 2 - 60 - width_of(told, 13))
        wide = width_of(name, 24) + 18 + width_of(told, 13)
        left = 20 if seat is Seat.A else WIDTH - 20 - wide
        write(bar, name, left, 43, 24, PALE)
        write(bar, told, left + width_of(name, 24) + 18, 43, 13, DIM)


def _counts(player: PlayerShown) -> str:
    result = f"won {player.won}" if player.points is None else f"points {player.points}"
    return f"stock {player.stock}  reserve {player.reserve}  {result}"


def _rulings(bar: Image, scene: Scene) -> None:
    y = 34
    for number, line in enumerate(scene.lines):
        last = number == len(scene.lines) - 1
        height = 32 if last else 20
        y += 26 if last else 0
        cv2.circle(bar, (34, y - height // 2), height // 2, COLOURS[line.light], cv2.FILLED, cv2.LINE_AA)
        text = fitting(line.text, height, WIDTH - 90)
        write(bar, text, 66, y, height, PALE if last else DIM if line.light is Light.GREEN else COLOURS[line.light])
        y += 34
    figures = f"{scene.rate:.0f} fps   {scene.drops} dropped"
    if scene.left_out:
        figures += f"   {scene.left_out} not recorded"
    foot = bar.shape[0] - 12
    write(bar, figures, WIDTH - 20 - width_of(figures, 12), foot, 12, DIM)
    keys = "   ".join(f"{key} {what}" for key, what in scene.keys)
    write(bar, fitting(keys, 12, WIDTH - 60 - width_of(figures, 12)), 20, foot, 12, DIM)


def _banner(picture: Image, text: str) -> None:
    lines = _lines(text, 20, WIDTH - 120)
    width = max(width_of(line, 20) for line in lines)
    left = (WIDTH - width) // 2
    _shade(picture, left - 24, EDGE, left + width + 24, EDGE + 18 + 34 * len(lines))
    for row, line in enumerate(lines):
        write(picture, line, left, EDGE + 36 + 34 * row, 20, COLOURS[Light.AMBER])


def _lines(text: str, height: float, width: float) -> list[str]:
    """``text`` in lines that are no wider than ``width`` px."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, height) <= width:
            lines[-1] = longer
        else:
            lines.append(fitting(word, height, width))
    return lines


def _help(picture: Image, keys: Sequence[tuple[str, str]]) -> None:
    wide = max(width_of(key, 22) for key, _ in keys) + 40
    right = 60 + wide + max(width_of(what, 22) for _, what in keys)
    _shade(picture, 30, 80, right + 30, 110 + 44 * len(keys))
    for row, (key, what) in enumerate(keys):
        write(picture, key, 60, 126 + 44 * row, 22, COLOURS[Light.GREEN])
        write(picture, what, 60 + wide, 126 + 44 * row, 22, PALE)


def _shade(picture: Image, left: int, top: int, right: int, bottom: int) -> None:
    """Darken a part, so that pale letters stand out on it."""
    part = picture[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
    np.right_shift(part, 2, out=part)
