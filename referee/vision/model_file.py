"""The model's file and what is known of it: where it is, whether it is whole, what its classes mean."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.cards import RANKS, Card
from referee.errors import UserError
from referee.readings import BACK
from referee.resources import shipped
from referee.vision.evidence import HIDDEN, Calibration
from referee.vision.rectify import CROP_PX

_WORDS: Final = {
    "ace": "A", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "T", "jack": "J", "queen": "Q", "king": "K",
    "clubs": "C", "diamonds": "D", "hearts": "H", "spades": "S",
    "club": "C", "diamond": "D", "heart": "H", "spade": "S",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model that can be read with.

    Attributes:
        path: its file, ``.onnx`` or ``.pt``.
        checksum: SHA-256 of the file, hexadecimal; where there are two networks, of both of their checksums.
        classes: what each class is called, in order; empty where only the file itself tells.
        size: side of the crops it takes, px; 0 where only the file itself tells.
        calibration: what turns its logits into probabilities.
        index_path: a second network that reads the indexes; None where there is none.
    """

    path: Path
    checksum: str
    classes: tuple[str, ...]
    size: int
    calibration: Calibration
    index_path: Path | None = None


def shipped_model() -> ModelFile:
    """The model that comes with the program.

    Raises:
        UserError: it is missing or was altered.
    """
    about = shipped("models", "reader.json")
    try:
        described = json.loads(about.read_text(encoding="utf-8"))
        return _described(about.with_name(described["file"]), described, str(described["sha256"]))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        raise UserError(
            f"the card reader's description {about} is missing or damaged: install spit-referee again"
        ) from None


def _altered(path: Path) -> UserError:
    return UserError(
        f"the card reader's model {path} is not the one that was described (its checksum differs): install "
        "spit-referee again, or pass your own with --model"
    )


def own_model(path: Path) -> ModelFile:
    """A model of the user's, with what a JSON file of the same name says of it, if there is one.

    Raises:
        UserError: it cannot be read, or is of no kind that can be used.
    """
    if path.suffix.lower() not in (".onnx", ".pt"):
        raise UserError(f"{path} is no model that can be used: give an .onnx or a .pt file of a YOLO detector")
    about = path.with_suffix(".json")
    try:
        described = json.loads(about.read_text(encoding="utf-8")) if about.exists() else {}
        return _described(path, described)
    except (ValueError, TypeError, AttributeError):
        raise UserError(f"{about} does not describe the model beside it: correct it or delete it") from None


def _described(path: Path, described: dict[str, object], expected: str | None = None) -> ModelFile:
    checksum = _checksum(path)
    if expected not in (None, checksum):
        raise _altered(path)
    classes = described.get("classes", ())
    index_path = None
    if "index_file" in described:
        index_path = path.with_name(str(described["index_file"]))
        second = _checksum(index_path)
        if second != described.get("index_sha256"):
            raise _altered(index_path)
        checksum = hashlib.sha256((checksum + second).encode()).hexdigest()
    return ModelFile(
        path=path,
        checksum=checksum,
        classes=tuple(map(str, classes)) if isinstance(classes, Sequence) else (),
        size=int(str(described.get("size", 0))),
        calibration=Calibration(
            **{name: float(str(described[name])) for name in ("temperature", "empty", "hidden") if name in described}
        ),
        index_path=index_path,
    )


def _checksum(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise UserError(f"the card reader's model {path} cannot be read: {error.strerror}") from None


def meanings(classes: Sequence[str], path: Path) -> tuple[int, ...]:
    """What each class means: a place in ``readings.Reading.log_probs``, or ``HIDDEN``.

    Names may be ``7C``, ``10h``, ``ten of clubs``, ``back``, ``hidden``, in any case.

    Raises:
        UserError: a class is none of these.
    """
    return tuple(_meaning(name, path) for name in classes)


def _meaning(name: str, path: Path) -> int:
    text = name.strip().lower()
    if text in ("back", "card back", "card_back", "facedown", "face down"):
        return BACK
    if text in ("hidden", "hand"):
        return HIDDEN
    words = re.split(r"[\s_-]+(?:of[\s_-]+)?", text)
    short = "".join(_WORDS.get(word, word) for word in words).upper().replace("10", "T").replace("1", "A")
    for rank_suit in (short, short[::-1]):
        if len(rank_suit) == 2 and rank_suit[0] in RANKS and rank_suit[1] in "CDHS":
            return Card(rank_suit).code
    raise UserError(
        f"{path} has a class {name!r}, which is no card: its classes must be cards such as 7C or TD, and back"
    )


def crop_size(model: ModelFile, told: int) -> int:
    """Side of the crops a model takes: as described, else as its file tells, else the usual one."""
    return model.size or told or CROP_PX
