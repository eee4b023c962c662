"""The window, by OpenCV; it may be used in the main thread only."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Final

import cv2

from referee.errors import UserError
from referee.vision.frames import Image

TITLE: Final = "Spit Referee"

TRIAL: Final = "import cv2; cv2.namedWindow('?'); cv2.waitKey(1); cv2.destroyAllWindows()"
TRIAL_S: Final = 20.0

ESCAPE: Final = "\x1b"


class Window:
    """Shows pictures and hears keys."""

    def __init__(self, environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> None:
        """Open it.

        Raises:
            UserError: there is no display, or no window can be opened on it; the text is a clause that says why.
        """
        if platform.startswith("linux"):
            _try(environment)
        try:
            cv2.namedWindow(TITLE, cv2.WINDOW_NORMAL | cv2.WINDOW_KEEPRATIO)
        except cv2.error as error:
            raise UserError(str(error.err).strip()) from None
        self._sized = False

    def show(self, picture: Image) -> str:
        """Show a picture, uint8 (H, W, 3) BGR; the key pressed since the last one, empty for none.

        Escape is also what is heard once the user has closed the window.
        """
        if not self._sized:
            cv2.resizeWindow(TITLE, picture.shape[1], picture.shape[0])
            self._sized = True
        cv2.imshow(TITLE, picture)
        code = cv2.waitKey(1)
        if cv2.getWindowProperty(TITLE, cv2.WND_PROP_VISIBLE) < 1:
            return ESCAPE
        return chr(code & 0xFF) if code >= 0 else ""

    def close(self) -> None:
        """Close it. Closing again does nothing."""
        try:
            cv2.destroyWindow(TITLE)
        except cv2.error:
            # The user has closed it.
            return


def _try(environment: Mapping[str, str]) -> None:
    """See in another process whether a window can be opened: where not, the toolkit ends the process."""
    if not (environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")):
        raise UserError("there is no display")
    try:
        trial = subprocess.run(
            [sys.executable, "-c", TRIAL], env=dict(environment), capture_output=True, timeout=TRIAL_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        raise UserError("the display does not answer") from None
    if trial.returncode:
        raise UserError("the display cannot be used")
