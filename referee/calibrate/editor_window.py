"""The window in which a table is edited."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Final

import cv2
import numpy as np

from referee.calibrate.editor import Editor, zone_outline
from referee.calibrate.saved_table import SavedTable
from referee.errors import UserError
from referee.table import Zone
from referee.vision.rectify import Image

TITLE: Final = "Spit Referee: the table"

KEYS: Final = (
    "drag corners and zones",
    "arrows: nudge",
    "[ ]: turn",
    "+ -: resize",
    "a: straighten all",
    "s: snapping",
    "u: undo",
    "Enter: save",
    "Esc: leave",
)

_ENTER: Final = (10, 13)
_ESCAPE: Final = 27
# Codes of the arrow keys with GTK and Qt, Windows, and macOS.
_ARROWS: Final = {
    65361: (-1, 0), 65362: (0, -1), 65363: (1, 0), 65364: (0, 1),
    2424832: (-1, 0), 2490368: (0, -1), 2555904: (1, 0), 2621440: (0, 1),
    63234: (-1, 0), 63232: (0, -1), 63235: (1, 0), 63233: (0, 1),
}  # fmt: skip
_LARGEST: Final = 1400
_GREEN: Final = (90, 220, 90)
_YELLOW: Final = (60, 220, 255)


def edit_in_window(image: Image, table: SavedTable) -> SavedTable | None:
    """Let the user edit ``table`` over a picture of it, uint8 (H, W, 3) BGR; None if the user left without saving.

    Raises:
        UserError: no window can be opened here; says what to do instead.
    """
    _require_window()
    editor = Editor(table)
    scale = min(1.0, _LARGEST / max(image.shape[:2]))
    try:
        cv2.namedWindow(TITLE, cv2.WINDOW_AUTOSIZE)
        cv2.setMouseCallback(TITLE, lambda event, x, y, *_: _mouse(editor, event, x / scale, y / scale))
        while True:
            cv2.imshow(TITLE, draw_editor(image, editor, scale))
            code = cv2.waitKeyEx(30)
            if code in _ENTER:
                return editor.table
            if code == _ESCAPE or cv2.getWindowProperty(TITLE, cv2.WND_PROP_VISIBLE) < 1:
                return None
            press_key(editor, code)
    except cv2.error as error:
        raise UserError(_no_window(str(error.err))) from None
    finally:
        _close()


def press_key(editor: Editor, code: int) -> None:
    """What a key does."""
    if code in _ARROWS:
        editor.nudge(*_ARROWS[code])
        return
    match chr(code & 0xFF) if code >= 0 else "":
        case "[":
            editor.turn(-1)
        case "]":
            editor.turn(1)
        case "+" | "=":
            editor.resize(1.01)
        case "-":
            editor.resize(1 / 1.01)
        case "a":
            editor.straighten()
        case "s":
            editor.snapping = not editor.snapping
        case "u":
            editor.undo()


def draw_editor(image: Image, editor: Editor, scale: float) -> Image:
    """The picture with corners, zones and the keys, ``scale`` times as large: uint8 (H, W, 3) BGR."""
    picture = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    view, layout = editor.table.view, editor.table.layout
    corners = np.round(np.asarray(editor.table.corners) * scale).astype(np.int32)
    cv2.polylines(picture, [corners], True, _GREEN, 1, cv2.LINE_AA)
    for number, (x, y) in enumerate(corners):
        cv2.circle(picture, (int(x), int(y)), 7, _YELLOW if editor.chosen == number else _GREEN, 2, cv2.LINE_AA)
    for zone, box in layout.boxes.items():
        colour = _YELLOW if isinstance(editor.chosen, Zone) and editor.chosen is zone else _GREEN
        outline = np.round(np.array(zone_outline(view, box)) * scale).astype(np.int32)
        cv2.polylines(picture, [outline], True, colour, 2, cv2.LINE_AA)
        x, y = outline.mean(axis=0)
        _write(picture, zone.name, (int(x) - 10, int(y) + 5), colour)
    _write(picture, "   ".join(KEYS), (8, picture.shape[0] - 10), _GREEN)
    if editor.said:
        _write(picture, editor.said, (8, 20), _YELLOW)
    return picture


def _write(picture: Image, text: str, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    for thick, ink in ((3, (0, 0, 0)), (1, colour)):
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, ink, thick, cv2.LINE_AA)


def _mouse(editor: Editor, event: int, x: float, y: float) -> None:
    if event == cv2.EVENT_LBUTTONDOWN:
        editor.press(x, y)
    elif event == cv2.EVENT_MOUSEMOVE:
        editor.drag(x, y)
    elif event == cv2.EVENT_LBUTTONUP:
        editor.release()


def _require_window(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> None:
    """On Linux without a display the window's toolkit ends the whole program, so nobody may ask it."""
    if platform.startswith("linux") and not (environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")):
        raise UserError(_no_window("there is no display"))


def _no_window(why: str) -> str:
    return (
        f"no window can be opened here ({why.strip()}): give the corners with --corners and --size, or change the "
        "places in the table's file, which is text"
    )


def _close() -> None:
    try:
        cv2.destroyWindow(TITLE)
    except cv2.error:
        # It was never opened, or the user closed it.
        return
