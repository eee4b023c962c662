"""What a user names as the picture of the table, opened: a camera, a video, a folder of pictures."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Final

from referee.errors import UserError
from referee.vision.camera import Camera
from referee.vision.camera_feed import Patience
from referee.vision.capture import USUAL_SIZE, open_address, open_number, without_secrets
from referee.vision.frames import FrameSource
from referee.vision.image_folder import ImageFolder
from referee.vision.video_file import VideoFile

SCHEMES: Final = ("http", "https", "rtmp", "rtp", "rtsp", "rtsps", "srt", "tcp", "udp")

_NUMBERED: Final = re.compile(r"([0-9]{1,3})(?:@([0-9]{2,5})[x×]([0-9]{2,5}))?")
"""A camera's number, and the size that is asked of it."""

NETWORK_PATIENCE: Final = Patience(first=20.0, silent=6.0, frozen=20.0, retry=1.0, farewell=6.0)
"""Network cameras send only what changed, so a quiet table may stand still byte for byte for seconds."""


def open_source(text: str) -> FrameSource:
    """Open what ``text`` names: a number is a camera, an address with ``://`` one on the network, else a path.

    Args:
        text: ``0``, ``0@1280x720`` for pictures of that size, ``rtsp://…``, a video file or a folder of pictures. A
            file called ``0`` is ``./0``.

    Raises:
        UserError: it cannot be opened; the text says why and what to do.
    """
    if numbered := _NUMBERED.fullmatch(text):
        number, width, height = numbered.groups()
        size = USUAL_SIZE if width is None else (int(width), int(height))
        return Camera(f"camera {int(number)}", partial(open_number, int(number), size))
    scheme, address, _ = text.partition("://")
    if address:
        if scheme.lower() not in SCHEMES:
            raise UserError(f"{scheme}:// is not the address of a camera: it starts with {', '.join(SCHEMES)}")
        return Camera(without_secrets(text), partial(open_address, text), patience=NETWORK_PATIENCE)
    path = Path(text).expanduser()
    return ImageFolder(path) if path.is_dir() else VideoFile(path)


def is_missing(text: str) -> bool:
    """Whether ``text``, as `open_source` takes it, names a file or a folder, and there is none."""
    return not _NUMBERED.fullmatch(text) and "://" not in text and not Path(text).expanduser().exists()
