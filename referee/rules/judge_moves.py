"""Judging cards that move: plays, cards turned up, gaps filled, spits, cards taken back.

Each function goes through what can be wrong in a fixed order, the gravest first, and answers at the first fault:
another player's cards, the wrong time, how it was done, where the card came from, where it went, and only then
whether it fits.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from referee.cards import Card
from referee.rules.actions import Action, Kind, Manner
from referee.rules.moving import Impossible, Lifted, actor, find, moved
from referee.rules.position import Position
from referee.rules.ruling import Ruling, Verdict
from referee.rules.state import Phase, Reason, Side
from referee.rules.stuck import stalemate
from referee.rules.verdicts import illegal, legal, not_stuck
from referee.table import Seat, Zone, ZoneKind

LEGAL_PLAY: Final = ("PT-20",)
LEGAL_TURN: Final = ("PT-17",)
LEGAL_FILL: Final = ("PT-15", "C23")
LEGAL_SPIT: Final = ("PT-22",)
FIRST_SPIT: Final = ("PT-5",)


def _timing(position: Position, action: Action, side: Side) -> Ruling | None:
    """What is wrong with moving cards in play now, if anything."""
    if side.phase is not Phase.PLAY and not _stacks_before_play(position, action, side):
        law = ("PT-5",) if side.phase in (Phase.DEALING, Phase.BEFORE_SPIT) else ("PT-25", "PL-18")
        return illegal(position, action, Reason.WRONG_ORDER, *law, note=side.phase.value)
    if position.due and position.frozen:
        return illegal(position, action, Reason.WRONG_ORDER, "G11", note="frozen")
    until = side.locked_until
    if until is not None and action.t is not None and action.t < until:
        return illegal(position, action, Reason.WRONG_ORDER, "G6", note="locked")
    return None


def _stacks_before_play(position: Position, action: Action, side: Side) -> bool:
    """Whether equals are stacked as soon as the tops lie face up, before the spit (X1)."""
    stacking = action.kind is Kind.STACK and position.rules.same_rank_stack
    return stacking and side.phase is Phase.BEFORE_SPIT


def _with_manner(position: Position, action: Action, ruling: Ruling) -> Ruling:
    """The ruling with how the card was moved taken into account.

    A fault of the hands is what is said, but it is no more than a warning only where nothing else was wrong (G10).
    """
    if action.manner is None or ruling.correction or ruling.reason in (Reason.OWN_CARDS_ONLY, Reason.WRONG_ORDER):
        return ruling
    fault = _manner(position, action)
    if fault is None:
        return ruling
    return fault if ruling.remedy is None else replace(fault, remedy=ruling.remedy, against=ruling.against)


def _manner(position: Position, action: Action) -> Ruling | None:
    """What is wrong with how a card was moved, if anything."""
    if action.manner is Manner.TWO_CARDS:
        return illegal(position, action, Reason.TWO_CARDS, "PT-10", "PL-9")
    # For a spit the other hand is needed: it holds the reserve.
    if action.manner is Manner.TWO_HANDS and not position.rules.both_hands and action.kind is not Kind.SPIT:
        return illegal(position, action, Reason.TWO_HANDS, "PT-8", "PL-9")
    return None


def _owed(position: Position, action: Action, seat: Seat, card: Card) -> Ruling | None:
    """The ruling on moving a card that is owed: it has to go back where it belongs, and nowhere else first (G6).

    The one who moved it may put it right, and so may the player whose card it is.
    """
    if not position.owed or action.source is None:
        return None
    debt = position.debt_of(card, action.source)
    if debt is None or seat not in (debt.seat, debt.back_to.seat):
        return None
    if debt.back_to is action.target:
        return legal(action, ("G6",), correction=True)
    return illegal(position, action, Reason.WRONG_PILE, "G6", note="not_back") if debt.binding else None


def _source(position: Position, action: Action, seat: Seat, source: Zone, found: Lifted) -> Ruling | None:
    """What is wrong with where a card came from, if anything."""
    if source.kind is ZoneKind.CENTRE:
        return illegal(position, action, Reason.TAKEN_BACK, "PT-12", "PL-16")
    if source.kind is ZoneKind.RESERVE:
        return illegal(position, action, Reason.FROM_RESERVE, "PT-19")
    if not found.top:
        return illegal(position, action, Reason.NOT_TOP, "PT-16")
    if (
        source.kind is ZoneKind.STOCK
        and not found.up
        and not (action.kind is Kind.FILL and position.rules.gap_source == "any")
    ):
        return illegal(position, action, Reason.FACE_DOWN, "PT-16", "C23")
    if position.rules.reveal_duty == "must" and _unturned(position.sides[seat], source, found):
        return illegal(position, action, Reason.WRONG_ORDER, "SV-5", "C22", note="unturned")
    return None


def _unturned(side: Side, source: Zone, found: Lifted) -> bool:
    """Whether a face-down top waits to be turned up, that of the moving card's own pile left out."""
    return any(
        pile and not pile[-1].up
        for index, pile in enumerate(side.stock)
        if not (source.kind is ZoneKind.STOCK and index == source.index and found.top)
    )


def judge_play(position: Position, action: Action) -> Ruling:
    """A card put on a centre pile (PT-16..20, PL-10, SV-4)."""
    return _with_manner(position, action, _judge_play(position, action))


def _judge_play(position: Position, action: Action) -> Ruling:
    seat, card, source, target = moved(action)
    if target.kind is not ZoneKind.CENTRE:
        raise Impossible(f"'{action}' is no play: {target} is no centre pile")
    found = find(position, source, card)
    card = found.card
    owed = _owed(position, action, seat, card)
    if owed is not None:
        # A card wrongly taken back and played again where it fits is simply played (PT-12).
        top = position.top(target.index)
        fits = top is not None and position.rules.fit[top.code] & card.bit
        return replace(owed, correction=False) if owed.correction and fits else owed
    if source.seat is not None and source.seat is not seat:
        return illegal(position, action, Reason.OWN_CARDS_ONLY, "PT-9")
    fault = _timing(position, action, position.sides[seat]) or _source(position, action, seat, source, found)
    if fault is not None:
        return fault
    pile = position.centre[target.index]
    if not pile:
        return illegal(position, action, Reason.WRONG_PILE, "PT-29", "C17", note="no_pile")
    top = pile[-1].card
    if position.rules.fit[top.code] & card.bit:
        return Ruling(action, Verdict.LEGAL, None, LEGAL_PLAY, None, False, top)
    if not top.known or not card.known:
        # The law cannot tell; whoever watches has to.
        return Ruling(action, Verdict.UNDECIDED, None, LEGAL_PLAY, None, False, top)
    if _was_first_choice(position, action, seat, card):
        return illegal(position, action, Reason.LATE, "G9", "PT-11", "PL-15", against=top)
    if position.rules.adjacent[top.code] & card.bit:
        return illegal(position, action, Reason.COLOUR, "PT-V3", against=top)
    return illegal(position, action, Reason.NOT_ADJACENT, "PT-20", against=top)


def _was_first_choice(position: Position, action: Action, seat: Seat, card: Card) -> bool:
    """Whether the card would have fitted but for cards the opponent put there a moment before (G9)."""
    assert action.target is not None
    if action.t is None:
        return False
    pile = position.centre[action.target.index]
    for below in range(len(pile) - 2, -1, -1):
        above = pile[below + 1]
        recent = above.t is not None and action.t - above.t <= position.rules.late_window
        if above.seat is not seat.other or not recent:
            return False
        if position.rules.fit[pile[below].card.code] & card.bit:
            return True
    return False


def judge_turn_up(position: Position, action: Action) -> Ruling:
    """A face-down top turned face up (PT-6, PT-17, PL-12, SV-5)."""
    seat, zone = actor(action), action.target
    if zone is None or action.card is None or zone.kind not in (ZoneKind.STOCK, ZoneKind.RESERVE):
        raise Impossible(f"'{action}' turns up nothing")
    found = find(position, zone, action.card)
    if not found.top or found.up:
        raise Impossible(f"{action.card} cannot be turned up at {zone}: it is not a face-down top there")
    if zone.seat is not seat:
        return illegal(position, action, Reason.OWN_CARDS_ONLY, "PT-9")
    if zone.kind is ZoneKind.RESERVE:
        return illegal(position, action, Reason.FROM_RESERVE, "PL-7", "C28")
    fault = _manner(position, action)
    if fault is not None:
        return fault
    side = position.sides[seat]
    if side.phase is Phase.BEFORE_SPIT and not tops_stay_down(position, seat):
        return legal(action, ("PL-6", "C4"))
    if side.phase is not Phase.PLAY:
        law = ("PT-6",) if side.phase is Phase.BEFORE_SPIT else ("PT-25", "PL-18")
        return illegal(position, action, Reason.WRONG_ORDER, *law, note=side.phase.value)
    return legal(action, LEGAL_TURN)


def judge_fill(position: Position, action: Action) -> Ruling:
    """A card moved into a gap (PT-15, PL-13, SV-5, C23)."""
    seat, card, source, target = moved(action)
    if target.kind is not ZoneKind.STOCK:
        raise Impossible(f"'{action}' fills no gap: {target} is no stock pile")
    if position.cards_at(target):
        raise Impossible(f"'{action}' fills no gap: {target} has cards, so this would be a stack")
    return _with_manner(position, action, _judge_within(position, action, seat, card, source, target))


def judge_stack(position: Position, action: Action) -> Ruling:
    """A card put on a stock pile that is no gap (X1)."""
    seat, card, source, target = moved(action)
    if target.kind is not ZoneKind.STOCK:
        raise Impossible(f"'{action}' stacks on nothing: {target} is no stock pile")
    return _with_manner(position, action, _judge_within(position, action, seat, card, source, target))


def _judge_within(position: Position, action: Action, seat: Seat, card: Card, source: Zone, target: Zone) -> Ruling:
    """A card put on a stock pile place: filling a gap, stacking, or putting an illegal card right."""
    found = find(position, source, card)
    card = found.card
    owed = _owed(position, action, seat, card)
    if owed is not None:
        return owed
    if source.seat is not seat or target.seat is not seat:
        if source.kind is ZoneKind.CENTRE:
            return illegal(position, action, Reason.TAKEN_BACK, "PT-12", "PL-16")
        return illegal(position, action, Reason.OWN_CARDS_ONLY, "PT-9")
    fault = _timing(position, action, position.sides[seat]) or _source(position, action, seat, source, found)
    if fault is not None:
        return fault
    side = position.sides[seat]
    if source.kind is not ZoneKind.STOCK:
        return illegal(position, action, Reason.NO_GAP, "PT-V5", note="hand")
    if target.index >= side.slots:
        return illegal(position, action, Reason.NO_GAP, "C23", "PL-13", note="short")
    pile = side.stock[target.index]
    if not pile:
        return legal(action, LEGAL_FILL)
    if not position.rules.same_rank_stack:
        return illegal(position, action, Reason.NO_GAP, "PT-15", "PL-13")
    if not pile[-1].up or pile[-1].card.rank != card.rank:
        return illegal(position, action, Reason.NO_GAP, "X1", note="not_equal")
    return legal(action, ("X1",))


def judge_spit(position: Position, action: Action) -> Ruling:
    """A reserve card turned onto a centre pile (PT-5, PT-22, PT-23, PL-17, SV-7)."""
    return _with_manner(position, action, _judge_spit(position, action))


def _judge_spit(position: Position, action: Action) -> Ruling:
    seat, card, source, target = moved(action)
    if source.kind is not ZoneKind.RESERVE or target.kind is not ZoneKind.CENTRE:
        raise Impossible(f"'{action}' is no spit: a reserve card goes onto a centre pile")
    found = find(position, source, card)
    owed = _owed(position, action, seat, found.card)
    if owed is not None:
        return owed
    if source.seat is not seat:
        return illegal(position, action, Reason.OWN_CARDS_ONLY, "PT-9")
    if not found.top:
        return illegal(position, action, Reason.NOT_TOP, "PT-5", "PT-22")
    side = position.sides[seat]
    if side.phase not in (Phase.BEFORE_SPIT, Phase.PLAY):
        return illegal(position, action, Reason.WRONG_ORDER, "PT-5", note=side.phase.value)
    if position.due:
        if seat not in position.due:
            return illegal(position, action, Reason.WRONG_ORDER, "PT-22", "G11", note="not_due")
    elif side.phase is Phase.BEFORE_SPIT:
        return illegal(position, action, Reason.WRONG_ORDER, "PT-5", note="not_due")
    elif position.sides[seat.other].phase is not Phase.PLAY:
        return illegal(position, action, Reason.WRONG_ORDER, "PT-22", note=position.sides[seat.other].phase.value)
    elif not stalemate(position):
        early, where = not_stuck(position, action), _spit_target(position, action, seat, target)
        # Whether or not somebody can go on with a card nobody has seen, this is the wrong pile.
        return where if early.verdict is Verdict.UNDECIDED and where.verdict is Verdict.ILLEGAL else early
    return _spit_target(position, action, seat, target)


def _spit_target(position: Position, action: Action, seat: Seat, target: Zone) -> Ruling:
    home = position.home[seat]
    if position.sides[seat].phase is Phase.BEFORE_SPIT:
        if target.index != home:
            return illegal(position, action, Reason.WRONG_PILE, "PT-5", "PT-22", note="own_spit")
        return legal(action, FIRST_SPIT)
    piles = position.open_piles
    if target.index not in piles:
        return illegal(position, action, Reason.WRONG_PILE, "G3", note="no_pile")
    if len(piles) == 1:
        return legal(action, ("G3",))
    where = position.rules.respit_target
    if target.index != home and (where == "own" or (where == "any_distinct" and spits_alone(position, seat))):
        return illegal(position, action, Reason.WRONG_PILE, "PT-22", "PT-23", "C5", note="own_spit")
    if where == "any_distinct" and target.index == position.landed:
        return illegal(position, action, Reason.WRONG_PILE, "SV-7", "C5", note="same_spit")
    return legal(action, LEGAL_SPIT)


def spits_alone(position: Position, seat: Seat) -> bool:
    """Whether the other player has no reserve to spit from, and has not just spat the last of it (PT-23, C8)."""
    return position.landed is None and not position.sides[seat.other].reserve


def judge_take_back(position: Position, action: Action) -> Ruling:
    """A card lifted off a centre pile, or an owed card returned to a reserve or hand (PT-12, PL-16, G6)."""
    seat, card, source, target = moved(action)
    if target.kind is ZoneKind.CENTRE:
        raise Impossible(f"'{action}' takes nothing back: {target} is a centre pile")
    card = find(position, source, card).card
    if source.kind is not ZoneKind.CENTRE and position.debt_of(card, source) is None:
        raise Impossible(f"'{action}' takes nothing back: {source} is no centre pile, and {card} is not owed")
    owed = _owed(position, action, seat, card)
    if owed is not None:
        return owed
    debt = position.debt_of(card, source)
    if debt is not None and debt.binding:
        return illegal(position, action, Reason.OWN_CARDS_ONLY, "PT-9")
    return illegal(position, action, Reason.TAKEN_BACK, "PT-12", "PL-16")


def judge_touch(position: Position, action: Action) -> Ruling:
    """A hand on cards that are not the player's to move (PT-9)."""
    if action.target is None:
        raise Impossible(f"'{action}' does not say what was touched")
    seat = actor(action)
    if action.target.seat is seat:
        return legal(action, ("PT-9",))
    note = "centre" if action.target.seat is None else ""
    return illegal(position, action, Reason.OWN_CARDS_ONLY, "PT-9", note=note)


def tops_stay_down(position: Position, seat: Seat) -> bool:
    """Whether the tops of a new layout wait for the spit (C4): not where a player deals alone (PT-27)."""
    return position.rules.reveal == "after_spit" and position.sides[seat.other].phase is not Phase.PLAY
