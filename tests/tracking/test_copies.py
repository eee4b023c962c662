"""What is copied without ``replace``, because it is copied so often, loses nothing."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from referee.rules.actions import Action
from referee.rules.position import Position
from referee.tracking.hypothesis import Deed, Hypothesis, Span


def marked(kind: type[Any], **given: object) -> Any:
    """One of a dataclass in whose fields, but for those given, stand things found nowhere else."""
    names = [one.name for one in fields(kind) if one.init]
    return kind(**{name: given.get(name, object()) for name in names})


def kept(one: Any, copy: Any, *but: str) -> bool:
    names = [each.name for each in fields(one) if each.init and each.name not in but]
    return all(getattr(one, name) is getattr(copy, name) for name in names)


def test_a_position_with_its_cards_elsewhere_is_otherwise_the_same() -> None:
    one, sides, centre = marked(Position), object(), object()
    copy = one.with_cards(sides, centre)
    assert copy.sides is sides
    assert copy.centre is centre
    assert kept(one, copy, "sides", "centre")


def test_an_action_at_another_time_is_otherwise_the_same() -> None:
    one = marked(Action)
    copy = one.at(3.5)
    assert copy.t == 3.5
    assert kept(one, copy, "t")


def test_a_deed_at_another_time_is_otherwise_the_same() -> None:
    span = Span(3.0, 3.2, 3.4, (90, 96))
    one = marked(Deed, action=marked(Action))
    copy = one.at(span)
    assert copy.span is span
    assert copy.action.t == span.t
    assert kept(one, copy, "span", "action")


def test_an_account_with_something_else_in_it_is_otherwise_the_same() -> None:
    one = marked(Hypothesis)
    for name in ("deeds", "score", "expected", "pending", "disputes"):
        new = object()
        copy = one.but(**{name: new})
        assert getattr(copy, name) is new
        assert kept(one, copy, name)
