"""Actions and rulings as the JSON events of truth and result files.

One event is one JSON object, for example
``{"kind": "event", "t": 4.04, "action": "play", "seat": "B", "card": "TC", "from": "B4", "to": "C2",
"verdict": "legal"}``. Times are seconds; cards, seats and zones are written as everywhere else.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from referee.cards import Card
from referee.rules.actions import Action, Kind, Manner, SeatDeal, parse_word, unseen_deal
from referee.rules.layouts import Sizes
from referee.rules.piles import laid
from referee.rules.position import start
from referee.rules.record import GameRecord, Line, RecordError
from referee.rules.ruleset import RuleSet, build
from referee.rules.ruling import Ruling
from referee.table import Seat, Zone

TARGET_FIELD: Final = {
    Kind.PLAY: "to",
    Kind.TURN_UP: "at",
    Kind.FILL: "to",
    Kind.SPIT: "to",
    Kind.TAKE_BACK: "to",
    Kind.STACK: "to",
    Kind.TOUCH: "at",
    Kind.SLAP: "at",
    Kind.CLAIM: "pile",
}
"""The name under which an event of each kind gives the zone acted on."""

_HAPPENINGS: Final = ("stalemate", "round_over", "game_over", "disturbed")


def read_event(event: Mapping[str, Any]) -> Action | None:
    """The action an event tells of; ``None`` for events that are nobody's action, and for deals (see ``read_deal``).

    Raises:
        ValueError: the event lacks a field or has a wrong one; the sentence names it.
    """
    name = event.get("action")
    if name in _HAPPENINGS or name == "deal":
        return None
    kind = parse_word(Kind, str(name), "action")
    t = event.get("t")
    if t is not None and (isinstance(t, bool) or not isinstance(t, int | float) or not 0 <= t < math.inf):
        raise ValueError(f"the time of a {kind.value} is a number of seconds, not {t!r}")
    time = None if t is None else float(t)
    seat = _field(event, kind, "seat")
    if kind is Kind.CALL:
        return Action(kind, None if seat == "both" else _seat(seat), word=_field(event, kind, "word"), t=time)
    card = Card(_field(event, kind, "card")) if "card" in event else None
    source = Zone(_field(event, kind, "from")) if "from" in event else None
    target = Zone(_field(event, kind, TARGET_FIELD[kind]))
    reason = event.get("reason")
    manner = Manner(reason) if reason in [manner.value for manner in Manner] else None
    return Action(kind, _seat(seat), card, source, target, time, "", manner)


def write_event(action: Action, ruling: Ruling | None = None) -> dict[str, Any]:
    """The event of an action that is no deal, with its ruling if given."""
    event: dict[str, Any] = {"kind": "event", "t": action.t, "action": action.kind.value}
    event["seat"] = "both" if action.seat is None else action.seat.name
    if action.card is not None:
        event["card"] = action.card.text
    if action.source is not None:
        event["from"] = action.source.name
    if action.target is not None:
        event[TARGET_FIELD[action.kind]] = action.target.name
    if action.word:
        event["word"] = action.word
    if ruling is not None:
        event["verdict"] = ruling.verdict.value
        if ruling.reason is not None:
            event["reason"] = ruling.reason.value
        if ruling.correction:
            event["correction"] = True
    return event


def read_deal(line: Mapping[str, Any], *, tops_up: bool) -> Action:
    """A ``deal`` line, which tells every card, as an action; the tops lie face up if ``tops_up``."""
    dealt: list[SeatDeal | None] = [None, None]
    for seat in Seat:
        if seat.name in line:
            cards = line[seat.name]
            stock = tuple(_stock_pile(pile, tops_up) for pile in cards["stock"])
            dealt[seat] = SeatDeal(stock, tuple(Card(card) for card in cards["reserve"]))
    return Action(Kind.DEAL, deal=(dealt[0], dealt[1]), t=float(line.get("t", 0.0)))


def _stock_pile(cards: Sequence[str], tops_up: bool) -> tuple[Any, ...]:
    return tuple(laid(Card(card), tops_up and index == len(cards) - 1) for index, card in enumerate(cards))


def read_sizes(event: Mapping[str, Any]) -> dict[Seat, Sizes]:
    """The sizes a ``deal`` event gives, for each seat that deals."""
    return {
        Seat[seat]: Sizes(tuple(size for size in sizes["stock"] if size), sizes["reserve"])
        for seat, sizes in event["sizes"].items()
    }


def write_sizes(action: Action) -> dict[str, Any]:
    """The ``sizes`` of a deal."""
    sizes = {seat.name: dealt.sizes for seat, dealt in zip(Seat, action.deal, strict=True) if dealt is not None}
    return {seat: {"stock": list(size.stock), "reserve": size.reserve} for seat, size in sizes.items()}


def _field(event: Mapping[str, Any], kind: Kind, name: str) -> str:
    value = event.get(name)
    if not isinstance(value, str):
        raise ValueError(f"a {kind.value} event needs {name!r}")
    return value


def _seat(text: str) -> Seat:
    try:
        return Seat[text]
    except KeyError:
        raise ValueError(f"{text!r} is no seat; the seats are A and B") from None


def read_events(text: str) -> GameRecord:
    """A truth or result file as a game record, each action with the ruling the file gives it.

    Deals whose cards the file does not tell are taken as unseen.

    Raises:
        RecordError: a sentence with the number of the line that is wrong.
    """
    header: dict[str, Any] | None = None
    hidden: dict[str, Any] | None = None
    lines: list[Line] = []
    rules = build()
    for number, row in enumerate(text.splitlines(), start=1):
        if not row.strip():
            continue
        try:
            event = json.loads(row)
            kind = event.get("kind") if isinstance(event, dict) else None
            if header is None and kind != "header":
                raise ValueError('the first line is the header, {"kind":"header",…}')
            if kind == "header":
                header = event
                rules = build(event.get("ruleset", "house"), event.get("overrides", {}))
            elif kind == "deal":
                hidden = event
            elif kind == "event":
                hidden = _add_event(event, number, rules, hidden, lines)
            else:
                raise ValueError(f"a line is a header, a deal or an event, not {kind!r}")
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise RecordError(f"line {number}: {_complaint(error)}") from None
    if header is None:
        raise RecordError("the file is empty")
    names = header.get("names", {})
    return GameRecord(
        rules, start(rules), (str(names.get("A", "A")), str(names.get("B", "B"))), tuple(lines), "*", "events"
    )


def _complaint(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error.args[0]!r} is missing"
    if isinstance(error, json.JSONDecodeError | RecursionError):
        return "this is not JSON; the file may be cut short"
    return str(error) if isinstance(error, ValueError) else "a field is of the wrong type"


def _add_event(
    event: dict[str, Any], number: int, rules: RuleSet, hidden: dict[str, Any] | None, lines: list[Line]
) -> dict[str, Any] | None:
    """Add the event to ``lines``; the hidden deal is returned until a deal has used it."""
    tops_up = rules.reveal == "before_spit"
    if event.get("action") == "deal":
        if hidden is not None:
            dealt = read_deal(hidden, tops_up=tops_up)
        else:
            sizes = read_sizes(event)
            # A player who deals alone turns the tops up first (PT-27).
            tops_up = tops_up or len(sizes) == 1
            a, b = (unseen_deal(sizes[seat], tops_up=tops_up) if seat in sizes else None for seat in Seat)
            dealt = Action(Kind.DEAL, deal=(a, b), t=float(event.get("t", 0.0)))
        lines.append(Line(dealt, number=number))
        return None
    action = read_event(event)
    if action is not None:
        words = (event.get("verdict"), event.get("reason"), "correction" if event.get("correction") else None)
        lines.append(Line(action, " ".join(str(word) for word in words if word), (), number))
    elif event["action"] in _HAPPENINGS[:3] and lines:
        lines[-1] = replace(lines[-1], after=(*lines[-1].after, _happening(event)))
    return hidden


def _happening(event: dict[str, Any]) -> str:
    if "reason" not in event:
        return str(event["action"])
    return f"{event['action']} {event.get('winner') or '-'} {event['reason']}"
