"""Table tops from pictures: fetched ones by name, any other by its file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from referee.errors import UserError
from referee.simulate.render.look import Look
from referee.simulate.render.studio import top_extent
from referee.simulate.render.surfaces import KINDS, Surface, tiled_surface
from referee.train.decks.art import surfaces
from referee.train.decks.raster import read_picture

_DRAWN_PX: Final = 1024
"""Height of a picture that is drawn from vectors, px."""


def fetched_pictures(cache: Path) -> dict[str, Path]:
    """The pictures of table tops that were fetched into ``cache``, by name."""
    found: dict[str, Path] = {}
    for path in (*surfaces("train", cache), *surfaces("val", cache)):
        found.setdefault(path.stem, path)
    return dict(sorted(found.items()))


def find_picture(name: str, cache: Path) -> Path:
    """The file of a fetched picture, or of any other given by its path.

    Raises:
        UserError: there is none; says what there is.
    """
    pictures = fetched_pictures(cache)
    if name in pictures:
        return pictures[name]
    if Path(name).is_file():
        return Path(name)
    if pictures:
        more = f"one of the {len(pictures)} fetched pictures that 'referee simulate --surfaces' lists"
    else:
        more = "after 'referee train art' a fetched picture"
    raise UserError(f"there is no table top {name!r}: choose one of {', '.join(KINDS)}, {more}, or a picture's file")


def pictured(look: Look, picture: Path) -> tuple[Look, Surface]:
    """The look with a table top made from a picture, and that table top for ``film``; no mat hides it.

    Raises:
        UserError: the picture cannot be read.
    """
    look = replace(look, surface=picture.stem, mat=None)
    image = np.ascontiguousarray(read_picture(picture, _DRAWN_PX)[..., :3])
    return look, tiled_surface(image, np.random.default_rng((look.seed, 0x71)), top_extent(look))
