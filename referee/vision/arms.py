"""Whose arm is over which zone: what stands out from the bare table and reaches in over its edge.

The whole table with some of its surroundings is sampled at 10 mm to the pixel. What stands out from the remembered
table is foreground; a region of it that comes in over the bottom edge is an arm of seat A's, over the top edge of seat
B's. Where two arms meet, or one is cut off from its edge, what it was a frame ago says whose it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.table import Box, Seat, Zone
from referee.vision.activity import Sampler
from referee.vision.arm_colours import ArmColours
from referee.vision.bare_places import BarePlaces
from referee.vision.foreground import Foreground, Mask, Picture, most
from referee.vision.frames import Frame, halved
from referee.vision.rectify import TableView, project

PIXEL_MM: Final = 10.0
"""Side of a pixel of the coarse view on the table."""

MARGIN_MM: Final = 120.0
"""How much of the surroundings is looked at on every side of the table."""

MOVED: Final = 11
"""Least difference in one colour channel between two frames that is movement."""

ABSORBED: Final = 0.6
"""A thing that lies still so long and is no arm belongs to the table from then on, s."""

GHOST: Final = 1.0
"""What stands out so long without moving is looked at: it may be where a hand lay when the table was remembered."""

STANDING: Final = 8.0
"""Even an arm belongs to the table after so long without moving, s."""

LINGERING: Final = 0.2
"""What was an arm keeps that name so long without touching the rim or moving, s."""

HAND_MM: Final = 75.0
"""What is no further than this from the far end of an arm is its hand: fingers, or the card they hold."""

SAME_PLACE: Final = 0.6
"""A hand that covers a place by less than this share of what it covers another by is not there."""

SMALLEST: Final = 8
"""Pixels of the coarse view below which a region is no arm."""

PRESENT: Final = 12
"""An arm that does not reach its edge is there if so many pixels were its own a frame ago."""

Owners: TypeAlias = npt.NDArray[np.int8]

TABLE: Final = -1
NOBODY: Final = 2
"""Owners of pixels that are no seat's."""


@dataclass(frozen=True, slots=True, eq=False)
class Arms:
    """Where arms are in one frame.

    Attributes:
        t: time of the frame, s.
        frame: its index.
        covered: float32 array (2, Z): share of each zone's card place that lies under an arm of seat A's, of seat B's.
        hands: float32 array (2, Z): the same for the far ends of the arms alone, the hands and what they hold; only
            the place, or places, that a hand covers most.
    """

    t: float
    frame: int
    covered: npt.NDArray[np.float32]
    hands: npt.NDArray[np.float32]


class ArmWatch:
    """Finds arms in the frames of one source, fed in order.

    Attributes:
        zones: the zones watched, in the order of all arrays it gives.
    """

    def __init__(self, view: TableView, boxes: Mapping[Zone, Box], table: tuple[float, float]) -> None:
        """Watch a table of ``table`` mm (width, height) that lies in the pictures as ``view`` says."""
        self.zones = tuple(boxes)
        columns = round((table[0] + 2 * MARGIN_MM) / PIXEL_MM)
        rows = round((table[1] + 2 * MARGIN_MM) / PIXEL_MM)
        start = PIXEL_MM / 2 - MARGIN_MM
        place = np.array([[PIXEL_MM, 0, start], [0, PIXEL_MM, start], [0, 0, 1]])
        self._halvings = _halvings(view, table)
        self._sampler = Sampler(view.shrunk(2**self._halvings), [place], (columns, rows))
        places = [_inside(box, place, rows, columns) for box in boxes.values()]
        self._bare = BarePlaces(places)
        self._inside = np.concatenate([np.flatnonzero(place) for place in places])
        self._sizes = np.array([np.count_nonzero(place) for place in places])
        self._zone_of = np.repeat(np.arange(len(places)), self._sizes)
        self._foreground = Foreground()
        self._colours = ArmColours()
        self._begun = False
        self._table: Picture = np.zeros((rows, columns, 3), np.uint8)
        self._last: Picture = self._table
        self._seen: Mask = np.zeros((rows, columns), np.bool_)
        self._edges = (self._seen, self._seen)
        self._still = np.zeros((rows, columns))
        self._owner: Owners = np.full((rows, columns), TABLE, np.int8)
        self._hands = np.zeros((len(Seat), len(boxes)), np.float32)
        self._middle = (table[1] / 2 - start) / PIXEL_MM
        self._t = 0.0

    def look(self, frame: Frame) -> Arms:
        """Where arms are in ``frame``."""
        small = frame.half() if self._halvings else frame.image
        for _ in range(1, self._halvings):
            small = halved(small)
        picture = self._sampler.colour(small)[0]
        if not self._begun:
            self._begin(picture, small.shape[1], small.shape[0], frame.t)
        self._bare.renew(self._table, picture, self._still)
        out = self._foreground.of(picture, self._table, self._seen)
        if np.count_nonzero(out) > 0.6 * np.count_nonzero(self._seen):
            # A lamp was switched or the camera knocked: whatever lies there now is the table.
            self._table = picture.copy()
            out[:] = False
        moving = most(cv2.absdiff(picture, self._last)) > MOVED
        self._still += frame.t - self._t
        self._still[moving] = 0.0
        self._last, self._t = picture, frame.t
        self._hands = np.zeros((len(Seat), len(self.zones)), np.float32)
        self._owner = self._owners(out, picture)
        self._remember(picture)
        covered = np.stack([self._share(self._owner == seat) for seat in Seat])
        return Arms(frame.t, frame.index, covered, self._hands)

    def _lay_hand(self, seat: int, hand: Mask) -> None:
        """Take in one hand: it is at the place that it covers most, not at those it comes near."""
        shares = self._share(hand)
        shares[shares < SAME_PLACE * shares.max()] = 0
        self._hands[seat] = np.maximum(self._hands[seat], shares)

    def _share(self, mask: Mask) -> npt.NDArray[np.float32]:
        """How much of each zone's card place ``mask`` covers."""
        # Counted: a product of matrices is rounded otherwise on every kind of processor, and wakes all its cores.
        covered = np.bincount(self._zone_of[mask.reshape(-1)[self._inside]], minlength=len(self._sizes))
        return np.asarray(covered / self._sizes, np.float32)

    def _begin(self, picture: Picture, width: int, height: int, t: float) -> None:
        self._seen, self._edges = self._find_edges(width, height)
        self._table, self._last, self._t, self._begun = picture.copy(), picture, t, True

    def _find_edges(self, width: int, height: int) -> tuple[Mask, tuple[Mask, Mask]]:
        """What the picture shows of the view, and its rim below and above, where arms of A, and of B, come in."""
        x, y = np.moveaxis(self._sampler.points[0], -1, 0)
        seen = (x >= 0) & (x <= width - 1) & (y >= 0) & (y <= height - 1)
        inner = cv2.erode(seen.astype(np.uint8), np.ones((7, 7), np.uint8), borderValue=0).astype(bool)
        rim = seen & ~inner
        rows = np.arange(len(seen))[:, None]
        return seen, (rim & (rows > self._middle), rim & (rows < self._middle))

    def _owners(self, out: Mask, picture: Picture) -> Owners:
        """For every pixel ``TABLE``, 0 or 1 for a seat's arm, ``NOBODY`` for what stands out and is nobody's."""
        count, labels, stats, _ = cv2.connectedComponentsWithStats(out.astype(np.uint8), connectivity=8)
        owner = np.full(out.shape, TABLE, np.int8)
        regions = [
            np.asarray(labels == label, np.bool_)
            for label in range(1, count)
            if stats[label, cv2.CC_STAT_AREA] >= SMALLEST
        ]
        reaching = [any(self._reaches_in(region, edge) for region in regions) for edge in self._edges]
        for region in regions:
            if self._is_ghost(region, picture):
                self._table[region] = picture[region]
                continue
            rims = [region & edge for edge in self._edges]
            mine = [region & (self._owner == seat) for seat in Seat]
            there = [
                bool(rims[seat].any()) or (not reaching[seat] and self._goes_on(region, mine[seat])) for seat in Seat
            ]
            if all(there):
                same = self._colours.alike(picture, region)
                there = [bool(rims[seat].any()) or self._goes_on(region, mine[seat] & ~same[1 - seat]) for seat in Seat]
            if all(there):
                # What has not changed since the frame before is still the same arm's, whatever its colour.
                unchanged = self._still > 0
                kept = [one & unchanged for one in mine]
                new = region & ~kept[0] & ~kept[1]
                _split(region, [a | b | c & new for a, b, c in zip(rims, kept, same, strict=True)], owner)
            elif any(there):
                owner[region] = seat = there.index(True)
                if rims[seat].any() and not mine[1 - seat].any():
                    self._colours.learn(seat, picture, region)
            else:
                owner[region] = NOBODY
            for seat in range(len(Seat)):
                if there[seat]:
                    arm = region & (owner == seat)
                    self._lay_hand(seat, _far_end(arm, rims[seat] & arm if rims[seat].any() else _near_side(arm, seat)))
        return owner

    def _reaches_in(self, region: Mask, edge: Mask) -> bool:
        """Whether ``region`` is an arm that moves and comes in over ``edge``: whatever lies elsewhere it has let go."""
        return bool((region & edge).any()) and int(np.count_nonzero(region & (self._still == 0))) >= SMALLEST

    def _goes_on(self, region: Mask, before: Mask) -> bool:
        """Whether an arm goes on in ``region`` that was at ``before`` a frame ago, though it is cut off from its edge.

        A bare forearm may look like the table.
        """
        count = int(np.count_nonzero(before & (self._still < LINGERING)))
        return count >= PRESENT and count > 0.1 * int(np.count_nonzero(region))

    def _is_ghost(self, region: Mask, picture: Picture) -> bool:
        """Whether the table's memory, not the picture, has the outline of the region: a thing that went away."""
        lain = self._still[region]
        # Counting is quicker than the median, and most regions move.
        if 2 * np.count_nonzero(lain >= GHOST) < len(lain) or float(np.median(lain)) < GHOST:
            return False
        square = np.ones((3, 3), np.uint8)
        small = region.astype(np.uint8)
        outline = np.asarray(cv2.morphologyEx(small, cv2.MORPH_GRADIENT, square)) > 0
        now, then = (
            float(np.asarray(cv2.morphologyEx(most(one), cv2.MORPH_GRADIENT, square))[outline].mean())
            for one in (picture, self._table)
        )
        return then > 1.2 * now

    def _remember(self, picture: Picture) -> None:
        """Bring the memory of the bare table up to date."""
        arm = ((self._owner == 0) | (self._owner == 1)).view(np.uint8)
        # Where an arm looks like the table, its surroundings say what it is.
        near = np.asarray(cv2.dilate(arm, np.ones((5, 5), np.uint8))) > 0
        known = self._still > np.where(near, STANDING, ABSORBED)
        cv2.copyTo(picture, known.view(np.uint8), self._table)


def _halvings(view: TableView, table: tuple[float, float]) -> int:
    """How often frames may be halved before a pixel of theirs is wider than half a pixel of the coarse view."""
    middle = np.array([[table[0] / 2 + x, table[1] / 2 + y] for x, y in ((0, 0), (PIXEL_MM, 0), (0, PIXEL_MM))])
    at, right, down = view.to_image(middle)
    finest = min(float(np.linalg.norm(right - at)), float(np.linalg.norm(down - at)))
    return max(int(np.log2(max(finest, 1.0) / 2)), 0)


def _inside(box: Box, place: npt.NDArray[np.float64], rows: int, columns: int) -> Mask:
    corners = project(np.asarray(np.linalg.inv(place), np.float64), box.corners())
    mask = np.zeros((rows, columns), np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    return mask.astype(bool)


def _split(region: Mask, seeds: list[Mask], owner: Owners) -> None:
    """Give every pixel of a region in which two arms meet to the seed it is nearer to, going inside the region."""
    cross = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
    whole = region.astype(np.uint8)
    fronts = [seed.astype(np.uint8) for seed in seeds]
    taken = [front.copy() for front in fronts]
    while any(front.any() for front in fronts):
        free = whole & ~(taken[0] | taken[1])
        fronts = [cv2.dilate(front, cross) & free for front in fronts]
        taken = [mine | front for mine, front in zip(taken, fronts, strict=True)]
    owner[taken[0] > 0] = 0
    owner[(taken[1] > 0) & (taken[0] == 0)] = 1


def _far_end(arm: Mask, seed: Mask) -> Mask:
    """The part of ``arm`` near the pixel that is furthest from where it comes in."""
    start_rows, start_columns = np.nonzero(seed & arm)
    rows, columns = np.nonzero(arm)
    end = np.zeros(arm.shape, np.bool_)
    if len(start_rows):
        tip = np.argmax(np.square(rows - start_rows.mean()) + np.square(columns - start_columns.mean()))
        near = np.square(rows - rows[tip]) + np.square(columns - columns[tip]) <= (HAND_MM / PIXEL_MM) ** 2
        end[rows[near], columns[near]] = True
    return end


def _near_side(arm: Mask, seat: int) -> Mask:
    """The pixels of ``arm`` that are nearest to the player's edge."""
    rows = np.flatnonzero(arm.any(axis=1))
    out = np.zeros(arm.shape, np.bool_)
    if len(rows):
        row = rows[-1] if seat == Seat.A else rows[0]
        out[row] = arm[row]
    return out
