"""Cards that turn out to be others long after they were told of, while they still lie where that was."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.cards import Card
from referee.rules.actions import Kind
from referee.table import Zone, ZoneKind
from referee.tracking.hypothesis import Deed, Hypothesis
from referee.tracking.sightings import card_of, top

Told = tuple[int, Deed]
"""Something said: the number of its commit, and what it said was done."""


class Names:
    """What was said of the cards that lie on top of stock piles, as long as they lie there."""

    def __init__(self) -> None:
        self._told: dict[Zone, tuple[Told, ...]] = {}

    def clear(self) -> None:
        """Nothing that was said can be put right any more."""
        self._told.clear()

    def said(self, number: int, deed: Deed, hypothesis: Hypothesis) -> list[Told]:
        """``deed`` is said as commit ``number``; what was said before of its card, put right where it was another."""
        action = deed.action
        if any(side.gathered for side in deed.after.sides) or action.kind is Kind.DEAL:
            self._told.clear()
            return []
        before = () if action.source is None else self._told.pop(action.source, ())
        found = _other(before, action.card, hypothesis)
        if action.target is not None and action.target.kind is ZoneKind.STOCK and action.kind in _LAYS:
            self._told[action.target] = (*before, (number, deed))
            self.corrected(found)
        return found

    def corrected(self, found: Iterable[tuple[int, Deed | None]]) -> None:
        """What was said otherwise, or was not done, by number."""
        new = dict(found)
        for zone, told in self._told.items():
            kept = ((number, new.get(number, deed)) for number, deed in told)
            self._told[zone] = tuple((number, deed) for number, deed in kept if deed is not None)

    def mistaken(self, hypothesis: Hypothesis) -> list[Told]:
        """What was said of cards that are others by ``hypothesis``, put right."""
        found: list[Told] = []
        for zone, told in self._told.items():
            found += _other(told, _lies(hypothesis, zone), hypothesis)
        return found


_LAYS = (Kind.TURN_UP, Kind.FILL, Kind.STACK, Kind.TAKE_BACK)


def _other(told: Iterable[Told], card: Card | None, hypothesis: Hypothesis) -> list[Told]:
    """What was said of another card than ``card``; what ``hypothesis`` can still go back to it disputes by itself."""
    if card is None or not card.known:
        return []
    recent = {*(deed.said for deed in hypothesis.deeds), *(number for number, _ in hypothesis.disputes)}
    return [
        (number, replace(deed, action=replace(deed.action, card=card)))
        for number, deed in told
        if deed.action.card is not card and number not in recent
    ]


def _lies(hypothesis: Hypothesis, zone: Zone) -> Card | None:
    """The card that lay on top of ``zone`` before what is kept in mind was done, by what is known of it now."""
    if any(deed.touches(zone) for deed in hypothesis.deeds):
        return None
    return card_of(top(hypothesis.base, zone))
