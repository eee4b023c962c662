"""The loop at the table: pictures from the camera, keys from the window, words to the voice, until somebody ends it."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from referee.announce.announcement import Announcement
from referee.live.feed import Feed, LiveSource
from referee.live.game import LiveGame, Step
from referee.live.overlay import Overlay
from referee.live.pace import Pace
from referee.record.entries import Key
from referee.vision.frames import Image

PATIENCE_S: Final = 0.05
"""So long a picture is waited for before keys and troubles are looked after again."""

DRAWN_S: Final = 1 / 15
"""The window is drawn anew no more often than this."""

LETTERS: Final = {" ": Key.PAUSE, "u": Key.UNDO, "s": Key.SPIT, "n": Key.NEW_ROUND}
ENDS: Final = ("q", "\x1b")

HELP: Final = (
    ("space", "pause"),
    ("u", "take back the last ruling"),
    ("s", "both are ready to spit"),
    ("n", "new round"),
    ("h", "help"),
    ("q", "quit"),
)
"""What each key does."""


class ShowsPictures(Protocol):
    """A window."""

    def show(self, picture: Image) -> str:
        """Show a picture; the key pressed since the last one, empty for none."""


class Speaks(Protocol):
    """A voice."""

    def say(self, announcements: tuple[Announcement, ...]) -> None:
        """Let them wait their turn."""

    def settle(self, topics: tuple[str, ...]) -> None:
        """Nothing on these topics that still waits is said."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where a game goes.

    Attributes:
        window: shows it; None without one.
        voice: speaks; None without one.
        told: is given every step that says something, as it comes.
        troubles: sentences on what fails elsewhere, from any thread.
        stop: set to end the game.
    """

    window: ShowsPictures | None
    voice: Speaks | None
    told: Callable[[Step], None]
    troubles: queue.SimpleQueue[str]
    stop: threading.Event


def referee_live(
    source: LiveSource, game: LiveGame, outputs: Outputs, overlay: Overlay, clock: Callable[[], float] = time.monotonic
) -> None:
    """Referee ``source``, which is closed with it, until it ends or somebody ends the game; then say what is left.

    Raises:
        Exception: whatever ended the source; the game is then kept so far that it can be gone on with.
    """
    drawn = float("-inf")
    pace = Pace()
    with Feed(source) as feed:
        while not outputs.stop.is_set() and not feed.ended:
            frame = feed.next(PATIENCE_S)
            step = Step() if frame is None else game.watch(frame)
            step += game.camera(source.gaps)
            now = clock()
            if slow := pace.look(now, int(frame is not None), source.drops):
                step += game.trouble(slow)
            while not outputs.troubles.empty():
                step += game.trouble(outputs.troubles.get())
            _hand_over(step, outputs)
            if outputs.window is not None and game.frame is not None and now - drawn >= DRAWN_S:
                drawn = now
                picture = overlay.draw(game.frame.image, game.view, game.scene(source.rate, source.drops, HELP))
                _press(outputs.window.show(picture), game, outputs)
    _hand_over(game.finish(), outputs)


def _press(letter: str, game: LiveGame, outputs: Outputs) -> None:
    if letter in ENDS:
        outputs.stop.set()
    elif letter == "h":
        game.toggle_help()
    elif letter in LETTERS:
        _hand_over(game.press(LETTERS[letter]), outputs)


def _hand_over(step: Step, outputs: Outputs) -> None:
    if outputs.voice is not None:
        if step.announcements:
            outputs.voice.say(step.announcements)
        if step.settled:
            outputs.voice.settle(step.settled)
    if step.commits or step.notices or step.announcements:
        outputs.told(step)
