"""The parts of a position's one-line text; ``position`` puts them together and says what the line looks like."""

from __future__ import annotations

import math
from collections.abc import Iterable

from referee.cards import Card, card_set
from referee.rules.actions import parse_word
from referee.rules.piles import parse_cards, parse_pile, write_cards, write_pile
from referee.rules.ruleset import RuleSet
from referee.rules.state import CentreCard, CentrePile, Claims, Debt, Phase, Reason, Result, RoundEnd, Side
from referee.table import MAX_STOCK_PILES, Seat, Zone


def write_side(rules: RuleSet, side: Side) -> str:
    """A side: phase, stock piles and reserve, then what is not as usual."""
    parts = [side.phase.value, "/".join(write_pile(pile) for pile in side.stock), write_cards(side.reserve)]
    if side.hand:
        parts.append(f"hand={write_cards(side.hand)}")
    if side.gathered:
        parts.append(f"gathered={write_cards(side.gathered)}")
    if side.pool:
        parts.append(f"pool={write_cards(card_set(side.pool))}")
    if side.slots != _usual_slots(rules, side.stock):
        parts.append(f"slots={side.slots}")
    if side.score:
        parts.append(f"score={side.score}")
    if side.locked_until is not None:
        parts.append(f"locked={side.locked_until!r}")
    return ";".join(parts)


def _usual_slots(rules: RuleSet, stock: tuple[object, ...]) -> int:
    return len(rules.plan.piles) if stock else 0


def parse_side(rules: RuleSet, text: str) -> Side:
    """The inverse of ``write_side``; a ValueError names what is wrong."""
    parts = text.split(";")
    if len(parts) < 3:
        raise ValueError(f"a side is phase;stock;reserve, which {text!r} is not")
    stock = tuple(parse_pile(pile) for pile in parts[1].split("/")) if parts[1] else ()
    if len(stock) > MAX_STOCK_PILES:
        raise ValueError(f"{text!r} has {len(stock)} stock piles; a player has at most {MAX_STOCK_PILES}")
    more = dict(part.partition("=")[::2] for part in parts[3:])
    strange = set(more) - {"hand", "gathered", "pool", "slots", "score", "locked"}
    if strange:
        raise ValueError(f"{strange.pop()!r} is no part of a side")
    return Side(
        parse_word(Phase, parts[0], "phase"),
        stock,
        parse_cards(parts[2]),
        parse_cards(more.get("hand", "-")),
        parse_cards(more.get("gathered", "-")),
        _bits(parse_cards(more.get("pool", "-"))),
        parse_count(more["slots"]) if "slots" in more else _usual_slots(rules, stock),
        parse_count(more.get("score", "0")),
        _time(more["locked"]) if "locked" in more else None,
    )


def _bits(cards: Iterable[Card]) -> int:
    return sum(card.bit for card in cards)


def write_centre(pile: CentrePile) -> str:
    """A centre pile, bottom to top."""
    return ",".join(_write_centre_card(entry) for entry in pile) or "-"


def _write_centre_card(entry: CentreCard) -> str:
    seat = "" if entry.seat is None else entry.seat.name
    return f"{entry.card}{seat}" + ("" if entry.t is None else f"@{entry.t!r}")


def parse_centre(text: str) -> tuple[CentrePile, CentrePile]:
    """Both centre piles; a ValueError names what is wrong."""
    piles = text.split("/")
    if len(piles) != 2:
        raise ValueError(f"there are two places for centre piles, C=FIRST/SECOND, not {text!r}")
    first, second = (() if pile == "-" else tuple(map(_parse_centre_card, pile.split(","))) for pile in piles)
    return first, second


def _parse_centre_card(text: str) -> CentreCard:
    front, _, time = text.partition("@")
    card, seat = Card(front[:2]), front[2:]
    return CentreCard(card, Seat[seat] if seat else None, _time(time) if time else None)


def write_debt(debt: Debt) -> str:
    """A card owed: ``A:7C:C2>A5:late``, with ``?`` behind it if it need not go back."""
    return f"{debt.seat}:{debt.card}:{debt.at}>{debt.back_to}:{debt.reason.value}" + ("" if debt.binding else "?")


def parse_debt(text: str) -> Debt:
    """The inverse of ``write_debt``."""
    seat, card, places, reason = _split(text, 4)
    at, arrow, back_to = places.partition(">")
    if not arrow:
        raise ValueError(f"a card is owed from one zone to another, AT>TO, which {places!r} does not say")
    why = parse_word(Reason, reason.removesuffix("?"), "reason")
    return Debt(Seat[seat], Card(card), Zone(at), Zone(back_to), why, not reason.endswith("?"))


def write_claims(claims: Claims) -> str:
    """A claiming in progress: finisher, chooser, each seat's pile, the hands that have been down."""
    piles = "".join("-" if index is None else str(index + 1) for index in claims.piles)
    slapped = "".join(map(str, claims.slapped)) or "-"
    return f"{write_seat(claims.finisher)}:{write_seat(claims.chooser)}:{piles}:{slapped}"


def parse_claims(text: str) -> Claims:
    """The inverse of ``write_claims``."""
    finisher, chooser, piles, slapped = _split(text, 4)
    if len(piles) != 2:
        raise ValueError(f"claims name a pile or - for each of two seats, not {piles!r}")
    a, b = (None if pile == "-" else parse_index(pile) for pile in piles)
    hands = () if slapped == "-" else tuple(Seat[letter] for letter in slapped)
    return Claims(_parse_seat(finisher), _parse_seat(chooser), (a, b), hands)


def parse_end(text: str) -> RoundEnd:
    """How a round ended: ``2:A:stock_empty``."""
    number, winner, reason = _split(text, 3)
    return RoundEnd(parse_count(number), _parse_seat(winner), reason)


def parse_result(text: str) -> Result:
    """How a game ended: ``A:no_cards``."""
    winner, reason = _split(text, 2)
    return Result(_parse_seat(winner), reason)


def parse_home(text: str) -> tuple[int, int]:
    """The piles that A's and B's spit cards go to: ``12`` or ``21``."""
    a, b = parse_index(text[:1]), parse_index(text[1:])
    if a == b:
        raise ValueError("the players' spit cards go to different piles: home is 12 or 21")
    return a, b


def write_seat(seat: Seat | None) -> str:
    """A seat, ``-`` for nobody."""
    return "-" if seat is None else seat.name


def _parse_seat(text: str) -> Seat | None:
    return None if text == "-" else Seat[text]


def _split(text: str, parts: int) -> list[str]:
    found = text.split(":")
    if len(found) != parts:
        raise ValueError(f"{text!r} should be {parts} parts with colons between")
    return found


def parse_index(text: str) -> int:
    """The index of centre pile 1 or 2."""
    if text not in ("1", "2"):
        raise ValueError(f"centre piles are 1 and 2, not {text!r}")
    return int(text) - 1


def parse_count(text: str) -> int:
    """A number that is not negative."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(f"{text!r} is no count")
    return int(text)


def _time(text: str) -> float:
    try:
        time = float(text)
    except ValueError:
        time = math.nan
    if not math.isfinite(time):
        raise ValueError(f"{text!r} is no time in seconds")
    return time
