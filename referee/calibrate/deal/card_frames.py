"""Frames printed on cards told from the cards' own edges: around a frame there is a larger rectangle of one margin.

A frame has a card's proportions, nearly, and on a table of the cards' colour it shows better than the edge does. Taken
for a card it makes the whole table too large. But all cards of a deck have the same margin, so that what is faint on
one card is plain on all of them together; and no table's pattern lies around ten cards in the same way.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from referee.calibrate.deal.card_lines import STEP, card_corners, side_lines
from referee.calibrate.deal.card_plane import CardPlane, Floats
from referee.calibrate.deal.outlines import Quads
from referee.vision.rectify import Image, project

_MARGINS: Final = np.arange(0.0, 9.01, STEP)
_OFF_CENTRE: Final = 2.0
"""A card lies so far from the middle of what was taken for it, mm: some sides may be a frame's, others the card's."""

_TURNS: Final = np.radians(np.arange(-2.0, 2.01, 0.5))
NEVER_LOOSE: Final = 3.2
"""No half of a deal's piles is so much larger than a card, mm a side: what shows so far out are edges around frames."""

_LESS, _MORE = 6, 2
"""Around frames a card's own margin is so many steps smaller or larger than the common one at most."""

_SLIGHT: Final = 1.5
"""Edges so near what was found, mm, are the same: a pile's cards, or the shadow along its rim."""

_CLEARLY: Final = 0.5
"""What an edge around a frame shows at least, of 1, or else the card is left out."""

_AS_CLEARLY: Final = 0.8
"""The share of it that an outer rectangle shows of what the clearest does."""


def outermost(image: Image, plane: CardPlane, quads: Quads, poses: Floats) -> tuple[float, Quads]:
    """The outermost rectangles that show around what was taken for cards.

    Args:
        image: uint8 (H, W, 3) BGR.
        plane: the plane in which ``poses`` have the size of cards.
        quads: what was taken for cards (N, 4, 2), px.
        poses: (N, 3) of x, y in mm and turn in radians, of cards there.

    Returns:
        the margin that half of them show, mm, and outlines (M, 4, 2), px: of those that show one of about so much, or
        what they were where the margin is slight.
    """
    lines = side_lines(image, plane, poses, _OFF_CENTRE, float(_MARGINS[-1]) + _OFF_CENTRE, _TURNS, thin=True)
    reach = round(_OFF_CENTRE / STEP)
    strengths, shifts = [], []
    for at in range(len(_MARGINS)):
        near = lines[..., at : at + 2 * reach + 1]
        # The weaker of opposite sides, and of both ways: a shadow or a neighbour makes a line on one side only.
        pairs = np.minimum(near[:, :, :2], near[:, :, 2:, ::-1])
        strengths.append(pairs.max(axis=3))
        shifts.append((pairs.argmax(axis=3) - reach) * STEP)
    # (margins, cards, turns, ways)
    ways, places = np.array(strengths), np.array(shifts)
    both = ways.min(axis=3)
    shown = both.max(axis=2)
    common = _last(np.median(shown, axis=1))
    frames = bool(_MARGINS[common] > NEVER_LOOSE)
    first, end = max(0, common - _LESS) if frames else 0, common + _MORE + 1
    outlines = []
    for i, pose in enumerate(poses):
        own = shown[first:end, i]
        if frames and own.max() < _CLEARLY:
            continue
        turn = int(both[first + _last(own), i].argmax())
        at_way = [first + _last(ways[first:end, i, turn, way]) for way in range(2)]
        up, right = (places[k, i, turn, way] for way, k in enumerate(at_way))
        high, wide = (float(_MARGINS[k]) for k in at_way)
        if max(high, wide) < _SLIGHT:
            outlines.append(quads[i])
            continue
        cos, sin = np.cos(pose[2]), np.sin(pose[2])
        moved = pose + np.array([right * cos + up * sin, right * sin - up * cos, _TURNS[turn]])
        corners = card_corners(moved, plane.card_width, (wide, high))
        outlines.append(project(plane.plane_to_image, corners))
    return float(_MARGINS[common]), np.array(outlines).reshape(-1, 4, 2)


def _last(shown: Floats) -> int:
    """The last place that shows nearly as much as the one that shows most."""
    return int(np.flatnonzero(shown >= _AS_CLEARLY * shown.max())[-1])
