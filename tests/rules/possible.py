"""Everything that can physically happen in a position, legal or not: what no judge may choke on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from hypothesis import strategies as st

from referee.rules import Action, Kind, Manner, Position, RuleSet, build
from referee.rules.ruleset import KEYS, PRESETS, valid_values
from referee.table import CENTRES, HANDS, RESERVES, STOCKS, Seat, Zone, ZoneKind


def possible_actions(position: Position) -> Iterator[Action]:
    """Every action players can physically carry out, deals left out, without times."""
    places = tuple(len(side.stock) for side in position.sides)
    for seat in Seat:
        for word in ("spit", "pass"):
            yield Action(Kind.CALL, seat, word=word)
        for zone in (*CENTRES, *STOCKS[0], *RESERVES):
            yield Action(Kind.TOUCH, seat, target=zone)
        for zone in CENTRES:
            yield Action(Kind.SLAP, seat, target=zone)
            yield Action(Kind.CLAIM, seat, target=zone)
        yield from _turned(position, seat)
        for owner in Seat:
            for zone in (*STOCKS[owner][: places[owner]], RESERVES[owner], HANDS[owner]):
                yield from _moved(position, seat, zone, places)
        for zone in CENTRES:
            yield from _moved(position, seat, zone, places)
    yield Action(Kind.CALL, None, word="spit")


def _turned(position: Position, seat: Seat) -> Iterator[Action]:
    for owner in Seat:
        for index, pile in enumerate(position.sides[owner].stock):
            if pile and not pile[-1].up:
                yield Action(Kind.TURN_UP, seat, pile[-1].card, None, STOCKS[owner][index])
        if position.sides[owner].reserve:
            yield Action(Kind.TURN_UP, seat, position.sides[owner].reserve[-1], None, RESERVES[owner])


def _moved(position: Position, seat: Seat, source: Zone, places: tuple[int, ...]) -> Iterator[Action]:
    cards = position.cards_at(source)
    for card in dict.fromkeys(cards if source.kind is ZoneKind.HAND else cards[-2:]):
        for target in CENTRES:
            if target is source:
                continue
            yield Action(Kind.PLAY, seat, card, source, target)
            if source.kind is ZoneKind.RESERVE:
                yield Action(Kind.SPIT, seat, card, source, target)
        for owner in Seat:
            for target in STOCKS[owner][: places[owner]]:
                if target is source:
                    continue
                if source.kind is ZoneKind.CENTRE:
                    yield Action(Kind.TAKE_BACK, seat, card, source, target)
                elif position.cards_at(target):
                    yield Action(Kind.STACK, seat, card, source, target)
                else:
                    yield Action(Kind.FILL, seat, card, source, target)
        if source.kind is ZoneKind.CENTRE:
            yield Action(Kind.TAKE_BACK, seat, card, source, RESERVES[seat])
    for debt in position.owed:
        # Back onto its place even where the pile has been gathered up since, or from under other cards.
        back_to_table = debt.back_to.kind is ZoneKind.STOCK and source.kind is not ZoneKind.CENTRE
        if debt.at is source and debt.back_to.kind is not ZoneKind.CENTRE and not back_to_table:
            yield Action(Kind.TAKE_BACK, seat, debt.card, source, debt.back_to)


def some_action(position: Position, rng: Random) -> Action:
    """One of them at random, now and then done with two cards or hands at once, or at a given time."""
    action = rng.choice(list(possible_actions(position)))
    manner = rng.choice([None] * 8 + list(Manner))
    t = rng.choice([None, round(rng.uniform(0, 100), 3)])
    return Action(
        action.kind, action.seat, action.card, action.source, action.target, t, action.word, manner, action.deal
    )


@st.composite
def rulesets(draw: st.DrawFn) -> RuleSet:
    """Any valid ruleset: combinations that contradict themselves are drawn again."""
    overrides = draw(
        st.fixed_dictionaries(
            {}, optional={key: st.sampled_from(valid_values(key)) for key in KEYS if valid_values(key)}
        )
    )
    preset = draw(st.sampled_from(sorted(PRESETS)))
    try:
        return build(preset, overrides)
    except ValueError:
        return build(preset, {})


PRESET_RULES = [build(preset, {"layout": layout}) for preset, layout in product(PRESETS, valid_values("layout"))]
"""Every preset in every layout."""
