"""Cards that came down under another one before anybody saw them: which a stock pile has lost, and when they came."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from referee.cards import Card
from referee.readings import BACK, EMPTY
from referee.rules.position import Position
from referee.table import Zone, ZoneKind
from referee.tracking import costs
from referee.tracking.hypothesis import Deed, Hypothesis, Span, is_loss
from referee.tracking.sightings import Sighting, top, weigh

CARRY: Final = 0.08
"""A card needs so long from its place to another, s."""

_BEFORE: Final = 0.03
"""The card that lies underneath came down so long before at the least, s."""

LANDING: Final = 0.25
"""How long before the card that covers it a card may have come down that nobody saw, s."""

_HASTE: Final = 0.05
"""No card seems to come sooner after it left than this, s, as well as either can be told."""

_SEEN: Final = 0.1
"""A card has lain so long, about, before it is told that it does, s."""


def leaving(position: Position, sighting: Sighting) -> Card | None:
    """The card that a stock pile has lost, if the change tells of a loss and the ledger has it face up on top."""
    zone = sighting.zone
    if zone.kind is not ZoneKind.STOCK or top(position, zone) in (EMPTY, BACK, sighting.best):
        return None
    assert zone.seat is not None
    side = position.sides[zone.seat]
    if zone.index >= len(side.stock) or not side.stock[zone.index]:
        return None
    return side.stock[zone.index][-1].card


def since_it_left(span: Span, hypothesis: Hypothesis, source: Zone) -> Span:
    """When a card came that is known already to have left ``source``: not before it can have come from there.

    Under a hand nothing of its coming is seen but that it lies there, and the pictures may tell of that hand instead.
    """
    left = next((one.change for one in hypothesis.pending_at(source) if is_loss(hypothesis.position, one)), None)
    if left is None or span.t_to >= left.t_from + _HASTE or (earliest := left.t_from + CARRY) >= span.told:
        return span
    return replace(span, t_from=earliest, t_to=max(earliest, span.told - _SEEN))


def landed_under(t: float, loss: Sighting) -> tuple[float, float]:
    """Between when the card that a stock pile has lost came down, unseen, under one that came at ``t``, s."""
    return min(t - _BEFORE, max(loss.change.t_to, t - LANDING)), t


def under_deed(deed: Deed, loss: Sighting) -> tuple[Span, float]:
    """When the card that a stock pile has lost came down under that of ``deed``, and what that costs."""
    t_from, t_to = landed_under(deed.span.t, loss)
    return Span(t_from, t_to, loss.change.t_seen, loss.change.frames, (loss.change,)), costs.COVERED + _busy(loss)


def _busy(loss: Sighting) -> float:
    """What it costs that a card came down after another lay where it left: one hand does not do both."""
    return costs.BUSY_SINCE if loss.best < BACK else 0.0


def under(sighting: Sighting, loss: Sighting, card: Card) -> tuple[Span, float]:
    """When a card came down that was covered before it was seen, and what that costs."""
    change = sighting.change
    # What was glimpsed several times was seen coming down.
    for glimpse in reversed(change.glimpses):
        fit, outcomes = weigh(glimpse.reading)
        if card.code in outcomes:
            t = min(glimpse.t, sighting.t)
            return Span(t - 0.1, t, change.t_seen, change.frames, (change, loss.change)), fit[card.code]
    t_from, t_to = landed_under(sighting.t, loss)
    return Span(t_from, t_to, change.t_seen, change.frames, (loss.change,)), costs.COVERED + _busy(loss)
