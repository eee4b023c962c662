"""Since when the table contradicts the ledger, and where it has done so for too long."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from referee.rules.position import Position
from referee.table import Zone
from referee.tracking.resync import contradictions
from referee.tracking.settings import Settings
from referee.tracking.sightings import Sighting

_ALONE: Final = 3
"""One zone alone has to contradict the ledger so many times as long."""


class Contradictions:
    """Watches the zones that clearly show something else than the ledger has there."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._since: dict[Zone, float] = {}

    def clear(self) -> None:
        """The ledger was mended: nothing contradicts it."""
        self._since = {}

    def spare(self, zones: Iterable[Zone], until: float) -> None:
        """What ``zones`` show counts only from ``until``, s: the players are putting things as they were."""
        self._since |= dict.fromkeys(zones, until)

    def ripe(self, position: Position, latest: Mapping[Zone, Sighting], now: float) -> tuple[list[Zone], bool]:
        """The zones that have contradicted ``position`` for too long at ``now``, s, and whether that is overdue.

        One zone may have been misread; two are not misread for long. Nothing is ripe before there are enough.
        """
        self._since = {zone: self._since.get(zone, now) for zone in contradictions(position, latest)}
        patience = self._settings.patience
        ages = {zone: now - since for zone, since in self._since.items() if now - since >= patience}
        if len(ages) < 2 and not any(age >= _ALONE * patience for age in ages.values()):
            return [], False
        return list(ages), any(age >= patience + self._settings.doubt for age in ages.values())
