"""The pattern of a fresh deal: two facing rows of stock piles, each with its reserve at one end.

People lay cards by eye. So spacing, the distance of the rows, the side of the reserve and its distance are whatever
they are; only that there are two rows, that cards stand upright in them, and how many belong to each, is taken for
granted. A pattern that fits in two ways, or not at all, is refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from referee.calibrate.deal.card_plane import LONG_MM, Floats
from referee.errors import UserError

CROOKED: Final = 16.0
"""Cards of a row are turned from each other by less than this, degrees."""

_ROW_LOOSE: Final = 26.0
"""A card lies so far off its row's line at most, mm."""

_ROW_SLANTS: Final = np.linspace(-0.12, 0.12, 9)
_ROWS_APART: Final = (LONG_MM + 12.0, 900.0)
_STEP_LOOSE: Final = 7.0
"""Deviation of the spacing within a row, mm."""

_CLEARLY: Final = 1.0
"""Readings of a row that are no worse than the best by more than this are as good."""

_MISSING: Final = 3
_LINES: Final = 12
_READINGS: Final = 3

_RESERVE_APART: Final = 10.0
"""The gap to the reserve is wider than that at the row's other end by so much, mm, if it can be told by the gaps."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a ruleset lays out.

    Attributes:
        stock: stock piles of each player, 1 to 5.
        reserve: whether each has a reserve on the table.
        piles: cards in each stock pile, from the player's left or from his right; empty where that is not known.
    """

    stock: int
    reserve: bool
    piles: tuple[int, ...] = ()

    @property
    def row(self) -> int:
        """Places in each row."""
        return self.stock + int(self.reserve)


@dataclass(frozen=True, slots=True)
class Row:
    """One row, in coordinates that have the cards upright.

    Attributes:
        slots: for each place from left to right the index of its card; None where none was found.
        u, v: where each place is, mm; from the other cards where none was found.
    """

    slots: tuple[int | None, ...]
    u: tuple[float, ...]
    v: tuple[float, ...]

    @property
    def missing(self) -> tuple[int, ...]:
        """Places in which no card was found."""
        return tuple(i for i, slot in enumerate(self.slots) if slot is None)


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Both rows.

    Attributes:
        turn: of the cards in the plane, radians: turning by its negative has them upright.
        upper, lower: the row with the smaller and the larger v.
        others: indices of cards that belong to neither.
    """

    turn: float
    upper: Row
    lower: Row
    others: tuple[int, ...]


def find_rows(poses: Floats, card_width: float, expected: Expected) -> list[Rows]:
    """The rows among cards at ``poses`` (N, 3): x, y in mm and turn in radians, a half turn being none.

    Returns:
        the best reading, and others that are nearly as good: they differ in which places were not found.

    Raises:
        UserError: there are no two such rows; says what was seen and what to do.
    """
    if len(poses) < 2:
        raise UserError(_too_few(len(poses), expected))
    best: tuple[float, list[Rows]] | None = None
    for turn in _common_turns(poses[:, 2]):
        off = (poses[:, 2] - turn + math.pi / 2) % math.pi - math.pi / 2
        upright = np.flatnonzero(np.abs(off) < math.radians(CROOKED))
        uv = turned(poses[:, :2], -turn)
        fitted: dict[tuple[int, ...], list[Row]] = {}
        for pair in _row_pairs(uv, upright, card_width, expected):
            for row in pair:
                if row not in fitted:
                    fitted[row] = _fitted(uv, row, card_width, expected)
            upper, lower = pair
            readings = [
                Rows(turn, one, other, _unused(len(poses), one, other))
                for one in fitted[upper]
                for other in fitted[lower]
            ]
            if readings and (best is None or _score(readings[0]) > best[0]):
                best = (_score(readings[0]), readings)
    if best is None:
        raise UserError(_no_rows(len(poses), expected))
    return best[1]


def _unused(count: int, *rows: Row) -> tuple[int, ...]:
    used = {slot for row in rows for slot in row.slots}
    return tuple(i for i in range(count) if i not in used)


def turned(points: Floats, angle: float) -> Floats:
    """Points (N, 2) turned about the origin, radians, from x towards y."""
    cos, sin = math.cos(angle), math.sin(angle)
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]), np.float64)


def _common_turns(turns: Floats) -> list[float]:
    """Directions that many cards share, the commonest first; both ways of a square arrangement are tried."""
    found: list[tuple[int, float]] = []
    for turn in turns:
        off = (turns - turn + math.pi / 2) % math.pi - math.pi / 2
        near = off[np.abs(off) < math.radians(CROOKED) / 2]
        found.append((len(near), float(turn + np.median(near))))
    found.sort(key=lambda one: -one[0])
    chosen: list[float] = []
    for _, turn in found:
        if all(abs((turn - other + math.pi / 2) % math.pi - math.pi / 2) > math.radians(10) for other in chosen):
            chosen.append(turn)
    return chosen[:2]


def _row_pairs(
    uv: Floats, upright: np.ndarray[tuple[int], np.dtype[np.intp]], card_width: float, expected: Expected
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Pairs of sets of cards that each lie on a line across the cards' long axes, far enough apart."""
    lines: dict[tuple[int, ...], float] = {}
    for anchor in upright:
        for slant in _ROW_SLANTS:
            off = uv[upright, 1] - uv[anchor, 1] - slant * (uv[upright, 0] - uv[anchor, 0])
            members = upright[np.abs(off) < _ROW_LOOSE]
            row = _without_overlaps(uv, members, off[np.abs(off) < _ROW_LOOSE], card_width)
            lines.setdefault(tuple(row), float(uv[row, 1].mean()))
    enough = max(1, expected.row - _MISSING)
    ranked = sorted((line for line in lines if len(line) >= enough), key=lambda line: -len(line))
    # A line that holds no more than another one does is that one seen askew.
    whole: list[tuple[int, ...]] = []
    for line in ranked:
        if not any(set(line) <= set(other) for other in whole):
            whole.append(line)
    ranked = whole[:_LINES]
    for one, other in combinations(ranked, 2):
        apart = abs(lines[one] - lines[other])
        if set(one) & set(other) or not _ROWS_APART[0] < apart < _ROWS_APART[1]:
            continue
        middles = [float(np.mean(uv[list(row), 0])) for row in (one, other)]
        if abs(middles[0] - middles[1]) > card_width * (expected.row + 1):
            continue
        upper, lower = (one, other) if lines[one] < lines[other] else (other, one)
        yield upper, lower


def _without_overlaps(
    uv: Floats, members: np.ndarray[tuple[int], np.dtype[np.intp]], off: Floats, card_width: float
) -> list[int]:
    """Cards of a line from left to right; of two that would lie on each other the one nearer to the line."""
    kept: list[int] = []
    for i in members[np.argsort(np.abs(off), kind="stable")]:
        if all(abs(uv[i, 0] - uv[j, 0]) > 0.9 * card_width for j in kept):
            kept.append(int(i))
    return sorted(kept, key=lambda i: float(uv[i, 0]))


def _fitted(uv: Floats, row: tuple[int, ...], card_width: float, expected: Expected) -> list[Row]:
    """The row's cards put to its places: the ways in which steps are most alike, the best first."""
    places = expected.row
    found: dict[tuple[int | None, ...], tuple[float, Row]] = {}
    for size in range(min(len(row), places), max(1, places - _MISSING) - 1, -1):
        for cards in combinations(row, size):
            for slots in combinations(range(places), size):
                fit = _regular(uv, cards, slots, card_width, expected)
                if fit is None:
                    continue
                cost = fit[0] + 4.0 * (places - size) + 2.0 * (len(row) - size)
                found.setdefault(fit[1].slots, (cost, fit[1]))
        # A full row is never better explained with a card left out.
        if found and size == places:
            break
    ranked = sorted(found.values(), key=lambda one: one[0])
    return [fit for cost, fit in ranked if cost - ranked[0][0] < _CLEARLY][:_READINGS]


def _regular(
    uv: Floats, cards: tuple[int, ...], slots: tuple[int, ...], card_width: float, expected: Expected
) -> tuple[float, Row] | None:
    """How unlike its steps are, and the row, with the reserve at the end that makes them most alike."""
    u, v = uv[list(cards), 0], uv[list(cards), 1]
    places = np.arange(expected.row, dtype=np.float64)
    best: tuple[float, Row] | None = None
    for reserve_at in (0, expected.row - 1) if expected.reserve else (None,):
        stock = np.array([slot != reserve_at for slot in slots])
        at = np.array(slots, np.float64)
        if stock.sum() >= 2:
            pitch, start = _line(at[stock], u[stock])
        elif expected.stock == 1 and len(cards) == expected.row:
            pitch = abs(float(u[-1] - u[0])) if len(u) > 1 else card_width + 24
            start = float(u[stock][0] - pitch * at[stock][0])
        else:
            continue
        if not card_width + 1 < pitch < 3.2 * card_width:
            continue
        expect = start + pitch * places
        off = u - expect[list(slots)]
        gap = None
        if reserve_at is not None:
            outward = -1 if reserve_at == 0 else 1
            extra = outward * float(off[list(slots).index(reserve_at)]) if reserve_at in slots else 28.0
            if not -0.35 * pitch < extra < 3 * card_width:
                continue
            expect[reserve_at] += outward * extra
            gap = extra
        cost = float(((off[stock]) ** 2).sum()) / _STEP_LOOSE**2
        # The reserve usually lies further away; without that the end is not known by the steps.
        cost += 0.0 if gap is None else (max(0.0, _RESERVE_APART - gap) / _RESERVE_APART) ** 2
        slope, level = _line(u, v) if len(u) >= 2 else (0.0, float(v[0]))
        filled: list[int | None] = [None] * expected.row
        for card, slot in zip(cards, slots, strict=True):
            filled[slot] = card
        where_u = [float(uv[card, 0]) if card is not None else float(expect[i]) for i, card in enumerate(filled)]
        where_v = [
            float(uv[card, 1]) if card is not None else float(slope * expect[i] + level)
            for i, card in enumerate(filled)
        ]
        if best is None or cost < best[0]:
            best = (cost, Row(tuple(filled), tuple(where_u), tuple(where_v)))
    return best


def _line(x: Floats, y: Floats) -> tuple[float, float]:
    """Slope and level of the line through points, by least squares."""
    middle_x, middle_y = float(x.mean()), float(y.mean())
    slope = float((x - middle_x) @ (y - middle_y)) / float((x - middle_x) @ (x - middle_x))
    return slope, middle_y - slope * middle_x


def _score(rows: Rows) -> float:
    """More cards first, then more regular rows."""
    both = (rows.upper, rows.lower)
    found = sum(slot is not None for row in both for slot in row.slots)
    return found - 0.01 * sum(float(np.std(np.diff(row.u))) for row in both if len(row.u) > 2)


def _too_few(count: int, expected: Expected) -> str:
    seen = "one card was" if count == 1 else f"{count or 'no'} cards were"
    return (
        f"{seen} found in the picture, and the layout has two rows of {expected.row}: deal the cards in two facing "
        "rows, see that all of them are in the picture, lit and not covered, and try again, or give --corners"
    )


def _no_rows(count: int, expected: Expected) -> str:
    return (
        f"{count} cards were found, but no two facing rows of {expected.row} among them ({expected.stock} stock piles"
        f"{' and the reserve' if expected.reserve else ''}): lay them side by side, not touching, and all upright to "
        "their player; if you play with other piles say so with --ruleset; or give --corners"
    )
