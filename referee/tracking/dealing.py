"""New layouts: when all the cards that are to be dealt lie on the table, and which of them show."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from referee.cards import DECK, UNKNOWN, Card
from referee.readings import BACK, EMPTY
from referee.rules.actions import Action, Kind, SeatDeal
from referee.rules.judge_moves import tops_stay_down
from referee.rules.judge_round import keeps_layout
from referee.rules.piles import FACE_DOWN_UNKNOWN, FACE_UP_UNKNOWN, Laid, laid
from referee.rules.position import Position
from referee.rules.state import Phase
from referee.table import RESERVES, STOCKS, Seat, Zone
from referee.tracking.costs import STRANGER
from referee.tracking.sightings import FACE, Sighting

SURE: Final = -1.4
"""A top read worse than this is dealt as a card that nobody could read: it is learnt when it is read better."""

_PLAYING: Final = [Phase.PLAY, Phase.PLAY]

STRANGE: Final = -5.0
"""The cost of a top that by the ledger its player cannot have."""


def dealers(position: Position) -> tuple[Seat, ...]:
    """The seats that have cards to deal now; nobody while a pile waits to be taken by one who deals with the other."""
    phases = [side.phase for side in position.sides]
    if phases == _PLAYING:
        return ()
    if Phase.CLAIM in phases:
        return ()
    return tuple(seat for seat in Seat if phases[seat] in (Phase.DEALING, Phase.REDEAL))


def dealt(
    position: Position, latest: Mapping[Zone, Sighting], since: float, *, hurried: bool = False
) -> tuple[Action, Sighting, float] | None:
    """The deal that lies on the table, the last change that made it, and its cost; ``None`` while it is not complete.

    Args:
        position: with somebody who has cards to deal.
        hurried: play goes on already, so that what does not look right must have been seen badly.
        latest: what each zone shows.
        since: when the cards were taken up, s; what has not changed since is an old layout.
    """
    seats = dealers(position)
    made: list[SeatDeal | None] = [None, None]
    last: Sighting | None = None
    tops = _Tops(position)
    for seat in seats:
        zones = [zone for zone in (*STOCKS[seat], RESERVES[seat]) if zone in latest]
        laid_out = _of_seat(position, seat, latest, since, tops, hurried)
        if laid_out is None:
            return None
        made[seat] = laid_out
        for zone in zones:
            one = latest[zone]
            if not _bare(one) and (last is None or one.change.t_to > last.change.t_to):
                last = one
    if last is None:
        return None
    return Action(Kind.DEAL, deal=(made[0], made[1]), t=last.t), last, tops.cost


def _of_seat(
    position: Position, seat: Seat, latest: Mapping[Zone, Sighting], since: float, tops: _Tops, hurried: bool
) -> SeatDeal | None:
    side = position.sides[seat]
    if keeps_layout(position, seat):
        reserve = latest.get(RESERVES[seat])
        laid_down = reserve is None or (reserve.change.t_seen > since and not _bare(reserve))
        return SeatDeal((), _unnamed(side.gathered)) if laid_down else None
    sizes = position.rules.deal_sizes(len(side.gathered))
    wanted, fresh = STOCKS[seat][: len(sizes.stock)], 0
    down = tops_stay_down(position, seat)
    for zone in STOCKS[seat]:
        one = latest.get(zone)
        if zone in wanted:
            if one is None or _bare(one) or (not hurried and (_shows_back(one) is not down)):
                return None
            fresh += one.change.t_seen > since
        elif one is not None and not _bare(one) and not hurried:
            return None
    reserve = latest.get(RESERVES[seat])
    if reserve is not None and sizes.reserve and _bare(reserve) and not hurried:
        return None
    if 2 * fresh < len(wanted):
        return None
    stock = []
    for zone, size in zip(wanted, sizes.stock, strict=True):
        lid = FACE_DOWN_UNKNOWN if down else tops.read(seat, latest[zone])
        stock.append((*(FACE_DOWN_UNKNOWN,) * (size - 1), lid))
    return SeatDeal(tuple(stock), (UNKNOWN,) * sizes.reserve)


def _unnamed(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return (UNKNOWN,) * len(cards)


def _bare(sighting: Sighting) -> bool:
    """Whether nothing lies there, as far as one can tell."""
    return sighting.fit[EMPTY] > -0.25


def _shows_back(sighting: Sighting) -> bool:
    """Whether a back is likelier than a face."""
    return sighting.fit[BACK] > sighting.fit[FACE] - STRANGER


class _Tops:
    """The cards on top of new layouts, each one of those its player can have dealt, and what that costs."""

    def __init__(self, position: Position) -> None:
        self.cost = 0.0
        self._position = position
        self._taken: set[Card] = set()
        self._placed = position.placed()

    def read(self, seat: Seat, sighting: Sighting) -> Laid:
        """The card read on top of a pile; unnamed if it is not read surely."""
        gathered = self._position.sides[seat].gathered
        unknown = gathered.count(UNKNOWN)
        elsewhere = self._placed | self._position.sides[seat.other].pool
        for outcome in sighting.outcomes:
            if outcome >= BACK or sighting.fit[outcome] < SURE:
                continue
            card = DECK[outcome]
            known = card in gathered
            if card not in self._taken and (known or (unknown and not elsewhere & card.bit)):
                self._taken.add(card)
                # Which of the cards he has not been seen to hold is as open as which of those he has.
                self.cost += sighting.fit[outcome] + (0.0 if known else math.log(unknown / (52 - 26)))
                return laid(card, True)
        self.cost += STRANGE if sighting.fit[sighting.best] >= SURE else 0.0
        return FACE_UP_UNKNOWN
