"""Judging what is said and done around the play: calls, slaps, claims, deals."""

from __future__ import annotations

from dataclasses import replace

from referee.cards import UNKNOWN
from referee.rules.actions import Action, Kind, SeatDeal
from referee.rules.judge_moves import tops_stay_down
from referee.rules.layouts import Sizes
from referee.rules.moving import Impossible, actor, check_unplaced, gather, with_side
from referee.rules.position import Position
from referee.rules.ruling import Ruling
from referee.rules.state import Phase, Reason, Side
from referee.rules.stuck import spitters, stalemate, stuck
from referee.rules.verdicts import illegal, legal, not_stuck
from referee.table import MAX_STOCK_PILES, RESERVES, Seat, ZoneKind


def judge_call(position: Position, action: Action) -> Ruling:
    """Spit called, or a lone spit declined (PT-5, PT-22, PT-23, G2, G8, G12)."""
    if action.word == "pass":
        return _judge_pass(position, action)
    if position.due:
        return legal(action, ("PT-5", "C6"))
    phases = {side.phase for side in position.sides}
    if phases != {Phase.PLAY}:
        return illegal(position, action, Reason.WRONG_ORDER, "PT-5", note=position.phase.value)
    if stalemate(position):
        return legal(action, ("PT-22", "G1"))
    if action.seat is None and not any(debt.binding for debt in position.owed) and _may_agree(position):
        return legal(action, ("G2", "X11"), note="agreed")
    return not_stuck(position, action)


def _may_agree(position: Position) -> bool:
    """Whether a call by both counts although nobody can show that both are stuck (G2)."""
    if position.rules.mutual_pass == "allowed":
        return True
    ways = [stuck(position, seat) for seat in Seat]
    return all(way.witness is None for way in ways)


def _judge_pass(position: Position, action: Action) -> Ruling:
    able = spitters(position)
    playing = all(side.phase is Phase.PLAY for side in position.sides)
    lone = playing and len(able) == 1 and action.seat is able[0]
    if lone and (stalemate(position) or position.due == able):
        return legal(action, ("PT-23", "G12"))
    return illegal(position, action, Reason.WRONG_ORDER, "PT-23", "G12", note="pass")


def judge_slap(position: Position, action: Action) -> Ruling:
    """A hand on a centre pile, or a pile taken up (PT-25, PT-26, PL-19, PL-23, SV-8, C12, C18, G7)."""
    seat, target = actor(action), action.target
    if target is None or target.kind is not ZoneKind.CENTRE:
        raise Impossible(f"'{action}' claims no centre pile")
    claims = position.claims
    if claims is None or position.sides[seat].phase is not Phase.CLAIM:
        if claims is not None and seat in claims.slapped:
            return illegal(position, action, Reason.WRONG_PILE, "PT-26", "PL-19", note="other_pile")
        if claims is not None and claims.finisher is seat:
            return illegal(position, action, Reason.WRONG_PILE, "PL-23", "C18", note="takes_nothing")
        return illegal(position, action, Reason.EARLY_SLAP, "G7")
    if target.index not in position.open_piles:
        return illegal(position, action, Reason.WRONG_PILE, "C17", note="no_pile")
    due = claims.piles[seat]
    if due is None:
        if claims.chooser is not None and claims.chooser is not seat:
            return illegal(position, action, Reason.WRONG_ORDER, "SV-8", "C12", note="chooser")
        return legal(action, ("PT-26", "PL-19"))
    # A hand that comes second to a pile is no fault: it gets the other one (PL-19). A pile is taken up only by right.
    changed_mind = seat in claims.slapped and action.kind is Kind.SLAP
    if due != target.index and (changed_mind or action.kind is Kind.CLAIM):
        return illegal(position, action, Reason.WRONG_PILE, "PT-26", "PL-19", note="other_pile")
    return legal(action, ("PT-26", "PL-19"))


def judge_deal(position: Position, action: Action) -> Ruling:
    """New layouts (PT-4, PT-27..29, PL-20, PL-22, SV-9, C14, G15)."""
    named = [card for dealt in action.deal if dealt is not None for card in dealt.cards if card.known]
    if len(set(named)) < len(named):
        raise Impossible("a card cannot be dealt twice")
    first = any(side.phase is Phase.DEALING for side in position.sides)
    again = [seat for seat in Seat if action.deal[seat] and position.sides[seat].phase is Phase.BEFORE_SPIT]
    rightly = all(_rightly_dealt(position, seat) for seat in again)
    position = take_up(position, action)
    for seat, dealt in zip(Seat, action.deal, strict=True):
        fault = None if dealt is None else _misdeal(position, action, seat, dealt)
        if fault is not None:
            return fault
    if again and rightly:
        return illegal(position, action, Reason.WRONG_ORDER, "G15", note="dealt")
    return legal(action, ("PT-4", "PL-6", "SV-2") if first else ("PT-27", "PL-20"), correction=bool(again))


def take_up(position: Position, action: Action) -> Position:
    """The position in which ``action`` deals: a layout not yet played from is taken up to be dealt anew (G15)."""
    for seat, dealt in zip(Seat, action.deal, strict=True):
        side = position.sides[seat]
        if dealt is not None and side.phase is Phase.BEFORE_SPIT:
            position = with_side(position, seat, _taken_up(position, seat))
        elif dealt is not None and side.phase not in (Phase.DEALING, Phase.REDEAL):
            raise Impossible(f"{seat} has no cards to deal: they lie on the table")
    return position


def _taken_up(position: Position, seat: Seat) -> Side:
    side = position.sides[seat]
    if position.rules.plan.rounds:
        return replace(gather(side, ()), phase=Phase.REDEAL)
    if not any(position.centre):
        return replace(gather(side, ()), phase=Phase.DEALING)
    # Of the single pile and the hand only the reserve was dealt anew (PT-V7).
    return replace(side, reserve=(), gathered=side.reserve, phase=Phase.REDEAL)


def _rightly_dealt(position: Position, seat: Seat) -> bool:
    """Whether the layout of ``seat`` is as it should be, so that there is nothing to deal anew."""
    if not position.rules.plan.rounds and any(position.centre):
        return True
    side = position.sides[seat]
    sizes = Sizes(tuple(len(pile) for pile in side.stock if pile), len(side.reserve))
    return sizes == position.rules.deal_sizes(sizes.total)


def keeps_layout(position: Position, seat: Seat) -> bool:
    """Whether a deal only gives ``seat`` a new reserve, its stock pile and hand staying as they are (PT-V7)."""
    return not position.rules.plan.rounds and position.sides[seat].phase is Phase.REDEAL


def _misdeal(position: Position, action: Action, seat: Seat, dealt: SeatDeal) -> Ruling | None:
    owned = position.sides[seat].gathered
    cards = dealt.cards
    if len(dealt.stock) > MAX_STOCK_PILES:
        raise Impossible(f"{seat} cannot deal {len(dealt.stock)} stock piles: there are places for {MAX_STOCK_PILES}")
    if len(cards) != len(owned):
        raise Impossible(f"{seat} cannot deal {len(cards)} cards: the ledger gives {len(owned)}")
    strange = [card for card in cards if card.known and card not in owned]
    if len(strange) > owned.count(UNKNOWN):
        raise Impossible(f"{seat} cannot deal {' '.join(map(str, strange))}: those are not among {seat}'s cards")
    for card in strange:
        check_unplaced(position, card, RESERVES[seat])
    if keeps_layout(position, seat):
        if dealt.stock:
            raise Impossible(f"{seat} lays out no new stock piles: only the cards taken are shuffled")
        return None
    wanted = position.rules.deal_sizes(len(owned))
    sizes = tuple(len(pile) for pile in dealt.stock)
    if sizes != wanted.stock or len(dealt.reserve) != wanted.reserve:
        return illegal(position, action, Reason.WRONG_PILE, "G15", "C14", note="misdeal")
    if any(one.up for pile in dealt.stock for one in pile[:-1]):
        return illegal(position, action, Reason.WRONG_ORDER, "PT-14", note="not_tops")
    if tops_stay_down(position, seat) and any(pile[-1].up for pile in dealt.stock):
        return illegal(position, action, Reason.WRONG_ORDER, "PT-6", "PT-28", note="tops_down")
    return None
