"""A contact sheet of a film: stills at the instants that matter, because people judge pictures by eye."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from referee.rules.actions import Kind
from referee.simulate.events import Event
from referee.simulate.production import Production
from referee.simulate.render.look import Look
from referee.simulate.render.studio import Studio
from referee.simulate.render.surfaces import Surface
from referee.train.decks.deck import Deck

_COLUMNS = 4
_STILLS = 20
_WIDTH = 640
_BEFORE = 0.10
"""Stills are taken so long before a touch, s: the card is still in the air."""


def contact_sheet(
    production: Production,
    look: Look,
    deck: Deck,
    size: tuple[int, int],
    progress: Callable[[int, int], None],
    top: Surface | None = None,
) -> npt.NDArray[np.uint8]:
    """Stills of a film with their times and what is about to happen: uint8 (H, W, 3) BGR."""
    chosen = _spread([event for event in production.events if event.t > _BEFORE])
    studio = Studio(production.script, look, deck, size, top)
    tiles = []
    try:
        for number, event in enumerate(chosen, start=1):
            t = event.t - _BEFORE
            still = cv2.resize(
                studio.picture(t), (_WIDTH, round(_WIDTH * size[1] / size[0])), interpolation=cv2.INTER_AREA
            )
            cv2.putText(still, _caption(t, event), (8, 20), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 3, cv2.LINE_AA)
            cv2.putText(
                still, _caption(t, event), (8, 20), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA
            )
            tiles.append(still)
            progress(number, len(chosen))
    finally:
        studio.close()
    while len(tiles) % _COLUMNS or not tiles:
        tiles.append(np.zeros((round(_WIDTH * size[1] / size[0]), _WIDTH, 3), np.uint8))
    rows = [np.hstack(tiles[at : at + _COLUMNS]) for at in range(0, len(tiles), _COLUMNS)]
    return np.vstack(rows).astype(np.uint8)


def _spread(events: list[Event]) -> list[Event]:
    """Not more than a sheet holds, spread over the film."""
    if len(events) <= _STILLS:
        return events
    return [events[round(i * (len(events) - 1) / (_STILLS - 1))] for i in range(_STILLS)]


def _caption(t: float, event: Event) -> str:
    action = event.action
    if action is None or action.kind is Kind.DEAL:
        return f"{t:.2f} s  {event.name}"
    words = [str(action.seat) if action.seat is not None else "both", action.kind.value]
    words += [str(part) for part in (action.card, action.source, action.target) if part is not None]
    if event.fault is not None:
        words.append(f"({event.fault.value})")
    return f"{t:.2f} s  {' '.join(words)}"
