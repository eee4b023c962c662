"""The art cache: decks made of fetched packages, index fonts and table surfaces.

The cache lies outside the project and is never part of it: ``REFEREE_CACHE`` or the platform's cache directory. Nothing
here fetches by itself; ``prepare`` (the command ``referee train art``) does, everything else reads what is there.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from referee.cards import DECK
from referee.errors import UserError
from referee.train.decks.deck import Deck, Face, Image, Split
from referee.train.decks.normalise import card_mask, cut_card, make_faces
from referee.train.decks.packages import Package, discard_leftovers, fetch, packages
from referee.train.decks.sources import DeckSource, deck_sources
from referee.train.decks.splits import family_split, surface_names

_FORMAT: Final = 2
"""Raised whenever stored decks must be made anew."""

_SURFACES: Final = ("robosuite", "pychess", "gimp-data", "mate-backgrounds", "scikit-image")
_FONT_ENDINGS: Final = (".ttf", ".otf", ".woff")


def default_cache() -> Path:
    """Where art is kept unless told otherwise: ``REFEREE_CACHE``, else the platform's cache directory."""
    if told := os.environ.get("REFEREE_CACHE"):
        return Path(told).expanduser() / "art"
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "spit-referee" / "art"


@dataclass(frozen=True, slots=True)
class Preparation:
    """What ``prepare`` did: names of the packages and decks that are ready now, and a sentence for each that is not."""

    packages: tuple[str, ...]
    decks: tuple[str, ...]
    problems: tuple[str, ...]


def prepare(cache: Path, only: Iterable[str] = (), report: Callable[[str], None] = lambda _line: None) -> Preparation:
    """Fetch the packages and make the decks that are not in ``cache`` yet.

    Args:
        cache: the cache directory; it is made if need be.
        only: names of packages or decks; nothing else is touched. Empty means everything.
        report: called with a line for each package and deck that was worked on.

    Raises:
        UserError: a name in ``only`` is unknown, or the cache cannot be written.
    """
    wanted = _wanted_packages(tuple(only))
    try:
        cache.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot make the art cache {cache}: {error.strerror}; choose another with --cache") from None
    discard_leftovers(cache)
    problems: list[str] = []
    ready: list[str] = []
    for package in wanted:
        try:
            fresh = fetch(package, cache)
        except UserError as error:
            problems.append(str(error))
            continue
        ready.append(package.name)
        report(f"{package.name} {package.version}: {'fetched' if fresh else 'there already'}")
    named = set(only)
    made: list[str] = []
    for source in deck_sources().values():
        if named and not named & {source.name, source.package.name}:
            continue
        if any(package.name not in ready for package in source.packages):
            continue
        try:
            fresh = _make_deck(source, cache)
        except UserError as error:
            problems.append(f"deck {source.name}: {error}")
            continue
        made.append(source.name)
        report(f"deck {source.name}: {'made' if fresh else 'there already'}")
    return Preparation(tuple(ready), tuple(made), tuple(problems))


def _wanted_packages(only: tuple[str, ...]) -> list[Package]:
    if not only:
        return list(packages().values())
    chosen: dict[str, Package] = {}
    for name in only:
        if name in packages():
            decks = [source for source in deck_sources().values() if source.package.name == name]
            chosen[name] = packages()[name]
            chosen |= {package.name: package for source in decks for package in source.packages}
        elif name in deck_sources():
            chosen |= {package.name: package for package in deck_sources()[name].packages}
        else:
            raise UserError(
                f"there is no package or deck {name!r}; packages: {', '.join(packages())}; "
                f"decks: {', '.join(deck_sources())}"
            )
    return list(chosen.values())


def stored_decks(cache: Path) -> tuple[str, ...]:
    """Names of the decks of fetched art that are ready in ``cache``."""
    return tuple(source.name for source in deck_sources().values() if _file(source, cache).is_file())


def deck(name: str, cache: Path) -> Deck:
    """The deck of fetched art called ``name``; a UserError says how to get it if it is not there."""
    source = deck_sources().get(name)
    if source is None:
        raise UserError(f"there is no deck {name!r}; there are {', '.join(deck_sources())}")
    file = _file(source, cache)
    if not file.is_file():
        raise UserError(f"deck {name} is not in {cache}: run 'referee train art --only {name}'")
    return _load(source, file)


def fonts(cache: Path) -> list[Path]:
    """The fetched fonts in ``cache``, in a fixed order; empty if none was fetched."""
    folders = [package.folder(cache) for package in packages().values()]
    return [path for folder in folders for path in sorted(folder.rglob("*")) if path.suffix in _FONT_ENDINGS]


def surfaces(split: Split, cache: Path) -> list[Path]:
    """Pictures of table tops of ``split`` in ``cache``, in a fixed order; empty if none was fetched.

    They are of all sizes from 64 px on, and most can be tiled; ``raster.read_picture`` reads them all.
    """
    folders = [packages()[name].folder(cache) for name in _SURFACES]
    found = (path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file())
    return [path for path in found if path.stem in surface_names(split)]


def _file(source: DeckSource, cache: Path) -> Path:
    """Named by everything the deck is made from, so that a deck made from something else is not taken for it."""
    sums = [package.sha256 for package in source.packages]
    made_from = f"{_FORMAT} {sums} {source.shape} {source.kind} {dict(source.layout)}"
    return cache / "decks" / f"{source.name}-{hashlib.sha256(made_from.encode()).hexdigest()[:12]}.npz"


def _make_deck(source: DeckSource, cache: Path) -> bool:
    file = _file(source, cache)
    if file.is_file():
        return False
    drawings, back_drawing = source.drawings(cache)
    faces = make_faces(drawings, source.shape)
    back = _drawn_back(source) if back_drawing is None else cut_card(back_drawing, source.shape)
    pictures = {card.text: _encode(face.image) for card, face in faces.items()}
    indexes = json.dumps({card.text: face.indexes for card, face in faces.items()})
    file.parent.mkdir(exist_ok=True)
    for old in file.parent.glob(f"{source.name}-????????????.npz"):
        old.unlink()
    part = file.with_suffix(".part")
    with part.open("wb") as stream:
        np.savez(stream, back=_encode(back), indexes=np.array(indexes), **pictures)
    part.replace(file)
    return True


def _drawn_back(source: DeckSource) -> Image:
    from referee.train.decks.procedural_backs import draw_back

    seed = int.from_bytes(hashlib.sha256(source.name.encode()).digest()[:4], "big")
    colour = draw_back(np.random.default_rng(seed), source.shape.width_mm)
    return np.dstack([colour, card_mask(colour.shape[1])])


def _encode(image: Image) -> Any:
    done, data = cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 4])
    if not done:
        raise UserError("a card picture could not be stored as PNG")
    return data


def _load(source: DeckSource, file: Path) -> Deck:
    damaged = UserError(
        f"the stored deck {file} is damaged: delete it and run 'referee train art --only {source.name}'"
    )

    def picture(name: str) -> Image:
        image = cv2.imdecode(stored[name], cv2.IMREAD_UNCHANGED)
        if image is None:
            raise damaged
        return np.asarray(image, np.uint8)

    try:
        # Opened here, because np.load leaves a damaged file open.
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            indexes = json.loads(str(stored["indexes"]))
            faces = {
                card: Face(picture(card.text), tuple((b[0], b[1], b[2], b[3]) for b in indexes[card.text]))
                for card in DECK
            }
            back = Face(picture("back"))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise damaged from None
    return Deck(
        source.name,
        source.family,
        family_split(source.family),
        source.licence,
        source.source,
        faces,
        back,
        source.shape.width_mm,
    )
