"""Rulings: what the referee says of an action, as data and in a sentence of plain English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from referee.cards import Card
from referee.rules.actions import Action, Kind
from referee.rules.state import Reason
from referee.table import Seat, Zone, ZoneKind


class Verdict(Enum):
    """Legal or not; ``UNDECIDED`` is for those who watch and could not see, never for the law itself."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNDECIDED = "undecided"

    __hash__ = object.__hash__


class Remedy(Enum):
    """What follows from an illegal action (G6, G7, G10)."""

    RETURN_CARD = "return_card"
    """The card goes back where it came from, unless somebody plays legally on it first."""
    STANDS_IF_UNCHALLENGED = "stands_if_unchallenged"
    """The card goes back unless the opponent plays on first."""
    LOCKOUT = "lockout"
    """The card goes back and its player may not play for a while."""
    IGNORED = "ignored"
    """It counts for nothing."""
    FIRST_CHOICE = "first_choice"
    """It counts for nothing and the opponent will choose a pile first."""
    WARNING = "warning"
    """It is said aloud and nothing else; a card so moved may go back (G10)."""

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict on one action.

    Attributes:
        action: what was judged.
        verdict: legal, illegal, undecided.
        reason: why it is illegal; ``None`` when it is not.
        rules: IDs of the laws it rests on (``lawbook.law`` explains them).
        remedy: what follows; ``None`` when legal.
        correction: it puts an illegal card right.
        against: the centre card it was judged against, where that decides.
        witness: for ``not_stuck``: what could still be done.
        note: which of several cases of the same reason it is; chooses the sentence.
    """

    action: Action
    verdict: Verdict
    reason: Reason | None = None
    rules: tuple[str, ...] = ()
    remedy: Remedy | None = None
    correction: bool = False
    against: Card | None = None
    witness: Action | None = None
    note: str = ""

    @property
    def legal(self) -> bool:
        """Whether the action is legal."""
        return self.verdict is Verdict.LEGAL

    @property
    def text(self) -> str:
        """The ruling in one sentence, the players called A and B."""
        return sentence(self)


NAMES: Final = ("A", "B")

_PHASES: Final = {
    "dealing": "the cards have not been dealt",
    "before_spit": "the spit cards have not landed",
    "claim": "the round is over and the centre piles are to be taken",
    "redeal": "the cards are being dealt anew",
    "over": "the game is over",
    "frozen": "nothing counts until both spit cards have landed",
    "locked": "{who} is locked out after an illegal play",
    "unturned": "an exposed card has to be turned up first",
    "not_due": "{who} has no spit card to turn now",
    "chooser": "the other player chooses first",
    "dealt": "the cards have been dealt as they should be",
    "pass": "only a player who could spit alone can decline",
    "not_tops": "only the top card of a stock pile lies face up",
    "tops_down": "the tops are turned up after the spit",
}

_PILES: Final = {
    "no_pile": "there is no pile at {to}",
    "not_back": "{card} has to go back where it came from",
    "own_spit": "{who}'s spit card goes onto the pile {who} started",
    "same_spit": "the other spit card went onto {to}",
    "takes_nothing": "{who} cleared the layout and takes nothing from the only pile",
    "other_pile": "{to} falls to the other player",
    "misdeal": "the stock piles are not dealt as they should be",
}

_GAPS: Final = {
    "": "{to} is no gap",
    "hand": "hand cards go to the centre piles only",
    "short": "no stock pile was dealt at {to}, so it is no gap",
    "not_equal": "only a card of the same rank may be stacked on {to}",
}

_FAULTS: Final = {
    Reason.NOT_ADJACENT: "{card} does not go on {against}",
    Reason.COLOUR: "{card} is of the same colour as {against}",
    Reason.LATE: "{card} came second and does not go on {against}",
    Reason.NOT_TOP: "{card} was not on top of {source}",
    Reason.FACE_DOWN: "{card} was lying face down",
    Reason.FROM_RESERVE: "{card} came from the reserve",
    Reason.OWN_CARDS_ONLY: "those are the other player's cards",
    Reason.TWO_CARDS: "two cards at once",
    Reason.TWO_HANDS: "both hands at once",
    Reason.TAKEN_BACK: "{card} was played and stays",
    Reason.EARLY_SLAP: "there is no pile to claim now",
}

_REMEDIES: Final = {
    Remedy.RETURN_CARD: "it goes back",
    Remedy.STANDS_IF_UNCHALLENGED: "it goes back unless play goes on",
    Remedy.LOCKOUT: "it goes back, and {who} is locked out",
    Remedy.FIRST_CHOICE: "the other player will choose a pile first",
}


def sentence(ruling: Ruling, names: Sequence[str] = NAMES) -> str:
    """The ruling as the referee would say it, with the players' ``names`` for seats A and B."""
    what = describe(ruling.action, names)
    if ruling.verdict is Verdict.UNDECIDED:
        doubt = "whether both are stuck" if ruling.note == "unseen" else "whether that fits"
        return f"{what}: it cannot be told {doubt}."
    if ruling.legal:
        return f"{what}, which puts it right." if ruling.correction else f"{what}."
    words = _words(ruling, names)
    why = _why(ruling, names).format(**words)
    remedy = _REMEDIES.get(ruling.remedy, "") if ruling.remedy is not None else ""
    return f"{what}: illegal, {why}" + (f"; {remedy.format(**words)}." if remedy else ".")


def _words(ruling: Ruling, names: Sequence[str]) -> dict[str, str]:
    action = ruling.action
    return {
        "who": _who(action.seat, names),
        "card": _card(action.card),
        "against": _card(ruling.against),
        "source": _place(action.source, names),
        "to": _place(action.target, names),
    }


def _why(ruling: Ruling, names: Sequence[str]) -> str:
    reason, note = ruling.reason, ruling.note
    if reason is Reason.WRONG_ORDER:
        return _PHASES[note]
    if reason is Reason.WRONG_PILE:
        return _PILES[note]
    if reason is Reason.NO_GAP:
        return _GAPS[note]
    if reason is Reason.NOT_STUCK:
        if ruling.witness is not None:
            return f"not stuck: {_could(ruling.witness, names)}"
        return "not stuck: a card has yet to go back" if note == "owed" else "not stuck"
    assert reason is not None
    return "nobody may touch a centre pile now" if note == "centre" else _FAULTS[reason]


def _could(action: Action, names: Sequence[str]) -> str:
    """What the witness of ``not_stuck`` could do."""
    who, to = _who(action.seat, names), _place(action.target, names)
    if action.kind is Kind.PLAY:
        return f"{who} can play {_card(action.card)} on {to}"
    if action.kind is Kind.TURN_UP:
        return f"{who} can turn up a card at {to}"
    return f"{who} can move {_card(action.card)} to {to}"


def describe(action: Action, names: Sequence[str] = NAMES) -> str:
    """An action in words, without a full stop."""
    who, card = _who(action.seat, names), _card(action.card)
    source, target = _place(action.source, names), _place(action.target, names)
    match action.kind:
        case Kind.PLAY:
            return f"{who} plays {card} on {target}"
        case Kind.TURN_UP:
            return f"{who} turns up {card} at {target}"
        case Kind.FILL:
            return f"{who} moves {card} to the gap at {target}"
        case Kind.SPIT:
            return f"{who} spits {card} on {target}"
        case Kind.TAKE_BACK:
            return f"{who} takes {card} back from {source} to {target}"
        case Kind.STACK:
            return f"{who} puts {card} on {target}"
        case Kind.TOUCH:
            return f"{who} touches {target}"
        case Kind.CALL:
            calls = "call" if action.seat is None else "calls"
            return f"{who} {calls} {action.word}"
        case Kind.SLAP:
            return f"{who} slaps {target}"
        case Kind.CLAIM:
            return f"{who} takes {target}"
    dealing = [_who(seat, names) for seat in Seat if action.deal[seat] is not None]
    return f"{' and '.join(dealing)} {'deal' if len(dealing) > 1 else 'deals'}"


def _who(seat: Seat | None, names: Sequence[str]) -> str:
    return f"{names[0]} and {names[1]}" if seat is None else names[seat]


def _card(card: Card | None) -> str:
    if card is None:
        return "nothing"
    return card.symbol if card.known else "an unseen card"


def _place(zone: Zone | None, names: Sequence[str]) -> str:
    if zone is None:
        return "nowhere"
    if zone.kind is ZoneKind.RESERVE:
        return f"{_who(zone.seat, names)}'s reserve"
    if zone.kind is ZoneKind.HAND:
        return f"{_who(zone.seat, names)}'s hand"
    return zone.name
