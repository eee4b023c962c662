"""From a picture to cards of exact size in the plane of the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from referee.calibrate.deal.card_frames import NEVER_LOOSE, outermost
from referee.calibrate.deal.card_lines import card_corners
from referee.calibrate.deal.card_plane import (
    BRIDGE_MM,
    LONG_MM,
    POKER_MM,
    CardPlane,
    Floats,
    find_planes,
    mapped,
    one_per_place,
    refit,
)
from referee.calibrate.deal.card_tops import card_poses, fit_cards, likely_cards
from referee.calibrate.deal.outlines import Quads, find_outlines
from referee.calibrate.deal.pile_size import card_growth
from referee.calibrate.deal.read_cards import read_outlines
from referee.calibrate.deal.reading import Reads, not_bare, read_places
from referee.calibrate.deal.rows import turned
from referee.calibrate.deal.sharp_edges import CLOSELY, sharpen
from referee.vision.rectify import Image, project

_PILE_SLACK: Final = 0.75
_DEVIATION_MM: Final = 0.5
_STANDS_OUT: Final = 0.25
"""Cards show so much more of their outlines than places that are none."""

_NEARBY: Final = ((37.0, 23.0), (-29.0, 41.0), (23.0, -47.0), (-43.0, -27.0))
"""Shifts, mm, by which a card's place becomes none."""

_ATTEMPTS: Final = 3
_AGAIN: Final = 2
"""So many planes are looked at closely, and so many more once faint edges are looked at: each takes time."""

_READ_PLANES: Final = 2
_MANY: Final = 100
"""With more outlines than that most are a pattern's, and cards are looked for by reading first."""

_ALIKE: Final = (0.03, 4.0)
"""Planes are the same again when sizes differ by less than this share, and tilts by less than so many degrees."""

_FEWEST: Final = 3
_SURE: Final = 5.0
"""By so much the fit of one width of cards must be better than the other to be sure of it."""

_POKER_FIRST: Final = 3.0
"""Poker cards are the commoner ones; bridge cards have to fit better by so much."""

_USUAL_TILT: Final = (35.0, 2.0)
"""Cameras look at tables from no flatter than this, with a deviation, degrees."""

_SHOWN: Final = (0.35, 0.2)
"""A card that had no outline of its own shows so much of it, and so much more than places without cards do."""

_BESIDE: Final = (8.0, 80.0, 8.0)
"""The next card of a row lies between these gaps, mm, beside one; looked at in such steps."""

_ASKEW: Final = (-7.0, 0.0, 7.0)
_SAME_MM: Final = 5.0
_EXACTLY: Final = (0.006,)
"""How far beside an edge that was found it is made exact, as a share of the card's size."""

_CLOSE, _NEXT = 0.5, 0.9
"""A place so near a card, in widths, is the card's; and two cards are not nearer."""

_USUAL_GAP: Final = 24.0
"""Cards of a row lie about so far apart, mm; a card that is not quite there is still in the crop."""

_LIKELIEST: Final = 40
_ROUNDS: Final = 3
_FRAMES: Final = 3
_CLOSE_MM: Final = 1.4
"""Outlines are looked for again, so often at most, until they lie so near."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenCards:
    """Cards on the table.

    Attributes:
        plane: the table plane, in which cards have their exact size.
        quads: outlines (N, 4, 2) of cards or piles that the plane rests on, image pixels.
        poses: (N, 3) of x, y in mm and turn of the long axis in radians, in ``plane``.
        width_sure: whether the picture tells poker from bridge cards.
    """

    plane: CardPlane
    quads: Quads
    poses: Floats
    width_sure: bool


def see_cards(
    image: Image, enough: int, card_width: float | None = None, reader: Reads | None = None
) -> Iterator[SeenCards]:
    """The cards of a deal, in the likeliest way first: rectangles of one size that stand out and are no frames.

    Args:
        image: uint8 (H, W, 3) BGR.
        enough: so many cards are expected; with less, neighbours of those found are looked for.
        card_width: mm, where it is known.
        reader: tells those neighbours from bare table, and cards from what only has an outline like theirs. With it
            cards are looked for by reading too: first where there are so many outlines that most are a pattern's,
            otherwise once what the outlines alone give has not been accepted.

    Yields:
        at least three cards each time.
    """
    size = (image.shape[1], image.shape[0])
    clear = sharpen(image, find_outlines(image)).clear()
    many = reader is not None and len(clear) > _MANY
    planes = [] if many else find_planes(clear, size, enough, card_width)[:_ATTEMPTS]
    yield from _each(image, planes[:1], clear, enough, card_width, reader)
    faint = sharpen(image, find_outlines(image, faint=True)).clear()
    quads = np.concatenate([clear, faint])
    if reader is not None:
        read = read_outlines(image, quads, enough, reader)
        for plane in find_planes(read, size, enough, card_width)[:_READ_PLANES]:
            if (seen := _read_cards(image, plane, read, enough, card_width, reader)) is not None:
                yield seen
        if not many and 2 * len(read) >= enough:
            return
    if many:
        planes = find_planes(clear, size, enough, card_width)[:1]
    yield from _each(image, planes[0 if many else 1 :], clear, enough, card_width, reader)
    if many or not len(faint):
        return
    others = [
        plane
        for plane in find_planes(quads, size, enough, card_width)
        if not any(_alike(plane, before, size) and _count(plane, quads) <= _count(before, clear) for before in planes)
    ]
    yield from _each(image, others[:_AGAIN], quads, enough, card_width, reader)


def _each(
    image: Image,
    planes: Sequence[CardPlane],
    quads: Quads,
    enough: int,
    card_width: float | None,
    reader: Reads | None,
) -> Iterator[SeenCards]:
    """The cards among outlines in each of some planes."""
    for plane in planes:
        if (seen := _clear_cards(image, plane, quads, enough, card_width, reader)) is not None:
            yield seen


def _count(plane: CardPlane, quads: Quads) -> int:
    return len(one_per_place(plane, quads))


def _alike(one: CardPlane, other: CardPlane, size: tuple[int, int]) -> bool:
    """Whether two planes have cards of the same size and slant in the picture."""
    larger, slanted = _ALIKE
    middle = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]) + np.array(size) / 2
    areas = [
        abs(float(np.linalg.det(np.diff(project(plane.image_to_plane, middle), axis=0)))) for plane in (one, other)
    ]
    return abs(float(np.log(areas[0] / areas[1]))) < 2 * larger and abs(one.tilt - other.tilt) < slanted


def _clear_cards(
    image: Image, plane: CardPlane, quads: Quads, enough: int, card_width: float | None, reader: Reads | None
) -> SeenCards | None:
    """The cards among outlines in about this plane, if they stand out from what lies around them."""
    seen = _cards_in(image, plane, quads, enough, card_width, reader)
    return seen if seen is not None and _stands_out(image, seen.plane, seen.poses) > _STANDS_OUT else None


def _cards_in(
    image: Image, plane: CardPlane, quads: Quads, enough: int, card_width: float | None, reader: Reads | None
) -> SeenCards | None:
    """The cards among outlines in about this plane; None where there are not three."""
    size = (image.shape[1], image.shape[0])
    told_apart = _one_each(plane, quads, size, card_width)
    if told_apart is None:
        return None
    plane, chosen = told_apart
    seen = _with_edges(image, _exact(plane, quads[chosen], size, card_width), card_width)
    return None if seen is None else _with_neighbours(image, seen, enough, card_width, reader)


def _one_each(
    plane: CardPlane, quads: Quads, size: tuple[int, int], card_width: float | None
) -> tuple[CardPlane, npt.NDArray[np.intp]] | None:
    """The plane that fits the outlines, one for each place, and which these are; None where there are not three."""
    chosen = one_per_place(plane, quads)
    if len(chosen) < _FEWEST:
        return None
    plane, _ = _by_width(plane, quads[chosen], size, card_width)
    chosen = one_per_place(plane, quads)
    return None if len(chosen) < _FEWEST else (plane, chosen)


def _with_edges(image: Image, seen: SeenCards, card_width: float | None) -> SeenCards | None:
    """The same cards by their own edges, where frames printed on them were found; None where edges cannot be."""
    size = (image.shape[1], image.shape[0])
    for _ in range(_FRAMES):
        margin, outlines = outermost(image, seen.plane, seen.quads, seen.poses)
        if len(outlines) < _FEWEST:
            return None
        # From a plane in which frames have a card's size to one in which the cards have it.
        values = seen.plane.values.copy()
        values[3] -= np.log(1 + 2 * margin / LONG_MM)
        outlines = sharpen(image, outlines, _EXACTLY).quads
        seen = _exact(replace(seen.plane, values=values), outlines, size, card_width)
        if margin < _CLOSE_MM:
            break
    return seen if margin < NEVER_LOOSE else None


def _by_width(
    plane: CardPlane, quads: Quads, size: tuple[int, int], card_width: float | None
) -> tuple[CardPlane, bool]:
    """The plane for the likelier width of cards, and whether that is sure."""
    widths = (POKER_MM, BRIDGE_MM) if card_width is None else (card_width,)
    fits = [refit(plane, quads, size, width, _DEVIATION_MM, _PILE_SLACK) for width in widths]
    fits.sort(key=_unlikely)
    return fits[0], len(fits) < 2 or _unlikely(fits[1]) - _unlikely(fits[0]) > _SURE


def _exact(plane: CardPlane, quads: Quads, size: tuple[int, int], card_width: float | None) -> SeenCards:
    """The plane fitted to outlines of cards, and scaled by what piles are larger than cards."""
    plane, sure = _by_width(plane, quads, size, card_width)
    grown = 1 + card_growth(mapped(plane.image_to_plane, quads), plane.card_width)
    shrink = np.diag([1 / grown, 1 / grown, 1.0])
    exact = replace(
        plane,
        image_to_plane=shrink @ plane.image_to_plane,
        plane_to_image=plane.plane_to_image @ np.diag([grown, grown, 1.0]),
    )
    return SeenCards(exact, quads, card_poses(exact, quads), sure)


def _read_cards(
    image: Image, plane: CardPlane, quads: Quads, enough: int, card_width: float | None, reader: Reads
) -> SeenCards | None:
    """The cards that were read in about this plane, and those read beside them; None where there are not three.

    Their outlines are exact to some mm at first, and known to be no frames.
    """
    size = (image.shape[1], image.shape[0])
    told_apart = _one_each(plane, quads, size, card_width)
    if told_apart is None:
        return None
    plane, chosen = told_apart
    poses = card_poses(plane, quads[chosen])
    # What was read in an outline that is no card's is read again in the plane.
    others = mapped(plane.image_to_plane, np.delete(quads, chosen, axis=0)).mean(axis=1)
    poses = _with_read(image, plane, poses, turned(others, -_common_turn(poses[:, 2])), reader)
    poses = _read_beside(image, plane, poses, enough, reader)
    fitted, support = fit_cards(image, plane, poses)
    poses = np.where((support > _SHOWN[0])[:, None], fitted, poses)
    outlines = mapped(plane.plane_to_image, np.array([card_corners(pose, plane.card_width) for pose in poses]))
    return _exact(plane, sharpen(image, outlines, CLOSELY).quads, size, card_width)


def _read_beside(image: Image, plane: CardPlane, poses: Floats, enough: int, reader: Reads) -> Floats:
    """Poses (N, 3) of cards, and of those that are read beside them, from one to the next along the rows."""
    size = (image.shape[1], image.shape[0])
    for _ in range(_ROUNDS):
        if len(poses) >= enough:
            break
        turn = _common_turn(poses[:, 2])
        known = turned(poses[:, :2], -turn)
        step = np.array([plane.card_width + _USUAL_GAP, 0.0])
        beside = np.concatenate([known - step, known + step])
        more = _with_read(image, plane, poses, beside[_inside(plane, turned(beside, turn), size)], reader)
        if len(more) == len(poses):
            break
        poses = more
    return poses


def _with_read(image: Image, plane: CardPlane, poses: Floats, places: Floats, reader: Reads) -> Floats:
    """Poses (N, 3) of cards, and of those told at places (M, 2), in coordinates that have the cards upright."""
    turn = _common_turn(poses[:, 2])
    known = [*turned(poses[:, :2], -turn)]
    looked_at: list[Floats] = []
    for uv in places:
        if all(np.hypot(*(uv - other)) > _CLOSE * plane.card_width for other in [*known, *looked_at]):
            looked_at.append(uv)
    found = [poses]
    for place in read_places(image, plane, turn, [(float(u), float(v), 0.0) for u, v in looked_at], reader):
        uv = np.array([place.u, place.v])
        if place.told and all(np.hypot(*(uv - other)) > _NEXT * plane.card_width for other in known):
            known.append(uv)
            found.append(np.array([[*turned(uv[None], turn)[0], turn + np.radians(place.lean)]]))
    return np.concatenate(found)


def _stands_out(image: Image, plane: CardPlane, poses: Floats) -> float:
    """How much more of their outlines the cards show than places near them do, 0 to 1."""
    beside = (poses[:, None] + np.array([(*off, 0.0) for off in _NEARBY])).reshape(-1, 3)
    shown, bare = (fit_cards(image, plane, places)[1] for places in (poses, beside))
    return float(np.median(shown) - np.median(bare))


def _unlikely(plane: CardPlane) -> float:
    """The cost of a fit, with what is known of cards and cameras beforehand."""
    usual, deviation = _USUAL_TILT
    steep = max(0.0, plane.tilt - usual) / deviation
    return plane.cost + 0.5 * steep**2 + (_POKER_FIRST if plane.card_width == BRIDGE_MM else 0.0)


def _with_neighbours(
    image: Image, seen: SeenCards, enough: int, card_width: float | None, reader: Reads | None
) -> SeenCards:
    """The cards, and those beside them that gave no clear outline, from one to the next along the rows."""
    size = (image.shape[1], image.shape[0])
    for _ in range(_ROUNDS):
        if len(seen.quads) >= enough:
            break
        width, turn = seen.plane.card_width, _common_turn(seen.poses[:, 2])
        along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        gaps = width + np.arange(*_BESIDE)
        beside = [u * along + v * across for u in (*gaps, *-gaps) for v in _ASKEW]
        places = (seen.poses[:, None, :2] + np.array(beside)).reshape(-1, 2)
        apart = np.linalg.norm(places[:, None] - seen.poses[:, :2], axis=2).min(axis=1)
        places = places[(apart > width) & _inside(seen.plane, places, size)]
        # Cards of one row have the same places beside them.
        places = places[np.unique(np.round(places / _SAME_MM), axis=0, return_index=True)[1]]
        if not len(places):
            break
        places = np.column_stack([places, np.full(len(places), turn)])
        fitted, support, usual = likely_cards(image, seen.plane, places, _LIKELIEST)
        least, more = _SHOWN
        found: list[Floats] = []
        for i in np.argsort(-support, kind="stable"):
            if support[i] < max(least, usual + more) or len(seen.quads) + len(found) >= enough:
                break
            known = [*seen.poses[:, :2], *(pose[:2] for pose in found)]
            if all(np.hypot(*(fitted[i, :2] - other)) > 0.97 * width for other in known):
                found.append(fitted[i])
        lying = not_bare(image, seen.plane, np.array(found).reshape(-1, 3), reader)
        found = [pose for pose, lies in zip(found, lying, strict=True) if lies]
        if not found:
            break
        corners = np.array([card_corners(pose, width) for pose in found])
        outlines = sharpen(image, mapped(seen.plane.plane_to_image, corners), CLOSELY).quads
        quads = np.concatenate([seen.quads, outlines])
        seen = _exact(seen.plane, quads, size, card_width)
    return seen


def _inside(plane: CardPlane, places: Floats, size: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Which places of the table lie in the picture."""
    x, y = project(plane.plane_to_image, places).T
    return np.asarray((x > 0) & (x < size[0]) & (y > 0) & (y < size[1]))


def _common_turn(turns: Floats) -> float:
    """The direction most cards share, half a turn being none."""
    off = (turns[:, None] - turns + np.pi / 2) % np.pi - np.pi / 2
    near = np.abs(off) < np.radians(9)
    best = int(near.sum(axis=0).argmax())
    return float(turns[best] + np.median(off[near[:, best], best]))
