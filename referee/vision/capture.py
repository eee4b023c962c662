"""Cameras as OpenCV opens them: by number, or by the address of one on the network."""

from __future__ import annotations

from typing import Any, Final, Protocol
from urllib.parse import urlsplit

import cv2
import numpy as np
from cv2.utils.logging import getLogLevel, setLogLevel

from referee.errors import UserError
from referee.vision.frames import Image

USUAL_SIZE: Final = (1920, 1080)
USUAL_RATE: Final = 30.0

MJPG: Final = cv2.VideoWriter.fourcc(*"MJPG")

OPEN_MS: Final = 10_000
READ_MS: Final = 5_000
"""How long a network camera may take to answer, and to send its next picture."""

SILENT: Final = 0
"""OpenCV's log level at which a camera that cannot be opened is told by us alone."""


class Device(Protocol):
    """The part of `cv2.VideoCapture` that is used."""

    def grab(self) -> bool: ...
    def retrieve(self) -> tuple[bool, Any]: ...
    def get(self, propId: int, /) -> float: ...
    def set(self, propId: int, value: float, /) -> bool: ...
    def release(self) -> None: ...


class OpenCapture:
    """A device in the terms of `referee.vision.camera_feed.Capture`."""

    def __init__(self, device: Device, mode: str) -> None:
        self._device = device
        self._mode = mode

    @property
    def mode(self) -> str:
        return self._mode

    def grab(self) -> bool:
        return self._device.grab()

    def retrieve(self) -> Image | None:
        good, image = self._device.retrieve()
        # Some drivers report success after the camera was unplugged and give nothing, or one grey channel.
        if not good or image is None or image.ndim != 3 or image.shape[2] != 3 or not image.size:
            return None
        return np.asarray(image, np.uint8)

    def release(self) -> None:
        self._device.release()


def open_number(number: int, size: tuple[int, int] = USUAL_SIZE, rate: float = USUAL_RATE) -> OpenCapture:
    """Open a camera of this computer and ask it for a size and rate; it gives what it can.

    Args:
        number: cameras count from 0.
        size: width and height, px.
        rate: pictures a second.

    Raises:
        UserError: it cannot be opened.
    """
    device = _opened(number, cv2.CAP_ANY, [])
    if device is None:
        raise UserError(
            f"camera {number} cannot be opened: check that it is plugged in, that no other program uses it, and that "
            "this one is allowed to; the first camera has number 0"
        )
    return OpenCapture(device, ask_for(device, size, rate))


def open_address(address: str) -> OpenCapture:
    """Open a camera on the network.

    Args:
        address: its URL; may hold a name and password, which are never shown.

    Raises:
        UserError: it cannot be opened.
    """
    patience = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_MS]
    device = _opened(address, cv2.CAP_FFMPEG, patience)
    if device is None:
        raise UserError(
            f"{without_secrets(address)} cannot be opened: check the address, name and password, and that the camera "
            "is on and in the same network"
        )
    # What this default is depends on the version of OpenCV.
    device.set(cv2.CAP_PROP_ORIENTATION_AUTO, 1)
    return OpenCapture(device, f"sent as {_fourcc(device)}")


def ask_for(device: Device, size: tuple[int, int], rate: float) -> str:
    """Ask an open camera for compressed pictures of a size and rate.

    Uncompressed pictures of this size come at 5 to 10 a second over USB. Some back ends take the compression only
    before the size and some only after it.

    Returns:
        what it agreed to, for the user.
    """
    device.set(cv2.CAP_PROP_FOURCC, MJPG)
    device.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    device.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    device.set(cv2.CAP_PROP_FPS, rate)
    if int(device.get(cv2.CAP_PROP_FOURCC)) != MJPG:
        device.set(cv2.CAP_PROP_FOURCC, MJPG)
    device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return f"sent as {_fourcc(device)}, asked for {rate:g} pictures a second"


def without_secrets(address: str) -> str:
    """A network address as it may be shown and logged: no name, password or parameters."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _opened(source: int | str, back_end: int, settings: list[int]) -> cv2.VideoCapture | None:
    level = getLogLevel()
    setLogLevel(SILENT)
    try:
        if isinstance(source, int):
            device = cv2.VideoCapture(source, back_end)
        else:
            device = cv2.VideoCapture(source, back_end, settings)
    finally:
        setLogLevel(level)
    if device.isOpened():
        return device
    device.release()
    return None


def _fourcc(device: Device) -> str:
    code = int(device.get(cv2.CAP_PROP_FOURCC))
    letters = bytes(code >> shift & 255 for shift in (0, 8, 16, 24)) if code > 0 else b""
    text = letters.decode("ascii", "replace").strip()
    return text if text.isprintable() and text else "an unknown format"
