"""Tables for tests: a position from the few cards that matter, and actions from their text."""

from __future__ import annotations

from referee.rules import Position, Ruling, Step, parse_action, parse_position, step
from referee.rules.piles import parse_cards, parse_pile
from referee.rules.position import write_position


def lay(
    a: str = "-",
    b: str = "-",
    centre: str = "-/-",
    *,
    rules: str = "house",
    reserves: tuple[str, str] = ("-", "-"),
    phases: tuple[str, str] = ("play", "play"),
    more: str = "",
    sides: tuple[str, str] = ("", ""),
) -> Position:
    """A position with these cards on the table.

    Args:
        a, b: stock piles, ``7C/9hJC``; places up to the fifth are gaps.
        centre: both centre piles, ``8S,7CA@1.5/JH``.
        rules: the ruleset's text.
        reserves: ``#5``, ``9c8d`` or ``-``.
        phases: each side's phase.
        more: further words of the position's text, ``due=AB``.
        sides: further parts of each side's text, ``;hand=7c``.

    The rest of the 52 cards lie unseen at the bottom of C1, or of C2 if there is no C1, or in B's reserve.
    """
    places = 5 if "triangle4" not in rules and "single10" not in rules else 4 if "triangle4" in rules else 1
    stocks = ["/".join((side.split("/") + ["-"] * places)[:places]) for side in (a, b)]
    first, second = centre.split("/")
    count = sum(len(parse_pile(pile)) for stock in stocks for pile in stock.split("/"))
    count += sum(len(parse_cards(reserve)) for reserve in reserves)
    for part in ";".join(sides).split(";"):
        name, _, cards = part.partition("=")
        if name in ("hand", "gathered"):
            count += len(parse_cards(cards))
    count += sum(0 if pile == "-" else len(pile.split(",")) for pile in (first, second))
    filler = ",".join(["??"] * (52 - count))
    a_reserve, b_reserve = reserves
    if filler and first != "-":
        first = f"{filler},{first}"
    elif filler and second != "-":
        second = f"{filler},{second}"
    elif filler:
        assert b_reserve in ("-", "#0") or b_reserve.startswith("#")
        b_reserve = f"#{52 - count + len(parse_cards(b_reserve))}"
    text = (
        f"{rules} A={phases[0]};{stocks[0]};{a_reserve}{sides[0]} B={phases[1]};{stocks[1]};{b_reserve}{sides[1]} "
        f"C={first}/{second} {more}"
    )
    return parse_position(text)


def rule(position: Position, action: str) -> Ruling:
    """The ruling on an action given as text."""
    return do(position, action).ruling


def do(position: Position, *actions: str) -> Step:
    """The last step of a line of actions given as text; every position on the way has to be sound."""
    done: Step | None = None
    for action in actions:
        done = step(position, parse_action(action))
        position = done.position
        assert position.defects() == (), f"after {action}: {position.defects()}"
        assert parse_position(write_position(position)) == position
    assert done is not None
    return done


def after(position: Position, *actions: str) -> Position:
    """The position after a line of actions given as text."""
    return do(position, *actions).position


def reason(position: Position, action: str) -> str:
    """Why an action is illegal; ``legal`` if it is not."""
    ruling = rule(position, action)
    return ruling.verdict.value if ruling.reason is None else ruling.reason.value
