"""What comes to light later about cards that were not read, or misread: hypotheses with the card put right."""

from __future__ import annotations

from dataclasses import replace

from referee.cards import UNKNOWN, Card
from referee.rules.actions import Kind
from referee.rules.moving import Impossible
from referee.rules.step import step
from referee.table import Zone
from referee.tracking import costs
from referee.tracking.hypothesis import Deed, Hypothesis
from referee.tracking.resync import dealt_anew, exchanged, named
from referee.tracking.whereabouts import whereabouts


def name(hypothesis: Hypothesis, zone: Zone, card: Card) -> Hypothesis:
    """The hypothesis with the top of ``zone``, which nobody could read until now, named."""
    position, seat = hypothesis.position, zone.seat
    assert seat is not None
    if whereabouts(position, card) is not None or not position.could_hold(seat) & card.bit:
        return hypothesis
    deeds, disputes = list(hypothesis.deeds), hypothesis.disputes
    for index in range(len(deeds) - 1, -1, -1):
        deed = deeds[index]
        deeds[index] = moved = replace(deed, after=named(deed.after, zone, card))
        if deed.action.target is zone:
            if deed.action.card is UNKNOWN:
                deeds[index] = moved = replace(moved, action=replace(deed.action, card=card))
                if deed.said is not None:
                    disputes = (*(one for one in disputes if one[0] != deed.said), (deed.said, moved))
            return replace(hypothesis, deeds=tuple(deeds), disputes=disputes)
        deeds[index] = replace(moved, before=named(deed.before, zone, card))
    return replace(hypothesis, deeds=tuple(deeds), base=named(hypothesis.base, zone, card))


def renamed(hypothesis: Hypothesis, wrong: Card, card: Card, cost: float) -> Hypothesis | None:
    """The hypothesis that what was taken for ``wrong`` is ``card``, which may be unknown; ``None`` if it cannot be."""
    base = exchanged(hypothesis.base, wrong, card)
    disputes = hypothesis.disputes
    made: list[Deed] = []
    change = cost
    for deed in hypothesis.deeds:
        before = made[-1].after if made else base
        action = replace(deed.action, card=card) if deed.action.card is wrong else deed.action
        if action.kind is Kind.DEAL:
            action = replace(action, deal=dealt_anew(action.deal, wrong, card))
        try:
            again = step(before, action)
        except Impossible:
            return None
        new_cost = costs.verdict_cost(again.ruling) + deed.extra
        change += new_cost - deed.cost
        moved = replace(deed, action=action, ruling=again.ruling, before=before, after=again.position, cost=new_cost)
        told_anew = action is not deed.action and action.kind is not Kind.DEAL
        if deed.said is not None and (told_anew or again.ruling.verdict is not deed.ruling.verdict):
            disputes = (*(one for one in disputes if one[0] != deed.said), (deed.said, moved))
        made.append(moved)
    return replace(hypothesis, base=base, deeds=tuple(made), score=hypothesis.score + change, disputes=disputes)
