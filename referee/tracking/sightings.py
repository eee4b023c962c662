"""Changes as the decoder weighs them: how well a zone's reading fits each thing that may lie on top there."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from referee.cards import DECK, UNKNOWN, Card
from referee.readings import BACK, EMPTY, OUTCOMES, Reading, Sight, ZoneChange
from referee.rules.position import Position
from referee.rules.state import Phase
from referee.table import Zone, ZoneKind
from referee.tracking.costs import FLOOR, RANK_KEPT, STRANGER, SUIT_KEPT, UNSETTLED

FACE: Final = OUTCOMES
"""A card lying face up that the ledger cannot name."""

FREE: Final = OUTCOMES + 1
"""Whatever lies there means nothing now: the cards are being gathered and dealt."""

LAID_OUT: Final = (Phase.PLAY, Phase.BEFORE_SPIT)
"""A player's zones show what the ledger has there in these phases; in any other they are ``FREE``."""

_PLAUSIBLE: Final = 0.006
"""Outcomes less likely than this are not followed up."""

_SUITS: Final = 4

_RANKS: Final = 13

_ALIKE: Final = ("A4", "A7", "23", "27", "35", "38", "56", "68", "69", "89", "9T", "JQ", "JK", "QK")
"""Ranks that are taken for each other more than others are."""

_ALIKE_SHARE: Final = 0.6
"""Share of the readings with the right suit and a wrong rank in which the rank is like the right one."""

_READ: Final = 0.25
"""A card is taken to be unread if no face is likelier than this."""

_GATHERED: Final = -0.5
"""Something changed among cards that are being gathered and dealt."""

_MOST: Final = 4
"""No more outcomes of one reading than this are followed up."""


_SHORTLY: Final = 0.08
"""What a hand hid was done no longer than this before the hand gave it free, as a rule, s."""


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """A change with its likelihoods.

    Attributes:
        number: its place in the order of evidence.
        change: what was seen.
        fit: for every outcome, and for ``FACE`` and ``FREE``, the logarithm of how well the reading fits it.
        outcomes: the likely outcomes, likeliest first.
        t: when it was, most probably, s.
    """

    number: int
    change: ZoneChange
    fit: tuple[float, ...]
    outcomes: tuple[int, ...]
    t: float

    @property
    def zone(self) -> Zone:
        """Where."""
        return self.change.zone

    @property
    def best(self) -> int:
        """The likeliest outcome."""
        return self.outcomes[0]


def sighting(number: int, change: ZoneChange, missed: float = 0.0) -> Sighting:
    """The change ready to be weighed; of the backs, the share ``missed`` is taken for a bare place."""
    fit, outcomes = weigh(change.after, FLOOR if change.settled else UNSETTLED, missed)
    return Sighting(number, change, fit, outcomes, likeliest(change.t_from, change.t_to))


def likeliest(t_from: float, t_to: float) -> float:
    """When something most probably was that was between two times, s: the hand that hides it does it before it goes."""
    return max((t_from + t_to) / 2, t_to - _SHORTLY)


def weigh(reading: Reading, floor: float = FLOOR, missed: float = 0.0) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """The ``fit`` and ``outcomes`` of a reading, of which the share ``floor`` is wrong without any sign of it.

    Of the backs, the share ``missed`` is taken for a bare place.
    """
    chances = np.exp(np.asarray(reading.log_probs, np.float64))
    total = float(chances.sum())
    if not np.isfinite(total) or total <= 0:
        chances, total = np.full(OUTCOMES, 1 / OUTCOMES), 1.0
    chances /= total
    faces = chances[:BACK].reshape(_SUITS, -1)
    chances = (1 - floor) * chances + (1 - RANK_KEPT - SUIT_KEPT) * floor / OUTCOMES
    # A reading that is wrong is more often right about the rank, or the suit, than not.
    chances[:BACK] += (RANK_KEPT * floor / (_SUITS - 1)) * (faces.sum(axis=0) - faces).ravel()
    chances[:BACK] += SUIT_KEPT * floor * (faces @ _TAKEN_FOR).ravel()
    chances[BACK] += missed * chances[EMPTY]
    order = np.argsort(-chances, kind="stable")[:_MOST]
    outcomes = tuple(int(one) for one in order if chances[one] >= _PLAUSIBLE) or (int(order[0]),)
    face = float(chances[:BACK].sum())
    if chances[order[0]] < _READ and face > 0.5:
        outcomes = (FACE,)
    fit = (*np.log(chances).tolist(), math.log(face) + STRANGER, _GATHERED)
    return fit, outcomes


def alike(card: Card) -> tuple[Card, ...]:
    """The cards of the same suit that ``card`` may be taken for."""
    own = card.text[0]
    ranks = (pair.replace(own, "", 1) for pair in _ALIKE if own in pair)
    return tuple(Card(rank + card.text[1]) for rank in ranks)


def _taken_for() -> npt.NDArray[np.float64]:
    """How often each rank is taken for each other one of its suit: float64 array (13, 13), rows sum to 1."""
    shares = np.full((_RANKS, _RANKS), (1 - _ALIKE_SHARE) / (_RANKS - 1))
    for rank in range(_RANKS):
        like = [one.code % _RANKS for one in alike(DECK[rank])]
        shares[rank, like] += _ALIKE_SHARE / len(like)
        shares[rank, rank] = 0.0
    return np.asarray(shares / shares.sum(axis=1, keepdims=True), np.float64)


_TAKEN_FOR: Final = _taken_for()


def tells_nothing(reading: Reading) -> bool:
    """Whether the zone could not be seen at all."""
    return reading.state is Sight.HIDDEN


def top(position: Position, zone: Zone) -> int:
    """What lies on top of a zone by the ledger: an outcome, ``FACE`` or ``FREE``."""
    if zone.seat is None:
        pile = position.centre[zone.index]
        return _face(pile[-1].card) if pile else EMPTY
    side = position.sides[zone.seat]
    if side.phase not in LAID_OUT:
        return FREE
    if zone.kind is ZoneKind.STOCK:
        stock = side.stock[zone.index] if zone.index < len(side.stock) else ()
        if not stock:
            return EMPTY
        return _face(stock[-1].card) if stock[-1].up else BACK
    return BACK if side.reserve else EMPTY


def _face(card: Card) -> int:
    return FACE if card is UNKNOWN else card.code


def card_of(outcome: int) -> Card | None:
    """The card an outcome names, if it is one."""
    return DECK[outcome] if outcome < BACK else None
