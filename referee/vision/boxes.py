"""MP4 files that were cut off while being written, or damaged in one part: where they are still whole."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import BinaryIO


def box_ends(path: Path) -> tuple[list[int], bool]:
    """Where the outermost boxes of an MP4 end, in bytes, and whether another one begins that is cut off.

    No box is found in a file of another kind.
    """
    size = path.stat().st_size
    ends: list[int] = []
    at = 0
    with path.open("rb") as file:
        while at < size:
            file.seek(at)
            head = file.read(16)
            if at == 0 and head[4:8] != b"ftyp":
                break
            length = int.from_bytes(head[:4], "big")
            if length == 1:
                length = int.from_bytes(head[8:16], "big")
            if len(head) < 8 or at + length > size:
                return ends, True
            if length < 8:
                # 0 means up to the end of the file; the others are no boxes.
                break
            at += length
            ends.append(at)
    return ends, False


class Beginning(io.RawIOBase):
    """The first bytes of a file, as a file."""

    def __init__(self, path: Path, size: int) -> None:
        super().__init__()
        self._file: BinaryIO = path.open("rb")
        self._size = size

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        left = max(self._size - self._file.tell(), 0)
        return self._file.read(left if size < 0 else min(size, left))

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        if whence == os.SEEK_END:
            return self._file.seek(self._size + offset)
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def close(self) -> None:
        self._file.close()
        super().close()
