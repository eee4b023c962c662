"""The truth of a film, as the footage contract writes it: header, hidden deal, events, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from referee.rules.actions import Action, Kind
from referee.rules.contract import write_event, write_sizes
from referee.rules.ruleset import RuleSet
from referee.simulate.events import Event
from referee.table import Seat, TableLayout

VERSION = 1
"""Of the format."""


def header(
    *,
    video: str,
    fps: float,
    size: tuple[int, int],
    rules: RuleSet,
    names: tuple[str, str],
    layout: TableLayout,
    corners_px: Iterable[Sequence[float]],
    deck: str,
    notes: str,
) -> dict[str, Any]:
    """The first line.

    Args:
        video: name of the film's file.
        fps: pictures a second.
        size: width and height, px.
        rules: the law played by.
        names: of the players A and B.
        layout: where the zones really lie, mm.
        corners_px: image positions of the table's top left, top right, bottom right and bottom left corner.
        deck: what the deck is.
        notes: whatever else one must know to score against the film.
    """
    zones = {
        zone.name: [round(value, 2) for value in (box.x, box.y, box.width, box.height, box.angle)]
        for zone, box in layout.boxes.items()
    }
    return {
        "kind": "header",
        "version": VERSION,
        "video": video,
        "fps": int(fps) if float(fps).is_integer() else fps,
        "size": list(size),
        "ruleset": rules.preset,
        "overrides": rules.overrides(),
        "names": dict(zip("AB", names, strict=True)),
        "table_mm": [layout.width, layout.height],
        "corners_px": [[round(x, 2), round(y, 2)] for x, y in corners_px],
        "zones": zones,
        "deck": deck,
        "notes": notes,
    }


def hidden_deal(action: Action) -> dict[str, Any]:
    """The second line: every card of the first deal, piles bottom to top."""
    line: dict[str, Any] = {"kind": "deal", "t": action.t}
    for seat, dealt in zip(Seat, action.deal, strict=True):
        if dealt is not None:
            stock = [[one.card.text for one in pile] for pile in dealt.stock]
            line[seat.name] = {"stock": stock, "reserve": [card.text for card in dealt.reserve]}
    return line


def event_line(event: Event) -> dict[str, Any]:
    """One event."""
    action = event.action
    if action is None:
        line: dict[str, Any] = {"kind": "event", "t": event.t, "action": event.name}
        if event.name == "disturbed":
            line["what"] = event.detail
        elif event.name != "stalemate":
            line["winner"] = None if event.winner is None else event.winner.name
            line["reason"] = event.detail
        return line
    if action.kind is Kind.DEAL:
        sizes = write_sizes(action)
        return {"kind": "event", "t": event.t, "action": event.name, "round": event.round, "sizes": sizes}
    line = write_event(action)
    line["verdict"] = "legal" if event.fault is None else "illegal"
    if event.fault is not None:
        line["reason"] = event.fault.value
    if event.correction:
        line["correction"] = True
    return line


def write_truth(head: Mapping[str, Any], events: Sequence[Event]) -> str:
    """The text of a truth file; ``events`` are in order of time and begin with the deal."""
    first = events[0].action
    if first is None or first.kind is not Kind.DEAL:
        raise ValueError("a film's events begin with the deal")
    lines = [head, hidden_deal(first), *(event_line(event) for event in events)]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
