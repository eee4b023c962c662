"""Whether the computer keeps up with the camera."""

from __future__ import annotations

from typing import Final

OVER_S: Final = 5.0
"""Over so long it is counted what was seen, s."""

FEWEST: Final = 0.8
"""Share of the pictures that has to be seen for rulings that can be relied on."""


class Pace:
    """Counts how many of a source's pictures were looked at."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._seen = 0
        self._drops = 0

    def look(self, now: float, frames: int, drops: int) -> str:
        """What is to be told of it; empty while all is well.

        Args:
            now: seconds that never run back.
            frames: how many more were looked at since the last call.
            drops: pictures that came while the referee was busy, since the beginning.
        """
        if self._since is None:
            self._since, self._drops = now, drops
        self._seen += frames
        if now - self._since < OVER_S:
            return ""
        seen, came = self._seen, self._seen + drops - self._drops
        self._since, self._seen, self._drops = now, 0, drops
        if seen >= FEWEST * came:
            return ""
        return (
            "This computer does not keep up with the camera, so rulings may be wrong: close other programs, or ask the "
            "camera for smaller pictures, such as --camera 0@1280x720."
        )
