"""The next position after an action, legal or not: what happened stays happened, and what is owed is written down."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.cards import Card
from referee.rules.actions import Action, Kind
from referee.rules.claiming import assign, forgive, take_pile
from referee.rules.flow import draw_hands, end_without_finisher, settle
from referee.rules.judge import judge
from referee.rules.judge_round import keeps_layout, take_up
from referee.rules.moving import actor, find, move, moved, turn, with_side
from referee.rules.position import Position
from referee.rules.ruling import Remedy, Ruling
from referee.rules.state import Debt, Phase, Reason, Side
from referee.rules.stuck import spitters, stalemate
from referee.table import Seat


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that came about by itself: ``stalemate``, ``round_over`` or ``game_over``.

    Attributes:
        kind: which of the three.
        winner: who won the round or the game; ``None`` for nobody.
        reason: the ``reason`` of the ``RoundEnd`` or ``Result``.
    """

    kind: str
    winner: Seat | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """An action's ruling and the position after it."""

    ruling: Ruling
    position: Position


def step(position: Position, action: Action) -> Step:
    """Judge ``action`` and let it happen.

    Raises:
        Impossible: the action cannot have happened in ``position``.
    """
    ruling = judge(position, action)
    return Step(ruling, _after(position, action, ruling))


def apply(position: Position, action: Action) -> Position:
    """The position after ``action``; see ``step``."""
    return step(position, action).position


def happenings(before: Position, after: Position) -> tuple[Happening, ...]:
    """What came about between two positions that follow each other."""
    found: list[Happening] = []
    end = after.round_end if after.round_end is not before.round_end else None
    for_good = end is not None and end.reason == "no_reserve"
    if for_good or (stalemate(after) and not stalemate(before)):
        found.append(Happening("stalemate"))
    if end is not None:
        found.append(Happening("round_over", end.winner, end.reason))
    if after.result is not None and before.result is None:
        found.append(Happening("game_over", after.result.winner, after.result.reason))
    return tuple(found)


def _after(position: Position, action: Action, ruling: Ruling) -> Position:
    match action.kind:
        case Kind.TURN_UP:
            return _turn_up(position, action)
        case Kind.TOUCH:
            return position
        case Kind.CALL:
            return _call(position, action, ruling) if ruling.legal else position
        case Kind.SLAP | Kind.CLAIM:
            return _slap(position, action, ruling)
        case Kind.DEAL:
            return _deal(position, action)
        case _:
            return _move(position, action, ruling)


def _move(position: Position, action: Action, ruling: Ruling) -> Position:
    seat, card, source, target = moved(action)
    found = find(position, source, card)
    debt = position.debt_of(found.card, source) if position.owed else None
    position = move(position, action, found)
    if position.owed or not ruling.legal:
        position = _settle_debts(position, action, ruling, debt, found.card)
    if action.kind is Kind.SPIT and ruling.remedy is None and not ruling.correction:
        position = _spat(position, seat, target.index, unproven=not ruling.legal)
    elif position.unproven and ruling.legal and action.kind is Kind.PLAY:
        # Somebody could go on after all.
        position = replace(position, due=(), landed=None, unproven=False)
    return settle(draw_hands(position), seat)


def _settle_debts(position: Position, action: Action, ruling: Ruling, debt: Debt | None, card: Card) -> Position:
    """Write down what is owed after a move, and strike out what is settled."""
    seat, _, source, target = moved(action)
    owed = [other for other in position.owed if other is not debt]
    if ruling.remedy is None:
        if action.kind is Kind.PLAY and ruling.legal:
            # A card legally played upon stands; so does one whose pile has moved on (G6).
            owed = [other for other in owed if other.at is not target and other.back_to is not target]
            stands = position.rules.illegal_play == "stands_if_unchallenged"
            owed = [other for other in owed if other.seat is seat or not _lapses(other, stands)]
    else:
        back_to = source if debt is None else debt.back_to
        if back_to is not target and card in position.cards_at(target):
            assert ruling.reason is not None
            owed.append(Debt(seat, card, target, back_to, ruling.reason, ruling.remedy is not Remedy.WARNING))
        if ruling.remedy is Remedy.LOCKOUT and action.t is not None:
            side = position.sides[seat]
            until = action.t + position.rules.lockout_seconds
            position = with_side(position, seat, replace(side, locked_until=until))
    return position if tuple(owed) == position.owed else replace(position, owed=tuple(owed))


def _lapses(debt: Debt, stands: bool) -> bool:
    """Whether a card stands once the opponent has played on (G6); one that came late still goes back (G9)."""
    return stands and debt.binding and debt.reason is not Reason.LATE


def _spat(position: Position, seat: Seat, pile: int, *, unproven: bool) -> Position:
    due = position.due or spitters(position)
    left = tuple(other for other in due if other is not seat)
    unproven = bool(left) and (unproven or position.unproven)
    position = replace(position, due=left, landed=pile if left else None, unproven=unproven)
    side = position.sides[seat]
    if side.phase is Phase.BEFORE_SPIT and position.sides[seat.other].phase in (Phase.CLAIM, Phase.REDEAL):
        # One who dealt alone plays on though the other has cleared a layout since (PT-25, G17).
        position = draw_hands(with_side(position, seat, replace(side, phase=Phase.PLAY)))
    return position


def _turn_up(position: Position, action: Action) -> Position:
    assert action.target is not None
    assert action.card is not None
    position = turn(position, action.target, find(position, action.target, action.card))
    return settle(position, actor(action))


def _call(position: Position, action: Action, ruling: Ruling) -> Position:
    if action.word == "pass":
        return end_without_finisher(replace(position, due=()), "passed")
    if position.due:
        return position
    able = spitters(position)
    if able:
        return replace(position, due=able, landed=None)
    return end_without_finisher(position, "passed" if ruling.note == "agreed" else "no_reserve")


def _slap(position: Position, action: Action, ruling: Ruling) -> Position:
    seat, target = actor(action), action.target
    assert target is not None
    if ruling.remedy is Remedy.FIRST_CHOICE:
        return replace(position, first_choice=seat.other)
    if not ruling.legal:
        # A hand on a pile changes nothing; a pile taken against the rules is put back, and counts as lying there.
        return position
    if action.kind is Kind.SLAP or (position.claims is not None and position.claims.piles[seat] is None):
        position = assign(position, seat, target.index)
    if action.kind is Kind.CLAIM:
        position = settle(take_pile(position, seat, target.index), seat)
    return position


def _deal(position: Position, action: Action) -> Position:
    rules, position = position.rules, take_up(position, action)
    for seat, dealt in zip(Seat, action.deal, strict=True):
        if dealt is None:
            continue
        side = position.sides[seat]
        bits = sum(card.bit for card in dealt.cards)
        pool = (side.pool | sum(card.bit for card in side.gathered)) & ~bits
        if keeps_layout(position, seat):
            stock, slots = side.stock, side.slots
        else:
            places = len(rules.plan.piles)
            stock = (*dealt.stock, *((),) * (places - len(dealt.stock)))
            slots = places if rules.gap_from_short_deal else len(dealt.stock)
        hand = side.hand if keeps_layout(position, seat) else ()
        laid_out = Side(Phase.BEFORE_SPIT, stock, dealt.reserve, hand, (), pool, slots, side.score, side.locked_until)
        position = with_side(position, seat, laid_out)
    position = forgive(position)
    phases = {side.phase for side in position.sides}
    if phases <= {Phase.BEFORE_SPIT, Phase.PLAY}:
        position = replace(position, due=tuple(seat for seat in Seat if _owes_spit(position, seat)))
    return settle(position, Seat.A)


def _owes_spit(position: Position, seat: Seat) -> bool:
    """Whether ``seat`` has a spit card to turn once all is dealt, to start a pile or from before (PT-5, PT-27)."""
    side = position.sides[seat]
    if side.phase is Phase.PLAY:
        return seat in position.due
    return bool(side.reserve) and not position.centre[position.home[seat]]
