"""A camera without a device: it films what a script says, in time that only the script and pauses move."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from referee.errors import UserError
from referee.vision.camera_feed import Capture
from tests.vision.films import SIZE, numbered

PATIENCE_S = 10.0
"""Real seconds after which a test that waits for a thread has failed."""


class FakeTime:
    """A clock and pauses that take no time."""

    def __init__(self) -> None:
        self.now = 100.0
        self.pauses: list[float] = []

    def clock(self) -> float:
        return self.now

    def pause(self, event: threading.Event, seconds: float) -> bool:
        self.now += seconds
        self.pauses.append(seconds)
        return event.is_set()


@dataclass(frozen=True)
class Picture:
    """Numbered; comes only once the test asks for it with `FakeCamera.film`, or of itself."""

    number: int
    size: tuple[int, int] = SIZE
    of_itself: bool = False


@dataclass(frozen=True)
class Nothing:
    """No picture; where ``claimed``, the driver says there is one."""

    claimed: bool = False


@dataclass(frozen=True)
class Hang:
    """The driver does not return for ever; meanwhile so many seconds pass."""

    seconds: float = 0.0


Step = Picture | Nothing | Hang | Exception


@dataclass
class FakeCamera:
    """Opens once for every take, a script each or a refusal; after the last one opening hangs.

    Attributes:
        time: what its pictures and failures take, `period` each, moves this.
    """

    time: FakeTime
    takes: list[Iterable[Step] | UserError]
    period: float = 1 / 30
    mode: str = "sent as MJPG"
    released: int = 0
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _wanted: int = 0
    _idle: bool = False
    _freed: bool = False

    def open(self) -> Capture:
        if not self.takes:
            self.wait_until_freed()
            raise UserError("the fake camera is gone")
        take = self.takes.pop(0)
        if isinstance(take, UserError):
            raise take
        return FakeCapture(self, iter(take))

    def film(self, count: int = 1) -> None:
        """Have it film the next pictures, and wait until the last one was handed over."""
        self.allow(count)
        self.wait_until_idle()

    def allow(self, count: int = 1) -> None:
        """Let it film the next pictures when it comes to them."""
        with self._changed:
            self._wanted += count
            self._idle = False
            self._changed.notify_all()

    def wait_until_idle(self) -> None:
        """Wait until it has a picture that nobody asked for."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._idle, PATIENCE_S)

    def free(self) -> None:
        """Let every call that hangs return with nothing."""
        with self._changed:
            self._freed = True
            self._changed.notify_all()

    def wait_until_released(self, count: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self.released >= count, PATIENCE_S)

    def wait_until_freed(self) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self._freed, PATIENCE_S)

    def wait_until_wanted(self) -> bool:
        with self._changed:
            self._idle = not self._wanted
            self._changed.notify_all()
            assert self._changed.wait_for(lambda: self._wanted or self._freed, PATIENCE_S)
            self._idle = False
            if self._freed:
                return False
            self._wanted -= 1
            return True

    def let_go(self) -> None:
        with self._changed:
            self.released += 1
            self._changed.notify_all()


class FakeCapture:
    """One take."""

    def __init__(self, camera: FakeCamera, script: Iterator[Step]) -> None:
        self._camera = camera
        self._script = script
        self._image: npt.NDArray[np.uint8] | None = None

    @property
    def mode(self) -> str:
        return self._camera.mode

    def grab(self) -> bool:
        self._image = None
        step = next(self._script, Hang())
        match step:
            case Exception():
                raise step
            case Hang(seconds):
                self._camera.time.now += seconds
                self._camera.wait_until_freed()
                return False
            case Picture(number, size, of_itself):
                if not of_itself and not self._camera.wait_until_wanted():
                    return False
                self._image = numbered(number, size)
        self._camera.time.now += self._camera.period
        return self._image is not None or (isinstance(step, Nothing) and step.claimed)

    def retrieve(self) -> npt.NDArray[np.uint8] | None:
        return self._image

    def release(self) -> None:
        self._camera.let_go()
