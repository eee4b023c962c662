"""Layouts of the zones where no picture shows them: by ruleset, for right- and left-handed players."""

from __future__ import annotations

from typing import Final

from referee.calibrate.deal.rows import Expected
from referee.errors import UserError
from referee.rules.ruleset import RuleSet
from referee.table import CARD_MM, RESERVES, STOCKS, Box, Seat, TableLayout, Zone, standard_layout

HANDS: Final = ("right", "left")
"""Sides of a player at which the reserve can lie."""


def expected_by(rules: RuleSet) -> Expected:
    """What a law lays out on the table."""
    return Expected(len(rules.plan.piles), rules.reserve_place == "table", rules.plan.piles)


def layout_for(
    expected: Expected,
    size: tuple[float, float],
    card_width: float = CARD_MM[0],
    reserves: tuple[str, str] = ("right", "right"),
) -> TableLayout:
    """The standard layout of a table of ``size`` (width, height, mm), with each reserve at that hand of its player.

    Raises:
        UserError: it does not fit the table.
    """
    try:
        layout = standard_layout(
            expected.stock,
            reserves=expected.reserve,
            width=size[0],
            height=size[1],
            card=(card_width, CARD_MM[1]),
        )
    except ValueError as error:
        raise UserError(f"{error}: give a larger --size, or the places of the zones with --zones") from None
    boxes = dict(layout.boxes)
    for seat, side in zip(Seat, reserves, strict=True):
        if side == "left" and expected.reserve:
            boxes |= _left_handed(layout, seat, expected.stock)
    return TableLayout(layout.width, layout.height, boxes)


def _left_handed(layout: TableLayout, seat: Seat, stock: int) -> dict[Zone, Box]:
    """One seat's row with the reserve at the other end; stock piles are still counted from the player's left."""
    row = [*STOCKS[seat][:stock], RESERVES[seat]]
    places = [layout.boxes[zone] for zone in row]
    mirrored = [Box(layout.width - box.x, box.y, box.width, box.height, box.angle) for box in reversed(places)]
    return dict(zip([row[-1], *row[:-1]], mirrored, strict=True))
