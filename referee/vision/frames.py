"""Pictures of the table in order of time, whatever films them: the frame and the contract of its sources."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

Image: TypeAlias = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the table.

    Attributes:
        index: how many pictures of the source come before this one.
        t: seconds from the source's first picture, by the source's own clock: presentation time in files, capture
            time on cameras.
        image: uint8 array (height, width, 3), BGR, upright as the source means it to be seen. Whoever draws on it
            draws on a copy, because every stage after the source is handed this same array.
    """

    index: int
    t: float
    image: Image
    _half: list[Image] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.image.dtype != np.uint8 or self.image.ndim != 3 or self.image.shape[2] != 3 or not self.image.size:
            raise ValueError(f"a frame is uint8 (height, width, 3), not {self.image.dtype} {self.image.shape}")
        if self.index < 0 or not math.isfinite(self.t) or self.t < 0:
            raise ValueError(f"a frame has a place and a time from 0 on, not {self.index} and {self.t}")

    def half(self) -> Image:
        """``image`` with half the width and height, every pixel a mean; made once for all who ask."""
        if not self._half:
            self._half.append(halved(self.image))
        return self._half[0]


def halved(image: Image) -> Image:
    """``image``, uint8 (H, W, 3), with half the width and height; every pixel is a mean."""
    size = (max(image.shape[1] // 2, 1), max(image.shape[0] // 2, 1))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


class FrameSource(ABC):
    """Where frames come from. Opened by its constructor, closed by ``close`` or by leaving its ``with`` block.

    Every source gives pictures of one size, counts them from 0 without a hole, and never lets time stand still or
    run back. Constructors and ``read`` raise `referee.errors.UserError` for what the user can put right.
    """

    @property
    @abstractmethod
    def size(self) -> tuple[int, int]:
        """Width and height of every picture, px."""

    @property
    @abstractmethod
    def description(self) -> str:
        """What this is, in one line for the user: its name, size and rate."""

    @property
    @abstractmethod
    def duration(self) -> float | None:
        """About how many seconds the source lasts, for telling progress; None where it cannot say."""

    @property
    @abstractmethod
    def damage(self) -> str:
        """What was wrong with the pictures read so far, as a sentence; empty while nothing was."""

    @abstractmethod
    def read(self) -> Frame | None:
        """The next frame; waits for it where it has yet to be filmed. None at the end and once closed."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the file or device. Closing again does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
