"""From trained weights to the files that ship: the exported model, and what a reader has to know of it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np

from referee.errors import UserError
from referee.readings import BACK, EMPTY
from referee.train.network import CLASSES, quiet_ultralytics
from referee.train.shelves import HIDDEN_CLASS, NOTHING, Shelf
from referee.vision.engine import OnnxEngine, as_input
from referee.vision.evidence import HIDDEN, Calibration, Doubles, Places, probabilities
from referee.vision.index_reader import IndexReader
from referee.vision.opinion import opinions
from referee.vision.rectify import CROP_MM

MODEL: Final = "reader.onnx"
ABOUT: Final = "reader.json"

_OPSET: Final = 17
_ROUNDS: Final = 40

MEANS: Final[Places] = np.array([*range(BACK + 1), HIDDEN], np.intp)
"""What the classes of a network trained here mean, as `referee.vision.evidence` takes it."""


def export(weights: Path, size: int, folder: Path) -> Path:
    """Weights as an ONNX file in ``folder`` that takes any number of crops of any size and suppresses nothing.

    Raises:
        UserError: ultralytics cannot export, or the file is not of the form that is read.
    """
    quiet_ultralytics()
    try:
        from ultralytics.models.yolo.model import YOLO
    except ImportError:
        raise UserError("exporting needs ultralytics: install it with pip install 'spit-referee[train]'") from None
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "reader.pt"
        shutil.copyfile(weights, copy)
        model: Any = YOLO(copy)
        # Without nms= the form of the answer depends on the version of ultralytics.
        form = {"format": "onnx", "imgsz": size, "dynamic": True, "nms": False, "simplify": False, "opset": _OPSET}
        with warnings.catch_warnings():
            # Ultralytics asks torch for its older exporter, and torch says each time that there is a newer one.
            warnings.simplefilter("ignore", DeprecationWarning)
            made = Path(model.export(**form, device="cpu"))
        engine = OnnxEngine(made)
        if engine.classes != CLASSES:
            raise UserError(f"{weights} was trained on other classes than the reader's")
        engine.run(np.zeros((2, 3, size, size), np.float32))
        folder.mkdir(parents=True, exist_ok=True)
        shutil.move(made, folder / MODEL)
    return folder / MODEL


def describe(
    model: Path, size: int, calibration: Calibration, notes: dict[str, object], index_model: Path | None = None
) -> Path:
    """Write beside ``model`` what `referee.vision.model_file` reads of it, and ``notes`` for people.

    ``index_model`` is the network beside it that reads indexes, if there is one.
    """
    second = {} if index_model is None else {"index_file": index_model.name, "index_sha256": _checksum(index_model)}
    about = {
        "file": model.name,
        "sha256": _checksum(model),
        **second,
        "classes": CLASSES,
        "size": size,
        "crop_mm": CROP_MM,
        **{name: round(value, 4) for name, value in asdict(calibration).items()},
        **notes,
    }
    path = model.with_name(ABOUT)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(part, path)
    return path


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def gathered(
    model: Path,
    shelf: Shelf,
    places: Sequence[int],
    progress: Callable[[int, int], None] = lambda _done, _all: None,
    *,
    index_model: Path | None = None,
) -> tuple[Doubles, Places]:
    """Logits (N, classes) of crops of a shelf, and the classes (N,) they are labelled with.

    ``index_model`` is the network beside it that reads indexes, if there is one.
    """
    engine = OnnxEngine(model)
    second = None if index_model is None else IndexReader(index_model)
    found = []
    for done, place in enumerate(places):
        crop = np.asarray(shelf.images[place])
        found.append(opinions(engine.run(as_input([crop])), [crop], MEANS, second)[0][0])
        if done % 500 == 0:
            progress(done, len(places))
    return np.array(found), np.asarray(shelf.classes[list(places)], np.intp)


def fit(evidence: Doubles, classes: Places) -> Calibration:
    """The calibration under which the labels are likeliest, found by trying smaller and smaller steps.

    Args:
        evidence: (N, classes) logits of crops that were not trained on.
        classes: (N,) their labels, places in `referee.train.network.CLASSES` or ``NOTHING``.
    """
    best, least = Calibration(), _surprise(Calibration(), evidence, classes)
    step = np.array([0.5, 2.0, 2.0])
    for _ in range(_ROUNDS):
        tries = [
            replace(
                best,
                temperature=best.temperature * float(np.exp(step[0] * a)),
                empty=best.empty + float(step[1] * b),
                hidden=best.hidden + float(step[2] * c),
            )
            for a, b, c in product((-1, 0, 1), repeat=3)
        ]
        costs = [_surprise(one, evidence, classes) for one in tries]
        place = int(np.argmin(costs))
        if costs[place] >= least:
            step /= 2
            if step.max() < 0.01:
                break
        else:
            best, least = tries[place], costs[place]
    return best


def _surprise(calibration: Calibration, evidence: Doubles, classes: Places) -> float:
    """Mean negative log-likelihood of the labels."""
    log_probs, hidden = probabilities(evidence, MEANS, calibration)
    outcome = np.where(classes == NOTHING, EMPTY, np.minimum(classes, BACK))
    shown = np.log(np.maximum(1 - hidden, 1e-9)) + log_probs[np.arange(len(classes)), outcome]
    told = np.where(classes == HIDDEN_CLASS, np.log(np.maximum(hidden, 1e-9)), shown)
    return -float(told.mean())


def calibration_error(confidence: Doubles, right: Doubles, bins: int = 15) -> float:
    """Expected calibration error: mean distance of confidence (N,) from accuracy over equal bins of confidence."""
    place = np.minimum((confidence * bins).astype(np.intp), bins - 1)
    count = np.bincount(place, minlength=bins)
    gap = np.abs(np.bincount(place, confidence, bins) - np.bincount(place, right, bins))
    return float(gap[count > 0].sum() / max(len(confidence), 1))
