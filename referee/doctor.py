"""What a referee needs, looked at one after the other: program, model, camera, table, voice, disk, speed."""

from __future__ import annotations

import importlib
import importlib.metadata
import platform
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from referee.errors import UserError

if TYPE_CHECKING:
    from referee.calibrate.saved_table import SavedTable
    from referee.readings import Reading
    from referee.table import Zone
    from referee.vision.frames import FrameSource, Image
    from referee.vision.reader import CardReader

LEAST_PYTHON: Final = (3, 11)

PACKAGES: Final = {"numpy": "numpy", "opencv-python": "cv2", "av": "av", "onnxruntime": "onnxruntime"}
"""What every referee needs, and what it is imported as."""

OTHER_OPENCV: Final = ("opencv-python-headless", "opencv-contrib-python", "opencv-contrib-python-headless")
"""Packages that overwrite the files of opencv-python."""

WATCH_S: Final = 2.0
"""How long a camera is watched to measure its rate, s."""

SETTLE_S: Final = 1.0
"""Before that it is left alone: cameras set their exposure first, s."""

PICTURES: Final = 3
"""Pictures that the check of the table is given."""

LITTLE_GB: Final = 10.0
NO_GB: Final = 1.0
"""An hour of 1080p takes three gigabytes, about."""

QUICK_MS: Final = 25.0
SLOW_MS: Final = 80.0
"""Reading takes this long a crop: four plays a second want about a dozen crops read."""

ROUNDS: Final = 2
"""So often each zone of a frame is read to see how long that takes."""


class Health(Enum):
    """How well one thing is."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Line:
    """What was found of one thing.

    Attributes:
        what: the thing.
        health: how well it is.
        text: a sentence; where it is not well, also what to do.
    """

    what: str
    health: Health
    text: str


@dataclass(frozen=True, slots=True)
class Patient:
    """What is to be looked at.

    Attributes:
        camera: what the user names as the source of pictures; None for the table's own, or camera 0.
        table: name or file of a saved table; None for none.
        model: another model than the one that ships; None for that.
        folder: where recordings go.
        out: where the picture of the checked table goes; None for nowhere.
    """

    camera: str | None = None
    table: str | None = None
    model: Path | None = None
    folder: Path = Path()
    out: Path | None = None


@dataclass(slots=True)
class _Seen:
    """What one look found that a later one needs."""

    reader: CardReader | None = None
    table: SavedTable | None = None
    images: tuple[Image, ...] = ()
    rates: tuple[float, float] | None = None


def examine(patient: Patient) -> Iterator[Line]:
    """Look at everything, one line or more for each thing as soon as it is known; raises nothing."""
    seen = _Seen()
    looks: tuple[tuple[str, Callable[[Patient, _Seen], Iterator[Line]]], ...] = (
        ("python", _python),
        ("packages", _packages),
        ("model", _model),
        ("speed", _speed),
        ("table", _table),
        ("camera", _camera),
        ("check", _check),
        ("voice", _voice),
        ("disk", _disk),
    )
    for what, look in looks:
        try:
            yield from look(patient, seen)
        except UserError as error:
            yield Line(what, Health.PROBLEM, str(error))
        except Exception as error:  # A doctor that dies of the illness it looks for tells nobody anything.
            yield Line(what, Health.PROBLEM, f"it failed with {type(error).__name__}: {error}; please report this")


def _python(_: Patient, __: _Seen) -> Iterator[Line]:
    version = platform.python_version()
    if sys.version_info < LEAST_PYTHON:
        least = ".".join(map(str, LEAST_PYTHON))
        yield Line("python", Health.PROBLEM, f"Python {version} is too old: install {least} or later")
    else:
        yield Line("python", Health.OK, f"Python {version} on {platform.platform(terse=True)}")


def _packages(_: Patient, __: _Seen) -> Iterator[Line]:
    found = []
    for name, module in PACKAGES.items():
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            yield Line("packages", Health.PROBLEM, f"{name} is not installed: 'pip install {name}'")
            continue
        try:
            importlib.import_module(module)
        except ImportError as error:
            remedy = "'apt-get install libgl1 libglib2.0-0'" if "lib" in str(error) and module == "cv2" else ""
            again = f"'pip install --force-reinstall {name}'"
            yield Line("packages", Health.PROBLEM, f"{name} {version} does not load ({error}): {remedy or again}")
            continue
        found.append(f"{name} {version}")
    for name in OTHER_OPENCV:
        try:
            importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        text = (
            f"{name} and opencv-python overwrite each other: 'pip uninstall {name}', then install opencv-python again"
        )
        yield Line("packages", Health.WARNING, text)
    if found:
        yield Line("packages", Health.OK, ", ".join(found))


def _model(patient: Patient, seen: _Seen) -> Iterator[Line]:
    from referee.vision.reader import CardReader

    seen.reader = CardReader(patient.model)
    model = seen.reader.model
    text = f"{model.path.name}, SHA-256 {model.checksum[:16]}…, crops of {seen.reader.size} px"
    yield Line("model", Health.OK, text)


def _speed(_: Patient, seen: _Seen) -> Iterator[Line]:
    if seen.reader is None:
        return
    from statistics import median

    from referee.bench.reader import crops_that_ship

    # Cards, because what cannot be told at once is looked at again and takes longer.
    crops = crops_that_ship(seen.reader.size)
    seen.reader.read(crops[:1])
    times = []
    for crop in crops * ROUNDS:
        begun = time.perf_counter()
        seen.reader.read([crop])
        times.append(time.perf_counter() - begun)
    each = 1000 * median(times)
    said = f"reading a zone takes {each:.0f} ms, {1000 / each:.0f} zones a second"
    if each <= QUICK_MS:
        yield Line("speed", Health.OK, said)
    elif each <= SLOW_MS:
        yield Line("speed", Health.WARNING, f"{said}: quick play may be told late; close other programs")
    else:
        yield Line("speed", Health.PROBLEM, f"{said}: too slow for play; use a faster machine, or record and replay")


def _table(patient: Patient, seen: _Seen) -> Iterator[Line]:
    if patient.table is None:
        return
    from referee.calibrate.tables import load_table

    seen.table = load_table(patient.table)
    layout = seen.table.layout
    text = f"{patient.table}: {layout.width:g} x {layout.height:g} mm, {len(layout.boxes)} zones"
    yield Line("table", Health.OK, text)


def _camera(patient: Patient, seen: _Seen) -> Iterator[Line]:
    from referee.calibrate.find_table import PICTURES as PICTURE_KINDS
    from referee.calibrate.find_table import read_picture
    from referee.vision.camera import Camera
    from referee.vision.capture import USUAL_RATE
    from referee.vision.open_source import open_source

    named = patient.camera or (seen.table.camera if seen.table is not None else "")
    source = named or "0"
    if Path(source).suffix.lower() in PICTURE_KINDS and "://" not in source:
        seen.images = (read_picture(Path(source)),)
        yield Line("camera", Health.OK, f"{source}, a picture of {seen.images[0].shape[1]}x{seen.images[0].shape[0]}")
        return
    try:
        frames = open_source(source)
    except UserError as error:
        # Who named no camera may not want one: films can be refereed too.
        yield Line("camera", Health.PROBLEM if named else Health.WARNING, str(error))
        return
    with frames:
        rate = _watch(frames, seen)
        if not isinstance(frames, Camera):
            yield Line("camera", Health.OK, frames.description)
        else:
            seen.rates = (USUAL_RATE, rate)
            yield Line("camera", Health.OK, f"{frames.description}; measured: {rate:.1f} pictures a second")
        if frames.damage:
            yield Line("camera", Health.WARNING, frames.damage)


def _watch(frames: FrameSource, seen: _Seen) -> float:
    """Keep a few pictures, and return how many come in a second."""
    stamps: list[float] = []
    images: list[Image] = []
    while (frame := frames.read()) is not None and frame.t <= SETTLE_S + WATCH_S:
        if frame.t < SETTLE_S and images:
            continue
        stamps.append(frame.t)
        if (len(images) < PICTURES + 1 and frame.t >= SETTLE_S + len(images) * WATCH_S / (PICTURES + 1)) or not images:
            images.append(frame.image)
    if not images:
        raise UserError("the camera opens but gives no picture: close other programs that use it")
    # The first was taken before the exposure was set, and serves only where nothing else came.
    seen.images = tuple(images[1:] or images)
    counted = [stamp for stamp in stamps if stamp >= SETTLE_S]
    return (len(counted) - 1) / (counted[-1] - counted[0]) if len(counted) > 1 else 0.0


def _check(patient: Patient, seen: _Seen) -> Iterator[Line]:
    if seen.table is None or not seen.images:
        return
    from referee.calibrate.check import Fault, check_table
    from referee.pictures import write_picture
    from referee.vision.rectify import rectify

    image = seen.images[0]
    table = seen.table.for_picture((image.shape[1], image.shape[0]))
    view = table.view
    readings: dict[Zone, Reading] | None = None
    if seen.reader is not None:
        crops = [rectify(image, view, box) for box in table.layout.boxes.values()]
        readings = dict(zip(table.layout.boxes, seen.reader.read(crops), strict=True))
    check = check_table(seen.images, view, table.layout, readings, seen.rates)
    for finding in check.findings:
        # What cannot be seen cannot be refereed; the rest is refereed less well.
        lost = finding.fault in (Fault.OUTSIDE, Fault.DARK)
        yield Line("check", Health.PROBLEM if lost else Health.WARNING, finding.text)
    if not check.findings:
        size = f"{check.card_px[0]:.0f} x {check.card_px[1]:.0f} px"
        yield Line(
            "check", Health.OK, f"every zone is seen well; cards of {size}, indices {check.index_px:.0f} px high"
        )
    if patient.out is not None:
        write_picture(patient.out, check.picture)
        yield Line(
            "check", Health.OK, f"{patient.out}: do the ghosts lie on the cards, and is what is read there right?"
        )


def _voice(_: Patient, __: _Seen) -> Iterator[Line]:
    from referee.announce.voice import probe

    speaks, text = probe()
    yield Line("voice", Health.OK if speaks else Health.WARNING, text)


def _disk(patient: Patient, _: _Seen) -> Iterator[Line]:
    try:
        free = shutil.disk_usage(patient.folder).free / 1e9
    except OSError as error:
        raise UserError(f"the folder {patient.folder} cannot be used ({error.strerror}): choose another") from None
    said = f"{free:.0f} GB free in {patient.folder.resolve()}"
    if free < NO_GB:
        yield Line("disk", Health.PROBLEM, f"{said}: too little to record anything; make room")
    elif free < LITTLE_GB:
        yield Line(
            "disk", Health.WARNING, f"{said}: enough for {free / 3:.0f} hours or so; make room before a long match"
        )
    else:
        yield Line("disk", Health.OK, said)
