"""Running a YOLO network on crops: ONNX Runtime for exported ones, ultralytics for ``.pt`` files.

Whatever the file, `Engine.run` answers in one form, which is what ultralytics exports without suppression: an array
(N, 4 + classes, places) of centre x, centre y, width, height in crop pixels and a score of 0..1 for each class.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.errors import UserError
from referee.vision.balance import balance

Floats: TypeAlias = npt.NDArray[np.float32]

_SUPPRESSED: Final = 6
"""Width of a row when a network suppresses doubles by itself: x1, y1, x2, y2, score, class."""

_SHARES: Final = np.arange(256, dtype=np.float32) / np.float32(255)
"""Levels as networks take them."""


def open_session(path: Path) -> Any:
    """An exported network in ONNX Runtime, on the processor.

    Raises:
        UserError: the file is none.
    """
    import onnxruntime as ort

    options = ort.SessionOptions()
    # One thread: a crop is too small to share out, and threads that wait burn what the video decoder needs.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime's own exceptions share no base of theirs
        raise UserError(f"{path} is not a model that ONNX Runtime can run: {_first_line(error)}") from None


class Engine(Protocol):
    """A network ready to run."""

    classes: tuple[str, ...]
    size: int

    def run(self, batch: Floats) -> Floats:
        """What the network finds.

        Args:
            batch: float32 array (N, 3, S, S), RGB, 0..1.

        Returns:
            float32 array (N, 4 + classes, places).
        """


class OnnxEngine:
    """An exported network, through ONNX Runtime on the processor."""

    def __init__(self, path: Path) -> None:
        self._session = open_session(path)
        inputs, outputs = self._session.get_inputs(), self._session.get_outputs()
        if len(inputs) != 1 or len(inputs[0].shape) != 4 or len(outputs) != 1:
            raise UserError(f"{path} is not a YOLO detector: it should take one picture and give one table of boxes")
        self._input = inputs[0].name
        self._one_by_one = inputs[0].shape[0] == 1
        side = inputs[0].shape[2]
        told = self._session.get_modelmeta().custom_metadata_map
        self.size = side if isinstance(side, int) else _told_size(told.get("imgsz", ""))
        self.classes = _told_classes(told.get("names", ""))
        self._path = path

    def run(self, batch: Floats) -> Floats:
        if self._one_by_one and len(batch) != 1:
            return np.concatenate([self.run(batch[place : place + 1]) for place in range(len(batch))])
        found = np.asarray(self._session.run(None, {self._input: batch})[0], np.float32)
        return _one_form(found, len(batch), len(self.classes), self._path)


class UltralyticsEngine:
    """A ``.pt`` file, through ultralytics and torch."""

    def __init__(self, path: Path) -> None:
        try:
            import torch

            from referee.train.learning import load_weights, names_of
        except ImportError:
            raise UserError(
                f"{path} needs ultralytics: install it with pip install 'spit-referee[train]', or export the model to "
                ".onnx"
            ) from None
        self._torch, self._model = torch, load_weights(path)
        self._model.eval()
        self.classes = names_of(self._model)
        self.size = 0
        self._path = path

    def run(self, batch: Floats) -> Floats:
        with self._torch.inference_mode():
            found: Any = self._model(self._torch.from_numpy(batch))
        first = found[0] if isinstance(found, (tuple, list)) else found
        return _one_form(np.asarray(first, np.float32), len(batch), len(self.classes), self._path)


def as_input(crops: Sequence[npt.NDArray[np.uint8]]) -> Floats:
    """Crops, uint8 (S, S, 3) BGR of one size, as networks take them: balanced, float32 (N, 3, S, S), RGB, 0..1."""
    batch = np.empty((len(crops), 3, *crops[0].shape[:2]), np.float32)
    for crop, into in zip(crops, batch, strict=True):
        table = balance(crop)
        shares = np.broadcast_to(_SHARES, (3, 256)) if table is None else _SHARES[table].T
        # One look-up for each channel balances, scales and lays it where the network wants it.
        for plane, share, place in zip(cv2.split(crop), shares, into[::-1], strict=True):
            cv2.LUT(plane, share, place)
    return batch


def open_engine(path: Path) -> Engine:
    """The engine for a file."""
    return UltralyticsEngine(path) if path.suffix.lower() == ".pt" else OnnxEngine(path)


def _one_form(found: Floats, count: int, classes: int, path: Path) -> Floats:
    if found.ndim == 3 and found.shape[0] == count:
        if found.shape[2] == _SUPPRESSED and found.shape[1] != 4 + classes:
            return _spread(found, max(classes, 1))
        if classes and found.shape[1] == 4 + classes:
            return found
    raise UserError(
        f"{path} answers in the form {found.shape}, not as a YOLO detector of {classes} classes does: export it with "
        "nms=False and without other options"
    )


def _spread(found: Floats, classes: int) -> Floats:
    """Rows of x1, y1, x2, y2, score, class in the one form."""
    count, places, _ = found.shape
    spread = np.zeros((count, 4 + classes, places), np.float32)
    low, high = found[..., 0:2], found[..., 2:4]
    spread[:, 0:2] = ((low + high) / 2).transpose(0, 2, 1)
    spread[:, 2:4] = (high - low).transpose(0, 2, 1)
    row, place = np.indices((count, places))
    spread[row, 4 + np.clip(found[..., 5].astype(int), 0, classes - 1), place] = found[..., 4]
    return spread


def _told_classes(text: str) -> tuple[str, ...]:
    """Names as ultralytics writes them into a file: a Python dictionary of numbers and names."""
    try:
        names = ast.literal_eval(text) if text else {}
        return tuple(str(names[number]) for number in range(len(names)))
    except (ValueError, SyntaxError, KeyError, TypeError):
        return ()


def _told_size(text: str) -> int:
    try:
        size = ast.literal_eval(text) if text else 0
        return int(size[0] if isinstance(size, (list, tuple)) else size)
    except (ValueError, SyntaxError, TypeError, IndexError):
        return 0


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
