"""A folder of pictures as a source of frames."""

from __future__ import annotations

import re
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from referee.errors import UserError
from referee.vision.frames import Frame, FrameSource, Image

SUFFIXES: Final = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"})

TIME_IN_NAME: Final = re.compile(r"(?:(?P<s>\d+\.\d+)s?|(?P<ms>\d+)ms)$")
RATE_IN_NAME: Final = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?) ?fps", re.IGNORECASE)


class ImageFolder(FrameSource):
    """The pictures of a folder in natural order of their names (``9.png`` before ``10.png``).

    Their times come from the end of every name (``table_12.467.png`` or ``12.467s`` in seconds, ``table_12467ms.png``
    in milliseconds), else from a rate in the folder's name (``evening 30fps``).
    A picture that cannot be read is left out and told of in ``damage``.
    """

    def __init__(self, path: Path | str) -> None:
        """List the folder and read its first picture.

        Args:
            path: the folder.

        Raises:
            UserError: there is no such folder, it holds no picture that can be read, or nothing tells the times.
        """
        self._path = Path(path)
        if not self._path.is_dir():
            raise UserError(f"{self._path}: there is no such folder: check the name")
        files = [file for file in self._path.iterdir() if file.suffix.lower() in SUFFIXES and file.is_file()]
        if not files:
            raise UserError(
                f"{self._path} holds no pictures: give a folder of {', '.join(sorted(SUFFIXES))} files, or a video"
            )
        timed = _timed(self._path, files)
        self._last = timed[-1][1]
        self._pending = timed[::-1]
        self._unreadable: list[Path] = []
        self._read_so_far = 0
        self._ahead = self._next_image()
        if self._ahead is None:
            raise UserError(f"{self._path}: none of its {len(files)} pictures can be read: copy them again")
        self._origin = self._ahead[1]
        height, width = self._ahead[2].shape[:2]
        self._size = (width, height)
        self._count = len(files)

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    @property
    def description(self) -> str:
        width, height = self._size
        return f"{self._path.name}, {width}x{height}, {self._count} pictures in {self.duration:.4g} s"

    @property
    def duration(self) -> float:
        return self._last - self._origin

    @property
    def damage(self) -> str:
        if not self._unreadable:
            return ""
        number = len(self._unreadable)
        what = "1 picture" if number == 1 else f"{number} pictures"
        return f"{self._path} is damaged: {what} cannot be read, the first is {self._unreadable[0].name}"

    def read(self) -> Frame | None:
        """The next frame, or None after the last one.

        Raises:
            UserError: the picture's size is not that of the first one.
        """
        if self._ahead is None:
            return None
        file, t, image = self._ahead
        if image.shape[1::-1] != self._size:
            width, height = image.shape[1::-1]
            raise UserError(
                f"{file} is {width}x{height} and the pictures before it are {self._size[0]}x{self._size[1]}: "
                "put pictures of one size in a folder"
            )
        frame = Frame(self._read_so_far, t - self._origin, image)
        self._read_so_far += 1
        self._ahead = self._next_image()
        return frame

    def close(self) -> None:
        self._ahead = None
        self._pending.clear()

    def _next_image(self) -> tuple[Path, float, Image] | None:
        while self._pending:
            file, t = self._pending.pop()
            image = _load(file)
            if image is not None:
                return file, t, image
            self._unreadable.append(file)
        return None


def _load(file: Path) -> Image | None:
    try:
        # Read here, because OpenCV cannot open names outside the system's code page on Windows.
        data = np.frombuffer(file.read_bytes(), np.uint8)
    except OSError:
        return None
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)


def _natural(file: Path) -> tuple[list[tuple[int, str]], str]:
    parts = re.split(r"(\d+)", file.name.lower())
    return [(int(part) if part.isdecimal() else -1, part) for part in parts], file.name


def _timed(folder: Path, files: list[Path]) -> list[tuple[Path, float]]:
    """The pictures in their order and the second of each."""
    in_names = [TIME_IN_NAME.search(file.stem) for file in files]
    seconds = [float(m["s"]) if m["s"] else int(m["ms"]) / 1000 for m in in_names if m]
    if len(seconds) == len(files):
        timed = sorted(zip(files, seconds, strict=True), key=itemgetter(1))
        for (before, t), (after, t_after) in pairwise(timed):
            if t == t_after:
                raise UserError(f"{before} and {after.name} are of the same second: name one of them anew")
        return timed
    named = RATE_IN_NAME.search(folder.resolve().name)
    if named is None:
        raise UserError(
            f"{folder}: nothing tells when its pictures were taken: name the folder like "
            f"'{folder.resolve().name} 30fps', or end every name with its second, as in table_12.467.png"
        )
    rate = float(named[1])
    if not rate:
        raise UserError(f"{folder}: {rate:g} pictures a second cannot be: name the folder with a rate above 0")
    return [(file, index / rate) for index, file in enumerate(sorted(files, key=_natural))]
