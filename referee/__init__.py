"""A referee for the card game Spit that works by sight.

As a library: ``read_photo`` reads the cards in a photograph, ``judge`` rules on an action, ``referee_video`` referees a
film and ``told`` puts what it found into words. ``referee.rules`` is the whole law.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from referee.api import judge, read_photo, referee_video
    from referee.errors import UserError
    from referee.tracking.results import told

__version__ = "0.1.0"

__all__ = ["UserError", "__version__", "judge", "read_photo", "referee_video", "told"]

_HOMES: Final = {
    "UserError": "referee.errors",
    "judge": "referee.api",
    "read_photo": "referee.api",
    "referee_video": "referee.api",
    "told": "referee.tracking.results",
}
"""Where each of them is; only what is asked for is imported, so that importing ``referee`` costs nothing."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
