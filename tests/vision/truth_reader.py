"""A reader that knows the truth of a film: what lies where is taken from its truth file, hands from the picture."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from referee.cards import Card
from referee.readings import BACK, EMPTY, OUTCOMES, Look, Pose, Reading, Sight, ZoneReading
from referee.table import Box, Zone
from referee.vision.frames import Frame
from referee.vision.zone_reading import on_table

LIFT = 0.35
"""A card leaves its place about so long before it touches the next, s."""

Pile = list[tuple[str, bool]]


class TruthReader:
    """Reads zones as a good reader would, from the first deal of a truth file on."""

    def __init__(self, truth: Path, sure: float = 0.97) -> None:
        """Read what ``truth`` tells, each time with probability ``sure``."""
        rows = [json.loads(row) for row in truth.read_text(encoding="utf-8").splitlines()]
        self.boxes = {Zone(name): Box(*box) for name, box in rows[0]["zones"].items()}
        self._zones = list(self.boxes)
        self._sure = sure
        self._shows = _timeline(rows[1:])

    def read(self, frame: Frame, zones: Sequence[Zone], look: Look) -> list[ZoneReading]:
        """What each of ``zones`` shows in ``frame``."""
        return [self._one(frame, zone, look) for zone in zones]

    def _one(self, frame: Frame, zone: Zone, look: Look) -> ZoneReading:
        number = self._zones.index(zone)
        outcome, place = next(
            (outcome, place) for t, outcome, place in reversed(self._shows[zone.name]) if t <= frame.t
        )
        moved = float(look.moved[number])
        if outcome is None or (look.covered[:, number].max() > 0.95 and moved > 0.3):
            alike = np.full(OUTCOMES, -math.log(OUTCOMES), np.float32)
            return ZoneReading(zone, frame.t, frame.index, Reading(Sight.HIDDEN, alike, 0.95, None, None), None, moved)
        logs = np.full(OUTCOMES, math.log((1 - self._sure) / (OUTCOMES - 1)), np.float32)
        logs[outcome] = math.log(self._sure)
        state = Sight.EMPTY if outcome == EMPTY else Sight.BACK if outcome == BACK else Sight.CARD
        # Cards put down one after the other never lie exactly alike.
        dx, dy = np.random.default_rng([place, number]).uniform(-8, 8, 2)
        box = self.boxes[zone]
        lies = None if outcome == EMPTY else Pose(dx, dy, 0.0)
        pose = None if lies is None else on_table(lies, box)
        return ZoneReading(zone, frame.t, frame.index, Reading(state, logs, 0.1, None, lies), pose, moved)


def _timeline(rows: list[dict[str, Any]]) -> dict[str, list[tuple[float, int | None, int]]]:
    """For each zone from when on it shows what: time, outcome (None while nothing can be told), number of the act."""
    deal = next(row for row in rows if row["kind"] == "deal")
    piles: dict[str, Pile] = {"C1": [], "C2": []}
    for seat in "AB":
        for number, cards in enumerate(deal[seat]["stock"], start=1):
            piles[f"{seat}{number}"] = [(card, place == len(cards)) for place, card in enumerate(cards, start=1)]
        piles[f"{seat}R"] = [(card, False) for card in deal[seat]["reserve"]]
    shows: dict[str, list[tuple[float, int | None, int]]] = {zone: [(-1.0, _top(p), 0)] for zone, p in piles.items()}
    for number, event in enumerate((row for row in rows if row["kind"] == "event"), start=1):
        t = event["t"]
        if "from" in event:
            source, target = event["from"], event["to"]
            piles[source] = [entry for entry in piles[source] if entry[0] != event["card"]]
            left = max(t - LIFT, shows[source][-1][0] + 0.01)
            shows[source].append((left, _top(piles[source]), number))
            piles[target].append((event["card"], True))
            shows[target].append((t, _top(piles[target]), number))
        elif event["action"] == "turn_up":
            zone = event["at"]
            piles[zone][-1] = (event["card"], True)
            shows[zone] += [(t - 0.2, None, number), (t, _top(piles[zone]), number)]
    return {zone: sorted(one, key=lambda show: show[0]) for zone, one in shows.items()}


def _top(pile: Pile) -> int:
    if not pile:
        return EMPTY
    card, up = pile[-1]
    return Card(card).code if up else BACK
